"""Wrong answers that people give to kata 05, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_adagrad import *
from .misconceptions_memory import *
from .misconceptions_sgd import *
