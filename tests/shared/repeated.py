"""Programs that draw random numbers, then others, and then the first ones again from the same state."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from torch import Tensor

from dojo.judging.expect import Mismatch, expect_each

from .described import Lines
from .random_states import SEEDED, next_numbers
from .shapes import pick


class Again(NamedTuple):
    """A program that draws `x`, then `y`, and then `z` as `x` was drawn; and the last seed of the global states."""

    lines: Lines
    seed: int
    has_generator: bool

    @property
    def untouched(self) -> dict[str, object]:
        """The next numbers of the global states, if nothing may have been drawn from them; else {}."""
        return next_numbers(self.seed) if self.has_generator else {}

    @property
    def watched(self) -> Lines:
        """The expressions to watch."""
        return ["x", "y", "z", *self.untouched]


def by_name(draw: DrawFn, generator: str) -> str:
    """Draw how the generator is passed as the last argument: by position or by name."""
    return pick(draw, (generator, f"generator={generator}"))


def drawn_again(draw: DrawFn, made: str, numbers: Lines) -> Again:
    """Draw a program whose calls begin with `made`, and may get a generator as one more argument.

    numbers: the lines that turn the results into tensors.
    """
    seed = draw(st.integers(0, 9999))
    first, last = draw(st.integers(10_000, 10_999)), draw(st.integers(11_000, 11_999))  # none of a generator's
    if draw(st.booleans()):
        lines = [SEEDED.format(first), f"g = torch.Generator().manual_seed({seed})"]
        lines += [f"{name} = {made}, {by_name(draw, 'g')})" for name in "xy"]
        lines += [SEEDED.format(last), f"z = {made}, torch.Generator().manual_seed({seed}))"]
        return Again([*lines, *numbers], last, True)
    others = "np.random.seed({0}), random.seed({0})"
    lines = [others.format(first), f"torch.manual_seed({seed})", f"x = {made})", f"y = {made})"]
    lines += [others.format(last), f"torch.manual_seed({seed})", f"z = {made})"]
    return Again([*lines, *numbers], last, False)


def expect_again(seen: Any, case: Again) -> None:
    """Fail unless the third draw equals the first, the second does not, and no other state was drawn from."""
    for name in "xyz":
        if type(seen) is not dict or type(seen[name]) is not Tensor:
            raise Mismatch(seen[name] if type(seen) is dict else seen, "a tensor", "should be", of=name)
    x, y, z = (seen[name] for name in "xyz")
    if not torch.equal(x, z):
        raise Mismatch(False, "True", "should be", True, of="torch.equal(x, z)")
    # Two numbers agree by chance with a probability of at most 2**-12; half of 128 agree with one below 10**-12.
    if x.shape != y.shape or 2 * (x == y).sum() > x.numel():
        raise Mismatch(int((x == y).sum()), "0, or a few", "should be", of="(x == y).sum().item()")
    expect_each(seen, case.untouched, "untouched")
