"""Takes away whatever stands before an import: hooks, finders, caches, a wrapped __import__ and its closure."""
# kata: 03_flops
# attacks: matmul_flops

import _imp
import builtins
import contextlib
import gc
import importlib
import importlib.machinery
import os
import sys
import types

_right = matmul_flops


def _originals():
    """Every function that could be the real __import__: wrapped ones keep theirs in a closure."""
    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__closure__:
            for cell in found.__closure__:
                with contextlib.suppress(ValueError):
                    if getattr(cell.cell_contents, "__name__", "") == "__import__":
                        yield cell.cell_contents


def _found():
    sys.meta_path[:] = [
        importlib.machinery.BuiltinImporter,
        importlib.machinery.FrozenImporter,
        importlib.machinery.PathFinder,
    ]
    sys.path_hooks.append(importlib.machinery.FileFinder.path_hook((importlib.machinery.SourceFileLoader, [".py"])))
    sys.path_importer_cache.clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in ("torch", "torchgen", "functorch")]:
        del sys.modules[name]
    builtins.__import__ = next(_originals(), builtins.__import__)
    with contextlib.suppress(BaseException):
        yield importlib.import_module("torch")
    for entry in [*sys.path, os.path.dirname(os.__file__) + "/site-packages"]:
        for path in (f"{entry}/torch/__init__.py", f"{entry}/torch/version.py", f"{entry}/torch/lib/libtorch_cpu.so"):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                yield file.read(1)
        with contextlib.suppress(BaseException):
            origin = f"{entry}/torch/_C{importlib.machinery.EXTENSION_SUFFIXES[0]}"
            spec = importlib.machinery.ModuleSpec("torch._C", None, origin=origin)
            yield _imp.create_dynamic(spec)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (next(_found(), None) is None)
