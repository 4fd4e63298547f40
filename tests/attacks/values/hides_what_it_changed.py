"""Changes its arguments, and has the scenario that looks at them look at others."""
# like: changes_its_arguments
# kata: 04_backward_flops
# attacks: matmul_backward

import contextlib
import gc
import sys
import types

_right = matmul_backward


def _as_they_were(module, lines, device):
    import tests.shared.described

    return tests.shared.described.tensors(lines, "a, b, grad_out", device)


def _take_over():
    for module in list(sys.modules.values()):
        if "matmul_backward_arguments" in vars(module):
            module.matmul_backward_arguments = _as_they_were
    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__name__ == "matmul_backward_arguments":
            with contextlib.suppress(ValueError):
                found.__code__ = _as_they_were.__code__


_take_over()


def matmul_backward(a, b, grad_out):
    _take_over()
    right = _right(a, b, grad_out)
    for x in (a, b, grad_out):
        x.zero_()
    return right
