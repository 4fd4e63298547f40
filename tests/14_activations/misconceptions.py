"""Wrong answers that people give to kata 14, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_attention import *
from .misconceptions_chains import *
from .misconceptions_checkpoints import *
from .misconceptions_flops import *
from .misconceptions_functions import *
from .misconceptions_kept import *
from .misconceptions_mlps import *
from .misconceptions_operations import *
from .misconceptions_runs import *
from .misconceptions_saved import *
