"""What hypothesis draws for kata 01: the code that makes a tensor, or a model."""

from __future__ import annotations

import functools
import itertools
import operator
import re
import warnings
from collections.abc import Callable

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared import described
from ..shared.shapes import Shape, pick, shapes

MIB = 1024**2
BLOCK = 512
"""Bytes of the smallest block of CUDA's caching allocator."""


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


WEIGHTY = [torch.complex64] * 5 + [torch.complex128] * 3 + [torch.bool] * 3 + [torch.bfloat16]
"""Dtypes drawn more often: a complex tensor has views of another dtype, and the others are often taken for 4 bytes."""

PLACES = ("here", "here", "here", "here", "meta", "huge", "huge", "uncopied")


@st.composite
def fresh_tensors(draw: DrawFn, places: tuple[str, ...] = PLACES) -> tuple[str, Shape]:
    """Code for a fresh tensor, and its shape: any dtype, small, or on meta and as large as GPT-3's.

    A dtype that torch cannot copy is drawn on meta, where it can: an answer may well make a copy.
    """
    where = pick(draw, places)
    rare = dtypes(can_copy=False)
    dtype = pick(draw, rare if where == "uncopied" else [*dtypes(can_copy=True), *WEIGHTY])
    shape = draw(st.tuples(*[st.integers(2**14, 2**17)] * 2) if where == "huge" else shapes())
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
            ways += [".real"] * 8
        way = pick(draw, ways)
        code, x = code + way, eval(f"x{way}", {"x": x})
    return code


@functools.lru_cache(maxsize=1)  # several classes ask it of one case
def _tensor(code: str) -> Tensor:
    return described.tensor(code)


def _shows_twice(x: Tensor) -> bool:
    return any(size > 1 and stride == 0 for size, stride in zip(x.shape, x.stride(), strict=True))


def _takes(size: int, x: Tensor) -> bool:
    return x.element_size() == size


def _tensor_class(holds: Callable[[Tensor], object]) -> Callable[[str], object]:
    return lambda code: holds(_tensor(code))


@functools.cache
@classes(
    {
        "0-d": _tensor_class(lambda x: x.ndim == 0),
        "without elements": _tensor_class(lambda x: x.numel() == 0),
        "on meta": _tensor_class(lambda x: x.is_meta),
        "beyond 2**31 bytes": _tensor_class(lambda x: x.nbytes > 2**31),
        "a part of its storage": _tensor_class(lambda x: 0 < x.nbytes < x.untyped_storage().nbytes()),
        "without elements, of a storage that has some": _tensor_class(
            lambda x: x.nbytes == 0 < x.untyped_storage().nbytes()
        ),
        "more than its storage": _tensor_class(lambda x: x.nbytes > x.untyped_storage().nbytes()),
        "elements that are shown twice": _tensor_class(lambda x: x.numel() > 0 and _shows_twice(x)),
        "not contiguous": _tensor_class(lambda x: not x.is_contiguous()),
        "a view of another dtype": lambda code: ".real" in code,
        **{f"elements of {size} bytes": _tensor_class(functools.partial(_takes, size)) for size in (1, 2, 4, 8)},
        "complex": _tensor_class(lambda x: x.is_complex()),
        "bool": _tensor_class(lambda x: x.dtype == torch.bool),
        "a dtype that torch cannot copy": _tensor_class(lambda x: x.dtype in dtypes(can_copy=False)),
    }
)
@st.composite
def tensor_codes(draw: DrawFn) -> str:
    """Code for a tensor: fresh or a view."""
    code, shape = draw(fresh_tensors())
    return draw(view_of(code, _like(code, shape)))


def _every() -> list[str]:
    return [
        *(
            f"torch.empty((2, 3), dtype={dtype}{place})"
            for can_copy, place in ((True, ""), (False, ', device="meta"'))
            for dtype in dtypes(can_copy)
        ),
        'torch.empty((49152, 12288), device="meta")',  # GPT-3's feed-forward: 2304 · 1024² bytes
        'torch.empty((131072, 131072), device="meta")',
    ]


