"""What hypothesis draws for kata 20 of steps that any optimizer takes, and of what one keeps between them."""

from __future__ import annotations

import math
from typing import NamedTuple

from hypothesis.strategies import DrawFn

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import Shape, pick

STEP = "optimizer.step()"
LRS = (0.5, 0.25, 1.0, 0.0)
SETTINGS: dict[str, dict[str, tuple[float, ...]]] = {
    "SGD8bit": {"lr": LRS, "momentum": (0.5, 0.9, 0.0, 0.75), "block_size": (2, 3, 4, 1, 7)},
    "FactoredAdaGrad": {"lr": LRS, "eps": (0.5, 1e-10, 0.125, 1e-3)},
}

MODE = "torch.is_grad_enabled()"
OFF = "torch.set_grad_enabled(False)"
STEPPED = {
    "gradients are disabled": has(OFF),
    "another optimizer took a step before": has("before.step()"),
}
"""Classes of what `typed_begin` draws."""


def typed_optimizer(draw: DrawFn, name: str, params: str) -> str:
    """The line that makes an optimizer of these parameters."""
    by_place, none = pick(draw, ((False, False), (False, False), (True, False), (False, False), (False, True)))
    chosen = {key: pick(draw, of) for key, of in SETTINGS[name].items() if by_place or pick(draw, (True, True, False))}
    chosen = {} if none else chosen
    typed = [f"{value}" if by_place else f"{key}={value}" for key, value in chosen.items()]
    listed = f"[{', '.join(params)}]"
    return f"optimizer = {name}({', '.join([pick(draw, (listed, listed, f'iter({listed})')), *typed])})"


def typed_begin(draw: DrawFn, name: str, params: str) -> Lines:
    """The lines behind those that make the parameters: second names, perhaps a step of another, the optimizer."""
    lines = [f"alias_{one} = {one}.detach()" for one in params]
    if pick(draw, (False, False, False, True)):
        lines += [f"before = {name}([a], 0.5)", "a.grad = torch.ones_like(a)", "before.step()"]
    lines += [OFF] * pick(draw, (False, False, False, True))
    return [*lines, typed_optimizer(draw, name, params)]


def ended(lines: Lines, params: str) -> Program:
    """These lines, the last step of which is watched: parameters, gradients, and what a step leaves as it is."""
    last = len(lines) - 1 - lines[::-1].index(STEP)
    lines = [*lines[:last], *(f"grad_{one} = {one}.grad" for one in params), *lines[last:]]
    watched = [*params, *(f"alias_{one}" for one in params), *(f"{one}.grad" for one in params)]
    for one in params:
        watched += [f"{one}.grad is grad_{one}", f"{one}.data_ptr() == alias_{one}.data_ptr()"]
        watched += [f"{one}.requires_grad"]
    return lines, [*watched, MODE]


class Sized(NamedTuple):
    """A program that measures what an optimizer keeps, and how much it may."""

    lines: Lines
    most: int


# Where Python's own objects take less than this, they hold no state of so large parameters.
SHAPES: tuple[tuple[Shape, ...], ...] = (((256, 128),), ((30_000,),), ((8, 16, 128), (20_001,)), ((16, 16, 128), (3,)))


ALIVE = "from tests.shared.alive import Alive"


def kept_program(name: str, settings: str, all_shapes: tuple[Shape, ...], steps: int) -> Sized:
    """So many steps of parameters of these shapes, and what may be kept of them when their gradients are gone."""
    lines = _typed_measure(name, settings, all_shapes, steps)
    if name == "FactoredAdaGrad":
        return Sized(lines, sum(4 * numbers_kept(shape) + 8 for shape in all_shapes))
    block_size = int(settings.rpartition("block_size=")[2]) if "block_size" in settings else 64
    counts = [math.prod(shape) for shape in all_shapes]
    return Sized(lines, sum(count + 4 * -(-count // block_size) + 8 for count in counts))


def _typed_measure(name: str, settings: str, all_shapes: tuple[Shape, ...], steps: int) -> Lines:
    names = "abc"[: len(all_shapes)]
    lines = [ALIVE, f"torch.manual_seed({7 + steps})"]
    lines += [
        f"{one} = torch.randn({shape}, dtype=torch.float32, requires_grad=True)"
        for one, shape in zip(names, all_shapes, strict=True)
    ]
    lines += ["alive = Alive()", "with alive:", f"    optimizer = {name}([{', '.join(names)}], {settings})"]
    lines += [f"    for _ in range({steps}):"]
    lines += [f"        {one}.grad = torch.randn_like({one})" for one in names]
    lines += ["        optimizer.step()", *(f"    {one}.grad = None" for one in names)]
    return [*lines, f"kept = alive.bytes([{', '.join(names)}])"]


def numbers_kept(shape: Shape) -> int:
    """How many sums there are of a parameter."""
    return math.prod(shape) if len(shape) < 2 else math.prod(shape[:-2]) * (shape[-2] + shape[-1])
