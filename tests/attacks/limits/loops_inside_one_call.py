"""Never answers, inside one call of C."""
# kata: 03_flops
# attacks: mfu
# seconds: 2


def mfu(flops, seconds, peak_flops):
    return sum(range(10**18))
