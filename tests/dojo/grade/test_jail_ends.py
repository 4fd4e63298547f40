"""However the code in a jail behaves, and however the judge ends: nothing is left of a jail."""

import json
import os
import select
import subprocess
import sys

import pytest

from dojo.catalog import ROOT
from dojo.grade.jail import scratch, uids
from tests.dojo.grade.jails import EVERY, JAILED, alive, jail, tell, until

STAYING = {
    "ignores signals": """
for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
""",
    "is a daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.pause()
    os._exit(0)
""",
    "forks without end": """
if os.fork() == 0:
    while True:
        try:
            os.fork()
        except OSError:
            pass
""",
    "forks in a chain": """
if os.fork() == 0:
    while True:
        try:
            if os.fork():
                os._exit(0)
        except OSError:
            pass
""",
}
"""What code may do to outlive its jail."""


@pytest.mark.parametrize("level", JAILED)
@pytest.mark.parametrize("how", STAYING)
def test_kill_leaves_no_process(level, how):
    """Whatever it does to stay."""
    told = jail(level)
    assert tell(told, f"import os, signal\n{STAYING[how]}\ngot = 1") == 1
    if how == "forks without end":
        until(lambda: told.usage().processes > 10)
    process, uid = told._process.pid, told._uid
    told.kill()
    told.kill()
    assert not alive(process)
    assert uid == 0 or not uids.processes_of(uid)


@pytest.mark.parametrize("level", EVERY)
def test_a_killed_judge_leaves_nothing(level, tmp_path):
    """No process and no folder, a moment after kill -9."""
    code = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from tests.dojo.grade.jails import jail, tell
from dojo.grade.inside.reaper import descendants
told = jail({level!r})
tell(told, "import os, signal; os.fork() or signal.pause()")
import os
print(*descendants(os.getpid()), flush=True)
time.sleep(3600)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    if os.geteuid() == 0:
        environment.pop("TMPDIR")  # another user has to reach it
    judge = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
    assert judge.stdout is not None
    pids = list(map(int, judge.stdout.readline().split()))
    assert len(pids) >= 2
    assert all(map(alive, pids))
    judge.kill()
    judge.wait()
    judge.stdout.close()
    until(lambda: not any(map(alive, pids)))


@pytest.mark.parametrize("level", EVERY)
def test_a_main_that_ends_ends_the_jail(level):
    """With whatever it has started."""
    told = jail(level)
    assert told.alive()
    tell(told, "import os, signal; os.fork() or signal.pause()")
    os.write(told.requests, json.dumps("import os; os._exit(0)").encode() + b"\n")
    select.select([told.answers], [], [])
    until(lambda: not told.alive())
    told.kill()


@pytest.mark.parametrize("level", EVERY)
def test_deep_folders_are_removed(level):
    """Also those that are deeper than a path can be, and closed ones."""
    with jail(level) as told:
        tell(told, "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\nos.chmod('.', 0)\ngot = 1")
        folder = told._folder
    assert folder is None or not folder.exists()


def test_folders_of_killed_judges_are_removed_and_others_are_not(monkeypatch, tmp_path):
    """A folder whose judge lives is locked."""
    tmp_path.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "reachable", lambda path: True)
    stale = tmp_path / f"{scratch.PREFIX}stale"
    stale.mkdir()
    one = scratch.scratch()
    two = scratch.scratch()
    assert not stale.exists()
    assert one.is_dir()
    scratch.release(one)
    scratch.release(two)
    assert list(tmp_path.iterdir()) == []
