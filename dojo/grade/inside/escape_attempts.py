"""Attempts to escape from a jail, run inside to test it. An attempt that fails raises."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import resource
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from dojo.grade.inside import namespaces
from dojo.grade.inside.confine import confine_no_further

X86, ARM = "x86_64", "aarch64"
NUMBERS = {
    "ptrace": {X86: 101, ARM: 117},
    "mount": {X86: 165, ARM: 40},
    "unshare": {X86: 272, ARM: 97},
    "setns": {X86: 308, ARM: 268},
    "add_key": {X86: 248, ARM: 217},
    "keyctl": {X86: 250, ARM: 219},
    "bpf": {X86: 321, ARM: 280},
    "perf_event_open": {X86: 298, ARM: 241},
    "userfaultfd": {X86: 323, ARM: 282},
    "process_vm_readv": {X86: 310, ARM: 270},
    "io_uring_setup": {X86: 425, ARM: 425},
    "pidfd_open": {X86: 434, ARM: 434},
    "clone": {X86: 56, ARM: 220},
    "clone3": {X86: 435, ARM: 435},
}
"""System calls that no jail allows, and arguments for those that every kernel refuses with zeros."""
ARGUMENTS = {
    "ptrace": (16, 2**22 + 1),
    "unshare": (0x10000000,),
    "clone": (0x10000000 | signal.SIGCHLD,),
    "keyctl": (0, -3, 1),
}
FAMILIES = {"INET": 2, "INET6": 10, "UNIX": 1, "NETLINK": 16, "PACKET": 17, "ALG": 38, "VSOCK": 40, "XDP": 44}


def main(requests: int, answers: int) -> None:
    """Read the plan and write the names of the attempts that succeed, each as a line of JSON."""

    def attempt_all() -> None:
        confine_no_further()
        request = b""
        while not request.endswith(b"\n"):
            request += os.read(requests, 65536)
        successes = [name for name, attempt in attempts(json.loads(request)).items() if _succeeds(attempt)]
        os.write(answers, json.dumps(successes).encode() + b"\n")

    os.waitpid(namespaces.fork(attempt_all), 0)  # where a learner's code would run


def attempts(plan: dict[str, Any]) -> dict[str, Callable[[], object]]:
    """Return the attempts, by the name of what each would achieve."""
    tried: dict[str, Callable[[], object]] = {}
    for path in plan["secrets"]:
        tried[f"read {path}"] = partial(_read, path)
    for path in plan["folders"]:
        tried[f"list {path}"] = partial(os.listdir, path)
    for path in (*plan["folders"], *plan["readable"]):
        tried[f"write into {path}"] = partial(_write, path)
    for pid in ("1", "self", str(plan["judge"]), str(os.getppid())):
        for file in ("environ", "cmdline", "maps"):
            tried[f"read /proc/{pid}/{file}"] = partial(_read, f"/proc/{pid}/{file}")
    tried["signal the judge"] = partial(os.kill, plan["judge"], 0)
    for name, family in FAMILIES.items():
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            tried[f"open a socket of {name}, {kind.name}"] = partial(socket.socket, family, kind)
    tried["a pair of datagram sockets"] = lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for name, numbers in NUMBERS.items():
        number = numbers.get(platform.machine(), -1)
        tried[f"call {name}"] = partial(_call, number, *ARGUMENTS.get(name, ()))
    tried["become root"] = lambda: os.setuid(0)
    tried["be root"] = lambda: os.getuid() == 0 or 1 / 0
    tried["be traced"] = lambda: _prctl(4, 1)
    tried["run a program"] = lambda: _runs("/bin/sh")
    tried["type into a terminal"] = lambda: __import__("fcntl").ioctl(1, 0x5412, b"x")
    tried["import torch"] = lambda: __import__("torch")
    tried["read torch"] = partial(_read, plan["torch"])
    tried["find an inherited descriptor"] = lambda: 1 / len(_open())
    tried["take more memory than it may"] = lambda: bytearray(2 * plan["memory"])
    tried["raise its limit of memory"] = lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    tried["write a larger file than it may"] = lambda: _large(plan["files"])
    tried["start more processes than it may"] = lambda: _threads(plan["processes"])
    return tried


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, ImportError, MemoryError, ArithmeticError, RuntimeError, ValueError):
        return False
    return True


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read(1)


def _write(folder: str) -> None:
    path = f"{folder}/torch-dojo-was-here"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    os.unlink(path)


def _call(number: int, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *map(ctypes.c_long, (*arguments, *[0] * (6 - len(arguments)))))
    if result == 0 and number in NUMBERS["clone"].values():
        os._exit(0)
    # A call that is allowed fails by its arguments instead.
    if result < 0 and ctypes.get_errno() in (errno.EPERM, errno.EACCES, errno.ENOSYS):
        raise OSError(ctypes.get_errno(), number)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _runs(program: str) -> None:
    """Run a program in a child; OSError if it cannot be run."""
    child = os.fork()
    if child == 0:
        try:
            os.execv(program, [program, "-c", "exit 0"])
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise OSError(program)


def _open() -> list[int]:
    found = []
    for descriptor in range(5, 256):
        try:
            os.fstat(descriptor)
            found.append(descriptor)
        except OSError:
            continue
    return found


def _large(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with open("large", "wb") as file:
            file.seek(size)
            file.write(b"x")
    finally:
        os.unlink("large")


def _threads(most: int) -> None:
    """Start threads, which count as processes and are cheaper."""
    done = threading.Event()
    threading.stack_size(2**16)
    started = []
    try:
        for _ in range(most + 1):
            thread = threading.Thread(target=done.wait)
            thread.start()
            started.append(thread)
    finally:
        done.set()
        for thread in started:
            thread.join()
