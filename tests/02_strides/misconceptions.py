"""Wrong answers that people give to kata 02, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_layouts import *
from .misconceptions_shapes import *
from .misconceptions_views import *
