"""Right answers to kata 10, written differently from the solution: none of them may ever be rejected."""
# ruff: noqa: D101, D102, D103, D105, D107, B905, PERF401, SIM115 - every style of Python is right here

import array
import bisect
import hashlib
import io
import itertools
import json
import math
import mmap
import os
import pathlib
import queue
import random
import struct
import sys
import threading

import numpy as np
import torch

from dojo.judging.diagnose import answers

# token_dtype


@answers("token_dtype")
def token_dtype_by_bits(vocab_size):
    if vocab_size < 1:
        raise ValueError("no tokens")
    width = (vocab_size - 1).bit_length()
    if width > 32:
        raise ValueError("too many tokens")
    return "uint" + str(max(8, 1 << max(0, width - 1).bit_length()))


@answers("token_dtype")
def token_dtype_by_bisection(vocab_size):
    if vocab_size <= 0:
        raise ValueError(vocab_size)
    names = ["uint8", "uint16", "uint32"]
    try:
        return names[bisect.bisect_left([1 << 8, 1 << 16, 1 << 32], vocab_size)]
    except IndexError:
        raise ValueError(vocab_size) from None


@answers("token_dtype")
def token_dtype_by_torch(vocab_size):
    for dtype in (torch.uint8, torch.uint16, torch.uint32):
        if 0 <= vocab_size - 1 <= torch.iinfo(dtype).max:
            return str(dtype).removeprefix("torch.")
    raise ValueError(f"expected 1 to {2**32}, got {vocab_size}")


# write_tokens

WIDTHS = {"uint8": 1, "uint16": 2, "uint32": 4}


@answers("write_tokens")
def write_tokens_by_struct(path, tokens, vocab_size):
    letter = {1: "B", 2: "H", 4: "I"}[WIDTHS[token_dtype_by_bits(vocab_size)]]
    found = [*tokens]
    if any(token not in range(vocab_size) for token in found):
        raise ValueError("a token of another vocabulary")
    with open(path, mode="wb") as file:
        file.write(struct.pack(f"<{len(found)}{letter}", *found))


@answers("write_tokens")
def write_tokens_one_by_one(path, tokens, vocab_size):
    size = WIDTHS[token_dtype_by_torch(vocab_size)]
    with pathlib.Path(path).open("wb", buffering=64) as file:
        for token in tokens:
            if token < 0:
                raise ValueError(f"{token} is below 0")
            if token > vocab_size - 1:
                raise ValueError(f"{token} is too large")
            for _ in range(size):
                file.write(bytes([token & 255]))
                token >>= 8


@answers("write_tokens")
def write_tokens_in_parts(path, tokens, vocab_size):
    dtype = token_dtype_by_bisection(vocab_size)
    source = iter(tokens)
    temporary = f"{path}.new"
    try:
        with open(temporary, "wb") as file:
            while part := list(itertools.islice(source, 2)):
                if min(part) < 0 or max(part) >= vocab_size:
                    raise ValueError(part)
                torch.tensor(part, dtype=torch.int64).numpy().astype(dtype).tofile(file)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


@answers("write_tokens")
def write_tokens_by_an_array(path, tokens, vocab_size):
    made = array.array({1: "B", 2: "H", 4: "I"}[WIDTHS[token_dtype_by_bits(vocab_size)]])
    for token in tokens:
        if not (token >= 0 and token < vocab_size):
            raise ValueError
        made.append(token)
    if sys.byteorder == "big":
        made.byteswap()
    out = io.BytesIO()
    out.write(made.tobytes())
    pathlib.Path(path).write_bytes(out.getvalue())


# open_tokens


