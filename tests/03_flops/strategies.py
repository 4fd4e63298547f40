"""What hypothesis draws for kata 03: shapes of products, equations of einsum, counts.

No tensor has 2**64 elements, so counts beyond that are drawn as small sizes with a factor for each: what torch counts
at the small ones is scaled (`truth.scaled`).
"""

from __future__ import annotations

import functools
import itertools
import math
import operator

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared import shapes as shared
from ..shared.rates import positives
from ..shared.shapes import Shape, enlarged, factors, grown, narrowed, pick, shapes, sizes, two_sizes

Operands = tuple[Shape, Shape]

BEYOND = {
    "product beyond 2**53": lambda case: math.prod(case[1]) > 2**53,
    "product beyond 2**64": lambda case: math.prod(case[1]) > 2**64,
}
"""Classes of cases whose second part is the factors."""


def _stretched(case: Operands) -> set[str]:
    """Which side of two batches that are matched from the right is stretched."""
    pairs = zip(case[0][-3::-1], case[1][-3::-1], strict=False)
    return {"a" if left == 1 else "b" for left, right in pairs if left != right}


@functools.cache
@classes(
    {
        "no batch": lambda case: len(case[0]) == len(case[1]) == 2,
        "a batch of a alone": lambda case: len(case[0]) > 2 == len(case[1]),
        "a batch of b alone": lambda case: len(case[1]) > 2 == len(case[0]),
        "a batch of a that is stretched": lambda case: "a" in _stretched(case),
        "a batch of b that is stretched": lambda case: "b" in _stretched(case),
        "batches that stretch each other": lambda case: len(_stretched(case)) == 2,
        "several batch dimensions": lambda case: max(map(len, case)) > 3,
        "an inner size of 0": lambda case: case[0][-1] == 0,
        "an inner size of 1": lambda case: case[0][-1] == 1,
        "a batch that stretches to 0": lambda case: any(
            {*pair} == {0, 1} for pair in zip(case[0][-3::-1], case[1][-3::-1], strict=False)
        ),
        "square": lambda case: len({*case[0][-2:], *case[1][-2:]}) == 1,
    }
)
def matmul_shapes(*, empty: bool = False) -> SearchStrategy[Operands]:
    """Shapes of matrices that torch.matmul multiplies, and of batches of them that broadcast; a batch may be empty."""
    return shared.matmul_shapes(empty=empty)


@functools.cache
@classes(
    {
        "two vectors": lambda case: len(case[0]) == len(case[1]) == 1,
        "a matrix and a vector": lambda case: (len(case[0]), len(case[1])) == (2, 1),
        "a vector and a matrix": lambda case: (len(case[0]), len(case[1])) == (1, 2),
        "a batch and a vector": lambda case: len(case[0]) > 2,
        "a vector and a batch": lambda case: len(case[1]) > 2,
        "as many rows as columns": lambda case: case[0][-2:] == case[1][-1:] * 2 or case[1][-2:] == case[0][-1:] * 2,
    }
)
@st.composite
def vector_shapes(draw: DrawFn) -> Operands:
    """Shapes that torch.matmul multiplies, one or both of a vector."""
    m, k, n = (draw(sizes()) for _ in range(3))
    batch = draw(shapes(2))
    return pick(draw, [((k,), (k,)), ((*batch, m, k), (k,)), ((k,), (*batch, k, n))])


@functools.cache
@classes(
    BEYOND
    | {
        "a vector": lambda case: min(map(len, case[0])) == 1,
        "a huge batch": lambda case: any(size > 2**26 for shape in case[0] for size in shape[:-2]),
        "a huge batch that is stretched": lambda case: any(
            size > 2**26 and 1 in (*other[-3::-1][place : place + 1],)
            for shape, other in (case[0], case[0][::-1])
            for place, size in enumerate(shape[-3::-1])
        ),
    }
)
@st.composite
def huge_matmul_shapes(draw: DrawFn) -> tuple[Operands, Shape, Operands]:
    """Shapes that torch.matmul multiplies, two of the sizes huge; how many times larger; and the small shapes."""
    batch = "pq"[: pick(draw, (0, 0, 1, 2))]
    a, b = pick(draw, [(batch + "mk", batch + "kn")] * 3 + [("k", batch + "kn"), (batch + "mk", "k"), ("k", "k")])
    names = "".join(dict.fromkeys(a + b))
    size_of = {name: draw(st.integers(1, 4)) for name in names}
    factor_of = dict(zip(names, grown(draw, len(names)), strict=True))
    # The side of each batch dimension that has a 1 there, if one has.
    alone = {name: pick(draw, ("", "", "a", "b")) if name in a and name in b else "" for name in batch}
    small, large = [], []
    for side, indices in (("a", a), ("b", b)):
        kept = [name for name in indices if alone.get(name) != side]
        small.append(tuple(size_of[name] if name in kept else 1 for name in indices))
        large.append(tuple(size_of[name] * factor_of[name] if name in kept else 1 for name in indices))
    return (large[0], large[1]), tuple(factor_of.values()), (small[0], small[1])


