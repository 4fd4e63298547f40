"""What hypothesis draws for checkpoints: the lines that make a run, and what may happen to it."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import pick
from .damage import DAMAGE, END, WHOLE
from .training import BY_HAND, TABLE

Lines = list[str]

OPTIMIZERS = (
    "SGD({}, lr=0.1)",
    "SGD({}, lr=0.1, momentum=0.9)",
    "Adam({}, lr=0.05)",
    "AdamW({}, lr=0.05, amsgrad=True)",
    "RMSprop({}, lr=0.01, momentum=0.5)",
    "Adagrad({}, lr=0.1, lr_decay=0.5)",
)
UNGROUPED = ("LBFGS({}, lr=0.1, max_iter=2)",) * 2
"""An optimizer that takes no groups, and whose state holds lists and plain numbers; it comes as often as two."""
SCHEDULES = (
    "StepLR(optimizer, 2)",
    "ExponentialLR(optimizer, 0.5)",
    "CosineAnnealingLR(optimizer, 5)",
    "LambdaLR(optimizer, lambda step: 1 / (step + 1))",
    "LinearLR(optimizer, 0.1, total_iters=4)",
    "MultiStepLR(optimizer, [1, 3])",
    "OneCycleLR(optimizer, 0.5, total_steps=100, cycle_momentum=False)",
    "SequentialLR(optimizer, [LinearLR(optimizer, 0.1), MultiStepLR(optimizer, [1, 3])], [2])",
)
WRONG = tuple(kind for kind in DAMAGE if kind not in (WHOLE, "flipped"))
NORMS, DROPOUTS = ("", "nn.BatchNorm1d({})"), ("", "nn.Dropout()")
FIXED = ("nn.BatchNorm1d({}).eval()", "nn.Dropout().eval()")
"""Layers that stay in eval mode while the rest is trained."""
DTYPES = ("", "", "", ".double()", ".bfloat16()")
ALL = "model.parameters()"
SPLITS = (
    '[{"params": model[0].parameters()}, {"params": model[1:].parameters()}]',
    '[{"params": model[:-1].parameters()}, {"params": [model[-1].weight]}, {"params": [model[-1].bias]}]',
    '[{"params": [model[0].weight]}, {"params": [p for p in model.parameters() if p is not model[0].weight]}]',
)
SWAPPED = '[{"params": [p for p in model.parameters() if p is not model[0].weight]}, {"params": [model[0].weight]}]'
MISFITS = {
    "group sizes": (SPLITS[0], SPLITS[2]),
    "group order": (SPLITS[2], SWAPPED),
    "a group more": (SPLITS[0], "model[0].parameters()"),
}
"""Parameter groups that do not fit each other, though there are as many, or though all that both have fit."""


@functools.cache
def seeds() -> SearchStrategy[int]:
    """Seeds of a run, so many that nobody tries them all."""
    return st.integers(0, 2**31 - 100)


@classes({"none": lambda count: count == 0, "two or more": lambda count: count >= 2})
def steps(most: int) -> SearchStrategy[int]:
    """Steps of training."""
    return st.integers(0, most)


Numbers = tuple[int | None, int | None]


@classes(
    {
        "the step that it is at": lambda case: case[1] is None,
        "step 0": lambda case: case[1] == 0,
        "beyond a byte": lambda case: case[1] is not None and 255 < case[1] <= 2**24,
        "beyond the integers of a float32": lambda case: case[1] is not None and case[1] > 2**24,
        "the same step again": lambda case: case[0] is not None and case[0] == case[1],
        "a lower step than before": lambda case: None not in case and case[0] > case[1],
    }
)
@st.composite
def numbers(draw: DrawFn) -> Numbers:
    """The steps as which a run is saved before it trains (None: it is not) and after it (None: the one it is at)."""
    kind = pick(draw, ("counted", "other", "other", "other", "again", "again", "lower", "lower"))
    if kind == "counted":
        return None, None
    large = st.integers(256, 2000) | st.integers(2**24, 2**31 - 20).map(lambda n: n | 1)
    last = draw(pick(draw, (st.just(0), st.just(0), st.integers(0, 9), large)))
    return {"other": None, "again": last, "lower": last + 10}[kind], last


@classes(
    {
        "a schedule": lambda lines: not lines[2].endswith("None"),
        "no schedule": lambda lines: lines[2].endswith("None"),
        "buffers": lambda lines: "BatchNorm" in lines[0],
        "random numbers of torch": lambda lines: "Dropout" in lines[0],
        "two groups": lambda lines: "params" in lines[1],
        "a layer in eval mode": lambda lines: ".eval()" in lines[0],
        "a frozen layer": lambda lines: ".requires_grad_(False)" in lines[0],
        "float64": lambda lines: lines[0].endswith(".double()"),
        "bfloat16": lambda lines: lines[0].endswith(".bfloat16()"),
        "a schedule with ints for keys": lambda lines: "MultiStepLR" in lines[2],
        "an optimizer with plain numbers in its state": lambda lines: "LBFGS" in lines[1],
        "a state of the optimizer": lambda lines: lines[1] != f"optimizer = {OPTIMIZERS[0].format(ALL)}",
    }
)
@functools.cache
def runs(scheduled: bool | None = None) -> SearchStrategy[Lines]:
    """Lines that make a model, an optimizer and a schedule; `scheduled` says whether there is one, None that it may."""
    return _runs(scheduled)


@st.composite
def _runs(draw: DrawFn, scheduled: bool | None) -> Lines:
    width = draw(st.integers(2, 4))
    norm, dropout = pick(draw, (*NORMS * 2, FIXED[0])), pick(draw, (*DROPOUTS * 2, FIXED[1]))
    frozen = pick(draw, ("", "", "", ".requires_grad_(False)"))
    layers = [f"nn.Linear(3, {width}){frozen}", norm.format(width), "nn.Tanh()", dropout, f"nn.Linear({width}, 1)"]
    model = f"model = nn.Sequential({', '.join(filter(None, layers))})" + pick(draw, DTYPES)
    return [model, _optimizer(draw), _schedule(draw, scheduled)]


@classes(
    {
        "a large one": lambda lines: lines[0].endswith(TABLE),
        "a small one": lambda lines: not lines[0].endswith(TABLE),
    }
)
@st.composite
def sizes(draw: DrawFn) -> Lines:
    """Lines that make a run, whose file may be larger than the pieces in which files are read."""
    model, *rest = draw(runs())
    return [model + pick(draw, ("", "", TABLE)), *rest]


def _model(layers: Lines) -> str:
    width = layers[0].rpartition(" ")[2].rstrip(")")
    return f"model = nn.Sequential({', '.join(layer.format(width) for layer in layers if layer)})"


def _optimizer(draw: DrawFn) -> str:
    params = pick(
        draw,
        (
            *(ALL, ALL),
            '[{"params": model[0].parameters(), "lr": 0.02}, {"params": model[1:].parameters()}]',
        ),
    )
    return f"optimizer = {pick(draw, (*OPTIMIZERS, *UNGROUPED) if params == ALL else OPTIMIZERS).format(params)}"


def _schedule(draw: DrawFn, scheduled: bool | None) -> str:
    if scheduled is False or (scheduled is None and pick(draw, (False, False, True))):
        return "scheduler = None"
    return f"scheduler = {pick(draw, SCHEDULES)}"


KINDS_OF_MISFIT = (
    *("schedule", "wider", "longer", "shorter", "norm", "outputs", "dimensions", "bias", "names", "buffers"),
    *("buffers more", "buffers less", "groups", "group sizes", "group order", "a group more", "a prefix"),
    "a schedule less",
)
Pair = tuple[str, Lines, Lines]
"""Whether a run can take the checkpoint of another one, the lines of the one that is saved, and its own."""


@classes(
    {
        "what fits comes first": lambda pairs: pairs and pairs[0][0] == "fits",
        "what does not fit comes first": lambda pairs: pairs and pairs[0][0] != "fits",
    }
)
@st.composite
def pairs(draw: DrawFn) -> list[Pair]:
    """Runs and what their checkpoints are loaded into: the same run, one without its schedule, and nearly all misfits.

    A kind is left out now and then, so that a failing example can consist of one.
    """
    kinds = draw(st.permutations([*KINDS_OF_MISFIT, "fits", "fits"]))
    return [(kind, *_pair(draw, kind)) for kind in kinds if kind == kinds[0] or draw(st.integers(0, 15))]


def _pair(draw: DrawFn, kind: str) -> tuple[Lines, Lines]:
    """The difference may come late: all that is loaded before it fits."""
    width, norm, dropout = draw(st.integers(2, 4)), pick(draw, NORMS), pick(draw, DROPOUTS)
    layers = [f"nn.Linear(3, {width})", norm, "nn.Tanh()", dropout, f"nn.Linear({width}, 1)"]
    optimizer = _optimizer(draw)
    lines = [_model(layers), optimizer, _schedule(draw, None)]
    other = list(layers)
    if kind == "wider":
        other[0], other[-1] = f"nn.Linear(3, {width + 1})", f"nn.Linear({width + 1}, 1)"
    elif kind == "longer":
        other = [*layers, "nn.Linear(1, 1)"]
    elif kind == "shorter":
        other = [f"nn.Linear(3, {width})", norm, "nn.Tanh()", dropout]
    elif kind == "norm":
        other[1] = NORMS[1 - NORMS.index(norm)]
    elif kind == "outputs":
        other[-1] = f"nn.Linear({width}, 2)"
    elif kind == "bias":
        other[-1] = f"nn.Linear({width}, 1, bias=False)"
    elif kind == "names":  # as many parameters of the same shapes, under other names
        other.insert(2, "nn.Identity()")
    elif kind == "buffers":  # of these two, one has buffers that the other lacks
        layers[1], other[1] = draw(st.permutations(["", "nn.BatchNorm1d({}, affine=False)"]))
    elif kind == "buffers more":  # and all other names are the same
        other.append("nn.BatchNorm1d(1, affine=False)")
    elif kind == "buffers less":
        layers = [*layers, "nn.BatchNorm1d(1, affine=False)"]
    elif kind == "dimensions":  # the rows of a batch are the channels
        rest = [norm.format(4), "nn.Tanh()", dropout, "nn.Linear(4, 1)"]
        layers, other = (
            ["nn.Linear(3, 4)", each, *rest]
            for each in draw(st.permutations(["nn.Linear(4, 4)", "nn.Conv1d(4, 4, 1)"]))
        )
    lines[0] = _model(layers)
    changed = [_model(other), *lines[1:]]
    if kind in ("groups", *MISFITS):
        one, another = draw(st.permutations(MISFITS.get(kind, (ALL, pick(draw, SPLITS)))))
        made = f"optimizer = {pick(draw, OPTIMIZERS)}"
        lines[1], changed[1] = made.format(one), made.format(another)
    elif kind == "schedule":
        lines[2], changed[2] = "scheduler = None", _schedule(draw, True)
    elif kind == "a schedule less":
        lines[2], changed[2] = _schedule(draw, True), "scheduler = None"
    elif kind == "a prefix":  # that of a model in a wrapper
        lines[1] = changed[1] = f"optimizer = {pick(draw, OPTIMIZERS).format(ALL)}"
        wrapped = lines[0].replace("model = ", "model = nn.Sequential(); model.module = ")
        lines[0], changed[0] = draw(st.permutations([lines[0], wrapped]))
    return lines, changed


PLACES = st.integers(0, 2**20 - 1)
"""Places in a file of any length, in shares of 2**-20 of it."""
Damages = list[tuple[str, int]]


@functools.cache
def flips() -> SearchStrategy[int]:
    """Where the flips of a file's bits begin."""
    return st.integers(0, END - 1)