@answers("open_tokens")
def open_tokens_by_mmap(path, vocab_size):
    name = token_dtype_by_torch(vocab_size)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        if size % WIDTHS[name] != 0:
            raise ValueError("a part of a token")
        data = mmap.mmap(descriptor, size, prot=mmap.PROT_READ) if size else b""
    finally:
        os.close(descriptor)
    return np.ndarray((size // WIDTHS[name],), "<" + np.dtype(name).str[1:], data)


@answers("open_tokens")
def open_tokens_by_torch(path, vocab_size):
    name = token_dtype_by_bits(vocab_size)
    count, rest = divmod(os.path.getsize(path), WIDTHS[name])
    if rest > 0:
        raise ValueError(rest)
    dtype = getattr(torch, name)
    tokens = (
        torch.from_file(os.fspath(path), shared=False, size=count, dtype=dtype) if count else torch.empty(0).to(dtype)
    )
    seen = tokens.numpy()
    seen.setflags(write=False)
    return seen


@answers("open_tokens")
def open_tokens_of_a_shape(path, vocab_size):
    dtype = np.dtype(token_dtype_by_bisection(vocab_size))
    with open(path, "rb") as file:
        end = file.seek(0, io.SEEK_END)
        if end & (dtype.itemsize - 1):
            raise ValueError(path)
        if end == 0:
            return np.broadcast_to(np.zeros((), dtype), (0,))
        return np.memmap(file, dtype=dtype, mode="r", shape=(end // dtype.itemsize,))


@answers("open_tokens")
def open_tokens_locked_by_hand(path, vocab_size):
    dtype = token_dtype_by_bits(vocab_size)
    if not pathlib.Path(path).stat().st_size:
        tokens = np.zeros((0,), dtype=dtype)
    else:
        tokens = np.memmap(path, dtype=dtype, mode="c")  # its own ValueError says that a part of a token is left
    tokens.flags["WRITEABLE"] = False
    return tokens.view(np.ndarray)


# get_batch


def _number_of_starts(tokens, batch_size, sequence_length):
    count = tokens.shape[0] - sequence_length
    if batch_size <= 0 or sequence_length <= 0 or count <= 0:
        raise ValueError((batch_size, sequence_length, len(tokens)))
    return count


@answers("get_batch")
def get_batch_by_fancy_indices(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    starts = torch.empty(batch_size, 1, dtype=torch.int64).random_(count, generator=generator)
    places = (starts + torch.arange(sequence_length)).numpy()
    x = torch.tensor(np.asarray(tokens[places]).tolist(), dtype=torch.long, device=device)
    y = torch.tensor(np.asarray(tokens[places + 1]).tolist(), dtype=torch.long, device=device)
    return x, y


@answers("get_batch")
def get_batch_window_by_window(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    xs, ys = [], []
    for _ in range(batch_size):
        start = torch.randint(0, count, size=(1,), generator=generator).item()
        window = torch.from_numpy(np.array(tokens[start : start + sequence_length + 1], dtype=np.int64))
        xs.append(window[:-1])
        ys.append(window[1:])
    return torch.stack(xs).to(device), torch.stack(ys).to(device)


@answers("get_batch")
def get_batch_by_a_strided_view(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    step = tokens.strides[0]
    table = np.lib.stride_tricks.as_strided(tokens, (count, sequence_length + 1), (step, step), writeable=False)
    rows = table[torch.randint(count, (batch_size,), generator=generator).numpy()]
    x, y = np.empty((2, batch_size, sequence_length), np.int64)
    x[...], y[...] = rows[:, :sequence_length], rows[:, 1:]
    return torch.tensor(x).to(torch.device(device)), torch.tensor(y).to(torch.device(device))


@answers("get_batch")
def get_batch_by_a_seed_for_numpy(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    own = np.random.Generator(np.random.PCG64(torch.randint(2**63 - 1, (2,), generator=generator).tolist()))
    batch = torch.zeros(2, batch_size, sequence_length, dtype=torch.int64)
    for row, start in enumerate(own.integers(0, count, size=batch_size)):
        for place in range(sequence_length):
            batch[0, row, place] = int(tokens[start + place])
            batch[1, row, place] = int(tokens[start + place + 1])
    return batch[0].clone().to(device), batch[1].clone().to(device)


# epoch_order


@answers("epoch_order")
def epoch_order_by_fisher_and_yates(num_windows, seed, epoch):
    own = random.Random(f"{seed} and {epoch}")
    order = []
    for window in range(num_windows):
        place = own.randint(0, window)
        order.append(window)
        order[place], order[window] = order[window], order[place]
    return order


@answers("epoch_order")
def epoch_order_by_digests(num_windows, seed, epoch):
    def key(window):
        return hashlib.sha256(json.dumps([seed, epoch, window]).encode()).digest()

    return sorted(range(num_windows), key=key)


@answers("epoch_order")
def epoch_order_by_two_generators(num_windows, seed, epoch):
    # torch's takes 32 bits, so the order of the one is put into the order of the other
    one = torch.randperm(num_windows, generator=torch.Generator().manual_seed(seed))
    other = np.random.RandomState([seed, epoch, 7]).permutation(num_windows)
    return one[torch.from_numpy(other)].tolist()


@answers("epoch_order")
def epoch_order_by_spawned_seeds(num_windows, seed, epoch):
    child = np.random.SeedSequence(seed, spawn_key=(epoch,))
    windows = np.arange(num_windows)
    np.random.Generator(np.random.Philox(child)).shuffle(windows)
    return list(map(int, windows))


# shard


@answers("shard")
def shard_by_dealing(order, rank, world_size):
    if rank not in range(world_size):
        raise ValueError((rank, world_size))
    hands = [[] for _ in range(world_size)]
    for round in range(len(order) // world_size):
        for player in range(world_size):
            hands[player].append(order[round * world_size + player])
    return hands[rank]


@answers("shard")
def shard_by_zip(order, rank, world_size):
    if rank < 0 or world_size <= rank:
        raise ValueError(rank)
    whole = zip(*(order[first::world_size] for first in range(world_size)))
    return [group[rank] for group in whole]


@answers("shard")
def shard_by_a_table(order, rank, world_size):
    if not (rank >= 0 and rank < world_size):
        raise ValueError("no such rank")
    left = len(order) % world_size
    table = torch.tensor(order[: len(order) - left], dtype=torch.int64).reshape(-1, world_size)
    return table[:, rank].tolist()


# Loader


@answers("Loader")
class LoaderByAGenerator:
    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        if world_size < 1 or not 0 <= rank <= world_size - 1 or batch_size < 1 or sequence_length < 1:
            raise ValueError((rank, world_size, batch_size, sequence_length))
        self.arguments = tokens, batch_size, sequence_length, rank, world_size
        self.windows = max(0, len(tokens) - 1) // sequence_length
        self.each = self.windows // (world_size * batch_size)
        if not self.each:
            raise ValueError("too few tokens")
        self.load_state_dict({"seed": seed, "steps": 0})

    def _from(self, seed, steps):
        tokens, batch_size, length, rank, world_size = self.arguments
        for epoch in itertools.count(steps // self.each):
            order = epoch_order_by_fisher_and_yates(self.windows, seed, epoch)
            mine = itertools.islice(order, rank, None, world_size)
            rounds = [list(itertools.islice(mine, batch_size)) for _ in range(self.each)]
            for windows in rounds[steps % self.each if epoch == steps // self.each else 0 :]:
                cut = [tokens[w * length : (w + 1) * length + 1].tolist() for w in windows]
                yield torch.tensor([row[:-1] for row in cut]), torch.tensor([row[1:] for row in cut])

    def __iter__(self):
        return self

    def __next__(self):
        self.state = {**self.state, "steps": self.state["steps"] + 1}
        return next(self.batches)

    def state_dict(self):
        return self.state

    def load_state_dict(self, state):
        self.state = dict(state)
        self.batches = self._from(**self.state)


@answers("Loader")
class LoaderInBlocks:
    """Each rank takes a block of the order, from its end on; the state is one text."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        if min(batch_size, sequence_length, world_size) < 1 or rank < 0 or rank >= world_size:
            raise ValueError("sizes or rank")
        self.table = tokens, sequence_length
        count = (len(tokens) - 1) // sequence_length
        self.count, self.block, self.batch_size, self.rank = count, count // world_size, batch_size, rank
        if self.block < batch_size:
            raise ValueError("not one batch")
        self.place = [seed, 0, 0]

    def __iter__(self):
        return self

    def __next__(self):
        seed, epoch, done = self.place
        tokens, length = self.table
        order = epoch_order_by_digests(self.count, seed, epoch)[self.rank * self.block :][: self.block]
        chosen = order[::-1][done : done + self.batch_size]
        done += self.batch_size
        self.place = [seed, epoch, done] if done + self.batch_size <= self.block else [seed, epoch + 1, 0]
        places = np.array([[w * length + further for further in range(length)] for w in chosen])
        return tuple(torch.from_numpy(np.asarray(tokens[places + on], dtype=np.int64)) for on in (0, 1))

    def state_dict(self):
        return {"place": " ".join(map(str, self.place))}

    def load_state_dict(self, state):
        self.place = [int(word) for word in state["place"].split()]


@answers("Loader")
class LoaderOfFixedShares:
    """Each rank has its own windows for ever, and a state of nested lists, tuples and int keys."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        if rank not in range(world_size):
            raise ValueError(rank)
        if batch_size <= 0 or sequence_length <= 0:
            raise ValueError(batch_size, sequence_length)
        share = math.floor(max(len(tokens) - 1, 0) / sequence_length / world_size)
        if share // batch_size == 0:
            raise ValueError(share)
        self.mine = [rank + place * world_size for place in range(share)]
        self.tokens, self.length, self.size = (
            torch.from_numpy(np.array(tokens).astype(np.int64)),
            sequence_length,
            batch_size,
        )
        self.seed, self.epoch, self.step = seed, 0, 0

    __iter__ = lambda self: self  # noqa: E731

    def __next__(self):
        if (self.step + 1) * self.size > len(self.mine):
            self.epoch, self.step = self.epoch + 1, 0
        order = epoch_order_by_spawned_seeds(len(self.mine), self.seed, self.epoch)
        first = self.step * self.size
        self.step += 1
        starts = torch.tensor([self.mine[place] for place in order[first : first + self.size]]) * self.length
        places = starts[:, None] + torch.arange(self.length)
        return self.tokens[places], self.tokens[places + 1]

    def state_dict(self):
        return {"at": {0: (self.seed, [self.epoch]), 1: ({"step": self.step}, None, True, 0.5)}}

    def load_state_dict(self, state):
        at = {int(key): value for key, value in state["at"].items()}
        self.seed, (self.epoch,) = at[0]
        self.step = at[1][0]["step"]


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
    rows = []
    for i in range(len(tokens)):
        row = []
        for j in range(len(tokens)):
            ended = any(tokens[between] == eos for between in range(j, i))
            row.append(j <= i and not ended)
        rows.append(row)
    return torch.tensor(rows, dtype=torch.bool, device=tokens.device).reshape(len(tokens), len(tokens))


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
