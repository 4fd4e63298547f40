"""The properties of kata 23: what a GPT costs, how it is trained within a budget, and what each saving costs.

There is one file for each subject.
"""
# ruff: noqa: F403 - code that looks for the properties of a kata finds them in this module

# In the order of the functions:
# isort: off
from .properties_counts import *
from .properties_steps import *
from .properties_runs import *
from .properties_budgets import *
