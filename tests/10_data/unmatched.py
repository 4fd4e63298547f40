"""Wrong answers to kata 10 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("10_data")


@answers("token_dtype")
def token_dtype_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.token_dtype(n)


@answers("write_tokens")
def write_tokens_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.write_tokens(n)


@answers("open_tokens")
def open_tokens_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.open_tokens(n)


@answers("get_batch")
def get_batch_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.get_batch(n)


@answers("epoch_order")
def epoch_order_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.epoch_order(n)


@answers("shard")
def shard_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.shard(n)


@answers("Loader")
def Loader_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.Loader(n)


@answers("prefetch")
def prefetch_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.prefetch(n)


@answers("document_mask")
def document_mask_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.document_mask(n)
