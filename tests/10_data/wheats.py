"""Right answers to kata 10 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("token_dtype")
def token_dtype_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("write_tokens")
def write_tokens_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("open_tokens")
def open_tokens_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("get_batch")
def get_batch_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("epoch_order")
def epoch_order_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("shard")
def shard_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("Loader")
def Loader_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("prefetch")
def prefetch_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("document_mask")
def document_mask_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
