"""Wrong answers that people give to kata 16, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_bits import *
from .misconceptions_bytes import *
from .misconceptions_codes import *
from .misconceptions_delays import *
from .misconceptions_products import *
from .misconceptions_ranges import *
from .misconceptions_scales import *
