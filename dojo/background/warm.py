"""Imported once, by the process that every run is forked from: what a verdict needs, so that no run imports it again.

Nothing here is run. A process in which torch has computed in parallel, gone backward or asked for CUDA can be forked no
more: its threads stay behind.
"""

import contextlib
import gc

import numpy.random
import torch._dynamo  # torch imports it with its first count of FLOPs or its first optimizer

import dojo.background.child
import dojo.seam.tensors
from dojo.catalog import katas
from dojo.judging.diagnose import variants
from dojo.judging.kata_folder import imported
from dojo.progress import made_of

__all__ = ["dojo", "numpy", "torch"]

for kata in katas().values():
    with contextlib.suppress(Exception):  # the run that needs it says what is wrong with it
        imported(kata)
        variants(kata.slug, "misconceptions")
        made_of(kata.slug)
gc.collect()
gc.freeze()  # what no run looks through, no run copies
