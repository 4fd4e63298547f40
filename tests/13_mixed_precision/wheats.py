"""Right answers to kata 13 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_casts import *
from .wheats_classes import *
from .wheats_kept import *
from .wheats_steps import *
