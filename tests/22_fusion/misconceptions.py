"""Wrong answers that people give to kata 22, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - code that looks for the misconceptions of a kata finds them in this module

from .misconceptions_additions import *
from .misconceptions_attention import *
from .misconceptions_clips import *
from .misconceptions_eager import *
from .misconceptions_fused import *
from .misconceptions_kernels import *
from .misconceptions_products import *
from .misconceptions_sums import *
from .misconceptions_tiles import *
