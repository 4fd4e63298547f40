"""Calls the parts of the kernel that jails forget: io_uring, keyrings, bpf, perf, userfaultfd, modules, clocks."""
# kata: 03_flops
# attacks: matmul_flops

import ctypes
import errno
import platform

_right = matmul_flops
libc = ctypes.CDLL(None, use_errno=True)
INTEL = platform.machine() == "x86_64"
ZEROS = ctypes.create_string_buffer(4096)
TEXT = ctypes.create_string_buffer(b"user")
# The number on x86_64, the one on aarch64, and arguments that harm nobody where they are looked at.
CALLS = {
    "io_uring_setup": (425, 425, 1, ZEROS),
    "add_key": (248, 217, TEXT, TEXT, TEXT, 4, -3),
    "request_key": (249, 218, TEXT, TEXT, 0, -3),
    "keyctl": (250, 219, 0, -3, 1),
    "bpf": (321, 280, 0, ZEROS, 0),
    "perf_event_open": (298, 241, ZEROS, 0, -1, -1, 0),
    "userfaultfd": (323, 282, 1),
    "open_by_handle_at": (304, 265, -1, ZEROS, 0),
    "init_module": (175, 105, ZEROS, 0, TEXT),
    "finit_module": (313, 273, -1, TEXT, 0),
    "kexec_load": (246, 104, 0, 0, 0, 0),
    "reboot": (169, 142, 0, 0, 0, 0),
    "swapon": (167, 224, ZEROS, 0),
    "acct": (163, 89, ZEROS),
    "quotactl": (179, 60, 0, ZEROS, 0, 0),
    "settimeofday": (164, 170, 0, 0),
    "sethostname": (170, 161, ZEROS, 0),
    "syslog": (103, 116, 3, ZEROS, 4096),
    "fanotify_init": (300, 262, 0, 0),
    "fsopen": (430, 430, TEXT, 0),
    "open_tree": (428, 428, -100, ZEROS, 0),
    "mount_setattr": (442, 442, -1, ZEROS, 0, ZEROS, 0),
    "pivot_root": (155, 41, ZEROS, ZEROS),
    "personality": (135, 92, 0x0040000),
    "memfd_secret": (447, 447, 0),
    "execveat": (322, 281, -1, ZEROS, 0, 0, 0),
}


def _reached(numbers, *args):
    """Whether the kernel came to look at the arguments."""
    ctypes.set_errno(0)
    passed = [arg if isinstance(arg, ctypes.Array) else ctypes.c_long(arg) for arg in args]
    result = libc.syscall(numbers[0] if INTEL else numbers[1], *passed)
    return result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES)


found = [name for name, (intel, arm, *args) in CALLS.items() if _reached((intel, arm), *args)]


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
