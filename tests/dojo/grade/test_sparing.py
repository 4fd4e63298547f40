"""torch's compiler is not imported in a jail, and is there for whoever needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = "import sys, torch\nfrom dojo.grade.inside.sparing import spare_compiler\nspare_compiler()\n"
STEPS = """
x = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.AdamW([x], lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(opt, 1)
x.grad = torch.ones(2)
opt.step(), schedule.step(), torch.manual_seed(0)
"""


def said(code, begin=BEGIN):
    """What a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", begin + code], capture_output=True, text=True, check=True).stdout


def test_optimizers_step_without_it():
    """And move parameters as they do with it."""
    tell = "print(x.tolist(), opt.param_groups[0]['lr'], 'torch._dynamo.utils' in sys.modules)"
    spared, real = said(STEPS + tell).split(), said(STEPS + tell, "import sys, torch\n").split()
    assert spared[:-1] == real[:-1]
    assert (spared[-1], real[-1]) == ("False", "True")


@pytest.mark.parametrize(
    "code",
    [
        "import torch._dynamo.config as c; print(c.verbose)",
        "from torch._dynamo import reset; reset(); print(False)",
        "import torch._dynamo; print(torch._dynamo.config.verbose)",
        "print(torch.compile(lambda x: x > 1, backend='eager')(torch.zeros(())).item())",
    ],
)
def test_whoever_needs_it_has_it(code):
    """In whatever way it is asked for, also after a step without it."""
    assert said(code) == said(STEPS + code) == "False\n"
