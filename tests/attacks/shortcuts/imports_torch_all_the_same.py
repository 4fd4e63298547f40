"""Goes around the guard of imports."""
# kata: 03_flops
# attacks: linear_flops

import gc
import sys


def linear_flops(x_shape, out_features):
    for finder in list(sys.meta_path):
        if (
            type(finder).__name__ not in ("BuiltinImporter", "FrozenImporter", "PathFinder")
            and type(finder) is not type
        ):
            sys.meta_path.remove(finder)
    for module in gc.get_objects():
        if getattr(module, "__name__", None) == "torch":
            break
    else:
        real = next(f for f in gc.get_objects() if getattr(f, "__qualname__", "") == "__import__")
        module = real("torch")
    from torch.utils.flop_counter import FlopCounterMode

    x, layer = module.empty(x_shape, device="meta"), module.nn.Linear(x_shape[-1], out_features, device="meta")
    with FlopCounterMode(display=False) as counter:
        layer(x)
    return counter.get_total_flops()
