"""Ends its process with status 0 instead of answering."""
# like: exits_with_zero
# kata: 03_flops
# attacks: mfu

import os


def mfu(flops, seconds, peak_flops):
    os._exit(0)
