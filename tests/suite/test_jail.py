"""Jails at each level that this machine has: what works in them, what does not, and that nothing is left of them."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dojo.catalog import ROOT
from dojo.grade import levels, runtime, uids
from dojo.grade.jail import Jail, NoJail
from dojo.grade.limits import Limits, settings

PROVIDED = levels.provided()
JAILED = [pytest.param(level, marks=pytest.mark.skipif(bool(why), reason=why)) for level, why in PROVIDED.items()]
EVERY = [*JAILED, "none"]
MAIN = """
import json, os, sys, traceback

def main(requests, answers):
    for line in os.fdopen(requests, encoding="utf-8"):
        names = {}
        try:
            exec(json.loads(line), names)
            told = names.get("got")
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        os.write(answers, json.dumps(told).encode() + b"\\n")
"""

NAMES = {
    "GLIBC_TUNABLES",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "OMP_NUM_THREADS",
    "PATH",
    "PWD",
    "PYTHONMALLOC",
    "TMPDIR",
    "USER",
}
"""The variables that there may be."""

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


def jail(level, *, torch=False, **named):
    """A jail that runs what it is told."""
    return Jail(level, torch=torch, modules={"told.by": MAIN}, main="told.by:main", **named)


def tell(told, code):
    """Run this in the jail, and return what it calls `got`, or the error."""
    os.write(told.requests, json.dumps(code).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(told.answers, 65536)
        assert part, os.read(told.err, 65536).decode()
        line += part
    return json.loads(line)


def until(what):
    """Wait until something holds."""
    while not what():
        time.sleep(0.01)


def alive(pid):
    """Whether there is such a process, that is not over."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


@pytest.mark.parametrize("level", EVERY)
def test_a_training_step_works(level):
    """torch is imported, trains, and forks."""
    with jail(level, torch=True) as told:
        code = """
import os, torch
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.Adam(model.parameters())
before = model.weight.sum().item()
model(torch.ones(256, 64)).sum().backward()
optimizer.step()
child = os.fork()
if child == 0:
    os._exit(7 if model.bias.sum().isfinite() else 1)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
got = [before != model.weight.sum().item(), status, torch.get_num_threads()]
"""
        assert tell(told, code) == [True, 7, 1]


@pytest.mark.parametrize("level", EVERY)
def test_files_can_be_saved_as_06_asks_for(level):
    """Folders, renames, fsync, modes, lower limits, and a process that the kernel kills in a write."""
    code = """
import os, resource, shutil, signal, tempfile
folder = tempfile.mkdtemp()
handle, name = tempfile.mkstemp(dir=folder)
os.write(handle, b"whole")
os.fsync(handle)
os.replace(name, f"{folder}/run")
os.link(f"{folder}/run", f"{folder}/other")
os.chmod(folder, 0o500)
os.chmod(folder, 0o700)
os.utime(f"{folder}/run", (1, 1))
os.sync()
shutil.copy2(f"{folder}/run", f"{folder}/copy")
os.truncate(f"{folder}/copy", 2)
child = os.fork()
if child == 0:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
    open(f"{folder}/part", "wb", buffering=0).write(b"x" * 11)
    open(f"{folder}/part", "ab", buffering=0).write(b"x" * 11)
killed = os.WTERMSIG(os.waitpid(child, 0)[1])
got = [open(f"{folder}/{name}").read() for name in ("run", "other", "copy")]
got += [os.path.getsize(f"{folder}/part"), killed]
"""
    with jail(level) as told:
        assert tell(told, code) == ["whole", "whole", "wh", 10, signal.SIGXFSZ]


@pytest.mark.parametrize("level", EVERY)
def test_torch_is_absent_where_it_is_not_asked_for(level):
    """Importing it is an ImportError, and numpy is there."""
    with jail(level) as told:
        assert tell(told, "import torch").startswith("ModuleNotFoundError: No module named 'torch'")
        assert tell(told, "import numpy; got = int(numpy.ones(3).sum())") == 3


@pytest.mark.parametrize("level", JAILED)
def test_no_trick_with_the_import_brings_torch_back(level):
    """Its files cannot be read, whatever finds them."""
    with jail(level) as told:
        assert tell(told, "import sys; sys.meta_path.pop(0); import torch; got = hasattr(torch, 'ones')") is not True


