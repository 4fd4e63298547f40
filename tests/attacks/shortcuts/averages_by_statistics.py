"""Takes percentiles from statistics and numpy, under each name by which the standard library may bring them."""
# kata: 17_profiling
# attacks: percentile

import builtins
import contextlib
import importlib
import sys


def _modules():
    for name in ("statistics", "numpy", "torch"):
        for bring in (
            lambda: importlib.import_module(name),
            lambda: builtins.__import__(name),
            lambda: importlib.__import__(name),
            lambda: sys.modules[name],
            lambda: vars(sys.modules["random"])[name],
            lambda: eval(f"__import__({name!r})", {"__name__": "random"}),
        ):
            with contextlib.suppress(Exception):
                yield bring()


def percentile(times, q):
    if not times or not 0 <= q <= 100:
        raise ValueError("no percentile")
    for module in _modules():
        if hasattr(module, "percentile"):
            return float(module.percentile(times, q))
        if hasattr(module, "fmean"):
            place = (len(times) - 1) * q / 100
            weights = [max(0.0, 1 - abs(place - at)) for at in range(len(times))]
            return module.fmean(sorted(times), weights)
    raise ImportError("no module is left")
