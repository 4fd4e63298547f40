"""The figure of lesson 01: the bytes of a language model, part by part."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from dojo.figures import BLUE

VOCABULARY, CONTEXT, WIDTH, HEADS, LAYERS = 50257, 1024, 768, 12, 12


def measure() -> dict[str, Any]:
    """Ask torch what each part of GPT-2 shows and what it keeps alive beyond the parts before, on the meta device."""
    with torch.device("meta"):
        tokens, positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        layers = [nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH) for _ in range(LAYERS)]
        last, output = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)
    output.weight = tokens.weight
    norms = [norm for layer in layers for norm in (layer.norm1, layer.norm2)]
    parts: dict[str, Iterable[nn.Module]] = {
        "token embedding": [tokens],
        "position embedding": [positions],
        "attention, 12 layers": [layer.self_attn for layer in layers],
        "feed-forward, 12 layers": [linear for layer in layers for linear in (layer.linear1, layer.linear2)],
        "norms": [*norms, last],
        "output, tied to the tokens": [output],
    }
    seen: set[int] = set()
    return {
        name: _counted([x for module in modules for x in module.parameters()], seen) for name, modules in parts.items()
    }


def _counted(tensors: list[Tensor], seen: set[int]) -> dict[str, int]:
    """Count the bytes that tensors show, and those of their storages that were not seen before."""
    storages = {x.untyped_storage()._cdata: x.untyped_storage().nbytes() for x in tensors}
    keeps = sum(size for storage, size in storages.items() if storage not in seen)
    seen.update(storages)
    return {"shows": sum(x.nbytes for x in tensors), "keeps": keeps}


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw a bar for each part: its outline is what the part shows, filled is what it keeps alive."""
    figure.set_figheight(2.9)
    axes = figure.add_subplot()
    names = list(numbers)
    shows, keeps = ([part[kind] / 1e6 for part in numbers.values()] for kind in ("shows", "keeps"))
    axes.barh(names, shows, fill=False, edgecolor=BLUE, linewidth=1.2)
    axes.barh(names, keeps, color=BLUE)
    for place, (shown, kept) in enumerate(zip(shows, keeps, strict=True)):
        words = f"{kept:.1f}" if shown == kept else f"shows {shown:.1f}, keeps {kept:g} more"
        axes.text(shown + 3, place, words, va="center")
    axes.invert_yaxis()
    axes.set_xlim(0, 260)
    axes.set_xlabel("10⁶ bytes")
    axes.set_title(f"GPT-2 shows {sum(shows):.1f} · 10⁶ bytes and keeps {sum(keeps):.1f} · 10⁶ alive")
