"""A seccomp filter that allows the system calls that Python, numpy and torch need in a jail, and no others."""

from __future__ import annotations

import errno
import functools
import os
import tempfile
from typing import Any

FILES = """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 creat close
    lseek stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd
    chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat truncate
    ftruncate fallocate fadvise64 chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat
    utimensat umask fsync fdatasync
    sync_file_range dup dup2 dup3 pipe pipe2 copy_file_range statfs fstatfs
    getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
"""
MEMORY = "munmap mremap mprotect madvise brk msync mincore membarrier get_mempolicy"
PROCESSES = """
    exit exit_group fork vfork wait4 waitid getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid
    getresgid getpgid getpgrp getsid setsid kill tgkill tkill rt_sigaction rt_sigprocmask rt_sigreturn
    rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack signalfd signalfd4 pause getrusage getrlimit setrlimit
    sched_yield sched_getaffinity sched_getparam sched_getscheduler
    sched_get_priority_max sched_get_priority_min getpriority getcpu set_tid_address set_robust_list
    rseq arch_prctl futex futex_waitv restart_syscall uname sysinfo getrandom
"""
TIME = """
    alarm getitimer setitimer timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create
    timerfd_settime timerfd_gettime nanosleep gettimeofday time times
"""
# Without epoll, whose lists of descriptors are not counted: selectors and asyncio then use poll.
WAITING = "poll ppoll select pselect6 eventfd eventfd2"
# socket, connect, bind and accept are missing, so these reach no further than a socketpair within the jail; so are
# sendmsg and recvmsg, which can put a descriptor into a socket, where it is not counted.
PAIRS = "sendto recvfrom shutdown getsockopt getsockname getpeername"
# With these a process confines itself and its children further. `last` refuses them, since rules take memory.
CONFINING = "landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp capset"

NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
CLONE_PARENT = 0x00008000  # the child would be a child of the jail's parent
NEW_PIDS = 0x20000000  # CLONE_NEWPID, for the process that the judge talks to
PR_SET_SECCOMP = 22
PRCTLS = {
    "PR_SET_SECCOMP": PR_SET_SECCOMP,
    "PR_SET_PDEATHSIG": 1,
    "PR_GET_PDEATHSIG": 2,
    "PR_GET_DUMPABLE": 3,
    "PR_SET_NAME": 15,
    "PR_GET_NAME": 16,
    "PR_GET_NO_NEW_PRIVS": 39,
    "PR_SET_VMA": 0x53564D41,  # glibc's malloc names its memory
}
IOCTLS = {
    **{"TCGETS": 0x5401, "TIOCGWINSZ": 0x5413, "FIONREAD": 0x541B, "FIONBIO": 0x5421, "FIOCLEX": 0x5451},
    **{"SECCOMP_IOCTL_NOTIF_RECV": 0xC0502100, "SECCOMP_IOCTL_NOTIF_SEND": 0xC0182101},
}
OF_ITSELF = {"prlimit64": {0: 0}, "sched_setaffinity": {0: 0}, "setpriority": {0: 0, 1: 0}, "setpgid": {1: 0}}
"""The arguments that must be 0, so that a call acts on the calling process, or on a group that it makes."""
CLOCKS = {"clock_gettime": 0, "clock_getres": 0, "clock_nanosleep": 0, "timer_create": 0}
"""The index of the argument with the clock: 0 to 15, since a negative one is the CPU clock of any process or thread."""
AF_UNIX, STREAM = 1, 1  # a pair of datagram sockets could send to any address

FCNTLS = {"F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_DUPFD_CLOEXEC": 1030, "F_GETPIPE_SZ": 1032}
"""Without owners, signals, sizes, leases and notifications, which a pipe or a file keeps for all its users."""
F_SETFL = 4
O_ASYNC = 0x2000
LOCKS = {"F_SETLK": 6, "F_SETLKW": 7, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38}
"""Granted without a lock, as flock is. The code is alone in its folder, and all other jails would see a lock on a file
that the jail shares with the machine."""

MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
CLONE_FILES, CLONE_THREAD = 0x00000400, 0x00010000
CLOSE_RANGE_UNSHARE = 2


CHANGING = """
    write writev pwrite64 pwritev pwritev2 sendfile copy_file_range truncate ftruncate fallocate
    rename renameat renameat2 unlink unlinkat link linkat symlink symlinkat mkdir mkdirat rmdir creat
"""
"""Calls that change a file or a folder. An open for writing does too."""
OPENS = {"open": 1, "openat": 2}
"""The index of the argument with the flags of an open."""


