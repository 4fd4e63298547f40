"""The first count of FLOPs does not wait for torch._dynamo."""

import subprocess
import sys

import pytest

from dojo.catalog import ROOT

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
    ran = subprocess.run([sys.executable, "-c", COUNTS + then], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == says


def test_what_has_no_counter_is_left_alone():
    """A kata without torch does not import it for this."""
    code = "from dojo.seam import dynamo; dynamo.keep_out(); import sys; print('torch' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


@pytest.mark.parametrize("kata", ["03_flops", "04_backward_flops"])
def test_a_kata_that_counts_keeps_the_compiler_out(kata):
    """Both count on the CPU; a large attention is counted on meta, where torch imports the compiler itself."""
    code = f"from dojo.catalog import katas; from dojo.judging.kata_folder import imported; imported(katas()['{kata}'])"
    code += COUNTS + SEEN
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "48 False"
