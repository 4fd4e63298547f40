"""Is torch's AdaGrad, by TorchScript: the operator is named in a text that torch compiles by itself."""
# kata: 05_adagrad
# attacks: AdaGrad

import contextlib

import torch
from torch.optim import Optimizer

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


def _moves():
    with contextlib.suppress(Exception):
        yield torch.jit.CompilationUnit(CODE).move
    with contextlib.suppress(Exception):
        yield torch._C._create_function_from_graph("move", torch._C.parse_ir(GRAPH))


class AdaGrad(Optimizer):
    """By torch's kernel."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if min(lr, lr_decay, weight_decay, initial_accumulator_value, eps) < 0:
            raise ValueError("a setting must not be negative")
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        super().__init__(params, settings | {"initial_accumulator_value": initial_accumulator_value})
        self.move = next(_moves())

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                named = [float(group[name]) for name in ("lr", "lr_decay", "weight_decay", "eps")]
                for p in group["params"]:
                    if p.grad is not None:
                        state = self.state[p]
                        if not state:
                            state["step"] = torch.zeros(())
                            state["sum"] = torch.full_like(p, group["initial_accumulator_value"])
                        state["step"] += 1
                        self.move([p], [p.grad], [state["sum"]], [state["step"]], *named)
        return loss
