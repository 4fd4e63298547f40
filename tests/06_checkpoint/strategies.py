"""What hypothesis draws for checkpoints: the lines that make a run, and what may happen to it."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..shared.shapes import pick

Lines = list[str]

OPTIMIZERS = (
    "SGD({}, lr=0.1)",
    "SGD({}, lr=0.1, momentum=0.9)",
    "Adam({}, lr=0.05)",
    "AdamW({}, lr=0.05, amsgrad=True)",
    "RMSprop({}, lr=0.01, momentum=0.5)",
    "Adagrad({}, lr=0.1, lr_decay=0.5)",
)
SCHEDULES = (
    "StepLR(optimizer, 2)",
    "ExponentialLR(optimizer, 0.5)",
    "CosineAnnealingLR(optimizer, 5)",
    "LambdaLR(optimizer, lambda step: 1 / (step + 1))",
    "LinearLR(optimizer, 0.1, total_iters=4)",
    "OneCycleLR(optimizer, 0.5, total_steps=100, cycle_momentum=False)",
    "SequentialLR(optimizer, [LinearLR(optimizer, 0.1), StepLR(optimizer, 2)], [2])",
)
NORMS, DROPOUTS = ("", "nn.BatchNorm1d({})"), ("", "nn.Dropout()")
SPLITS = (
    '[{"params": model[0].parameters()}, {"params": model[1:].parameters()}]',
    '[{"params": model[:-1].parameters()}, {"params": [model[-1].weight]}, {"params": [model[-1].bias]}]',
    '[{"params": [model[0].weight]}, {"params": [p for p in model.parameters() if p is not model[0].weight]}]',
)


@functools.cache
def seeds() -> SearchStrategy[int]:
    """Seeds of a run."""
    return st.integers(0, 99)


@functools.cache
def runs(scheduled: bool | None = None) -> SearchStrategy[Lines]:
    """Lines that make a model, an optimizer and a schedule; `scheduled` says whether there is one, None that it may."""
    return _runs(scheduled)


@st.composite
def _runs(draw: DrawFn, scheduled: bool | None) -> Lines:
    width = draw(st.integers(2, 4))
    layers = [f"nn.Linear(3, {width})", pick(draw, NORMS), "nn.Tanh()", pick(draw, DROPOUTS), f"nn.Linear({width}, 1)"]
    return [_model(layers), _optimizer(draw), _schedule(draw, scheduled)]


def _model(layers: Lines) -> str:
    width = layers[0].rpartition(" ")[2].rstrip(")")
    return f"model = nn.Sequential({', '.join(layer.format(width) for layer in layers if layer)})"


def _optimizer(draw: DrawFn) -> str:
    params = pick(
        draw,
        (
            "model.parameters()",
            "model.parameters()",
            '[{"params": model[0].parameters(), "lr": 0.02}, {"params": model[1:].parameters()}]',
        ),
    )
    return f"optimizer = {pick(draw, OPTIMIZERS).format(params)}"


def _schedule(draw: DrawFn, scheduled: bool | None) -> str:
    if scheduled is False or (scheduled is None and pick(draw, (False, False, True))):
        return "scheduler = None"
    return f"scheduler = {pick(draw, SCHEDULES)}"


@st.composite
def misfits(draw: DrawFn) -> tuple[Lines, Lines]:
    """Two runs, of which the second cannot take the checkpoint of the first: the difference may come late."""
    first, norm, dropout = draw(st.integers(2, 4)), pick(draw, NORMS), pick(draw, DROPOUTS)
    layers = [f"nn.Linear(3, {first})", norm, "nn.Tanh()", dropout, f"nn.Linear({first}, 1)"]
    optimizer = _optimizer(draw)
    lines = [_model(layers), optimizer, _schedule(draw, None)]
    kinds = ("schedule", "wider", "longer", "shorter", "norm", "outputs", "groups", "bias", "names", "buffers", "names")
    kind = pick(draw, kinds)
    other = list(layers)
    if kind == "wider":
        other[0], other[-1] = f"nn.Linear(3, {first + 1})", f"nn.Linear({first + 1}, 1)"
    elif kind == "longer":
        other = [*layers, "nn.Linear(1, 1)"]
    elif kind == "shorter":
        other = [f"nn.Linear(3, {first})", norm, "nn.Tanh()", dropout]
    elif kind == "norm":
        other[1] = NORMS[1 - NORMS.index(norm)]
    elif kind == "outputs":
        other[-1] = f"nn.Linear({first}, 2)"
    elif kind == "bias":
        other[-1] = f"nn.Linear({first}, 1, bias=False)"
    elif kind == "names":  # as many parameters of the same shapes, under other names
        other.insert(2, "nn.Identity()")
    elif kind == "buffers":  # and of these two, one has buffers that the other lacks
        layers[1], other[1] = draw(st.permutations(["", "nn.BatchNorm1d({}, affine=False)"]))
        lines[0] = _model(layers)
    changed = [_model(other), optimizer, lines[2]]
    if kind == "groups":
        splits = draw(st.permutations(["model.parameters()", *SPLITS]))
        lines[1], changed[1] = (f"optimizer = SGD({params}, lr=0.1)" for params in splits[:2])
    if kind == "schedule":
        lines[2], changed[2] = "scheduler = None", _schedule(draw, True)
    return lines, changed


PLACES = st.integers(0, 2**20 - 1)
"""Places in a file of any length, in shares of 2**-20 of it."""


@functools.cache
def damages(*kinds: str, fewest: int = 1, most: int = 4) -> SearchStrategy[list[tuple[str, int]]]:
    """Some damages of these kinds, and where."""
    return st.lists(st.tuples(st.sampled_from(kinds), PLACES), min_size=fewest, max_size=most)


@functools.cache
def evils() -> SearchStrategy[list[tuple[str, int]]]:
    """Some files that would run code: how they are made, and which code it is."""
    kinds = st.sampled_from(["pickle", "torch.save", "legacy", "member", "optimizer", "schedule"])
    return st.lists(st.tuples(kinds, st.integers(0, 3)), min_size=2, max_size=6)


@functools.cache
def kills() -> SearchStrategy[tuple[str, int]]:
    """The faults that a process does not survive, and how far the save has come then."""
    return st.tuples(st.sampled_from(("killed in a write", "killed at a call")), PLACES)


@functools.cache
def faults() -> SearchStrategy[tuple[str, int]]:
    """A fault, and how far the save has come when it strikes, in shares of 2**-20."""
    often = ("killed at a call", "unpicklable")  # by many moments, and by being the only fault that is no OSError
    return st.tuples(st.sampled_from(("full", "killed in a write", "unwritable", *often * 3)), PLACES)


NAMES = ("a", "step_9.pt", "step_10.pt", "latest", "run.ckpt", "z.bin", "checkpoint-100")
STEPS = (0, 1, 2, 9, 10, 11, 31, 100)
KINDS = ("flipped", "truncated", "empty", "evil", "foreign", "a folder", "foreign", "a folder")


@st.composite
def folders(draw: DrawFn) -> list[tuple[str, str, int]]:
    """Files as (name, what it is, step), from old to new; the steps differ, and most of the files are whole."""
    count = pick(draw, (0, 1, 1, 2, 3, 4, 5, 6))
    names, steps = draw(st.permutations(NAMES)), (0,) if count == 1 else draw(st.permutations(STEPS))
    kinds = [pick(draw, (*["whole"] * 8, *KINDS)) for _ in range(count)]
    return list(zip(names, kinds, steps, strict=False))
