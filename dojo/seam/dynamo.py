"""Keep torch's FLOP counter from importing torch._dynamo, which takes more than half as long as torch itself."""

from __future__ import annotations

import sys


def keep_out() -> None:
    """Have the counter run without torch._dynamo, where it is imported.

    torch._compile imports torch._dynamo with the first operation that is counted, to have its compiler leave the
    counter alone. It looks for this mark first, and nothing is compiled while a truth counts. A torch that has no such
    mark imports torch._dynamo as ever, and so do some elementwise operations on meta.
    """
    counter = sys.modules.get("torch.utils.flop_counter")
    handler = getattr(getattr(counter, "_FlopCounterMode", None), "__torch_dispatch__", None)
    counts = getattr(handler, "__wrapped__", None)
    if counts is not None:
        vars(counts).setdefault("__dynamo_disable", counts)
