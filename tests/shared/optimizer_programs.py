"""Programs that hypothesis draws: steps of an optimizer, and what to watch afterwards."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from .gradients import typed_gradients, typed_parameter
from .optimizers import Described, split_in_groups, typed_change, typed_optimizer
from .programs import Program, has, lacks
from .shapes import pick, shapes

STEP = "optimizer.step()"
CHANGE = "optimizer.param_groups["
FREEZE = "a.requires_grad_(False)"
WRITE = "a.detach().mul_(0.5)"
NAN = '.grad.mul_(float("nan"))'


def changed(name: str) -> Callable[[Program], bool]:
    """Return a test of whether a program changes this setting after a step."""

    def holds(program: Program) -> bool:
        lines = program[0]
        later = lines[lines.index(STEP) :] if STEP in lines else []
        return any(line.startswith(CHANGE) and name in line for line in later)

    return holds


def _waits_for_a_gradient(program: Program) -> bool:
    """Return whether a parameter has no gradient in one step, and one in a later step."""
    lines = program[0]
    waiting = {line[0]: place for place, line in enumerate(lines) if line.endswith(".grad = None")}
    return any(
        line[0] in waiting and waiting[line[0]] < place for place, line in enumerate(lines) if ".grad = t" in line
    )


def _frozen_at_first(program: Program) -> bool:
    """Return whether a parameter requires no gradient when the optimizer is made."""
    lines = program[0]
    made = next(place for place, line in enumerate(lines) if line.startswith("optimizer = "))
    return FREEZE in lines[:made]


@classes(
    {
        "two groups": has("}, {"),
        "a group has a setting of its own": has('], "'),
        "the settings come by place": lambda program: any(
            line.startswith("optimizer = ") and line.endswith(")") and "=" not in line[12:] and line[-2].isdigit()
            for line in program[0]
        ),
        "the parameters come from a generator": has("(p for p in"),
        "a setting changes before the first step": lambda program: any(
            line.startswith(CHANGE) for line in program[0][: program[0].index(STEP)]
        ),
        "lr changes after a step": changed('"lr"'),
        "a setting of the second group changes after a step": changed("[1]"),
        "a parameter has no gradient in one step, and one in a later step": _waits_for_a_gradient,
        "a gradient of zeros": has(".grad = torch.zeros_like("),
        "a gradient is written into the tensor of the one before": has(".grad.copy_("),
        "a parameter that is frozen keeps its gradient": has(".requires_grad_(False)"),
        "a parameter is frozen when the optimizer is made": _frozen_at_first,
        "a parameter that was frozen is trained again": has("a.requires_grad_(True)"),
        "something else changes a parameter between two steps": has(WRITE),
        "a parameter of one number": has("= torch.tensor(0"),
        "a parameter of three dimensions": has("= torch.tensor([[["),
        "an empty parameter": has("torch.zeros("),
        "a parameter that is not contiguous": lambda program: (
            has(".mT.requires_grad_()")(program) or has("[:, ::2]")(program)
        ),
    }
)
@functools.cache
def programs(optimizer: Described, *dtypes: str) -> SearchStrategy[Program]:
    """Return programs of up to four steps, which watch parameters, aliases of them, and gradients.

    If there are several dtypes, the parameters have them in turn.
    """
    return _programs(optimizer, dtypes)


@st.composite
def _programs(draw: DrawFn, optimizer: Described, dtypes: tuple[str, ...]) -> Program:
    names = "abc"[: draw(st.integers(len(dtypes), 3))]
    dtype_of = dict(zip(names, itertools.cycle(dtypes), strict=False))
    shape_of = {name: draw(pick(draw, (shapes(3, 3), shapes(2, 3, fewest_dims=2)))) for name in names}
    lines = [f"{name} = {typed_parameter(draw, shape_of[name], dtype_of[name])}" for name in names]
    trained: bool = pick(draw, (True, True, True, True, False))
    lines += [FREEZE] if not trained else []
    aliases = pick(draw, ("", names, names[:1]))
    lines += [f"alias_{name} = {name}.detach()" for name in aliases]
    groups = split_in_groups(draw, names)
    lines.append(f"optimizer = {typed_optimizer(draw, optimizer, groups)}")
    held: set[str] = set()
    for place in range(draw(st.integers(1, 4))):
        events = ("", "setting", "setting", "setting", "frozen", "written") if place else ("", "", "", "setting")
        event = pick(draw, events)
        if event == "setting":
            lines.append(f"optimizer.{typed_change(draw, optimizer, groups)}")
        if event == "frozen":
            trained = not trained
            lines.append(f"a.requires_grad_({trained})")
        if event == "written":
            lines.append(WRITE)
        for name in names:
            lines += typed_gradients(draw, {name: shape_of[name]}, dtype_of[name], held)
        lines.append(STEP)
    modes = ["torch.is_grad_enabled()"] if dtypes == ("float64",) else []
    return lines, [*names, *(f"alias_{name}" for name in aliases), *modes, *(f"{name}.grad" for name in names)]


def with_nan(draw: DrawFn, lines: list[str]) -> list[str]:
    """Return the same lines, in which one gradient that was set, if there is one, becomes nan."""
    places = [place + 1 for place, line in enumerate(lines) if ".grad = torch.tensor(" in line or ".copy_(" in line]
    if not places:
        return lines
    place = pick(draw, places)
    return [*lines[:place], f"{lines[place - 1][0]}{NAN}", *lines[place:]]


def _saved(program: Program) -> int:
    """Return the index of the line that saves the optimizer."""
    return next(place for place, line in enumerate(program[0]) if "state_dict()" in line)


def _made_by(program: Program, name: str) -> str:
    """Return the code that makes the optimizer of this name, with copies of parameters named like the originals."""
    (line,) = (line for line in program[0] if line.startswith(f"{name} = "))
    return line.partition(" = ")[2].replace("copy_", "")


@classes(
    {
        "two groups": has("}, {"),
        "before the first step": lambda program: STEP not in program[0][: _saved(program)],
        "after two steps or more": lambda program: program[0][: _saved(program)].count(STEP) > 1,
        "after a setting has changed": lambda program: any(
            line[:23] == CHANGE for line in program[0][: _saved(program)]
        ),
        "into one that was made with other settings": lambda program: (
            _made_by(program, "optimizer") != _made_by(program, "fresh")
        ),
        "and then a setting changes": has("fresh.param_groups["),
        "and then two steps": lambda program: program[0][_saved(program) :].count(STEP) > 1,
    }
)
@functools.cache
def resumed_programs(optimizer: Described) -> SearchStrategy[Program]:
    """Return programs that save an optimizer between steps, and load it into a new one for copies of the parameters."""
    return _resumed_programs(optimizer)


@st.composite
def _resumed_programs(draw: DrawFn, optimizer: Described) -> Program:
    names = "ab"[: draw(st.integers(1, 2))]
    shape_of = {name: draw(shapes(1, 3)) for name in names}
    lines = [f"{name} = {typed_parameter(draw, shape_of[name], 'float64')}" for name in names]
    groups = split_in_groups(draw, names)
    made = typed_optimizer(draw, optimizer, groups)
    lines.append(f"optimizer = {made}")
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            lines.append(f"optimizer.{typed_change(draw, optimizer, groups)}")
        lines += [*typed_gradients(draw, shape_of, "float64", set()), STEP]
    if draw(st.booleans()):
        lines.append(f"optimizer.{typed_change(draw, optimizer, groups)}")
    lines += ["file = io.BytesIO()", "torch.save(optimizer.state_dict(), file)", "file.seek(0)"]
    lines += [f"copy_{name} = {name}.detach().clone().requires_grad_()" for name in names]
    other = made if draw(st.booleans()) else typed_optimizer(draw, optimizer, groups)
    lines.append("fresh = " + re.sub(r"\b([ab])\b", r"copy_\1", other))
    lines.append("fresh.load_state_dict(torch.load(file, weights_only=True))")
    if pick(draw, (False, False, True)):
        changed = typed_change(draw, optimizer, groups)
        lines += [f"optimizer.{changed}", f"fresh.{changed}"]
    for _ in range(draw(st.integers(1, 2))):
        lines += typed_gradients(draw, shape_of, "float64", set())
        lines += [f"copy_{name}.grad = {name}.grad" for name in names]
        lines += [STEP, "fresh.step()"]
    return lines, [*names, *(f"copy_{name}" for name in names)]


@classes(
    {
        "gradients are enabled outside": has("set_grad_enabled(True)"),
        "gradients are disabled outside": has("set_grad_enabled(False)"),
        "the closure adds to the gradient": lambda program: (
            "    a.grad = None" not in program[0][: program[0].index("    loss.backward()")]
        ),
        "the closure returns a number": has("loss.item()"),
        "several parameters": has("b = "),
        "two groups": has("}, {"),
        "no gradients after the closure": lambda program: program[0][-3].endswith(".grad = None"),
        "one step": has("in range(1)"),
        "several steps": lacks("in range(1)"),
    }
)
@functools.cache
def closure_programs(optimizer: Described) -> SearchStrategy[Program]:
    """Return programs of steps with a closure, with gradients enabled outside of it or not, and one step without."""
    return _closure_programs(optimizer)


@st.composite
def _closure_programs(draw: DrawFn, optimizer: Described) -> Program:
    groups = pick(draw, (["a"], ["a", "b"], ["ab"], ["a", "b"]))
    names = "".join(groups)
    cleared, emptied = draw(st.booleans()), draw(st.booleans())
    return [
        *(f"{name} = {typed_parameter(draw, draw(shapes(1, 3)), 'float64')}" for name in names),
        f"optimizer = {typed_optimizer(draw, optimizer, groups)}",
        "enabled = []",
        "def closure():",
        "    enabled.append(torch.is_grad_enabled())",
        *(f"    {name}.grad = None" for name in names if cleared),
        f"    loss = {' + '.join(f'({name} - 1.0).square().sum()' for name in names)}",
        "    loss.backward()",
        f"    return {pick(draw, ('loss', 'loss', 'loss.item()'))}",
        f"with torch.set_grad_enabled({draw(st.booleans())}):",
        f"    losses = [optimizer.step(closure) for _ in range({draw(st.integers(1, 3))})]",
        *(f"    {name}.grad = None" for name in names if emptied),
        "    without = optimizer.step()",
        "    still_enabled = torch.is_grad_enabled()",
    ], ["losses", "enabled", "still_enabled", "without", *names]


@classes(
    {
        "a bfloat16 parameter": has("torch.bfloat16"),
        "a float32 parameter": has("torch.float32"),
        "towards 0": has("([1.0], ", "([1.5], "),
    }
)
@st.composite
def rounded_programs(draw: DrawFn, optimizer: str, settings: str = "") -> Program:
    """Return programs of many steps, each too small for the dtype of the parameter, with these settings beside lr.

    A step is lr long, or up to 1.5 times as long: less than what is rounded off beside 1, so no other way to compute it
    moves the parameter. Together they are longer than that.
    """
    dtype, lr = pick(draw, (("bfloat16", -10), ("bfloat16", -10), ("float32", -26)))
    return [
        f"a = torch.tensor([{pick(draw, (1.0, 1.5, -1.0, -1.5))}], dtype=torch.{dtype}, requires_grad=True)",
        f"a.grad = torch.ones(1, dtype=torch.{dtype})",
        f"optimizer = {optimizer}([a], lr=2**{lr}{settings})",
        f"for _ in range({draw(st.integers(16, 32))}):",
        f"    {STEP}",
    ], ["a.tolist()"]  # exactly
