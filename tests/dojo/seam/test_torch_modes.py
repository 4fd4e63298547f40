"""What a learner's file tells torch for the whole process is nobody else's matter."""

import subprocess
import sys

import torch

from dojo.catalog import ROOT, find
from dojo.grade.grading import grade
from dojo.seam import torch_modes
from tests.dojo.clone import make
from tests.dojo.grade.handed_in import handed_in, solution

SETTING = "; ".join(
    [
        "torch.set_grad_enabled(False)",
        "torch.set_default_dtype(torch.float64)",
        "torch.set_default_device('meta')",
        "torch.use_deterministic_algorithms(True, warn_only=True)",
        "torch.set_flush_denormal(True)",
    ]
)
CHECK = "torch.autograd.set_detect_anomaly(True, check_nan=False)"
"""Which 04 forbids."""
SLUG = "04_backward_flops"


def set_for_itself() -> str:
    """The solution of 04, by somebody who wants no gradients, and more digits."""
    return solution(find(SLUG)).replace("import torch\n", f"import torch\n{SETTING}\n")


def test_what_is_set_at_the_top_of_a_file_is_set_for_nobody_else(tmp_path):
    """Locally the judge is in the same process: what it needs gradients for goes on as before."""
    clone = make(tmp_path)
    clone.answers(SLUG).write_text(set_for_itself(), encoding="utf-8")
    ran = clone.pytest(f"katas/{SLUG}")
    assert ran.status == 0, ran.out


def test_the_jail_says_the_same(isolation: str):
    """There it is another process."""
    kata = find(SLUG)
    given = grade(handed_in(kata, set_for_itself()), katas=[kata], seed="secret", level=isolation)
    assert given.score == given.points


def test_what_a_call_sets_is_set_until_it_ends():
    """Within it, it counts; then it is what it was, also where an error ends it."""
    before, seen = torch_modes.now(), []
    for error in (None, ValueError):
        with torch.no_grad():
            inside = torch_modes.now()
            try:
                with torch_modes.kept():
                    exec(f"{SETTING}; {CHECK}", {"torch": torch})
                    seen.append(torch_modes.now())
                    if error:
                        raise error
            except ValueError:
                pass
            assert torch_modes.now() == inside != before
    assert seen == [(False, torch.float64, "meta", True, True, True, False, True)] * 2
    assert torch_modes.now() == before


def test_a_file_that_is_the_first_to_import_torch_leaves_it_as_it_begins():
    """As in a process that has no torch yet."""
    code = f"""
import sys
from dojo.seam import torch_modes
with torch_modes.kept():
    assert "torch" not in sys.modules
    import torch
    beginning = torch_modes.now()
    {SETTING}; {CHECK}
    assert torch_modes.now() != beginning
print(torch_modes.now() == beginning, torch.ones(1).device)
"""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.split() == ["True", "cpu"], ran.stderr
