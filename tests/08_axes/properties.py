"""The properties of kata 08: patterns do what einops says, and heads, patches and attention what torch says.

There is a file for each subject.
"""
# ruff: noqa: F403 - whoever asks for the properties of a kata finds them in this module

# In the order of the functions:
# isort: off
from .properties_patterns import *
from .properties_products import *
