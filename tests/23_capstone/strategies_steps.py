"""What hypothesis draws for kata 23 of single steps in micro-batches."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick

GROUPS = (
    '[{"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": 0.125},'
    ' {"params": [p for p in model.parameters() if p.ndim < 2], "lr": 0.0625, "momentum": 0.25}]'
)
OPTIMIZERS = (
    "torch.optim.SGD(model.parameters(), lr=0.25)",
    "torch.optim.SGD(model.parameters(), lr=0.25, momentum=0.5)",
    "torch.optim.SGD(model.parameters(), lr=0.25, momentum=0.5, weight_decay=0.125)",
    f"torch.optim.SGD({GROUPS}, lr=0.25, momentum=0.5)",
)
STALE = "model(tokens[:, 1:]).square().sum().backward()"
FROZEN = ["model.norm.requires_grad_(False)"]
FROZEN_EMBEDDINGS = ["model.tokens.requires_grad_(False)", "model.positions.requires_grad_(False)"]
AFTERWARDS = ["[p.detach() for p in model.parameters()]", "[p.grad is None for p in model.parameters()]", "tokens"]


MANY = 48
WEIGHED = (*((4, 1, 4, 5), (6, 2, 3, 5), (8, 2, 4, 5), (4, 4, 4, 5)), *[(8, 1, 0, MANY)] * 5)
"""Batch, micro-batch, recomputed blocks, and vocabulary.

