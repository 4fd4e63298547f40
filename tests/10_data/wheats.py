"""Right answers to kata 10 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_files import *
from .wheats_loaders import *
from .wheats_streams import *
