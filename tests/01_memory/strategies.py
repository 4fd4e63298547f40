"""What hypothesis draws for kata 01: the code that makes a tensor, or a model."""

from __future__ import annotations

import functools
import warnings

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from ..shared.shapes import Shape, pick, shapes


@functools.cache
def dtypes(can_copy: bool) -> list[torch.dtype]:
    """The dtypes that torch allocates here, float32 first: those whose elements it can copy, or those it cannot."""
    found = []
    named = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}
    for dtype in sorted(named, key=lambda dtype: (dtype != torch.float32, str(dtype))):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch calls some of its dtypes experimental
                torch.empty((2,), dtype=dtype).clone()
            copies = True
        except NotImplementedError:
            copies = False
        except RuntimeError:  # quantized: torch.empty makes none of these
            continue
        if copies == can_copy:
            found.append(dtype)
    return found


WEIGHTY = [torch.complex64] * 4 + [torch.bool, torch.bfloat16]
"""Dtypes drawn more often: a complex tensor has views of another dtype, and the others are often taken for 4 bytes."""

PLACES = ("here", "here", "here", "meta", "huge", "uncopied")


@st.composite
def fresh_tensors(draw: DrawFn, places: tuple[str, ...] = PLACES) -> tuple[str, Shape]:
    """Code for a fresh tensor, and its shape: any dtype, small, or on meta and as large as GPT-3's.

    A dtype that torch cannot copy is drawn on meta, where it can: an answer may well make a copy.
    """
    where = pick(draw, places)
    rare = dtypes(can_copy=False)
    dtype = pick(draw, rare if where == "uncopied" else [*dtypes(can_copy=True), *WEIGHTY])
    shape = draw(st.tuples(st.integers(1, 2**17), st.integers(1, 2**17)) if where == "huge" else shapes())
    written = [str(shape), *[f"dtype={dtype}"] * (dtype != torch.float32), *['device="meta"'] * (where != "here")]
    return f"torch.empty({', '.join(written)})", shape


@st.composite
def view_of(draw: DrawFn, name: str, fresh: Tensor) -> str:
    """Code for a view of the named tensor, which is like `fresh`: up to three operations, none of which copies."""
    code, x = name, fresh
    for _ in range(draw(st.integers(0, 3))):
        ways = [".detach()", f".expand(3, {', '.join(map(str, x.shape))})" if x.ndim else ".expand(3)"]
        if x.ndim:
            ways += ["[1:]", "[::2]", "[:0]", "[..., :1]", ".unsqueeze(0)"]
            ways += ["[0]"] * (x.shape[0] > 0)
        if x.ndim > 1:
            ways += [".transpose(0, 1)", f".transpose(0, {x.ndim - 1})"]
        if x.is_complex():
            ways += [".real"] * 4
        way = pick(draw, ways)
        code, x = code + way, eval(f"x{way}", {"x": x})
    return code


@st.composite
def tensor_codes(draw: DrawFn) -> str:
    """Code for a tensor: fresh or a view."""
    code, shape = draw(fresh_tensors())
    return draw(view_of(code, _like(code, shape)))


@st.composite
def storage_cases(draw: DrawFn) -> tuple[list[str], str]:
    """Assignments that make up to three tensors, and some views of them in any order, each as often as it comes."""
    places = pick(draw, (PLACES, ("here",), ("meta", "huge")))
    made = {name: draw(fresh_tensors(places)) for name in "abc"[: draw(st.integers(1, 3))]}
    if draw(st.booleans()):  # tensors of one size on meta differ in nothing but their identity
        made = dict.fromkeys(made, made["a"])
    named = [*draw(st.permutations(list(made))), *(pick(draw, list(made)) for _ in range(draw(st.integers(0, 3))))]
    named = named[draw(st.integers(0, len(named))) :] if draw(st.booleans()) else named
    views = [draw(view_of(name, _like(*made[name]))) for name in named]
    return [f"{name} = {code}" for name, (code, _) in made.items()], ", ".join(views)


def _like(code: str, shape: Shape) -> Tensor:
    dtype = torch.complex64 if "torch.complex" in code else torch.float32
    return torch.empty(shape, dtype=dtype, device="meta")


LAYERS = (
    "nn.Linear({a}, {b})",
    "nn.Linear({a}, {b}, bias=False)",
    "nn.BatchNorm1d({a})",
    "nn.BatchNorm1d({a}, affine=False)",
    "nn.LayerNorm({a})",
    "nn.Embedding.from_pretrained(torch.zeros({a}, {b}))",
    "nn.Conv2d({a}, {b}, 2)",
    "nn.ReLU()",
    "nn.Sequential(nn.Linear({a}, {b}), nn.BatchNorm1d({b}))",
)

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
    "model.eval()",
)

SHARING = (
    "model.tied = model.first.weight",
    "model.tied = nn.Parameter(model.first.weight.detach())",
    "model.tied = nn.Parameter(model.first.weight.detach().t())",
    "model.register_buffer('kept', model.first.weight.detach(), persistent=False)",
    "model.register_buffer('row', model.first.weight.detach()[1])",
)

GRADIENTS = "for p in model.parameters(): p.grad = torch.zeros(p.shape, dtype=p.dtype)"

FLATTENED = (
    "flat = torch.zeros(sum(p.numel() for p in model.parameters()))",
    "nn.utils.vector_to_parameters(flat, model.parameters())",
)


@st.composite
def models(draw: DrawFn) -> list[str]:
    """The lines of a program that makes a model: layers, then changes, then storages that are shared.

    None of it draws normal numbers, concatenates or makes zeros like others: for that torch, on meta, imports sympy or
    its compiler, half a second or more.

    Whatever shares a storage covers no less than all of it together, so that there is one answer to what "shared
    storage once" means.
    """
    layers = ", ".join(
        pick(draw, LAYERS).format(a=draw(_width()), b=draw(_width())) for _ in range(draw(st.integers(1, 3)))
    )
    lines = [f"model = nn.Sequential({layers})"]
    ending = pick(draw, ("plain", "shared", "shared", "flattened"))
    if ending != "flattened":  # the parameters of a flattened model have one dtype
        lines += [pick(draw, CHANGES) for _ in range(draw(st.integers(0, 2)))]
    if ending != "plain":
        lines.append(f"model.first = nn.Linear({draw(_width())}, {draw(_width())})")
    if ending == "shared":
        lines += [pick(draw, SHARING) for _ in range(draw(st.integers(1, 2)))]
    if ending == "flattened":
        lines += FLATTENED
    if draw(st.booleans()):
        lines.append(GRADIENTS)
    return lines


def _width() -> SearchStrategy[int]:
    return st.integers(2, 5)


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
