"""Wrong answers that people give to kata 20, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_attached import *
from .misconceptions_blocks import *
from .misconceptions_events import *
from .misconceptions_files import *
from .misconceptions_graphs import *
from .misconceptions_lines import *
from .misconceptions_momentum import *
from .misconceptions_objects import *
from .misconceptions_sums import *