@pytest.mark.parametrize("level", EVERY)
def test_the_jail_has_five_descriptors_and_its_own_environment(level):
    """Nothing of the judge's is inherited."""
    with jail(level) as told:
        code = """
import os
def there(fd):
    try:
        return bool(os.fstat(fd))
    except OSError:
        return False
got = [[fd for fd in range(1024) if there(fd)], sorted(os.environ), os.environ["PATH"]]
"""
        descriptors, names, path = tell(told, code)
    assert descriptors == [0, 1, 2, 3, 4]
    assert set(names) <= NAMES
    assert path == ""


@pytest.mark.parametrize("level", JAILED)
def test_hidden_files_cannot_be_read_and_their_siblings_can(level):
    """Also by the children of the process that hid them; its parent still reads them."""
    code = """
import os, sys
from dojo.grade.confine import hide
site = next(path for path in sys.path if os.path.isdir(f"{path}/torch"))
def readable(path):
    try:
        return bool(open(f"{site}/{path}", "rb").read(1))
    except PermissionError:
        return False
paths = ["torch/optim/sgd.py", "torch/optim/adam.py", "torch/autograd/__init__.py", "torch/__init__.py"]
paths += ["numpy/__init__.py"]
read, write = os.pipe()
if os.fork() == 0:
    hide(["torch/optim/sgd.py", "torch/autograd"])
    if os.fork() == 0:
        os.write(write, bytes(map(readable, paths)))
        os._exit(0)
    os.wait()
    os._exit(0)
os.wait()
got = [list(os.read(read, 100)), all(map(readable, paths))]
"""
    with jail(level, torch=True) as told:
        assert tell(told, code) == [[0, 1, 0, 1, 1], True]


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
from tests.suite.test_jail import jail, tell
from dojo.grade.guard import descendants
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
    pids = list(map(int, judge.stdout.readline().split()))
    assert len(pids) >= 2
    assert all(map(alive, pids))
    judge.kill()
    judge.wait()
    judge.stdout.close()
    until(lambda: not any(map(alive, pids)))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has users to give")
@pytest.mark.parametrize("level", JAILED)
def test_each_jail_has_a_user_of_its_own(level):
    """So that limits of one user do not count across jails."""
    with jail(level) as one, jail(level) as other:
        assert one._uid != other._uid
        assert tell(one, "got = 1") == tell(other, "got = 1") == 1
        assert uids.processes_of(one._uid)
        assert uids.processes_of(other._uid)


@pytest.mark.parametrize("level", EVERY)
def test_usage_tells_of_all_processes(level):
    """Memory, CPU, files and processes grow with what the code takes."""
    with jail(level) as told:
        tell(told, "got = 1")
        before = told.usage()
        tell(told, "import __main__; __main__.kept = b'x' * 2**25; open('file', 'wb').write(bytes(2**20))")
        tell(told, "import os, signal; os.fork() or signal.pause()")
        tell(told, "sum(i * i for i in range(10**6))")
        after = told.usage()
    assert after.memory - before.memory >= 2**25
    assert after.files - before.files >= 2**20
    assert after.processes == before.processes + 1 == 2
    assert after.cpu > before.cpu


@pytest.mark.parametrize("level", JAILED)
def test_files_that_were_removed_count_while_they_are_open(level):
    """A file without a name still takes room."""
    with jail(level) as told:
        tell(
            told, "import os, __main__; __main__.f = open('x', 'wb', 0); os.unlink('x'); __main__.f.write(bytes(2**20))"
        )
        assert told.usage().files >= 2**20


@pytest.mark.parametrize("level", EVERY)
def test_what_is_printed_comes_by_pipes_of_its_own(level):
    """Apart from the answers."""
    with jail(level) as told:
        tell(told, "import sys; print('out', flush=True); print('err', file=sys.stderr)")
        assert (os.read(told.out, 100), os.read(told.err, 100)) == (b"out\n", b"err\n")


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


def test_a_level_that_there_is_not_is_refused():
    """In one line."""
    with pytest.raises(NoJail, match="there is no level 'chroot'"):
        jail("chroot")


def missing():
    """As on a kernel without Landlock."""
    raise OSError("Landlock: Function not implemented")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
def test_a_kernel_whose_landlock_is_too_old_is_told(monkeypatch):
    """At basic rules alone guard the files of the machine; where nothing but the runtime is mounted, they need not."""
    monkeypatch.setattr("dojo.grade.jail.landlock.version", lambda: 2)
    with pytest.raises(NoJail, match=r"cannot refuse to truncate files: Linux 6\.2 or later can$"):
        jail("basic")
    if not PROVIDED["userns"]:
        jail("userns").kill()
    monkeypatch.setattr("dojo.grade.jail.landlock.version", lambda: 1)
    with pytest.raises(NoJail, match=r"lets nobody move a file into another folder: Linux 5\.19 or later does$"):
        jail("userns")
    monkeypatch.setattr("dojo.grade.jail.landlock.version", missing)
    with pytest.raises(NoJail, match="Landlock is missing: Landlock: Function not implemented"):
        jail("userns")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
