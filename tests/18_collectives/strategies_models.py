"""What hypothesis draws for kata 18 of models, one for each rank."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick
from .strategies_tensors import SIZES

DOUBLE = "dtype=torch.float64"


class Start(NamedTuple):
    """How many ranks there are, the lines that make the model of `rank`, and whether it starts once more later."""

    size: int
    lines: Lines
    again: bool = False


def _has(text: str, case: Start) -> bool:
    return any(text in line for line in case.lines)


@functools.cache
@classes(
    {
        "one rank": lambda case: case.size == 1,
        "two ranks": lambda case: case.size == 2,
        "four ranks or more": lambda case: case.size > 3,
        "a frozen parameter": functools.partial(_has, "requires_grad_(False)"),
        "a tied parameter": functools.partial(_has, ".weight = "),
        "a buffer of whole numbers": functools.partial(_has, "num_batches_tracked"),
        "a buffer that is not kept": functools.partial(_has, "persistent=False"),
        "gradients": functools.partial(_has, ".grad = "),
        "a model that is evaluated": functools.partial(_has, "model.eval()"),
        "a part that is evaluated": functools.partial(_has, "model[0].eval()"),
        "numbers that are nearly alike": functools.partial(_has, "1e-6 * rank"),
        "a buffer of inf": functools.partial(_has, "math.inf"),
        "a buffer of int32": functools.partial(_has, "int32"),
        "a buffer of bool": functools.partial(_has, "torch.tensor([True"),
        "a buffer that is None": functools.partial(_has, "None"),
        "a module in a module": functools.partial(_has, "Sequential(model"),
        "a module in a module in a module": lambda case: sum("Sequential(model" in line for line in case.lines) > 1,
        "a layer without a bias": functools.partial(_has, "bias=False"),
        "float32": functools.partial(_has, "float32"),
        "once more": lambda case: case.again and case.size > 1,
    }
)
def starts() -> SearchStrategy[Start]:
    """Models that differ from rank to rank."""
    return _starts()


@st.composite
def _starts(draw: DrawFn) -> Start:
    dtype = pick(draw, (DOUBLE, "dtype=torch.float32"))
    lines = [f"torch.manual_seed({draw(st.integers(1, 99))} + rank)"]
    norm = pick(draw, (False, True))
    middle = f"nn.BatchNorm1d(3, {dtype})" if norm else "nn.Tanh()"
    first = f"nn.Linear(3, 3, {pick(draw, ('', 'bias=False, '))}{dtype})"
    lines.append(f"model = nn.Sequential({first}, {middle}, nn.Linear(3, 3, {dtype}))")
    if norm:
        lines.append(f"model({'torch.randn(4, 3, '}{dtype}))")
        lines.append("model[1].num_batches_tracked += 2 * rank")
    if pick(draw, (False, True)):
        lines.append("model[0].weight = model[2].weight")
    if pick(draw, (False, True)):
        lines.append(f"model[{pick(draw, ('0].weight', '2].bias'))}.requires_grad_(False)")
    if pick(draw, (False, True)):
        lines.append("model[2].bias.grad = torch.ones_like(model[2].bias)")
    if pick(draw, (False, True)):
        lines.append('model.register_buffer("seen", torch.tensor([5, 2**53 + 1]) + rank, persistent=False)')
    if pick(draw, (False, False, True)):
        lines.append('model.register_buffer("mask", torch.tensor([1.0 + rank, -math.inf]))')
    if pick(draw, (False, False, True)):
        lines.append('model.register_buffer("kept", torch.tensor([True, False]) ^ (rank > 0))')
        lines.append('model.register_buffer("cache", None)')
    if pick(draw, (False, False, True)):
        lines.append('model.register_buffer("steps", torch.tensor([2**24 + 1, 7], dtype=torch.int32) + rank)')
    if pick(draw, (False, False, True)):
        lines.append("nn.init.constant_(model[2].bias, 1.0 + 1e-6 * rank)")
    lines += ["model = nn.Sequential(model, nn.Tanh())"] * pick(draw, (0, 1, 0, 2))
    lines += pick(draw, ([], ["model.eval()"], ["model[0].eval()"]))
    return Start(pick(draw, SIZES), lines, pick(draw, (False, False, False, True)))


Batch = list[tuple[int, int]]
"""Micro-batches: which head each one uses, and how many samples it has."""


class Average(NamedTuple):
    """Micro-batches of each rank, what is frozen, what ranks without samples hold; and whether a loss is NaN.

    width: inputs of the first layer. Where it is wide, its gradient is more than all that messages carry beside.
    heads: how many there are. again: gradients have been averaged before, of other numbers of samples; in_place: the
    new ones are written into the memory of those. times: how many samples each row stands for. has_scale: the model has
    a parameter of shape (). is_tied: the first two heads have the same weight. has_none: the model has a parameter
    without numbers.
    """

    seed: int
    batches: list[Batch]
    frozen: str
    stale: str
    is_bad: bool = False
    width: int = 2
    heads: int = 3
    again: bool = False
    in_place: bool = False
    times: int = 1
    has_scale: bool = False
    is_tied: bool = False
    has_none: bool = False

    @property
    def samples(self) -> list[int]:
        """How many samples each rank has."""
        return [self.times * sum(rows for _, rows in batch) for batch in self.batches]

    @property
    def before(self) -> list[int]:
        """How many samples each rank had in an earlier call, if there was one: the last rank 1, and the others 0."""
        return [*[0] * (len(self.batches) - 1), 1] if self.again else []

    @property
    def _model(self) -> Lines:
        heads = f"*(nn.Linear(2, 1, bias=False, {DOUBLE}) for _ in range({self.heads}))"
        layers = f"nn.Linear({self.width}, 2, {DOUBLE}), {heads}"
        lines = [f"torch.manual_seed({self.seed})", f"model = nn.ModuleList([{layers}])"]
        if self.has_scale:
            lines.append(f"model.scale = nn.Parameter(torch.tensor(1.5, {DOUBLE}))")
        if self.has_none:
            lines.append(f"model.none = nn.Parameter(torch.empty(0, 3, {DOUBLE}))")
        if self.is_tied:
            lines.append("model[2].weight = model[1].weight")
        return [*lines, *([f"{self.frozen}.requires_grad_(False)"] if self.frozen else [])]

    @property
    def _spoilt(self) -> str:
        """What makes the losses of the first rank that has samples NaN."""
        first = next(rank for rank, count in enumerate(self.samples) if count)
        return f" * (math.nan if rank == {first} else 1)" if self.is_bad else ""

    @property
    def _losses(self) -> str:
        x = f"torch.randn(rows, {self.width}, {DOUBLE})"
        scaled = " * model.scale" if self.has_scale else ""
        added = " + model.none.sum()" if self.has_none else ""
        return f"losses = model[head](model[0]({x}).tanh()).square(){scaled}{added}{self._spoilt}"

    @property
    def _sum(self) -> str:
        """The sum of the losses; of as many times as many samples, if each row stands for several."""
        return f"{self.times} * losses.sum()" if self.times > 1 else "losses.sum()"

    @property
    def lines(self) -> Lines:
        """The lines that make the model of `rank`, and its gradients."""
        own = [
            *self._model,
            f"samples, batches = {self.samples}, {self.batches}",
            f"torch.manual_seed({self.seed} + 1 + rank)",
            "for head, rows in batches[rank]:",
            f"    {self._losses}",
            f"    ({self._sum} / max(samples[rank], 1)).backward()",
        ]
        if self.stale != "nothing":
            own += ["if samples[rank] == 0:", "    for p in model.parameters():"]
            own.append(f"        p.grad = torch.full_like(p, {self.stale})")
        if self.frozen:
            own.append(f"{self.frozen}.grad = torch.full_like({self.frozen}, 5.0 + rank)")
        return own

    @property
    def at_once(self) -> Lines:
        """The lines that make the gradients of the mean over all ranks' samples, in one process."""
        return [
            *self._model,
            f"samples, batches = {self.samples}, {self.batches}",
            "for rank in range(len(samples)):",
            f"    torch.manual_seed({self.seed} + 1 + rank)",
            "    for head, rows in batches[rank] if samples[rank] else []:",
            f"        {self._losses}",
            f"        ({self._sum} / sum(samples)).backward()",
        ]


