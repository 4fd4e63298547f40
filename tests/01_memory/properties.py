"""The properties of kata 01, checked against torch's storages, NumPy's packing and CUDA's allocator."""

import functools

import torch

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, expect_that, grades

from ..shared import described
from . import pictures, scenarios, truth
from .strategies_bits import growing_packings, negative_requests, packings, refused_packings, requests
from .strategies_models import AFTERWARDS, additions, huge_models, models, on_meta
from .strategies_tensors import (
    BLOCK,
    LOOKS,
    cuda_tensors,
    every_dtype,
    kept_tensors,
    resizings,
    storage_cases,
    tensor_codes,
)


@grades("get_memory_usage")
@given(code=tensor_codes())
def test_memory_usage_is_the_storage_of_a_fresh_tensor_like_it(kata, device, code):
    """Each element takes the bytes of its dtype, shared or not."""
    expect(kata.run(scenarios.memory_usage, code, device), truth.fresh_bytes(code, device), "elements take")


@grades("get_memory_usage", stays="the only one that asks every dtype in every run")
@one_in(20)
@given(codes=every_dtype())
def test_memory_usage_of_every_dtype_and_of_huge_tensors(kata, device, codes):
    """Each element takes the bytes of its dtype, and no dtype takes less than a byte."""
    for code in codes:
        expect(kata.run(scenarios.memory_usage, code, device), truth.fresh_bytes(code, device), "elements take")


@grades("get_memory_usage", device="cuda", stays="the only one that asks the allocator; it runs on CUDA alone")
@given(code=cuda_tensors())
def test_memory_usage_is_what_cuda_hands_out_but_for_rounding(kata, code):
    """CUDA's allocator hands out the bytes of a tensor's elements, rounded up to a multiple of 512."""
    grown = truth.cuda_growth(lambda: described.tensor(code, "cuda"))
    answer = kata.run(scenarios.memory_usage, code, "cuda")
    fits = type(answer) is int and grown - BLOCK < answer <= grown
    expect_that(fits, answer, truth.fresh_bytes(code, "cuda"), "elements take")


@grades("get_memory_usage", stays="the only one that asks the same tensor twice")
@one_in(10)
@given(sizes=resizings())
def test_memory_usage_is_that_of_the_tensor_as_it_is_by_then(kata, sizes):
    """A tensor that was resized after it was measured takes a different number of bytes."""
    asked_twice(kata, "get_memory_usage", sizes, "torch.empty(a.shape).untyped_storage().nbytes()")


@grades("get_memory_usage", stays="the only one that looks at the tensor afterwards")
@one_in(5)
@given(lines=kept_tensors())
def test_memory_usage_leaves_the_tensor_as_it_is(kata, lines):
    """The tensor stays as it is. Its gradient, if it has one, is another tensor and does not count."""
    looked_at(kata, "get_memory_usage", lines, "torch.empty(a.shape).untyped_storage().nbytes()")


@grades("get_storage_usage")
@given(case=storage_cases())
def test_storage_usage_counts_each_storage_once_and_whole(kata, device, case):
    """A view keeps its whole storage alive. A storage that two views share counts once."""
    bases, views = case
    answer = kata.run(scenarios.storage_usage, bases, views, device)
    draw = functools.partial(pictures.views_of, bases, views, device)
    expect(answer, truth.storage_bytes(bases, views, device), "torch stores", draw=draw)


@grades("get_storage_usage", stays="the only one that asks the same tensor twice")
@one_in(10)
@given(sizes=resizings())
def test_storage_usage_is_that_of_the_storage_as_it_is_by_then(kata, sizes):
    """A storage that has grown since it was measured has more bytes. If its tensor shrinks, it keeps its bytes."""
    asked_twice(kata, "get_storage_usage", sizes, "a.untyped_storage().nbytes()")


@grades("get_storage_usage", stays="the only one that looks at the tensor afterwards, and at gradients")
@one_in(5)
@given(lines=kept_tensors())
def test_storage_usage_leaves_the_tensor_as_it_is(kata, lines):
    """The tensor stays as it is. Its gradient, if it has one, is another tensor and does not count."""
    looked_at(kata, "get_storage_usage", lines, "a.untyped_storage().nbytes()")


def looked_at(kata, function, lines, right):
    """Ask about a tensor, and look at it afterwards; `right` is code for the answer."""
    seen = kata.run(scenarios.program, function, [*lines, f"nbytes = {function}(a)"], ["nbytes", *LOOKS])
    want = truth.watched(lines, [right, *LOOKS])
    expect_each(seen, {"nbytes": want[right], **{look: want[look] for look in LOOKS}}, "should be")


def asked_twice(kata, function, sizes, right):
    """Ask about a tensor before and after it is resized; `right` is code for the second answer."""
    made, change = f"a = torch.empty({sizes[0]})", f"a = a.resize_({sizes[1]})"
    program = [made, f"before = {function}(a)", change, f"after = {function}(a)"]
    seen = kata.run(scenarios.program, function, program, ["after"])
    expect_each(seen, {"after": truth.watched([made, change], [right])[right]}, "torch has")


