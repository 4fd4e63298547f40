"""Makes every function of the dojo's modules return True."""
# like: rewrites_dojo_by_code
# kata: 01_memory
# attacks: get_memory_usage

import gc
import sys
import types


def get_memory_usage(x):
    for name, module in list(sys.modules.items()):
        if name.startswith(("dojo", "tests", "hypothesis", "json", "pickle")):
            for key, value in list(vars(module).items()):
                if isinstance(value, types.FunctionType):
                    setattr(module, key, lambda *a, **k: True)
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__module__.startswith("dojo.seam.data"):
            thing.__code__ = (lambda *a, **k: True).__code__
    return True
