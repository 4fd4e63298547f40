"""What hypothesis draws for kata 21 of losses: cross_entropy, and the one in blocks."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick
from .typed import (
    AGAIN,
    BETWEEN,
    BOTH_CALLS,
    BY_K,
    EARLIER,
    KEEPING,
    MEASURES,
    PEAKS,
    WATCHING,
    Case,
    after,
    between,
    both,
    drawn,
    earlier,
    gives,
    lacks,
    tensor,
    twice_by_k,
    values,
)

SIZES = ((2, 3), (3, 2), (3, 5), (5, 3), (1, 3), (2, 2), (4, 4), (3, 1), (5, 2), (2, 300))
"""Rows and classes, once more of these than a byte tells apart."""

INDICES = (None, None, -100, -1, 0, 1, 7, 2**32)
"""What may stand for a row that is ignored, also what is 0 in int32; None is not said, and is -100."""


ZERO = "torch.tensor([0], dtype=torch.int64)"
"""The target of one row."""


def _targets(draw: DrawFn, n: int, v: int, ignored: int = -1, some: bool = False) -> str:
    """Classes, of which one row or more stays; where some are ignored, each is by chance."""
    seed = draw(st.integers(0, 999))
    classes = [(seed + 3 * row + seed // (row + 2)) % v for row in range(n)]
    if v > 256:
        classes = [256 + one % (v - 256) for one in classes]
    if v > 1:
        classes = [(one + 1) % v if one == ignored else one for one in classes]
    stays = draw(st.integers(0, n - 1)) if some else 0
    if some:
        classes = [ignored if row != stays and pick(draw, (False, True)) else one for row, one in enumerate(classes)]
    return f"torch.tensor({classes}, dtype=torch.int64)"


def _logits(draw: DrawFn, n: int, v: int, grad: bool) -> str:
    """Small ones, or up to 1e5 of either sign."""
    if v > 9:
        return f"torch.arange({n * v}, dtype=torch.float64).reshape({n}, {v}){'.requires_grad_()' if grad else ''}"
    by = pick(draw, (1.0, 1.0, 1.0, 50.0, 5e4))
    return tensor([number * by for number in values(draw, n * v)], (n, v), grad=grad)


BACK = ("loss.backward()", "loss.backward()", "(loss * 3).backward()", "(-0.5 * loss).backward()")


def _back(draw: DrawFn, call: str, leaves: Sequence[str]) -> Lines:
    """Lines that go back from the loss of a call, some of them twice: some add the second gradient to the first.

    Some go back through two calls with the same arguments.
    """
    if pick(draw, (False,) * 5 + (True,)):
        return both("loss", call)
    again = pick(draw, ("", "", "", "", "added", "apart"))
    first = "(loss * 2).backward(retain_graph=True)" if again == "added" else earlier("loss * 2", leaves)
    lines = [first] * bool(again)
    given: bool = pick(draw, (False, False, True))
    return [*lines, K, "loss.backward(k)"] if given else [*lines, pick(draw, BACK)]


K = "k = torch.tensor(2.5, dtype=torch.float64)"
"""A gradient for the loss, which is somebody's tensor."""


def _ignores(case: Case) -> bool:
    """Whether a row is ignored."""
    call = next(line for line in case.lines if "cross_entropy(" in line and "=" in line)
    said = call.rpartition(", ")[2].rstrip(")").removeprefix("ignore_index=")
    index = said if said.lstrip("-").isdigit() else "-100"
    classes = next(line for line in case.lines if line.startswith("targets = "))
    return index in classes.partition("[")[2].partition("]")[0].split(", ")


def _index(draw: DrawFn, v: int) -> tuple[int, str]:
    index = pick(draw, INDICES)
    if v == 1 and index == 0:  # every row would be ignored
        index = -1
    value = -100 if index is None else index
    return value, "" if index is None else pick(draw, (f", {index}", f", ignore_index={index}"))


