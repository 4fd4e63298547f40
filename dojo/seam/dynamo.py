"""Keep torch's FLOP counter from importing torch._dynamo, which takes more than half as long as torch itself."""

from __future__ import annotations

import sys


def keep_out() -> None:
    """Make the counter, if it is imported, run without torch._dynamo.

    torch._compile imports torch._dynamo at the first operation that is counted, to keep its compiler away from the
    counter. It looks for this mark first, and nothing is compiled while FLOPs are counted. A torch without this mark
    still imports torch._dynamo, and so do some elementwise operations on meta.
    """
    counter = sys.modules.get("torch.utils.flop_counter")
    handler = getattr(getattr(counter, "_FlopCounterMode", None), "__torch_dispatch__", None)
    counts = getattr(handler, "__wrapped__", None)
    if counts is not None:
        vars(counts).setdefault("__dynamo_disable", counts)