def _heads(case: Average) -> set[int]:
    """Those that a rank with samples uses."""
    return {head for batch in case.batches for head, _ in batch if any(rows for _, rows in batch)}


@functools.cache
@classes(
    {
        "one rank": lambda case: len(case.batches) == 1,
        "two ranks": lambda case: len(case.batches) == 2,
        "as many samples each": lambda case: len(case.batches) > 1 and len({*case.samples}) == 1,
        "other numbers of samples": lambda case: len({*case.samples} - {0}) > 1,
        "a rank without samples": lambda case: 0 in case.samples,
        "without samples, NaN": lambda case: 0 in case.samples and case.stale == "math.nan",
        "without samples, inf": lambda case: 0 in case.samples and case.stale == "math.inf",
        "without samples, stale numbers": lambda case: 0 in case.samples and case.stale == "3.0",
        "without samples, what a backward left": lambda case: 0 in case.samples and case.stale == "nothing",
        "a head that nobody uses": lambda case: len(_heads(case)) < case.heads,
        "a head that some use": lambda case: any({head for head, _ in batch} < _heads(case) for batch in case.batches),
        "two micro-batches": lambda case: any(len(batch) > 1 for batch in case.batches),
        "a frozen parameter": lambda case: case.frozen,
        "NaN of samples": lambda case: case.is_bad,
        "a wide layer": lambda case: case.width > 2,
        "more parameters than an int64 has bits": lambda case: case.heads > 64 and max(_heads(case)) > 64,
        "once more": lambda case: case.again and len(case.batches) > 1,
        "once more, in the same memory": lambda case: case.in_place and len(case.batches) > 1,
        "more samples than a float32 counts": lambda case: case.times > 1 and len(case.batches) > 1,
        "a parameter of a single number": lambda case: case.has_scale and len(case.batches) > 1,
        "a parameter without numbers": lambda case: case.has_none and len(case.batches) > 1,
        "a tied parameter that is used": lambda case: (
            case.is_tied and len(case.batches) > 1 and case.frozen != "model[1].weight" and {1, 2} & _heads(case)
        ),
    }
)
def averages() -> SearchStrategy[Average]:
    """Models of a layer and three heads, of which each micro-batch uses one; each parameter costs messages."""
    return _averages()