@classes(
    {
        "the first is whole": lambda cases: cases[0][0] == WHOLE,
        "the first is damaged": lambda cases: cases[0][0] != WHOLE,
        "a whole one after a damaged one": lambda cases: any(kind == WHOLE for kind, _ in cases[1:]),
        **{
            f"a file that is {kind}": functools.partial(lambda kind, cases: kind in dict(cases), kind) for kind in WRONG
        },
    }
)
def damages() -> SearchStrategy[Damages]:
    """Some checkpoints, most of them damaged in ways that show."""
    return _cases((*WRONG, WHOLE, WHOLE), fewest=3, most=8)


@functools.cache
def _cases(kinds: tuple[str, ...], fewest: int, most: int) -> SearchStrategy[Damages]:
    return st.lists(st.tuples(st.sampled_from(kinds), PLACES), min_size=fewest, max_size=most)


def evils() -> SearchStrategy[Damages]:
    """Some checkpoints, most of which would run code: how they are made, and which code it is."""
    kinds = st.sampled_from(["pickle", "torch.save", "legacy", "member", "optimizer", "schedule", WHOLE, WHOLE])
    return st.lists(st.tuples(kinds, st.sampled_from((0, 1, 2, 3, 4, 4, 5))), min_size=3, max_size=8)


@functools.cache
def kills() -> SearchStrategy[tuple[str, int]]:
    """The faults that a process does not survive, and how far the save has come then."""
    return st.tuples(st.sampled_from(("killed in a write", "killed at a call")), PLACES)


