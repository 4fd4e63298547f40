"""How a property says what it expects. A Mismatch carries what came and what torch says, for the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import is_hypothesis_test

from dojo.judging.pictures import Picture
from dojo.seam.data import Error, Words, same, shown, unlike
from dojo.seam.seam import Raised, Seam

Draw = Callable[[], Picture | None]
"""Makes the picture of a failing example. It may call the learner's function again, and is called only on failure."""


class Mismatch(AssertionError):
    """An answer that is not what torch says.

    got: the result, or the Error that was raised. want: the right result, in words. says: who says so, or "for example"
    if others would be right as well. of: the name of the value, if a program has several. draw: makes the picture. The
    call is kept as well, because hypothesis may run other examples before the failure is reported.
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
    """Fail unless the answer is the truth: exact in type and value, floats within a relative tolerance of `rel`."""
    __tracebackhide__ = True
    if not same(answer, truth, rel):
        raise Mismatch(answer, shown(truth), says, truth, draw=draw)


def expect_floats(answer: object, truth: object, says: str = "torch says", *, draw: Draw | None = None) -> None:
    """Fail unless the answer is the truth to the bit: NaN equals NaN, and -0.0 does not equal 0.0."""
    __tracebackhide__ = True
    if not same(answer, truth, bits=True):
        want = f"{shown(truth)} and not {shown(answer)}" if same(answer, truth) else shown(truth)
        raise Mismatch(answer, want, says, truth, draw=draw)


def expect_each(values: Any, truth: dict[str, object], says: str = "torch says", *, rel: float = 0.0) -> None:
    """Fail unless every named value of a program is the true one.

    If the truth is Words, such as `is empty`, a text that came counts as Words too, and each is shown after its name.
    Of a list or a tensor that is too long to show, the first wrong item is shown.
    """
    __tracebackhide__ = True
    if not isinstance(values, dict):  # not what a program returns: show every true value
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
    """Say which functions a property judges.

    `device` names the only kind of device on which it makes sense. `stays` says why the property is kept although other
    properties reject every misconception that it rejects.
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
