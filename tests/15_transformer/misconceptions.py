"""Wrong answers that people give to kata 15, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_blocks import *
from .misconceptions_caches import *
from .misconceptions_crossings import *
from .misconceptions_flops import *
from .misconceptions_intensity import *
from .misconceptions_memory import *
from .misconceptions_models import *
from .misconceptions_training import *
