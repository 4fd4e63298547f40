"""What hypothesis draws for kata 10 of loaders: sizes, ranks, and where they are stopped."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.random_states import SEEDED
from ..shared.shapes import integers, pick
from .rows import Row, kept, row
from .strategies_orders import FACTORS, LARGEST, USUAL

EPOCHS = 3

FURTHEST = 400
"""Batches after which a state that keeps something of each has grown too large."""

SHUFFLED, SHUFFLED_EPOCHS = 30, 4
"""Windows of a rank in an epoch, and epochs of a loader, whose orders are compared."""


class Sizes(NamedTuple):
    """The sizes of a loader; `batches` are those of an epoch of a rank."""

    row: Row
    batch_size: int
    length: int
    world_size: int
    windows: int
    batches: int

    def made(self, seed: object, rank: object) -> str:
        """The call that makes it."""
        ranks = "" if self.world_size == 1 else f", {rank}, {self.world_size}"
        return f"Loader(tokens, {self.batch_size}, {self.length}, {seed}{ranks})"


def loader_sizes(draw: DrawFn, worlds: tuple[int, ...] = (2, 1, 3)) -> Sizes:
    """Draw sizes that leave any rest, for one of these numbers of ranks."""
    batch_size, length, world_size = pick(draw, (2, 1, 3)), pick(draw, (2, 5, 1)), pick(draw, worlds)
    batches = pick(draw, (2, 1, 3))
    # What is left over: too few windows for a batch of each rank, of each rank, or for one more rank; and tokens.
    windows = batches * batch_size * world_size + draw(st.integers(0, batch_size * world_size - 1))
    count = windows * length + 1 + pick(draw, (0, draw(st.integers(0, length - 1))))
    dtypes = ("uint16", "uint8", "uint32", "int64", "int32")
    return Sizes(row(draw, count, dtypes), batch_size, length, world_size, windows, batches)


LONG = Sizes(Row(10, 1, 9 * 2**13 + 1, "uint32"), 3, 2**13, 1, 9, 3)
"""Those of a loader with few windows, of which the last one starts beyond what a uint16 holds."""


def loader_seed(draw: DrawFn) -> int:
    """Draw a seed, often the first or the last one."""
    return draw(st.one_of(st.integers(0, 9999), st.integers(0, 9999), st.integers(0, LARGEST), EDGES))


EDGES = st.sampled_from((0, LARGEST))


class Epochs(NamedTuple):
    """Lines that make some epochs of all ranks, one after the other, as `seen`."""

    lines: Lines
    sizes: Sizes


SIZES = {
    "one rank": lambda sizes: sizes.world_size == 1,
    "several ranks": lambda sizes: sizes.world_size > 1,
    "one batch in an epoch": lambda sizes: sizes.batches == 1,
    "windows that no rank takes": lambda sizes: sizes.windows % sizes.world_size,
    "windows that make no batch": lambda sizes: sizes.windows // sizes.world_size % sizes.batch_size,
    "windows of one token": lambda sizes: sizes.length == 1,
    "tokens that make no window": lambda sizes: sizes.row.size > sizes.windows * sizes.length + 1,
    "the last window ends with the tokens": lambda sizes: sizes.row.size == sizes.windows * sizes.length + 1,
    "batches of one window": lambda sizes: sizes.batch_size == 1,
}


@functools.cache
@classes(
    {name: lambda case, holds=holds: holds(case.sizes) for name, holds in SIZES.items()}
    | {
        "tokens in a file": lambda case: "memmap" in case.lines[1],
        "windows that start beyond 16 bits": lambda case: case.sizes is LONG,
    }
)
def loaded_epochs() -> SearchStrategy[Epochs]:
    """Whole epochs of all ranks."""
    return _loaded_epochs()


@st.composite
def _loaded_epochs(draw: DrawFn) -> Epochs:
    sizes = LONG if pick(draw, (*(False,) * 6, True)) else loader_sizes(draw)
    made = sizes.made(loader_seed(draw), "rank")
    lines = [
        *kept(draw, sizes.row),
        f"loaders = [{made} for rank in range({sizes.world_size})]",
        f"seen = [[next(loader) for _ in range({EPOCHS * sizes.batches})] for loader in loaders]",
    ]
    return Epochs(lines, sizes)


class Shuffled(NamedTuple):
    """Lines that leave the first tokens of the windows of epochs, by name, and which epochs these are.

    every: the number of ranks. Before shuffling, one rank has every so-many-th window.
    """

    lines: Lines
    every: int
    length: int
    epochs: dict[str, str]


@functools.cache
@classes(
    {
        "one rank": lambda case: case.every == 1,
        "the first of two ranks": lambda case: ", 0, 2)" in case.lines[1],
        "the last of two ranks": lambda case: ", 1, 2)" in case.lines[1],
        "three ranks": lambda case: case.every == 3,
        "batches of one window": lambda case: "tokens, 1, " in case.lines[1],
        "seed 0": lambda case: "epoch 0 of seed 0" in case.epochs.values(),
        "the largest seed": lambda case: f"epoch 0 of seed {LARGEST}" in case.epochs.values(),
    }
)
def shuffled_epochs() -> SearchStrategy[Shuffled]:
    """Epochs of one seed and the first of others, of so many windows that no two orders are the same by chance."""
    return _shuffled_epochs()


@st.composite
def _shuffled_epochs(draw: DrawFn) -> Shuffled:
    batch_size, length = pick(draw, (2, 1, 3)), pick(draw, (2, 1, 3))
    rank, world_size = pick(draw, ((0, 1), (0, 1), (0, 2), (1, 2), (2, 3)))
    windows = SHUFFLED * world_size
    made = Row(0, 1, windows * length + 1, "uint16")
    sizes = Sizes(made, batch_size, length, world_size, windows, SHUFFLED // batch_size)
    seed = draw(st.integers(10, 9999))  # of 2, some 64 bits are epoch 0 and epoch 1 alike: see strategies_orders.py
    others = [
        seed + 1,
        *pick(draw, ((0, *USUAL), (LARGEST,))),
        seed + pick(draw, (1000, seed, 2**16, 2**31)),
        seed + pick(draw, FACTORS),
    ]
    others = list(dict.fromkeys(others))
    epoch = f"[next({{}})[0][:, 0].tolist() for _ in range({sizes.batches})]"
    lines = [
        f"tokens = {made.code}",
        f"loader, others = {sizes.made(seed, rank)}, [{sizes.made('seed', rank)} for seed in {others}]",
        f"epochs = [{epoch.format('loader')} for _ in range({SHUFFLED_EPOCHS})]",
        f"firsts = [{epoch.format('other')} for other in others]",
    ]
    names = {f"epochs[{epoch}]": f"epoch {epoch} of seed {seed}" for epoch in range(SHUFFLED_EPOCHS)}
    names |= {f"firsts[{place}]": f"epoch 0 of seed {other}" for place, other in enumerate(others)}
    return Shuffled(lines, world_size, length, names)


def first_tokens(loader: str, count: int) -> str:
    """The first tokens of the windows of the next batches."""
    return f"[x[:, 0].tolist() for x, y in islice({loader}, {count})]"


class Resumed(NamedTuple):
    """Lines up to a state, those that go on from it, and those that load it, in words of one program.

    seed: the last one of the global random states.
    """

    before: Lines
    on: Lines
    loaded: Lines
    batches: int
    taken: int
    seed: int


@functools.cache
@classes(
    {
        "before the first batch": lambda case: case.taken == 0,
        "within an epoch": lambda case: case.taken % case.batches,
        "at the end of an epoch": lambda case: case.taken and not case.taken % case.batches,
        "after an epoch": lambda case: case.taken > case.batches,
        "a loader that is further on": lambda case: any("unused" in line for line in case.loaded),
        "after three epochs": lambda case: case.taken > 3 * case.batches,
        "after hundreds of batches": lambda case: case.taken == FURTHEST,
        "a state of a loader that has loaded it": lambda case: any("between" in line for line in case.loaded),
        "a state of a loader that has loaded and gone on": lambda case: any("further" in line for line in case.loaded),
        "several ranks": lambda case: case.before[-3].count(",") > 4,
        "a seed beyond what an int32 holds": lambda case: int(case.before[2].split(", ")[3].strip(")")) >= 2**31,
        "a loader that has loaded before": lambda case: any("other.state_dict()" in line for line in case.loaded),
    }
    | {"a loader that goes back": lambda case: "other = loader" in case.loaded}
)
def resumed(large: bool = False) -> SearchStrategy[Resumed]:
    """Loaders that are stopped anywhere, and others of another seed that go on.

    large: so many windows that their order does not fit into a state.
    """
    return _resumed(large)


@st.composite
def _resumed(draw: DrawFn, large: bool) -> Resumed:
    sizes = _large(draw) if large else loader_sizes(draw)
    rank, seed = draw(st.integers(0, sizes.world_size - 1)), loader_seed(draw)
    each = sizes.batches
    some = (each + 1, 1, 0, each, each - 1, 2 * each, 2 * each + 1, 4 * each + 1, 11 * each + 1)
    taken = pick(draw, (*some, FURTHEST, FURTHEST))  # only there a history is too long
    if large:
        taken = min(taken, 11 * each + 1)
    count = pick(draw, (sizes.batches + 1, 2 * sizes.batches + 1))
    before = [
        f"tokens = {sizes.row.code}",
        SEEDED.format(draw(st.integers(0, 99))),
        f"loader = {sizes.made(seed, rank)}",
    ]
    before += [f"seen = {first_tokens('loader', taken)}", "state = loader.state_dict()"]
    last = draw(st.integers(100, 199))
    loaded = [
        SEEDED.format(last),
        f"other = {sizes.made((seed + draw(st.integers(1, 9))) % 2**32, rank)}",
    ]
    if not large and pick(draw, (False, False, False, False, True)):
        loaded[-1] = "other = loader"
    if unused := pick(draw, (0, 1, 2)):
        loaded.append(f"unused = {first_tokens('other', unused)}")
    if pick(draw, (False, False, True)):
        loaded.append("other.load_state_dict(other.state_dict())")
    state, further = "state", 0
    if pick(draw, (False, True)):
        state, further = "between.state_dict()", pick(draw, (0, 1, each + 1))
        loaded += [f"between = {sizes.made((seed + 10) % 2**32, rank)}", "between.load_state_dict(state)"]
        loaded += [f"further = {first_tokens('between', further)}"] if further else []
    skipped = f"[{further}:]" if further else ""
    return Resumed(
        before,
        [f"right = {first_tokens('loader', further + count)}{skipped}", "later = loader.state_dict()"],
        [*loaded, f"other.load_state_dict({state})", f"after = {first_tokens('other', count)}"],
        sizes.batches,
        taken,
        last,
    )


def _large(draw: DrawFn) -> Sizes:
    world_size, batches = pick(draw, (1, 2)), pick(draw, (2, 3))
    windows = draw(st.integers(400, 450)) * world_size
    batch_size = windows // world_size // batches
    length = pick(draw, (1, 2))
    return Sizes(
        Row(0, 1, windows * length + 1, "uint16"),
        batch_size,
        length,
        world_size,
        windows,
        windows // world_size // batch_size,
    )


@functools.cache
@classes(
    {
        "no whole batch for each rank": lambda case: "no whole batch" in case[1],
        "no token": lambda case: "arange(0, 0," in case[0][0],
        "a window without its last target": lambda case: "last target" in case[1],
        "a size below 1": lambda case: "below 1" in case[1],
        "a rank too many": lambda case: "there is no rank" in case[1] and "-" not in case[1],
        "a rank below 0": lambda case: "no rank -" in case[1],
        "no rank": lambda case: "0 ranks" in case[1],
        "fewer ranks than none": lambda case: "-" in case[1] and "ranks are none" in case[1],
    }
)
def no_loaders() -> SearchStrategy[tuple[Lines, str]]:
    """Lines of which the last is to be refused, and why."""
    return _no_loaders()


@st.composite
def _no_loaders(draw: DrawFn) -> tuple[Lines, str]:
    batch_size, length, world_size = draw(integers(2, 3)), draw(integers(3, 4)), draw(integers(2, 3))
    windows = batch_size * world_size
    rank = draw(st.integers(0, world_size - 1))
    count = windows * length + 1
    kind = pick(draw, ("one too few", "target", "size", "rank", "below", "none", "fewer", "empty"))
    if kind == "one too few":
        count -= length
        because = f"{windows - 1} windows are no whole batch of {batch_size} for each of {world_size} ranks"
    elif kind == "target":
        count -= 1
        because = "the last window has no last target, and without it one is missing"
    elif kind == "size":
        size = -draw(st.integers(0, 2))
        batch_size, length = (size, length) if pick(draw, (True, False)) else (batch_size, size)
        because = f"{size} is below 1"
    elif kind == "rank":
        rank = world_size + draw(st.integers(0, 1))
        because = f"there is no rank {rank} of {world_size}"
    elif kind == "below":
        rank = -draw(st.integers(1, world_size))
        because = f"there is no rank {rank}"
    elif kind == "none":
        rank, world_size, because = 0, 0, "0 ranks are none"
    elif kind == "fewer":
        rank, world_size = 0, -world_size
        because = f"{world_size} ranks are none"
    else:
        count, because = 0, "no tokens make no whole batch"
    return [
        f"tokens = np.arange(0, {count}, 1, dtype=np.uint16)",
        f"loader = Loader(tokens, {batch_size}, {length}, {loader_seed(draw)}, {rank}, {world_size})",
    ], because
