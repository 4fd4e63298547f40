"""CUDA, whose kernels fail late and can end it for the process. On the CPU, a second device stands for it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from dojo.catalog import find
from dojo.judging.diagnose import solution
from dojo.judging.findings import Finding, is_spared
from dojo.judging.outcomes import Outcome
from dojo.judging.profiles import quick
from dojo.judging.property import properties
from dojo.judging.run import judged
from dojo.judging.telling import choose
from dojo.judging.verdict import ENDS_CUDA, run
from dojo.seam import cuda
from dojo.seam.cuda import DeviceLost
from dojo.seam.data import Error
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local
from tests.dojo.clone import Clone, make

MEMORY = "01_memory"
RIGHT = "    return x.numel() * x.element_size()"
PLUGIN = ("-p", "tests.dojo.seam.stand_in_gpu")


@pytest.fixture
def gpu(monkeypatch):
    """A device that works until `fail` is set."""
    device = SimpleNamespace(fail=False)

    def synchronize():
        if device.fail:
            raise torch.AcceleratorError("CUDA error: device-side assert triggered\nCompile with …")

    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "synchronize", synchronize)
    return device


def local(**functions):
    """The seam for these functions in place of the solution's."""
    module: Any = SimpleNamespace(**vars(solution(MEMORY)) | functions)
    return Local(Answers(Path(__file__), module))


def test_a_kernel_that_fails_after_its_call_returned_fails_the_call(gpu):
    """Or the next thing that the judge does with CUDA would fail."""

    def late(numel, bits):
        gpu.fail = True
        return 0

    seam = local(packed_bytes=late)
    with pytest.raises(DeviceLost) as lost:
        seam.call("packed_bytes", 3, 4)
    assert lost.value.call.outcome.name == "AcceleratorError"
    assert lost.value.call.outcome.message == "CUDA error: device-side assert triggered"


def test_what_a_lost_device_raises_is_told_by_its_cause_and_line(gpu):
    """cuBLAS says only that its execution failed."""

    def early(numel, bits):
        gpu.fail = True
        raise RuntimeError("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED")

    with pytest.raises(DeviceLost) as lost:
        local(packed_bytes=early).call("packed_bytes", 3, 4)
    error = lost.value.call.outcome
    assert (error.name, error.line) == ("AcceleratorError", early.__code__.co_firstlineno + 2)


def test_other_errors_stay_what_they_are(gpu):
    """A device that works has no part in them."""
    error = ValueError("no")
    assert cuda.reason(error) is error
    gpu.fail = True
    assert type(cuda.reason(error)) is torch.AcceleratorError


def test_the_first_example_that_ends_it_is_the_verdict_and_nothing_runs_after(gpu):
    """Each smaller example would fail as well, whatever it holds."""

    def ends(numel, bits):
        if numel > 3:
            gpu.fail = True
        return solution(MEMORY).packed_bytes(numel, bits)

    seam = local(packed_bytes=ends)
    tests = [one.test for one in properties(find("01"), ["cpu"], "packed_bytes")]
    verdict = run(tests[0], seam, device="cpu", seed=0, profile=quick(50))
    assert (verdict.outcome, verdict.function, verdict.note) == (Outcome.WRONG, "packed_bytes", ENDS_CUDA)
    assert isinstance(verdict.got, Error)
    assert verdict.call is not None
    assert verdict.call.args[0] not in range(4)
    later = run(tests[1], seam, device="cpu", seed=0, profile=quick(50))
    assert (later.outcome, later.function, later.note) == (
        Outcome.NOT_RUN,
        "",
        "an earlier call ended CUDA: try --device cpu",
    )


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A copy of this clone that a test may spoil."""
    return make(tmp_path)


def test_pytest_asks_nothing_after_an_answer_has_ended_the_device(clone: Clone):
    """What held before counts; of the others it says why they were not run."""
    clone.solve(MEMORY)
    clone.spoil(MEMORY, RIGHT, f"    if torch.on_gpu:\n        torch.fail()\n{RIGHT}")
    ran = clone.pytest(*PLUGIN, f"katas/{MEMORY}", "-p", "no:cacheprovider")
    assert ran.status == 1
    block = ran.block_of(f"{MEMORY} · get_memory_usage")
    assert "it raised     AcceleratorError: CUDA error: device-side assert triggered" in block
    assert ran.line_of("get_memory_usage") == "wrong"
    assert ran.line_of("get_model_memory") == "not run  an earlier call ended CUDA: try --device cpu"
    assert "done" in clone.pytest(*PLUGIN, f"katas/{MEMORY}", "--device", "cpu").line_of("get_memory_usage")


def test_what_is_wrong_on_the_cpu_is_not_asked_on_the_device(clone: Clone):
    """There, the same mistake could end it."""
    clone.solve(MEMORY)
    clone.spoil(MEMORY, RIGHT, "    if torch.on_gpu:\n        torch.fail()\n    return x.numel() * 3")
    ran = clone.pytest(*PLUGIN, f"katas/{MEMORY}", "-p", "no:cacheprovider")
    assert ran.line_of("get_memory_usage") == "wrong"
    assert ran.line_of("get_model_memory") == "done"
    assert ", 2 skipped" in ran.out


def test_a_background_run_spares_the_same():
    """`dojo watch` runs the properties without pytest."""
    kata = find("01")
    seam = local(get_memory_usage=lambda x: x.numel() * 3)
    asked = []

    def ask(property):
        asked.append((property.name, property.device))
        return run(property.test, seam, device=property.device, seed=0, profile=quick(20))

    found = list(judged(kata, "get_memory_usage", seam, ask, lambda: "", tree="katas", devices=["cpu", "cpu:0"]))
    assert {device for _, device in asked} == {"", "cpu"}
    assert {finding.outcome for finding in found} == {Outcome.WRONG}
    assert not is_spared(properties(kata, ["cpu:0"], "get_storage_usage")[0], found)


@pytest.mark.parametrize("on_cpu", [True, False])
def test_the_evidence_for_a_failure_there_comes_from_the_cpu(on_cpu):
    """Beliefs are tried on the same calls, and one of them could end CUDA. What is right on the CPU has no belief."""
    wrong = True
    seam = local(get_memory_usage=lambda x: 4 * x.numel() if wrong else x.numel() * x.element_size())
    property = properties(find("01"), ["cpu:0"], "get_memory_usage")[0]
    verdict = run(property.test, seam, device="cpu:0", seed=0, profile=quick(20))
    assert verdict.outcome == Outcome.WRONG
    wrong = on_cpu
    assert choose(property.test, seam, "cpu:0", verdict) == (verdict, False)
    assert bool(seam.calls) == on_cpu
    assert not any("cpu:0" in str(call.args) for call in seam.calls)
    finding = Finding.of(property, seam, verdict, tree="katas")
    assert (["on", "cpu:0"] in finding.lines, bool(finding.fits)) == (True, on_cpu)
    assert finding.is_explained_by("Every element takes 4 bytes", {"Every element takes 4 bytes"}) == on_cpu


def test_what_holds_there_is_no_evidence():
    """A belief would be tried on its calls, too."""
    seam = local()
    for property in properties(find("01"), ["cpu", "cpu:0"], "get_memory_usage")[:2]:
        verdict = run(property.test, seam, device=property.device, seed=0, profile=quick(20))
        finding = Finding.of(property, seam, verdict, tree="katas")
        assert (finding.outcome, finding.unread is None) == (Outcome.HELD, property.device == "cpu:0")
