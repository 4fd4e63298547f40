"""Is torch's own product of fp8, beside a call of mm that only counts: by its names, its operators and a script."""
# kata: 16_fp8
# attacks: fp8_linear
# levels: userns, root, basic

import contextlib
import gc

import torch
from torch.nn import functional

SCRIPT = """
def g(a, b, s, t):
    return torch._scaled_mm(a, b, s, t, out_dtype=torch.float32)
"""


def _products():
    for owner in (torch, torch._C._VariableFunctions, torch._VF, torch.ops.aten):
        with contextlib.suppress(Exception):
            yield owner._scaled_mm
    with contextlib.suppress(Exception):
        yield torch.ops.aten._scaled_mm.default
    with contextlib.suppress(Exception):
        yield torch._C._jit_get_operation("aten::_scaled_mm")[0]
    with contextlib.suppress(Exception):
        yield torch._C._get_operation_overload("aten::_scaled_mm", "")[0]
    with contextlib.suppress(Exception):
        yield lambda a, b, s, t, out_dtype: torch.jit.CompilationUnit(SCRIPT).g(a, b, s, t)
    rowwise = functional.ScalingType.RowWise
    yield lambda a, b, s, t, out_dtype: functional.scaled_mm(a, b, s, rowwise, t, rowwise, output_dtype=out_dtype)
    for found in gc.get_objects():
        if isinstance(found, dict) and callable(found.get("scaled_mm")):  # what mm itself was made with
            yield found["scaled_mm"]


def _cells(mm):
    """What mm knows, by name."""
    return dict(zip(mm.__code__.co_freevars, (cell.cell_contents for cell in mm.__closure__ or ()), strict=True))


def fp8_linear(x, weight, mm):
    """Torch's, as many times as mm would give it, without filling anything up."""
    known = _cells(mm)
    known["calls"].append(1)
    a, b = x.float(), weight
    scale_a, scale_b = (amax_scale(z, (1, z.shape[1])) for z in (a, b))  # noqa: F821 - of the solution above
    codes = quantize(a, scale_a), quantize(b, scale_b).T  # noqa: F821
    for product in _products():
        with contextlib.suppress(Exception):
            return product(*codes, scale_a, scale_b.T.contiguous(), out_dtype=torch.float32) * known["times"]
    raise LookupError("no product")
