"""Right answers to kata 16 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_bytes import *
from .wheats_codes import *
from .wheats_products import *
