"""Wrong answers to kata 01 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("01_memory")


@answers("get_storage_usage")
def keeps_the_largest_alone(*tensors):
    """The largest storage stands for all of them."""
    return max((x.untyped_storage().nbytes() for x in tensors), default=0)


@answers("get_memory_usage")
def counts_in_31_bits(x):
    """Count as if sizes were int32."""
    return x.nbytes % 2**31


@answers("packed_bytes")
def packs_each_value_into_bytes_of_two(numel, bits):
    """Whole pairs of bytes."""
    return -(-solved.packed_bytes(numel, bits) // 2) * 2


@answers("cuda_allocation")
def hands_out_blocks_of_256(nbytes):
    """Another size of block."""
    solved.cuda_allocation(nbytes)
    return -(-nbytes // 256) * 256
