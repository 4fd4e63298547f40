"""What a jail may use: the defaults, the settings, and what its processes use together."""

import resource
from pathlib import Path

import pytest

from dojo.grade.jail.boot import environment_of, rlimits
from dojo.grade.jail.limits import Limits, settings
from dojo.grade.jail.runtime import library_bytes, runtime
from dojo.grade.jail.usage import SOCKET
from tests.dojo.grade.jails import EVERY, JAILED, jail, tell


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


@pytest.mark.parametrize("level", JAILED)
def test_what_pipes_and_sockets_can_hold_counts(level):
    """As much as they hold, wherever the kernel keeps it; once for all that share one."""
    code = """
import __main__, os, socket
kept, __main__.kept = [os.pipe() for _ in range(10)], [socket.socketpair() for _ in range(40)]
__main__.pipes, filled = kept, 0
for end in [pair[1] for pair in kept] + [end.fileno() for pair in __main__.kept for end in pair]:
    os.set_blocking(end, False)
    try:
        while True:
            filled += os.write(end, bytes(2**15))
    except BlockingIOError:
        pass
got = filled
"""
    with jail(level) as told:
        tell(told, "got = 1")
        before = told.usage().memory
        filled = tell(told, code)
        after = told.usage().memory
        tell(told, "import os, signal; os.fork() or signal.pause()")
        assert after - before > filled > 10 * 2**16 + 80 * 2**17
        assert told.usage().memory < after + filled


@pytest.mark.parametrize("level", JAILED)
def test_a_page_of_a_removed_file_counts_as_the_whole(level):
    """It keeps all of it, when the file has neither a name nor a descriptor."""
    code = """
import ctypes, os
with open("x", "w+b") as file:
    os.unlink("x")
    file.write(bytes(2**20))
    file.flush()
    ctypes.CDLL(None).mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0))
"""
    with jail(level) as told:
        tell(told, code)
        assert told.usage().files >= 2**20


def test_a_socket_takes_no_more_than_is_counted():
    """The kernel's default, which is what a jail cannot change."""
    assert int(Path("/proc/sys/net/core/wmem_default").read_text(encoding="ascii")) * 2 <= SOCKET


def test_a_jail_with_torch_has_addresses_for_its_libraries():
    """They are mapped whole, and with CUDA they are larger than the limit of memory."""
    limits = Limits()
    without, with_torch = ({kind: hard for kind, _, hard in rlimits(limits, torch=torch)} for torch in (False, True))
    assert library_bytes() > 100 * 2**20
    assert with_torch[resource.RLIMIT_AS] - without[resource.RLIMIT_AS] == library_bytes()


def test_cuda_is_found_where_answers_are_judged_on_it_alone(monkeypatch, tmp_path):
    """By the judge's own paths; a jail for the CPU sees no GPU, also on a machine that has one."""
    monkeypatch.setenv("LD_LIBRARY_PATH", "/driver")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    python = runtime(other_user=False)
    on_cpu, on_cuda = (environment_of(python, str(tmp_path), device) for device in ("cpu", "cuda"))
    assert (on_cpu["LD_LIBRARY_PATH"], on_cpu["CUDA_VISIBLE_DEVICES"]) == (str(python.lib), "")
    assert (on_cuda["LD_LIBRARY_PATH"], on_cuda["CUDA_VISIBLE_DEVICES"]) == (f"{python.lib}:/driver", "1")