@functools.cache
@classes(
    {
        "an inner size of 1 against another": lambda case: _inner(case) is not None and 1 in (_inner(case) or ()),
        "an inner size of 0 against another": lambda case: _inner(case) is not None and 0 in (_inner(case) or ()),
        "without elements": lambda case: any(0 in shape for shape in case),
        "a 0-d operand beside one without elements": lambda case: () in case and any(0 in shape for shape in case),
    }
)
@st.composite
def refused_matmul_shapes(draw: DrawFn, kind: str) -> Operands:
    """Shapes that torch.matmul refuses: a 0-d operand, inner sizes that differ, or batches that do not broadcast."""
    m, k, n = (draw(sizes()) for _ in range(3))
    other = pick(draw, [size for size in range(6) if size != k])
    batch = draw(shapes(2))
    if kind == "0-d":
        a, b = (*batch, m, k), (*batch, k, n)
        return pick(draw, [((), (k,)), ((k,), ()), ((), ()), (a, ()), ((), b)])
    if kind == "inner":
        return (*batch, m, k), (*narrowed(draw, batch), other, n)
    if kind == "inner of a vector":
        return pick(draw, [((k,), (other,)), ((*batch, m, k), (other,)), ((k,), (*batch, other, n))])
    here, there = two_sizes(draw)
    a, b = (*batch[:1], here, *batch[1:]), (there, *narrowed(draw, batch[1:], drop=False))
    a, b = pick(draw, [(a, b), (b, a)])
    return (*a, m, k), (*b, k, n)


def _inner(case: Operands) -> tuple[int, int] | None:
    """The two inner sizes, where they differ."""
    a, b = case
    if not a or not b or a[-1] == b[-2:][0]:
        return None
    return a[-1], b[-2:][0]


def _growing(small: SearchStrategy[Shape]) -> SearchStrategy[tuple[Shape, Shape]]:
    """Sizes, and factors for them: 1, or two of them huge."""

    @st.composite
    def growing(draw: DrawFn) -> tuple[Shape, Shape]:
        drawn = draw(small)
        return drawn, grown(draw, len(drawn)) if draw(st.booleans()) else (1,) * len(drawn)

    return growing()


@functools.cache
@classes(
    BEYOND
    | {
        "one row": lambda case: len(case[0]) == 2,
        "several dimensions of rows": lambda case: len(case[0]) > 3,
        "no rows": lambda case: 0 in case[0][:-2],
        "no inputs": lambda case: case[0][-2] == 0,
        "no outputs": lambda case: case[0][-1] == 0,
        "rows beyond 2**32": lambda case: math.prod(enlarged(*case)[:-2]) > 2**32,
    }
)
def linear_cases() -> SearchStrategy[tuple[Shape, Shape]]:
    """Sizes of x, and last the number of outputs; how many times larger each is to be."""
    outputs = st.one_of(sizes(), st.integers(0, 1))
    return _growing(st.builds(lambda x_shape, out: (*x_shape, out), shapes(fewest_dims=1, largest=4), outputs))


@functools.cache
@classes(
    BEYOND
    | {
        "a size of 0": lambda case: 0 in case[0],
        "a size of 1": lambda case: 1 in enlarged(*case),
        "more queries than keys": lambda case: enlarged(*case)[2] > enlarged(*case)[3] > 0,
        "more keys than queries": lambda case: enlarged(*case)[3] > enlarged(*case)[2] > 0,
    }
)
@st.composite
def attention_cases(draw: DrawFn) -> tuple[Shape, Shape]:
    """Batch, heads, q_len, kv_len and head_dim; how many times larger each is to be.

    Batch and heads stay so few that an answer may go through them one by one.
    """
    small = tuple(draw(sizes(4)) for _ in range(5))
    if not draw(st.booleans()):
        return small, (1,) * 5
    return tuple(max(size, 1) for size in small), (*(pick(draw, (1, 64)) for _ in range(2)), *grown(draw, 3))


