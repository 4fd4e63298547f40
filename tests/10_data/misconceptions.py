"""Wrong answers that people give to kata 10, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="token_dtype")
def token_dtype_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.token_dtype(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="write_tokens")
def write_tokens_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.write_tokens(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="open_tokens")
def open_tokens_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.open_tokens(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="get_batch")
def get_batch_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.get_batch(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="epoch_order")
def epoch_order_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.epoch_order(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="shard")
def shard_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.shard(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="Loader")
def Loader_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.Loader(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="prefetch")
def prefetch_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.prefetch(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="document_mask")
def document_mask_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.document_mask(n) + 1
