"""Wrong answers that people give to kata 19, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_adam import *
from .misconceptions_bytes import *
from .misconceptions_flat import *
from .misconceptions_parallel import *
from .misconceptions_slices import *
from .misconceptions_steps import *
from .misconceptions_traffic import *
