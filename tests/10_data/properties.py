"""The properties of kata 10: tokens go through files and batches unchanged, and an epoch sees each window once.

There is a file for each subject. Random results are checked against bounds that hold for every number of draws
(tests/shared/chance.py); each bound rejects a right answer with a probability of at most 10**-12.
"""
# ruff: noqa: F403 - whoever asks for the properties of a kata finds them in this module

# In the order of the functions:
# isort: off
from .properties_files import *
from .properties_batches import *
from .properties_orders import *
from .properties_loaders import *
from .properties_streams import *
