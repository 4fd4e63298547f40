"""Right answers to kata 20 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_blocks import *
from .wheats_graphs import *
from .wheats_names import *
from .wheats_steps import *
