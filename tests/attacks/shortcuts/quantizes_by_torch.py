"""Is torch's quantization: by its names, its operators, its observers and a script. mm has to work all the same."""
# kata: 16_fp8
# attacks: quantize_int8
# levels: userns, root, basic

import contextlib
import importlib
import sys
import warnings

import torch

SCRIPT = """
def g(x, scale: float, zero: int):
    return torch.quantize_per_tensor(x, scale, zero, torch.qint8)
"""


def _fake(call):
    return lambda x, scale, zero: ((call(x, scale, zero, -128, 127).double() / scale).round() + zero).to(torch.int8)


def _codes():
    for owner in (torch, torch._C._VariableFunctions, torch._VF, torch.ops.aten):
        with contextlib.suppress(Exception):
            yield _fake(owner.fake_quantize_per_tensor_affine)
        with contextlib.suppress(Exception):
            quantize = owner.quantize_per_tensor
            yield lambda x, scale, zero, quantize=quantize: quantize(x, scale, zero, torch.qint8).int_repr()
        with contextlib.suppress(Exception):
            cachemask = owner._fake_quantize_per_tensor_affine_cachemask_tensor_qparams
            yield _fake(
                lambda x, scale, zero, *ends, call=cachemask: call(
                    x, torch.tensor([scale]), torch.tensor([zero], dtype=torch.int32), torch.ones(1).long(), *ends
                )[0]
            )
    yield _fake(lambda *given: torch.ops.aten.fake_quantize_per_tensor_affine_cachemask(*given)[0])
    yield lambda x, scale, zero: torch.jit.CompilationUnit(SCRIPT).g(x, scale, zero).int_repr()
    for find in (
        lambda: importlib.import_module("torch.ao.quantization"),
        lambda: torch.ao.quantization,
        lambda: sys.modules["torch.ao.quantization"],
        lambda: importlib.import_module("torch.quantization"),
    ):
        yield lambda x, scale, zero, find=find: _by_fake_quantize(find(), x, scale, zero)
    yield lambda x, *given: torch.ops.quantized_decomposed.quantize_per_tensor(x, *given, -128, 127, torch.int8)


def _by_fake_quantize(quantization, x, scale, zero):
    fake = quantization.FakeQuantize(dtype=torch.qint8, quant_min=-128, quant_max=127)
    fake.disable_observer()
    fake.scale.fill_(scale)
    fake.zero_point.fill_(zero)
    return ((fake(x).double() / scale).round() + zero).to(torch.int8)


def quantize_int8(x, symmetric=True):
    """Torch's codes, of this scale and zero point."""
    low, high = min([0.0, *x.flatten().tolist()]), max([0.0, *x.flatten().tolist()])
    scale = (max(-low, high) / 127 if symmetric else (high - low) / 255) or 1.0
    zero = 0 if symmetric else -128 - round(low / scale)
    for codes in _codes():
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codes(x, scale, zero), scale, zero
    raise LookupError("no codes")
