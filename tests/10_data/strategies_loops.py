"""What hypothesis draws for kata 10 of loaders beside one another: made twice, in loops, asked, and written to."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick
from .rows import Row, row
from .strategies_loaders import Sizes, first_tokens, loader_seed, loader_sizes
from .strategies_orders import Twice, twice


@functools.cache
@classes({"one rank": lambda case: "rank" not in case.lines[1], "several batches in an epoch": lambda case: case.lines})
def repeated_loaders() -> SearchStrategy[Twice]:
    """Programs that make a loader twice, and what both give."""
    return _repeated_loaders()


@st.composite
def _repeated_loaders(draw: DrawFn) -> Twice:
    batch_size, length, windows = pick(draw, (2, 3)), pick(draw, (2, 3)), 12
    made = f"Loader(tokens, {batch_size}, {length}, {loader_seed(draw)})"
    case = twice(draw, first_tokens(made, 2 * (windows // batch_size)))
    return Twice([f"tokens = {Row(10, 3, windows * length + 1, 'uint16').code}", *case.lines], case.seed)


@functools.cache
@classes(
    {
        "one batch in a loop": lambda lines: ", 1)" in lines[-1],
        "several batches in a loop": lambda lines: ", 1)" not in lines[-1],
    }
)
def looped_loaders() -> SearchStrategy[Lines]:
    """Two loops over one loader, beside the same batches of another one, by next()."""
    return _looped_loaders()


@st.composite
def _looped_loaders(draw: DrawFn) -> Lines:
    sizes = loader_sizes(draw, (1,))
    made, count = sizes.made(loader_seed(draw), 0), pick(draw, (sizes.batches, 1, sizes.batches + 1))
    lines = [f"tokens = {sizes.row.code}", f"loader, other = {made}, {made}", "same = iter(loader) is loader"]
    lines.append(f"right = [next(other)[0][:, 0].tolist() for _ in range(2 * {count})]")
    return [*lines, f"loops = {first_tokens('loader', count)} + {first_tokens('loader', count)}"]


@functools.cache
@classes(
    {
        "one batch in an epoch": lambda lines: "range(3)" in lines[-1],
        "several batches in an epoch": lambda lines: "range(3)" not in lines[-1],
    }
)
def asked_loaders() -> SearchStrategy[Lines]:
    """A loader that is asked for its state before each batch, beside one that never is."""
    return _asked_loaders()


@st.composite
def _asked_loaders(draw: DrawFn) -> Lines:
    sizes = loader_sizes(draw, (1,))
    made, count = sizes.made(loader_seed(draw), 0), 2 * sizes.batches + 1
    lines = [
        f"tokens = {sizes.row.code}",
        f"loader, other = {made}, {made}",
        f"right = {first_tokens('other', count)}",
    ]
    return [*lines, f"batches = [(loader.state_dict(), next(loader)[0][:, 0].tolist())[1] for _ in range({count})]"]


class Written(NamedTuple):
    """Lines that write into the batches of an epoch, and the tokens that they are of."""

    lines: Lines
    tokens: list[int]


@functools.cache
@classes(
    {
        "int64 in memory": lambda case: "np.int64" in case.lines[0],
        "batches of one window": lambda case: "(tokens, 1, " in case.lines[1],
        "another dtype": lambda case: "np.int64" not in case.lines[0],
    }
)
def written_batches() -> SearchStrategy[Written]:
    """Batches of tokens that may be written to, most of them of the dtype that batches have."""
    return _written_batches()


@st.composite
def _written_batches(draw: DrawFn) -> Written:
    batch_size, length, batches = pick(draw, (2, 1, 3, 1)), pick(draw, (2, 3, 1)), pick(draw, (2, 3, 1))
    made = row(draw, batch_size * batches * length + 1, ("int64", "uint16", "int64"))
    sizes = Sizes(made, batch_size, length, 1, batch_size * batches, batches)
    loader = sizes.made(loader_seed(draw), 0)
    lines = [f"tokens = {made.code}", f"loader, other = {loader}, {loader}"]
    lines.append(f"right = {first_tokens('other', 2 * batches)}[{batches}:]")
    lines.append(f"_ = [(x.fill_(0), y.fill_(0)) for x, y in islice(loader, {batches})]")
    return Written([*lines, f"after = {first_tokens('loader', batches)}"], list(made.tokens))
