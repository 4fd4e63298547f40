"""Wrong answers that people give to kata 13, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_bytes import *
from .misconceptions_casts import *
from .misconceptions_forward import *
from .misconceptions_given import *
from .misconceptions_masters import *
from .misconceptions_operations import *
from .misconceptions_rounding import *
from .misconceptions_scalers import *
from .misconceptions_scales import *
from .misconceptions_settings import *
from .misconceptions_states import *
from .misconceptions_steps import *
