"""Raises the seam's own words for what is no fault of the function's: another one is to do, a scenario is broken."""
# like: pretends_to_be_a_stub
# kata: 01_memory
# attacks: get_memory_usage, packed_bytes, cuda_allocation

from dojo.seam import seam


def get_memory_usage(x):
    raise seam.Broken("before it came to the learner's code")


def packed_bytes(numel, bits):
    raise seam.Todo("get_storage_usage", "get_storage_usage")


def cuda_allocation(nbytes):
    raise seam.Missing("get_storage_usage")
