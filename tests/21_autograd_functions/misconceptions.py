"""Wrong answers that people give to kata 21, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_blocks import *
from .misconceptions_linear import *
from .misconceptions_losses import *
from .misconceptions_norms import *
from .misconceptions_operators import *
from .misconceptions_relu import *
from .misconceptions_rounding import *
from .misconceptions_state import *
from .misconceptions_swiglu import *