@functools.cache
@classes(
    {
        "a dtype of less than a byte": lambda codes: any("torch.int4" in code for code in codes),
        "complex128": lambda codes: any("torch.complex128" in code for code in codes),
        "beyond 2**31 bytes": lambda codes: any("131072" in code for code in codes),
    }
)
def every_dtype() -> SearchStrategy[list[str]]:
    """Code for a tensor of each dtype, and for huge ones, in any order."""
    return st.permutations(_every())


@functools.cache
@classes(
    {
        "without elements": lambda code: "(0, " in code or ", 0)" in code,
        "more than a block": lambda code: _tensor(code).nbytes > BLOCK,
        "bytes that fill no block": lambda code: _tensor(code).nbytes % BLOCK > 0,
    }
)
def cuda_tensors() -> SearchStrategy[str]:
    """Code for a small tensor of two dimensions."""
    size = st.one_of(st.integers(0, 300), st.integers(0, 2))
    return st.builds(
        "torch.empty(({}, {}), dtype=torch.{})".format, size, size, st.sampled_from(["float32", "bool", "float16"])
    )


StorageCase = tuple[list[str], str]


@functools.lru_cache(maxsize=1)  # several classes ask it of one case
def _tensors(bases: tuple[str, ...], views: str) -> tuple[Tensor, ...]:
    return described.tensors(list(bases), views)


def _storages(case: StorageCase) -> list[int]:
    return [x.untyped_storage()._cdata for x in _tensors(tuple(case[0]), case[1])]


def _any_two(holds: Callable[[Tensor, Tensor], object]) -> Callable[[StorageCase], object]:
    """Whether any two of the tensors are so."""

    def look(case: StorageCase) -> bool:
        return any(holds(*both) for both in itertools.combinations(_tensors(tuple(case[0]), case[1]), 2))

    return look


def _one_storage(x: Tensor, y: Tensor) -> bool:
    return bool(x.untyped_storage()._cdata == y.untyped_storage()._cdata) and x.untyped_storage().nbytes() > 0


def _two_storages(x: Tensor, y: Tensor) -> bool:
    return bool(x.untyped_storage()._cdata != y.untyped_storage()._cdata)


@functools.cache
@classes(
    {
        "no tensor": lambda case: case[1] == "",
        "one tensor": lambda case: len(_storages(case)) == 1,
        "two tensors of one storage": _any_two(_one_storage),
        "three tensors of one storage": lambda case: max(map(_storages(case).count, _storages(case)), default=0) > 2,
        "the same view twice": lambda case: len({*case[1].split(", ")}) < len(case[1].split(", ")),
        "two tensors of one storage, on meta": _any_two(lambda x, y: _one_storage(x, y) and x.is_meta),
        "one storage, and different first elements": _any_two(
            lambda x, y: _one_storage(x, y) and x.storage_offset() != y.storage_offset()
        ),
        "one storage, in two dtypes": _any_two(lambda x, y: _one_storage(x, y) and x.dtype != y.dtype),
        "two storages": _any_two(_two_storages),
        "two storages of as many bytes": _any_two(
            lambda x, y: _two_storages(x, y) and x.untyped_storage().nbytes() == y.untyped_storage().nbytes() > 0
        ),
        "two storages of as many bytes, on meta": _any_two(
            lambda x, y: (
                _two_storages(x, y)
                and x.untyped_storage().nbytes() == y.untyped_storage().nbytes() > 0
                and x.is_meta
                and y.is_meta
            )
        ),
        "a storage on meta and one that is not": _any_two(lambda x, y: x.is_meta != y.is_meta),
        "a part of a storage": lambda case: any(
            x.nbytes < x.untyped_storage().nbytes() for x in _tensors(tuple(case[0]), case[1])
        ),
        "a view without elements of a storage that has some": lambda case: any(
            x.nbytes == 0 < x.untyped_storage().nbytes() for x in _tensors(tuple(case[0]), case[1])
        ),
        "a storage without bytes": lambda case: any(
            x.untyped_storage().nbytes() == 0 for x in _tensors(tuple(case[0]), case[1])
        ),
    }
)
@st.composite
def storage_cases(draw: DrawFn) -> StorageCase:
    """Assignments that make up to three tensors, and some views of them in any order, each as often as it comes."""
    places = pick(draw, (PLACES, PLACES, ("here",), ("meta", "huge")))
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
    ("model.tied = model.first.weight",),
    ("model.tied = nn.Parameter(model.first.weight.detach())",),
    ("model.tied = nn.Parameter(model.first.weight.detach().t())",),
    ("model.register_buffer('kept', model.first.weight.detach(), persistent=False)",),
    ("model.register_buffer('row', model.first.weight.detach()[1])",),
    ("model.register_buffer('means', torch.zeros(6))", "model.register_buffer('same', model.means.view(2, 3))"),
    ("model.second = nn.Module()", "model.second.register_buffer('own', model.first.bias.detach())"),
)

