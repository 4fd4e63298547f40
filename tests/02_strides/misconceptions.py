"""Wrong answers that people give to kata 02, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - the misconceptions of a kata are looked up in this module

from .misconceptions_layouts import *
from .misconceptions_shapes import *
from .misconceptions_views import *
