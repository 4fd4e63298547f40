"""Measure the roofline of this machine. Run: python -m dojo.measure, or dojo measure

It times a product, a copy and a chain of elementwise operations, on the CPU and on CUDA if available. The figures are
medians of torch.utils.benchmark, which warms up first and waits for the GPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from rich.console import Console
from rich.table import Table
from rich.text import Text
from torch.utils.benchmark import Timer
from torch.utils.benchmark.utils.timer import timer as clock

from dojo.report.console import pairs, screen

CHAIN = 8
"""Number of elementwise operations in the chain, a multiply and an add in turn."""
SECONDS = 0.3
"""Least time for which each is measured."""


@dataclass(frozen=True)
class Sizes:
    """How large the work is on one kind of device: too large for caches, but done quickly."""

    side: int
    """Rows, and columns, of each matrix in the product."""
    nbytes: int
    """Bytes of the tensor that is copied, and of the one that the chain changes."""
    dtypes: tuple[torch.dtype, ...]


SIZES = {
    "cpu": Sizes(2048, 2**27, (torch.float32,)),
    "cuda": Sizes(8192, 2**30, (torch.float32, torch.bfloat16)),
}


@dataclass(frozen=True)
class Work:
    """A function to run, its FLOPs, and the least number of bytes that it moves."""

    name: str
    run: Callable[[], object]
    flops: int
    nbytes: int


@dataclass(frozen=True)
class Rate:
    """The measured seconds of some work, and the rates that follow."""

    work: Work
    seconds: float

    @property
    def flops(self) -> float:
        """In FLOP/s."""
        return self.work.flops / self.seconds

    @property
    def nbytes(self) -> float:
        """In bytes/s."""
        return self.work.nbytes / self.seconds

    @property
    def flops_per_byte(self) -> float:
        """In FLOP/byte."""
        return self.work.flops / self.work.nbytes


@dataclass(frozen=True)
class Roofline:
    """The measured rates of one device in one dtype."""

    title: str
    product: Rate
    copy: Rate
    chain: Rate

    @property
    def ridge(self) -> float:
        """In FLOP/byte. Work with fewer is limited by memory, work with more by arithmetic."""
        return self.product.flops / self.copy.nbytes


def works(device: str, dtype: torch.dtype, sizes: Sizes) -> tuple[Work, Work, Work]:
    """Return the product, the copy and the chain. Each writes into memory that is already allocated."""
    a, b, product = (torch.ones(sizes.side, sizes.side, device=device, dtype=dtype) for _ in range(3))
    x, y = (torch.ones(sizes.nbytes // dtype.itemsize, device=device, dtype=dtype) for _ in range(2))

    def chain() -> None:
        for _ in range(CHAIN // 2):
            torch.mul(x, 0.5, out=y)
            torch.add(y, 1.0, out=x)

    return (
        Work("product", lambda: torch.mm(a, b, out=product), 2 * sizes.side**3, 3 * product.nbytes),
        Work("copy", lambda: y.copy_(x), 0, 2 * x.nbytes),
        Work("chain", chain, CHAIN * y.numel(), CHAIN * 2 * y.nbytes),
    )


def rate(work: Work, timer: Callable[[], float] = clock) -> Rate:
    """Return the median of several runs, after a warm-up."""
    measured = Timer("run()", globals={"run": work.run}, timer=timer, num_threads=torch.get_num_threads())
    return Rate(work, measured.blocked_autorange(min_run_time=SECONDS).median)


def rooflines(timer: Callable[[], float] = clock) -> Iterator[Roofline]:
    """Measure each device in each of its dtypes."""
    for device, sizes in SIZES.items():
        if device == "cuda" and not torch.cuda.is_available():
            continue
        threads = torch.get_num_threads()
        what = torch.cuda.get_device_name() if device == "cuda" else f"{threads} thread{'s' * (threads > 1)}"
        for dtype in sizes.dtypes:
            title = f"{device}, {str(dtype).removeprefix('torch.')}: {what}"
            yield Roofline(title, *(rate(work, timer) for work in works(device, dtype, sizes)))


def engineering(number: float) -> str:
    """Write a number with three digits. If large or small, it gets an exponent that is a multiple of 3: 67.5e12."""
    digits = float(f"{number:.2e}")
    if digits == 0 or 0.01 <= digits < 1000:
        return f"{digits:.3g}"
    exponent = 3 * math.floor(math.log10(digits) / 3)
    return f"{digits / 10.0**exponent:.3g}e{exponent}"


def show(console: Console, roofline: Roofline) -> None:
    """Print a roofline: a row for each kind of work, the ridge, and the chain's share of each roof."""
    console.print(Text(roofline.title, style="bold"))
    table = Table.grid(padding=(0, 1), pad_edge=False)
    table.add_column(width=15)
    for _ in range(4):
        table.add_column(width=11, justify="right")
    table.add_row("", *(Text(name, style="dim") for name in ("seconds", "FLOP/s", "bytes/s", "FLOP/byte")))
    for one in (roofline.product, roofline.copy, roofline.chain):
        numbers = (one.seconds, one.flops, one.nbytes, one.flops_per_byte)
        table.add_row(f"  {one.work.name}", *map(engineering, numbers))
    console.print(table)
    of_product = engineering(roofline.chain.flops / roofline.product.flops)
    of_copy = engineering(roofline.chain.nbytes / roofline.copy.nbytes)
    ridge = f"{engineering(roofline.product.flops)} / {engineering(roofline.copy.nbytes)}"
    pairs(
        console,
        [
            ("ridge", f"{engineering(roofline.ridge)} FLOP/byte = {ridge}"),
            ("the chain has", f"{of_product} of the product's FLOP/s, {of_copy} of the copy's bytes/s"),
        ],
    )


def run(console: Console, timer: Callable[[], float] = clock) -> None:
    """Print each roofline as it is measured, and then what was run."""
    for roofline in rooflines(timer):
        show(console, roofline)
    told = {
        "product": "two square matrices of 2048 rows; on CUDA 8192",
        "copy": "128 MiB, read and written; on CUDA 1 GiB",
        "chain": f"{CHAIN} elementwise operations on as many bytes, one after the other",
    }
    pairs(console, [(name, Text(text, style="dim")) for name, text in told.items()])


if __name__ == "__main__":
    run(screen())