@functools.cache
@classes(
    {
        "a row is ignored": _ignores,
        "no row is": lambda case: not _ignores(case),
        "ignored by 0": gives(", 0)", "ignore_index=0)"),
        "ignored by -1": gives(", -1)", "ignore_index=-1)"),
        "by -100, which is not said": gives("targets)"),
        "by 2**32": gives(f", {2**32})", f"ignore_index={2**32})"),
        "huge logits": gives("00000.0", "50000.0", "5000.0", "7500.0", "2500.0"),
        "one row": lambda case: "], [" not in case.lines[0] and "arange" not in case.lines[0],
        "many classes": gives("arange"),
        "a scaled loss": gives("(loss * 3)", "(-0.5"),
        "twice": AGAIN,
        "first gradients kept": EARLIER,
        "two calls": BOTH_CALLS,
        "another call between": BETWEEN,
        "nothing requires grad": lacks("requires_grad"),
    }
)
def losses() -> SearchStrategy[Case]:
    """Programs that compute a loss, and go back."""
    return _losses()


def _loss_lines(draw: DrawFn, grad: bool = True) -> tuple[Lines, str]:
    n, v = pick(draw, SIZES)
    index, said = _index(draw, v)
    some = pick(draw, (True, True, False))
    made = [f"logits = {_logits(draw, n, v, grad)}", f"targets = {_targets(draw, n, v, index, some)}"]
    return made, f"cross_entropy(logits, targets{said})"


@st.composite
def _losses(draw: DrawFn) -> Case:
    grad = pick(draw, (True,) * 7 + (False,))
    made, call = _loss_lines(draw, grad)
    lines = [*made, f"loss = {call}"]
    if grad:
        same = call.replace("logits", "-logits.detach()")
        lines += between(draw, f"cross_entropy({tensor([1.0, 2.0], (1, 2))}, {ZERO}, 1)", same)
        lines += _back(draw, call, ["logits"])
    return Case(lines, after(lines, "loss", "loss.requires_grad", "logits.grad", "logits", "targets", "k"))


@functools.cache
@classes(
    {
        "a row is ignored": _ignores,
        "no row is": lambda case: not _ignores(case),
        "more classes than two numbers have bytes": gives("arange"),
    }
)
def kept_logits() -> SearchStrategy[Case]:
    """Programs that look at what the loss keeps."""
    return _kept_logits()


@st.composite
def _kept_logits(draw: DrawFn) -> Case:
    n, v = pick(draw, ((2, 3), (3, 5), (4, 4), (5, 3), (2, 40), (3, 20)))
    index, said = _index(draw, v)
    lines = [MEASURES, f"logits = {_waves(n, v, 7, True) if v > 9 else drawn(draw, (n, v), grad=True)}"]
    lines += [f"targets = {_targets(draw, n, v, index, draw(st.booleans()))}", KEEPING]
    lines += [f"    loss = cross_entropy(logits, targets{said})"]
    hidden = f"hidden(lambda x, t: cross_entropy(x, t{said}), logits, targets)"
    return Case(lines, ["not_yours(loss)", hidden], {"kept.bytes": 8 * (n * v + n + n)})


@functools.cache
@classes({"a row is ignored": _ignores, "no row is": lambda case: not _ignores(case), "by k as well": BY_K})
def losses_twice() -> SearchStrategy[Case]:
    """Programs that go backward through the loss, and through that once more."""
    return _losses_twice()


@st.composite
def _losses_twice(draw: DrawFn) -> Case:
    n, v = pick(draw, ((2, 3), (3, 2), (1, 3)))
    index, said = _index(draw, v)
    lines = [MEASURES, f"logits = {drawn(draw, (n, v), grad=True)}"]
    lines += [f"targets = {_targets(draw, n, v, index, draw(st.booleans()))}"]
    lines += [f"k = torch.tensor({pick(draw, ('1.0', '2.5', '-3.0'))}, dtype=torch.float64)"]
    return twice_by_k(draw, lines, f"cross_entropy(logits, targets{said})", "logits")


# linear_cross_entropy

BLOCKS = (
    *((3, 2, 5, 2), (4, 3, 5, 2), (5, 2, 7, 2), (5, 3, 8, 3), (2, 3, 7, 1), (3, 4, 6, 3), (2, 3, 5, 4)),
    *((5, 2, 3, 4), (1, 3, 5, 1), (3, 1, 4, 2), (3, 2, 5, 100), (7, 2, 9, 3), (4, 2, 1, 3)),
    *((3, 0, 4, 2), (2, 1, 300, 1), (3, 1, 300, 2)),
)
"""Rows, inputs, classes, and rows at a time; once more classes than a byte tells apart."""
WIDE = (
    *((5, 2, 7, 2), (6, 2, 9, 2), (4, 2, 8, 1), (5, 3, 9, 3), (7, 2, 9, 3), (6, 3, 11, 2), (3, 2, 9, 4), (8, 2, 9, 1)),
    *((3, 1, 8, 1), (3, 1, 40, 5), (4, 1, 40, 2)),
)
"""Those of which all logits are more than whatever else there is, but where rows is more than n."""


