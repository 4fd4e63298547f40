"""Jails at each level that this machine has: what works in them, and what does not."""

import os
import signal
from pathlib import Path

import pytest

from dojo.grade.jail import uids
from dojo.grade.jail.jail import NoJail
from tests.dojo.grade.jails import EVERY, JAILED, PROVIDED, jail, tell

NAMES = {
    "CUDA_VISIBLE_DEVICES",
    "GLIBC_TUNABLES",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "OMP_NUM_THREADS",
    "PYTORCH_NVML_BASED_CUDA_CHECK",
    "PATH",
    "PWD",
    "PYTHONMALLOC",
    "TMPDIR",
    "USER",
}
"""The variables that there may be."""
HUGE = [f"/sys/kernel/mm/transparent_hugepage/{name}" for name in ("enabled", "hpage_pmd_size")]


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
    """As where it is not installed, also for who asks first whether it is there; and numpy is."""
    code = """
import importlib.metadata, importlib.util, numpy
importlib.invalidate_caches()
got = [importlib.util.find_spec("torch"), bool(importlib.metadata.version("numpy")), int(numpy.ones(3).sum())]
try:
    import torch.nn
except ModuleNotFoundError as error:
    got.append(str(error))
"""
    with jail(level) as told:
        assert tell(told, code) == [None, True, 3, "No module named 'torch'"]


@pytest.mark.parametrize("level", JAILED)
def test_no_trick_with_the_import_brings_torch_back(level):
    """Its files cannot be read, whatever finds them."""
    code = """
import importlib.util, sys
sys.meta_path[:] = [vars(finder).get("finder", finder) for finder in sys.meta_path]
got = "import" in importlib.util.find_spec("torch").loader.get_source("torch")
"""
    with jail(level) as told:
        assert tell(told, code) is not True
    with jail("none") as told:
        assert tell(told, code) is True


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
from dojo.grade.inside.confine import hide
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
    hide(("torch/optim/sgd.py", "torch/autograd"))
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


@pytest.mark.parametrize("level", EVERY)
def test_what_torch_and_malloc_choose_by_is_what_the_machine_says(level):
    """The processor, and the huge pages without which each fork copies more."""
    there = [path for path in ("/proc/cpuinfo", *HUGE) if os.path.exists(path)]
    with jail(level) as told:
        read = tell(told, f"got = [len(open(path).readlines()) for path in {there}]")
    assert read == [len(Path(path).read_text().splitlines()) for path in there]


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
def test_what_is_printed_comes_by_pipes_of_its_own(level):
    """Apart from the answers."""
    with jail(level) as told:
        tell(told, "import sys; print('out', flush=True); print('err', file=sys.stderr)")
        assert (os.read(told.out, 100), os.read(told.err, 100)) == (b"out\n", b"err\n")


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
    monkeypatch.setattr("dojo.grade.jail.jail.landlock.version", lambda: 2)
    with pytest.raises(NoJail, match=r"cannot refuse to truncate files: Linux 6\.2 or later can$"):
        jail("basic")
    if not PROVIDED["userns"]:
        jail("userns").kill()
    monkeypatch.setattr("dojo.grade.jail.jail.landlock.version", lambda: 1)
    with pytest.raises(NoJail, match=r"cannot allow moves of files into another folder: Linux 5\.19 or later can$"):
        jail("userns")
    monkeypatch.setattr("dojo.grade.jail.jail.landlock.version", missing)
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
    monkeypatch.setattr("dojo.grade.jail.jail.sites", lambda: (site,))
    with pytest.raises(NoJail) as caught:
        jail("basic")
    assert str(caught.value) == f"torch lies under {home}, which another user may not enter"


@pytest.mark.parametrize("level", EVERY)
def test_a_file_can_be_moved_into_another_folder(level):
    """Also after further rules, each of which would refuse it by itself."""
    code = """
import os, tempfile
from dojo.grade.inside.confine import hide
from dojo.grade.inside.landlock import keep_signals
hide(("torch/optim/sgd.py", "torch/autograd"))
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


@pytest.mark.parametrize("level", JAILED)
def test_a_lock_is_seen_in_no_other_jail(level):
    """A right answer may ask for one, and gets it; on a file that all jails share, it would stop another one."""
    lock = "import fcntl, os\nfcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)\ngot = 1"
    record = """
import fcntl, os, struct
file = os.open(os.__file__, os.O_RDONLY)
for command in (fcntl.F_SETLK, 37):
    fcntl.fcntl(file, command, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 1, 1, 0))
try:
    asked = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1, 1, 0))
    got = struct.unpack("hhqqi4x", asked)[0] == fcntl.F_UNLCK
except PermissionError:
    got = True
"""
    with jail(level) as one, jail(level) as other:
        assert tell(one, lock) == tell(other, lock) == 1
        assert tell(one, record) is tell(other, record) is True


@pytest.mark.parametrize("level", JAILED)
def test_what_a_right_answer_may_do_to_its_own_descriptors_works(level):
    """Event loops, databases, copies, maps of files, flags, groups and clocks of its own."""
    code = """
import asyncio, fcntl, mmap, os, shutil, sqlite3, tempfile, threading, time
async def later():
    await asyncio.sleep(0)
    return 1
got = [asyncio.run(later())]
with sqlite3.connect("data") as data:
    data.execute("create table t (x)")
    data.execute("insert into t values (2)")
got += data.execute("select x from t").fetchone()
shutil.copyfile("data", "copy")
with tempfile.TemporaryFile() as file:
    file.write(b"3")
    file.flush()
    got.append(int(bytes(mmap.mmap(file.fileno(), 1))))
here, there = os.pipe()
os.set_blocking(here, False)
fcntl.fcntl(here, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
fcntl.fcntl(here, fcntl.F_DUPFD_CLOEXEC, 0)
thread = threading.Thread(target=os.write, args=(there, b"4"))
thread.start()
thread.join()
got.append(int(os.read(here, 1)))
os.setpgid(0, 0)
os.nice(1)
got.append(time.process_time() > 0 < time.thread_time())
"""
    with jail(level) as told:
        assert tell(told, code) == [1, 2, 3, 4, True]