GRADIENTS = "for p in model.parameters(): p.grad = torch.zeros(p.shape, dtype=p.dtype)"

FLATTENED = (
    "flat = torch.zeros(sum(p.numel() for p in model.parameters()))",
    "nn.utils.vector_to_parameters(flat, model.parameters())",
)


SHARED = ("tied", "'kept'", "'row'", "'own'", "'same'", "flat", "append(model[0])")


def _says(*words: str) -> Callable[[list[str]], object]:
    """Whether a program has any of these in it."""
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
        "a layer inside a layer": _says("nn.Sequential(nn.Linear"),
        "no parameter": lambda lines: "(nn.ReLU())" in lines[0] and not _says("scale", "first")(lines),
        "elements of 2 or 8 bytes": _says("half()", "double()"),
    }
)
@st.composite
def models(draw: DrawFn) -> list[str]:
    """The lines of a program that makes a model: layers, then changes, then storages that are shared.

    None of it draws normal numbers, concatenates or makes zeros like others: for that torch, on meta, imports sympy or
    its compiler, half a second or more.

    Whatever shares a storage covers no less than all of it together, so that there is one answer to what "shared
    storage once" means.
    """
    of = LAYERS if pick(draw, (True, True, True, True, True, True, False)) else ("nn.ReLU()",)
    count = draw(st.integers(1, 3)) if of is LAYERS else 1
    layers = ", ".join(pick(draw, of).format(a=draw(_width()), b=draw(_width())) for _ in range(count))
    lines = [f"model = nn.Sequential({layers})"]
    ending = pick(draw, ("plain", "shared", "shared", "shared", "flattened")) if of is LAYERS else "plain"
    if ending != "flattened":  # the parameters of a flattened model have one dtype
        lines += [pick(draw, CHANGES) for _ in range(draw(st.integers(0, 3)))]
    if ending != "plain":
        lines.append(f"model.first = nn.Linear({draw(_width())}, {draw(_width())})")
    if ending == "shared":
        lines += [line for _ in range(draw(st.integers(1, 2))) for line in pick(draw, SHARING)]
    if ending == "flattened":
        lines += FLATTENED
    if draw(st.booleans()):
        lines.append(GRADIENTS)
    return lines


def _width() -> SearchStrategy[int]:
    return st.integers(2, 5)


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
@classes({"on meta": operator.truth, "on the device": operator.not_})
def on_meta() -> SearchStrategy[bool]:
    """Whether a model is made on meta."""
    return st.booleans()


# Bits and blocks

Packing = tuple[int, int]


def _bits(case: Packing) -> int:
    return case[0] * case[1]


@functools.cache
@classes(
    {
        "no values": lambda case: case[0] == 0,
        "one value": lambda case: case[0] == 1,
        "full bytes": lambda case: _bits(case) % 8 == 0 < _bits(case),
        "one bit too many": lambda case: _bits(case) % 8 == 1,
        "one bit too few": lambda case: _bits(case) % 8 == 7,
        "values of less than a byte": lambda case: case[1] < 8,
        "values of a byte": lambda case: case[1] == 8,
        "values of more than a byte": lambda case: case[1] > 8,
        "values of 1 bit": lambda case: case[1] == 1,
        "values that cross from byte to byte": lambda case: case[0] > 1 and 8 % case[1] > 0,
    }
)
def packings() -> SearchStrategy[Packing]:
    """How many values, and of how many bits."""
    bits = st.one_of(st.integers(1, 20), st.sampled_from([4, 8, 1, 6, 7, 9]))
    return st.tuples(st.one_of(st.integers(0, 40), st.sampled_from([0, 1, 2, 7, 9])), bits)


