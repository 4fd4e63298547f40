"""What hypothesis draws for kata 20 of programs whose graphs have their files in a folder."""

from __future__ import annotations

import functools

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
    "h = h + h[:0].tanh().sum()",
    "h = h[:, ::2].repeat(1, 2) * h",
)
PRODUCTS = ("h = h @ w / 2", "h = h @ w.mT / 2", "h = h.mT @ w / 2", "h = h * w[1:2]")
DTYPES = ("float64", "float32", "bfloat16")


# None of these saves what another one has saved.
ONCE = ("h = h.sin()", "h = h * s", "h = h.mT.cos()", "h = h * h[:1]", "h = h * w[1:2]", "h = h @ w / 2")

MANY = (*PRODUCTS, *(step for step in SIMPLE if "[:0]" not in step))


def _typed_forward(draw: DrawFn, options: tuple[str, ...], fewest: int) -> Lines:
    steps = [pick(draw, options) for _ in range(draw(st.integers(fewest, 5)))]
    return ["def forward(h):", *(f"    {step}" for step in steps), "    return h"]


def _typed_data(draw: DrawFn, dtype: str, size: int) -> Lines:
    numbers = f"dtype=torch.{dtype}"
    grad = pick(draw, (", requires_grad=True", "", ", requires_grad=True"))
    return [
        f"torch.manual_seed({draw(st.integers(0, 999))})",
        f"w = torch.randn({size}, {size}, {numbers}, requires_grad=True)",
        f"s = torch.tensor(0.75, {numbers}, requires_grad=True)",
        f"x = torch.randn({size}, {size}, {numbers}{grad})",
        f"rows = torch.tensor({[*range(1, size), 0]})",
    ]


KEPT = (", [w]", "", ", (w.mT,)", ", keep=[w[1], x]", ", []", ", [w]", ", keep=[w, s]", "")


def _made(draw: DrawFn) -> str:
    return f"offload_to_disk(folder{pick(draw, KEPT)})"


@functools.cache
@classes(
    {
        **{dtype: has(f"torch.{dtype}") for dtype in DTYPES},
        "transposed": has("h.mT", "w.mT /"),
        "a slice": has("h[:1]", "w[1:2]", "::2"),
        "0-d": has("* s"),
        "expanded": has("expand"),
        "integers": has("h[rows]"),
        "empty": has("h[:0]"),
        "nothing is kept": has("(folder)", ", [])"),
        "w is kept": has("[w]", "[w, s]", "w.mT,", "w[1]"),
        "w is named by a view": has("w.mT,", "w[1]"),
        "backward twice": has("retain_graph"),
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
    lines = [*_typed_data(draw, dtype, pick(draw, (2, 4))), *_typed_forward(draw, options, 1)]
    lines += [f"with {_made(draw)}:", "    y = forward(x * s)"]
    kind = pick(draw, ("once", "twice", "two", "none", "inside", "two"))
    if kind == "inside":
        lines += ["    loss = y.sum()", "loss.backward()"]
    if kind == "once":
        lines += ["loss = y.square().sum()", "loss.backward()"]
    if kind == "twice":
        lines += ["loss = y.sum()", "loss.backward(retain_graph=True)", "loss.backward()"]
    if kind == "two":
        lines += [f"with {_made(draw)}:", "    z = forward(s - x)"]
        lines += pick(
            draw,
            (
                ["loss = (y * z).sum()", "loss.backward()"],
                ["y.sum().backward()", "loss = z.sum()", "loss.backward()"],
                ["z.sum().backward()", "loss = y.sum()", "loss.backward()"],
            ),
        )
    lines.append("total = y.sum().item()")
    lines.append("del y" + ", loss" * (kind != "none") + ", z" * (kind == "two"))
    lines += ["left = len(os.listdir(folder))", "collect()"]
    return lines, ["total", "w.grad", "s.grad", "x.grad", "left", "len(os.listdir(folder))"]


@functools.cache
@classes(
    {
        "something is kept": has("keep=", ", [w]", ", (w"),
        "nothing is kept": has("(folder)", ", [])"),
        "a slice": has("h[:1]", "w[1:2]", "::2"),
        "expanded": has("expand"),
        "transposed": has("h.mT", "w.mT /"),
        "float32": has("torch.float32"),
        "saved twice": has("h * h"),
        "0-d, which is not kept": lambda program: has("h * s")(program) and not has("[w, s]")(program),
    }
)
def weighed() -> SearchStrategy[Program]:
    """Programs that look at the folder and at what is in memory after a forward pass, of larger tensors."""
    return _weighed()


FILES = ["files = [entry for entry in os.scandir(folder) if entry.is_file()]"]
ON_DISK = "sum(file.stat().st_size for file in files)"


@st.composite
def _weighed(draw: DrawFn) -> Program:
    dtype = pick(draw, DTYPES[:2])
    options, start = pick(draw, ((ONCE, "x - s"), (MANY, "x.exp()"), (ONCE, "x - s")))
    lines = [ALIVE, *_typed_data(draw, dtype, pick(draw, (100, 120))), *_typed_forward(draw, options, 2)]
    lines[-1:-1] = pick(draw, ([], ["    h = h * s"], ["    h = h * s"]))
    made = _made(draw)
    lines += ["alive = Alive()", "with alive:", f"    with {made}:", f"        y = forward({start})", *FILES]
    lines += [f"count, on_disk = len(files), {ON_DISK}", "others = len(os.listdir(folder)) - count"]
    lines += ["in_memory = alive.bytes([y])", "del y"]
    return lines, ["count", "others", "in_memory"]


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
    lines += ["def forward(h):", *(f"    {step}" for step in steps), "    return h"]
    lines += [f"with {pick(draw, ('offload_to_disk(folder)', 'offload_to_disk(folder, [s])'))}:"]
    lines += ["    y = forward(x * s + w)", "for entry in os.scandir(folder):"]
    lines += ['    with open(entry.path, "r+b") as file:', "        file.write(bytes(entry.stat().st_size))"]
    lines += ["grad = None", "try:", "    y.sum().backward()", "    grad = w.grad", "except Exception:", "    pass"]
    lines += ["del y"]
    return lines, ["grad"]
