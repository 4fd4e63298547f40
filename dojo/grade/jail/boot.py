"""Boot code, resource limits and environment of a jail's process."""

from __future__ import annotations

import concurrent.futures
import functools
import os
import resource
import subprocess
from collections.abc import Callable
from types import CodeType
from typing import Any

from dojo.catalog import ROOT
from dojo.grade.jail import bubblewrap
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.runtime import Runtime, library_bytes

PACKAGE = "dojo.grade.inside"
INSIDE = tuple(f"{PACKAGE}.{name}" for name in ("landlock", "namespaces", "reaper", "confine"))
"""Modules that run in the jail before its main, in the order of their imports."""

BOOT = """
import marshal, sys
with open(0, "rb", closefd=False) as file:
    spec = marshal.loads(file.read())
for name in spec["inside"]:
    module = sys.modules[name] = type(sys)(name)
    if spec["modules"][name] is None:
        module.__path__ = []
    else:
        exec(spec["modules"][name], module.__dict__)
sys.modules[name].start(spec)
"""
# Every process of the jail inherits this score, and is killed first when the machine runs out of memory.
SHELL = 'echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"'
BACKSTOP = 40  # functions that use all of their seconds: more than any submission has
STACK = 8 * 2**20
ENVIRONMENT = {
    "PATH": "",
    "LANG": "C.UTF-8",
    "USER": "learner",  # there is no /etc/passwd to ask
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "PYTHONMALLOC": "malloc",
    "CUDA_VISIBLE_DEVICES": "",  # once torch finds a GPU, forked processes cannot run backward
    "PYTORCH_NVML_BASED_CUDA_CHECK": "1",  # torch looks for a GPU without initializing CUDA
    "OMP_NUM_THREADS": "1",  # idle OpenMP threads spin, and would use up CPU time
}


def inside(modules: dict[str, str]) -> dict[str, Any]:
    """Compile these modules and those that run before them. Packages map to None."""
    sources = {name: (ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8") for name in INSIDE} | modules
    codes: dict[str, CodeType | None] = {name: _code(name, source) for name, source in sources.items()}
    for name in list(codes):
        while name := name.rpartition(".")[0]:
            codes.setdefault(name, None)
    return {"modules": codes, "inside": ["dojo", "dojo.grade", PACKAGE, *INSIDE]}


@functools.cache
def _code(name: str, source: str) -> CodeType:
    code: CodeType = compile(source, f"{name.replace('.', '/')}.py", "exec", dont_inherit=True)
    return code


def rlimits(limits: Limits, *, torch: bool = False) -> list[tuple[int, int, int]]:
    """Return resource limits for what the judge notices too late. Each thread counts as a process, and has a stack.

    The libraries of torch take address space, with CUDA more than the memory limit, but no memory until they are used.
    """
    cores = os.cpu_count() or 1
    libraries = library_bytes() if torch else 0
    wanted = {
        resource.RLIMIT_AS: limits.memory + cores * STACK + libraries,
        resource.RLIMIT_CPU: int(limits.seconds * BACKSTOP) + 1,
        resource.RLIMIT_NPROC: limits.processes + 2 * cores,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_SIGPENDING: 1024,
    }
    limited = []
    for kind, most in wanted.items():
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        limited.append((kind, most, most))
    # The hard limit stays: a scenario may lower the soft one, to see a write fail. The judge notices larger files.
    return [*limited, (resource.RLIMIT_FSIZE, limits.files, resource.getrlimit(resource.RLIMIT_FSIZE)[1])]


def environment_of(python: Runtime, work: str, device: str = "cpu") -> dict[str, str]:
    """Return the jail's environment, which takes only the location of CUDA and its libraries from the judge's."""
    lib = f"{bubblewrap.PYTHON}/{python.lib.name}" if work == bubblewrap.WORK else str(python.lib)
    found = {**ENVIRONMENT, "HOME": work, "TMPDIR": work, "LD_LIBRARY_PATH": lib}
    if device == "cuda":
        found["LD_LIBRARY_PATH"] = ":".join(filter(None, (lib, os.environ.get("LD_LIBRARY_PATH"))))
        del found["CUDA_VISIBLE_DEVICES"]
        found |= {name: value for name, value in os.environ.items() if name == "CUDA_VISIBLE_DEVICES"}
    return found


@functools.cache
def spawner(_: int) -> Callable[..., subprocess.Popen[bytes]]:
    """Return a Popen in a thread as long-lived as this process: the kernel kills children when their thread ends."""
    thread = concurrent.futures.ThreadPoolExecutor(max_workers=1, thread_name_prefix="jails")

    def spawn(*args: Any, **named: Any) -> subprocess.Popen[bytes]:
        process: Any = thread.submit(subprocess.Popen, *args, **named).result()
        started: subprocess.Popen[bytes] = process
        return started

    return spawn
