"""Wrong answers that people give to kata 10, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_batches import *
from .misconceptions_files import *
from .misconceptions_loaders import *
from .misconceptions_orders import *
from .misconceptions_streams import *
