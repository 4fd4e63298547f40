"""Wrong answers that people give to kata 10 about batches that are fetched, and documents in one row."""

import copy
import itertools

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# prefetch


@believes("A generator fetches ahead by itself", about="prefetch")
def fetches_what_is_asked_for(batches):
    """It runs only when asked: fetch the next batch before you hand this one out."""
    yield from batches


@believes("The more batches ahead, the better", about="prefetch")
def fetches_two_ahead(batches):
    """Each batch ahead takes memory, and one is enough to overlap with the computation."""
    source = iter(batches)
    ready = list(itertools.islice(source, 2))
    for coming in source:
        ready.append(coming)
        yield ready.pop(0)
    yield from ready


@believes("!= says whether a batch is the end", about="prefetch")
def compares_batches(batches):
    """An array compares each of its numbers, and an `if` then raises a ValueError: ask with `is`."""
    source, end = iter(batches), object()
    ready = next(source, end)
    while ready != end:
        coming = next(source, end)
        yield ready
        ready = coming


@believes("prefetch fetches all batches first", about="prefetch")
def fetches_all(batches):
    """Batches may never end, and all of them may not fit into memory."""
    yield from list(batches)


@believes("When nothing is left to fetch, all batches have been handed out", about="prefetch")
def forgets_the_last(batches):
    """The last batch has been fetched and not yet handed out: hand it out after the loop."""
    for ready, _ in itertools.pairwise(batches):
        yield ready


@believes("At the second to last batch there is nothing left to fetch", about="prefetch")
def hands_out_the_last_but_one_twice(batches):
    """The last batch is left: otherwise it never comes, and the one before it comes twice."""
    held = list(itertools.islice(source := iter(batches), 2))
    for coming in source:
        yield held.pop(0)
        held.append(coming)
    yield from held[:1] * len(held)


@believes("None means that there is no batch", about="prefetch")
def ends_at_none(batches):
    """A batch may be None: only StopIteration means that there is none."""
    source = iter(batches)
    ready = next(source, None)
    while ready is not None:
        coming = next(source, None)
        yield ready
        ready = coming


@believes("-1 means that there is no batch", about="prefetch")
def ends_at_minus_one(batches):
    """A batch may be -1: an object() of your own equals nothing else, and StopIteration needs no such mark."""
    source = iter(batches)
    ready = next(source, -1)
    while type(ready) is not int or ready != -1:
        coming = next(source, -1)
        yield ready
        ready = coming


@believes("An empty batch means that there is none", about="prefetch")
def ends_at_an_empty_tuple(batches):
    """A batch may be (): an object() of your own equals nothing else, and StopIteration needs no such mark."""
    source = iter(batches)
    ready = next(source, ())
    while type(ready) is not tuple or ready:
        coming = next(source, ())
        yield ready
        ready = coming


@believes("A batch has to be copied before the next one is fetched", about="prefetch")
def copies_each_batch(batches):
    """A copy takes time and memory, and is another object than the one that the source made: hand out that one."""
    yield from map(copy.copy, solved.prefetch(batches))


@believes("Whatever a loop can run over is an iterator", about="prefetch")
class CanOnlyBeLoopedOver:
    """An iterator has __next__ too, so that next() gives its first batch and a loop the rest. A generator has both."""

    def __init__(self, batches):
        """Keep them for the loop."""
        self.batches = batches

    def __iter__(self):
        """Begin."""
        return solved.prefetch(self.batches)


@believes("Each loop hands out the batches from the first one on", about="prefetch")
class BeginsAgainInEachLoop:
    """An iterator hands out each batch once: a second loop goes on where the first one stopped."""

    def __init__(self, batches):
        """Keep them for the loops."""
        self.batches = batches
        self.ready = solved.prefetch(batches)

    def __iter__(self):
        """Begin again."""
        self.ready = solved.prefetch(self.batches)
        return self

    def __next__(self):
        """Return the next batch."""
        return next(self.ready)


_held: list[object] = []


@believes("There is only one prefetch at a time", about="prefetch")
def holds_batches_in_a_global(batches):
    """Batches for training and for validation would get mixed up: hold the batch in a variable of the function."""
    _held.clear()
    for batch in batches:
        _held.append(batch)
        if len(_held) == 2:
            yield _held.pop(0)
    while _held:
        yield _held.pop(0)


@believes("A batch is true in a condition", about="prefetch")
def ends_at_what_is_false(batches):
    """0 and an empty list are false, and a tensor of several elements raises an error."""
    source = iter(batches)
    ready = next(source, None)
    while ready:
        coming = next(source, None)
        yield ready
        ready = coming


