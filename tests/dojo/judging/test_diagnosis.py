"""A wrong answer that nobody foresaw is told no belief; what is told of the others is asked with gate 1."""

import math

import pytest
import torch

from dojo.catalog import find
from dojo.judging import gates
from dojo.judging.diagnose import Variant
from tests.dojo.judging.variants import parameters


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.unmatched))
def test_a_wrong_answer_that_matches_none_is_given_no_diagnosis(kata, variant, long):
    """It is rejected, and nothing is guessed; the short form asks one of two."""
    if not long and gates.unmatched(kata).index(variant) % 2:
        pytest.skip("--long asks it")
    assert gates.diagnose(kata, variant, seed=0, all_of_them=long) == []


def without_a_scale(q, k, v, block, causal=False):
    """Attention by blocks, in a style that takes other bytes than any answer of the clone."""
    if block < 1:
        raise ValueError(f"blocks of {block}")
    parts = []
    for first in range(0, q.shape[-2], block):
        part = q[..., first : first + block, :]
        top, total = part.new_full((*part.shape[:-1], 1), -1e30), part.new_zeros((*part.shape[:-1], 1))
        result = part.new_zeros((*part.shape[:-1], v.shape[-1]))
        for start in range(0, first + part.shape[-2] if causal else k.shape[-2], block):
            scores = torch.einsum("...id, ...jd -> ...ij", part, k[..., start : start + block, :])
            if causal:
                hidden = torch.ones_like(scores, dtype=torch.bool).triu(first - start + 1)
                scores = scores.masked_fill(hidden, -math.inf)
            if scores.shape[-1]:
                old, top = top, torch.maximum(top, scores.amax(-1, keepdim=True))
                weights, shrink = (scores - top).exp(), (old - top).exp()
                total = total * shrink + weights.sum(-1, keepdim=True)
                result = result * shrink + weights @ v[..., start : start + block, :]
        parts.append(result / total)
    return torch.cat(parts, -2)


def test_a_belief_is_named_whatever_bytes_the_answer_takes():
    """Where the limit on memory holds for both, that they take different bytes says nothing."""
    kata = find("22")
    (belief,) = (one for one in gates.misconceptions(kata) if one.name == "flash_attention-divides_by_nothing")
    without_a_scale.__module__ = belief.answer.__module__
    told = gates.diagnose(kata, Variant("flash_attention", without_a_scale), seed=0, all_of_them=True)
    assert told == [[belief.belief, belief.advice]]


def test_beliefs_that_a_few_calls_do_not_tell_apart_are_told_apart_by_more():
    """Of a program only some calls are replayed; where several beliefs fit those, more calls are replayed for them."""
    kata = find("09")
    (variant,) = (one for one in gates.misconceptions(kata) if one.name == "Cruncher-KeepsTheProductInEvalMode")
    assert gates.diagnose(kata, variant, seed=0, all_of_them=True) == [[variant.belief, variant.advice]]


def as_a_beginner(a, b):
    """A product of two matrices, whatever the shapes are."""
    return a[-2] * a[-1] * b[-1]


def test_two_beliefs_are_named_though_vectors_and_refusals_are_wrong_too():
    """Vectors on the left raise, those on the right count k times too often, and nothing is refused."""
    kata = find("03")
    beliefs = [one for one in gates.misconceptions(kata) if one.about == "matmul_flops"]
    as_a_beginner.__module__ = beliefs[0].answer.__module__
    told = gates.diagnose(kata, Variant("matmul_flops", as_a_beginner), seed=0, all_of_them=True)
    assert [belief for belief, _ in told or []] == [
        "A multiply-add is one FLOP",
        "A batch of products costs as much as one",
    ]
