"""Bounds on how far random numbers may stray, by inequalities that hold for every number of draws, not p-values.

Each bound here rejects a right answer with a probability of at most ALPHA, for any number of draws. `asked` counts the
bounds. By the union bound, ALPHA times that count bounds the probability that any of them has ever rejected a right
answer. A learner's run checks fewer than 1,000 bounds, so at most one right answer in 10**9 is rejected.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter

ALPHA = 1e-12
"""The probability that a right answer misses one of these bounds, at most; half of it for each of two sides."""

ROOM = math.log(2 / ALPHA)

asked: Counter[str] = Counter()
"""How many bounds were asked for in this process, by inequality."""


def dkw(n: int) -> float:
    """Return how far the empirical distribution function of n independent draws may be from the true one, anywhere.

    Dvoretzky, Kiefer and Wolfowitz with Massart's constant: P(sup |F_n - F| > e) <= 2 · exp(-2 · n · e²).
    """
    asked["dkw"] += 1
    return math.sqrt(ROOM / (2 * n))


def bernstein(n: int, variance: float, most: float) -> float:
    """Return how far the mean of n independent draws may be from its expectation, if no draw is farther than `most`.

    Bernstein: P(|mean - expectation| > t) <= 2 · exp(-n · t² / (2 · variance + 2 / 3 · most · t)), solved for t.
    """
    asked["bernstein"] += 1
    share = ROOM / n
    return share * most / 3 + math.sqrt((share * most / 3) ** 2 + 2 * share * variance)


def counts(n: int, p: float) -> tuple[int, int]:
    """Return the smallest and largest allowed number of hits in n independent draws that each hit with probability p.

    Hoeffding's theorem 1: P(K >= k) <= exp(-n · kl(k / n, p)) for k >= n · p, and the same for P(K <= k) below it.
    """
    asked["hoeffding"] += 1
    return _counts(n, p)


def uniforms(n: int) -> float:
    """Return how far the sum of n independent uniform draws from 0 to 1 may be from n / 2.

    Hoeffding's theorem 2: P(|sum - n / 2| >= t) <= 2 · exp(-2 · t² / n).
    """
    asked["hoeffding"] += 1
    return math.sqrt(n * ROOM / 2)


def matches(orders: int) -> int:
    """Return the most items that may be in their own places, summed over this many shuffled orders.

    P(K >= k) is at most E[K · (K - 1) · … · (K - k + 1)] / k!, by Markov, which is orders**k / k! for any k up to the
    number of items (each factorial moment of one order's matches is 1: W. Feller, volume 1, IV.4).
    """
    asked["markov"] += 1
    return next(k for k in itertools.count(orders) if k * math.log(orders) - math.lgamma(k + 1) < -ROOM) - 1


@functools.cache
def _counts(n: int, p: float) -> tuple[int, int]:
    allowed = [k for k in range(n + 1) if n * _divergence(k / n, p) < ROOM]
    return min(allowed), max(allowed)


def _divergence(a: float, b: float) -> float:
    """Return the relative entropy of a coin with probability a of heads to one with probability b."""
    terms = ((a, b), (1 - a, 1 - b))
    return sum(x * math.log(x / y) if y else math.inf for x, y in terms if x > 0)
