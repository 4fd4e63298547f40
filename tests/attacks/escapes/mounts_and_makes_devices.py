"""Changes what it sees: chroot, mounts, device nodes, the settings and the memory of the machine."""
# like: makes_namespaces
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import ctypes
import os
import stat

_right = matmul_flops
libc = ctypes.CDLL(None, use_errno=True)
DEVICES = ["/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/kvm", "/dev/tty", "/dev/ptmx"]
SETTINGS = ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/sys/power/state"]


def _done():
    for call, *args in (
        (os.chroot, "."),
        (os.mknod, f"mem-{MARK}", 0o666 | stat.S_IFCHR, os.makedev(1, 1)),
        (os.mknod, f"disk-{MARK}", 0o666 | stat.S_IFBLK, os.makedev(254, 0)),
    ):
        with contextlib.suppress(OSError):
            call(*args)
            yield call.__name__
    for kind, flags in ((b"tmpfs", 0), (b"proc", 0), (b"sysfs", 0), (None, 4096)):
        if libc.mount(b"/tmp", b"/tmp", kind, flags, None) == 0:
            yield "mount"
    if libc.umount2(b"/tmp", 2) == 0:
        yield "umount"
    for path in DEVICES + SETTINGS:
        for flags in (os.O_RDONLY, os.O_WRONLY):
            with contextlib.suppress(OSError):
                os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
                yield path


found = list(_done())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
