"""Wrong answers that people give to kata 07, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_blocks import *
from .misconceptions_formats import *
from .misconceptions_rounding import *
from .misconceptions_totals import *
