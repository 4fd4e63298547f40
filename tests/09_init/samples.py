"""What a sample of truncated normal numbers has to show, and with which probability a right one does not.

Nothing here rests on how a normal number is made, or on how many there are: each bound is one of tests/shared/chance.py
and turns a right answer away with a probability of at most 10**-12.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from dojo.judging.expect import Mismatch

from ..shared import chance
from . import truth

FLOAT32 = 1e-6
"""How far a number may be off by the rounding of float32, relatively."""
OUTER = 0.9
"""What lies beyond this share of the cut is counted."""
DISTINCT = 0.9
"""The least share of different sizes |x|. No float32 is drawn with a probability above 2**-20, so each of 10,000
numbers repeats an earlier one, or its negative, with less than 1 in 50. That one in ten do has then, by Hoeffding's
theorem 1, a probability below exp(-n · kl(0.1, 0.02)) = exp(-0.08 · n): less than 10**-12 from 350 numbers on."""

ZEROS = 4
"""The most numbers that are exactly 0. Each is with a probability of at most 2**-20, so of 10,000 numbers five are with
less than (10,000 over 5) · 2**-100 < 10**-12."""


def expect_sample(x: Any, name: str, std: float, cut: float) -> None:
    """Fail unless these numbers can be normal ones with that standard deviation, drawn again beyond ±cut · std.

    name: that of the numbers in the program.
    """
    z = (x.double() / std).flatten()
    n = z.numel()
    _expect_within(x, name, std, cut)
    _expect_distinct(z, name)
    _expect_spread(z, name, std, cut)
    _expect_counts(z, name, std, cut)
    _expect_distribution(z, name, std, cut)
    # Of two independent numbers, each is the larger one as often as the other.
    least, most = chance.counts(n // 2, 0.5)
    ascents = int((z[1::2] > z[: n // 2 * 2 : 2]).sum())
    _expect_count(ascents, f"({name}.flatten()[1::2] > {name}.flatten()[::2]).sum().item()", least, most)
    _expect_gaps(z, name, std, cut)


def _expect_within(x: Tensor, name: str, std: float, cut: float) -> None:
    most = cut * std * (1 + FLOAT32)
    if not bool((x.double().abs() <= most).all()):  # NaN is not within anything
        largest = float(f"{float(x.abs().max()):.6g}")
        raise Mismatch(largest, f"at most {cut * std:.6g}", "should be", of=f"{name}.abs().max().item()")


def expect_shape(x: Any, name: str, shape: tuple[int, ...]) -> None:
    """Fail unless it is a float32 tensor of that shape."""
    if type(x) is not Tensor or x.dtype != torch.float32 or x.shape != shape:
        raise Mismatch(x, f"a float32 tensor of shape {shape}", "should be", torch.zeros(shape), of=name)


def expect_spread(x: Tensor, name: str, std: float, cut: float) -> None:
    """Fail unless their root mean square can be that of normal numbers drawn again beyond ±cut · std.

    Bernstein's bound holds for any number of them; DISTINCT and ZEROS, which are for 10,000 or fewer, are not asked.
    """
    _expect_within(x, name, std, cut)
    _expect_spread((x.double() / std).flatten(), name, std, cut)


def expect_none_beyond(x: Tensor, name: str, std: float, cut: float) -> None:
    """Fail where a number lies beyond ±cut · std."""
    if x.numel():
        _expect_within(x, name, std, cut)


def _expect_distinct(z: Tensor, name: str) -> None:
    least = math.ceil(DISTINCT * z.numel())
    distinct = z.abs().unique().numel()
    if distinct < least:
        raise Mismatch(distinct, f"{least} or more", "should be", of=f"{name}.abs().unique().numel()")
    zeros = int((z == 0).sum())
    if zeros > ZEROS:
        raise Mismatch(zeros, f"{ZEROS} or fewer", "should be", of=f"({name} == 0).sum().item()")


def _expect_spread(z: Tensor, name: str, std: float, cut: float) -> None:
    variance = truth.moment(cut, 2)
    # The squares lie between 0 and cut²; the rounding to float32 moves them by less than what is added.
    room = chance.bernstein(z.numel(), truth.moment(cut, 4) - variance**2, cut**2) + 3 * FLOAT32 * cut**2
    squares = float(z.square().mean())
    if abs(squares - variance) > room:
        least, most = (std * math.sqrt(max(0.0, variance + side * room)) for side in (-1, 1))
        want = f"from {least:.4g} to {most:.4g}"
        raise Mismatch(
            float(f"{std * math.sqrt(squares):.4g}"), want, "should be", of=f"{name}.square().mean().sqrt().item()"
        )


def _expect_counts(z: Tensor, name: str, std: float, cut: float) -> None:
    """As many lie near the cut as should: none pile up there, and it is no narrower one."""
    n = z.numel()
    for inner, rounding in ((OUTER, 0.0), (1 - FLOAT32, FLOAT32)):
        from_here = torch.tensor(inner - rounding, dtype=torch.float64) * cut
        least, most = chance.counts(n, 2 * float(1 - truth.share(from_here, cut)))
        count = int((z.abs() > inner * cut).sum())
        place = f"{inner:.6g} * {cut * std:.6g}"
        _expect_count(count, f"({name}.abs() > {place}).sum().item()", 0 if rounding else least, most)


def _expect_count(count: int, of: str, least: int, most: int) -> None:
    if not least <= count <= most:
        raise Mismatch(count, f"from {least} to {most}", "should be", of=of)


def _expect_gaps(z: Tensor, name: str, std: float, cut: float) -> None:
    """Of n intervals that are equally likely, independent numbers leave some empty: about one in e.

    With at most n + 2 intervals in reach, the expected number of those that are hit is largest if they are equally
    likely, and each number changes it by one at most. McDiarmid: P(hit - expected >= t) <= exp(-2 · t² / n).
    """
    chance.asked["mcdiarmid"] += 1
    n = z.numel()
    most = int((n + 2) * (1 - (1 - 1 / (n + 2)) ** n) + math.sqrt(n * chance.ROOM / 2))
    scale = float(f"{n / math.erf(cut / math.sqrt(2)):.6g}")
    hit = (torch.special.ndtr(z) * scale).floor().unique().numel()
    if hit > most:
        of = f"(torch.special.ndtr({name}.double() / {std:.6g}) * {scale:.6g}).floor().unique().numel()"
        raise Mismatch(hit, f"{most} or fewer", "should be", of=of)


def _expect_distribution(z: Tensor, name: str, std: float, cut: float) -> None:
    """The share of numbers up to any place is near its probability."""
    ordered = z.sort().values
    n = z.numel()
    right = truth.share(ordered, cut)
    places = torch.arange(n + 1, dtype=torch.float64) / n
    off, at = torch.maximum(places[1:] - right, right - places[:-1]).max(0)
    room = chance.dkw(n) + FLOAT32
    if off > room:
        place = float(f"{float(ordered[at]) * std:.6g}")
        up_to = float((z * std <= place).double().mean())
        want = f"{float(right[at]):.3f}, or {room:.3f} more or less"
        raise Mismatch(round(up_to, 3), want, "should be", of=f"({name} <= {place}).double().mean().item()")
