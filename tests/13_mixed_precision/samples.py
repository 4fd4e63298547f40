"""What rounded numbers have to satisfy, and with which probability right ones do not.

Shares are checked with Bernstein's inequality of tests/shared/chance.py, which rejects a right answer with a
probability of at most 10**-12 for each number. Calls that are too even are checked with Hoeffding's, just as rarely.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from dojo.judging.expect import Mismatch
from dojo.seam.data import shown

from ..shared import chance
from . import truth


def _expect_tensor(rounded: Any, name: str, right: Tensor) -> None:
    if type(rounded) is not Tensor or rounded.dtype != torch.bfloat16 or rounded.shape != right.shape:
        want = f"a bfloat16 tensor of shape {tuple(right.shape)}"
        raise Mismatch(rounded, want, "should be", right, of=name)


def expect_neighbours(rounded: Any, x: Tensor, right: Tensor) -> None:
    """Fail unless each number is one of the two neighbors of the number it came from; `right` is a right answer.

    0 keeps its sign; whether a negative number becomes 0.0 or -0.0 is left open.
    """
    _expect_tensor(rounded, "rounded", right)
    wide = rounded.float().flatten()
    near, away = (side.flatten() for side in truth.neighbours(x))
    flat = x.flatten()
    kept = (flat != 0) | (wide.signbit() == flat.signbit())
    wrong = (~(((wide == near) | (wide == away)) & kept)).nonzero()
    if not len(wrong):
        return
    place = int(wrong[0])
    both = dict.fromkeys((near[place].item(), away[place].item()))
    want = " or ".join(map(shown, both))
    of = f"rounded.flatten()[{place}].item()" if rounded.ndim else "rounded.item()"
    raise Mismatch(wide[place].item(), want, "should be", right.flatten()[place].item(), of=of)


def expect_shares(rounded: Tensor, numbers: tuple[float, ...], rounds: tuple[int, ...]) -> None:
    """Fail unless each number, which has its own part, was rounded away from 0 about as often as it should be."""
    first = 0
    for number, n in zip(numbers, rounds, strict=True):
        p = truth.chances(torch.tensor(number)).item()
        # Each of n independent rounds is 1 or 0, with the variance p · (1 - p).
        room = n * chance.bernstein(n, p * (1 - p), 1.0) if 0 < p < 1 else 0.0
        part = rounded[first : first + n].float()
        went = int((part.abs() > abs(number)).sum())
        if abs(went - n * p) > room:
            of = f"(rounded[{first}:{first + n}].abs() > {abs(number)}).sum().item()"
            raise Mismatch(went, f"{n} · {p:.4g} = {n * p:.4g}, or {room:.4g} more or less", "should be", of=of)
        first += n


def expect_ups(ups: int, number: float, n: int) -> None:
    """Fail unless a number that seldom goes away from 0 did so about as often as it should, and at least once.

    Of 32 ups that are expected, Bernstein's inequality allows none, so its side below them is free for the exact
    probability of none, (1 - p)**n, which is less than 10**-13: half of what it allows for a side.
    """
    p = truth.chances(torch.tensor(number)).item()
    room = n * chance.bernstein(n, p * (1 - p), 1.0)
    if not 0 < ups <= n * p + room:
        want = f"{n} · {p:.4g} = {n * p:.4g}, or up to {room:.4g} more, and at least 1"
        raise Mismatch(ups, want, "should be", of="ups")


def expect_drawn_anew(seen: Any, right: dict[str, Any]) -> None:
    """Fail unless the same seed gave the same result, and other seeds, calls, rows, columns and places did not.

    Two numbers agree with a probability of at most 0.68. All 4096, or all rows but one, agree with less than 10**-600;
    the first 512 agree with those a number of places later with less than 10**-80, for any such number.
    """
    for name, want in right.items():
        _expect_tensor(seen[name], name, want)
    rounded = seen["rounded"]
    if not torch.equal(seen["again"], rounded):
        raise Mismatch(False, "True", "should be", True, of="torch.equal(again, rounded)")
    for name in ("second", "other"):
        if torch.equal(seen[name], rounded):
            raise Mismatch(True, "False", "should be", False, of=f"torch.equal({name}, rounded)")
    for dim in range(rounded.ndim):
        if (rounded == rounded.narrow(dim, 0, 1)).all():
            of = f"(rounded == rounded[{':, ' * dim}:1]).all().item()"
            raise Mismatch(True, "False", "should be", False, of=of)
    flat = rounded.flatten()
    same = (flat == flat[0]).numpy().tobytes()
    places = same.find(same[:512], 1)
    if places > 0:
        of = f"torch.equal(rounded.flatten()[{places}:{places + 512}], rounded.flatten()[:512])"
        raise Mismatch(True, "False", "should be", False, of=of)


def expect_no_pairs(rounded: Tensor, number: float) -> None:
    """Fail unless equal numbers go the same way as often as if each has its own draw, in pairs that are apart.

    The pairs are neighbors, the same places of both halves, and places that are as far from both ends.
    """
    p = truth.chances(torch.tensor(number)).item()
    alike = p * p + (1 - p) * (1 - p)
    flat = rounded.flatten()
    half = len(flat) // 2
    pairs = {
        "rounded.flatten()[::2] == rounded.flatten()[1::2]": flat[::2] == flat[1::2],
        f"rounded.flatten()[:{half}] == rounded.flatten()[{half}:]": flat[:half] == flat[half:],
        f"(rounded.flatten() == rounded.flatten().flip(0))[:{half}]": (flat == flat.flip(0))[:half],
    }
    for of, same in pairs.items():
        room = half * chance.bernstein(half, alike * (1 - alike), 1.0)
        found = int(same.sum())
        if abs(found - half * alike) > room:
            want = f"{half} · {alike:.4g} = {half * alike:.4g}, or {room:.4g} more or less"
            raise Mismatch(found, want, "should be", of=f"({of}).sum().item()")


def expect_tosses(tosses: Any, right: list[Tensor], number: float) -> None:
    """Fail if exactly half of the numbers half way between their neighbors go away from 0 in nearly every call.

    If each has its own draw, exactly half do so with the probability of as many heads as tails.
    """
    if type(tosses) is not list or len(tosses) != len(right):
        raise Mismatch(tosses, f"a list of {len(right)} tensors", "should be", right, of="tosses")
    for place, (rounded, want) in enumerate(zip(tosses, right, strict=True)):
        _expect_tensor(rounded, f"tosses[{place}]", want)
    went, example = ([int((rounded.float() > number).sum()) for rounded in each] for each in (tosses, right))
    coins = right[0].numel()
    _, most = chance.counts(len(right), math.comb(coins, coins // 2) / 2**coins)
    if went.count(coins // 2) > most:
        few = f"{coins // 2} in {most} of {len(right)} calls at most, as in {shown(example)}"
        raise Mismatch(went, few, "should be", example, of=f"[(toss > {number}).sum().item() for toss in tosses]")


def expect_own_numbers(rounded: Tensor, number: float, first: int, last: int) -> None:
    """Fail if a number that goes away from 0 once in 2000 times always does so again a fixed number of places later.

    At least 32 of them are checked: all do so with a probability of less than 10**-100 for each number of places.
    """
    went = (rounded[first:last].float().abs() > abs(number)).nonzero().flatten().tolist()
    for places in (place - went[0] for place in went[1:]):
        moved = {place + places for place in went if place + places < last - first}
        if len(moved) >= 32 and moved.issubset(went):
            up = f"rounded[{first}:{last - places}].abs() > {abs(number)}"
            of = f"(rounded[{first + places}:{last}][{up}].abs() > {abs(number)}).all().item()"
            raise Mismatch(True, "False", "should be", False, of=of)
