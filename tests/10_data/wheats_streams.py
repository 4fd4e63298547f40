"""Right answers to kata 10 about batches that come one ahead, and documents, in styles that the solution does not use."""
# mypy: ignore-errors
# ruff: noqa: D101, D102, D103, D105, D107, B905, PERF401, SIM115 - every style of Python is right here

import collections
import itertools
import queue
import threading

import numpy as np
import torch

from dojo.judging.diagnose import answers

# token_dtype


# prefetch


@answers("prefetch")
def prefetch_by_pairs(batches):
    end = object()
    for ready, _ in itertools.pairwise(itertools.chain(batches, [end])):
        yield ready


@answers("prefetch")
class PrefetchByHand:
    def __init__(self, batches):
        self.batches = batches
        self.source = None

    def __iter__(self):
        return self

    def _fetch(self):
        try:
            self.ready = [next(self.source)]
        except StopIteration:
            self.ready = []

    def __next__(self):
        if self.source is None:
            self.source = iter(self.batches)
            self._fetch()
        if not self.ready:
            raise StopIteration
        (batch,) = self.ready
        self._fetch()
        return batch


@answers("prefetch")
def prefetch_in_a_thread(batches):
    wanted, fetched = queue.Queue(), queue.Queue()

    def fetch():
        source = iter(batches)
        while wanted.get():
            try:
                fetched.put([next(source)])
            except StopIteration:
                fetched.put([])

    threading.Thread(target=fetch, daemon=True).start()
    try:
        wanted.put(True)
        ready = fetched.get()
        while ready:
            wanted.put(True)
            coming = fetched.get()
            yield ready[0]
            ready = coming
    finally:
        wanted.put(False)


@answers("prefetch")
class PrefetchAroundAGenerator:
    __slots__ = ("made",)

    def __init__(self, batches):
        self.made = self._hand_out(batches)

    def _hand_out(self, batches):
        held = collections.deque()
        for batch in batches:
            held.append(batch)
            if len(held) > 1:
                yield held.popleft()
        yield from held

    def __iter__(self):
        return self.made

    def __next__(self):
        return next(self.made)


@answers("prefetch")
def prefetch_by_recursion(batches):
    def rest(ready, source):
        while True:
            try:
                coming = next(source)
            except StopIteration:
                yield ready
                return
            yield ready
            ready = coming

    source = iter(batches)
    try:
        first = next(source)
    except StopIteration:
        return
    yield from rest(first, source)


# document_mask


@answers("document_mask")
def document_mask_by_loops(tokens, eos):
    numbers = tokens.tolist()
    rows = []
    for i in range(len(numbers)):
        row, same_document = [False] * len(numbers), True
        for j in range(i, -1, -1):
            same_document = same_document and (j == i or numbers[j] != eos)
            row[j] = same_document
        rows.append(row)
    return torch.tensor(rows, dtype=torch.bool, device=tokens.device).reshape(len(numbers), len(numbers))


@answers("document_mask")
def document_mask_by_blocks(tokens, eos):
    ends = [place + 1 for place, token in enumerate(tokens.tolist()) if token == eos]
    cuts = [0, *ends, len(tokens)]
    blocks = [torch.ones(b - a, b - a, dtype=torch.bool).tril() for a, b in itertools.pairwise(cuts)]
    return torch.block_diag(*blocks).bool().to(tokens.device)


@answers("document_mask")
def document_mask_by_first_tokens(tokens, eos):
    # where the document of each token begins: no token before that is seen
    places = torch.arange(tokens.numel(), device=tokens.device)
    after = torch.nn.functional.pad(tokens, (1, 0), value=eos)[:-1] == eos if tokens.numel() else places.bool()
    began = torch.where(after, places, 0)
    began = began.cummax(0).values if tokens.numel() else began
    return (places[None, :] >= began[:, None]) & (places[None, :] <= places[:, None])


@answers("document_mask")
def document_mask_by_numpy(tokens, eos):
    ended = np.concatenate([[0], np.cumsum(tokens.cpu().numpy() == eos)])[: len(tokens)]
    return torch.from_numpy(np.tril(np.equal.outer(ended, ended))).to(tokens.device)
