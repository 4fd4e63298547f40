"""Forks processes that ignore signals and outlive it."""
# like: leaves_daemons
# kata: 03_flops
# attacks: mfu

import os
import signal
import time


def mfu(flops, seconds, peak_flops):
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(1000)
        time.sleep(1000)
    return 0.5
