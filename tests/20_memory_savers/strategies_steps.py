"""What hypothesis draws for kata 20 of programs that take steps."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.gradients import typed_gradients, typed_parameter
from ..shared.programs import Program, has
from ..shared.shapes import Shape, pick, shapes

STEP = "optimizer.step()"
LRS = (0.5, 0.25, 1.0, 0.0)
SETTINGS: dict[str, dict[str, tuple[float, ...]]] = {
    "SGD8bit": {"lr": LRS, "momentum": (0.5, 0.9, 0.0, 0.75), "block_size": (2, 3, 4, 1, 7)},
    "FactoredAdaGrad": {"lr": LRS, "eps": (0.5, 1e-10, 0.125, 1e-3)},
}


def _typed_optimizer(draw: DrawFn, name: str, params: str) -> str:
    by_place, none = pick(draw, ((False, False), (False, False), (True, False), (False, False), (False, True)))
    chosen = {key: pick(draw, of) for key, of in SETTINGS[name].items() if by_place or pick(draw, (True, True, False))}
    chosen = {} if none else chosen
    typed = [f"{value}" if by_place else f"{key}={value}" for key, value in chosen.items()]
    listed = f"[{', '.join(params)}]"
    return f"optimizer = {name}({', '.join([pick(draw, (listed, listed, f'iter({listed})')), *typed])})"


def _typed_shape(draw: DrawFn) -> Shape:
    return draw(pick(draw, (shapes(3, 3), shapes(2, 4, fewest_dims=1))))


def _waits(program: Program) -> bool:
    """Whether a parameter has no gradient in a step, and one in another."""
    lines = program[0]
    return any(f"{name}.grad = None" in lines and has(f"{name}.grad = torch.t")(program) for name in "ab")


@functools.cache
@classes(
    {
        "several parameters": has("[a, b]"),
        "an iterator": has("iter("),
        "default settings": lambda program: any(
            line.endswith(("])", "]))")) and "optimizer = " in line for line in program[0]
        ),
        "no momentum": has("momentum=0.0"),
        "several steps": lambda program: program[0].count(STEP) > 2,
        "one step": lambda program: program[0].count(STEP) == 1,
        "a parameter waits for its gradient": _waits,
        "a gradient is written into the tensor of the one before": has(".grad.copy_("),
        "a gradient of zeros": has(".grad = torch.zeros_like("),
        "a parameter of one number": has("= torch.tensor(0", "= torch.tensor(1", "= torch.tensor(-"),
        "an empty parameter": has("torch.zeros("),
        "a parameter that is not contiguous": has(".mT.requires_grad_()", "[:, ::2]"),
        "a large number behind the first block": has("[64] = "),
    }
)
def momentum_programs() -> SearchStrategy[Program]:
    """Lines that take up to five steps with momentum."""
    return _momentum_programs()


def _typed_blocks(steps: int) -> Program:
    """Two blocks of the default size, or one where that is another: then the small numbers are lost."""
    grad = ["a.grad = torch.full((66,), 0.5)", "a.grad[64] = 1000.0", STEP]
    lines = ["a = torch.zeros(66, requires_grad=True)", "alias_a = a.detach()", "optimizer = SGD8bit([a])"]
    return [*lines, *grad * steps], ["a", "alias_a", "a.grad"]


@st.composite
def _momentum_programs(draw: DrawFn) -> Program:
    if pick(draw, (False,) * 7 + (True,)):
        return _typed_blocks(draw(st.integers(2, 4)))
    names = "ab"[: draw(st.integers(1, 2))]
    shape_of = {name: _typed_shape(draw) for name in names}
    lines = [f"{name} = {typed_parameter(draw, shape_of[name], 'float32')}" for name in names]
    lines += [f"alias_{name} = {name}.detach()" for name in names]
    lines.append(_typed_optimizer(draw, "SGD8bit", names))
    held: set[str] = set()
    for _ in range(pick(draw, (2, 3, 1, 5, 4))):
        lines += [*typed_gradients(draw, shape_of, "float32", held), STEP]
    return lines, [*names, *(f"alias_{name}" for name in names), *(f"{name}.grad" for name in names)]


class Sized(NamedTuple):
    """A program that measures what an optimizer keeps, and how much it may."""

    lines: Lines
    most: int


# Where Python's own objects take less than this, they hold no state of so large parameters.
SHAPES: tuple[tuple[Shape, ...], ...] = (((256, 128),), ((30_000,),), ((128, 128), (20_001,)), ((4, 64, 128), (3,)))


ALIVE = "from tests.shared.alive import Alive"


def _typed_measure(name: str, settings: str, all_shapes: tuple[Shape, ...], steps: int) -> Lines:
    names = "abc"[: len(all_shapes)]
    lines = [ALIVE, f"torch.manual_seed({7 + steps})"]
    lines += [
        f"{one} = torch.randn({shape}, dtype=torch.float32, requires_grad=True)"
        for one, shape in zip(names, all_shapes, strict=True)
    ]
    lines += ["alive = Alive()", "with alive:", f"    optimizer = {name}([{', '.join(names)}], {settings})"]
    lines += [f"    for _ in range({steps}):"]
    lines += [f"        {one}.grad = torch.randn_like({one})" for one in names]
    lines += ["        optimizer.step()"]
    excluded = ", ".join(f"{one}, {one}.grad" for one in names)
    return [*lines, f"kept = alive.bytes([{excluded}])"]


@functools.cache
@classes(
    {
        "the default block size": lambda case: not any("block_size=" in line for line in case.lines),
        "another block size": lambda case: any("block_size=" in line for line in case.lines),
        "several parameters": lambda case: any("[a, b]" in line for line in case.lines),
        "several steps": lambda case: "    for _ in range(1):" not in case.lines,
    }
)
def kept_momentum() -> SearchStrategy[Sized]:
    """Steps of large parameters with momentum."""
    return _kept_momentum()


@st.composite
def _kept_momentum(draw: DrawFn) -> Sized:
    all_shapes = pick(draw, SHAPES)
    block_size = pick(draw, ("", ", block_size=100", ", block_size=32", ", block_size=256"))
    return kept_program("SGD8bit", f"0.5{block_size}", all_shapes, pick(draw, (2, 1, 3)))


@functools.cache
@classes(
    {
        "a matrix": lambda case: any("(256, 128)" in line for line in case.lines),
        "a batch of matrices": lambda case: any("(4, 64, 128)" in line for line in case.lines),
        "a vector": lambda case: any("(30000,)" in line for line in case.lines),
        "several parameters": lambda case: any("[a, b]" in line for line in case.lines),
        "several steps": lambda case: "    for _ in range(1):" not in case.lines,
    }
)
def kept_sums() -> SearchStrategy[Sized]:
    """Steps of large parameters by their sums."""
    return _kept_sums()


@st.composite
def _kept_sums(draw: DrawFn) -> Sized:
    all_shapes = pick(draw, SHAPES)
    return kept_program("FactoredAdaGrad", "lr=0.5", all_shapes, pick(draw, (2, 1, 3)))


def kept_program(name: str, settings: str, all_shapes: tuple[Shape, ...], steps: int) -> Sized:
    """So many steps of parameters of these shapes, and what may be kept of them."""
    lines = _typed_measure(name, settings, all_shapes, steps)
    if name == "FactoredAdaGrad":
        return Sized(lines, sum(4 * numbers_kept(shape) + 8 for shape in all_shapes))
    block_size = int(settings.rpartition("block_size=")[2]) if "block_size" in settings else 64
    counts = [math.prod(shape) for shape in all_shapes]
    return Sized(lines, sum(count + 4 * -(-count // block_size) + 8 for count in counts))


def numbers_kept(shape: Shape) -> int:
    """How many sums there are of a parameter."""
    return math.prod(shape) if len(shape) < 2 else math.prod(shape[:-2]) * (shape[-2] + shape[-1])


def _vector(draw: DrawFn, size: int, zeros: bool) -> list[float]:
    numbers = [pick(draw, (1.0, 2.0, 3.0, -0.5, -1.5)) for _ in range(size)]
    if zeros and size:
        numbers[draw(st.integers(0, size - 1))] = 0.0
    return numbers


def _outer(draw: DrawFn, patterns: tuple[list[float], list[float]], factor: float) -> str:
    rows, columns = patterns
    signs = pick(draw, (1, -1))
    vectors = ", ".join(f"torch.tensor({vector}, dtype=torch.float64)" for vector in (rows, columns))
    return f"torch.outer({vectors}) * {signs * factor}"


@functools.cache
@classes(
    {
        "a matrix": has("torch.outer("),
        "a batch of matrices": has("torch.stack("),
        "no matrix": has("a.grad = torch.tensor("),
        "one row or one column": has("randn(1, ", ", 1, dtype"),
        "a row of zeros": has("[0.0, ", ", 0.0", "[0.0]"),
        "several steps": lambda program: program[0].count(STEP) > 1,
        "a large eps": has("eps=0.", ", 0.5)", ", 0.125)"),
        "the default eps": lambda program: any(
            line.startswith("optimizer") and "eps" not in line and not line[-2:-1].isdigit() for line in program[0]
        ),
        "a gradient of zeros": has("torch.zeros_like("),
        "no gradient": has("a.grad = None"),
        "an empty parameter": has("torch.zeros("),
    }
)
def rank_one_programs() -> SearchStrategy[Program]:
    """Steps whose squared gradients have rank one, and of vectors and numbers."""
    return _rank_one_programs()


@st.composite
def _rank_one_programs(draw: DrawFn) -> Program:
    kind = pick(draw, ("matrix", "matrix", "batch", "other", "matrix", "empty"))
    rows, columns = pick(draw, ((2, 3), (3, 2), (1, 3), (2, 1), (4, 4)))
    shape: Shape = {"matrix": (rows, columns), "batch": (2, rows, columns)}.get(kind, ())
    if kind == "empty":
        shape = pick(draw, ((0, 3), (2, 0), (0,), (2, 0, 3)))
    if kind == "other":
        shape = draw(shapes(1, 4, simplest=3))
    seed = draw(st.integers(0, 999))
    sizes = "".join(f"{size}, " for size in shape)
    made = f"torch.randn({sizes}dtype=torch.float64, requires_grad=True)" if kind not in ("empty", "other") else ""
    lines = [f"torch.manual_seed({seed})", f"a = {made or typed_parameter(draw, shape, 'float64')}"]
    lines += ["alias_a = a.detach()", _typed_optimizer(draw, "FactoredAdaGrad", "a")]
    zeros = pick(draw, (False, False, True))
    patterns = [(_vector(draw, rows, zeros), _vector(draw, columns, False)) for _ in range(2)]
    for _ in range(pick(draw, (2, 1, 3, 4))):
        event = pick(draw, ("grad", "grad", "grad", "grad", "none", "zeros"))
        factor = pick(draw, (1.0, 2.0, 0.5))
        if event == "none":
            lines.append("a.grad = None")
        elif event == "zeros":
            lines.append("a.grad = torch.zeros_like(a)")
        elif kind == "matrix":
            lines.append(f"a.grad = {_outer(draw, patterns[0], factor)}")
        elif kind == "batch":
            both = [_outer(draw, pattern, factor) for pattern in patterns]
            lines += [f"first = {both[0]}", f"second = {both[1]}", "a.grad = torch.stack([first, second])"]
        else:
            lines += typed_gradients(draw, {"a": shape}, "float64", set())
        lines.append(STEP)
    return lines, ["a", "alias_a", "a.grad"]


class Steps(NamedTuple):
    """A program that notes the parameter and its gradient at each step, and the settings of its optimizer."""

    lines: Lines
    lr: float
    eps: float


@functools.cache
@classes(
    {
        "a batch of matrices": lambda case: any("randn(2, " in line for line in case.lines),
        "two batches": lambda case: any("randn(2, 2, " in line for line in case.lines),
        "one step": lambda case: "for _ in range(1):" in case.lines,
        "several steps": lambda case: "for _ in range(1):" not in case.lines,
        "as many rows as columns": lambda case: any("3, 3, dtype" in line for line in case.lines),
        "a large eps": lambda case: case.eps == 0.125,
        "default settings": lambda case: any(line.endswith("([a])") for line in case.lines),
    }
)
def any_programs() -> SearchStrategy[Steps]:
    """Steps of gradients of any kind, without zeros."""
    return _any_programs()


@st.composite
def _any_programs(draw: DrawFn) -> Steps:
    batch = pick(draw, ((), (2,), (), (2, 2)))
    shape = (*batch, *pick(draw, ((2, 3), (3, 2), (3, 3), (4, 2))))
    numbers = f"torch.randn({', '.join(map(str, shape))}, dtype=torch.float64"
    lr, eps = pick(draw, ((0.5, 1e-10), (0.25, 0.125), (0.01, 1e-10)))
    settings = {0.5: ", lr=0.5", 0.25: ", 0.25, 0.125", 0.01: ""}[lr]
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})", f"a = {numbers}, requires_grad=True)"]
    lines += [f"optimizer = FactoredAdaGrad([a]{settings})", "values, gradients = [a.detach().clone()], []"]
    lines += [f"for _ in range({pick(draw, (2, 1, 3))}):", f"    g = {numbers})", "    a.grad = g + 0.25 * g.sign()"]
    lines += [f"    {STEP}", "    values.append(a.detach().clone())", "    gradients.append(a.grad)"]
    return Steps(lines, lr, eps)


FORWARDS = (
    "(x @ a).sin() @ b",
    "(x @ a).sin() @ a",
    "(x @ a) * (x @ b).cos() + x @ a",
    "(x @ a @ b).sin() @ a @ b",
    "(x @ a).sin()",
)


@functools.cache
@classes(
    {
        "used in several places": has(").sin() @ a", "+ x @ a"),
        "not used": lambda program: not any(line.startswith("loss") and "@ b" in line for line in program[0]),
        "frozen": has(".requires_grad_(False)"),
        "listed twice": has("a, b, a", "a, a, b"),
        "a generator": has("(p for p in"),
        "another iterable": has(".values()", "(a, b)", "iter("),
        "several backward passes": lambda program: program[0].count("loss.backward()") > 1,
        "removed": has("handle.remove()"),
    }
)
def attached_programs() -> SearchStrategy[Program]:
    """Backward passes that take steps, and some that take none."""
    return _attached_programs()


MATRIX = "torch.randn(3, 3, dtype=torch.float64, requires_grad=True)"


@st.composite
def _attached_programs(draw: DrawFn) -> Program:
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})", f"a = {MATRIX}", f"b = {MATRIX}"]
    lines += ["alias_a, alias_b = a.detach(), b.detach()", "x = torch.randn(2, 3, dtype=torch.float64)"]
    frozen = pick(draw, ("", "", "b", "a"))
    listed = pick(draw, ("a, b", "a, b, a", "a, a, b"))
    params = pick(
        draw,
        (f"[{listed}]", f"(p for p in [{listed}])", "(a, b)", '{"a": a, "b": b}.values()', f"iter([{listed}])"),
    )
    lines += [f"{frozen}.requires_grad_(False)"] * bool(frozen)
    lines.append(f"handle = attach_sgd({params}, {pick(draw, ('0.25', '0.5', 'lr=0.125', '0.0'))})")
    forwards = FORWARDS[:4] if frozen == "a" else FORWARDS
    passes = pick(draw, (1, 2, 3))
    removed = pick(draw, (0, 0, 1, 2))
    for place in range(passes + bool(removed)):
        if place == passes:
            lines.append("handle.remove()")
            lines += ["a.grad, b.grad = None, None"]
        forward = pick(draw, tuple(one for one in forwards if frozen != "a" or "b" in one))
        lines += [f"loss = ({forward}).square().sum()", "loss.backward()"]
    return lines, ["a", "b", "alias_a", "alias_b", "a.grad", "b.grad"]


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
    ]
    return Chain(lines, 8 * size * size)
