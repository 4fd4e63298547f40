"""What the properties of kata 03 take for granted of torch: a new torch breaks a test, and no verdict."""

import itertools

import pytest
import torch

from . import truth


@pytest.mark.parametrize(
    ("a", "b"),
    [((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 1)), ((2, 0), (0, 4))],
    ids=str,
)
def test_the_counter_counts_two_flops_for_each_multiply_add_of_a_matrix_product(a, b):
    """A loop over every index counts the same, on the CPU and on meta."""
    batch = "pq"[: max(len(a), len(b)) - 2]
    wide = tuple(torch.broadcast_shapes(a[:-2], b[:-2]))
    by_loop = truth.count_by_loop(f"{batch}mk,{batch}kn->{batch}mn", (*wide, *a[-2:]), (*wide, *b[-2:]))
    for device in ("cpu", "meta"):
        operands = (torch.empty(shape, device=device) for shape in (a, b))
        assert truth.flops(torch.matmul, *operands) == by_loop


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((5, 2, 3), (3,)), ((3,), (3,))], ids=str)
def test_the_counter_is_blind_to_a_vector_on_the_right(shapes):
    """That is why a loop counts wherever a vector is involved."""
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


@pytest.mark.parametrize("factors", list(itertools.product((1, 3, 2**24), repeat=3)), ids=str)
def test_a_count_grows_with_each_size(factors):
    """So a count at small sizes can be scaled to sizes that no tensor has."""
    m, k, n = (size * factor for size, factor in zip((2, 3, 5), factors, strict=True))
    large = [torch.empty(shape, device="meta") for shape in ((m, k), (k, n))]
    assert truth.flops(torch.matmul, *large) == truth.scaled(truth.matmul_flops("cpu", (2, 3), (3, 5)), *factors)
    assert truth.mlp_flops("meta", m, (6, 4, 8)) == truth.scaled(truth.mlp_flops("cpu", 2, (3, 2, 4)), factors[0], 2, 2)
    counted = truth.scaled(truth.attention_flops("cpu", 2, 3, 2, 3, 5), *factors)
    assert truth.attention_flops("meta", 2, 3, m, k, n) == counted


@pytest.mark.parametrize("factors", list(itertools.product((1, 2, 3), repeat=3)), ids=str)
def test_a_count_by_loop_grows_with_each_size(factors):
    """The loop does so too, where torch's counter is blind."""
    (m, m_by), (k, k_by), (n, n_by) = zip((2, 3, 4), factors, strict=True)
    for equation, by, small, large in [
        ("k,kn->n", (k_by, n_by), ((k,), (k, n)), ((k * k_by,), (k * k_by, n * n_by))),
        ("mk,k->m", (m_by, k_by), ((m, k), (k,)), ((m * m_by, k * k_by), (k * k_by,))),
    ]:
        assert truth.count_by_loop(equation, *large) == truth.scaled(truth.count_by_loop(equation, *small), *by)
