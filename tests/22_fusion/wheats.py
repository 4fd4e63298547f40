"""Right answers to kata 22 in other styles than the solution's, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_grids import *
from .wheats_programs import *
from .wheats_tensors import *
