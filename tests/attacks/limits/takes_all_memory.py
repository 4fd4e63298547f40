"""Many processes that take all the memory there is."""
# kata: 03_flops
# attacks: mfu
# seconds: 2

import os


def mfu(flops, seconds, peak_flops):
    for _ in range(20):
        if os.fork() == 0:
            break
    kept = []
    while True:
        kept.append(bytearray(10**8))
