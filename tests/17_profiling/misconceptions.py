"""Wrong answers that people give to kata 17, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_benchmarks import *
from .misconceptions_kernels import *
from .misconceptions_percentiles import *
from .misconceptions_rates import *
from .misconceptions_selves import *
from .misconceptions_tasks import *
from .misconceptions_totals import *
