"""Raises the seam's own words for what is no fault of the function's: another one is to do, a scenario is broken."""
# kata: 01_memory
# attacks: get_memory_usage, packed_bytes, cuda_allocation

from dojo import kata


def get_memory_usage(x):
    raise kata.Broken("before it came to the learner's code")


def packed_bytes(numel, bits):
    raise kata.Todo("get_storage_usage", "get_storage_usage")


def cuda_allocation(nbytes):
    raise kata.Missing("get_storage_usage")