With a large vocabulary the logits of all parts weigh something, and with all blocks kept a loss that is computed in
several steps does not.
"""

DEAR = 96
"""A vocabulary whose head costs more than checkpoint saves by not running the last product of three blocks again."""


class Cut(NamedTuple):
    """A step: its program, and how it is cut."""

    lines: Lines
    watched: Lines
    batch: int
    micro_batch: int
    layers: int
    recomputed: int

    @property
    def is_float32(self) -> bool:
        """Whether the model is."""
        return not self.lines[1].endswith(".double()")


def _made(draw: DrawFn, layers: int, batch: int, sizes: tuple[int, int, int, int], dtype: str = ".double()") -> Lines:
    vocab, context, dim, heads = sizes
    return [
        f"torch.manual_seed({draw(st.integers(0, 999))})",
        f"model = GPT({vocab}, {context}, {dim}, {layers}, {heads}){dtype}",
        f"tokens = torch.randint({vocab}, ({batch}, {context + 1}))",
    ]


def _arguments(draw: DrawFn, micro_batch: int, recomputed: int) -> str:
    """The arguments, the last ones by their names or not at all."""
    typed = [pick(draw, (f"{micro_batch}", f"micro_batch={micro_batch}"))]
    typed += [f"recomputed={recomputed}"] * (recomputed > 0 or draw(st.booleans()))
    norm = pick(draw, ("", "0.0", "0.5", "0.25", "1000.0", "", "0.0"))
    typed += [f"max_norm={norm}"] * bool(norm)
    return ", ".join(["model, optimizer, tokens", *typed])


@functools.cache
@classes(
    {
        "a smaller part at the end": lambda case: case.batch % case.micro_batch,
        "the whole batch in one": lambda case: case.micro_batch >= case.batch,
        "larger than the batch": lambda case: case.micro_batch > case.batch,
        "one at a time": lambda case: case.micro_batch == 1 < case.batch,
        "some recomputed": lambda case: 0 < case.recomputed < case.layers,
        "all recomputed": lambda case: case.layers and case.recomputed == case.layers,
        "no blocks": lambda case: case.layers == 0,
        "gradients of before": lambda case: STALE in case.lines,
        "frozen": lambda case: FROZEN[0] in case.lines,
        "frozen embeddings": lambda case: FROZEN_EMBEDDINGS[0] in case.lines,
        "frozen embeddings, and recomputed": lambda case: FROZEN_EMBEDDINGS[0] in case.lines and case.recomputed,
        "groups with settings of their own": lambda case: any('"lr": 0.0625' in line for line in case.lines),
        "float32": lambda case: case.is_float32,
        "windows of a text": lambda case: "unfold" in case.lines[2],
        "two steps": lambda case: any("range(2)" in line for line in case.lines),
        "clipped": lambda case: any("max_norm=0.5" in line or "max_norm=0.25" in line for line in case.lines),
        "clipped by default": lambda case: not any("max_norm" in line for line in case.lines),
        "clipped to nothing": lambda case: any("max_norm=0.0" in line for line in case.lines),
        "not clipped": lambda case: any("max_norm=1000.0" in line for line in case.lines),
    }
)
def cuts() -> SearchStrategy[Cut]:
    """Steps of every cut."""
    return _cuts()


@st.composite
def _cuts(draw: DrawFn) -> Cut:
    batch, micro_batch = pick(draw, (5, 4, 3, 2, 1, 6)), pick(draw, (2, 3, 1, 4, 9))
    layers = pick(draw, (2, 3, 1, 0))
    recomputed = draw(st.integers(0, layers))
    sizes = pick(draw, ((5, 4, 6, 2), (3, 2, 4, 1), (7, 3, 4, 2)))
    lines = _made(draw, layers, batch, sizes, pick(draw, (".double()", ".double()", ".double()", "")))
    if draw(st.integers(0, 3)) == 3:
        vocab, context = sizes[:2]
        text = f"torch.randint({vocab}, ({batch * context + 1},))"
        lines[2] = f"tokens = {text}.unfold(0, {context + 1}, {context})"
    lines += [f"optimizer = {pick(draw, OPTIMIZERS)}"]
    lines += pick(draw, ([], [], [], FROZEN, FROZEN_EMBEDDINGS)) + [STALE] * (draw(st.integers(0, 3)) == 3)
    call = f"train_step({_arguments(draw, micro_batch, recomputed)})"
    lines.append(f"losses = [{call} for _ in range({pick(draw, (1, 2))})]")
    return Cut(lines, ["losses", *AFTERWARDS], batch, micro_batch, layers, recomputed)


@functools.cache
@classes(
    {
        "a smaller part at the end": lambda case: case.batch % case.micro_batch,
        "larger than the batch": lambda case: case.micro_batch > case.batch,
        "nothing recomputed": lambda case: case.recomputed == 0,
        "nothing recomputed, and nothing said": lambda case: case.lines[-1].endswith(f"tokens, {case.micro_batch})"),
        "after a step that recomputes more": lambda case: any("before =" in line for line in case.lines),
        "some recomputed": lambda case: 0 < case.recomputed < case.layers,
        "all recomputed": lambda case: case.layers and case.recomputed == case.layers,
        "three blocks recomputed": lambda case: case.recomputed == 3,
        "a dear head, and all recomputed": lambda case: (
            f"GPT({DEAR}," in case.lines[1] and case.recomputed == case.layers
        ),
    }
)
def noted_cuts() -> SearchStrategy[Cut]:
    """Steps of which it is noted what ran, and counted what that took."""
    return _noted_cuts()


@st.composite
def _noted_cuts(draw: DrawFn) -> Cut:
    batch, micro_batch = pick(draw, (5, 4, 3, 2, 6)), pick(draw, (2, 3, 1, 4, 9))
    layers = pick(draw, (2, 3, 1, 3))
    recomputed = pick(draw, (draw(st.integers(0, layers)), layers))
    vocab = pick(draw, (5, DEAR, DEAR))
    lines = [*_made(draw, layers, batch, (vocab, 4, 6, 2)), f"optimizer = {OPTIMIZERS[0]}"]
    if recomputed < layers and draw(st.booleans()):
        lines.append(f"before = train_step(model, optimizer, tokens, {micro_batch}, {layers})")
    lines.append("noted, counted = Noted(), Flops()")
    typed = f"{micro_batch}, {recomputed}" if recomputed or draw(st.booleans()) else str(micro_batch)
    lines += ["with noted, counted:", f"    loss = train_step(model, optimizer, tokens, {typed})"]
    watched = ["noted.ran", "sum(counted.parts.values())", "max([0, *map(len, noted.embedded)])"]
    return Cut(lines, watched, batch, micro_batch, layers, recomputed)


@functools.cache
@classes(
    {
        "several parts": lambda case: case.micro_batch < case.batch,
        "something recomputed": lambda case: case.recomputed > 0,
        "nothing recomputed": lambda case: case.recomputed == 0,
        "the whole batch in one": lambda case: case.micro_batch == case.batch,
        "logits that weigh something": lambda case: f"GPT({MANY}," in case.lines[1],
    }
)
def weighed_cuts() -> SearchStrategy[Cut]:
    """Steps of which the bytes are what is saved, mostly."""
    return _weighed_cuts()


@st.composite
def _weighed_cuts(draw: DrawFn) -> Cut:
    batch, micro_batch, recomputed, vocab = pick(draw, WEIGHED)
    lines = [*_made(draw, 4, batch, (vocab, 32, 8, 2)), f"optimizer = {OPTIMIZERS[0]}"]
    lines += ["living = Living([*model.parameters(), *model.buffers(), tokens])", "with living:"]
    lines += [f"    loss = train_step(model, optimizer, tokens, {micro_batch}, {recomputed})"]
    return Cut(lines, ["living.peak"], batch, micro_batch, 4, recomputed)


@functools.cache
@classes({"none at all": has("tokens, 0)"), "fewer than none": has("tokens, -")})
def no_cuts() -> SearchStrategy[Program]:
    """Micro-batches of nothing."""
    return _no_cuts()


@st.composite
def _no_cuts(draw: DrawFn) -> Program:
    lines = [*_made(draw, 1, 2, (5, 4, 6, 2)), f"optimizer = {OPTIMIZERS[0]}"]
    return [*lines, f"loss = train_step(model, optimizer, tokens, {pick(draw, (0, -1, -2))})"], ["loss"]