@grades("get_model_memory")
@given(lines=models(), meta=on_meta())
def test_model_memory_is_every_byte_of_parameters_and_buffers_once(kata, device, lines, meta):
    """All parameters and buffers count, trainable or not, persistent or not. Each storage counts once, also on meta."""
    place = "meta" if meta else device
    answer = kata.run(scenarios.model_memory, lines, place)
    expect(answer, truth.model_bytes(lines), "torch stores", draw=functools.partial(pictures.of_model, lines, place))


@grades("get_model_memory", stays="the only one at the size of real models, which nothing may allocate")
@given(case=huge_models())
def test_model_memory_of_a_model_too_large_to_allocate(kata, case):
    """A model on meta counts like any other, whatever its size, and also with tied weights."""
    lines, parts = case
    answer = kata.run(scenarios.model_memory, lines, "meta")
    draw = functools.partial(pictures.of_model, lines, "meta")
    expect(answer, truth.distinct_bytes(lines, parts, "meta"), "torch stores", draw=draw)


@grades("get_model_memory", stays="the only one that looks at the model afterwards")
@one_in(4)
@given(lines=models())
def test_model_memory_leaves_the_model_as_it_is(kata, lines):
    """The model stays unchanged, including its mode, its gradients and the number of attributes of each module."""
    program = [*lines, "nbytes = get_model_memory(model)"]
    seen = kata.run(scenarios.program, "get_model_memory", program, AFTERWARDS)
    expect_each(seen, truth.watched(lines, AFTERWARDS), "should still be")


@grades("get_model_memory", stays="the only one that asks the same model twice")
@one_in(4)
@given(lines=models(alone=False), change=additions())
def test_model_memory_is_that_of_the_model_as_it_is_by_then(kata, lines, change):
    """A model that has grown since it was measured has more bytes."""
    program = [*lines, "before = get_model_memory(model)", change, "nbytes = get_model_memory(model)"]
    seen = kata.run(scenarios.program, "get_model_memory", program, ["nbytes"])
    expect_each(seen, {"nbytes": truth.model_bytes([*lines, change])}, "torch stores")


@grades("packed_bytes")
@given(case=packings())
def test_packed_bytes_are_those_of_numpys_packing(kata, case):
    """Values are packed without gaps: only the last byte may be partly empty."""
    expect(kata.packed_bytes(*case), truth.packed_bytes(*case), "numpy packs")


@grades("packed_bytes")
@given(case=growing_packings())
def test_packed_bytes_grow_by_a_byte_for_eight_bits_more(kata, case):
    """Eight more values take `bits` more bytes. Eight more bits per value take numel more bytes, however large."""
    numel, bits, eights, more = case
    few = truth.packed_bytes(numel, bits)
    if more == "values":  # 8 · eights values of `bits` bits are eights · bits bytes
        expect(kata.packed_bytes(numel + 8 * eights, bits), few + eights * bits, "exactly")
    else:  # 8 · eights more bits per value are eights more bytes per value
        expect(kata.packed_bytes(numel, bits + 8 * eights), few + eights * numel, "exactly")


@grades("packed_bytes")
@given(case=refused_packings())
def test_packed_bytes_refuses_fewer_than_no_values_and_less_than_a_bit(kata, case):
    """numel below 0 or bits below 1 raises a ValueError."""
    least = {"numel": 0, "bits": 1}
    wrong = [f"{name} is {value}" for name, value in zip(least, case, strict=True) if value < least[name]]
    expect_error(ValueError, kata.packed_bytes, *case, because=" and ".join(wrong))


@grades("cuda_allocation")
@given(nbytes=requests())
def test_cuda_allocation_is_the_smallest_multiple_of_512_that_is_enough(kata, nbytes):
    """The result is the smallest multiple of 512 that is not less than the request."""
    answer = kata.cuda_allocation(nbytes)
    fits = type(answer) is int and answer % BLOCK == 0 and nbytes <= answer < nbytes + BLOCK
    expect_that(fits, answer, -(-nbytes // BLOCK) * BLOCK, "CUDA gives")


@grades("cuda_allocation", device="cuda", stays="the only one that asks the allocator; it runs on CUDA alone")
@given(nbytes=requests())
def test_cuda_allocation_is_what_memory_allocated_grows_by(kata, nbytes):
    """The result is what torch.cuda.memory_allocated grows by for a tensor of that many bytes."""
    grown = truth.cuda_growth(lambda: torch.empty(nbytes, dtype=torch.uint8, device="cuda"))
    expect(kata.cuda_allocation(nbytes), grown, "CUDA gives")


@grades("cuda_allocation")
@given(nbytes=negative_requests())
def test_cuda_allocation_refuses_less_than_nothing(kata, nbytes):
    """A negative request raises a ValueError."""
    expect_error(ValueError, kata.cuda_allocation, nbytes, because=f"nbytes is {nbytes}")
