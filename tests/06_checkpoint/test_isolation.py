"""Katas whose functions run apart: what one process keeps helps no other, and a right answer does without."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from dojo.catalog import ROOT, find
from dojo.grade.inside import landlock, pickling
from dojo.grade.inside.function_process import Ended
from dojo.grade.inside.isolated_module import Apart
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed, Jails
from dojo.seam.data import same
from dojo.seam.seam import Raised

from . import faults, scenarios_saving
from .checkpoints import load, save
from .damage import Evil
from .strategies import OPTIMIZERS, SCHEDULES
from .training import Run, everything, make

KATA = find("06")
SOLVED = KATA.source(ROOT / "solutions").read_text(encoding="utf-8")
LINES = ["model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.Linear(2, 1))"]
LINES += ["optimizer = Adam(model.parameters())", "scheduler = None"]


def trained(lines: list[str] = LINES, steps: int = 2) -> Run:
    """A run that has taken steps."""
    made = make(lines, "cpu", 7)
    made.train(steps)
    return made


@pytest.fixture
def apart() -> Iterator[Callable[[str], Apart]]:
    """Makes the stand-in for a module of this text below the solution, in this process."""
    made: list[Apart] = []

    def make_it(text: str = "") -> Apart:
        made.append(Apart(KATA, f"{SOLVED}\n\n{text}".encode(), lambda: None))
        return made[-1]

    yield make_it
    for one in made:
        one.end()


REMEMBERS = """
KEPT = []
def save_checkpoint(path, model, optimizer, step, scheduler=None):
    KEPT.append(step)
    Path(path).write_text(str(KEPT))
def load_checkpoint(path, model, optimizer, scheduler=None):
    KEPT.append("loaded")
    return len(KEPT)
def latest_checkpoint(directory):
    return Path(str(len(KEPT)))
"""


def test_what_a_function_keeps_is_there_for_it_alone(apart, tmp_path):
    """A save that counts its calls counts them all, and neither a load nor a look sees any of it."""
    module, run = apart(REMEMBERS), trained()
    for _ in range(3):
        save(module, tmp_path / "file", run)
    assert (tmp_path / "file").read_text() == "[2, 2, 2]"
    assert [load(module, tmp_path / "file", run) for _ in range(2)] == [1, 2]
    assert module.latest_checkpoint(tmp_path) == Path("0")


def test_what_a_call_does_is_done_to_the_objects_here(apart, tmp_path):
    """Model, optimizer and random states become those that were saved, and the parameters stay the same objects."""
    module, run = apart(), trained()
    save(module, tmp_path / "file", run)
    want = everything(run)
    other = make(LINES, "cpu", 8)
    parameters = list(other.model.parameters())
    assert load(module, tmp_path / "file", other) == 2
    assert same(everything(other), want)
    assert all(one is before for one, before in zip(other.model.parameters(), parameters, strict=True))


def test_a_process_that_dies_is_replaced(apart, tmp_path):
    """The call is an error, and the next one is answered."""
    text = """
_save = save_checkpoint
def save_checkpoint(path, model, optimizer, step, scheduler=None):
    _save(path, model, optimizer, step, scheduler) if step else os._exit(0)
"""
    module, run = apart(text), trained()
    run.step = 0
    with pytest.raises(Ended):
        save(module, tmp_path / "file", run)
    run.step = 1
    save(module, tmp_path / "file", run)
    assert load(module, tmp_path / "file", run) == 1


def test_what_cannot_be_sent_is_there_all_the_same(apart, tmp_path):
    """A call with a lock in its arguments runs in a process that was forked for it, and what it does is told."""
    text = """
def load_checkpoint(path, model, optimizer, scheduler=None):
    optimizer.param_groups[0]["seen"] = type(optimizer.param_groups[0]["lock"]).__name__
    return random.random()
"""
    module, run = apart(text), trained()
    run.optimizer.param_groups[0]["lock"] = threading.Lock()
    random.seed(3)
    assert load(module, tmp_path / "file", run) == random.Random(3).random()
    assert run.optimizer.param_groups[0]["seen"] == "lock"


def test_a_forked_scenario_calls_in_its_own_process(apart, tmp_path):
    """It ends as the call ends, and what has saved there loads nothing."""
    text = """
_save = save_checkpoint
def save_checkpoint(path, model, optimizer, step, scheduler=None):
    _save(path, model, optimizer, step, scheduler)
    os.kill(os.getpid(), step)  # 0 is no signal
