"""The figure of lesson 17: the first runs of a program, and products under the roofline, by the clock of a machine."""

import json
import subprocess
import sys
from typing import Any

import torch

from dojo.figures import BLUE, FAINT, GREEN, ORANGE
from dojo.measure import SIZES, Work, rate, rooflines

RUNS = 20
INNER = [4**n for n in range(5)]
"""The sizes over which products of 8192 × k by k × 8192 add up."""
SIDE = 8192

FIRST = f"""
import json, time, torch
torch.set_num_threads(1)
x, w = torch.ones(256, 256), torch.ones(256, 256)
times = []
for _ in range({RUNS}):
    start = time.perf_counter()
    torch.nn.functional.gelu(x @ w).sum().item()
    times.append(1e6 * (time.perf_counter() - start))
print(json.dumps([round(time, 1) for time in times]))
"""


def measure() -> dict[str, Any]:
    """Microseconds of the first runs in a new process; FLOP/s of products of which each has another intensity."""
    first = subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True, text=True)
    SIZES.pop("cuda", None)
    (roofline,) = rooflines()
    rates = [rate(work) for work in map(_product, INNER)]
    return {
        "runs": json.loads(first.stdout),
        "peak": round(roofline.product.flops / 1e9, 1),
        "bandwidth": round(roofline.copy.nbytes / 1e9, 1),
        "intensity": [round(one.flops_per_byte, 3) for one in rates],
        "rate": [round(one.flops / 1e9, 2) for one in rates],
        "chain": [roofline.chain.flops_per_byte, round(roofline.chain.flops / 1e9, 2)],
    }


def _product(inner: int) -> Work:
    a, b, product = torch.ones(SIDE, inner), torch.ones(inner, SIDE), torch.ones(SIDE, SIDE)
    nbytes = a.nbytes + b.nbytes + product.nbytes
    return Work("product", lambda: torch.mm(a, b, out=product), 2 * SIDE * SIDE * inner, nbytes)


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the runs as bars, and beside them the roofline with what was measured below it."""
    figure.set_figheight(2.7)
    left, right = figure.subplots(1, 2)
    left.bar(range(1, RUNS + 1), numbers["runs"], color=[ORANGE] + [BLUE] * (RUNS - 1))
    left.set_yscale("log")
    left.set_title("µs of one function, run by run")
    left.set_xlabel("run")
    left.set_xticks([1, 5, 10, 15, 20])
    left.set_yticks([100, 1000, 10000], ["100", "1000", "10000"])
    peak, bandwidth = numbers["peak"], numbers["bandwidth"]
    edges = [0.06, peak / bandwidth, 2000]
    right.loglog(edges, [min(peak, bandwidth * edge) for edge in edges], color=FAINT, linewidth=1)
    right.loglog(numbers["intensity"], numbers["rate"], "o", markersize=4, color=BLUE, label="products")
    right.loglog(*([number] for number in numbers["chain"]), "s", markersize=4, color=GREEN, label="8 elementwise")
    right.set_title("10⁹ FLOP/s under the roofline")
    right.set_xlabel("FLOP/byte")
    right.set_xticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1000"])
    right.set_yticks([1, 10, 100], ["1", "10", "100"])
    right.legend(fontsize=8, loc="lower right")
    for axes in (left, right):
        axes.minorticks_off()