def _blocks(draw: DrawFn, sizes: tuple[int, ...], grads: tuple[bool, ...]) -> tuple[Lines, str]:
    n, d, v, rows = sizes
    by = pick(draw, (1.0, 1.0, 1.0, 20.0, 2000.0))
    x = tensor([number * by for number in values(draw, n * d)], (n, d), grad=grads[0])
    lines = [f"x = {x}", f"weight = {_weight(draw, v, d, grads[1])}", f"targets = {_targets(draw, n, v)}"]
    return lines, f"linear_cross_entropy(x, weight, targets, {rows})"


def _weight(draw: DrawFn, v: int, d: int, grad: bool) -> str:
    return _waves(v, d, 9, grad) if v > 30 else drawn(draw, (v, d), grad=grad)


GRADS = ((True, True), (True, True), (True, False), (False, True))


def _rows(case: Case) -> tuple[int, int]:
    """n, and rows at a time."""
    call = next(line for line in case.lines if "linear_cross_entropy(" in line)
    targets = next(line for line in case.lines if line.startswith("targets = "))
    return targets.count(",") if "[]" not in targets else 0, int(call.rpartition(", ")[2].strip(")],"))


@functools.cache
@classes(
    {
        "a whole number of blocks": lambda case: _rows(case)[0] % _rows(case)[1] == 0,
        "a shorter last block": lambda case: _rows(case)[0] % _rows(case)[1] and _rows(case)[0] > _rows(case)[1],
        "rows at a time one by one": lambda case: _rows(case)[1] == 1,
        "more than there are": lambda case: _rows(case)[1] > _rows(case)[0],
        "the weight needs no gradient": lambda case: "grad" in case.lines[0] and "grad" not in case.lines[1],
        "x needs none": lambda case: "grad" not in case.lines[0] and "grad" in case.lines[1],
        "nothing requires grad": lacks("requires_grad"),
        "a scaled loss": gives("(loss * 3)", "(-0.5"),
        "twice": AGAIN,
        "first gradients kept": EARLIER,
        "two calls": BOTH_CALLS,
        "another call between": BETWEEN,
        "huge logits": gives("000.0", "500.0"),
        "no inputs": gives("x = torch.zeros("),
        "many classes": gives("arange"),
    }
)
def blocks() -> SearchStrategy[Case]:
    """Programs that compute a loss in blocks, and go back."""
    return _all_blocks()


@st.composite
def _all_blocks(draw: DrawFn) -> Case:
    grads = pick(draw, (*GRADS, *GRADS, (False, False)))
    made, call = _blocks(draw, pick(draw, BLOCKS), grads)
    lines = [*made, f"loss = {call}"]
    if any(grads):
        one = tensor([2.0], (1, 1))
        same = call.replace("x, weight", "3 - x.detach(), weight.detach()")
        lines += [
            *between(draw, f"linear_cross_entropy({one}, {one}, {ZERO}, 1)", same),
            *_back(draw, call, [*itertools.compress(("x", "weight"), grads)]),
        ]
    told = ("loss", "loss.requires_grad", "x.grad", "weight.grad", "x", "weight", "targets", "k")
    return Case(lines, after(lines, *told))


@functools.cache
@classes(
    {
        "a shorter last block": lambda case: _rows(case)[0] % _rows(case)[1],
        "rows at a time one by one": lambda case: _rows(case)[1] == 1,
        "more than there are": lambda case: _rows(case)[1] > _rows(case)[0],
        "the weight needs no gradient": lambda case: "grad" in case.lines[1] and "grad" not in case.lines[2],
        "x needs none": lambda case: "grad" not in case.lines[1] and "grad" in case.lines[2],
        "more classes than three numbers have bytes": gives("arange"),
        "another call with more rows at a time": BETWEEN,
    }
)
def kept_blocks() -> SearchStrategy[Case]:
    """Programs that look at what a loss in blocks makes and keeps."""
    return _kept_blocks()


