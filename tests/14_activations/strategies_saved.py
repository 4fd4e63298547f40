"""What hypothesis draws for kata 14 of functions whose saved bytes are measured."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick
from .typed import DOUBLE, GRADIENTS, linear, maybe, numbers, typed_seed

ACTIVATIONS = (
    "nn.ReLU()",
    "nn.ReLU(inplace=True)",
    "nn.GELU()",
    "nn.Softmax(-1)",
    f"nn.LayerNorm(3, {DOUBLE})",
    "nn.Dropout(0.5)",
    "nn.Tanh()",
)


def _mlp(draw: DrawFn) -> Lines:
    """Layers with activations between them, one of which may be frozen, or be there twice."""
    between = [pick(draw, ACTIVATIONS) for _ in range(2)]
    if pick(draw, (False, False, True)):
        made = [f"shared = {linear(3, 3)}", f"model = nn.Sequential({linear(2, 3)}, shared, {between[0]}, shared)"]
    else:
        made = [f"model = nn.Sequential({linear(2, 3)}, {between[0]}, {linear(3, 3)}, {between[1]}, {linear(3, 1)})"]
    frozen = pick(draw, ([], [], ["model[0].weight.requires_grad_(False)"], ["model[2].requires_grad_(False)"]))
    rows = pick(draw, (2, 3, 1, 0))
    return [*made, *frozen, f"x = {numbers(rows, 2, grad=draw(st.booleans()))}"]


VIEWS = (
    "model(x)[:, :1] * x[:, :1]",
    "model(x)[0] * x[1]",
    "(x.mT * model(x).mT).exp()",
    "x[:, :1] * x[:, 1:] + model(x)",
    "model(x)[:, :1] * model(x)[:, 1:] + (x[:-1] * x[1:]).sum()",
    "model(x).view(-1)[:2] * x.view(-1)[1:3]",
    "model(x)[1:].square().sum() + model.weight.mT.exp().sum()",
    "model(x).expand(3, -1, -1) * x",
    "x * x + model(x)",
    "model(x) * x[:, 1:].detach()",
    "model(x)[1:] * x[:-1].data",
    "model(x) * x.detach()[:, 1:]",
    "model(x)[:, :1] * model(x).detach()[:, :1]",
)

INTEGERS = ("model(x).max(-1).values", "model(x)[x[:, 0].argsort()]", "model(x).gather(1, x.argsort(1))")
BOOLS = ("model(x).masked_fill(x > 0, 0.5)", "model(x).where(x > 0, 0.5)")
BOTH = (
    "model(x).masked_fill(x > 0, 0.5).max(-1).values",
    "model(x).where(x > 0, 0.5)[x[:, 0].argsort()]",
    "model(x).masked_fill(x > 0, 0.5).gather(1, x.argsort(1))",
)

PLACES = (BOOLS[0], *INTEGERS, "model(x)[x > 0]", BOOLS[1], *BOTH)
"""What saves where something is, as integers or bools."""

PARTS = (
    "model(x) * (x + 1)[:, 1:].detach()",
    "model(x)[:1] * model(x)[1:].detach()",
    "model(x)[1:] * (x + 1)[:-1].data",
    "model(x) * nn.Parameter((x + 1)[0])",
)
"""What saves a part of a tensor that no longer knows the whole, and saves the whole nowhere else."""

HALVES = ("torch.mul(*model(x).unbind(1))", "torch.mul(*model(x).chunk(2, 1))", "torch.mul(*model(x).split(1, 1))")
"""Two views of one tensor that differ only in where they begin."""

SINGLE = ("model(x) * model(x).mean()", "model(x).sum() * model(x).exp()", "(model(x) - x).square().sum().sqrt() * x")
"""What saves a single number."""

MASKS = (
    "model(x).masked_fill(mask, 0.5) * mask.view(torch.uint8)",
    "model(x).sin() * mask.view(torch.uint8) + model(x).where(mask, 0.5)",
    "(model(x) * mask.view(torch.uint8)).masked_fill(mask, 0.5).sum().square()",
)
"""What saves one storage under views of two dtypes."""

FORMULAS = {"views": VIEWS, "places": PLACES, "parts": PARTS}

KINDS = ("mlp", "views", "attention", "thrown away", "mlp", "views", "mlp", "thrown away", "views", "places", "parts")
"""Kinds of functions, of which "no gradients" has nothing to go backward through."""

LONG = (100, 150)
"""So many rows take more than 1 KiB, and the next graph gets the memory of one that is gone; of less it seldom does."""


def _views(draw: DrawFn, rows: tuple[int, ...] = (3, 4, 2)) -> Lines:
    """One layer, and views of what goes in and out of it."""
    return [f"model = {linear(2, 2)}", f"x = {numbers(pick(draw, rows), 2, grad=draw(st.booleans()))}"]


FUNCTION = "def function():"


@st.composite
def _functions(draw: DrawFn, gradients: bool = False) -> Lines:
    """The lines that define a function, which appends what it computes to `results`."""
    kind = pick(draw, KINDS if gradients else (*KINDS, "no gradients", "places"))
    lines = [typed_seed(draw), "results = []"]
    if kind in ("mlp", "no gradients"):
        lines += _mlp(draw)
        body = ["    results.append(model(x).sum())"]
        if kind == "no gradients":
            body = [
                "    with torch.no_grad():",
                f"    {body[0]}",
                *maybe(draw, "    results.append(x[:1].exp().sum())"),
            ]
    elif kind in FORMULAS:
        lines += _views(draw)
        more = f" + {pick(draw, HALVES)}.sum()" if gradients and pick(draw, (False, True, True)) else ""
        terms = pick(draw, ((), SINGLE, MASKS))
        more += f" + ({pick(draw, terms)}).sum()" if terms else ""
        lines += ["mask = x > 0"] if terms == MASKS else []
        body = [f"    results.append(({pick(draw, FORMULAS[kind])}).sum(){more})"]
    elif kind == "attention":
        rows, width = pick(draw, (3, 2, 4)), pick(draw, (2, 3))
        lines += [f"model = {linear(width, width)}", f"x = {numbers(rows, width, grad=draw(st.booleans()))}"]
        body = ["    q = model(x)", "    results.append(((q @ q.mT).softmax(-1) @ q).sum())"]
    else:
        one_layer = pick(draw, (False, True, True))
        lines += _views(draw, LONG) if one_layer else _mlp(draw)
        count = pick(draw, (5, 20, 9))
        body = [
            f"    for _ in range({count}):",
            f"        _ = model(x).{pick(draw, ('square', 'sin') if one_layer else ('square', 'exp'))}().sum()",
            "    results.append(model(x).sum())",
        ]
    return [*lines, FUNCTION, *body, "    return results[-1]"]


EXCLUDED = (
    "model.parameters()",
    "[x]",
    "[x, *model.parameters()]",
    "(p for p in model.parameters())",
    "[x[:1]]",
    "[x[1:]]",
    "[p.mT for p in model.parameters() if p.ndim == 2]",
    "(x.view(-1), x)",
    "[torch.ones(2, dtype=torch.float64)]",
    "[x.detach()]",
    "[p.data for p in model.parameters()]",
)


@functools.cache
@classes(
    {
        "an in-place ReLU": has("inplace=True"),
        "GELU": has("GELU"),
        "softmax": has("Softmax", "softmax"),
        "LayerNorm": has("LayerNorm"),
        "dropout": has("Dropout"),
        "a frozen weight": has("requires_grad_(False)"),
        "a layer used twice": has("shared, "),
        "attention on itself": has("q @ q.mT"),
        "views": has("[:, :1]", "mT * ", "view(-1)[:2]", ".expand("),
        "graphs that are thrown away": has("        _ = model(x)"),
        "long graphs that are thrown away": has(*(f"randn({rows}, 2" for rows in LONG)),
        "no gradients": has("torch.no_grad()"),
        "no rows": has("torch.randn(0, "),
        "the data needs a gradient": has("requires_grad=True"),
        "the parameters excluded": has("(function, model.parameters())", "(function, (p for p in"),
        "the data excluded": has("(function, [x])"),
        "both excluded": has("[x, *model.parameters()]"),
        "a view excluded": has("[x[:1]]", "p.mT for p", "x.view(-1), x"),
        "integers": has(*INTEGERS, *BOTH),
        "bools": has(*BOOLS, *BOTH),
        "a single number": has(*SINGLE),
        "one storage under two dtypes": has(*MASKS),
        "a part alone, without the whole": has(*PARTS),
        "a detached view": has("* x[:, 1:].detach()", "].data)", ".detach()[:"),
        "what is detached excluded": has("[x.detach()]", "[p.data for"),
    }
)
def measured_programs() -> SearchStrategy[Program]:
    """Programs that measure one function, with nothing excluded and with some of what it saves."""
    return _measured_programs()


@st.composite
def _measured_programs(draw: DrawFn) -> Program:
    lines = draw(_functions())
    lines.append("count = saved_bytes(function)")
    lines += [f"{name} = saved_bytes(function, {pick(draw, EXCLUDED)})" for name in ("less", "other", "last")]
    lines += ["runs = len(results)", "with torch.no_grad():", "    nothing = saved_bytes(function)"]
    lines += ["more_runs = len(results) - runs"]
    return lines, ["count", "less", "other", "last", "runs", "nothing", "more_runs"]


@functools.cache
@classes(
    {
        "an in-place ReLU": has("inplace=True"),
        "dropout": has("Dropout"),
        "a frozen weight": has("requires_grad_(False)"),
        "a layer used twice": has("shared, "),
        "attention on itself": has("q @ q.mT"),
        "views": has("[:, :1]", "mT * ", "view(-1)[:2]", ".expand("),
        "views that differ only in where they begin": has(*HALVES),
        "the data needs a gradient": has("requires_grad=True"),
        "something excluded": has("saved_bytes(function, "),
        "two backwards": has("retain_graph=True"),
    }
)
def backward_programs() -> SearchStrategy[Program]:
    """Programs that go backward through the graph that was made while the bytes were counted."""
    return _backward_programs()


@st.composite
def _backward_programs(draw: DrawFn) -> Program:
    lines = draw(_functions(gradients=True))
    exclude = pick(draw, ("", f", {pick(draw, EXCLUDED)}"))
    lines += [f"count = saved_bytes(function{exclude})", *maybe(draw, "results[0].backward(retain_graph=True)")]
    lines.append("results[0].backward()")
    return lines, ["len(results)", "results[0]", "x.grad", GRADIENTS]
