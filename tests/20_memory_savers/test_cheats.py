"""State that is hidden is found wherever it is, and only what is in memory counts."""
# mypy: ignore-errors

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from dojo.catalog import find
from dojo.judging import gates
from dojo.judging.diagnose import Variant, solution

from . import misconceptions_files, scenarios

KATA = find("20")
solved = solution(KATA.slug)
STATES = {}


def _on_a_parameter(p, m):
    p.state = m


def _in_a_global(p, m):
    STATES[id(p)] = m


def _in_torch(p, m):
    torch.hidden = [*getattr(torch, "hidden", [])[-3:], m]


def _in_a_hook(p, m):
    p.register_hook(lambda gradient, kept=m: None)


def _in_a_frame(p, m):
    sys.modules[__name__].generator = (lambda kept: (yield kept))(m)
    next(sys.modules[__name__].generator)


HIDES = {
    "on a parameter": _on_a_parameter,
    "in a global": _in_a_global,
    "in torch": _in_torch,
    "in a hook": _in_a_hook,
    "in a generator": _in_a_frame,
    "in 16 bits": lambda p, m: _in_a_global(p, m.half()),
    "as numpy's": lambda p, m: _in_a_global(p, m.numpy().astype(np.float16)),
    "as a list": lambda p, m: _in_a_global(p, m.tolist()),
    "as bytes": lambda p, m: _in_a_global(p, m.half().numpy().tobytes()),
}


@pytest.mark.parametrize("hide", HIDES.values(), ids=HIDES)
@pytest.mark.parametrize("name", ["SGD8bit", "FactoredAdaGrad"])
def test_a_state_of_all_elements_is_found(name, hide):
    """In large parameters: as tensors, as numpy's, as Python's own."""

    class Hiding(getattr(solved, name)):
        def step(self):
            super().step()
            for p in self.params:
                if p.numel() > 1000:
                    hide(p, p.grad.clone() if p.grad is not None else p.detach().clone())

    test = {"SGD8bit": "test_sgd8bit_keeps_a_byte_an_element"}.get(name, "test_factored_adagrad_keeps_rows_and_columns")
    asked = [one for one in gates.properties(KATA, name) if one.__name__ == test]
    assert gates.rejects(asked[0], KATA, Variant(about=name, answer=Hiding), seed=1, examples=30)
    STATES.clear()
    torch.__dict__.pop("hidden", None)


def test_what_an_answer_leaves_open_is_counted_and_then_closed():
    """A process has few descriptors, and the answers that come after need some."""
    lines = [
        "x = torch.ones(2, requires_grad=True)",
        "with offload_to_disk(folder):",
        "    y = x.sin()",
        "files = [file.stat().st_ino for file in os.scandir(folder)]",
        "del y",
    ]
    module = SimpleNamespace(offload_to_disk=misconceptions_files.leaves_files_open)
    before = scenarios._descriptors().keys()
    seen = scenarios.program(module, "offload_to_disk", lines, ["len(files)", "open_files(files)"], "cpu")
    assert seen == {"len(files)": 1, "open_files(files)": 1}
    assert scenarios._descriptors().keys() == before