def test_packages_that_another_user_cannot_reach_are_told(monkeypatch, tmp_path):
    """A home of mode 0700 is named."""
    home = tmp_path / "home"
    site = home / "site-packages"
    site.mkdir(parents=True)
    for folder in (*reversed(tmp_path.parents), tmp_path):
        if not folder.stat().st_mode & 1:
            home = folder
            break
    else:
        home.chmod(0o700)
    monkeypatch.setattr("dojo.grade.jail.sites", lambda: (site,))
    with pytest.raises(NoJail) as caught:
        jail("basic")
    assert str(caught.value) == f"torch lies under {home}, which another user may not enter"


def test_folders_of_killed_judges_are_removed_and_others_are_not(monkeypatch, tmp_path):
    """A folder whose judge lives is locked."""
    tmp_path.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(runtime, "reachable", lambda path: True)
    stale = tmp_path / f"{runtime.PREFIX}stale"
    stale.mkdir()
    one = runtime.scratch()
    two = runtime.scratch()
    assert not stale.exists()
    assert one.is_dir()
    runtime.release(one)
    runtime.release(two)
    assert list(tmp_path.iterdir()) == []


def test_limits_have_defaults_and_settings(tmp_path):
    """What pyproject.toml does not say is as the class says."""
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.dojo.limits]\nseconds = 1.5\nmemory = 5\n", encoding="utf-8")
    assert settings(path) == Limits(memory=5, seconds=1.5)
    path.write_text("", encoding="utf-8")
    assert settings(path) == Limits(2 * 2**30, 60, 64, 64 * 2**20, 2**20)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("time = 1", "knows memory, seconds, processes, files, output; got time"),
        ("memory = 1.5", "memory in .* should be a whole number above 0; got 1.5"),
        ("memory = true", "memory in .* should be a whole number above 0; got True"),
        ("seconds = 0", "seconds in .* should be a number above 0; got 0"),
        ("seconds = inf", "seconds in .* should be a number above 0; got inf"),
        ('files = "1"', "files in .* should be a whole number above 0; got '1'"),
    ],
)
def test_wrong_limits_are_told(tmp_path, line, message):
    """Which one, what was expected and what is there."""
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.dojo.limits]\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        settings(path)


@pytest.mark.parametrize("level", EVERY)
def test_where_torch_is_absent_nobody_finds_it(level):
    """Who asks first whether it is there, is told that it is not, as where it is not installed."""
    code = """
import importlib.metadata, importlib.util
importlib.invalidate_caches()
got = [importlib.util.find_spec("torch"), bool(importlib.metadata.version("numpy"))]
try:
    import torch.nn
except ModuleNotFoundError as error:
    got.append(str(error))
"""
    with jail(level) as told:
        assert tell(told, code) == [None, True, "No module named 'torch'"]


@pytest.mark.parametrize("level", EVERY)
def test_a_file_can_be_moved_into_another_folder(level):
    """Also after further rules, each of which would refuse it by itself."""
    code = """
import os, tempfile
from dojo.grade.confine import hide
from dojo.grade.landlock import keep_signals
hide(["torch/optim/sgd.py", "torch/autograd"])
keep_signals()
folder = tempfile.mkdtemp()
with tempfile.TemporaryDirectory(dir=folder) as inside:
    open(f"{inside}/whole", "w").write("whole")
    os.replace(f"{inside}/whole", f"{folder}/run")
got = open(f"{folder}/run").read()
"""
    with jail(level) as told:
        assert tell(told, code) == "whole"


@pytest.mark.parametrize("level", JAILED)
def test_where_a_file_may_be_written_is_where_it_can_be(level):
    """The kernel's own answer knows nothing of Landlock, and a scenario looks for a folder in memory."""
    code = """
import os, tempfile
got = []
for folder in ("/dev/shm", "/usr", tempfile.gettempdir()):
    try:
        os.unlink(tempfile.mkstemp(dir=folder)[1])
        made = True
    except OSError:
        made = False
    got.append(made == os.access(folder, os.W_OK))
"""
    with jail(level) as told:
        assert tell(told, code) == [True, True, True]
