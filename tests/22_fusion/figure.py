"""The figure of lesson 22: bytes of a chain of operations, eagerly and in one kernel, and of a product in tiles."""

from typing import Any

from dojo.figures import BLUE, ORANGE

from . import truth

NUMEL = 2**20
LENGTHS = (1, 2, 4, 6, 8, 10, 12)
SIDE = 1024
TILES = (32, 64, 128, 256, 512, 1024)


def measure() -> dict[str, Any]:
    """Bytes of chains of so many operations, and of a square product in tiles of each size."""
    chains = [[(f"t{place + 1}", [f"t{place}", "x"]) for place in range(length)] for length in LENGTHS]
    return {
        "eager": [truth.eager_bytes(chain, NUMEL, 4) for chain in chains],
        "fused": [truth.fused_bytes(chain, [chain[-1][0]], NUMEL, 4) for chain in chains],
        "tiles": [truth.tiled_matmul_bytes(SIDE, SIDE, SIDE, tile, tile, 2) for tile in TILES],
        "once": truth.tiled_matmul_bytes(SIDE, SIDE, SIDE, SIDE, SIDE, 2),
    }


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the chains, and beside them the product."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    for name, colour in (("eager", ORANGE), ("fused", BLUE)):
        left.plot(LENGTHS, [size / 2**20 for size in numbers[name]], color=colour, marker="o", markersize=3, label=name)
    left.set_title("MiB moved, float32 tensors of 2²⁰")
    left.set_xlabel("operations in a chain")
    left.set_ylim(0)
    left.legend(fontsize=8)
    sizes = [size / 2**20 for size in numbers["tiles"]]
    right.plot(TILES, sizes, color=ORANGE, marker="o", markersize=3, label="in tiles")
    right.axhline(numbers["once"] / 2**20, color=BLUE, linestyle=":", label="each matrix once")
    right.set_xscale("log", base=2)
    right.set_xticks(TILES, [str(tile) for tile in TILES])
    right.set_title(f"MiB moved, product of ({SIDE}, {SIDE}), 2 bytes")
    right.set_xlabel("rows and columns of a tile")
    right.set_ylim(0)
    right.legend(fontsize=8)
