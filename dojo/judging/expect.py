"""How a property says what it wants: a mismatch carries what came and what torch says, for the report to tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import is_hypothesis_test

from dojo.judging.pictures import Picture
from dojo.seam.data import Error, Words, same, shown, unlike
from dojo.seam.seam import Raised, Seam

Draw = Callable[[], Picture | None]
"""Makes the picture of a failing example; it may ask the learner's function for more, and is called on failure only."""


class Mismatch(AssertionError):
    """An answer that is not what torch says.

    got: the result, or the Error that was raised. want: the right result, in words. says: who says so, or "for example"
    where another one would be right as well. of: what the result is the value of, where a program has several. draw:
    how the example looks. It keeps the call that it is about: hypothesis may run other examples before the failure is
    told.
    """

    def __init__(
        self, got: object, want: str, says: str, wanted: object = None, of: str = "", draw: Draw | None = None
    ):
        super().__init__(f"got {got if isinstance(got, Error) else shown(got)}, {says} {want}")
        self.of = of
        self.got = got
        self.want = want
        self.says = says
        self.wanted = wanted
        self.call = Seam.latest
        self.picture = draw() if draw else None


def expect(
    answer: object, truth: object, says: str = "torch says", *, rel: float = 0.0, draw: Draw | None = None
) -> None:
    """Fail unless the answer is the truth: exact in type and value, floats to a relative tolerance of `rel`."""
    __tracebackhide__ = True
    if not same(answer, truth, rel):
        raise Mismatch(answer, shown(truth), says, truth, draw=draw)


def expect_floats(answer: object, truth: object, says: str = "torch says", *, draw: Draw | None = None) -> None:
    """Fail unless the answer is the truth to the bit: NaN is NaN, and -0.0 is not 0.0."""
    __tracebackhide__ = True
    if not same(answer, truth, bits=True):
        want = f"{shown(truth)} and not {shown(answer)}" if same(answer, truth) else shown(truth)
        raise Mismatch(answer, want, says, truth, draw=draw)


def expect_each(values: Any, truth: dict[str, object], says: str = "torch says", *, rel: float = 0.0) -> None:
    """Fail unless every value that a program left is the true one, by the names that both give them.

    Where the truth is Words, `is empty` for one, so is the text that came, and each is told behind its name. Of a list
    or a tensor that is too long to be told, the first item that is wrong is told.
    """
    __tracebackhide__ = True
    if not isinstance(values, dict):  # nothing that a program leaves: every true value is told
        raise Mismatch(values, "\n".join(_named(name, want) for name, want in truth.items()), says)
    for name, want in truth.items():
        if name not in values:
            raise Mismatch(Words("not there"), shown(want), says, of=name)
        if isinstance(want, Words):
            got = Words(values[name]) if type(values[name]) is str else values[name]
            if not same(got, want):
                raise Mismatch(Words(_named(name, got)), _named(name, want), says)
        elif not same(values[name], want, rel):
            place, got, want = unlike(values[name], want, rel)
            raise Mismatch(got, shown(want), says, want, of=name + place)


def _named(name: str, value: object) -> str:
    return f"{name} {'' if isinstance(value, Words) else '= '}{shown(value)}"


def expect_that(
    holds: bool, answer: object, right: object, says: str = "for example", *, draw: Draw | None = None
) -> None:
    """Fail unless the condition on the answer holds; `right` is an answer for which it does."""
    __tracebackhide__ = True
    if not holds:
        raise Mismatch(answer, shown(right), says, right, draw=draw)


def expect_error(error: type[Exception], call: Callable[..., Any], *args: object, because: str) -> None:
    """Fail unless the call raises that error, or a subclass of it; `because` says what is wrong with the arguments."""
    __tracebackhide__ = True
    got: object
    try:
        got = call(*args)
    except Raised as raised:
        if error.__name__ in raised.error.bases:
            return
        got = raised.error
    raise Mismatch(got, f"{error.__name__}: {because}", "should raise")


def grades(*functions: str, device: str = "", stays: str = "") -> Callable[[Any], Any]:
    """Say of a property which functions it judges.

    `device` names the only kind of device on which it means something. `stays` says why a property is kept although
    every misconception that it rejects is rejected by the others too.
    """

    def mark(test: Any) -> Any:
        if is_hypothesis_test(test) and not hasattr(test, "strategies"):
            raise TypeError(
                f"{test.__name__} cannot be drawn anew: expected the given of dojo.judging.examples, got hypothesis'"
            )
        test.grades = functions
        test.only_device = device
        test.stays = stays
        return test

    return mark
