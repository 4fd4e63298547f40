"""Wrong answers that people give to kata 18, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_averages import *
from .misconceptions_broadcasts import *
from .misconceptions_buckets import *
from .misconceptions_gathers import *
from .misconceptions_programs import *
from .misconceptions_rings import *
from .misconceptions_scatters import *
from .misconceptions_starts import *
from .misconceptions_sums import *
