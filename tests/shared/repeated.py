"""Programs that draw random numbers, draw more, and draw the first ones again from the same state."""

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
    """A program that draws `x` and then `y`, and `z` as `x` was drawn; and the last seed of the global states."""

    lines: Lines
    seed: int
    has_generator: bool

    @property
    def untouched(self) -> dict[str, object]:
        """What the global states give afterwards, where nothing may be drawn from them."""
        return next_numbers(self.seed) if self.has_generator else {}

    @property
    def watched(self) -> Lines:
        """What has to be known of it."""
        return ["x", "y", "z", *self.untouched]


def by_name(draw: DrawFn, generator: str) -> str:
    """The generator as the last argument, by its place or by its name."""
    return pick(draw, (generator, f"generator={generator}"))


def drawn_again(draw: DrawFn, made: str, numbers: Lines) -> Again:
    """A program whose calls begin with `made`, to which a generator is one more argument.

    numbers: the lines that make tensors of what was returned.
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
    """Fail unless the third draw is the first again and the second is not, and nothing else was drawn from."""
    for name in "xyz":
        if type(seen) is not dict or type(seen[name]) is not Tensor:
            raise Mismatch(seen[name] if type(seen) is dict else seen, "a tensor", "should be", of=name)
    x, y, z = (seen[name] for name in "xyz")
    if not torch.equal(x, z):
        raise Mismatch(False, "True", "should be", True, of="torch.equal(x, z)")
    # Two numbers agree by chance with a probability of 2**-12 at most; so that half of 128 do has one below 10**-12.
    if x.shape != y.shape or 2 * (x == y).sum() > x.numel():
        raise Mismatch(int((x == y).sum()), "0, or a few", "should be", of="(x == y).sum().item()")
    expect_each(seen, case.untouched, "untouched")