@functools.cache
@classes(
    {
        "one width": lambda case: len(case[1]) == 1,
        "two widths": lambda case: len(case[1]) == 2,
        "three widths and more": lambda case: len(case[1]) > 2,
        "an empty batch": lambda case: case[0] == 0,
        "a width of 0": lambda case: 0 in case[1],
        "a width of 0 in the middle": lambda case: 0 in case[1][1:-1],
        "a width of 1": lambda case: 1 in case[1],
    }
)
def mlp_cases() -> SearchStrategy[tuple[int, Shape]]:
    """Batches and widths."""
    return st.tuples(st.one_of(sizes(), st.integers(0, 1)), shapes(5, 6, 1))


@functools.cache
@classes(
    {
        "product beyond 2**64": lambda case: case[0] * case[1] ** 2 > 2**64,
        "product of two widths beyond 2**64": lambda case: case[1] ** 2 > 2**64,
        "product of two sizes between 2**53 and 2**64": lambda case: 2**53 < case[1] * max(case[:2]) < 2**64,
    }
)
def huge_mlp_cases() -> SearchStrategy[tuple[int, int, int, Shape]]:
    """How many times larger a batch and all widths are to be, and a small batch and widths."""
    return st.tuples(
        factors(), factors(), st.integers(1, 4), st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple)
    )


@functools.cache
@classes(
    BEYOND
    | {
        "a single column": lambda case: enlarged(*case)[2] == 1,
        "sizes that differ": lambda case: len({*enlarged(*case)}) == 3,
    }
)
@st.composite
def intensity_cases(draw: DrawFn) -> tuple[Shape, Shape]:
    """m, k and n; how many times larger each is to be."""
    small = draw(st.tuples(*[st.integers(1, 8)] * 3))
    ones, three = (1, 1, 1), draw(st.tuples(*[factors()] * 3))
    return small, pick(draw, (ones, ones, grown(draw, 3), three))


@functools.cache
@classes({f"{size} bytes": functools.partial(operator.eq, size) for size in (1, 2, 4, 8, 16)})
def bytes_per_element() -> SearchStrategy[int]:
    """Sizes that some dtype has."""
    return st.sampled_from((1, 2, 4, 8, 16))


# Elementwise


def _disagreeing(case: list[Shape]) -> set[int]:
    """The places among the shapes of those that cannot broadcast with some other."""
    found = set()
    for (i, one), (j, other) in itertools.combinations(enumerate(case), 2):
        if any(x != y and 1 not in (x, y) for x, y in zip(one[::-1], other[::-1], strict=False)):
            found |= {i, j}
    return found


@functools.cache
@classes(
    {
        "one shape": lambda case: len(case) == 1,
        "three shapes": lambda case: len(case) == 3,
        "four shapes": lambda case: len(case) == 4,
        "nothing but ()": lambda case: not any(case),
        "() beside others": lambda case: () in case and any(case),
        "without elements": lambda case: any(0 in shape for shape in case),
        "larger than each operand": lambda case: math.prod(torch.broadcast_shapes(*case)) > max(map(math.prod, case)),
        "the first is not the longest": lambda case: len(case[0]) < max(map(len, case)),
        "a 1 stretches to 0": lambda case: any({0, 1} <= {*column} for column in _columns(case)),
    }
)
@st.composite
def broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """One to four shapes that broadcast together; in one of three cases two that stretch each other are among them."""
    crossed = pick(draw, (False, False, True))
    widest = draw(shapes(4, fewest_dims=2 if crossed else 0))
    if not crossed:
        return [narrowed(draw, widest) for _ in range(draw(st.integers(1, 4)))]
    ones = pick(draw, list(itertools.permutations(range(len(widest)), 2)))
    two = [tuple(1 if place == one else size for place, size in enumerate(widest)) for one in ones]
    return list(draw(st.permutations([*two, *(narrowed(draw, widest) for _ in range(pick(draw, (0, 0, 1, 2))))])))


def _columns(case: list[Shape]) -> list[tuple[int, ...]]:
    """The sizes of all the shapes in each place, from the right; one that is too short has 1 there."""
    return list(itertools.zip_longest(*(shape[::-1] for shape in case), fillvalue=1))


def empty_broadcast_shapes() -> SearchStrategy[Operands]:
    """Two shapes of which one has a 1 where the other has a 0."""
    return shared.empty_broadcast_shapes()


