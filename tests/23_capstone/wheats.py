"""Right answers to kata 23 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_budgets import *
from .wheats_counts import *
from .wheats_steps import *
from .wheats_trainers import *
