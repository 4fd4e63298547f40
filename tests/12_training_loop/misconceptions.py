"""Wrong answers that people give to kata 12, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - whoever asks for the misconceptions of a kata finds them in this module

from .misconceptions_accumulation import *
from .misconceptions_counts import *
from .misconceptions_evaluation import *
from .misconceptions_gradients import *
from .misconceptions_losses import *
from .misconceptions_perplexity import *
from .misconceptions_schedules import *
from .misconceptions_training import *
from .misconceptions_training_states import *
