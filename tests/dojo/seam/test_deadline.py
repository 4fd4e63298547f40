"""Endless loops: stopped after some CPU time, and told as wrong; what else was asked is judged."""

import os
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dojo.judging.lines import lines_of
from dojo.judging.verdict import verdict
from dojo.seam import deadline
from dojo.seam.data import Error
from dojo.seam.deadline import Endless, limited
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local
from dojo.seam.parts import Part
from tests.dojo.clone import make

SHORT = 0.1


def endless(count):
    """Loop for ever, from 3 on."""
    while count > 2:
        pass
    return count


def stubborn(count):
    """Ignore the first time that it is stopped."""
    try:
        return endless(count)
    except BaseException:
        return endless(count)


def local(**functions):
    """The seam for these functions, with a short limit."""
    module: Any = SimpleNamespace(**functions)
    return Local(Answers(Path(__file__), module), seconds=SHORT)


@pytest.mark.parametrize("function", [endless, stubborn])
def test_a_call_that_does_not_end_is_stopped_and_is_not_made_again(function):
    """The call is told with its line; later ones of that function fail at once, another one's are answered."""
    seam = local(endless=function, other=len)
    assert seam.call("endless", 2) == 2
    with pytest.raises(Endless) as stopped:
        seam.call("endless", 3)
    found = verdict(stopped.value, seam)
    assert found is not None
    assert lines_of(found, "", "cpu") == [
        ["you called", "endless(3)"],
        ["it was", "still running after 0.1 seconds of CPU"],
    ]
    assert isinstance(found.got, Error)
    assert found.got.line in (endless.__code__.co_firstlineno + 2, endless.__code__.co_firstlineno + 3)
    before = time.process_time()
    with pytest.raises(Endless):
        seam.call("endless", 4)
    assert time.process_time() - before < SHORT
    assert seam.call("other", (1, 2)) == 2


def test_to_wait_is_not_to_compute():
    """Time that others use, on a machine that is busy, is not counted."""
    with limited(SHORT):
        time.sleep(5 * SHORT)


def test_nothing_is_stopped_afterwards():
    """The timer ends with the call, and who handled its signal before does so again."""
    heard = []
    before = signal.signal(signal.SIGPROF, lambda *_: heard.append(1))
    try:
        with limited(SHORT):
            pass
        end = time.process_time() + 3 * SHORT
        while time.process_time() < end:
            pass
        assert heard == []
        signal.raise_signal(signal.SIGPROF)
        assert heard == [1]
    finally:
        signal.signal(signal.SIGPROF, before)


def looping(module):
    """A part that does not end."""
    return module.endless(3)


def test_a_part_is_stopped_as_well():
    """In a forked process, which tells so."""
    seam = local(endless=endless)
    with pytest.raises(Endless):
        seam._part("endless", ("endless",), Part(looping, (), apart=True))


def test_the_limit_is_a_setting(tmp_path):
    """In pyproject.toml; what is no number above 0 is refused with its reason."""
    path = tmp_path / "pyproject.toml"
    path.write_text("", encoding="utf-8")
    assert deadline.settings(path) == deadline.SECONDS
    path.write_text("[tool.dojo]\ncall_seconds = 3\n", encoding="utf-8")
    assert deadline.settings(path) == 3
    for value in ("0", "-1", "true", "'3'", "inf", "nan"):
        path.write_text(f"[tool.dojo]\ncall_seconds = {value}\n", encoding="utf-8")
        with pytest.raises(ValueError, match=r"call_seconds .* should be a number above 0; got"):
            deadline.settings(path)


def test_pytest_judges_the_others_and_keeps_them_after_ctrl_c(tmp_path):
    """An endless loop is wrong, what came before Ctrl-C is told, and nothing waits."""
    clone = make(tmp_path)
    with (clone.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n[tool.dojo]\ncall_seconds = 0.5\n")
    clone.solve("03_flops")
    clone.spoil("03_flops", "    return 2 * prod(_broadcast", "    while True: pass\n    return 2 * prod(_broadcast")
    waiting = tmp_path / "waiting"
    asleep = f"    import pathlib, time; pathlib.Path({str(waiting)!r}).touch(); time.sleep(1000)\n"
    clone.spoil("03_flops", "    return max(flops / peak_flops", asleep + "    return max(flops / peak_flops")
    process = subprocess.Popen(
        ["pytest", "katas/03_flops"],
        cwd=clone.root,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    while not waiting.exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert "\n  it was        still running after 0.5 seconds of CPU\n" in out
    assert "\n  matmul_flops          wrong\n  linear_flops          done\n" in out
