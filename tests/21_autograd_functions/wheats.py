"""Right answers to kata 21 in other styles than the solution's, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_layers import *
from .wheats_losses import *
from .wheats_operators import *
from .wheats_relus import *
