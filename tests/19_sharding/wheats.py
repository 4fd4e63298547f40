"""Right answers to kata 19 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_adam import *
from .wheats_numbers import *
from .wheats_parallel import *
from .wheats_steps import *
