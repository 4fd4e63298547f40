"""What the properties take for granted of torch: a new torch breaks a test here, and not a learner's verdict."""

import itertools

import pytest
import torch

from tests import truth
from tests.strategies_memory import dtypes


@pytest.mark.parametrize(
    ("a", "b"),
    [((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 1)), ((2, 0), (0, 4))],
    ids=str,
)
def test_the_counter_counts_two_flops_for_each_multiply_add_of_a_matrix_product(a, b):
    """A loop over every index counts as much, on the CPU and on meta."""
    batch = "pq"[: max(len(a), len(b)) - 2]
    wide = tuple(torch.broadcast_shapes(a[:-2], b[:-2]))
    by_loop = truth.count_by_loop(f"{batch}mk,{batch}kn->{batch}mn", (*wide, *a[-2:]), (*wide, *b[-2:]))
    for device in ("cpu", "meta"):
        operands = (torch.empty(shape, device=device) for shape in (a, b))
        assert truth.flops(torch.matmul, *operands) == by_loop


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((5, 2, 3), (3,)), ((3,), (3,))], ids=str)
def test_the_counter_is_blind_to_a_vector_on_the_right(shapes):
    """That is why a loop counts wherever a vector takes part."""
    assert truth.flops(torch.matmul, *(torch.empty(shape) for shape in shapes)) == 0
    assert truth.matmul_flops("cpu", *shapes) > 0


@pytest.mark.parametrize("equation", ["ij,jk->ik", "ij,kj->", "bij,bjk->bk", "i,i->", "ij,ij->j"])
def test_the_loop_computes_what_torch_computes(equation):
    """Its count can be trusted because its result is right."""
    sizes = dict(zip("ijkb", (2, 3, 4, 2), strict=True))
    a, b = equation.partition("->")[0].split(",")
    x, y = (truth._numbers(tuple(sizes[i] for i in indices)) for indices in (a, b))
    result, operations = truth.einsum_by_loop(equation, x, y)
    assert torch.equal(result, torch.einsum(equation, x, y))
    multiply_adds = 1
    for index in set(a + b):
        multiply_adds *= sizes[index]
    assert operations == 2 * multiply_adds


def test_the_counter_drops_einsum_indices_of_size_1():
    """Torch multiplies elementwise there, which is not counted: the loop counts those cases."""
    assert truth.flops(torch.einsum, "ij,jk->ik", torch.empty(2, 1), torch.empty(1, 4)) == 0


def test_linear_counts_no_bias_and_needs_no_batch():
    """2 · 3 · 4 for one row of 3 inputs and 4 outputs."""
    assert truth.linear_flops("cpu", (3,), 4) == 24
    assert truth.linear_flops("cpu", (5, 2, 3), 4) == 240


def test_attention_counts_two_products_and_a_causal_mask_saves_nothing():
    """2 products of 2 · 2 · 3 · 4 · 7 · 5."""
    assert truth.attention_flops("cpu", 2, 3, 4, 7, 5) == 2 * 2 * 2 * 3 * 4 * 7 * 5
    q = torch.empty(2, 3, 4, 5)

    def causal(q):
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            torch.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True)

    assert truth.flops(causal, q) == truth.attention_flops("cpu", 2, 3, 4, 4, 5)


def test_a_storage_of_meta_or_of_nothing_has_no_address():
    """So a data pointer does not tell storages apart."""
    assert torch.empty(3, device="meta").untyped_storage().data_ptr() == 0
    assert torch.empty(0).untyped_storage().data_ptr() == 0
    assert torch.empty(3, device="meta").untyped_storage().nbytes() == 12


def test_metadata_on_meta_is_what_torch_stores_of_a_real_view():
    """Views are computed without a storage; nobody looks whether they would fit."""
    view = ((2, 3), (7, 2), 5)
    assert truth.described(truth.metadata(*view)) == view
    assert truth.described(truth.metadata(*view).transpose(0, 1)) == ((3, 2), (2, 7), 5)
    assert truth.described(truth.viewed(view)) == view


