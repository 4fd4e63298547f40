"""Tests of the bounds on random numbers, by hand and against exact probabilities."""

import math

import pytest

from . import chance


def binomial(n, p, ks):
    """Return the probability that the number of hits in n draws is one of `ks`."""
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in ks)


def test_the_bound_on_distributions_by_hand():
    """ln(2 · 10**12) is 28.324, and over 2 · 8192 draws the root of it is 0.0416."""
    assert chance.dkw(8192) == pytest.approx(0.041578, abs=1e-6)
    assert 2 * math.exp(-2 * 50 * chance.dkw(50) ** 2) == pytest.approx(chance.ALPHA)


@pytest.mark.parametrize(("n", "variance", "most"), [(8192, 2.0, 9.0), (4, 0.1, 1.0), (100, 0.0, 1.0)])
def test_the_bound_on_means_has_the_probability_that_it_says(n, variance, most):
    """The bound, put back into Bernstein's inequality, gives ALPHA."""
    t = chance.bernstein(n, variance, most)
    assert 2 * math.exp(-n * t**2 / (2 * variance + 2 / 3 * most * t)) == pytest.approx(chance.ALPHA)


@pytest.mark.parametrize(("n", "p"), [(200, 0.5), (60, 0.01), (1000, 1e-6), (300, 0.9)])
def test_the_bound_on_counts_holds_exactly(n, p):
    """By the binomial distribution, each side outside of it has at most half of ALPHA."""
    least, most = chance.counts(n, p)
    assert least <= n * p <= most
    assert binomial(n, p, range(least)) <= chance.ALPHA / 2
    assert binomial(n, p, range(most + 1, n + 1)) <= chance.ALPHA / 2


def test_the_bound_on_sums_has_the_probability_that_it_says():
    """Put back into Hoeffding's inequality, it gives ALPHA. By hand for 65,536 draws: the root of 32,768 · 28.324."""
    assert chance.uniforms(2**16) == pytest.approx(963.4, abs=0.1)
    assert 2 * math.exp(-2 * chance.uniforms(50) ** 2 / 50) == pytest.approx(chance.ALPHA)


def test_the_bound_on_matches_holds_exactly():
    """For one order of 20 items, by the exact numbers of arrangements. By hand, 16! is the first above 2 · 10**12."""
    most = chance.matches(1)
    assert math.factorial(most) < 2 / chance.ALPHA < math.factorial(most + 1)
    moved = [sum((-1) ** i * math.factorial(n) // math.factorial(i) for i in range(n + 1)) for n in range(21)]
    ways = sum(math.comb(20, k) * moved[20 - k] for k in range(most + 1, 21))
    assert ways / math.factorial(20) <= chance.ALPHA
    assert chance.matches(16) == 64  # 16**65 / 65! is 2.2e-13, and 16**64 / 64! is 9.1e-13


def test_counts_of_what_is_certain_and_of_what_is_not_there():
    """All draws, and none."""
    assert chance.counts(10, 1.0) == (10, 10)
    assert chance.counts(10, 0.0) == (0, 0)


def test_each_bound_is_counted():
    """The nightly search reports the count."""
    before = chance.asked.total()
    chance.dkw(10)
    chance.bernstein(10, 1.0, 1.0)
    chance.counts(10, 0.5)
    chance.counts(10, 0.5)
    assert chance.asked.total() == before + 4
