"""What hypothesis draws for kata 20 of steps inside backward."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick
from .strategies_steps import ALIVE, MODE

FORWARDS = (
    "(x @ a).sin() @ b",
    "(x @ a).sin() @ a",
    "(x @ a) * (x @ b).cos() + x @ a",
    "(x @ a @ b).sin() @ a @ b",
    "(x @ a).sin()",
    "(x @ a).cos() + 0 * (x @ b)",
)

# For b with one dimension or none.
FORWARDS_OF_FEW = ("(x @ a).sin() * b", "(x @ a + b).cos() * b", "(x @ a).sin()", "(x @ a).cos() + 0 * b")

ATTACHED = " = attach_sgd("


@functools.cache
@classes(
    {
        "used in several places": has(").sin() @ a", "+ x @ a"),
        "transposed": has(".mT.requires_grad_()"),
        "sliced": has("[:, ::2].requires_grad_()"),
        "slices of one tensor": has("both["),
        "equal parameters": has("b = a.detach().clone()"),
        "not used": lambda program: not any(line.startswith("loss = ") and " b" in line for line in program[0]),
        "a gradient of zeros": has("+ 0 *"),
        "one dimension": has("b = torch.randn(3, dtype"),
        "0-d": has("b = torch.randn((), dtype"),
        "frozen": has(".requires_grad_(False)"),
        "listed twice": has("a, b, a", "a, a, b"),
        "a generator": has("(p for p in"),
        "another iterable": has(".values()", "(a, b)", "iter("),
        "several backward passes": lambda program: program[0].count("loss.backward()") > 1,
        "removed": has(".remove()"),
        "two handles": has(f"other{ATTACHED}"),
        "one of two is removed": lambda program: has(f"other{ATTACHED}")(program) and has(".remove()")(program),
        "attached anew": lambda program: sum(line.startswith(f"handle{ATTACHED}") for line in program[0]) > 1,
        "somebody else's hook": has("calls.append"),
    }
)
def attached_programs() -> SearchStrategy[Program]:
    """Backward passes that take steps, and some that take none."""
    return _attached_programs()


MATRIX = "torch.randn(3, 3, dtype=torch.float64, requires_grad=True)"
LAYOUTS = (
    MATRIX,
    MATRIX,
    "torch.randn(3, 3, dtype=torch.float64).mT.requires_grad_()",
    "torch.randn(3, 6, dtype=torch.float64)[:, ::2].requires_grad_()",
)
BOTH = "torch.randn(6, 3, dtype=torch.float64)"
SLICES = ("both[::2].requires_grad_()", "both[1::2].requires_grad_()")  # neither can be viewed as one list
EQUAL = "a.detach().clone().requires_grad_()"
FEW = (MATRIX.replace("3, 3", "3"), MATRIX.replace("3, 3", "()"))
SETTINGS = ("0.25", "0.5", "lr=0.125", "0.0")
CALLS = ["calls = []", "hook = a.register_post_accumulate_grad_hook(lambda p: calls.append(1))"]


def _typed_handles(draw: DrawFn) -> Lines:
    """One handle of both, or one of each."""
    if pick(draw, (False, False, True)):
        first, second = pick(draw, (("a", "b"), ("b", "a")))
        return [f"handle{ATTACHED}[{first}], {pick(draw, SETTINGS)})", f"other{ATTACHED}[{second}], 1.0)"]
    listed = pick(draw, ("a, b", "a, b, a", "a, a, b"))
    params = pick(
        draw,
        (f"[{listed}]", f"(p for p in [{listed}])", "(a, b)", '{"a": a, "b": b}.values()', f"iter([{listed}])"),
    )
    return [f"handle{ATTACHED}{params}, {pick(draw, SETTINGS)})"]


@st.composite
def _attached_programs(draw: DrawFn) -> Program:
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})"]
    first, second = pick(draw, LAYOUTS), pick(draw, (MATRIX, MATRIX, EQUAL, *FEW))
    if pick(draw, (False, False, False, True)):
        lines += [f"both = {BOTH}"]
        first, second = SLICES
    lines += [f"a = {first}", f"b = {second}"]
    lines += ["alias_a, alias_b = a.detach(), b.detach()", "x = torch.randn(2, 3, dtype=torch.float64)"]
    frozen = pick(draw, ("", "", "b", "a"))
    lines += [f"{frozen}.requires_grad_(False)"] * bool(frozen)
    calls = frozen != "a" and pick(draw, (False, False, True))
    lines += CALLS * calls
    handles = _typed_handles(draw)
    lines += handles
    forwards: tuple[str, ...] = FORWARDS_OF_FEW if second in FEW else FORWARDS
    forwards = tuple(one for one in forwards if " b" in one) if frozen == "a" else forwards
    passes = pick(draw, (1, 2, 3))
    removed = pick(draw, (0, 0, 1, 2))
    for place in range(passes + removed):
        if place == passes:
            lines += [f"{pick(draw, ('handle', 'other')) if len(handles) > 1 else 'handle'}.remove()"]
            lines += ["a.grad, b.grad = None, None"]
        if place > passes and len(handles) == 1:
            lines += ["a.grad, b.grad = None, None", handles[0]]
        lines += [f"loss = ({pick(draw, forwards)}).square().sum()", "loss.backward()"]
    watched = ["a", "b", "alias_a", "alias_b", "a.grad", "b.grad", "a.requires_grad", "b.requires_grad"]
    watched += [f"{one}.data_ptr() == alias_{one}.data_ptr()" for one in "ab"]
    return lines, [*watched, *["len(calls)"] * calls, MODE]


class Chain(NamedTuple):
    """A program that looks at gradients while they arrive, and the bytes of one of them."""

    lines: Lines
    nbytes: int


@functools.cache
@classes(
    {
        "tied": lambda case: any("+ [weights[0]]" in line for line in case.lines),
        "a generator": lambda case: any("(w for w in" in line for line in case.lines),
        "more than six": lambda case: any("range(7)" in line or "range(9)" in line for line in case.lines),
    }
)
def chains() -> SearchStrategy[Chain]:
    """Long chains of layers."""
    return _chains()


@st.composite
def _chains(draw: DrawFn) -> Chain:
    count, size = pick(draw, (6, 7, 9)), pick(draw, (16, 24))
    used = pick(draw, ("weights", "weights", "weights + [weights[0]]"))
    lines = [
        ALIVE,
        f"torch.manual_seed({draw(st.integers(0, 999))})",
        f"weights = [torch.randn({size}, {size}, dtype=torch.float64, requires_grad=True) for _ in range({count})]",
        "others, alive = [], Alive()",
        "in_memory = []",
        "def arrive(gradient):",
        "    others.append(sum(w.grad is not None for w in weights))",
        "    in_memory.append(alive.bytes())",
        "for w in weights:",
        "    w.register_hook(arrive)",
        f"handle = attach_sgd({pick(draw, ('weights', '(w for w in weights)'))}, 0.25)",
        f"h = torch.randn(2, {size}, dtype=torch.float64)",
        f"for w in {used}:",
        "    h = (h @ w).tanh()",
        "loss = h.sum()",
        "with alive:",
        "    loss.backward()",
        "behind = alive.bytes()",
    ]
    return Chain(lines, 8 * size * size)