@functools.cache
@classes(
    {
        "two that stretch each other": lambda case: sum(size > 2**26 for size in case[0]) == 1,
        "beyond 2**53": lambda case: math.prod(torch.broadcast_shapes(*case)) > 2**53,
        "beyond 2**64": lambda case: math.prod(torch.broadcast_shapes(*case)) > 2**64,
    }
)
@st.composite
def huge_broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """One or two shapes with huge sizes, as large as each other or stretching each other."""
    m, n = (draw(st.integers(1, 3)) * draw(factors()) for _ in range(2))
    return pick(draw, [[(m, n)], [(m, 1), (n,)], [(n,), (m, 1)], [(m, n), (n,)]])


@functools.cache
@classes(
    {
        "the last shape agrees with all": lambda case: len(case) - 1 not in _disagreeing(case),
        "the first shape agrees with all": lambda case: 0 not in _disagreeing(case),
        "the first shape is 0-d": lambda case: case[0] == (),
        "the first two agree": lambda case: not {0, 1} <= _disagreeing(case),
        "only neighbours agree": lambda case: len(case) == 3 and _disagreeing(case) == {0, 2},
        "in the last dimension": lambda case: _disagreement(_columns(case)[0]),
        "not in the last dimension": lambda case: not _disagreement(_columns(case)[0]),
        "a size that is a multiple of the other": lambda case: any(
            _disagreement(column) and max(column) % min(size for size in column if size > 1) == 0
            for column in _columns(case)
            if 0 not in column
        ),
        "0 against another size": lambda case: any(0 in column and max(column) > 1 for column in _columns(case)),
        "without elements elsewhere": lambda case: (
            any(_disagreement(column) and 0 not in column for column in _columns(case))
            and any(0 in shape for shape in case)
        ),
        "one longer than the other": lambda case: len({len(shape) for shape in case if shape}) > 1,
    }
)
@st.composite
def unbroadcastable_shapes(draw: DrawFn) -> list[Shape]:
    """Two or three shapes of which two disagree about a dimension; the others stand anywhere, and agree with both."""
    left, right = draw(shapes(2)), draw(shapes(2))
    here, there = two_sizes(draw)
    a, b = (*left, here, *right), (there, *narrowed(draw, right, drop=False))
    agreeing = pick(draw, ((), (1,), right, (1, *right)))
    order = pick(draw, (("a", "b"), ("b", "a"), *itertools.permutations(("a", "b", "neither"))))
    return [{"a": a, "b": b, "neither": agreeing}[which] for which in order]


def _disagreement(column: tuple[int, ...]) -> bool:
    """Whether two of these sizes, which are matched, do not broadcast."""
    return len({*column} - {1}) > 1


# Einsum


def _parts(case: tuple[str, Shape, Shape]) -> tuple[str, str, str]:
    operands, _, kept = case[0].partition("->")
    a, b = operands.split(",")
    return a, b, kept


def _of_one_operand(case: tuple[str, Shape, Shape]) -> str:
    a, b, _ = _parts(case)
    return "".join(sorted({*a} ^ {*b}))


@functools.cache
@classes(
    {
        "one operand has two indices of its own": lambda case: any(
            len({*one} - {*other}) > 1 for one, other in itertools.permutations(_parts(case)[:2])
        ),
        "neither operand has an index of its own": lambda case: not _of_one_operand(case),
        "an index that all three have": lambda case: bool(set.intersection(*map(set, _parts(case)))),
        "two indices that all three have": lambda case: len(set.intersection(*map(set, _parts(case)))) > 1,
        "two indices that are contracted": lambda case: (
            len(({*_parts(case)[0]} & {*_parts(case)[1]}) - {*_parts(case)[2]}) > 1
        ),
        "an index of one operand is summed away": lambda case: bool({*_of_one_operand(case)} - {*_parts(case)[2]}),
        "an index in both cases": lambda case: len({*case[0].lower()}) < len({*case[0]}),
        "a single number as the result": lambda case: case[0].endswith(">"),
        "a size of 0": lambda case: 0 in case[1] + case[2],
        "a size of 1": lambda case: 1 in case[1] + case[2],
        "shared indices in another order": lambda case: (
            [i for i in _parts(case)[0] if i in _parts(case)[1]] != [i for i in _parts(case)[1] if i in _parts(case)[0]]
        ),
    }
)
@st.composite
def einsum_cases(draw: DrawFn) -> tuple[str, Shape, Shape]:
    """An equation of two operands, and their shapes: an index at most once in each, at least one contracted."""
    contracted, batch, left, right = _roles(draw, [pick(draw, ROLES) for _ in range(draw(st.integers(0, 4)))])
    free = draw(st.permutations(batch + left + right))
    kept = "".join(free[: pick(draw, (len(free), *range(len(free) + 1)))])
    a, b = ("".join(draw(st.permutations(names))) for names in (contracted + batch + left, contracted + batch + right))
    size_of = {name: draw(sizes(4)) for name in contracted + batch + left + right}
    return f"{a},{b}->{kept}", tuple(size_of[i] for i in a), tuple(size_of[i] for i in b)


