"""In the jail: ctypes calls no function any more, where a kata forbids it.

Whoever has found ctypes again, in whatever way, calls by libffi. Its entry becomes an instruction that every processor
refuses, which ends the process.
"""

from __future__ import annotations

import ctypes
import platform
import resource

from dojo.forbidden import behind

PAGE = resource.getpagesize()
UNDEFINED = {"x86_64": b"\x0f\x0b", "aarch64": bytes(4)}
"""An undefined instruction, by processor."""
READ, WRITE, EXECUTE, PRIVATE, ANONYMOUS, MAYMOVE, FIXED = 1, 2, 4, 2, 32, 1, 2


def call_nothing(forbidden: tuple[str, ...]) -> None:
    """End this process at the next call of a function by ctypes, where that is forbidden.

    Do nothing where Python has libffi built in. The last call itself puts the changed page in its place, so that the
    page in use can never be written to.
    """
    if "_ctypes" not in behind(forbidden).modules:
        return
    import _ctypes  # the extension, which knows where its libffi is

    instruction = UNDEFINED.get(platform.machine())
    path = getattr(_ctypes, "__file__", None)
    if instruction is None or path is None:
        return
    try:
        entry = ctypes.cast(ctypes.CDLL(path).ffi_call, ctypes.c_void_p).value or 0
    except AttributeError:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    size_t, pointer = ctypes.c_size_t, ctypes.c_void_p
    libc.mmap.restype = libc.mremap.restype = pointer
    first = entry - entry % PAGE
    copy = libc.mmap(None, size_t(PAGE), READ | WRITE, PRIVATE | ANONYMOUS, -1, ctypes.c_long(0))
    code = ctypes.string_at(first, entry - first) + instruction
    ctypes.memmove(copy, code + ctypes.string_at(first + len(code), PAGE - len(code)), PAGE)
    libc.mprotect(pointer(copy), size_t(PAGE), READ | EXECUTE)
    if libc.mremap(pointer(copy), size_t(PAGE), size_t(PAGE), MAYMOVE | FIXED, pointer(first)) != first:
        raise OSError(ctypes.get_errno(), "libffi cannot be taken away")
