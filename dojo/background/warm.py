"""Import modules in the process that every run is forked from, so that no run has to import them again.

This module only imports. Once torch has computed in parallel, run a backward pass or queried CUDA, the process cannot
be forked safely, because a fork loses its threads.
"""

import contextlib
import gc

import numpy.random
import torch._dynamo  # torch imports it for activation checkpointing, and 22 compiles with it

import dojo.background.child
import dojo.seam.tensors
from dojo.catalog import katas
from dojo.judging.diagnose import variants
from dojo.judging.kata_folder import imported
from dojo.progress import dependencies

__all__ = ["dojo", "numpy", "torch"]

for kata in katas().values():
    with contextlib.suppress(Exception):  # the run that needs it reports the error
        imported(kata)
        variants(kata.slug, "misconceptions")
        dependencies(kata.slug)
gc.collect()
gc.freeze()  # the collector of a fork skips frozen objects, so their memory pages are not copied
