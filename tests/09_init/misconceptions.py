"""Wrong answers that people give to kata 09, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_draws import *
from .misconceptions_layers import *
from .misconceptions_models import *
from .misconceptions_numbers import *
