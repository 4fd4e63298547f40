"""What hypothesis draws for kata 23 of runs: texts in windows, stops and seeds, and small budgets."""

from __future__ import annotations

import functools
import itertools
import re
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.random_states import SEEDED
from ..shared.shapes import pick
from .tasks import HEADS


class Run(NamedTuple):
    """A training: the lines that make model and text, the rest of them, what is watched, and its sizes.

    kinds: how many windows differ; the others are like these, in turn.
    """

    made: Lines
    lines: Lines
    watched: Lines
    windows: int
    kinds: int
    batch: int
    context: int
    lr: float
    steps: int

    @property
    def length(self) -> int:
        """Tokens of the text."""
        return int(re.findall(r"\d+", self.made[2])[-1])

    @property
    def per_epoch(self) -> int:
        """Steps of an epoch."""
        return -(-self.windows // self.batch)


def _model(vocab: int, context: int, seed: int) -> str:
    return f"model = GPT({vocab}, {context}, 4, 1).double()" if seed % 2 else f"model = GPT({vocab}, {context}, 4, 2)"


def _made(draw: DrawFn, count: int, context: int, dtype: int | None = None, kinds: int = 0) -> Lines:
    """Lines that make a model, and a text of so many windows and a few tokens more.

    All tokens differ, or those of so many windows do, which come again and again.
    """
    length = count * context + 1 + draw(st.integers(0, context - 1))
    kind = draw(st.integers(0, 1)) if dtype is None else dtype
    again = f"torch.randperm({kinds * context}).repeat({-(-length // max(kinds * context, 1))})[:{length}]"
    return [
        f"torch.manual_seed({draw(st.integers(0, 999))})",
        _model(length, context, kind),
        f"tokens = {again if kinds else f'torch.randperm({length})'}",
    ]


def _trainer(batch: int, context: int, lr: float, seed: int, model: str = "model") -> str:
    return f"Trainer({model}, tokens, batch={batch}, context={context}, lr={lr}, seed={seed})"


@functools.cache
@classes(
    {
        "a smaller batch at the end": lambda case: case.windows % case.batch and case.windows > case.batch,
        "a batch of four, and one of one window": lambda case: case.batch == 4 and case.windows % 4 == 1,
        "a batch larger than the epoch": lambda case: case.batch > case.windows,
        "one window": lambda case: case.windows == 1,
        "nothing moves": lambda case: case.lr == 0.0,
        "a context of one": lambda case: case.context == 1,
        "tokens that are left over": lambda case: case.length > case.windows * case.context + 1,
        "more than an epoch": lambda case: case.steps > case.per_epoch,
        "windows that are alike": lambda case: case.kinds < case.windows,
    }
)
def epochs() -> SearchStrategy[Run]:
    """Two epochs and a bit, with what each step embeds."""
    return _epochs()


@st.composite
def _epochs(draw: DrawFn) -> Run:
    count, batch, context = pick(draw, (5, 4, 3, 6, 1)), pick(draw, (2, 3, 1, 7)), pick(draw, (3, 2, 4, 1))
    if pick(draw, (False, False, False, True)):
        count, batch = pick(draw, (5, 9)), 4
    lr = pick(draw, (0.0, 0.125, 0.01))
    steps = 2 * -(-count // batch) + draw(st.integers(0, 1))
    kinds = min(pick(draw, (0, 0, 0, 2, 1)), count)
    made = _made(draw, count, context, 1, kinds)
    lines = [*made, "start = [p.detach().clone() for p in model.parameters()]"]
    lines += [f"trainer = {_trainer(batch, context, lr, draw(st.integers(0, 999)))}", "losses, batches = [], []"]
    lines += [
        f"for _ in range({steps}):",
        "    noted = Noted()",
        "    with noted:",
        "        losses.append(trainer.step())",
    ]
    lines += [f"    batches.append(windows(noted.embedded, tokens, {context}))"]
    lines += ["moved = any(not p.equal(q) for p, q in zip(model.parameters(), start))"]
    watched = ["batches", "losses", "moved", "tokens"]
    return Run(made, lines, watched, count, kinds or count, batch, context, lr, steps)


WINDOWS = 24
"""In batches of 4 they have 24! / 4!^6 orders: of a right answer two are alike once in 10**15."""


@functools.cache
@classes(
    {
        "four windows a batch": lambda case: case.batch == 4,
        "three": lambda case: case.batch == 3,
        "seeds that are neighbours": lambda case: ", 1)" in case.lines[-1],
        "seeds that end alike": lambda case: f", {2**20})" in case.lines[-1],
    }
)
def orders() -> SearchStrategy[Run]:
    """Three epochs of 24 windows from one seed, and the first ones of two others; once more the first.

    Trainers of several seeds take their steps in turn.
    """
    return _orders()


@st.composite
def _orders(draw: DrawFn) -> Run:
    batch, context, seed = pick(draw, (4, 3)), pick(draw, (2, 1)), draw(st.integers(0, 999))
    made = _made(draw, WINDOWS, context, 1)
    per_epoch, apart = WINDOWS // batch, pick(draw, (1, 2**20, 10**6))
    trainer = _trainer(batch, context, 0.01, 0).replace("seed=0", "seed=seed")
    lines = [*made, "def epochs(count, seeds):", f"    trainers = [{trainer} for seed in seeds]"]
    lines += ["    found = [[[] for _ in range(count)] for _ in trainers]"]
    lines += [f"    for step in range(count * {per_epoch}):", "        for trainer, orders in zip(trainers, found):"]
    lines += ["            noted = Noted()", "            with noted:", "                loss = trainer.step()"]
    lines += [f"            orders[step // {per_epoch}].append(windows(noted.embedded, tokens, {context}))"]
    lines += ["    return found", f"(of_three_epochs,) = epochs(3, [{seed}])", SEEDED.format(draw(st.integers(0, 99)))]
    seeds = f"range({seed}, {seed + 3 * apart}, {apart})"
    lines += [f"of_three_seeds = [order for (order,) in epochs(1, {seeds})]"]
    watched = ["of_three_epochs", "of_three_seeds"]
    return Run(made, lines, watched, WINDOWS, WINDOWS, batch, context, 0.01, per_epoch)


class Stopped(NamedTuple):
    """A run in one go, and one that is stopped and resumed.

    stops: after how many steps each time.
    """

    made: Lines
    lines: Lines
    before: int
    after: int
    per_epoch: int
    stops: tuple[int, ...] = ()


@functools.cache
@classes(
    {
        "before the first step": lambda case: case.before == 0,
        "in the middle of an epoch": lambda case: case.before % case.per_epoch,
        "at the end of an epoch": lambda case: case.before and case.before % case.per_epoch == 0,
        "through an epoch's end": lambda case: case.before % case.per_epoch + case.after > case.per_epoch,
        "float64": lambda case: any(".double()" in line for line in case.lines),
        "stopped twice": lambda case: len(case.stops) == 2,
        "stopped twice, after some steps": lambda case: len(case.stops) == 2 and case.stops[0] < case.before,
        "saved, and not stopped": lambda case: any("kept =" in line for line in case.lines),
    }
)
def stops() -> SearchStrategy[Stopped]:
    """Runs that are saved after some steps, and resumed."""
    return _stops()


@st.composite
def _stops(draw: DrawFn) -> Stopped:
    count, batch, context = pick(draw, (5, 4, 6, 3)), pick(draw, (2, 1, 3)), pick(draw, (2, 3, 1))
    per_epoch = -(-count // batch)
    before, after = draw(st.integers(0, 2 * per_epoch)), draw(st.integers(1, 2 * per_epoch))
    lr, seeds = pick(draw, (0.125, 0.01)), [draw(st.integers(0, 99)) for _ in range(2)]
    made = _made(draw, count, context)
    first = made[0]
    again = [f"torch.manual_seed({draw(st.integers(1000, 1999))})", made[1]]
    lines = ["def run(trainer, count):", "    found = []", "    for _ in range(count):", "        noted = Noted()"]
    lines += ["        with noted:", "            loss = trainer.step()"]
    lines += [f"        found.append((loss, windows(noted.embedded, tokens, {context})))", "    return found"]
    trainers = [f"trainer = {_trainer(batch, context, lr, seed)}" for seed in seeds]
    begin = [trainers[0], f"start = run(trainer, {before})"]
    lines += [
        *made,
        *begin,
        *["kept = trainer.state_dict()"] * (draw(st.integers(0, 3)) > 0),
        f"whole = run(trainer, {after})",
    ]
    lines += ["in_one_go = [p.detach().clone() for p in model.parameters()]", first, made[1], trainers[0]]
    stops = (draw(st.integers(0, before)), before) if draw(st.integers(0, 2)) > 0 else (before,)
    for last, stop in itertools.pairwise((0, *stops)):
        lines += [f"start = run(trainer, {stop - last})", "file = io.BytesIO()"]
        lines += ["torch.save(trainer.state_dict(), file)", *again, trainers[1], "position = file.seek(0)"]
        lines += ["trainer.load_state_dict(torch.load(file, weights_only=True))"]
    lines += [f"resumed = run(trainer, {after})", "stopped = [p.detach().clone() for p in model.parameters()]"]
    return Stopped(made, lines, before, after, per_epoch, stops)


@functools.cache
@classes({"resumed": lambda case: any("load_state_dict" in line for line in case[0])})
def quiet_runs() -> SearchStrategy[tuple[Lines, int]]:
    """Runs between a seeding of the global random states and a look at what they give next."""
    return _quiet_runs()


@st.composite
def _quiet_runs(draw: DrawFn) -> tuple[Lines, int]:
    seed, context = draw(st.integers(0, 999)), pick(draw, (2, 3))
    lines = [*_made(draw, 4, context), SEEDED.format(seed)]
    lines += [f"trainer = {_trainer(2, context, 0.01, draw(st.integers(0, 99)))}"]
    lines += [f"losses = [trainer.step() for _ in range({pick(draw, (3, 1, 5))})]"]
    if draw(st.booleans()):
        lines += ["state = trainer.state_dict()", f"trainer = {_trainer(2, context, 0.01, 0)}"]
        lines += ["trainer.load_state_dict(state)", "losses.append(trainer.step())"]
    return lines, seed


@functools.cache
@classes({"float64": lambda lines: any(".double()" in line for line in lines)})
def repeated() -> SearchStrategy[Lines]:
    """One batch, again and again, at a small rate."""
    return _repeated()


@st.composite
def _repeated(draw: DrawFn) -> Lines:
    context, count = pick(draw, (3, 2, 4)), pick(draw, (2, 1, 3))
    lines = [*_made(draw, count, context), f"trainer = {_trainer(count, context, 0.001, draw(st.integers(0, 99)))}"]
    return [*lines, f"losses = [trainer.step() for _ in range({pick(draw, (6, 8))})]"]


class TooShort(NamedTuple):
    """A program with a text that is no window long."""

    lines: Lines
    tokens: int
    context: int


@functools.cache
@classes(
    {
        "a token too few": lambda case: case.tokens == case.context,
        "no tokens": lambda case: case.tokens == 0,
    }
)
def too_short() -> SearchStrategy[TooShort]:
    """Texts without a window."""
    return _too_short()


@st.composite
def _too_short(draw: DrawFn) -> TooShort:
    context = pick(draw, (3, 2, 4, 1))
    tokens = pick(draw, (context, context - 1, context, 0))
    lines = [f"model = GPT(5, {context}, 4, 1)", f"tokens = torch.arange({tokens})"]
    return TooShort([*lines, f"trainer = {_trainer(2, context, 0.01, 3)}"], tokens, context)


class Budget(NamedTuple):
    """A model (vocab, context, dim, layers, heads), the seed of its text, and how many sequences' FLOPs and bytes."""

    sizes: tuple[int, int, int, int, int]
    seed: int
    sequences: int
    at_a_time: int
    dtype: str = "float32"


@functools.cache
@classes(
    {
        "FLOPs for less than a batch of 8": lambda case: case.sequences < 8,
        "FLOPs for a few steps": lambda case: case.sequences > 16,
        "two at a time": lambda case: case.at_a_time == 2,
        "more at a time": lambda case: case.at_a_time > 2,
        "a single block": lambda case: case.sizes[3] == 1,
        "more than two blocks": lambda case: case.sizes[3] > 2,
        "FLOPs for almost a step more": lambda case: case.sequences % 8 == 7,
        "another vocabulary than 8": lambda case: case.sizes[0] != 8,
        "a large vocabulary": lambda case: case.sizes[0] == 40,
        "another width than 16": lambda case: case.sizes[2] != 16,
        "a larger width": lambda case: case.sizes[2] > 16,
        "FLOPs for whole steps of 8": lambda case: case.sequences % 8 == 0,
        "float64": lambda case: case.dtype == "float64",
    }
)
def budgets() -> SearchStrategy[Budget]:
    """Small budgets of small models."""
    return _budgets()


@st.composite
def _budgets(draw: DrawFn) -> Budget:
    sizes = (pick(draw, (8, 6, 40)), pick(draw, (8, 16, 6)), pick(draw, (16, 8, 24)), pick(draw, (2, 1, 3, 4)), HEADS)
    sequences = pick(draw, (10, 24, 23, 16, 5, 25, 31))
    dtype = pick(draw, ("float32", "float32", "float64"))
    return Budget(sizes, draw(st.integers(0, 99)), sequences, pick(draw, (4, 2, 3)), dtype)
