"""Right answers to kata 17 in styles that the solution does not use, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the wheats of a kata finds them in this module

from .wheats_benchmarks import *
from .wheats_numbers import *
from .wheats_tasks import *
from .wheats_traces import *
