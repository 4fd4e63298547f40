"""What hypothesis draws for optimizers: programs that make parameters, an optimizer and some steps of it.

All numbers are small multiples of powers of two. A gradient and its weight decay then cancel exactly or not at all:
AdaGrad divides by the size of what is left, so a mere rounding there would be blown up to a step of full length.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

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


@functools.cache
def programs(optimizer: str, dtype: str) -> SearchStrategy[Program]:
    """Lines that take up to four steps, and what to look at after: parameters, aliases of them, gradients."""
    return _programs(optimizer, dtype)


@st.composite
def _programs(draw: DrawFn, optimizer: str, dtype: str) -> Program:
    # In bfloat16 a gradient and its weight decay cancel all but a rounding, which AdaGrad blows up.
    without = "weight_decay" if dtype == "bfloat16" else ""
    names = "abc"[: draw(st.integers(1, 3))]
    shape_of = {name: draw(shapes(2, 3)) for name in names}
    lines = [f"{name} = {_parameter(draw, shape_of[name], dtype)}" for name in names]
    aliases = pick(draw, ("", names, names[:1]))
    lines += [f"alias_{name} = {name}.detach()" for name in aliases]
    lines.append(f"optimizer = {_made(draw, optimizer, _split(draw, names), without)}")
    held: set[str] = set()
    for place in range(draw(st.integers(1, 4))):
        event = pick(draw, ("", "", "lr", "frozen")) if place else ""
        if event == "lr":
            lines.append(f'optimizer.param_groups[0]["lr"] = {pick(draw, LRS)}')
        if event == "frozen":
            lines.append("a.requires_grad_(False)")
        lines += [*_gradients(draw, shape_of, dtype, held), "optimizer.step()"]
    return lines, [*names, *(f"alias_{name}" for name in aliases), *(f"{name}.grad" for name in names)]


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
        lines += [*_gradients(draw, shape_of, "float64", set()), "optimizer.step()"]
    lines += ["file = io.BytesIO()", "torch.save(optimizer.state_dict(), file)", "file.seek(0)"]
    lines += [f"copy_{name} = {name}.detach().clone().requires_grad_()" for name in names]
    other = made if draw(st.booleans()) else _made(draw, optimizer, groups)
    lines.append("fresh = " + re.sub(r"\b([ab])\b", r"copy_\1", other))
    lines.append("fresh.load_state_dict(torch.load(file, weights_only=True))")
    for _ in range(draw(st.integers(1, 2))):
        lines += _gradients(draw, shape_of, "float64", set())
        lines += [f"copy_{name}.grad = {name}.grad" for name in names]
        lines += ["optimizer.step()", "fresh.step()"]
    return lines, [*names, *(f"copy_{name}" for name in names)]


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
        "    return loss",
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
    layout = pick(draw, ("plain", "plain", "transposed", "sliced")) if len(shape) == 2 else "plain"
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
    cut = draw(st.integers(0, 2 * len(names))) - len(names) - 1
    return [names[:cut], names[cut:]] if cut > 0 else [names]


def _made(draw: DrawFn, optimizer: str, groups: list[str], without: str = "") -> str:
    """The optimizer of these groups; a single one may come as a list, as a generator or as a dict."""
    values = {name: options for name, options in VALUES[optimizer].items() if name != without}
    typed = [f"{name}={value}" for name, value in _settings(draw, values).items()]
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


@st.composite
def deep_models(draw: DrawFn) -> tuple[int, int, int]:
    """(dim, num_layers, batch_size), small or huge; the width is at least 1."""
    if draw(st.booleans()):
        return draw(st.integers(1, 6)), draw(sizes(3)), draw(sizes())
    return draw(huge_sizes()), draw(st.integers(0, 3)), draw(huge_sizes())


@st.composite
def training_settings(draw: DrawFn) -> dict[str, int]:
    """Bytes for each value, and states for each parameter; each may be left out."""
    settings = {"bytes_per_value": pick(draw, (4, 2, 8)), "states_per_param": draw(st.integers(0, 3))}
    return {name: value for name, value in settings.items() if draw(st.booleans())}
