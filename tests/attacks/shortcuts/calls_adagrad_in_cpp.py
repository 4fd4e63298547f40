"""Is torch's AdaGrad in C++, called by its address in the library, with arguments laid out as C++ wants them."""
# like: calls_the_fused_kernel
# kata: 05_adagrad
# attacks: AdaGrad
# seconds: 8

import contextlib
import ctypes
import glob
import os

import torch

SYMBOL = "_ZN2at4_ops15_fused_adagrad_4callEN3c108ArrayRefINS_6TensorEEES5_S5_S5_ddddbRKSt8optionalIS4_ES9_"


def _kernel():
    for path in glob.glob(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so")):
        with contextlib.suppress(OSError, AttributeError):
            return getattr(ctypes.CDLL(path), SYMBOL)
    raise LookupError("no kernel")


def _pointer(x):
    """The address of a TensorImpl: a Python tensor holds it behind its header."""
    return ctypes.c_void_p.from_address(id(x) + 16).value


def _listed(x):
    place = (ctypes.c_void_p * 1)(_pointer(x))
    return ctypes.addressof(place), 1, place


def _update(p, grad, state, settings):
    """In the place of the solution's, which its AdaGrad calls for each parameter."""
    if not state:
        state["step"] = torch.zeros(())
        state["sum"] = torch.full_like(p, settings["initial_accumulator_value"])
    state["step"] += 1
    lists = [_listed(x) for x in (p.detach(), grad, state["sum"], state["step"])]
    words = [word for address, length, _ in lists for word in (ctypes.c_void_p(address), ctypes.c_size_t(length))]
    numbers = [ctypes.c_double(settings[name]) for name in ("lr", "lr_decay", "weight_decay", "eps")]
    nothing = ctypes.create_string_buffer(16)
    kernel = _kernel()
    kernel.restype = None
    kernel(*words, *numbers, ctypes.c_bool(False), nothing, nothing)