def test_unravel_index_is_numpys():
    """Which stands in for it, since torch's imports sympy at its first use."""
    for shape in [(), (1,), (5,), (2, 3), (3, 1, 2), (2, 3, 4), (2**20, 3, 2**20)]:
        numel = torch.Size(shape).numel()
        for flat in {0, numel // 3, numel // 2, numel - 1}:
            places = torch.unravel_index(torch.tensor(flat), shape)
            assert truth.unravel_index(flat, shape) == tuple(place.item() for place in places)


def test_the_smallest_storage_is_found_by_trying():
    """The last element of ((2, 3), (7, 2), 5) lies at 5 + 1 · 7 + 2 · 2 = 16."""
    assert truth.smallest_storage(((2, 3), (7, 2), 5)) == 17
    assert truth.smallest_storage(((2, 0), (7, 2), 5)) == 0
    assert truth.smallest_storage(((), (), 0)) == 1


def test_a_write_through_one_view_is_seen_through_another():
    """Even places and odd places, then even places and place 2."""
    assert not truth.share_an_element(((3,), (2,), 0), ((3,), (2,), 1))
    assert truth.share_an_element(((3,), (2,), 0), ((1,), (1,), 2))
    assert not truth.share_an_element(((0,), (1,), 0), ((3,), (1,), 0))


def test_view_takes_every_shape_that_some_strides_can_show():
    """Torch refuses a view only where no strides would do, found by trying all strides up to 12."""
    for shape, strides in itertools.product(
        [(2, 2), (2, 3), (1, 4), (2, 1, 2)], itertools.product((0, 1, 2, 3), repeat=3)
    ):
        x = truth.viewed((shape, strides[: len(shape)], 0))
        for new_shape in ((x.numel(),), (2, x.numel() // 2), (x.numel() // 2, 1, 2)):
            elements = x.flatten().tolist()
            possible = any(
                truth.viewed((new_shape, tried, 0)).flatten().tolist() == elements
                for tried in itertools.product(range(7), repeat=len(new_shape))
            )
            assert (truth.viewed_as(x, new_shape) is not None) == possible


def test_negative_sizes_that_expand_should_refuse():
    """Torch takes these two; no property asks about them."""
    assert truth.metadata((), ()).expand((-1, 0)).shape[0] == -1
    assert truth.metadata((1, 0), (1, 1)).expand((-2, 0)).shape[0] == -2


def test_a_0d_tensor_has_a_dimension_to_transpose_and_none_to_select():
    """Torch wraps dimensions of a 0-d tensor as if it had one; Python would not. No property asks about that."""
    assert torch.empty(()).transpose(0, -1).shape == ()
    with pytest.raises(IndexError):
        torch.empty(()).select(0, 0)


def test_the_dtypes_drawn_are_all_that_torch_allocates():
    """Complex, bool, float8 and the unsigned integers among those that can be copied; int4 among those that cannot."""
    names = {str(dtype).removeprefix("torch.") for dtype in dtypes(can_copy=True)}
    assert {"float32", "bool", "complex32", "complex128", "float8_e4m3fn", "float8_e8m0fnu", "bfloat16"} <= names
    assert {"uint8", "uint16", "uint32", "uint64", "int64", "float4_e2m1fn_x2"} <= names
    assert {str(dtype).removeprefix("torch.") for dtype in dtypes(can_copy=False)} >= {"int4", "uint1"}
    assert torch.empty(3, dtype=torch.int4, device="meta").clone().untyped_storage().nbytes() == 3


def test_model_bytes_counts_addresses():
    """4 · (2 · 3 + 3) for a layer, once however often it is named."""
    assert truth.model_bytes(["model = nn.Linear(2, 3)"]) == 36
    assert truth.model_bytes(["model = nn.Sequential(nn.Linear(2, 3))", "model.append(model[0])"]) == 36
    assert truth.model_bytes(["model = nn.BatchNorm1d(3)"]) == 4 * 3 * 4 + 8