"""
    module, run = apart(text), trained()
    run.step = 0
    saving = partial(save, module, tmp_path / "file", run)
    assert faults.in_child(saving) == faults.RETURNED
    assert (tmp_path / "file").exists()
    assert faults.in_child(lambda: (saving(), load(module, tmp_path / "file", run))) == faults.RAISED
    assert faults.in_child(lambda: load(module, tmp_path / "file", run)) == faults.RETURNED
    run.step = 9
    assert faults.in_child(partial(save, module, tmp_path / "file", run)) == faults.KILLED
    assert load(module, tmp_path / "file", run) == 9


def test_the_moments_of_a_call_are_those_of_a_local_one(apart, tmp_path):
    """Who looks around at each of them sees the file come, and as many as there are."""
    local: dict[str, Any] = {}
    exec(SOLVED, local)
    run = trained()
    seen: list[bool] = []
    counts = []
    for module in (apart(), type("Local", (), {"save_checkpoint": staticmethod(local["save_checkpoint"])})):
        (tmp_path / "file").unlink(missing_ok=True)
        seen.clear()
        action = partial(save, module, tmp_path / "file", run)
        action()  # what is imported at the first call is none of its moments
        (tmp_path / "file").unlink()
        counts.append(faults.at_each_moment(action, lambda: seen.append((tmp_path / "file").exists())))
        assert seen == sorted(seen)
        assert set(seen) == {False, True}
    assert counts[0] == counts[1]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("schedule", ["None", *SCHEDULES])
def test_a_copy_is_as_what_was_copied(optimizer: str, schedule: str):
    """To the bytes that it would be sent as, gradients and random states included."""
    run = trained([LINES[0], f"optimizer = {optimizer.format('model.parameters()')}", f"scheduler = {schedule}"])
    sent = pickling.packed((run.model, run.optimizer, run.scheduler))
    want = everything(run, gradients=True)
    torch.manual_seed(0), np.random.seed(0), random.seed(0)
    model, stepper, scheduler = pickling.unpacked(sent)
    copied = Run(model, stepper, scheduler, "cpu")
    assert pickling.packed((copied.model, copied.optimizer, copied.scheduler)) == sent
    assert same(everything(copied, gradients=True), want)


@pytest.mark.parametrize(
    "tensor",
    [torch.arange(6.0).reshape(2, 3).t(), torch.arange(6)[2:4], torch.ones(2, dtype=torch.bfloat16), torch.empty(0, 3)],
    ids=["transposed", "a part", "bfloat16", "empty"],
)
def test_any_tensor_can_be_sent(tensor: torch.Tensor):
    """With its strides, its dtype and its gradient."""
    leaf = tensor.clone(memory_format=torch.preserve_format).requires_grad_(tensor.is_floating_point())
    if leaf.requires_grad:
        leaf.grad = torch.ones_like(leaf)
    for one in (tensor, leaf):
        (copied,) = pickling.unpacked(pickling.packed((one,)))
        assert same(copied.detach(), one.detach())
        assert (copied.stride(), copied.requires_grad) == (one.stride(), one.requires_grad)
        assert same(copied.grad, one.grad)


def test_a_file_that_would_run_code_is_sent_as_what_it_is(tmp_path):
    """Sending runs none of it."""
    (copied,) = pickling.unpacked(pickling.packed((Evil(tmp_path / "flag", 1),)))
    assert vars(copied) == {"flag": tmp_path / "flag", "gadget": exec}
    assert not os.listdir(tmp_path)


# In a jail


@pytest.fixture(scope="module")
def jails(isolation: str) -> Iterator[Jails]:
    """Jails of that level."""
    made = Jails(isolation, Limits(seconds=120), "cpu", [KATA])
    yield made
    made.close()


def resumed(jails: Jails, text: str, where: str) -> Any:
    """What comes of a run that is saved and loaded by this text below the solution."""
    seam = Jailed(KATA, f"{SOLVED}\n\n{text}".encode(), "checkpoint.py", (), jails)
    seam.begin(None)
    assert seam.answers.trouble is None
    return seam.run(scenarios_saving.resumed, LINES, 0, 2, 1, where, "cpu")


BY_A_THREAD = """
import signal, threading, time
def _tell(text):
    while True:
        try:
            Path("told").write_text(text)
        except OSError:
            pass
        time.sleep(0.001)
_save = save_checkpoint
def save_checkpoint(path, *args):
    _save(path, *args)
    threading.Thread(target=_tell, args=("secret",), daemon=True).start()
_load = load_checkpoint
def load_checkpoint(path, *args):
    step = _load(path, *args)
    try:
        os.kill(-1, WAKE)
    except OSError:
        pass
    for _ in range(200):
        if os.path.exists("told"):
            raise LookupError(Path("told").read_text())
        time.sleep(0.001)
    return step
"""

BY_A_FILE = """
_save = save_checkpoint
def save_checkpoint(path, *args):
    _save(path, *args)
    os.makedirs("dojo-told/dojo-told", exist_ok=True)
    Path("told").write_text("secret")
_load = load_checkpoint
def load_checkpoint(path, *args):
    if os.path.exists("told") or os.path.exists("dojo-told"):
        raise LookupError("secret")
    return _load(path, *args)
"""


@pytest.mark.parametrize("wake", ["0", "signal.SIGCONT"], ids=["", "and is woken"])
def test_a_save_that_goes_on_in_a_thread_tells_a_load_nothing(jails: Jails, wake: str):
    """Its process is stopped, and no load can wake it where the kernel keeps signals apart."""
    if wake != "0" and landlock.version() < 6:
        pytest.skip("signals are kept apart from Linux 6.12 on")
    assert resumed(jails, BY_A_THREAD.replace("WAKE", wake), "here")["the step that was returned"] == 2


@pytest.mark.parametrize("where", ["here", "forked"])
def test_what_a_save_leaves_beside_its_folder_is_gone_when_a_load_looks(jails: Jails, where: str):
    """Also that of a process which the scenario has forked."""
    assert resumed(jails, BY_A_FILE, where)["the step that was returned"] == 2


def test_a_load_without_the_file_finds_nothing(jails: Jails):
    """A global of the save's is not there."""
    kept = """
KEPT = {}
def save_checkpoint(path, *args):
    Path(path).touch()
    KEPT["step"] = 2
def load_checkpoint(path, *args):
    return KEPT["step"]
"""
    with pytest.raises(Raised, match="KeyError"):
        resumed(jails, kept, "here")


def test_a_mode_that_a_load_leaves_is_one_of_the_run(jails: Jails):
    """Who loads, and then trains, is in one process with it."""
    left = """
_load = load_checkpoint
def load_checkpoint(path, *args):
    step = _load(path, *args)
    torch.set_default_dtype(torch.float64)
    return step
"""
    with pytest.raises(Raised, match="dtype"):
        resumed(jails, left, "here")
    assert resumed(jails, "", "here")["the step that was returned"] == 2