@believes("Calling prefetch fetches the first batch", about="prefetch")
def begins_at_once(batches):
    """Before the first one is asked for, nothing is fetched: a generator runs from the first next() on."""
    source = iter(batches)
    first = list(itertools.islice(source, 1))
    return solved.prefetch(itertools.chain(first, source))


@believes("There is at least one batch", about="prefetch")
def wants_a_batch(batches):
    """next() raises StopIteration, which a generator turns into a RuntimeError: an empty source gives no batch."""
    source = iter(batches)
    ready = next(source)
    for coming in source:
        yield ready
        ready = coming
    yield ready


@believes("Every iterable has next()", about="prefetch")
def calls_next_of_a_list(batches):
    """A list does not have it: call iter() first, which leaves an iterator as it is."""
    nothing = object()
    ready = next(batches, nothing)
    while ready is not nothing:
        coming = next(batches, nothing)
        yield ready
        ready = coming


@believes("The first batch comes before the second is fetched", about="prefetch")
def starts_late(batches):
    """While the first batch is computed on, the second one has to be there already."""
    source = iter(batches)
    yield from itertools.islice(source, 1)
    yield from solved.prefetch(source)


# document_mask


def _with(tokens, eos, ends):
    """Return tokens that are eos where a document ends, and another token elsewhere."""
    return torch.where(ends, eos, eos ^ 1).to(tokens)


@believes("eos begins a document", about="document_mask")
def begins_at_eos(tokens, eos):
    """eos ends a document: in a cumsum, the eos itself must not count yet."""
    next_begins = (tokens == eos).roll(-1)
    next_begins[-1:] = False
    return solved.document_mask(_with(tokens, eos, next_begins), eos)


@believes("A causal mask is enough", about="document_mask")
def is_causal_alone(tokens, eos):
    """Then a token looks at the documents before its own."""
    return solved.document_mask(torch.full_like(tokens, eos ^ 1), eos)


@believes("Within a document each token looks at all others", about="document_mask")
def looks_ahead(tokens, eos):
    """A token that sees the next one need not predict it: j must not come later than i."""
    mask = solved.document_mask(tokens, eos)
    return mask | mask.T


@believes("A token does not look at itself", about="document_mask")
def does_not_look_at_itself(tokens, eos):
    """It may, because it predicts the next token; and a row without any True has no softmax."""
    return solved.document_mask(tokens, eos).tril(-1)


@believes("eos is padding", about="document_mask")
def hides_every_eos(tokens, eos):
    """It is a token like others: it looks at the document that it ends, and at itself, and is not masked."""
    kept = tokens != eos
    return solved.document_mask(tokens, eos) & kept & kept[:, None]


@believes("The eos before a document is visible in it", about="document_mask")
def sees_the_eos_before(tokens, eos):
    """It belongs to the document that it ends, and the next document does not look at it."""
    places = torch.arange(len(tokens), device=tokens.device)
    began = torch.where(tokens == eos, places, -1).cummax(0).values if len(tokens) else places
    before = torch.cat([began.new_full((1,), -1), began[:-1]]) if len(tokens) else places
    return solved.document_mask(tokens, eos) | (places == before[:, None])


@believes("True means that a token is hidden", about="document_mask")
def masks_what_is_seen(tokens, eos):
    """In scaled_dot_product_attention, True means that a token takes part."""
    return ~solved.document_mask(tokens, eos)


@believes("Columns are the tokens that look, rows those that are looked at", about="document_mask")
def turns_the_mask(tokens, eos):
    """Row i says at which tokens token i may look."""
    return solved.document_mask(tokens, eos).T.contiguous()


@believes("The mask is added to the scores", about="document_mask")
def makes_a_mask_to_add(tokens, eos):
    """0 and -inf would be added; here the mask is bool."""
    return torch.zeros(len(tokens), len(tokens)).masked_fill(~solved.document_mask(tokens, eos), float("-inf"))


@believes("There are two documents at most", about="document_mask")
def cuts_once(tokens, eos):
    """There may be any number: count the eos before each token."""
    ends = tokens == eos
    return solved.document_mask(_with(tokens, eos, ends & (ends.cumsum(0) == 1)), eos)


@believes("The token 0 ends a document", about="document_mask")
def ends_at_zero(tokens, eos):
    """The token eos does: 50256 in GPT-2's vocabulary."""
    return solved.document_mask(tokens, 0)
