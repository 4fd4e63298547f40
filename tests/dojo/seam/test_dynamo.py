"""The first count of FLOPs, and the first optimizer, do not wait for torch._dynamo."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from dojo.catalog import ROOT
from dojo.seam import dynamo

COUNTS = """
import sys
import torch
from torch.utils.flop_counter import FlopCounterMode
from dojo.seam import dynamo

def product(x):
    return (x @ x.T).relu() @ x

def counted(function):
    with FlopCounterMode(display=False) as counter:
        function(torch.ones(2, 3))
    return counter.get_total_flops()
"""


def _printed(code):
    """Return what a fresh process prints that runs the code."""
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout


KEPT_OUT = "dynamo.keep_out(); "
SEEN = "print(counted(product), 'torch._dynamo' in sys.modules)"


@pytest.mark.parametrize(
    ("then", "says"),
    [
        (SEEN, "48 True"),
        (KEPT_OUT + SEEN, "48 False"),
        (KEPT_OUT + "print(counted(torch.compile(product, backend='eager')))", "48"),
    ],
    ids=["torch by itself", "kept out", "compiled after it"],
)
def test_flops_are_counted_without_the_compiler(then, says):
    """torch's own count imports the compiler; kept out, it counts the same, also what is compiled later."""
    assert _printed(COUNTS + then).strip() == says


STEPS = """
import sys
import torch
from dojo.seam import dynamo

def trained(name, **settings):
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 2)
    optimizer = getattr(torch.optim, name)(model.parameters(), **settings)
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.ones(4, 3)).square().sum().backward()
        optimizer.step()
    optimizer.load_state_dict(optimizer.state_dict())
    return [p.requires_grad for p in model.parameters()], model.weight.detach().double().sum().item()

def through_a_step(differentiable):
    weight = torch.ones(2, requires_grad=True)
    copy = weight.clone() if differentiable else weight
    copy.grad = torch.full((2,), 0.25)
    torch.optim.SGD([copy], lr=0.5, differentiable=differentiable).step()
    return type(copy.grad_fn).__name__, torch.is_grad_enabled()

OPTIMIZERS = ["SGD", "Adagrad", "Adam", "AdamW", "RMSprop", "Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop"]

def told():
    on_meta = torch.ones(2, device="meta").sqrt().mul_(2).softmax(-1)
    return [trained(name, lr=0.01) for name in OPTIMIZERS], through_a_step(True), through_a_step(False), on_meta.shape
"""


def test_optimizers_and_operations_on_meta_run_without_the_compiler():
    """torch's optimizers, and some operations on meta, import the compiler; kept out, they do the same without it.

    They can be compiled later.
    """
    seen = "print(*told(), 'torch._dynamo' in sys.modules)\n"
    compiled = "torch.compile(torch.optim.SGD([torch.ones(2, requires_grad=True)]).step, backend='eager')()"
    *by_itself, imported = _printed(STEPS + seen).split()
    *kept_out, imports = _printed(STEPS + KEPT_OUT + seen + compiled).split()
    assert (imported, imports) == ("True", "False")
    assert kept_out == by_itself


def test_what_has_no_counter_is_left_alone():
    """A kata without torch does not import it for this."""
    code = "from dojo.seam import dynamo; dynamo.keep_out(); import sys; print('torch' in sys.modules)"
    assert _printed(code).strip() == "False"


def test_a_wrapper_that_wraps_nothing_yet_is_left_alone(monkeypatch):
    """Its closure is empty until the name that it uses has a value."""

    def wrapper():
        return wrapped

    monkeypatch.setattr(dynamo, "ON_META", ("a_new_module",))
    monkeypatch.setitem(sys.modules, "a_new_module", SimpleNamespace(wrapper=wrapper))
    dynamo.keep_out()
    wrapped = None
    assert wrapper() is wrapped


@pytest.mark.parametrize("kata", ["03_flops", "04_backward_flops"])
def test_a_kata_that_counts_keeps_the_compiler_out(kata):
    """What a kata imports counts, and runs on meta, without the compiler."""
    code = f"from dojo.catalog import katas; from dojo.judging.kata_folder import imported; imported(katas()['{kata}'])"
    code += COUNTS + SEEN
    assert _printed(code).strip() == "48 False"
