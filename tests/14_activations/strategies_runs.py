"""What hypothesis draws for kata 14 of chains that are checkpointed in runs."""

from __future__ import annotations

import functools
import itertools
import math
import re
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import integers, pick
from .typed import WEAK, linear, numbers, typed_seed

LAYERS = (
    linear(3, 3),
    "nn.Tanh()",
    "torch.sigmoid",
    "nn.GELU()",
    f"nn.Sequential({linear(3, 3)}, nn.Tanh())",
    "lambda x: (x * x).sin()",
    "nn.Dropout(0.5)",
    "nn.Dropout(0.5).eval()",
)

UNEVEN = ((15, 11), (22, 22), (13, 11))
"""Layers and runs of which an end, as a float, is a little less than it should be: n / k · j, j / k · n, in float32."""

ONE_OVER = ((7, 3), (10, 3), (9, 4), (11, 5), (13, 4))
"""Layers and runs of which one has to be longer than all others, and these are longer than 1."""


def _cut(draw: DrawFn, longest: int) -> tuple[int, int]:
    """A number of layers and of runs; often one that does not divide the other."""
    n = draw(integers(5, longest))
    k = pick(draw, tuple(k for k in (2, 3, n - 1, 4, 5, 1, n, n // 2) if 1 <= k <= n))
    return n, k


@functools.cache
@classes(
    {
        "dropout": has("Dropout"),
        "a function": has("torch.sigmoid", "lambda"),
        "x needs a gradient": has("requires_grad=True"),
        "x needs none": lambda program: not has("requires_grad=True")(program),
        "a tuple of layers": has("layers = ("),
        "one run": has("(layers, 1, x)"),
        "no gradients": has("torch.no_grad()"),
    }
)
def sequences() -> SearchStrategy[Program]:
    """Programs that go backward through a chain of layers, or call it without gradients."""
    return _sequences()


@st.composite
def _sequences(draw: DrawFn) -> Program:
    n, k = _cut(draw, 7)
    grad = draw(st.booleans())
    # Where x needs no gradient, the first result needs one all the same.
    layers = [LAYERS[0] if place == 0 and not grad else pick(draw, LAYERS) for place in range(n)]
    brackets = pick(draw, ("[]", "()"))
    made = f"{brackets[0]}{', '.join(layers)}{',' if n == 1 and brackets == '()' else ''}{brackets[1]}"
    lines = [typed_seed(draw), f"layers = {made}", f"x = {numbers(pick(draw, (2, 3, 1)), 3, grad=grad)}"]
    call = f"y = checkpoint_sequential(layers, {k}, x)"
    if pick(draw, (False, False, False, True)):
        return [*lines, "with torch.no_grad():", f"    {call}"], ["y", "y.requires_grad", "torch.rand(2)"]
    lines += [call, "after = torch.rand(2)", "y.square().sum().backward()"]
    watched = "[p.grad for layer in layers if isinstance(layer, nn.Module) for p in layer.parameters()]"
    return lines, ["y", "after", "torch.rand(2)", "x.grad", watched]


class Runs(NamedTuple):
    """A program that looks at a chain of so many layers, in so many runs."""

    lines: Lines
    n: int
    k: int


WATCHED = ["kept", "inside", "most", "order"]

MODULES = ("Layer({})", "Layer({}, w)", "Dropout({})", "layer({})")
"""Layers without and with a parameter, with dropout, and plain functions. What goes into any of them is saved."""

CLASSES = [
    "class Layer(nn.Module):",
    "    def __init__(self, place, weight=None):",
    "        super().__init__()",
    "        self.place, self.weight = place, weight",
    "    def forward(self, x):",
    "        return layer(self.place)(x)",
    "class Dropout(nn.Dropout):",
    "    def __init__(self, place):",
    "        super().__init__()",
    "        self.place = place",
    "    def forward(self, x):",
    "        return layer(self.place, super().forward)(x)",
]


def _runs(case: Runs) -> list[list[str]]:
    """The layers of each run but the last, cut in one of the right ways; no runs if all layers are functions."""
    made = re.findall(r"(\w+\([^)]*\))", next(line for line in case.lines if line.startswith("layers = [")))
    if len(made) < case.n:
        return []
    ends = [case.n * place // case.k for place in range(case.k)]
    return [made[start:end] for start, end in itertools.pairwise(ends)]


@functools.cache
@classes(
    {
        "one run": lambda case: case.k == 1,
        "ends that a float misses": lambda case: (case.n, case.k) in UNEVEN,
        "as many runs as layers": lambda case: case.k == case.n > 1,
        "runs of two lengths": lambda case: case.n % case.k,
        "one run longer than the others": lambda case: case.n % case.k == 1 and case.n > case.k * 2 > 4,
        "runs of one length": lambda case: case.n % case.k == 0 and 1 < case.k < case.n,
        "x needs no gradient": lambda case: not any("x = " in line and "grad" in line for line in case.lines),
        "torch's own cut would be too long": lambda case: (
            case.n - case.n // case.k * (case.k - 1) > math.ceil(case.n / case.k)
        ),
        "a run of modules without a parameter": lambda case: any(
            all(place.startswith(("Layer", "Dropout")) and "w" not in place for place in run) for run in _runs(case)
        ),
        "a run with dropout": lambda case: any("Dropout" in place for run in _runs(case) for place in run),
        "functions alone": lambda case: CLASSES[0] not in case.lines,
        "runs of the root would be others": lambda case: case.k not in (math.isqrt(case.n), math.isqrt(case.n) + 1),
    }
)
def counted_runs() -> SearchStrategy[Runs]:
    """Programs that count results of layers, and write down which layer runs when."""
    return _counted_runs()


@st.composite
def _counted_runs(draw: DrawFn) -> Runs:
    known = pick(draw, (None, None, UNEVEN, ONE_OVER, UNEVEN))
    n, k = pick(draw, known) if known else _cut(draw, 12)
    kinds = pick(draw, (None, MODULES, MODULES[:3], None, MODULES[::2]))
    step = pick(draw, ("x.sin()", "x.cos().exp()", "x * x"))
    modules = [pick(draw, kinds).format(place) for place in range(n)] if kinds else []
    lines = [
        WEAK,
        "results, parts, order, most = [], [], [], 0",
        "def there(noted):",
        "    return [place for place, ref in noted if not ref.expired()]",
        "def layer(place, drop=nn.Identity()):" if modules else "def layer(place):",
        "    def run(x):",
        "        global most",
        f"        h = drop({step})" if modules else f"        h = {step}",
        "        y = h * w",
        "        parts.append((place, StorageWeakRef(h.untyped_storage())))",
        "        results.append((place, StorageWeakRef(y.untyped_storage())))",
        "        order.append(place)",
        "        most = max(most, len(there(results)))",
        "        return y",
        "    return run",
        *(CLASSES if modules else []),
        f"w = nn.Parameter({numbers(2)})" if modules else f"w = {numbers(2, grad=True)}",
        f"x = {numbers(2, 2, grad=draw(st.booleans()))}",
        f"layers = [{', '.join(modules) or f'layer(place) for place in range({n})'}]",
        f"y = checkpoint_sequential(layers, {k}, x)",
        "kept, inside = there(results), there(parts)",
        "y.sum().backward()",
    ]
    return Runs(lines, n, k)


@functools.cache
@classes(
    {
        "0": lambda case: case[1] == 0,
        "below 0": lambda case: case[1] < 0,
        "one more than layers": lambda case: case[1] == case[0] + 1,
        "no layers": lambda case: case[0] == 0,
        "no gradients": lambda case: case[2],
    }
)
def no_runs() -> SearchStrategy[tuple[int, int, bool]]:
    """Numbers of layers, of runs that they cannot be cut into, and whether that is under torch.no_grad()."""
    return st.one_of(st.integers(0, 5), st.just(0)).flatmap(
        lambda n: st.tuples(st.just(n), st.sampled_from((0, n + 1, -1, n + 2, 1 if n == 0 else -n)), st.booleans())
    )
