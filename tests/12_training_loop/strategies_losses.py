"""What hypothesis draws for kata 12 of losses: logits with their targets, and texts that are evaluated in batches."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

FLOAT64, FLOAT32 = "float64", "float32"


class Rows(NamedTuple):
    """The program that goes backward from a loss, and what its rows are like."""

    lines: list[str]
    shape: tuple[int, ...]
    ignored: int
    extremes: frozenset[str]

    @property
    def watched(self) -> list[str]:
        """Loss, gradient and arguments; where nothing goes backward, also whether there is anything to go through."""
        found = ["loss", "logits.grad", "logits", "targets"]
        return found if "backward" in self.lines[-1] else [*found, "logits.requires_grad", "loss.requires_grad"]


def _nested(values: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return values[0]
    step = math.prod(shape[1:])
    return f"[{', '.join(_nested(values[n * step : (n + 1) * step], shape[1:]) for n in range(shape[0]))}]"


# In float32 a huge logit is alone, far above the rest of its row: if two are close, the log of the sum is off by what
# float32 cannot hold of such large numbers, whoever takes it.
OUTLIERS = {FLOAT64: ("huge", "high", "low", "masked", "tied"), FLOAT32: ("high", "masked")}


def _row(draw: DrawFn, width: int, dtype: str, extreme: str, target: int) -> list[float]:
    """The logits of a row, in quarters."""
    number = draw(st.integers(0, 65**width - 1))
    row = [((number // 65**place) % 65 + 4 * place) % 65 / 4 - 8 for place in range(width)]
    place = draw(st.integers(0, width - 1))
    if extreme == "huge":
        row = [x + 1e4 for x in row]
    if extreme == "high":
        row[place] = 1e4
    if extreme == "low":
        row = [-1e4 if n != place else 1e4 for n in range(width)]
    if extreme == "tied":
        row = [1e4 if n != place else -1e4 for n in range(width)]
    if extreme == "masked":
        # The target's only beside one other: who subtracts it from each would lose what several others differ in.
        place = target if width == 2 and target >= 0 else place
        row = [-1e30 if n == place and (n != target or width == 2) else x for n, x in enumerate(row)]
    return row


def _turned(last: int) -> str:
    """Code that stores a tensor in another order, seen by the same view: the first row dimension is last."""
    return f".transpose(0, {last}).contiguous().transpose(0, {last})"


def _is(extreme: str) -> Callable[[Rows], bool]:
    return lambda case: extreme in case.extremes


@functools.cache
@classes(
    {
        "one row without dimensions": lambda case: case.shape == (),
        "rows in two dimensions or more": lambda case: len(case.shape) > 1,
        "rows that are ignored": lambda case: case.ignored,
        "ignore_index is one of the classes": lambda case: any(
            line.endswith(f"{n})") for line in case.lines for n in (", 0", ", 1", "=0", "=1")
        ),
        "rows that do not lie one behind the other": lambda case: "transpose" in case.lines[0],
        "a gradient comes in": lambda case: "2.5" in case.lines[-1],
        "another loss before the backward pass": lambda case: ".flip(" in case.lines[-2],
        "logits that need no gradient": lambda case: "backward" not in case.lines[-1],
        "by its name": lambda case: "ignore_index=" in "".join(case.lines),
        "logits of 1e4 side by side": _is("huge"),
        "one logit of 1e4": _is("high"),
        "a difference of 2e4": _is("low"),
        "a difference of 2e4 from several": _is("tied"),
        "a logit of -1e30": _is("masked"),
        "the target's logit is -1e30": _is("missed"),
        "none of these": lambda case: not case.extremes,
        "one class": lambda case: "V1" in case.extremes,
    }
)
def logits(dtype: str) -> SearchStrategy[Rows]:
    """Logits of any number of dimensions with their targets."""
    return _logits(dtype)


SHAPES = ((3,), (2, 2), (4,), (), (1,), (2, 1, 2), (5,), (1, 3))


@st.composite
def _logits(draw: DrawFn, dtype: str) -> Rows:
    shape, width = pick(draw, SHAPES), pick(draw, (3, 2, 4, 5, 3, 2, 4, 1))
    count = math.prod(shape)
    ignore_index = pick(draw, (None, None, -1, 0, 1, 7, -100))
    targets = [draw(st.integers(0, width - 1)) for _ in range(count)]
    index = -100 if ignore_index is None else ignore_index
    kept = draw(st.integers(0, count - 1))
    if width == 1 and index == 0:
        ignore_index, index = None, -100
    if targets[kept] == index:
        targets[kept] = (index + 1) % width
    ignored = [n for n in range(count) if n != kept and draw(st.booleans())]
    targets = [index if n in ignored else target for n, target in enumerate(targets)]
    extremes = {pick(draw, OUTLIERS[dtype]) if pick(draw, (True, False)) else "" for _ in range(2)}
    rows = [
        _row(draw, width, dtype, pick(draw, sorted(extremes)), target if target != index else -1) for target in targets
    ]
    values = _nested([f"{x:g}" if abs(x) > 1e20 else str(x) for row in rows for x in row], (*shape, width))
    by_name = draw(st.booleans())
    argument = "" if ignore_index is None else f", {'ignore_index=' * by_name}{ignore_index}"
    apart = len(shape) > 1 and draw(st.booleans())
    backward = pick(draw, ("loss.backward()", "(2.5 * loss).backward()") * 2 + ("",))
    turned, learned = (_turned(-2) if apart else "", ".requires_grad_()" if apart and backward else "")
    learns = "" if apart or not backward else ", requires_grad=True"
    another = [f"_ = cross_entropy(logits.flip(-1), targets{argument})"] if backward else []
    lines = [
        f"logits = torch.tensor({values}, dtype=torch.{dtype}{learns}){turned}{learned}",
        f"targets = torch.tensor({_nested([str(target) for target in targets], shape)}, dtype=torch.int64)"
        f"{_turned(-1) if apart else ''}",
        f"loss = cross_entropy(logits, targets{argument})",
        *pick(draw, ([], another)),
        *([backward] if backward else []),
    ]
    met = {"V1"} if width == 1 else {"missed"} if width == 2 and "masked" in extremes else set()
    return Rows(lines, shape, sum(target == index for target in targets), frozenset((extremes - {""}) | met))


AS_MANY = (((3, 4), (3, 1)), ((2, 4), (2, 1)), ((2, 3, 4), (2, 3, 1)), ((3, 1, 4), (3,)), ((2, 2, 3, 4), (2, 6)))
REFUSED = (
    ((3, 4), (2,)),
    ((3, 4), (1,)),
    ((3, 4), ()),
    ((3, 4), (3, 4)),
    ((2, 3, 4), (6,)),
    ((2, 3, 4), (2, 1)),
    ((2, 3, 4), (1, 3)),
    ((2, 3, 4), (3,)),
    ((2, 3, 4), (3, 2)),
    ((4,), (1,)),
    ((4,), (4,)),
    ((1, 4), ()),
    *(((2, 3, 4), (2, 4)), ((2, 2, 3, 4), (2, 1, 3))) * 3,
    *AS_MANY,
)
"""Shapes of logits, and of targets that do not fit; of AS_MANY, numbers and first dimension do."""


@functools.cache
@classes(
    {
        "a dimension too few": lambda case: case[1].count(", ") + 1 < case[0].count(", "),
        "a dimension too many": lambda case: case[1].count(", ") >= case[0].count(", ") > 0,
        "what would broadcast": lambda case: "1" in case[1] or case[1] == "()",
        "as many numbers": lambda case: case[1] in ("(6,)", "(3, 2)", "(1,)"),
        "as many numbers, and as many first": lambda case: case in [(str(a), str(b)) for a, b in AS_MANY],
        "only a size in the middle": lambda case: case[1] == "(2, 1, 3)",
        "the classes second": lambda case: case[1] == "(2, 4)",
    }
)
def refused_targets() -> SearchStrategy[tuple[str, str]]:
    """The shape of logits, and of targets that do not fit."""
    return st.sampled_from([(str(logits), str(targets)) for logits, targets in REFUSED])


class Text(NamedTuple):
    """How many tokens each batch of a text has, how many there are to choose from, and what a model says about them.

    scale: of its logits; 0 for a model that knows nothing, nan for one that diverged. seed: of tokens and logits.
    blank: the loss of no tokens. diverged: the place of a batch whose loss is nan. surprised: the place of a batch
    whose exp(loss) no float holds, although the whole text's fits. certain: the place of a batch whose loss is 0. Each
    is -1 if there is no such batch.
    """

    sizes: list[int]
    vocab: int
    scale: float
    seed: int
    blank: float
    diverged: int = -1
    surprised: int = -1
    certain: int = -1
    times: int = 1
    """So many times the tokens have the same losses."""

    @property
    def tokens(self) -> list[int]:
        """The number of tokens of each batch."""
        return [self.times * size for size in self.sizes]


@functools.cache
@classes(
    {
        "one batch": lambda text: len(text.sizes) == 1,
        "batches of different sizes": lambda text: len({*text.sizes} - {0}) > 1,
        "a batch without tokens, of nan": lambda text: 0 in text.sizes and math.isnan(text.blank),
        "a batch without tokens, of inf": lambda text: 0 in text.sizes and math.isinf(text.blank),
        "more tokens than float32 counts": lambda text: text.times > 1,
        "a uniform model": lambda text: text.scale == 0,
        "more than a float holds": lambda text: text.scale == BEYOND,
        "nearly as much as a float holds": lambda text: text.scale == NEARLY and text.vocab < 8,
        "a little more than a float holds": lambda text: text.scale == NEARLY and text.vocab > 7,
        "losses of 0": lambda text: text.scale == CERTAIN and text.diverged < 0,
        "a loss of 0 among others": lambda text: text.certain >= 0 and len({*text.sizes} - {0}) > 1,
        "losses of nan": lambda text: math.isnan(text.scale),
        "a loss of nan among others": lambda text: text.diverged >= 0,
        "a batch beyond what a float holds": lambda text: text.surprised >= 0,
    }
)
def texts() -> SearchStrategy[Text]:
    """Texts in batches, and what a model says of their tokens."""
    return _texts()


BEYOND = 1e5
"""With logits as large the mean loss is beyond 709, and its exp no float holds."""
CERTAIN = 1e4
"""With the token's logit as far above the others its loss is 0."""
NEARLY = 707.9
"""With a token as far below all others the loss is between this and 709.98; up to 709.78 a float just holds its exp."""


