"""Batches are fetched one ahead, and attention stays within a document."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect_each, grades

from . import truth
from .runs import run
from .strategies_streams import documents, lists_of_batches, sources

# Each example runs a program of several batches.
HALF = one_in(2)


@grades("prefetch")
@HALF
@given(case=sources())
def test_prefetch_is_one_batch_ahead(kata, case):
    """Each batch comes once and in order, when the one after it has been fetched and none beyond that."""
    taken = [len(case.batches)] if not case.endless else []
    ahead = [(batch, min([place + 2, *taken])) for place, batch in enumerate(case.batches)]
    expect_each(run(kata, "prefetch", case.lines, ["seen", "begun"]), {"seen": ahead, "begun": 0}, "should be")


@grades("prefetch")
@HALF
@given(case=lists_of_batches())
def test_prefetch_takes_what_can_be_iterated(kata, case):
    """batches may be anything that can be iterated over, such as a list, and each is handed out itself, whatever it is.

    Two may be under way at once.
    """
    seen = run(kata, "prefetch", [f"batches = {case.batches}", f"seen = {case.seen}"], ["seen"])
    expect_each(seen, {"seen": case.right}, "should be")


@grades("document_mask")
@given(case=documents())
def test_document_mask_lets_attention_look_at_one_document(kata, device, case):
    """Attention with this mask is causal attention within each document; tokens do not change."""
    right: dict[str, object] = {"mask": truth.document_mask(case.tokens, case.eos, device)}
    seen = run(kata, "document_mask", case.lines, ["mask", "tokens.tolist()"], device)
    expect_each(seen, right)
    expect_each(seen, {"tokens.tolist()": case.tokens}, "should still be")
