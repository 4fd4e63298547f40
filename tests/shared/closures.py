"""Programs that hypothesis draws: optimizer steps with a closure that only returns, and with one that raises."""

from __future__ import annotations

import functools
import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from .gradients import typed_parameter
from .optimizers import Described, typed_optimizer
from .programs import Program, has
from .shapes import pick, shapes


@classes(
    {
        "gradients are enabled around a closure that raises": has("set_grad_enabled(True)"),
        "gradients are disabled around a closure that raises": has("set_grad_enabled(False)"),
        "the result is a tensor": has("result = a"),
        "the result is neither a tensor nor a float": has("result = [", 'result = "'),
    }
)
@functools.cache
def raising_programs(optimizer: Described) -> SearchStrategy[Program]:
    """Return programs: a step whose closure returns an existing result, one whose closure raises, and one without."""
    return _raising_programs(optimizer)


@st.composite
def _raising_programs(draw: DrawFn, optimizer: Described) -> Program:
    made = typed_parameter(draw, draw(shapes(1, 3)), "float64")
    result = pick(draw, ("a.square().sum()", "a.square().sum()", "[1.0, 2]", '"done"'))
    error = pick(draw, ("RuntimeError", "ValueError"))
    return [
        f"a = {made}",
        "a.grad = torch.ones_like(a)",
        f"optimizer = {typed_optimizer(draw, optimizer, ['a'])}",
        f"result = {result}",
        "def failing():",
        f'    raise {error}("no data")',
        f"with torch.set_grad_enabled({draw(st.booleans())}):",
        "    returned = optimizer.step(lambda: result)",
        "    try:",
        "        raised = optimizer.step(failing)",
        f"    except {error} as error:",
        "        raised = str(error)",
        "    still_enabled = torch.is_grad_enabled()",
        "optimizer.step()",
    ], ["returned is result", "raised", "still_enabled", "a"]


INTERRUPTED = has("raise KeyboardInterrupt")
"""Whether the closure raises an error that is no Exception."""


def interrupted(draw: DrawFn, program: Program) -> Program:
    """Return a program of raising_programs, in which the error often is a KeyboardInterrupt.

    Mostly where gradients are disabled outside, because there alone it shows if an interrupt leaves them enabled.
    """
    lines, watched = program
    if has("set_grad_enabled(False)")(program) is pick(draw, (True,) * 7 + (False,)):
        lines = [re.sub("RuntimeError|ValueError", "KeyboardInterrupt", line) for line in lines]
    return lines, watched
