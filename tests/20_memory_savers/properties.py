"""The properties of kata 20: what keeps memory alive, and what is kept smaller, later, elsewhere or not at all.

Each subject has a file of its own.
"""
# ruff: noqa: F403 - whoever asks for the properties of a kata finds them in this module

# In the order of the functions:
# isort: off
from .properties_names import *
from .properties_graphs import *
from .properties_blocks import *
from .properties_steps import *
