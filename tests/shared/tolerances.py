"""How near to torch's the values have to come that an optimizer leaves."""

from __future__ import annotations

from typing import Any

import torch

from dojo.judging.expect import expect_each

# Four steps of a handful of roundings each, on numbers up to 20. float32: 2**-24 of them, 20 times, is 2.4e-5.
# bfloat16: 2**-9 of them, in a state as well; one place more or less in each update stays within an eighth.
WITHIN = {torch.float64: 1e-10, torch.float32: 2.5e-5, torch.bfloat16: 2**-3}


def expect_moved(seen: Any, right: dict[str, Any]) -> None:
    """Fail unless what is seen is right: gradients exactly, other values as near as their dtype allows."""
    __tracebackhide__ = True
    if not isinstance(seen, dict):  # nothing to compare: show all that moves
        expect_each(seen, {name: value for name, value in right.items() if not name.endswith(".grad")})
    by_rel: dict[float, dict[str, Any]] = {}
    for name, value in right.items():
        # A step changes no gradient, so nothing is rounded. What is no tensor was computed in float64.
        rel = 0.0 if name.endswith(".grad") else WITHIN[getattr(value, "dtype", torch.float64)]
        by_rel.setdefault(rel, {})[name] = value
    for rel in sorted(by_rel, reverse=True):
        expect_each(seen, by_rel[rel], rel=rel)
