"""Raises what would stop the judge itself, if it ran there."""
# kata: 03_flops
# attacks: mfu


def mfu(flops, seconds, peak_flops):
    raise KeyboardInterrupt
