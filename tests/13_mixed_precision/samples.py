"""What rounded numbers have to show, and with which probability right ones do not.

The shares are held against Bernstein's inequality of tests/shared/chance.py, which turns a right answer away with a
probability of at most 10**-12 for each number.
"""

from __future__ import annotations

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
    """Fail unless each number is one of the two neighbours of what it came of; `right` is a right answer.

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
    """Fail unless of each number, in a part of its own, about as many went away from 0 as should."""
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


def expect_drawn_anew(seen: Any, right: dict[str, Any]) -> None:
    """Fail unless the same seed gave the same, and all else, and each row and column, something else.

    Two numbers agree with a probability of 0.68 at most: 4096 of them, or 63 rows of 64, with less than 10**-600.
    """
    for name, want in right.items():
        _expect_tensor(seen[name], name, want)
    rounded = seen["rounded"]
    if not torch.equal(seen["again"], rounded):
        raise Mismatch(False, "True", "should be", True, of="torch.equal(again, rounded)")
    for name in ("second", "other"):
        if torch.equal(seen[name], rounded):
            raise Mismatch(True, "False", "should be", False, of=f"torch.equal({name}, rounded)")
    firsts = {"rounded[:1]": rounded[:1]} | ({"rounded[:, :1]": rounded[:, :1]} if rounded.ndim > 1 else {})
    for of, first in firsts.items():
        if (rounded == first).all():
            raise Mismatch(True, "False", "should be", False, of=f"(rounded == {of}).all().item()")