MANY = 66
"""Heads of which flags do not fit into one whole number; each costs messages, so there are two ranks then."""

ROWS = 2**24 + 1
"""So many samples are alike where a row stands for several: a float32 rounds this number."""


@st.composite
def _averages(draw: DrawFn) -> Average:
    heads = pick(draw, (3,) * 9 + (MANY,))
    size = 2 if heads == MANY else pick(draw, SIZES)
    used = pick(draw, ((1, MANY), (MANY - 1, MANY))) if heads == MANY else (1, 2, 3)
    batches: list[Batch] = []
    same = pick(draw, (False, False, False, True))
    for rank in range(size):
        rows = [pick(draw, (1 + rank % 3, 1, 3, 2, 0, 0)) for _ in range(pick(draw, (1, 1, 2)))]
        if pick(draw, (False,) * 5 + (True,)):
            rows = [0] * len(rows)
        batches.append([(pick(draw, used), count) for count in ([2] if same else rows)])
    if not any(rows for batch in batches for _, rows in batch):
        batches[draw(st.integers(0, size - 1))][0] = (pick(draw, used), 2)
    frozen = pick(draw, ("", "model[0].bias", "model[1].weight"))
    stale = pick(draw, ("nothing", "3.0", "math.nan", "math.inf"))
    is_bad, width = pick(draw, (False,) * 7 + (True,)), pick(draw, (2, 64, 64, 64))
    again, in_place = pick(draw, ((False, False),) * 5 + ((True, False), (True, True), (True, True)))
    times, has_scale = pick(draw, (1,) * 5 + (ROWS,)), pick(draw, (False,) * 5 + (True,))
    told = (again, in_place) if heads != MANY else (False, False)
    is_tied, has_none = pick(draw, (False,) * 4 + (True,)), pick(draw, (False, False, False, True))
    settings = (is_bad, width, heads, *told, times, has_scale, is_tied, has_none)
    return Average(draw(st.integers(1, 99)), batches, frozen, stale, *settings)
