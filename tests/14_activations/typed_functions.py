"""Lines of programs that checkpoint a function: its arguments, what it does inside, where it is used."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.described import Lines
from ..shared.programs import Program
from ..shared.shapes import pick
from .typed import DOUBLE, linear, maybe, numbers, typed_seed

D = 3
"""The width of every tensor of these programs."""


class Extra(NamedTuple):
    """An argument beside x: its name, what it is, and the line that uses it inside."""

    name: str
    value: str
    use: str


EXTRAS = (
    Extra("b", numbers(1, D, grad=True), "h = h * b"),
    Extra("c", numbers(1, D), "h = h + c"),
    Extra("scale", "1.5", "h = h * scale"),
    Extra("mask", f"torch.tensor([True, False, True], {DOUBLE}) > 0", "h = h.masked_fill(mask, 0.5)"),
    Extra("name", '"sin"', "h = getattr(torch, name)(h)"),
    Extra("nothing", "None", "h = h.neg() if nothing is None else h"),
    Extra("e", numbers(1, D, grad=True), "h = h - e"),
    Extra("spare", numbers(1, D, grad=True), "h = h.neg()"),
    Extra("shift", "1", "h = h.roll(shift, 1)"),
)

SAME = Extra("same", "", "h = h * same")
"""x once more. It is given only where x is used nowhere else: three gradients may be added in another order."""

STEPS = (
    "h = h.exp()",
    "h = h.sigmoid()",
    "h = h @ v",
    "h = layer(h)",
    "h = h * h.tanh()",
    "h = nn.functional.gelu(h)",
    "h = h.softmax(-1)",
    "m = h.detach().cos()\nh = h * m",
    "m = h > 0.25\nh = h.masked_fill(m, 0.5)",
    "m = h.sin()\nh = h * m[:1]",
    "m = h.mean()\nh = h * m",
    "m = h[:, 0].argsort()\nh = h[m]",
)

LAST = (
    "h.square()",
    "h @ u",
    "h * h.sin()",
    "(h.square(), h.sin())",
    "(h.exp(), h @ u)",
    "(h.square(),)",
    "(h > 0, h.square())",
    "(h.detach().exp(), h.sin())",
)

DROPOUT = "h = nn.functional.dropout(h, 0.5)"

FIRST = ("h = (x @ w).tanh()", "h = x.exp()\nh = (h @ w).tanh()")
"""Whether autograd first saves x or what was computed inside."""

CHANGING = "m = torch.full_like(h, len(calls))\nh = h * m"
"""What is 1 in the first run, and 2 in the second."""

MASK = "m = nn.functional.dropout(torch.ones_like(h), 0.5)\nh = h * m"
"""Dropout whose mask can be noted."""


class Function(NamedTuple):
    """A function of x and of other arguments, as lines; what has to be made before; what is learned inside.

    results: how to get at what goes backward, a part of a tuple each, or the whole.
    """

    name: str
    setup: Lines
    lines: Lines
    extras: list[Extra]
    learned: Lines
    results: Lines

    @property
    def needs(self) -> str:
        """What of the result requires grad, as it is asked of `y`."""
        return "y.requires_grad" if self.results == [""] else "[part.requires_grad for part in y]"


def typed_function(
    draw: DrawFn,
    name: str,
    *,
    noted: bool = False,
    random: bool = False,
    extras: bool = True,
    captured: bool = False,
    twice: bool = False,
    changing: bool = False,
    dtype: str = DOUBLE,
) -> Function:
    """A function that multiplies x, or exp(x), by a weight of its own, and goes on from there.

    noted: it calls `note` with whatever it computes inside but does not return, and writes down where x lies. Of a
    second run, it also notes the result.
    captured: x is no argument, and there are no others; the function knows it from outside.
    twice: x is given twice, and nothing else.
    changing: it computes something else in each run, and saves nothing of what it returns, which is from the first one.
    """
    chosen = [pick(draw, STEPS) for _ in range(pick(draw, (1, 0, 2, 3)))]
    if random:
        chosen.insert(draw(st.integers(0, len(chosen))), pick(draw, (DROPOUT, MASK)) if noted else DROPOUT)
        chosen += maybe(draw, "h = h + torch.rand_like(h)")
    if changing:
        chosen.insert(draw(st.integers(0, len(chosen))), CHANGING)
    others = list(draw(st.permutations(EXTRAS)))[: pick(draw, (1, 0, 2))] if extras and not captured else []
    others = [SAME] if twice else others
    chosen[draw(st.integers(0, len(chosen))) : 0] = [extra.use for extra in others]
    last = pick(draw, [last for last in LAST if not (changing and "exp()" in last)])
    text = "\n".join([pick(draw, (FIRST[0], *FIRST)), *dict.fromkeys(chosen), last])
    for shared, own in (
        ("@ w", f"@ {name}_w"),
        ("@ v", f"@ {name}_v"),
        ("@ u", f"@ {name}_u"),
        ("layer(", f"{name}_layer("),
    ):
        text = text.replace(shared, own)
    *body, last = text.split("\n")
    weights = [weight for weight in (f"{name}_w", f"{name}_v", f"{name}_u") if weight in text]
    setup = [f"{weight} = {numbers(D, D, grad=True, dtype=dtype)}" for weight in weights]
    learned = [f"{weight}.grad" for weight in weights]
    if f"{name}_layer" in text:
        setup.append(f"{name}_layer = {linear(D, D).replace(DOUBLE, dtype)}")
        learned += [f"{name}_layer.weight.grad", f"{name}_layer.bias.grad"]
    order = [] if captured else draw(st.permutations(["x", *(extra.name for extra in others)]))
    lines = [f"def {name}({', '.join(order)}):", f'    calls.append("{name}")']
    lines += ["    given.append(x.data_ptr())"] if noted else []
    lines += [f"    {line[:4]}note({line[4:]})" if noted else f"    {line}" for line in body]
    lines += [f"    return note_again({last})" if noted else f"    return {last}"]
    return Function(name, setup, lines, _in_order(order, others), learned, _results(last))


def _results(last: str) -> Lines:
    if last[0] != "(":
        return [""]
    if last.endswith(",)"):
        return ["[0]"]
    return ["[1]"] if "> 0" in last or "detach()" in last else ["[0]", "[1]"]


def _in_order(order: list[str], others: list[Extra]) -> list[Extra]:
    known = {extra.name: extra for extra in others}
    return [known.get(name, Extra(name, "", "")) for name in order]


def typed_call(function: Function, x: str) -> tuple[Lines, str, Lines]:
    """Lines that make the other arguments, the call, and what to look at of their gradients."""
    made, typed, watched = [], [], []
    for extra in function.extras:
        if not extra.value:
            typed.append(x)
        elif "torch." in extra.value:
            variable = f"{function.name}_{extra.name}"
            made.append(f"{variable} = {extra.value}")
            typed.append(variable)
            watched += [f"{variable}.grad"] if "requires_grad" in extra.value else []
        else:
            typed.append(extra.value)
    return made, f"checkpoint({', '.join([function.name, *typed])})", watched


def typed_x(draw: DrawFn, dtype: str = DOUBLE, leaf: bool = False) -> tuple[Lines, Lines]:
    """Lines that make x, a leaf or not, that requires grad or not; and what to look at of its gradient."""
    rows = pick(draw, (2, 3, 1, 4))
    kind = pick(draw, ("leaf", "data", "result", "leaf"))
    if kind == "result" and not leaf:
        return [f"a = {numbers(rows, D, grad=True, dtype=dtype)}", "x = a.sin()"], ["a.grad"]
    return [f"x = {numbers(rows, D, grad=kind != 'data', dtype=dtype)}"], ["x.grad"]


def loss_of(draw: DrawFn, name: str, function: Function, every: bool = False) -> str:
    """A number made of what a call returned under this name; of all of it if `every` result has to be used.

    What is learned for an unused result alone would get no gradient, or one of zeros: both are right.
    """
    if len(function.results) == 1:
        name += function.results[0]
        return pick(draw, (f"{name}.sum()", f"{name}.square().sum()", f"({name} * 3).sin().sum()"))
    both = (f"({name}[0] * 2 + {name}[1]).sum()", f"({name}[0] * {name}[1]).sum()")
    return pick(draw, both if every or "_u" in function.lines[-1] else (*both, f"{name}[0].sum()"))


USES = ("alone", "chain", "beside", "captured", "twice", "outside", "again")
USES_OF_ONE = ("alone", "captured", "twice", "outside")


def typed_uses(
    draw: DrawFn, *, noted: bool = False, random: bool = False, one: bool = False, changing: bool = False
) -> Program:
    """Lines up to the loss of one checkpoint, or unless `one` of two in one graph; and what to look at afterwards.

    Of two that do not depend on each other, the first may have a backward of its own, or the second be left unused.
    """
    # If numbers are drawn, two calls with the same arguments need a state each.
    often = ("again",) * 4 if random and not noted else ()
    use = pick(draw, USES_OF_ONE if one else USES + often)
    way = pick(draw, ("one loss", "in turn", "unused")) if use in ("beside", "again") and not noted else "one loss"
    is_twice, captured = use == "twice", use == "captured"
    first = typed_function(draw, "f", noted=noted, random=random, captured=captured, twice=is_twice, changing=changing)
    # Of two backwards, the first frees what x is made of.
    x, watched = typed_x(draw, leaf=way == "in turn" or use == "captured")
    made, call, gradients = typed_call(first, "x")
    lines = [typed_seed(draw), "calls = []", *first.setup, *x, *made]
    watched = [*first.learned, *watched, *gradients]
    middle = ["between = torch.rand(2)"] if random and not noted else []
    lines += ["before = torch.rand(2)"] if random and not noted else []
    loss = loss_of(draw, "y", first, noted)
    if use not in ("chain", "beside", "again"):
        return [*lines, *first.lines, f"y = {call}", f"loss = {loss}{' + (x * 2).sum()' * (use == 'outside')}"], watched
    if use == "again":
        second, again = first, typed_call(first, "other")[1]
        lines += [f"other = {pick(draw, ('x * 2', 'x'))}", *first.lines]
    else:
        second = typed_function(draw, "g", noted=noted, random=random)
        made, again, gradients = typed_call(second, "x" if use == "beside" else f"y{first.results[-1]}")
        watched = [*watched, *second.learned, *gradients]
        lines += [*second.setup, *made, *first.lines, *second.lines]
    lines += [f"y = {call}", *middle, f"z = {again}"]
    later = loss_of(draw, "z", second, noted)
    if way == "in turn":
        return [*lines, f"{loss}.backward()", f"loss = {later}"], watched
    if use == "chain" and not noted and draw(st.booleans()):
        loss = later
    elif way != "unused":
        loss = f"{later} + {loss}"
    return [*lines, f"loss = {loss}"], watched
