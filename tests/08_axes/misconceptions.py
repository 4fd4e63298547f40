"""Wrong answers that people give to kata 08, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_calls import *
from .misconceptions_numbers import *
from .misconceptions_patches import *
from .misconceptions_products import *
from .misconceptions_rearrange import *
from .misconceptions_reduce import *