@st.composite
def _texts(draw: DrawFn) -> Text:
    sizes = [draw(integers(3 + place, 9)) for place in range(pick(draw, (2, 3, 4, 1)))]
    for _ in range(pick(draw, (1, 0, 2, 1))):
        sizes.insert(draw(st.integers(0, len(sizes))), 0)
    scale = pick(draw, (1.0, 2.0, 4.0, 0.0, BEYOND, NEARLY, NEARLY, math.nan, CERTAIN))
    blank = pick(draw, (math.nan, math.nan, math.inf, 7.5))
    places = [place for place, size in enumerate(sizes) if size]
    diverged, surprised, certain = pick(draw, (-1, -1, pick(draw, places))), -1, -1
    if scale <= 4 and diverged < 0 and len(places) > 1 and draw(st.booleans()):
        surprised = min(places, key=lambda place: sizes[place])
    elif scale <= 4 and diverged < 0:
        certain = pick(draw, (-1, *places))
    times = pick(draw, (1, 1, 1, (2**24 // sum(sizes) + 1) | 1))
    vocab, seed = draw(integers(4, 9, 2)), draw(st.integers(0, 9999))
    return Text(sizes, vocab, scale, seed, blank, diverged, surprised, certain, times)


class Counts(NamedTuple):
    """Losses, numbers of tokens, and what is wrong with them."""

    losses: list[float]
    tokens: list[int]
    because: str


@functools.cache
@classes(
    {
        "nothing": lambda case: not case.losses and not case.tokens,
        "no tokens": lambda case: case.because == "there are no tokens" and case.tokens,
        "a negative number": lambda case: any(count < 0 for count in case.tokens),
        "a negative number that the others make up for": lambda case: (
            sum(case.tokens) > 0 and min(case.tokens, default=0) < 0
        ),
        "a loss too many": lambda case: len(case.losses) > len(case.tokens),
        "a number too many": lambda case: len(case.losses) < len(case.tokens),
        "a loss of nan beside a negative number": lambda case: (
            any(map(math.isnan, case.losses)) and min(case.tokens, default=0) < 0
        ),
        "a loss of nan in lists of different lengths": lambda case: (
            any(map(math.isnan, case.losses)) and len(case.losses) != len(case.tokens)
        ),
    }
)
def refused_texts() -> SearchStrategy[Counts]:
    """Lists that have no mean."""
    return _refused_texts()


@st.composite
def _refused_texts(draw: DrawFn) -> Counts:
    count = draw(integers(2, 4))
    losses = [draw(st.integers(1, 40)) / 8 for _ in range(count)]
    tokens = [draw(integers(3 + place, 9)) for place in range(count)]
    if draw(st.booleans()):
        losses[draw(st.integers(0, count - 1))] = math.nan
    kind = pick(draw, ("longer", "shorter", "negative", "none", "negative", "empty", "negative", "one"))
    if kind == "longer":
        return Counts([*losses, 1.5], tokens, f"{count + 1} losses, {count} numbers of tokens")
    if kind == "shorter":
        return Counts(losses, [*tokens, pick(draw, (5, 0))], f"{count} losses, {count + 1} numbers of tokens")
    if kind == "negative":
        place = draw(st.integers(0, count - 1))
        tokens[place] = -pick(draw, (1, 2, 1, 20))
        return Counts(losses, tokens, f"{tokens[place]} tokens")
    if kind == "one":
        return Counts([1.5], [-4], "-4 tokens")
    return (
        Counts(losses, [0] * count, "there are no tokens") if kind == "none" else Counts([], [], "there are no tokens")
    )
