"""What hypothesis draws for kata 01: code that makes tensors, and views of them."""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared import described
from ..shared.shapes import Shape, integers, pick, shapes

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
PLACES = ("here", "here", "here", "here", "meta", "huge", "vast", "huge", "vast", "uncopied")

DIFFERENTIABLE = (torch.float32, torch.float64, torch.bfloat16, torch.complex64, torch.complex128)


@st.composite
def fresh_tensors(draw: DrawFn, places: tuple[str, ...] = PLACES) -> tuple[str, Shape]:
    """Code for a fresh tensor, and its shape: any dtype, small, or on meta and as large as GPT-3's or larger.

    A dtype that torch cannot copy is drawn on meta, where it can: an answer may well make a copy.
    """
    where = pick(draw, places)
    rare = dtypes(can_copy=False)
    dtype = pick(draw, rare if where == "uncopied" else [*dtypes(can_copy=True), *WEIGHTY])
    shape = draw(shapes())
    if where == "huge":  # drawn more often than a small one: what fails for both is shown small
        shape = draw(st.tuples(*[st.integers(2**14, 2**17)] * 2))
    if where == "vast":  # more elements than a float holds
        shape = draw(st.tuples(*[st.integers(2**26, 2**26 + 999).map(lambda half: 2 * half + 1)] * 2))
    written = [str(shape), *[f"dtype={dtype}"] * (dtype != torch.float32), *['device="meta"'] * (where != "here")]
    if dtype in DIFFERENTIABLE and pick(draw, (False, False, True)):
        written.append("requires_grad=True")
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
        if x.ndim and x.shape[0] > 1:
            ways += [".unfold(0, 2, 1)"] * 2
        way = pick(draw, ways)
        code, x = code + way, eval(f"x{way}", {"x": x})
    if code != name and pick(draw, (False, False, True)):  # then it does not say what it is a view of
        return f"{code}.detach()"
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
        "bytes that no float holds": _tensor_class(lambda x: int(float(x.nbytes)) != x.nbytes),
        "requires a gradient": _tensor_class(lambda x: x.requires_grad),
        "a part of its storage": _tensor_class(lambda x: 0 < x.nbytes < x.untyped_storage().nbytes()),
        "without elements, of a storage that has some": _tensor_class(
            lambda x: x.nbytes == 0 < x.untyped_storage().nbytes()
        ),
        "more than its storage": _tensor_class(lambda x: x.nbytes > x.untyped_storage().nbytes()),
        "elements that are shown twice": _tensor_class(lambda x: x.numel() > 0 and _shows_twice(x)),
        "elements that are shown twice, without a stride of 0": lambda code: ".unfold" in code,
        "a part that does not say of what": _tensor_class(
            lambda x: x._base is None and 0 < x.nbytes < x.untyped_storage().nbytes()
        ),
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
    rows, columns = (st.one_of(integers(size, 300, 0), integers(2, 2, 0)) for size in (3, 5))
    return st.builds(
        "torch.empty(({}, {}), dtype=torch.{})".format, rows, columns, st.sampled_from(["float32", "bool", "float16"])
    )


@functools.cache
@classes({"it grows": lambda sizes: sizes[0] < sizes[1], "it shrinks": lambda sizes: sizes[0] > sizes[1]})
def resizings() -> SearchStrategy[tuple[int, int]]:
    """The number of elements of a tensor before and after it is resized."""
    return st.sampled_from(((4, 9), (3, 5), (9, 4), (2, 3), (5, 3)))


LOOKS = ["tuple(a.shape)", "a.stride()", "a.requires_grad", "a.grad is None", "a.untyped_storage().nbytes()"]
LOOKS += ["base.tolist()"]
"""What should be as before when a tensor has been measured."""


@functools.cache
@classes(
    {
        "requires a gradient": lambda lines: "requires_grad" in lines[1],
        "requires none": lambda lines: "requires_grad" not in lines[1],
        "has a gradient": lambda lines: "grad =" in lines[-1],
        "a view": lambda lines: "detach" in lines[1],
    }
)
@st.composite
def kept_tensors(draw: DrawFn) -> list[str]:
    """The lines of a program that makes a tensor: all of its storage or a part, with or without a gradient."""
    rows, columns = draw(integers(3, 5, 2)), draw(integers(4, 5, 1))
    part = pick(
        draw, ("base", "base[:2].detach()", "base[1:].detach()", "base.t().detach()", "base[:1].expand(7, -1).detach()")
    )
    grad: bool = pick(draw, (True, True, False))
    lines = [f"base = torch.full(({rows}, {columns}), 0.1)", f"a = {part}{'.requires_grad_()' * grad}"]
    return [*lines, "a.grad = torch.ones(a.shape)"] if grad and draw(st.booleans()) else lines


StorageCase = tuple[list[str], str]


@functools.lru_cache(maxsize=1)  # several classes ask it of one case
def _tensors(bases: tuple[str, ...], views: str) -> tuple[Tensor, ...]:
    return described.tensors(list(bases), views)


def _storages(case: StorageCase) -> list[int]:
    return [x.untyped_storage()._cdata for x in _tensors(tuple(case[0]), case[1])]


def _any_two(holds: Callable[[Tensor, Tensor], object]) -> Callable[[StorageCase], object]:
    """Return a test of whether any two of the tensors are so."""

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
        "a storage of no whole number of elements": lambda case: any(
            x.untyped_storage().nbytes() % x.element_size() for x in _tensors(tuple(case[0]), case[1])
        ),
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
        "bytes that no float holds": lambda case: any(
            int(float(x.untyped_storage().nbytes())) != x.untyped_storage().nbytes()
            for x in _tensors(tuple(case[0]), case[1])
        ),
        "a view that requires a gradient": lambda case: any(
            x.requires_grad and not x.is_leaf for x in _tensors(tuple(case[0]), case[1])
        ),
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
    """Assignments that make up to three tensors, and some views of them, in any order and possibly repeated."""
    if pick(draw, (False,) * 15 + (True,)):
        size, (part, dtype) = 2 * draw(st.integers(2, 6)) + 1, pick(draw, ((4, "int16"), (4, "float32"), (2, "int16")))
        return [f"a = torch.empty(({size},), dtype=torch.uint8)"], f"a[:{part}].view(torch.{dtype})"
    places = pick(draw, (PLACES, PLACES, PLACES, ("here",), ("meta", "huge", "vast")))
    made = {name: draw(fresh_tensors(places)) for name in "abc"[: draw(st.integers(1, 3))]}
    if pick(draw, (False, False, True)):  # tensors of the same size on meta differ only in their identity
        made = dict.fromkeys(made, made["a"])
    named = [*draw(st.permutations(list(made))), *(pick(draw, list(made)) for _ in range(draw(st.integers(0, 3))))]
    named = named[draw(st.integers(0, len(named))) :] if draw(st.booleans()) else named
    views = [draw(view_of(name, _like(*made[name]))) for name in named]
    return [f"{name} = {code}" for name, (code, _) in made.items()], ", ".join(views)


def _like(code: str, shape: Shape) -> Tensor:
    dtype = torch.complex64 if "torch.complex" in code else torch.float32
    return torch.empty(shape, dtype=dtype, device="meta")