ROLES = ("contracted", "batch", "left", "right")


def _roles(draw: DrawFn, roles: list[str]) -> list[list[str]]:
    """Names of indices for each of the ROLES: one that is contracted, and one for each of these."""
    names = draw(st.permutations("ijkbKIxZ"))
    found: dict[str, list[str]] = {role: [] for role in ROLES}
    for name, role in zip(names, ["contracted", *roles], strict=False):
        found[role].append(name)
    return list(found.values())


@functools.cache
@classes(
    {
        "one operand has two indices of its own": lambda case: any(
            len({*one} - {*other}) > 1 for one, other in itertools.permutations(_parts(case[0])[:2])
        ),
        "product beyond 2**53": lambda case: case[1] > 2**53,
        "product beyond 2**64": lambda case: case[1] > 2**64,
    }
)
@st.composite
def huge_einsum_cases(draw: DrawFn) -> tuple[tuple[str, Shape, Shape], int, tuple[str, Shape, Shape]]:
    """An einsum of which two sizes are huge; how many times larger; and the same one with small sizes.

    Only what torch lowers to one matrix product: both operands keep an index of their own, an index that is summed away
    stands in both, and no size is 1, since torch drops those.
    """
    roles = ["left", "right", *(pick(draw, ROLES) for _ in range(draw(st.integers(0, 2))))]
    contracted, batch, left, right = _roles(draw, roles)
    kept = "".join(draw(st.permutations(batch + left + right)))
    a, b = ("".join(draw(st.permutations(names))) for names in (contracted + batch + left, contracted + batch + right))
    names = contracted + batch + left + right
    size_of = {name: draw(st.integers(2, 4)) for name in names}
    by = grown(draw, len(names))
    large = dict(zip(names, enlarged(list(size_of.values()), by), strict=True))
    equation = f"{a},{b}->{kept}"
    huge_a, huge_b, small_a, small_b = (tuple(of[i] for i in side) for of in (large, size_of) for side in (a, b))
    return (equation, huge_a, huge_b), math.prod(by), (equation, small_a, small_b)


@functools.cache
@classes(
    {
        "too many dimensions": lambda case: len(case[1]) + len(case[2]) > len("".join(_parts(case)[:2])),
        "too few dimensions": lambda case: len(case[1]) + len(case[2]) < len("".join(_parts(case)[:2])),
        "a has another rank": lambda case: len(case[1]) != len(_parts(case)[0]),
        "b has another rank": lambda case: len(case[2]) != len(_parts(case)[1]),
        "a dimension too many of size 1": lambda case: (
            (len(case[1]) > len(_parts(case)[0]) and case[1][-1] == 1)
            or (len(case[2]) > len(_parts(case)[1]) and case[2][-1] == 1)
        ),
        "a dimension that has gone over to the other operand": lambda case: (
            len(case[1]) != len(_parts(case)[0]) and len(case[1]) + len(case[2]) == len("".join(_parts(case)[:2]))
        ),
        "two sizes for an index": lambda case: [*map(len, case[1:3])] == [*map(len, _parts(case)[:2])],
        "two sizes for an index of the result": lambda case: "of the result" in case[3],
        "without elements": lambda case: 0 in case[1] + case[2],
    }
)
@st.composite
def refused_einsum_cases(draw: DrawFn) -> tuple[str, Shape, Shape, str]:
    """An equation and shapes that do not fit it, and what is wrong with them."""
    case = draw(einsum_cases())
    equation, a_shape, b_shape = case
    a, b, kept = _parts(case)
    if draw(st.booleans()):
        extra = (pick(draw, (1, 2, 3, 0)),)
        wrong = [
            (a_shape + extra, b_shape),
            (a_shape, b_shape + extra),
            (a_shape[1:], b_shape),
            (a_shape, b_shape[:-1]),
            (a_shape + b_shape[:1], b_shape[1:]),
            (a_shape[:-1], a_shape[-1:] + b_shape),
        ]
        a_shape, b_shape = pick(draw, wrong)
        return equation, a_shape, b_shape, f"{a!r} and {b!r} are not the ranks of {a_shape} and {b_shape}"
    shared_indices = sorted({*a} & {*b})
    shared = pick(draw, [*shared_indices, *[index for index in shared_indices if index in kept] * 2])
    # Never 1 against another size: torch broadcasts that, though one index then has two sizes.
    here, there = two_sizes(draw)
    a_shape = tuple(here if index == shared else size for index, size in zip(a, a_shape, strict=True))
    b_shape = tuple(there if index == shared else size for index, size in zip(b, b_shape, strict=True))
    of_the_result = " of the result" if shared in kept else ""
    return equation, a_shape, b_shape, f"index {shared!r}{of_the_result} has the sizes {here} and {there}"


