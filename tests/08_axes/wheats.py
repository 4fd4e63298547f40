"""Right answers to kata 08 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_products import *
from .wheats_rearrange import *
