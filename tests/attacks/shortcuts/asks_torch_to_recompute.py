"""Is torch's own checkpoint: by its names, by what wraps it, from its source, and from what is in memory."""
# kata: 14_activations
# attacks: checkpoint, checkpoint_sequential
# examples: 20
# levels: userns, root, basic

import gc
import importlib
import importlib.util
import sys
import types


def _checkpoints():
    yield lambda: importlib.import_module("torch.utils.checkpoint").checkpoint
    yield lambda: __import__("torch").utils.checkpoint.checkpoint
    yield lambda: sys.modules["torch.utils.checkpoint"].checkpoint
    yield lambda: importlib.import_module("torch.distributed._composable").checkpoint
    yield lambda: _wrapped
    yield lambda: _in_memory("checkpoint")
    yield lambda: _by_generator
    yield lambda: _anew().checkpoint


def _wrapped(function, *args, use_reentrant):
    wrapper = importlib.import_module("torch.distributed.algorithms._checkpoint.checkpoint_wrapper")
    module = importlib.import_module("torch").nn.Module()
    module.forward = function
    return wrapper.checkpoint_wrapper(module)(*args)


def _in_memory(name):
    found = [one for one in gc.get_objects() if getattr(one, "__name__", "") == name and hasattr(one, "__code__")]
    return next(one for one in found if one.__module__ == "torch.utils.checkpoint")


def _by_generator(function, *args, use_reentrant):
    torch = importlib.import_module("torch")
    steps = _in_memory("_checkpoint_without_reentrant_generator")(
        function, True, torch.utils.checkpoint.noop_context_fn, "default", False, True, *args
    )
    next(steps)
    result = function(*args)
    next(steps, None)
    return result


def _anew():
    path = f"{importlib.import_module('torch').__path__[0]}/utils/checkpoint.py"
    with open(path, encoding="utf-8") as file:
        source = file.read()
    module = sys.modules["again"] = types.ModuleType("again")
    exec(compile(source, path, "exec"), vars(module))
    return module


def checkpoint(function, *args):
    """Torch's."""
    refused = LookupError("no checkpoint")
    for find in _checkpoints():
        try:
            return find()(function, *args, use_reentrant=False)
        except Exception as error:
            refused = error
    raise refused


def checkpoint_sequential(layers, segments, x):
    """Of torch's checkpoint."""
    if not 1 <= segments <= len(layers):
        raise ValueError
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in zip(ends, ends[1:], strict=False):

        def run(x, start=start, end=end):
            for layer in layers[start:end]:
                x = layer(x)
            return x

        x = checkpoint(run, x)
    return x
