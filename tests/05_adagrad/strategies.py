"""What hypothesis draws for optimizers: programs that make parameters, an optimizer and some steps of it.

All numbers are small multiples of powers of two. A gradient and its weight decay then cancel exactly or not at all:
AdaGrad divides by the size of what is left, so a mere rounding there would be blown up to a step of full length.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, huge_sizes, pick, shapes, sizes

Program = tuple[list[str], list[str]]
Settings = dict[str, float]

LRS = (0.5, 0.25, 1.0, 0.0)
VALUES: dict[str, dict[str, tuple[float, ...]]] = {
    "SGD": {"lr": LRS},
    "AdaGrad": {
        "lr": LRS,
        "lr_decay": (0.5, 1.0, 0.0),
        "weight_decay": (0.5, 0.25, 0.0),
        "initial_accumulator_value": (0.25, 1.0, 0.0),
        "eps": (0.5, 0.125, 1.0, 1e-10),
    },
}
"""The settings of each optimizer, in the order of its arguments."""
OF_A_GROUP = {"lr", "lr_decay", "weight_decay", "eps"}
STEP = "optimizer.step()"
CHANGE = "optimizer.param_groups["


def _has(text: str) -> Callable[[Program], bool]:
    """Whether a line of a program has this in it."""
    return lambda program: any(text in line for line in program[0])


def _changed(name: str) -> Callable[[Program], bool]:
    """Whether that setting changes after a step."""

    def holds(program: Program) -> bool:
        lines = program[0]
        later = lines[lines.index(STEP) :] if STEP in lines else []
        return any(line.startswith(CHANGE) and name in line for line in later)

    return holds


def _begins_to_decay(program: Program) -> bool:
    """Whether a rate decays that did not in the steps before."""
    lines = program[0]
    steps = [place for place, line in enumerate(lines) if line == STEP]
    places = [place for place, line in enumerate(lines) if line.startswith(CHANGE) and '"lr_decay"' in line]
    return bool(steps and places) and places[0] > steps[0] and "lr_decay" not in "".join(lines[: places[0]])


def _waits_for_a_gradient(program: Program) -> bool:
    """Whether a parameter has no gradient in one step, and one in a later step."""
    lines = program[0]
    waiting = {line[0]: place for place, line in enumerate(lines) if line.endswith(".grad = None")}
    return any(
        line[0] in waiting and waiting[line[0]] < place for place, line in enumerate(lines) if ".grad = t" in line
    )


@classes(
    {
        "two groups": _has("}, {"),
        "a group has a setting of its own": _has('], "'),
        "the settings come by place": lambda program: any(
            line.startswith("optimizer = ") and line.endswith(")") and "=" not in line[12:] and line[-2].isdigit()
            for line in program[0]
        ),
        "the parameters come from a generator": _has("(p for p in"),
        "a setting changes before the first step": lambda program: any(
            line.startswith(CHANGE) for line in program[0][: program[0].index(STEP)]
        ),
        "lr changes after a step": _changed('"lr"'),
        "lr_decay changes after a step": _changed('"lr_decay"'),
        "weight_decay changes after a step": _changed('"weight_decay"'),
        "eps changes after a step": _changed('"eps"'),
        "a setting of the second group changes after a step": _changed("[1]"),
        "the rate begins to decay after a step": _begins_to_decay,
        "eps is 0": _has("eps=0.0"),
        "a parameter has no gradient in one step, and one in a later step": _waits_for_a_gradient,
        "a gradient is written into the tensor of the one before": _has(".grad.copy_("),
        "a parameter that is frozen keeps its gradient": _has(".requires_grad_(False)"),
        "a parameter of one number": _has("= torch.tensor(0"),
        "an empty parameter": _has("torch.zeros("),
        "a parameter that is not contiguous": lambda program: (
            _has(".mT.requires_grad_()")(program) or _has("[:, ::2]")(program)
        ),
    }
)
@functools.cache
def programs(optimizer: str, dtype: str) -> SearchStrategy[Program]:
    """Lines that take up to four steps, and what to look at after: parameters, aliases of them, gradients."""
    return _programs(optimizer, dtype)


@st.composite
def _programs(draw: DrawFn, optimizer: str, dtype: str) -> Program:
    # In bfloat16 a gradient and its weight decay cancel all but a rounding, which AdaGrad blows up.
    without = "weight_decay" if dtype == "bfloat16" else ""
    names = "abc"[: draw(st.integers(1, 3))]
    shape_of = {name: draw(pick(draw, (shapes(2, 3), shapes(2, 3, fewest_dims=2)))) for name in names}
    lines = [f"{name} = {_parameter(draw, shape_of[name], dtype)}" for name in names]
    aliases = pick(draw, ("", names, names[:1]))
    lines += [f"alias_{name} = {name}.detach()" for name in aliases]
    groups = _split(draw, names)
    lines.append(f"optimizer = {_made(draw, optimizer, groups, without)}")
    held: set[str] = set()
    for place in range(draw(st.integers(1, 4))):
        event = pick(draw, ("", "setting", "setting", "frozen") if place else ("", "", "", "setting"))
        if event == "setting":
            lines.append(f"optimizer.{_change(draw, optimizer, groups, without)}")
        if event == "frozen":
            lines.append("a.requires_grad_(False)")
        lines += [*_gradients(draw, shape_of, dtype, held), STEP]
    return lines, [*names, *(f"alias_{name}" for name in aliases), *(f"{name}.grad" for name in names)]


def _saved(program: Program) -> int:
    """The line that saves the optimizer."""
    return next(place for place, line in enumerate(program[0]) if "state_dict()" in line)


def _made_by(program: Program, name: str) -> str:
    """How an optimizer of that name is made, less the names of its parameters."""
    (line,) = (line for line in program[0] if line.startswith(f"{name} = "))
    return line.partition(" = ")[2].replace("copy_", "")


@classes(
    {
        "two groups": _has("}, {"),
        "before the first step": lambda program: STEP not in program[0][: _saved(program)],
        "after two steps or more": lambda program: program[0][: _saved(program)].count(STEP) > 1,
        "after a setting has changed": lambda program: any(
            line[:23] == CHANGE for line in program[0][: _saved(program)]
        ),
        "into one that was made with other settings": lambda program: (
            _made_by(program, "optimizer") != _made_by(program, "fresh")
        ),
        "and then a setting changes": _has("fresh.param_groups["),
        "and then two steps": lambda program: program[0][_saved(program) :].count(STEP) > 1,
    }
)
@functools.cache
def resumed_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that save an optimizer between its steps, and load it into a new one for copies of the parameters."""
    return _resumed_programs(optimizer)


