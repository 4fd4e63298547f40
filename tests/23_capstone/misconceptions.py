"""Wrong answers that people give to kata 23, each with the belief behind it, in a file for each subject."""
# ruff: noqa: F403 - code that looks for the misconceptions of a kata finds them in this module

from .misconceptions_budgets import *
from .misconceptions_counts import *
from .misconceptions_groups import *
from .misconceptions_plans import *
from .misconceptions_steps import *
from .misconceptions_trainers import *