@functools.cache
def faults() -> SearchStrategy[tuple[str, int]]:
    """A fault, and how far the save has come when it strikes, in shares of 2**-20."""
    often = ("killed at a call", "unpicklable")  # by many moments, and by being the only fault that is no OSError
    return st.tuples(st.sampled_from(("full", "killed in a write", "unwritable", *often * 3)), PLACES)


NAMES = ("a", "step_9.pt", "step_10.pt", "latest", "run.ckpt", "z.bin", "checkpoint-100", "checkpoint-99")
STEPS = (0, 1, 2, 9, 10, 100, 300, 2**24, 2**24 + 1)
Entry = tuple[str, str, int]
KINDS = ("flipped", "copies", "truncated", "empty", "evil", "evil run", "foreign", "a folder", "foreign")


def _wholes(entries: list[Entry]) -> list[int]:
    return [step for _, kind, step in entries if kind == "whole"]


@classes(
    {
        "empty": lambda entries: not entries,
        "step 0 alone": lambda entries: _wholes(entries) == [0],
        "no whole one among others": lambda entries: entries and not _wholes(entries),
        "the highest step is in a damaged one": lambda entries: (
            _wholes(entries)
            and max(step for _, kind, step in entries if kind in ("flipped", "copies", "truncated", "whole"))
            > max(_wholes(entries))
        ),
        "a folder with a higher step inside": lambda entries: (
            _wholes(entries) and any(kind == "a folder" and step > max(_wholes(entries)) for _, kind, step in entries)
        ),
        "copies with one bit flipped": lambda entries: any(kind == "copies" for _, kind, _ in entries),
        "an evil one": lambda entries: any(kind == "evil" for _, kind, _ in entries),
        "a saved one that is evil": lambda entries: any(kind == "evil run" for _, kind, _ in entries),
        "two whole ones, the older with the higher step": lambda entries: (
            len(_wholes(entries)) > 1 and _wholes(entries)[-1] < max(_wholes(entries))
        ),
    }
)
@st.composite
def folders(draw: DrawFn) -> list[Entry]:
    """Files as (name, what it is, step), from old to new; the steps differ. Many hold all kinds."""
    count = pick(draw, (0, 1, 1, 1, 2, 5, 7, 8, 8, 8))
    names, steps = draw(st.permutations(NAMES)), (0,) if count == 1 else draw(st.permutations(STEPS))
    wholes = [pick(draw, (*["whole"] * 6, "truncated"))] * (3 if count > 3 else pick(draw, (count, count, 0)))
    others = draw(st.permutations(KINDS))[: count - len(wholes)]
    kinds = list(draw(st.permutations([*wholes, *others])))
    if count > 1 and draw(st.booleans()):
        kinds[steps.index(max(steps[:count]))] = pick(draw, ("flipped", "copies", "flipped", "a folder"))
    return list(zip(names, kinds, steps, strict=False))


@functools.cache
def settings() -> SearchStrategy[tuple[str, ...]]:
    """The settings that are changed by hand during a run."""
    both = tuple(BY_HAND)
    return st.sampled_from(((), *((name,) for name in BY_HAND), both, both))


@functools.cache
def thens() -> SearchStrategy[str]:
    """What becomes of the latest checkpoint, of a damaged one, or comes, before a second look; "" if there is none."""
    return st.sampled_from(("", "deleted", "flipped", "mended", "mended", "joined"))