@st.composite
def _resumed_programs(draw: DrawFn, optimizer: str) -> Program:
    names = "ab"[: draw(st.integers(1, 2))]
    shape_of = {name: draw(shapes(1, 3)) for name in names}
    lines = [f"{name} = {_parameter(draw, shape_of[name], 'float64')}" for name in names]
    groups = _split(draw, names)
    made = _made(draw, optimizer, groups)
    lines.append(f"optimizer = {made}")
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            lines.append(f"optimizer.{_change(draw, optimizer, groups)}")
        lines += [*_gradients(draw, shape_of, "float64", set()), STEP]
    if draw(st.booleans()):
        lines.append(f"optimizer.{_change(draw, optimizer, groups)}")
    lines += ["file = io.BytesIO()", "torch.save(optimizer.state_dict(), file)", "file.seek(0)"]
    lines += [f"copy_{name} = {name}.detach().clone().requires_grad_()" for name in names]
    other = made if draw(st.booleans()) else _made(draw, optimizer, groups)
    lines.append("fresh = " + re.sub(r"\b([ab])\b", r"copy_\1", other))
    lines.append("fresh.load_state_dict(torch.load(file, weights_only=True))")
    if pick(draw, (False, False, True)):
        changed = _change(draw, optimizer, groups)
        lines += [f"optimizer.{changed}", f"fresh.{changed}"]
    for _ in range(draw(st.integers(1, 2))):
        lines += _gradients(draw, shape_of, "float64", set())
        lines += [f"copy_{name}.grad = {name}.grad" for name in names]
        lines += [STEP, "fresh.step()"]
    return lines, [*names, *(f"copy_{name}" for name in names)]