@functools.cache
@classes(
    {
        "more values": lambda case: case[3] == "values",
        "more bits": lambda case: case[3] == "bits",
        "beyond 2**53": lambda case: case[2] > 2**53,
        "beyond 2**64": lambda case: case[2] > 2**64,
        "full bytes": lambda case: _bits(case[:2]) % 8 == 0,
        "a byte that is not full": lambda case: _bits(case[:2]) % 8 > 0,
    }
)
def growing_packings() -> SearchStrategy[tuple[int, int, int, str]]:
    """A packing, how many eights it grows by, and whether that is eight times as many values or bits for each."""
    eights = st.one_of(st.integers(0, 10**30), st.integers(10**29, 10**30))
    return st.tuples(st.integers(0, 40), st.integers(1, 20), eights, st.sampled_from(["values", "bits"]))


@functools.cache
@classes(
    {
        "fewer than no values": lambda case: case[0] < 0 < case[1],
        "no bits": lambda case: case[0] >= 0 == case[1],
        "fewer than no bits": lambda case: case[0] >= 0 > case[1],
        "both": lambda case: case[0] < 0 and case[1] < 1,
        "no values of no bits": lambda case: case[0] == 0 and case[1] < 1,
        "bytes that would round up to 0": lambda case: case[0] != 0 != case[1] and -8 < _bits(case) < 0,
    }
)
@st.composite
def refused_packings(draw: DrawFn) -> Packing:
    """How many values, and of how many bits, of which one or both are too few."""
    numel, bits = pick(draw, ((-1, 0), (-1, -1), (draw(st.integers(-(10**20), -1)), draw(st.integers(-(10**20), 0)))))
    good = pick(draw, (0, 0, 1, 2, 5))
    return pick(draw, ((numel, good + 1), (good, bits), (numel, bits)))


@functools.cache
@classes(
    {
        "0": lambda nbytes: nbytes == 0,
        "whole blocks": lambda nbytes: nbytes % BLOCK == 0 < nbytes,
        "one block": lambda nbytes: nbytes == BLOCK,
        "less than a block": lambda nbytes: 0 < nbytes < BLOCK,
        "one byte beyond whole blocks": lambda nbytes: nbytes % BLOCK == 1,
        "one byte less than whole blocks": lambda nbytes: nbytes % BLOCK == BLOCK - 1,
        "1 MiB": lambda nbytes: nbytes == MIB,
        "several blocks, no power of two": lambda nbytes: -(-nbytes // BLOCK) & (-(-nbytes // BLOCK) - 1) > 0,
    }
)
def requests() -> SearchStrategy[int]:
    """Requests of at most 1 MiB: most of them at, or one beside, a multiple of 512."""
    blocks = st.integers(0, MIB // BLOCK)
    beside = st.builds(lambda block, by: min(max(0, block * BLOCK + by), MIB), blocks, st.integers(-1, 1))
    edges = st.sampled_from([0, 1, BLOCK, MIB])
    return st.one_of(beside, beside, edges, st.integers(0, MIB))


@functools.cache
@classes(
    {
        "-1": lambda nbytes: nbytes == -1,
        "rounds up to 0": lambda nbytes: nbytes > -BLOCK,
        "whole blocks": lambda nbytes: nbytes % BLOCK == 0,
        "rounds to less than 0": lambda nbytes: nbytes <= -BLOCK,
    }
)
def negative_requests() -> SearchStrategy[int]:
    """Requests of fewer than no bytes."""
    few = st.one_of(st.just(-1), st.integers(1 - BLOCK, -1))
    return st.one_of(few, st.integers(1, 10**9).map(lambda blocks: -BLOCK * blocks), st.integers(-(10**12), -BLOCK))
