"""`dojo watch` in a pseudo-terminal, and without one, on a copy of the clone."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from dojo.watch.screen import dimmed
from tests.dojo.clone import Clone, make

FLOPS = "03_flops"
RIGHT = "    return 2 * prod(_broadcast(tuple(a_batch)"
WRONG = "    return prod(_broadcast(tuple(a_batch)"
COMMAND = [sys.executable, "-c", "from dojo.cli import main; main()", "watch"]
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # torch's threads; pexpect forks
PATIENCE = 120
"""Seconds: these machines are shared and slow."""


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A copy of this clone that a test may spoil."""
    return make(tmp_path)


class Screen:
    """What a learner sees and types."""

    def __init__(self, clone: Clone, *arguments: str, width: int = 80):
        self.child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            cwd=clone.root,
            env={**environment(clone), "TERM": "xterm"},
            dimensions=(40, width),
            encoding="utf-8",
            timeout=PATIENCE,
        )

    def shows(self, what: str) -> str:
        """Wait until this pattern is on the screen, and return what stands there above it."""
        self.child.expect(what)
        before: str = self.child.before
        return before.rpartition("\x1b[H")[2].replace("\r\n", "\n")

    def types(self, keys: str) -> None:
        """Type some keys."""
        self.child.send(keys)

    def ends(self) -> int:
        """The exit status, once it is over."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        status: int = self.child.exitstatus
        return status

    def modes(self) -> list[object]:
        """How the terminal treats what is typed."""
        return list(termios.tcgetattr(self.child.fileno()))


def environment(clone: Clone) -> dict[str, str]:
    """The variables of a process that runs the copy's own dojo, without colour."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return {**kept, "PYTHONPATH": str(clone.root), "NO_COLOR": "1"}


@contextlib.contextmanager
def watching(clone: Clone, *arguments: str, width: int = 80) -> Iterator[Screen]:
    """Inside, `dojo watch` runs; afterwards it is over in any case."""
    screen = Screen(clone, *arguments, width=width)
    try:
        yield screen
    finally:
        screen.child.close(force=True)


def test_a_session_from_the_stub_to_the_next_function(clone):
    """To do, wrong with its report, hints, done; it moves on when n is typed, and only then."""
    with watching(clone, "3") as screen:
        assert "importing torch" in screen.shows("n next · h hint · a all · q quit")
        before = screen.shows("run 1 · to do")
        assert before.startswith(f"{FLOPS} · matmul_flops\n  to do         FLOPs of a matrix product\n")
        assert "katas/03_flops/flops.py:13" in before

        clone.solve(FLOPS)
        clone.spoil(FLOPS, RIGHT, WRONG)
        wrong = screen.shows("run 2 · wrong")
        assert "\n  it returned   24\n  torch counts  48\n" in wrong
        assert "\n  looks like    A multiply-add is one FLOP\n" in wrong

        screen.types("h")
        assert "\n  looks like    A multiply-add is one FLOP\n" in screen.shows("hint 1 of 3")
        screen.types("h")
        assert "hint 1 of 3" in screen.shows("hint 2 of 3")

        clone.spoil(FLOPS, "    return 2 * prod(x_shape) * out_features", "    raise NotImplementedError")
        assert "hint 2 of 3" in screen.shows("run 3 · wrong"), "hints stay while the function does"
        clone.spoil(FLOPS, WRONG, RIGHT)
        done = screen.shows("run 4 · done")
        assert done.startswith(f"{FLOPS} · matmul_flops\n  done          FLOPs of a matrix product\n")
        assert "For the next function, press n." in done
        assert "hint" not in done

        screen.types("n")
        following = screen.shows("run 5 · to do")
        assert following.startswith(f"{FLOPS} · linear_flops\n")

        screen.types("a")
        table = screen.shows("run 6 · 8 of 9 functions done")
        assert "\n  linear_flops          to do\n  elementwise_flops     done\n" in table
        clone.spoil(FLOPS, "    raise NotImplementedError", "    return 2 * prod(x_shape) * out_features")
        assert screen.shows("run 7 · done").startswith(f"{FLOPS} · linear_flops\n")

        screen.types("n")
        assert "All 9 functions are done. Next: dojo watch 04" in screen.shows("run 8 · done")
        screen.types("q")
        assert screen.ends() == 0


def test_the_report_is_that_of_pytest(clone):
    """The same block, word for word; of examples that are equally small another one may come."""
    clone.solve(FLOPS)
    clone.spoil(FLOPS, RIGHT, WRONG)
    title = f"{FLOPS} · matmul_flops"
    called, *rest = clone.pytest(f"katas/{FLOPS}", "-k", "matmul").block_of(title).split("\n")
    with watching(clone, "flops") as screen:
        first, second, *others = screen.shows("run 1 · wrong").rstrip().split("\n")
    assert first == title
    assert second.startswith("  you called    matmul_flops((1") == called.startswith("  you called    matmul_flops((1")
    assert others == rest