@classes(
    {
        "gradients are enabled outside": _has("set_grad_enabled(True)"),
        "gradients are disabled outside": _has("set_grad_enabled(False)"),
        "the closure adds to the gradient": lambda program: "    a.grad = None" not in program[0],
        "the closure returns a number": _has("loss.item()"),
        "one step": _has("in range(1)"),
        "several steps": lambda program: not _has("in range(1)")(program),
    }
)
@functools.cache
def closure_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that take steps with a closure, with gradients enabled outside of it or not, and one step without."""
    return _closure_programs(optimizer)


@st.composite
def _closure_programs(draw: DrawFn, optimizer: str) -> Program:
    lines = [
        f"a = {_parameter(draw, draw(shapes(1, 3)), 'float64')}",
        f"optimizer = {_made(draw, optimizer, ['a'])}",
        "enabled = []",
        "def closure():",
        "    enabled.append(torch.is_grad_enabled())",
        "    a.grad = None",
        "    loss = (a - 1.0).square().sum()",
        "    loss.backward()",
        f"    return {pick(draw, ('loss', 'loss', 'loss.item()'))}",
    ]
    if draw(st.booleans()):
        lines.remove("    a.grad = None")
    lines += [
        f"with torch.set_grad_enabled({draw(st.booleans())}):",
        f"    losses = [optimizer.step(closure) for _ in range({draw(st.integers(1, 3))})]",
        "    still_enabled = torch.is_grad_enabled()",
        "without = optimizer.step()",
    ]
    return lines, ["losses", "enabled", "still_enabled", "without", "a"]


@classes(
    {
        "one dimension": lambda program: "," not in program[0][0].partition("]")[0],
        "several dimensions": lambda program: "," in program[0][0].partition("]")[0],
        "from below": _has("[-"),
        "more than two steps": lambda program: not _has("in range(2)")(program),
    }
)
@functools.cache
def descents(optimizer: str) -> SearchStrategy[Program]:
    """Lines that walk down a convex quadratic, with steps that cannot lead beyond the other side of the valley.

    SGD multiplies each x by 1 − lr · scale, and AdaGrad by 1 − lr / √(Σ x²) over all x so far: both lie in [0, 1).
    """
    return _descents(optimizer)


@st.composite
def _descents(draw: DrawFn, optimizer: str) -> Program:
    count = draw(st.integers(1, 3))
    x = [draw(st.integers(4, 16)) / 8 * pick(draw, (1, -1)) for _ in range(count)]
    scale = [draw(st.integers(1, 16)) / 8 for _ in range(count)]
    return [
        f"x = torch.tensor({x}, dtype=torch.float64, requires_grad=True)",
        f"scale = torch.tensor({scale}, dtype=torch.float64)",
        f"optimizer = {optimizer}([x], lr={pick(draw, (0.5, 0.25, 0.125))})",
        "losses = []",
        f"for _ in range({draw(st.integers(2, 6))}):",
        "    loss = (scale * x.square()).sum() / 2",
        "    x.grad = None",
        "    loss.backward()",
        "    optimizer.step()",
        "    losses.append(loss.item())",
    ], ["losses"]


def _refuses(name: str) -> Callable[[tuple[str, str]], bool]:
    """Whether that setting is the negative one."""
    return lambda case: case[1].startswith(f"{name} is")


@classes(
    {
        **{f"{name} is negative": _refuses(name) for name in VALUES["AdaGrad"]},
        "by a little": lambda case: case[1].endswith("-1e-10"),
        "as an int": lambda case: case[1].endswith("-1"),
        "beside others that are not": lambda case: case[0].count("=") > 1,
    }
)
@st.composite
def refused_settings(draw: DrawFn, optimizer: str) -> tuple[str, str]:
    """The line that makes an optimizer with a negative setting, and which one that is."""
    values = VALUES[optimizer]
    bad = pick(draw, list(values))
    settings = {name: value for name, value in _settings(draw, values).items() if name != bad}
    settings[bad] = -pick(draw, (0.5, 1, 1e-10))
    typed = [f"{name}={settings[name]}" for name in draw(st.permutations(list(settings)))]
    return f"{optimizer}([torch.ones(2)], {', '.join(typed)})", f"{bad} is {settings[bad]}"


def _parameter(draw: DrawFn, shape: Shape, dtype: str) -> str:
    # Where a size is 1 it would be contiguous all the same.
    layout = pick(draw, ("plain", "transposed", "sliced")) if len(shape) == 2 and min(shape) > 1 else "plain"
    if layout == "plain":
        made = _numbers(draw, shape, dtype)
        return f"{made[:-1]}, requires_grad=True)"
    if layout == "transposed":
        return f"{_numbers(draw, shape[::-1], dtype)}.mT.requires_grad_()"
    return f"{_numbers(draw, (shape[0], 2 * shape[1]), dtype)}[:, ::2].requires_grad_()"


def _gradients(draw: DrawFn, shape_of: dict[str, Shape], dtype: str, held: set[str]) -> list[str]:
    """A gradient for each parameter, or None; one that is `held` may get its new numbers in place."""
    lines = []
    for name, shape in shape_of.items():
        made = _gradient(draw, shape, dtype)
        in_place = made != "None" and name in held and draw(st.booleans())
        lines.append(f"{name}.grad.copy_({made})" if in_place else f"{name}.grad = {made}")
        (held.discard if made == "None" else held.add)(name)
    return lines


def _gradient(draw: DrawFn, shape: Shape, dtype: str) -> str:
    kind = pick(draw, ("plain", "plain", "plain", "none", "transposed"))
    if kind == "none":
        return "None"
    if kind == "transposed" and len(shape) == 2:
        return f"{_numbers(draw, shape[::-1], dtype)}.mT"
    return _numbers(draw, shape, dtype)


def _numbers(draw: DrawFn, shape: Shape, dtype: str) -> str:
    count = math.prod(shape)
    if count == 0:
        return f"torch.zeros({shape}, dtype=torch.{dtype})"
    # Eighths from -2 to 2, drawn at once: a list of them would take a draw for each.
    number = draw(st.integers(0, 33 ** min(count, 6) - 1))
    digits = [(number // 33**place) % 33 for place in range(min(count, 6))]
    values = itertools.cycle((1 + digit % 16) / 8 * (-1 if digit > 16 else 1) * (digit < 32) for digit in digits)
    return f"torch.tensor({_nested(shape, values)}, dtype=torch.{dtype})"


def _nested(shape: Shape, values: Any) -> Any:
    if not shape:
        return next(values)
    return [_nested(shape[1:], values) for _ in range(shape[0])]


def _split(draw: DrawFn, names: str) -> list[str]:
    """The parameters in one group, or in two."""
    cut = pick(draw, (0, 0, *range(1, len(names))))
    return [names[:cut], names[cut:]] if cut else [names]


def _change(draw: DrawFn, optimizer: str, groups: list[str], without: str = "") -> str:
    """What gives one setting of one group another value; above all the decay, of which a count depends."""
    names = [name for name in VALUES[optimizer] if name in OF_A_GROUP and name != without]
    name = pick(draw, names + ["lr_decay"] * (len(names) > 1))
    group = draw(st.integers(0, len(groups) - 1))
    return f'param_groups[{group}]["{name}"] = {pick(draw, VALUES[optimizer][name])}'


def _made(draw: DrawFn, optimizer: str, groups: list[str], without: str = "") -> str:
    """The optimizer of these groups; a single one may come as a list, as a generator or as a dict."""
    values = {name: options for name, options in VALUES[optimizer].items() if name != without}
    settings = _settings(draw, values)
    if "eps" in settings and settings.get("initial_accumulator_value"):  # then no sum is 0, to be divided by
        settings["eps"] = pick(draw, (settings["eps"], 0.0))
    typed = [f"{name}={value}" for name, value in settings.items()]
    if pick(draw, (False, False, False, True)):
        typed = [f"{0.0 if name == without else pick(draw, of)}" for name, of in VALUES[optimizer].items()]
    how = pick(draw, ("list", "generator", "dict")) if len(groups) == 1 else "dict"
    listed = f"[{', '.join(groups[0])}]"
    params = {
        "list": listed,
        "generator": f"(p for p in {listed})",
        "dict": f"[{', '.join(_group(draw, values, names) for names in groups)}]" if how == "dict" else "",
    }[how]
    return f"{optimizer}({', '.join([params, *typed])})"


def _group(draw: DrawFn, values: dict[str, tuple[float, ...]], names: str) -> str:
    own = _settings(draw, {name: options for name, options in values.items() if name in OF_A_GROUP})
    typed = [f'"params": [{", ".join(names)}]', *(f'"{name}": {value}' for name, value in own.items())]
    return f"{{{', '.join(typed)}}}"


def _settings(draw: DrawFn, values: dict[str, tuple[float, ...]]) -> Settings:
    return {name: pick(draw, options) for name, options in values.items() if draw(st.booleans())}


# Memory


@classes(
    {
        "the last layer alone": lambda case: case[1] == 0,
        "one layer before the last": lambda case: case[1] == 1,
        "several layers before the last": lambda case: case[1] > 1,
        "no rows": lambda case: case[2] == 0,
        "one row": lambda case: case[2] == 1,
        "a width of 1": lambda case: case[0] == 1,
        "beyond what a float holds exactly": lambda case: 12 * case[0] ** 2 * case[1] > 2**53,
    }
)
@st.composite
def deep_models(draw: DrawFn) -> tuple[int, int, int]:
    """(dim, num_layers, batch_size), small or huge; the width is at least 1."""
    if draw(st.booleans()):
        return draw(st.integers(1, 6)), draw(sizes(3)), pick(draw, (draw(sizes()), 0, 1, 2, 3))
    return draw(huge_sizes()), draw(st.integers(0, 3)), draw(huge_sizes())


@classes(
    {
        "the usual bytes": lambda settings: settings[:1] in ((), (4,)),
        "other bytes": lambda settings: settings[:1] not in ((), (4,)),
        "the usual states": lambda settings: len(settings) < 2,
        "no state": lambda settings: settings[1:] == (0,),
        "several states": lambda settings: settings[1:] > (1,),
    }
)
@st.composite
def training_settings(draw: DrawFn) -> tuple[int, ...]:
    """Bytes for each value, and states for each parameter, by place; the last ones may be left out."""
    settings = pick(draw, (4, 2, 8)), draw(st.integers(0, 3))
    return settings[: pick(draw, (0, 1, 2, 2))]