# Rates


@functools.cache
@classes(
    {
        "0": lambda quantity: quantity == 0,
        "an int": lambda quantity: type(quantity) is int and quantity > 0,
        "an int beyond 2**64": lambda quantity: type(quantity) is int and quantity > 2**64,
        "a float": lambda quantity: type(quantity) is float,
        "below 1": lambda quantity: 0 < quantity < 1,
    }
)
def quantities() -> SearchStrategy[float]:
    """Counts and rates as they occur: 0, integers, and floats up to the FLOPs of a large training run."""
    return st.one_of(
        st.just(0),
        st.just(0),
        st.integers(1, 10**6),
        st.integers(2**64, 10**25),
        st.floats(1e-3, 1e25),
        st.floats(1e-3, 1),
    )


@functools.cache
@classes(
    {
        "computing takes longer": lambda case: case[0] * case[3] > case[1] * case[2],
        "moving takes longer": lambda case: case[0] * case[3] < case[1] * case[2],
        "both take as long, within a factor of 10": lambda case: (
            0 < case[0] * case[3] / 10 < case[1] * case[2] < case[0] * case[3] * 10
        ),
        "nothing to compute": lambda case: case[0] == 0 < case[1],
        "nothing to move": lambda case: case[1] == 0 < case[0],
        "nothing to do": lambda case: case[0] == case[1] == 0,
        "less than a second": lambda case: max(case[0] / case[2], case[1] / case[3]) < 1,
        "more than a second": lambda case: max(case[0] / case[2], case[1] / case[3]) > 1,
        "a time that is no whole number": lambda case: max(case[0] / case[2], case[1] / case[3]) % 1 != 0,
        "ints alone": lambda case: {*map(type, case)} == {int},
    }
)
@st.composite
def roofs(draw: DrawFn) -> tuple[float, float, float, float]:
    """Arguments of roofline_seconds: work and peaks of any size; in one of four cases both times are much alike."""
    flops, nbytes, peak_flops, peak_bandwidth = draw(st.tuples(*[quantities()] * 2, *[positives()] * 2))
    if pick(draw, (False, False, False, True)):
        flops, nbytes = draw(st.tuples(*[st.integers(1, 1000)] * 2))
        peak_flops, peak_bandwidth = draw(st.tuples(*[st.integers(200, 800)] * 2))
    return flops, nbytes, peak_flops, peak_bandwidth


@functools.cache
@classes(
    {
        "a share above 1": lambda case: case[0] > case[1] * case[2],
        "a share below 1": lambda case: 0 < case[0] < case[1] * case[2],
        "a share between a tenth and 1": lambda case: case[1] * case[2] / 10 < case[0] < case[1] * case[2],
        "nothing done": lambda case: case[0] == 0,
        "less than a second": lambda case: case[1] < 1,
        "ints alone": lambda case: {*map(type, case)} == {int},
    }
)
@st.composite
def shares_of_a_peak(draw: DrawFn) -> tuple[float, float, float]:
    """Arguments of mfu: work, time and peak of any size; in one of four cases the share is no extreme one."""
    flops, seconds, peak_flops = draw(st.tuples(quantities(), *[positives()] * 2))
    if pick(draw, (False, False, False, True)):
        flops, seconds, peak_flops = draw(st.tuples(st.integers(1, 1000), *[st.integers(10, 40)] * 2))
    return flops, seconds, peak_flops


@functools.cache
@classes({"4096": functools.partial(operator.eq, 4096), "8192": functools.partial(operator.eq, 8192)})
def sides() -> SearchStrategy[int]:
    """Sizes of square matrices that keep a GPU busy."""
    return st.sampled_from((4096, 8192))
