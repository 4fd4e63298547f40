"""What hypothesis draws for kata 20 of programs whose graphs have their files in a folder."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick
from .strategies_steps import ALIVE

# Steps of a forward pass on h, a square matrix. Values stay near 1.
SIMPLE = (
    "h = h.sin()",
    "h = h.sigmoid()",
    "h = h * h",
    "h = h.mT.cos()",
    "h = h * h[:1]",
    "h = h * s",
    "h = h * s.expand(h.shape)",
    "h = h[rows]",
    "h = h * large / 2**40",
    "h = h * large[1] / 2**40",
    "h = h * small / 100",
    "h = h * small[1] / 100",
    "h = h + h[:0].tanh().sum()",
    "h = h[:, ::2].repeat(1, 2) * h",
    "h = h.reshape(2, -1, len(h)).cos().reshape(h.shape)",
    "h = (h + 1).mul_(0.5).cos()",
    "h = h * w.clone()",
)
PRODUCTS = ("h = h @ w / 2", "h = h @ w.mT / 2", "h = h.mT @ w / 2", "h = h * w[1:2]")
DTYPES = ("float64", "float32", "bfloat16")
SMALL = ("int32", "int32", "int16", "uint8", "int8")


# None of these saves what another one has saved.
ONCE = (
    "h = h.sin()",
    "h = h * s",
    "h = h.mT.cos()",
    "h = h * h[1:2]",
    "h = h * w[1:2].detach()",
    "h = h @ w / 2",
    "h = h.reshape(2, -1, len(h)).cos().reshape(h.shape)",
    "h = h * s.expand(h.shape)",
    "h = h[rows]",
    "h = (h + 1).mul_(0.5).cos()",
    "h = h * w.clone()",
)

MANY = (*PRODUCTS, *(step for step in SIMPLE if not any(part in step for part in ("[:0]", "large", "small"))))


def _typed_forward(draw: DrawFn, options: tuple[str, ...]) -> Lines:
    return _forward([pick(draw, options) for _ in range(draw(st.integers(1, 5)))])


def _forward(steps: Sequence[str]) -> Lines:
    return ["def forward(h):", *(f"    {step}" for step in steps), "    return h"]


def _typed_data(draw: DrawFn, dtype: str, size: int) -> Lines:
    numbers = f"dtype=torch.{dtype}"
    grad = pick(draw, (", requires_grad=True", "", ", requires_grad=True"))
    parameter = pick(draw, ("nn.Parameter({})", "{}.requires_grad_()", "nn.Parameter({})"))
    return [
        f"torch.manual_seed({draw(st.integers(0, 999))})",
        f"w = {parameter.format(f'torch.randn({size}, {size}, {numbers})')}",
        f"s = {parameter.format(f'torch.tensor(0.75, {numbers})')}",
        f"x = torch.randn({size}, {size}, {numbers}{grad})",
        f"rows = torch.tensor({[*range(1, size), 0]}, dtype=torch.int64)",
        f"large = torch.arange({size}, dtype=torch.int64) + 2**40",
        f"small = torch.arange({size}, dtype=torch.{pick(draw, SMALL)}) + 100",
    ]


KEPT = (", [w]", "", ", (w.mT,)", ", keep=[w[1], x]", ", []", ", [s, w.data]", ", keep=[w, s]", "")


def _made(draw: DrawFn) -> str:
    return f"offload_to_disk(folder{pick(draw, KEPT)})"


@functools.cache
@classes(
    {
        **{dtype: has(f"torch.{dtype}") for dtype in DTYPES},
        "transposed": has("h.mT", "w.mT /"),
        "a slice": has("h[:1]", "[1:2]", "::2"),
        "0-d": has("* s"),
        "expanded": has("expand"),
        "integers": has("h[rows]"),
        "integers beyond 32 bits": has("* large"),
        "int32": lambda program: has("* small")(program) and has("dtype=torch.int32")(program),
        "integers of 16 or 8 bits": lambda program: has("* small")(program) and not has("dtype=torch.int32")(program),
        "empty": has("h[:0]"),
        "three dimensions": has("reshape(2, -1"),
        "a parameter": has("nn.Parameter"),
        "nothing is kept": has("(folder)", ", [])"),
        "w is kept": has("[w]", "[w, s]", "w.data]", "w.mT,", "w[1]"),
        "w is named by a view": has("w.mT,", "w[1]"),
        "w is named by what is detached": has("w.data]"),
        "backward twice": has("retain_graph"),
        "written to between two graphs": has(".mul_(0.5), "),
        "no backward": lambda program: not has("backward")(program),
        "two graphs": has("z = "),
    }
)
def offloaded() -> SearchStrategy[Program]:
    """Programs that go backward once, twice, through two graphs, or not at all."""
    return _offloaded()


@st.composite
def _offloaded(draw: DrawFn) -> Program:
    dtype = pick(draw, DTYPES)
    # In bfloat16 a product of a copy may be summed in another order, and that shows.
    options = SIMPLE if dtype == "bfloat16" else (*PRODUCTS, *SIMPLE)
    lines = [*_typed_data(draw, dtype, pick(draw, (2, 4))), *_typed_forward(draw, options)]
    kind = pick(draw, ("once", "twice", "two", "none", "inside", "two", "again", "again"))
    lines += [f"with {_made(draw)}:", f"    y = forward({'w * s' if kind == 'again' else 'x * s'})"]
    if kind == "again":
        lines += ["    y.sum().backward(retain_graph=True)", "    with torch.no_grad():"]
        lines += ["        w.mul_(0.5), s.mul_(0.5)", "    z = forward(w * s)"]
    if kind == "inside":
        lines += ["    loss = y.sum()"]
    if kind == "two":
        lines += [f"with {_made(draw)}:", "    z = forward(s - x)"]
    lines += ["files = [file.stat().st_ino for file in os.scandir(folder)]"]
    if kind == "inside":
        lines += ["loss.backward()"]
    if kind == "again":
        lines += ["loss = z.sum()", "loss.backward()"]
    if kind == "once":
        lines += ["loss = y.square().sum()", "loss.backward()"]
    if kind == "twice":
        lines += ["loss = y.sum()", "loss.backward(retain_graph=True)", "loss.backward()"]
    if kind == "two":
        lines += pick(
            draw,
            (
                ["loss = (y * z).sum()", "loss.backward()"],
                ["y.sum().backward()", "loss = z.sum()", "loss.backward()"],
                ["z.sum().backward()", "loss = y.sum()", "loss.backward()"],
            ),
        )
    lines.append("total = y.sum().item()")
    lines.append("del y" + ", loss" * (kind != "none") + ", z" * (kind in ("two", "again")))
    lines += ["left, still_open = len(os.listdir(folder)), open_files(files)", "collect()"]
    return lines, ["total", "w.grad", "s.grad", "x.grad", "left", "still_open", "len(os.listdir(folder))"]


@functools.cache
@classes(
    {
        "something is kept": has("keep=", ", [w]", ", (w", "[s, w"),
        "several are kept": has("[w, s]", "[s, w"),
        "what is kept is named by what is detached": has("w.data]"),
        "what is kept is saved detached": has(".detach()"),
        "integers": has("h[rows]"),
        "nothing is kept": has("(folder)", ", [])"),
        "a slice": has("h[:1]", "[1:2]", "::2"),
        "expanded": has("expand"),
        "written to before it is saved": has(".mul_("),
        "a copy of what is kept": has("w.clone()"),
        "transposed": has("h.mT", "w.mT /"),
        **{dtype: has(f"torch.{dtype}") for dtype in DTYPES},
        "three dimensions": has("reshape(2, -1"),
        "a parameter": has("nn.Parameter"),
        "backward": has("backward"),
        "saved twice": has("h * h"),
        "0-d, which is not kept": lambda program: has("h * s")(program) and not has("[w, s]", "[s, w")(program),
    }
)
def weighed() -> SearchStrategy[Program]:
    """Programs that look at the folder and at what is in memory after a forward pass, of larger tensors."""
    return _weighed()


FILES = ["files = [entry for entry in os.scandir(folder) if entry.is_file()]"]
ON_DISK = "sum(file.stat().st_size for file in files)"


@st.composite
def _weighed(draw: DrawFn) -> Program:
    dtype = pick(draw, DTYPES)
    start = pick(draw, ("x - s", "x.exp()", "x - s"))
    forward = _typed_forward(draw, MANY)
    if start == "x - s":
        forward = _forward(draw(st.permutations(ONCE))[: pick(draw, (4, 3, 5, 8))])
    size = pick(draw, (100, 120)) + 50 * (dtype == "bfloat16")
    lines = [ALIVE, *_typed_data(draw, dtype, size), *forward]
    made = _made(draw)
    lines += ["alive = Alive()", "with alive:", f"    with {made}:", f"        y = forward({start})"]
    lines += FILES
    lines += [f"count, on_disk = len(files), {ON_DISK}", "others = len(os.listdir(folder)) - count"]
    lines += ["in_memory = alive.bytes([y])"]
    watched = ["count", "others", "in_memory"]
    if start == "x - s" and pick(draw, (True, True, False)):
        read = "behind.bytes([t.grad for t in (w, s, x) if t.grad is not None])"
        lines += ["behind = Alive()", "with behind:", "    y.sum().backward(retain_graph=True)"]
        lines += [f"bytes_that_were_read = {read}"]
        watched += ["bytes_that_were_read", read]
    return [*lines, "del y"], watched


@functools.cache
@classes(
    {
        "one block behind another": has("files = []"),
        "it ends by an error": has("raise "),
        "one in another": has("folders ="),
        "the outer one keeps a tensor": has("folders[0], [x])"),
        "the inner one keeps a tensor": has("folders[1], [x])"),
        "a graph is gone before another one is made": has("w = forward"),
        "a graph is gone before its block ends": has("del v"),
        "an error in the inner one": lambda program: has("raise ")(program) and has("folders =")(program),
    }
)
def blocks() -> SearchStrategy[Program]:
    """Programs that save inside of a block, and behind it."""
    return _blocks()


# Each of these saves one tensor, which no other step of the program has saved.
SAVING = ("h = h.sin()", "h = h.cos()", "h = h.square()")
ERRORS = ("ValueError", "RuntimeError", "OSError", "KeyboardInterrupt")


def _typed_block(draw: DrawFn, name: str, where: str, inner: Lines, of: str = "") -> Lines:
    """A block that saves, and may end by an error."""
    lines = [f"with offload_to_disk({where}):", f"    {name} = forward({of or f'x + {draw(st.integers(0, 3))}'})"]
    lines += [f"    {line}" for line in inner]
    if not pick(draw, (False, True)):
        return lines
    error = pick(draw, ERRORS)
    lines = [*lines, f'    raise {error}("no data")']
    return ["try:", *(f"    {line}" for line in lines), f"except {error} as error:", "    told.append(str(error))"]


@st.composite
def _blocks(draw: DrawFn) -> Program:
    lines = [f"x = torch.randn(2, 2, dtype=torch.{pick(draw, DTYPES)}, requires_grad=True)", "told = []"]
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})", *lines]
    lines += _forward([pick(draw, SAVING) for _ in range(draw(st.integers(1, 3)))])
    behind = ["z = forward(x - 1)"]
    if pick(draw, (True, False)):
        # One graph of the block is gone when the next block makes another one.
        inner = ["y = forward(x + 4)"]
        inner += ["v = forward(x + 6)", "del v", "files.append(len(os.listdir(folder)))"] * pick(draw, (True, False))
        lines += ["files = []", *_typed_block(draw, "u", "folder", inner), "files.append(len(os.listdir(folder)))"]
        lines += ["del u", "files.append(len(os.listdir(folder)))", "with offload_to_disk(folder):"]
        lines += ["    w = forward(x + 5)", *behind, "files.append(len(os.listdir(folder)))"]
        lines += ["(y + w + z).sum().backward()", "del y, w, z"]
        return lines, ["told", "files", "x.grad", "os.listdir(folder)"]
    lines += ['folders = [os.path.join(folder, name) for name in "ab"]', "for one in folders:", "    os.mkdir(one)"]
    outer_keeps, inner_keeps = pick(draw, ((", [x]", ""), (", [x]", ""), ("", ", [x]"), ("", "")))
    inner = _typed_block(draw, "u", f"folders[1]{inner_keeps}", [], "x")
    lines += _typed_block(draw, "y", f"folders[0]{outer_keeps}", [*inner, "v = forward(x - 2)"])
    lines += [*behind, "files = [len(os.listdir(one)) for one in folders]"]
    lines += ["del u", "left = [len(os.listdir(one)) for one in folders]"]
    lines += ["(y + v + z).sum().backward()", "del y, v, z"]
    return lines, ["told", "files", "left", "x.grad", "[os.listdir(one) for one in folders]"]


@functools.cache
@classes(
    {
        "something is kept": has(", [s])"),
        "nothing is kept": has("(folder)"),
        "a product": has("h * h", "h @ h"),
        "float32": has("torch.float32"),
    }
)
def emptied() -> SearchStrategy[Program]:
    """Programs that write zeros into the files before the backward pass."""
    return _emptied()


# Each of these saves something that its gradient is made of, and that is nowhere else.
NEEDED = ("h = h.sin()", "h = h * h", "h = h.exp()", "h = h.square()", "h = h @ h")


@st.composite
def _emptied(draw: DrawFn) -> Program:
    dtype = pick(draw, DTYPES[:2])
    lines = _typed_data(draw, dtype, 3)[:4]
    steps = [pick(draw, NEEDED) for _ in range(draw(st.integers(1, 3)))]
    lines += [*_forward(steps), f"with {pick(draw, ('offload_to_disk(folder)', 'offload_to_disk(folder, [s])'))}:"]
    lines += ["    y = forward(x * s + w)", "for entry in os.scandir(folder):"]
    lines += ['    with open(entry.path, "r+b") as file:', "        file.write(bytes(entry.stat().st_size))"]
    lines += ["grad = None", "try:", "    y.sum().backward()", "    grad = w.grad", "except Exception:", "    pass"]
    lines += ["del y"]
    return lines, ["grad"]
