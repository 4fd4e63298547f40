"""Never answers, in Python."""
# kata: 03_flops
# attacks: mfu
# seconds: 2


def mfu(flops, seconds, peak_flops):
    while True:
        pass
