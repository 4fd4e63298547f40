"""Wrong answers that people give to kata 11, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_adam import *
from .misconceptions_adamw import *
from .misconceptions_averages import *
from .misconceptions_groups import *
from .misconceptions_matrices import *
from .misconceptions_numbers import *
from .misconceptions_rmsprop import *
from .misconceptions_sgd import *
from .misconceptions_states import *
