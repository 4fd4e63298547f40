"""The figure of lesson 03: the roofline of a core, and what programs reach of it."""

import time
from collections.abc import Callable
from typing import Any

import torch

from dojo.figures import BLUE, FAINT, GREEN, INK, ORANGE

SECONDS = 3.0
"""How long each program is repeated; its fastest run counts, which others on the machine disturb least."""


def measure() -> dict[str, Any]:
    """Time programs on one core, by the seconds of CPU that their thread takes."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    n = 4096
    x, y, out = (torch.randn(n * n) for _ in range(3))
    weight = x.view(n, n)
    found: dict[str, list[list[float]]] = {
        "sum of two, dot product": [
            _point(lambda: torch.add(x, y, out=out), n * n, 3 * n * n),
            _point(lambda: torch.dot(x, y), 2 * n * n, 2 * n * n),
        ],
        "b: (b, 4096) @ (4096, 4096)": [],
        "n: (n, n) @ (n, n)": [],
    }
    for b in (1, 4, 16, 64, 256, 1024):
        rows = torch.randn(b, n)
        point = _point(lambda rows=rows: rows @ weight, 2 * b * n * n, n * n + 2 * b * n)  # type: ignore[misc]
        found["b: (b, 4096) @ (4096, 4096)"].append([b, *point])
    for m in (16, 32, 64, 128, 256, 512, 1024):
        square = torch.randn(m, m)
        point = _point(lambda square=square: square @ square, 2 * m**3, 3 * m * m)  # type: ignore[misc]
        found["n: (n, n) @ (n, n)"].append([m, *point])
    torch.set_num_threads(threads)
    return found


def _point(program: Callable[[], object], flops: int, elements: int) -> list[float]:
    """Return the FLOPs, the bytes in float32 and the least seconds of a program."""
    program()
    seconds, end = [], time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        begin = time.thread_time()
        program()
        seconds.append(time.thread_time() - begin)
    return [flops, 4 * elements, float(f"{min(seconds):.3g}")]


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the roof by the most FLOPs and the most bytes a second that any program reached, and each program."""
    points = [point[-3:] for series in numbers.values() for point in series]
    peak = max(flops / seconds for flops, _, seconds in points) / 1e9
    bandwidth = max(size / seconds for _, size, seconds in points) / 1e9
    figure.set_figheight(3.9)
    axes = figure.add_subplot()
    ridge = peak / bandwidth
    axes.loglog([0.05, ridge, 1000], [0.05 * bandwidth, peak, peak], color=INK, linewidth=1.2)
    axes.text(1000, peak * 1.6, f"computing: {peak:.0f} · 10⁹ FLOP/s", ha="right")
    axes.text(0.13, 0.055 * bandwidth, f"moving: {bandwidth:.0f} · 10⁹ byte/s")
    axes.axvline(ridge, color=FAINT, linewidth=0.6, linestyle=":")
    axes.text(ridge * 1.08, peak / 180, f"{ridge:.1f} FLOP/byte", color=FAINT)
    for (name, series), marker, colour in zip(numbers.items(), "so^", (GREEN, BLUE, ORANGE), strict=True):
        intensity = [point[-3] / point[-2] for point in series]
        rate = [point[-3] / point[-1] / 1e9 for point in series]
        axes.plot(intensity, rate, marker, color=colour, label=name, markersize=6)
        for place, point in enumerate(series):
            if len(point) == 4:
                at, below = (intensity[place], rate[place]), (0, -10 if marker == "o" else 8)
                style = {"textcoords": "offset points", "ha": "center", "va": "center", "color": colour, "size": 8}
                axes.annotate(str(point[0]), at, below, **style)
    axes.set_xlabel("FLOP/byte")
    axes.set_ylabel("10⁹ FLOP/s")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
    axes.set_ylim(peak / 200, peak * 2.5)
    axes.legend(loc="lower right")
