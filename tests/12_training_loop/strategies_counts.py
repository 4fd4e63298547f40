"""What hypothesis draws for kata 12 of seeds, and of models whose parameters are counted."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has, lacks
from ..shared.shapes import integers, pick
from .typed import DOUBLE, GRADIENTS, MODES, STALE, linear

LARGEST = 2**32 - 1

SOURCES = [
    "random.gauss(0, 1), random.random()",
    "np.random.randn(), np.random.rand()",
    "torch.randn(3)",
    "torch.randperm(5)",
    "torch.rand(2)",
]
"""What each of the three gives next; gauss and randn keep a second number for later."""


def _numbers(draw: DrawFn) -> Lines:
    """Lines that draw from some of the three, an odd number of times, so that a second number is kept."""
    return [
        f"_ = {', '.join(draw(st.permutations(['random.gauss(0, 1)', 'np.random.randn()', 'torch.randn(3)'])))}",
        *(["torch.manual_seed(1), np.random.seed(2), random.seed(3)"] if draw(st.booleans()) else []),
        *(["_ = torch.rand(1), np.random.rand(), random.random()"] if draw(st.booleans()) else []),
    ]


@functools.cache
def _seeds() -> SearchStrategy[int]:
    edges = st.sampled_from((0, LARGEST, 2**31, 0, 1, 2**31 - 1))
    return st.one_of(integers(5, 9999, 2), edges, edges, st.integers(0, LARGEST))


@functools.cache
@classes(
    {
        "seed 0": has("seed_everything(0)"),
        "the largest seed": has(f"seed_everything({LARGEST})"),
        "a seed beyond what an int32 holds": lambda program: any(
            int(line[16:-1]) >= 2**31 for line in program[0] if line.startswith("seed_everything(")
        ),
        "twice": lambda program: sum("seed_everything(" in line for line in program[0]) > 1,
    }
)
def seeded_programs() -> SearchStrategy[Program]:
    """Programs that draw, seed, and look at what comes next; some seed once more after that."""
    return _seeded_programs()


@st.composite
def _seeded_programs(draw: DrawFn) -> Program:
    lines = [*_numbers(draw), f"seed_everything({draw(_seeds())})"]
    if draw(st.booleans()):
        lines += [*_numbers(draw), f"seed_everything({draw(_seeds())})"]
    return lines, draw(st.permutations(SOURCES))


@functools.cache
@classes(
    {
        "below 0": lambda seed: seed < 0,
        "2**32": lambda seed: seed == 2**32,
        "what torch would take": lambda seed: -(2**63) <= seed < 2**64,
    }
)
def refused_seeds() -> SearchStrategy[int]:
    """What numpy does not take."""
    return st.sampled_from((2**32, -1, -5, 2**32 + 7, 2**40, 2**63, -(2**63), 2**70))


PARTS = (
    linear(3, 4),
    linear(2, 3).replace(f"{DOUBLE})", f"bias=False, {DOUBLE})"),
    f"nn.Embedding(5, 3, {DOUBLE})",
    f"nn.BatchNorm1d(4, {DOUBLE})",
    f"nn.LayerNorm(6, {DOUBLE})",
    f"nn.Conv1d(2, 3, 5, {DOUBLE})",
    f"nn.Sequential({linear(2, 5)}, nn.ReLU())",
    "nn.Dropout()",
    "nn.PReLU()",
)

LAYERS = [part for part in PARTS if "Sequential" not in part]

CALLS = (
    ["count_parameters(model)", "count_parameters(model, True)"],
    ["count_parameters(model, trainable_only=True)", "count_parameters(model, trainable_only=False)"],
)


@functools.cache
@classes(
    {
        "a module registered twice": has("nn.ModuleList([model, "),
        "tied weights": has("tied"),
        "a part that is frozen": has("requires_grad_(False)"),
        "all of it frozen": has("model.requires_grad_(False)"),
        "a frozen parameter that has a gradient": lambda program: (
            has(STALE)(program) and has("requires_grad_(False)")(program)
        ),
        "none of it frozen": lacks("requires_grad_(False)"),
        "one parameter of a module frozen": has("bias.requires_grad_(False)"),
        "more than an int32 holds": has("meta"),
        "a model in eval mode": has("model.eval()"),
        "counted before it was frozen": has("_ = count_parameters"),
        "a parameter that is not contiguous": has("[::2]"),
        "a buffer": has("BatchNorm", "register_buffer"),
        "a buffer that no state_dict holds": has("persistent=False"),
        "a parameter of one number": has("torch.tensor("),
        "an empty parameter": has("torch.zeros(0"),
        "a layer by itself": lambda program: program[0][0].removeprefix("model = ") in LAYERS,
        "no parameters": lambda program: not has("Linear", "Emb", "Norm", "Conv", "PReLU", "Parameter")(program),
    }
)
def counted_models() -> SearchStrategy[Program]:
    """Models of several kinds of parameters, and their counts."""
    return _counted_models()


@st.composite
def _counted_models(draw: DrawFn) -> Program:
    watched = [*pick(draw, CALLS), MODES, GRADIENTS]
    kind = pick(draw, range(12))
    if kind == 11:
        return ['model = nn.ParameterList([torch.empty(n, 65539, device="meta") for n in (65537, 65537, 3)])'], watched
    if kind == 10:
        alone = [f"model = {pick(draw, LAYERS)}", *pick(draw, ([], ["_ = model.requires_grad_(False)"], []))]
        return alone, watched
    parts = [pick(draw, PARTS) for _ in range(draw(st.integers(1, 3)))]
    extras = ["", "tied", "frozen", "scale", "buffer", "empty", "twice", "strided", "half", "bare"]
    extra = [pick(draw, extras[:-1]) for _ in range(3)] if pick(draw, range(8)) else ["bare", pick(draw, extras[4:5])]
    if "bare" in extra:
        parts = ["nn.Dropout()"] * draw(st.integers(0, 1))
    lines = [f"model = nn.ModuleList([{', '.join(parts)}])"]
    if "tied" in extra:
        tied = [f"tied = nn.Embedding(4, 2, {DOUBLE})", f"model.extend([tied, {linear(2, 4)}])"]
        lines += [*tied, "model[-1].weight = tied.weight"]
    if "scale" in extra:
        lines.append(f"model.scale = nn.Parameter(torch.tensor(1.0, {DOUBLE}))")
    if "empty" in extra:
        lines.append(f"model.empty = nn.Parameter(torch.zeros(0, 3, {DOUBLE}))")
    if "strided" in extra:
        lines.append(f"model.strided = nn.Parameter(torch.ones(6, {DOUBLE})[::2])")
    if "half" in extra:
        lines += [f"_ = model.append({linear(3, 2)})", "_ = model[-1].bias.requires_grad_(False)"]
    if "buffer" in extra:
        kept = pick(draw, ("", ", persistent=False"))
        lines.append(f'model.register_buffer("mean", torch.ones(7, {DOUBLE}){kept})')
    if "twice" in extra:
        lines.append("model = nn.ModuleList([model, model])")
    if "frozen" in extra:
        frozen = pick(draw, ("model[0]", "model[0]", "model"))
        lines.append(f"{frozen}.requires_grad_(False)")
    lines += pick(draw, ([], ["_ = model.eval()"]))
    lines += pick(draw, ([], [STALE]))
    if pick(draw, (False, False, True)):  # what was counted before
        lines += ["_ = count_parameters(model, True)", "_ = model.requires_grad_(False)"]
    return lines, watched
