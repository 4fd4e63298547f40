"""What hypothesis draws for kata 01: models, as the lines of a program that makes one."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

LAYERS = (
    "nn.Linear({a}, {b})",
    "nn.Linear({a}, {b}, bias=False)",
    "nn.BatchNorm1d({a})",
    "nn.BatchNorm1d({a}, affine=False)",
    "nn.LayerNorm({a})",
    "nn.Embedding.from_pretrained(torch.zeros({a}, {b}))",
    "nn.Conv2d({a}, {b}, 2)",
    "nn.ReLU()",
    "nn.Sequential(nn.Sequential(nn.Linear({a}, {b})), nn.BatchNorm1d({b}))",
)

SINGLE = tuple(layer for layer in LAYERS if "nn.Sequential" not in layer and "nn.ReLU" not in layer)

CHANGES = (
    "model.double()",
    "model.half()",
    "model.requires_grad_(False)",
    "model[0].requires_grad_(False)",
    "model.append(model[0])",
    "model.scale = nn.Parameter(torch.ones(()), requires_grad=False)",
    "model.register_buffer('mask', torch.ones(3, 3, dtype=torch.bool), persistent=False)",
    "model.register_buffer('table', torch.zeros(2, 3))",
    "model.register_buffer('nothing', None)",
    "model.register_buffer('empty', torch.zeros(0, 3))",
    "model.cache = torch.zeros(5)",
)

SHARING = (
    ("model.tied = model.first.weight",),
    ("model.tied = nn.Parameter(model.first.weight.detach())",),
    ("model.tied = nn.Parameter(model.first.weight.detach().t())",),
    ("model.register_buffer('kept', model.first.weight.detach(), persistent=False)",),
    ("model.register_buffer('row', model.first.weight.detach()[1])",),
    ("model.register_buffer('bits', model.first.weight.detach().view(torch.int32))",),
    ("model.register_buffer('wide', torch.ones(2, 1).expand(2, 5))",),
    ("model.register_buffer('means', torch.zeros(6))", "model.register_buffer('same', model.means.view(2, 3))"),
    ("model.second = nn.Module()", "model.second.register_buffer('own', model.first.bias.detach())"),
)
GRADIENTS = "for p in model.parameters(): p.grad = torch.ones(p.shape, dtype=p.dtype)"

AFTERWARDS = [
    "[module.training for module in model.modules()]",
    "[p.requires_grad for p in model.parameters()]",
    "[p.grad if p.grad is None else p.grad.sum().item() for p in model.parameters()]",
    "[f'{x.dtype} on {x.device.type}' for x in model.state_dict().values()]",
    "[len(vars(module)) for module in model.modules()]",
]

FLATTENED = (
    "flat = torch.zeros(sum(p.numel() for p in model.parameters()))",
    "nn.utils.vector_to_parameters(flat, model.parameters())",
)
SHARED = ("tied", "'kept'", "'row'", "'bits'", "'own'", "'same'", "flat", "append(model[0])")


def _says(*words: str) -> Callable[[list[str]], object]:
    """Return a test of whether a program contains any of these words."""
    return lambda lines: any(word in line for line in lines for word in words)


@functools.cache
@classes(
    {
        "buffers of a layer": _says("BatchNorm"),
        "a buffer that is not saved": _says("persistent=False"),
        "a buffer that is None or empty": _says("'nothing'", "'empty'"),
        "a frozen parameter": _says("requires_grad", "from_pretrained"),
        "a parameter of the model itself": _says("model.scale"),
        "two names for one parameter": _says("append(model[0])", "model.tied = model.first.weight"),
        "two parameters of one storage": _says("nn.Parameter(model.first"),
        "a buffer of a parameter's storage": _says("'kept'", "'row'", "'own'"),
        "two buffers of one storage": _says("'same'"),
        "all parameters of one storage": _says("vector_to_parameters"),
        "no storage that two share": lambda lines: not _says(*SHARED)(lines),
        "gradients": _says(".grad = "),
        "a tensor that is neither parameter nor buffer": _says("model.cache"),
        "a layer inside a layer inside a layer": lambda lines: lines[0].count("nn.Sequential") > 2,
        "in eval mode": _says("model.eval()"),
        "a layer in eval mode, in a model that is not": _says("model[0].eval()"),
        "a single layer": lambda lines: "nn.Sequential" not in lines[0],
        "no parameter": lambda lines: "(nn.ReLU())" in lines[0] and not _says("scale", "first")(lines),
        "elements of 2 or 8 bytes": _says("half()", "double()"),
    }
)
@st.composite
def models(draw: DrawFn, alone: bool = True) -> list[str]:
    """The lines of a program that makes a model: layers, then changes, then storages that are shared.

    If `alone`, some models are a single layer, to which no other can be appended.

    No line draws normal numbers, concatenates, or makes zeros like other tensors: on meta, torch imports sympy or its
    compiler for that, which takes half a second or more.

    The tensors that share a storage cover all of it together, so that "shared storage counts once" has one meaning.
    """
    of = LAYERS if pick(draw, (True, True, True, True, True, True, False)) else ("nn.ReLU()",)
    count = draw(st.integers(1, 3)) if of is LAYERS else 1
    layers = ", ".join(pick(draw, of).format(a=draw(_width(2)), b=draw(_width(3))) for _ in range(count))
    lines = [f"model = nn.Sequential({layers})"]
    endings = ("plain", "shared", "shared", "shared", "flattened", *("alone",) * alone)
    ending = pick(draw, endings) if of is LAYERS else "plain"
    changes: tuple[str, ...] = CHANGES
    if ending == "alone":
        lines = [f"model = {pick(draw, SINGLE).format(a=draw(_width(2)), b=draw(_width(3)))}"]
        changes = tuple(change for change in CHANGES if "[0]" not in change)
    if ending != "flattened":  # the parameters of a flattened model have one dtype
        lines += [pick(draw, changes) for _ in range(draw(st.integers(0, 3)))]
    if ending in ("shared", "flattened"):
        lines.append(f"model.first = nn.Linear({draw(_width(4))}, {draw(_width(5))})")
    if ending == "shared":
        lines += [line for _ in range(draw(st.integers(1, 2))) for line in pick(draw, SHARING)]
    if ending == "flattened":
        lines += FLATTENED
    mode = pick(draw, ("", "", "model.eval()", "" if ending == "alone" else "model[0].eval()"))
    lines += [mode] if mode else []
    if draw(st.booleans()):
        lines.append(GRADIENTS)
    return lines


def _width(simplest: int) -> SearchStrategy[int]:
    return integers(simplest, 5, 2)


@functools.cache
@classes(
    {
        "tied": lambda case: len(case[1]) == 3,
        "not tied": lambda case: len(case[1]) == 4,
        "a weight that is square": lambda case: len({*re.findall(r"\d{2,}", case[0][0])}) == 1,
    }
)
@st.composite
def huge_models(draw: DrawFn) -> tuple[list[str], list[str]]:
    """A feed-forward block of a size that only meta can hold, tied or not, and the parts that own a storage."""
    width, factor = draw(st.integers(1024, 12288)), draw(st.integers(1, 4))
    lines = [f"model = nn.Sequential(nn.Linear({width}, {factor * width}), nn.Linear({factor * width}, {width}))"]
    parts = ["model[0].weight", "model[0].bias", "model[1].weight", "model[1].bias"]
    if draw(st.booleans()):
        lines.append("model[1].weight = nn.Parameter(model[0].weight.detach().t())")
        parts.remove("model[1].weight")
    return lines, parts


@functools.cache
@classes(
    {
        "a layer": lambda line: "nn.Linear" in line,
        "a parameter": lambda line: "nn.Parameter" in line,
        "a buffer": lambda line: "register_buffer" in line,
    }
)
@st.composite
def additions(draw: DrawFn) -> str:
    """A line that makes a model larger."""
    size = draw(_width(3))
    return pick(
        draw,
        (
            f"model.append(nn.Linear(2, {size}))",
            f"model.later = nn.Parameter(torch.ones({size}))",
            f"model.register_buffer('later', torch.ones({size}))",
        ),
    )


@functools.cache
@classes({"on meta": operator.truth, "on the device": operator.not_})
def on_meta() -> SearchStrategy[bool]:
    """Whether a model is made on meta."""
    return st.booleans()
