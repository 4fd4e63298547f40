"""Looks for the properties and the truth: in modules, on disk, in the source of what is loaded, in all strings."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import gc
import importlib
import inspect
import linecache
import sys

_right = matmul_flops
PARTS = ("properties", "truth", "strategies", "misconceptions")
WORDS = ("def test_matmul_flops", "grades(" + "matmul_flops", "def refused_matmul_shapes", "@believes" + "(")


def _texts():
    for name in (*(f"tests.03_flops.{part}" for part in PARTS), "tests.shared.flops", "hypothesis"):
        with contextlib.suppress(BaseException):
            yield inspect.getsource(importlib.import_module(name))
            yield "def test_matmul_flops"  # it could be imported
    for module in list(sys.modules.values()):
        with contextlib.suppress(BaseException):
            if module.__name__.partition(".")[0] in ("tests", "__main__", "dojo"):
                yield inspect.getsource(module)
        with contextlib.suppress(BaseException):
            yield module.__loader__.get_source(module.__name__)
    for name, (_, _, lines, _) in list(linecache.cache.items()):
        if not __file__.endswith(name):
            yield "".join(lines)
    for found in gc.get_objects():
        if type(found) is dict:
            yield from (value for value in list(found.values()) if type(value) is str)


found = any(word in text for text in _texts() if text and __file__ not in text for word in WORDS if text != word)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