@st.composite
def _kept_blocks(draw: DrawFn) -> Case:
    sizes, grads = pick(draw, WIDE), pick(draw, GRADS)
    (n, d, v, _), (made, call) = sizes, _blocks(draw, sizes, grads)
    one = tensor([2.0], (1, 1))
    others = between(draw, f"linear_cross_entropy({one}, {one}, {ZERO}, 100)")
    lines = [MEASURES, *made, WATCHING, f"    {KEEPING}", f"        loss = {call}"]
    lines += [f"    {line}" for line in (*others, pick(draw, BACK))]
    watched = ["not_yours(loss)", f"hidden({call.replace('(', ', ', 1)}"]
    most = {"seen.largest": _largest(sizes), "kept.bytes": 8 * (n * d + v * d + n + 2 * n)}
    return Case(lines, watched, most)


def _largest(sizes: tuple[int, ...]) -> int:
    n, d, v, rows = sizes
    return max(min(rows, n) * v, n * d, v * d, n)


MANY = ((60, 1, 60, 1), (60, 1, 80, 2), (75, 1, 60, 3))
"""Rows, inputs, classes, and rows at a time: all logits are many times what may be in memory at a moment."""


def room(n: int, d: int, v: int, rows: int) -> int:
    """The most bytes of what is made that may be in memory at a moment."""
    return 8 * (8 * rows * v + 4 * (n * d + v * d) + 8 * n)


@functools.cache
@classes(
    {
        "rows at a time one by one": gives("targets, 1)"),
        "more at a time": lacks("targets, 1)"),
        "the weight needs no gradient": lambda case: "grad" in case.lines[1] and "grad" not in case.lines[2],
        "x needs none": lambda case: "grad" not in case.lines[1] and "grad" in case.lines[2],
    }
)
def many_blocks() -> SearchStrategy[Case]:
    """Programs that look at what of a loss in blocks is in memory at the same time."""
    return _many_blocks()


@st.composite
def _many_blocks(draw: DrawFn) -> Case:
    sizes, grads = pick(draw, MANY), pick(draw, GRADS)
    n, d, v, rows = sizes
    by = pick(draw, (7, 5, 9))
    lines = [
        PEAKS,
        f"x = {_waves(n, d, by, grads[0])}",
        f"weight = {_waves(v, d, by + 2, grads[1])}",
        f"targets = torch.arange({n}, dtype=torch.int64) % {v}",
        "with peaking() as seen:",
        f"    loss = linear_cross_entropy(x, weight, targets, {rows})",
        f"    {pick(draw, BACK)}",
    ]
    return Case(lines, [], {"seen.most": room(*sizes)})


def _waves(rows: int, columns: int, by: int, grad: bool) -> str:
    """The code of a matrix of that many numbers from -2 to 2."""
    numbers = f"(torch.arange({rows * columns}, dtype=torch.float64) % {by} / 2 - {by // 4})"
    return f"{numbers}.reshape({rows}, {columns}){'.requires_grad_()' if grad else ''}"


@functools.cache
@classes(
    {
        "a shorter last block": lambda case: _rows(case)[0] % _rows(case)[1],
        "more than there are": lambda case: _rows(case)[1] > _rows(case)[0],
    }
)
def forward_blocks() -> SearchStrategy[Case]:
    """Programs that compute a loss in blocks of what needs no gradient."""
    return _forward_blocks()


@st.composite
def _forward_blocks(draw: DrawFn) -> Case:
    sizes = pick(draw, WIDE)
    made, call = _blocks(draw, sizes, (False, False))
    most = {"seen.flops": 2 * math.prod(sizes[:3]), "seen.largest": _largest(sizes)}
    return Case([MEASURES, *made, WATCHING, f"    loss = {call}"], ["loss"], most)


@functools.cache
@classes({"no rows": gives("x = torch.zeros"), "no rows at a time": gives(", 0)"), "fewer": gives(", -1)", ", -3)")})
def no_blocks() -> SearchStrategy[Case]:
    """Programs of which no block can be cut."""
    return _no_blocks()


@st.composite
def _no_blocks(draw: DrawFn) -> Case:
    n, rows = pick(draw, (*itertools.product((2, 3), (0, -1, -3)), (0, 2), (0, 1), (0, 2), (0, 0)))
    grad = draw(st.booleans())
    x = drawn(draw, (n, 2), grad=grad)
    targets = f"torch.tensor({[1] * n}, dtype=torch.int64)"
    lines = [f"x = {x}", f"weight = {drawn(draw, (3, 2), grad=grad)}", f"targets = {targets}"]
    return Case([*lines, f"loss = linear_cross_entropy(x, weight, targets, {rows})"], ["loss"])
