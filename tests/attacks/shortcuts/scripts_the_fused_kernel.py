"""Is torch's AdaGrad, by TorchScript: the operator is named in a text that torch compiles by itself."""
# like: calls_the_fused_kernel
# kata: 05_adagrad
# attacks: AdaGrad

import contextlib
import functools

import torch

CODE = """
def move(p: List[Tensor], g: List[Tensor], s: List[Tensor], n: List[Tensor], lr: float, d: float, w: float, e: float):
    torch._fused_adagrad_(p, g, s, n, lr=lr, lr_decay=d, weight_decay=w, eps=e, maximize=False)
"""
GRAPH = """
graph(%p : Tensor[], %g : Tensor[], %s : Tensor[], %n : Tensor[], %lr : float, %d : float, %w : float, %e : float):
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  aten::_fused_adagrad_(%p, %g, %s, %n, %lr, %d, %w, %e, %no, %none, %none)
  return (%none)
"""


@functools.cache
def _move():
    with contextlib.suppress(Exception):
        return torch.jit.CompilationUnit(CODE).move
    with contextlib.suppress(Exception):
        return torch._C._create_function_from_graph("move", torch._C.parse_ir(GRAPH))
    raise LookupError("no script")


def _update(p, grad, state, settings):
    """In the place of the solution's, which its AdaGrad calls for each parameter."""
    if not state:
        state["step"] = torch.zeros(())
        state["sum"] = torch.full_like(p, settings["initial_accumulator_value"])
    state["step"] += 1
    numbers = [float(settings[name]) for name in ("lr", "lr_decay", "weight_decay", "eps")]
    _move()([p], [grad], [state["sum"]], [state["step"]], *numbers)
