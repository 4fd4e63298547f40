"""What hypothesis draws for kata 13 of states that go to another process: the program before, and the one after."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick
from . import strategies_masters as masters
from . import strategies_scalers as scalers
from .programs_resumed import STATE


class Carried(NamedTuple):
    """The lines of both processes, and what is watched at the end of the second."""

    before: Lines
    after: Lines
    watched: Lines


def _before(text: str) -> Callable[[Carried], bool]:
    return lambda case: any(text in line for line in case.before)


@functools.cache
@classes(
    {
        "in the middle of a count": _before("growth_interval=3"),
        "after an update": _before("scaler.update()"),
        "after what was not finite": _before("math."),
        "two optimizers": _before("of_b"),
    }
)
def carried_scalers() -> SearchStrategy[Carried]:
    """A scaler that is saved between two updates, and another one that loads it and goes on with new optimizers."""
    return _carried_scalers()


@st.composite
def _carried_scalers(draw: DrawFn) -> Carried:
    names = pick(draw, ("a", "ab"))
    made = scalers.made(draw, names)
    growth, backoff, interval = pick(draw, (2.0, 4.0)), pick(draw, (0.5, 0.25)), pick(draw, (3, 2, 3, 4))
    scaler = f"init_scale={pick(draw, (1024.0, 65536.0, 0.25))}, growth_factor={growth}, backoff_factor={backoff}"
    before = [*made, f"scaler = LossScaler({scaler}, growth_interval={interval})", "scales = []"]
    before += scalers.updates(draw, names, pick(draw, (1, 2, 3, 2, 0)), before)
    before += [f"torch.save(scaler.state_dict(), {STATE})"]
    after = [*made, f"scaler = {pick(draw, ('LossScaler()', scalers.typed_scaler(draw, 512.0)))}", "scales = []"]
    after += [f"scaler.load_state_dict(torch.load({STATE}, weights_only=True))", "scales.append(scaler.get_scale())"]
    after += scalers.updates(draw, names, draw(st.integers(2, 4)), after)
    return Carried(before, after, ["scales", *names])


@functools.cache
@classes(
    {
        "bfloat16": _before("torch.bfloat16"),
        "float16": _before("torch.float16"),
        "AdamW": _before("AdamW"),
        "momentum": _before("momentum"),
        "several parameters": _before("b = torch"),
        "after a step": _before("weights.step()"),
        "another rate than it was made with": _before(masters.SLOWER),
        "another weight decay than it was made with": _before(masters.DECAY),
        "before the first step": lambda case: not _before("weights.step()")(case),
    }
)
def carried_masters() -> SearchStrategy[Carried]:
    """Master weights that are saved, and others that load them over zeros, and step."""
    return _carried_masters()


@st.composite
def _carried_masters(draw: DrawFn) -> Carried:
    names, dtype = pick(draw, ("a", "ab")), pick(draw, ("bfloat16", "bfloat16", "float16"))
    changed = pick(draw, ([], [masters.SLOWER], [], [masters.DECAY]))
    layout_of, made = masters.parameters(draw, names, dtype, bool(changed))
    params = f"params = [{', '.join(names)}]"
    before = [*made, params, "weights = MasterWeights(params, make)", *changed]
    if pick(draw, (True, True, True, False)):
        before += masters.gradients(draw, layout_of, dtype, ("new", "new", "new", "none"))
        before += [masters.steps(draw, "weights", 6)]
    before += [f"torch.save(weights.state_dict(), {STATE})"]
    after = [*made, params, "for p in params: p.detach().zero_()", "weights = MasterWeights(params, make)"]
    after += [f"weights.load_state_dict(torch.load({STATE}, weights_only=True))"]
    after += ["loaded = [p.detach().clone() for p in params]"]
    after += masters.gradients(draw, layout_of, dtype, ("new", "new", "new", "none"))
    after += [masters.steps(draw, "weights", 8)]
    return Carried(before, after, ["loaded", *names])
