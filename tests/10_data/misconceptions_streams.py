"""Wrong answers that people give to kata 10 about batches that are fetched, and documents in one row."""

import itertools

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# prefetch


@believes("A generator is ahead by itself", about="prefetch")
def fetches_what_is_asked_for(batches):
    """It runs only when it is asked: the next batch has to be fetched before this one is handed out."""
    yield from batches


@believes("The farther ahead the better", about="prefetch")
def fetches_two_ahead(batches):
    """Each batch ahead takes memory on the GPU, and one hides the copy already."""
    source = iter(batches)
    ready = list(itertools.islice(source, 2))
    for coming in source:
        ready.append(coming)
        yield ready.pop(0)
    yield from ready


@believes("To prefetch is to fetch all", about="prefetch")
def fetches_all(batches):
    """Batches may never end, and all of them do not fit into memory."""
    yield from list(batches)


@believes("The loop ends when nothing is left to fetch", about="prefetch")
def forgets_the_last(batches):
    """Then one batch has been fetched and not handed out yet: hand it out behind the loop."""
    for ready, _ in itertools.pairwise(batches):
        yield ready


@believes("The last but one has nothing to fetch", about="prefetch")
def hands_out_the_last_but_one_twice(batches):
    """So did the lecture: `i + 2 == len(loader)` leaves the last batch out, and trains on the one before it twice."""
    held = list(itertools.islice(source := iter(batches), 2))
    for coming in source:
        yield held.pop(0)
        held.append(coming)
    yield from held[:1] * len(held)


@believes("None is no batch", about="prefetch")
def ends_at_none(batches):
    """A batch may be anything: StopIteration alone says that there is none."""
    source = iter(batches)
    ready = next(source, None)
    while ready is not None:
        coming = next(source, None)
        yield ready
        ready = coming


@believes("A batch is true", about="prefetch")
def ends_at_what_is_false(batches):
    """0 and an empty list are false as well, and a tensor of several numbers is neither."""
    source = iter(batches)
    ready = next(source, None)
    while ready:
        coming = next(source, None)
        yield ready
        ready = coming


@believes("The first batch is fetched when the loader is made", about="prefetch")
def begins_at_once(batches):
    """Nobody has asked for it yet: a generator begins with the first next()."""
    source = iter(batches)
    first = list(itertools.islice(source, 1))
    return solved.prefetch(itertools.chain(first, source))


@believes("There is a first batch", about="prefetch")
def wants_a_batch(batches):
    """next() of nothing raises StopIteration, in a generator a RuntimeError: an empty source gives nothing."""
    source = iter(batches)
    ready = next(source)
    for coming in source:
        yield ready
        ready = coming
    yield ready


@believes("What can be iterated has a next", about="prefetch")
def calls_next_of_a_list(batches):
    """A list has not: iter() makes an iterator of it, and of an iterator itself."""
    nothing = object()
    ready = next(batches, nothing)
    while ready is not nothing:
        coming = next(batches, nothing)
        yield ready
        ready = coming


@believes("The first batch comes before anything is fetched ahead", about="prefetch")
def starts_late(batches):
    """While the GPU computes on the first batch, the second one is to be there already."""
    source = iter(batches)
    yield from itertools.islice(source, 1)
    yield from solved.prefetch(source)


# document_mask


def _documents(tokens, eos):
    ends = (tokens == eos).long()
    return ends.cumsum(0) - ends


@believes("eos begins a document", about="document_mask")
def begins_at_eos(tokens, eos):
    """It ends one: in a cumsum the eos itself must not count yet."""
    begun = (tokens == eos).cumsum(0)
    return (begun[:, None] == begun).tril()


@believes("A causal mask will do", about="document_mask")
def is_causal_alone(tokens, eos):
    """Then a token looks into the document before its own, which has nothing to do with it."""
    return torch.ones(len(tokens), len(tokens), dtype=torch.bool, device=tokens.device).tril()


@believes("Within a document each looks at all", about="document_mask")
def looks_ahead(tokens, eos):
    """A token that sees the next one need not predict it: j comes no later than i."""
    document = _documents(tokens, eos)
    return document[:, None] == document


@believes("A token does not look at itself", about="document_mask")
def does_not_look_at_itself(tokens, eos):
    """It predicts the next token, so it may; and a row without any True has no softmax."""
    return solved.document_mask(tokens, eos).tril(-1)


@believes("eos is padding", about="document_mask")
def hides_every_eos(tokens, eos):
    """It is a token like others: it looks at the document that it ends, and at itself."""
    kept = tokens != eos
    return solved.document_mask(tokens, eos) & kept & kept[:, None]


@believes("eos is seen from both sides", about="document_mask")
def sees_the_eos_before(tokens, eos):
    """It belongs to the document that it ends, and the next one does not look at it."""
    places = torch.arange(len(tokens), device=tokens.device)
    began = torch.where(tokens == eos, places, -1).cummax(0).values if len(tokens) else places
    before = torch.cat([began.new_full((1,), -1), began[:-1]]) if len(tokens) else places
    return solved.document_mask(tokens, eos) | (places == before[:, None])


@believes("A mask is True where nobody may look", about="document_mask")
def masks_what_is_seen(tokens, eos):
    """For scaled_dot_product_attention True means that a token takes part."""
    return ~solved.document_mask(tokens, eos)


@believes("Rows are looked at, and columns look", about="document_mask")
def turns_the_mask(tokens, eos):
    """Row i says at whom token i looks."""
    return solved.document_mask(tokens, eos).T.contiguous()


@believes("A mask is added", about="document_mask")
def makes_a_mask_to_add(tokens, eos):
    """0 and -inf would be added to the scores; asked for is bool."""
    return torch.zeros(len(tokens), len(tokens)).masked_fill(~solved.document_mask(tokens, eos), float("-inf"))


@believes("There are two documents in a row", about="document_mask")
def cuts_once(tokens, eos):
    """There may be any number: count the eos before each token."""
    document = _documents(tokens, eos).clamp(max=1)
    return (document[:, None] == document).tril()


@believes("0 ends a document", about="document_mask")
def ends_at_zero(tokens, eos):
    """Which token does is said by eos: 50256 in GPT-2's vocabulary."""
    return solved.document_mask(tokens, 0)
