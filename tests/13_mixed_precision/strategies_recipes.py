"""What hypothesis draws for kata 13 of plain calls: recipes with parameters and states, operations with dtypes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import pick

Case = tuple[Any, ...]

STATES = ((1,), (0,), (3,), (2,), (), (4,), (9,))
"""Numbers of states, by place; without one it is 2."""

RECIPES = ("float32", "bfloat16", "autocast", "master")
SPELT_OTHERWISE = ("Float32", "BFLOAT16", "AUTOCAST", "Master", "master ", " float32", "float32\n", "auto_cast")
NO_RECIPES = ("float16", "", "amp", "fp32", "bf16", "masters", "mixed", "auto", "float16")


def _is(recipe: str) -> Callable[[list[Case]], bool]:
    return lambda cases: any(case[1] == recipe for case in cases)


def _some(holds: Callable[[Case], bool]) -> Callable[[list[Case]], bool]:
    return lambda cases: any(map(holds, cases))


def _states(number: int) -> Callable[[list[Case]], bool]:
    return lambda cases: any(case[2:] == (number,) for case in cases)


@classes(
    {
        **{recipe: _is(recipe) for recipe in RECIPES},
        "no parameters": _some(lambda case: case[0] == 0),
        "beyond what a float holds exactly": _some(lambda case: case[0] > 2**53),
        "2 states by default": _some(lambda case: len(case) == 2),
        **{f"{states} states": _states(states) for states in (*range(5), 9)},
        "masters without states": _some(lambda case: case[1:] == ("master", 0)),
    }
)
@st.composite
def recipes(draw: DrawFn) -> list[Case]:
    """Four calls: (num_params, recipe), and in most the number of states, by place."""
    return [(_params(draw), pick(draw, RECIPES), *pick(draw, STATES)) for _ in range(4)]


def _params(draw: DrawFn) -> int:
    # An odd number beyond 2**53 is none that a float holds.
    of = pick(draw, ("small", "large", "small", "huge", "none"))
    most = {"small": 999, "large": 10**12, "huge": 2**60, "none": 0}[of]
    least = {"small": 1, "large": 10**9, "huge": 2**56, "none": 0}[of]
    return draw(st.integers(least, most)) | (of == "huge")


@classes(
    {
        **{f"{recipe!r} is no recipe": _is(recipe) for recipe in (*NO_RECIPES, *SPELT_OTHERWISE)},
        "parameters below 0": _some(lambda case: case[0] < 0),
        "-1 parameters": _some(lambda case: case[0] == -1),
        "-1 states": _some(lambda case: case[2:] == (-1,)),
        "no parameters by no recipe": _some(lambda case: case[0] == 0 and case[1] not in RECIPES),
        "no parameters, and states below 0": _some(lambda case: case[0] == 0 and case[2:] < (0,) and len(case) > 2),
    }
)
@st.composite
def refused_recipes(draw: DrawFn) -> list[Case]:
    """Six calls that have one thing wrong: four recipes, the states, and the parameters."""
    recipes = [pick(draw, names) for names in (NO_RECIPES, NO_RECIPES, SPELT_OTHERWISE, SPELT_OTHERWISE)]
    calls = [(pick(draw, (3, 0, 1000)), recipe, *pick(draw, ((), (0,), (2,)))) for recipe in recipes]
    calls.append((pick(draw, (3, 0, 1000)), pick(draw, RECIPES), -pick(draw, (1, 1, 2, 1000))))
    return [*calls, (-pick(draw, (1, 1, 2, 1000)), pick(draw, RECIPES), *pick(draw, ((), (0,), (2,))))]


DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
NARROW = {torch.bfloat16: torch.float16, torch.float16: torch.bfloat16}
"""Both, each with the other one."""

PRODUCTS = ("matmul", "linear")
OF_TWO = ("matmul", "linear", "mse_loss", "add", "mul", "cat")
OF_ONE = ("cross_entropy", "prod", "relu", "gelu", "softmax", "layer_norm", "exp", "sum", "mean")
SPELT = ("Linear", "MATMUL", "Softmax", "RELU", "matmul ", " add", "add_", "torch.mul", "layernorm", "mse")
LIKE_PRODUCTS = (
    *("conv2d", "bmm", "mm", "addmm", "baddbmm", "bilinear", "einsum", "cross"),
    *("conv1d", "conv3d", "conv_transpose2d", "scaled_dot_product_attention"),
)
LIKE_LOSSES = (
    *("l1_loss", "nll_loss", "kl_div", "huber_loss", "smooth_l1_loss", "binary_cross_entropy"),
    *("cumprod", "log_softmax", "trace"),
)
NO_OPS = (
    *("dropout", "", "sub", "tanh", "sigmoid", "div", "batch_norm", "max", "stack"),
    *("silu", "log", "sqrt", "pow", "abs", "neg", "rms_norm"),
)

Call = tuple[str, tuple[torch.dtype, ...], dict[str, torch.dtype]]


def _asked() -> list[Call]:
    """Every call that has an answer, the simplest first."""
    found: list[Call] = []
    for op in (*OF_TWO, *OF_ONE):
        for dtypes in itertools.product(DTYPES, repeat=2 if op in OF_TWO else 1):
            mixed = torch.float64 in dtypes and len(set(dtypes)) > 1
            if op in PRODUCTS and mixed:
                continue
            for lower in (None, torch.float16, torch.bfloat16):
                if op == "cat" and NARROW[lower or torch.bfloat16] in dtypes:
                    continue
                found.append((op, dtypes, {"lower": lower} if lower else {}))
    return found


ASKED = _asked()
BY_OP = {op: [call for call in ASKED if call[0] == op] for op in (*OF_TWO, *OF_ONE)}
MIXED = [call for op in ("add", "mul") for call in BY_OP[op] if set(call[1]) == set(NARROW)]
"""Both 16-bit dtypes in a sum or in a product number by number."""


def _asks(op: str) -> Callable[[list[Call]], bool]:
    return lambda calls: any(call[0] == op for call in calls)


@classes(
    {
        **{op: _asks(op) for op in BY_OP},
        "a product of float64": _some(lambda call: call[0] in PRODUCTS and torch.float64 in call[1]),
        "a product of float16 under bfloat16": _some(
            lambda call: call[0] in PRODUCTS and torch.float16 in call[1] and not call[2]
        ),
        "both 16-bit dtypes in a sum": _some(lambda call: call[0] in ("add", "mul") and set(call[1]) == set(NARROW)),
        "a loss of float64 and a narrower one": _some(
            lambda call: call[0] == "mse_loss" and torch.float64 in call[1] and len(set(call[1])) > 1
        ),
        "lower by default": _some(lambda call: not call[2]),
        "lower is float16": _some(lambda call: call[2].get("lower") == torch.float16),
    }
)
@st.composite
def operations(draw: DrawFn) -> list[Call]:
    """Seven calls, of two products, two losses, a sum, and of two others; any of them may be the first.

    Of an example no more is asked after a wrong answer, and a belief shows in other operations, too.
    """
    asked = [BY_OP[op] for op in (*PRODUCTS, "mse_loss")]
    asked += [pick(draw, (BY_OP["add"], BY_OP["mul"], MIXED, BY_OP["cat"]))]
    asked += [BY_OP[op] for op in (pick(draw, ("prod", "cross_entropy")), pick(draw, OF_ONE), pick(draw, OF_ONE))]
    first = pick(draw, range(len(asked)))
    return [pick(draw, calls) for calls in asked[first:] + asked[:first]]


@classes(
    {
        **{f"{op!r} is not listed": _asks(op) for op in (*NO_OPS, *LIKE_PRODUCTS, *LIKE_LOSSES, *SPELT)},
        "float64 first": _some(lambda call: call[0] in PRODUCTS and call[1][0] == torch.float64),
        "float64 second": _some(lambda call: call[0] in PRODUCTS and call[1][1] == torch.float64),
        "float64 with float32": _some(lambda call: set(call[1]) == {torch.float64, torch.float32}),
        "float64 with 16 bits": _some(
            lambda call: torch.float64 in call[1] and any(dtype in NARROW for dtype in call[1])
        ),
    }
)
@st.composite
def refused_operations(draw: DrawFn) -> list[Call]:
    """Two products of float64 with another dtype, and eight operations that are none of them."""
    products = [(torch.float64, pick(draw, DTYPES[:3])), (torch.float64, pick(draw, DTYPES[:3]))[::-1]]
    calls: list[tuple[str, tuple[torch.dtype, ...]]] = [(pick(draw, PRODUCTS), dtypes) for dtypes in products]
    names = [pick(draw, ops) for ops in (LIKE_PRODUCTS, LIKE_LOSSES, NO_OPS, SPELT) * 2]
    calls += [(op, (pick(draw, DTYPES),) * pick(draw, (1, 2))) for op in names]
    by_name: tuple[dict[str, torch.dtype], ...] = ({}, {"lower": torch.float16}, {"lower": torch.bfloat16})
    return [(*call, pick(draw, by_name)) for call in calls]