def _seccomp() -> Any:
    try:
        # Its import looks for libseccomp.so.2, which takes 10 ms.
        import pyseccomp  # type: ignore[import-untyped]
    except RuntimeError as error:
        raise ImportError(f"libseccomp.so.2 is missing: {error}") from None
    return pyseccomp


@functools.cache
def moments() -> bytes:
    """Compile a filter that stops a process at each call that changes a file. ImportError without libseccomp."""
    seccomp = _seccomp()
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in CHANGING.split():
        number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
        if number >= 0:
            rules.add_rule(seccomp.NOTIFY, number)
    for name, place in OPENS.items():
        number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
        for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC) if number >= 0 else ():
            rules.add_rule(seccomp.NOTIFY, number, seccomp.Arg(place, seccomp.MASKED_EQ, flag, flag))
    if seccomp.resolve_syscall(seccomp.Arch.NATIVE, "openat2") >= 0:  # its flags are in memory, which no filter sees
        rules.add_rule(seccomp.NOTIFY, "openat2")
    return _exported(rules)


def _exported(rules: Any) -> bytes:
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


@functools.cache
def program() -> bytes:
    """Compile the filter to BPF for this processor. OSError or ImportError if libseccomp cannot."""
    seccomp = _seccomp()
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    for name in " ".join((FILES, MEMORY, PROCESSES, TIME, WAITING, PAIRS, CONFINING)).split():
        number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
        # Negative if this processor lacks the call (`open` on aarch64), or libseccomp is older than the call.
        if number >= 0:
            rules.add_rule(seccomp.ALLOW, number)
    # glibc falls back to clone; a filter cannot see the flags of clone3.
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    # /proc lists the descriptors of a process, not those that one of its threads has for itself.
    never = NEW_NAMESPACES | CLONE_PARENT
    for mask, value in ((CLONE_THREAD, 0), (CLONE_THREAD | CLONE_FILES, CLONE_THREAD | CLONE_FILES)):
        rules.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, never | mask, value))
    rules.add_rule(seccomp.ALLOW, "unshare", seccomp.Arg(0, seccomp.EQ, NEW_PIDS))
    rules.add_rule(seccomp.ALLOW, "close_range", seccomp.Arg(2, seccomp.MASKED_EQ, CLOSE_RANGE_UNSHARE, 0))
    # For shared memory without a file, the kernel keeps pages that no process maps any more.
    for value in (0, MAP_SHARED, MAP_ANONYMOUS):
        rules.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, value))
    pair = (seccomp.Arg(0, seccomp.MASKED_EQ, 0xFFFFFFFF, AF_UNIX), seccomp.Arg(1, seccomp.MASKED_EQ, 0xF, STREAM))
    rules.add_rule(seccomp.ALLOW, "socketpair", *pair)
    # For the calling process only, so that the limits of the worker that answers for all functions are safe.
    for name, zeros in OF_ITSELF.items():
        rules.add_rule(seccomp.ALLOW, name, *(seccomp.Arg(at, seccomp.MASKED_EQ, 0xFFFFFFFF, 0) for at in zeros))
    for name, place in CLOCKS.items():
        rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(place, seccomp.MASKED_EQ, 0xFFFFFFF0, 0))
    flags = seccomp.Arg(2, seccomp.MASKED_EQ, O_ASYNC | os.O_DIRECT, 0)  # O_DIRECT makes a pipe carry packets
    rules.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, F_SETFL), flags)
    rules.add_rule(seccomp.ERRNO(0), "flock")
    for value in LOCKS.values():
        rules.add_rule(seccomp.ERRNO(0), "fcntl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, value))
    rules.add_rule(seccomp.ERRNO(0), "sync")  # pretend success: it would flush every disk of the machine
    for name, place, values in (("prctl", 0, PRCTLS), ("ioctl", 1, IOCTLS), ("fcntl", 1, FCNTLS)):
        for value in values.values():
            # The kernel reads 32 bits of each, so the filter compares 32 bits.
            rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(place, seccomp.MASKED_EQ, 0xFFFFFFFF, value))
    return _exported(rules)


@functools.cache
def last() -> bytes:
    """Compile the filter that is added before untrusted code runs: it refuses new rules, filters and namespaces."""
    seccomp = _seccomp()
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in (*CONFINING.split(), "unshare"):
        rules.add_rule(seccomp.ERRNO(errno.EPERM), name)
    of_filters = seccomp.Arg(0, seccomp.MASKED_EQ, 0xFFFFFFFF, PR_SET_SECCOMP)
    rules.add_rule(seccomp.ERRNO(errno.EPERM), "prctl", of_filters)
    return _exported(rules)
