"""Wrong answers that people give to kata 06, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_finding import *
from .misconceptions_loading import *
from .misconceptions_saving import *
