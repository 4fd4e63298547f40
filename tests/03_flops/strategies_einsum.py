"""What hypothesis draws for kata 03: einsum equations with the shapes of their operands."""

from __future__ import annotations

import functools
import itertools
import math
import string

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import Shape, grown, in_order, pick, sizes, two_sizes


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
        "an index that is seldom used": lambda case: not {*FEW} >= {*"".join(_parts(case))},
        "an index in both cases": lambda case: len({*case[0].lower()}) < len({*case[0]}),
        "a single number as the result": lambda case: case[0].endswith(">"),
        "a size of 0": lambda case: 0 in case[1] + case[2],
        "a size of 1": lambda case: 1 in case[1] + case[2],
        "other indices, but the same shape": lambda case: case[1] == case[2] and _of_one_operand(case) != "",
        "shared indices in another order": lambda case: (
            [i for i in _parts(case)[0] if i in _parts(case)[1]] != [i for i in _parts(case)[1] if i in _parts(case)[0]]
        ),
    }
)
@st.composite
def einsum_cases(draw: DrawFn) -> tuple[str, Shape, Shape]:
    """An equation of two operands, and their shapes: an index at most once in each, at least one contracted."""
    even = pick(draw, (False,) * 5 + (True,))  # nothing but the names tells the indices apart
    roles = [pick(draw, ROLES[:2] if even else ROLES) for _ in range(draw(st.integers(0, 2 if even else 4)))]
    contracted, batch, left, right = _roles(draw, roles + ["left", "right"] * even)
    free = draw(st.permutations(batch + left + right))
    kept = "".join(free[: pick(draw, (len(free), *(0,) * even, *range(len(free) + 1)))])
    a, b = ("".join(draw(st.permutations(names))) for names in (contracted + batch + left, contracted + batch + right))
    names = contracted + batch + left + right
    size_of = {name: draw(sizes(4, 2 + place)) for place, name in enumerate(names)}
    if even:
        size_of = dict.fromkeys(names, pick(draw, (3, 2)))
    return f"{a},{b}->{kept}", tuple(size_of[i] for i in a), tuple(size_of[i] for i in b)


ROLES = ("contracted", "batch", "left", "right")

FEW = "ijkbKIxZ"

ANY = FEW + "".join(sorted({*string.ascii_letters} - {*FEW}))


def _roles(draw: DrawFn, roles: list[str]) -> list[list[str]]:
    """Names of indices for each of the ROLES: one that is contracted, and one for each of these."""
    names = draw(st.permutations(pick(draw, (FEW, FEW, ANY))))
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
    """An einsum with two huge sizes, how many times larger they are, and the same einsum with small sizes.

    Only einsums that torch lowers to one matrix product: each operand keeps an index that the other lacks, an index
    that is summed away is in both, and no size is 1, since torch drops those.
    """
    roles = ["left", "right", *(pick(draw, ROLES) for _ in range(draw(st.integers(0, 2))))]
    contracted, batch, left, right = _roles(draw, roles)
    kept = "".join(draw(st.permutations(batch + left + right)))
    a, b = ("".join(draw(st.permutations(names))) for names in (contracted + batch + left, contracted + batch + right))
    names = contracted + batch + left + right
    size_of = {name: pick(draw, in_order(4, 2 + place)[:3]) for place, name in enumerate(names)}
    by = grown(draw, len(names))
    factor_of = dict(zip(names, by, strict=True))
    equation = f"{a},{b}->{kept}"
    small_a, small_b = (tuple(size_of[i] for i in side) for side in (a, b))
    # Multiplied for each operand anew, the huge sizes of one index are equal and not the same object.
    huge_a, huge_b = (tuple(size_of[i] * factor_of[i] for i in side) for side in (a, b))
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
        extra = (pick(draw, (3, 2, 1, 0)),)
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
    # Never 1 against another size: torch broadcasts that, although the index then has two sizes.
    here, there = two_sizes(draw)
    a_shape = tuple(here if index == shared else size for index, size in zip(a, a_shape, strict=True))
    b_shape = tuple(there if index == shared else size for index, size in zip(b, b_shape, strict=True))
    of_the_result = " of the result" if shared in kept else ""
    return equation, a_shape, b_shape, f"index {shared!r}{of_the_result} has the sizes {here} and {there}"
