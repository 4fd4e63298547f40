"""What the properties of kata 08 take for granted of einops and torch."""

import itertools

import einops
import hypothesis
import pytest
import torch

from dojo.judging.profiles import quick

from . import truth
from .faults import SHAPES, SIDE
from .patterns import names_of
from .strategies_einsum import refused_products
from .strategies_patterns import GAINS, KEEPS, LOSES
from .strategies_refusals import refused
from .strategies_tensors import KNOWN_TO_EINOPS, OTHER_OPS

REFUSALS = (einops.EinopsError, ValueError)  # a missing arrow is a ValueError, and an EinopsError is a RuntimeError
DOTS = "there are dots"


def of_einops(kind, x, text, sizes):
    """What einops makes of a case of that kind."""
    if kind == LOSES:
        return einops.reduce(x, text, "sum", **sizes)
    if kind == SIDE:
        names = names_of(text.replace("(", " ").replace(")", " ").split())
        text = f"{text} -> {' '.join(dict.fromkeys(names))}"
    return (einops.repeat if kind == GAINS else einops.rearrange)(x, text, **sizes)


@pytest.mark.parametrize("kind", [SIDE, SHAPES, KEEPS, LOSES, GAINS])
def test_einops_refuses_what_is_drawn_to_be_refused(kind):
    """But for dots on one side that is asked alone, of which the stub says that they are refused."""

    @quick(200)
    @hypothesis.given(cases=refused(kind))
    def each(cases):
        for text, shape, sizes, because in cases:
            if because == DOTS:
                continue
            with pytest.raises(REFUSALS):
                of_einops(kind, truth.on_meta(shape), text, sizes)

    each()


def test_einops_refuses_the_products_that_are_drawn_to_be_refused():
    """torch, which it asks, raises a RuntimeError."""

    @quick(200)
    @hypothesis.given(cases=refused_products())
    def each(cases):
        for text, shapes, _ in cases:
            with pytest.raises((*REFUSALS, RuntimeError)):
                truth.einsum(torch.zeros(shapes[0]), torch.zeros(shapes[1]), text)

    each()


def test_einops_refuses_ops_that_it_does_not_know():
    """Also where there is nothing to reduce."""
    unknown = [op for op in OTHER_OPS if op != KNOWN_TO_EINOPS]
    for op, pattern in itertools.product(unknown, ("a -> ", "a -> a")):
        with pytest.raises(einops.EinopsError, match="Unknown reduction"):
            einops.reduce(torch.zeros(3), pattern, op)


def test_a_dimension_on_meta_may_be_larger_than_memory():
    """Below 2**63 bytes: of larger ones torch says that their size overflows."""
    huge = 65_536**3 * 13_000
    assert einops.rearrange(truth.on_meta((65_536**3, 13_000)), "a b -> (a b)").shape == (huge,)
    with pytest.raises(RuntimeError, match="overflow"):
        truth.on_meta((65_536**3, 65_536))


def test_einops_works_around_what_torch_leaves_open():
    """The mean of no numbers is NaN, and their sum is 0."""
    x = torch.zeros(2, 0)
    assert einops.reduce(x, "a b -> a", "mean").isnan().all()
    assert torch.equal(einops.reduce(x, "a b -> a", "sum"), torch.zeros(2))


def test_unfold_has_the_order_of_a_convolutions_weights():
    """So a row of patches times them is the convolution."""
    images, conv = torch.rand(2, 3, 4, 6), torch.nn.Conv2d(3, 5, 2, stride=2, bias=False)
    rows = truth.patches(images, 2) @ conv.weight.flatten(1).T
    assert torch.allclose(rows, conv(images).flatten(2).mT, atol=1e-6)


def test_grouped_attention_of_torch_shares_neighbouring_heads():
    """With a single key, its value is what comes out."""
    q, k = torch.ones(1, 4, 1, 1, dtype=torch.float64), torch.ones(1, 2, 1, 1, dtype=torch.float64)
    v = torch.tensor([5.0, 7.0], dtype=torch.float64).reshape(1, 2, 1, 1)
    assert truth.attention(q, k, v).flatten().tolist() == [5, 5, 7, 7]
