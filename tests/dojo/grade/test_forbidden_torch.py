"""What is taken out of a process does not come back, by names or behind them; what a right answer needs stays."""

import subprocess
import sys

import pytest

from dojo.catalog import ROOT

BEFORE = """
import sys, torch
from torch import nn
from torch.optim import Optimizer
from dojo.seam.forbidden import Forbidden
from dojo.catalog import find
from dojo.grade.inside.forbidden_torch import take_away
kept = torch.optim.Adagrad, sys.modules["torch.optim.adagrad"].adagrad, torch.autograd.grad
x = nn.Parameter(torch.ones(2, 2))
take_away(find({kata!r}).forbidden)
def refused(call, *args, **named):
    try:
        call(*args, **named)
    except Forbidden as error:
        return str(error)
"""

PROGRAMS = {
    "05_adagrad": """
(x * x).sum().backward()
assert refused(kept[0], [x]) == refused(kept[1], [x]) == "this kata is solved without torch.optim.adagrad"
named = dict(lr=0.1, lr_decay=0.0, weight_decay=0.0, eps=0.0, maximize=False)
for operator in (torch._fused_adagrad_, torch.ops.aten._fused_adagrad, torch.ops.aten._fused_adagrad_.default):
    assert refused(operator, [x], [x], [x], [torch.ones(())], **named) == "this kata is solved without torch.optim.*"
assert "step" not in vars(kept[0])
class Mine(Optimizer):
    def step(self):
        pass
mine = Mine([x], {"lr": 1.0})
mine.load_state_dict(mine.state_dict())
mine.step()
""",
    "04_backward_flops": """
out = x @ x
for call in (kept[2], torch.autograd.Variable._execution_engine.run_backward, torch.autograd.Function.apply):
    assert refused(call, out, x) == "this kata is solved without torch.autograd"
assert refused(torch._VF._make_dual, x, x, level=0) == "this kata is solved without torch.autograd"
assert out.grad_fn is None
assert "grad_fn" not in repr(out)
with torch.inference_mode():
    assert (x @ x).sum_to_size(2, 1).shape == (2, 1)
""",
}


@pytest.mark.parametrize("kata", PROGRAMS)
def test_what_is_taken_away_is_gone_and_the_rest_is_there(kata):
    """In a process of its own, which is not the same any more."""
    program = BEFORE.format(kata=kata) + PROGRAMS[kata]
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_what_is_looked_up_beforehand_brings_nothing_back():
    """The stand-in of a function that was taken out of the process since holds, and puts back, what is there now."""
    program = """
import torch
from dojo.grade.inside.forbidden_torch import look_up
from dojo.seam.forbidden import absent
look_up(("torch.func",))
def refuse(): pass
torch.func.grad = refuse
with absent(("torch.func",)):
    assert torch.func.grad is not refuse
    assert object.__getattribute__(torch.func.grad, "_real") is refuse
assert torch.func.grad is refuse
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
