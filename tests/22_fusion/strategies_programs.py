"""What hypothesis draws for kata 22 of programs: elementwise ones as they are and as they are not, and kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

OUTSIDE = ("x", "y", "x1")
NAMES = ("a", "b", "a1", "c", "ab", "d", "e", "f", "ba", "g", "a2", "k")
FEW = 7
Operation = tuple[str, list[str]]


class Program(NamedTuple):
    """A program, its outputs, and the size of its tensors. because: why it is none, "" where it is one."""

    program: list[Operation]
    outputs: list[str]
    numel: int
    itemsize: int
    because: str = ""

    @property
    def eager(self) -> tuple[list[Operation], int, int]:
        """The arguments of eager_bytes."""
        return self.program, self.numel, self.itemsize

    @property
    def fused(self) -> tuple[list[Operation], list[str], int, int]:
        """The arguments of fused_bytes."""
        return self.program, self.outputs, self.numel, self.itemsize


def made(case: Program) -> set[str]:
    """The names that its operations make."""
    return {name for name, _ in case.program}


def needed(case: Program) -> set[str]:
    """The names that its outputs need, with them."""
    found = set(case.outputs)
    for name, inputs in reversed(case.program):
        if name in found:
            found.update(inputs)
    return found


def _numel(draw: DrawFn) -> int:
    huge = [integers(least, least + 50, least) for least in (10**12, 5 * 10**17)]
    numel: int = draw(st.one_of(integers(10, 100), *huge, st.just(0)))
    return numel


@st.composite
def _operations(draw: DrawFn, fewest: int = 0) -> list[Operation]:
    few, many = integers(max(2, fewest), FEW, fewest), integers(FEW + 1, len(NAMES), FEW + 1)
    count = draw(pick(draw, (few, few, few, few, many)))
    names = draw(st.permutations(NAMES)) if pick(draw, (False, True)) else NAMES
    chain = pick(draw, (False, False, True))
    program: list[Operation] = []
    for name in names[:count]:
        made = [other for other, _ in program]
        inputs = [pick(draw, [*OUTSIDE, *made]) for _ in range(pick(draw, (1, 2, 2, 3)))]
        program.append((name, [made[-1], *inputs[1:]] if made and chain else inputs))
    return program


def _long(names: Iterable[str]) -> bool:
    return any(len(name) > 1 for name in names)


SIZES: dict[str, Callable[[Any], bool]] = {
    "no elements": lambda case: case.numel == 0,
    "beyond 32 bits": lambda case: case.numel > 2**32,
    "beyond what a float holds": lambda case: case.numel > 2**53,
    **{
        f"{size} bytes": lambda case, size=size: case.itemsize == size  # type: ignore[misc]
        for size in (1, 2, 4, 8, 16)
    },
}


def _all_inputs(case: Program) -> list[str]:
    return [one for _, inputs in case.program for one in inputs]


@functools.cache
@classes(
    {
        **SIZES,
        "no operations": lambda case: not case.program,
        "many operations": lambda case: len(case.program) > FEW,
        "an operand whose name has several letters": lambda case: _long(_all_inputs(case)),
        "a result whose name has several letters": lambda case: _long(made(case)),
        "an operand twice in one": lambda case: any(len({*inputs}) < len(inputs) for _, inputs in case.program),
        "an operand of two": lambda case: any(sum(one in inputs for _, inputs in case.program) > 1 for one in OUTSIDE),
        "a result that is read": lambda case: bool(made(case) & {*_all_inputs(case)}),
        "a result that nobody reads": lambda case: len(made(case) - {*_all_inputs(case)}) > 1,
    }
)
@st.composite
def programs(draw: DrawFn) -> Program:
    """Elementwise programs, of few operations or many."""
    return Program(draw(_operations()), [], _numel(draw), pick(draw, (4, 2, 8, 1, 16)))


@functools.cache
@classes(
    {
        **SIZES,
        "no outputs": lambda case: not case.outputs,
        "an output whose name has several letters": lambda case: _long(case.outputs),
        "an outside tensor whose name has several letters": lambda case: _long(needed(case) & {*OUTSIDE}),
        "an output twice": lambda case: len({*case.outputs}) < len(case.outputs),
        "an output that another one needs": lambda case: any(
            one in inputs for one in case.outputs for name, inputs in case.program if name in needed(case)
        ),
        "dead code": lambda case: bool(made(case) - needed(case)),
        "an outside tensor that only dead code reads": lambda case: bool({*_all_inputs(case)} - needed(case)),
        "an outside tensor that is needed twice": lambda case: any(
            sum(one in inputs for name, inputs in case.program if name in needed(case)) > 1 for one in OUTSIDE
        ),
        "bytes beyond 2**63": lambda case: (
            len((needed(case) - made(case)) | {*case.outputs}) * case.numel * case.itemsize > 2**63
        ),
        "an intermediate result": lambda case: bool((needed(case) & made(case)) - {*case.outputs}),
        "several outputs": lambda case: len({*case.outputs}) > 1,
        "many outputs": lambda case: len({*case.outputs}) > 3,
        "many operations one behind the other": lambda case: _depth(case) > 4,
    }
)
@st.composite
def fused_programs(draw: DrawFn) -> Program:
    """Programs, and which of their results are needed."""
    return _with_outputs(draw, draw(_operations()))


def _depth(case: Program) -> int:
    """How many operations lie one behind the other before an output."""
    depth: dict[str, int] = {}
    for name, inputs in case.program:
        depth[name] = 1 + max(depth.get(one, 0) for one in inputs)
    return max((depth[name] for name in case.outputs), default=0)


def _with_outputs(draw: DrawFn, program: list[Operation]) -> Program:
    names = [name for name, _ in program]
    count = pick(draw, (1, 1, 2, 3, 5, 0)) if names else 0
    outputs = [pick(draw, names[::-1]) for _ in range(count)]
    again: bool = pick(draw, (False, False, False, True))
    outputs += outputs[:1] if again else []
    return Program(program, outputs, _numel(draw), pick(draw, (4, 2, 8, 1, 16)))


FAULTS = ("twice", "after", "itself", "nothing")


def _is(word: str) -> Callable[[Any], bool]:
    return lambda case: word in case.because


@functools.cache
@classes(
    {
        "made twice": _is("twice"),
        "made after it was used": _is("after"),
        "made of itself": _is("itself"),
        "made of itself and of another": lambda case: (
            _is("of itself")(case)
            and any(case.because.split()[0] == name in inputs[1:] for name, inputs in case.program)
        ),
        "made of nothing": _is("of nothing"),
        "a single operation": lambda case: len(case.program) == 1,
        "in the last operation": lambda case: case.program[-1][0] == case.because.split()[0],
        "before the last operation": lambda case: case.program[-1][0] != case.because.split()[0],
        "in a part that no output needs": lambda case: (
            bool(case.outputs) and case.because.split()[0] not in needed(case)
        ),
    }
)
@st.composite
def no_programs(draw: DrawFn) -> Program:
    """What is no program, for one reason; the operation that is at fault is an output or is none."""
    fault = pick(draw, FAULTS)
    alone = fault in ("itself", "nothing") and pick(draw, (False, False, False, True))
    program = [] if alone else draw(_operations(fewest=1))
    names = [name for name, _ in program]
    fresh = next(name for name in (*NAMES, "h") if name not in names)
    wrong, because = {
        "twice": lambda: _twice(draw, names),
        "after": lambda: _after(draw, program, names),
        "itself": lambda: ((fresh, pick(draw, ([fresh], ["x", fresh], [fresh, "y"]))), f"{fresh} is made of itself"),
        "nothing": lambda: ((fresh, []), f"{fresh} is made of nothing"),
    }[fault]()
    drawn = _with_outputs(draw, program)
    last = [] if pick(draw, (True, False)) or wrong[0] not in (*names, fresh) else [wrong[0]]
    more: tuple[list[Operation], ...] = [], [], [("z", ["y"])], [("z", ["x1", "y"]), ("z1", ["z"])]
    behind = pick(draw, more) if program else []
    return drawn._replace(program=[*program, wrong, *behind], outputs=[*drawn.outputs, *last], because=because)


def _twice(draw: DrawFn, names: list[str]) -> tuple[Operation, str]:
    name = pick(draw, names)
    return (name, [pick(draw, OUTSIDE)]), f"{name} is made twice"


def _after(draw: DrawFn, program: list[Operation], names: list[str]) -> tuple[Operation, str]:
    used = [one for _, inputs in program for one in inputs if one not in names]
    name = pick(draw, used)
    others = [one for one in OUTSIDE if one != name]
    return (name, [pick(draw, others)]), f"{name} is made after it was used"


@functools.cache
@classes(
    {
        "an outside tensor": lambda case: bool({*case.outputs} & {*OUTSIDE}),
        "a name that nobody knows": lambda case: "w" in case.outputs,
        "beside another output": lambda case: len(case.outputs) > 1,
        "no operations": lambda case: not case.program,
    }
)
@st.composite
def unknown_outputs(draw: DrawFn) -> Program:
    """Programs with an output that no operation makes."""
    program = draw(_operations()) if pick(draw, (True, True, True, False)) else []
    drawn = _with_outputs(draw, program)
    read = [one for _, inputs in program for one in inputs if one in OUTSIDE]
    unknown = pick(draw, [*read[:1], "w"])
    outputs = [unknown, *drawn.outputs] if pick(draw, (True, False)) else [*drawn.outputs, unknown]
    return drawn._replace(outputs=outputs, because=f"no operation makes {unknown}")