def test_a_save_in_the_middle_of_a_run_starts_over(clone):
    """Code that never ends is killed by the next save, with the processes that it has started."""
    started = clone.root / "started"
    endless = f"""
import pathlib, subprocess
def matmul_flops(a_shape, b_shape):
    pathlib.Path({str(started)!r}).write_text(str(subprocess.Popen(["sleep", "1000"]).pid))
    print("it has begun", flush=True)
    while True:
        pass
"""
    with watching(clone, "3") as screen:
        screen.shows("run 1 · to do")
        clone.answers(FLOPS).write_text(endless, encoding="utf-8")
        screen.shows("run 2 …")
        wait_for(started)
        screen.shows(r"property 1 of \d+ … [1-9] s")
        clone.solve(FLOPS)
        assert "it has begun" not in screen.shows("run 3 · done"), "what it prints stays off the screen"
        assert not alive(int(started.read_text()))

        started.unlink()
        clone.answers(FLOPS).write_text(endless, encoding="utf-8")
        screen.shows("run 4 …")
        wait_for(started)
        screen.types("q")
        assert screen.ends() == 0
        assert not alive(int(started.read_text()))


def wait_for(path: Path) -> None:
    """Wait until a file has been written."""
    subprocess.run(["sh", "-c", 'until [ -s "$0" ]; do sleep 0.05; done', str(path)], check=True, timeout=PATIENCE)


def alive(pid: int) -> bool:
    """Whether a process goes on; a killed one whose parent is gone may wait to be buried."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def leave(screen: Screen, keys: str, modes: list[object]) -> None:
    """End it by these keys: while it ran they were read one by one; afterwards the terminal is as it was."""
    assert screen.modes() != modes
    screen.types(keys)
    screen.child.expect(pexpect.EOF)
    assert screen.modes() == modes
    screen.child.close()
    assert screen.child.exitstatus == 0


def test_files_that_do_not_parse_crash_or_are_gone(clone):
    """One line each, whichever way an editor saves; the next right save is done, and Ctrl-C ends it."""
    path, title = clone.answers(FLOPS), f"{FLOPS} · matmul_flops\n"
    with watching(clone, "3") as screen:
        modes = screen.modes()
        screen.shows("run 1 · to do")
        path.write_text("def matmul_flops(:\n", encoding="utf-8")
        assert "cannot import katas/03_flops/flops.py:1  SyntaxError" in screen.shows("run 2 · not read")

        path.write_text("import os\ndef matmul_flops(a, b): os._exit(3)\n", encoding="utf-8")
        assert screen.shows("run 3 · no verdict: the process that judged it has ended: exit status").startswith(title)

        path.unlink()
        assert "flops.py  is missing" in screen.shows("run 4 · not read")

        beside = path.with_name("flops.py~")
        beside.write_text(clone.answers(FLOPS, "solutions").read_text(encoding="utf-8"), encoding="utf-8")
        beside.rename(path)
        screen.shows("run 5 · done")

        path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        clone.spoil(FLOPS, RIGHT, WRONG)
        screen.shows("run 6 · wrong")  # to save what was saved already is no run
        leave(screen, "\x03", modes)


def test_an_old_report_is_dimmed():
    """Where it has colours; without any it stays as it is."""
    assert dimmed("\x1b[1mtitle\x1b[0m\n  wrong") == "\x1b[2mtitle\x1b[0m\n\x1b[2m  wrong\x1b[0m"
    assert dimmed("title\n  wrong") == "title\n  wrong"


def test_a_narrow_terminal_and_one_that_is_resized(clone):
    """What is shown is wrapped at the width, and drawn anew where that changes; q ends it."""
    clone.solve(FLOPS)
    clone.spoil(FLOPS, RIGHT, WRONG)
    with watching(clone, "3", width=40) as screen:
        modes = screen.modes()
        told = screen.shows("run 1 · wrong")
        assert "looks like    A multiply-add is one" in told
        assert max(map(len, told.split("\n"))) <= 40
        screen.types("h")
        assert max(map(len, screen.shows("hint 1 of 3.*a all").split("\n"))) <= 40
        screen.child.setwinsize(40, 80)
        screen.shows("looks like    A multiply-add is one FLOP")
        screen.child.setwinsize(40, 40)
        screen.shows("looks like    A multiply-add is one *\r\n *FLOP")
        clone.spoil(FLOPS, WRONG, RIGHT)
        screen.shows("run 2 · done")
        leave(screen, "q", modes)


def test_without_a_terminal_each_verdict_is_a_few_plain_lines(clone):
    """No keys, no control characters; it goes on until Ctrl-C, whatever stdin holds."""
    process = subprocess.Popen(
        [*COMMAND, "3"],
        cwd=clone.root,
        env={**environment(clone), "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    with process:
        told = until("run 1 · to do", process.stdout)
        assert told[0] == f"watching {clone.root / 'katas'}: saved files are judged; Ctrl-C quits"
        assert told[1:3] == ["", f"{FLOPS} · matmul_flops"]
        clone.solve(FLOPS)
        told = until("run 2 · done", process.stdout)
        assert told[:-1] == [
            "",
            f"{FLOPS} · matmul_flops",
            "  done          FLOPs of a matrix product",
            "For the next function, press Ctrl-C and run the same command again.",
        ]
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
    assert process.returncode == 0


def until(marker: str, lines: Iterator[str]) -> list[str]:
    """The lines up to the one that begins with the marker."""
    found = []
    for line in lines:
        found.append(line.rstrip("\n"))
        if line.startswith(marker):
            return found
    raise AssertionError(f"{marker!r} never came, but {found}")


def test_a_kata_that_is_none_is_one_line(clone):
    """What was typed, what there is, and status 2."""
    done = subprocess.run([*COMMAND, "flop"], cwd=clone.root, env=environment(clone), capture_output=True, text=True)
    assert done.returncode == 2
    assert re.fullmatch(r"dojo: unknown kata 'flop'.*\n", done.stderr)
    assert done.stdout == ""
