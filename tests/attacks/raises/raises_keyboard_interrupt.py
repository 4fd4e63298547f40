"""Raises what would stop the judge itself, if it ran there."""
# like: raises_base_exceptions
# kata: 03_flops
# attacks: mfu


def mfu(flops, seconds, peak_flops):
    raise KeyboardInterrupt
