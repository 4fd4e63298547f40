"""Right answers to kata 10 about orders and loaders, in styles that the solution does not use."""
# mypy: ignore-errors
# ruff: noqa: D101, D102, D103, D105, D107, B905, PERF401, SIM115 - every style of Python is right here

import collections
import dataclasses
import functools
import hashlib
import itertools
import json
import math
import random

import numpy as np
import torch

from dojo.judging.diagnose import answers

# token_dtype


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


@answers("epoch_order")
def epoch_order_by_a_hash_of_numbers(num_windows, seed, epoch):
    # numbers, unlike texts, have the same hash in every process
    return random.Random(hash((seed, epoch))).sample(range(num_windows), num_windows)


@dataclasses.dataclass(frozen=True)
class Epoch:
    name: str
    seed: int
    epoch: int

    def __hash__(self):
        return hash(("epoch", self.name)) ^ self.seed


KNOWN = {Epoch("first", 0, 0): "the first one"}


@functools.lru_cache(4)
def _remembered(num_windows, epoch):
    before = random.getstate()
    random.seed(f"{epoch.seed} of {epoch.epoch} {KNOWN[Epoch('first', 0, 0)]}")
    order = list(range(num_windows))
    random.shuffle(order)
    random.setstate(before)
    return tuple(order)


@answers("epoch_order")
def epoch_order_from_what_is_remembered(num_windows, seed, epoch):
    return list(_remembered(num_windows, Epoch("any", seed, epoch)))


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
    """Each rank has its own windows forever, and a state of nested lists, tuples and int keys."""

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


Batch = collections.namedtuple("Batch", "x y")


@answers("Loader")
class LoaderThatCountsBatches:
    """All batches since the beginning are one number; a batch is a tuple with names."""

    __slots__ = ("batch_size", "count", "length", "rank", "seed", "tokens", "world_size")

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        if rank not in range(world_size) or batch_size < 1 or sequence_length < 1:
            raise ValueError
        self.tokens, self.batch_size, self.length, self.seed = tokens, batch_size, sequence_length, seed
        self.rank, self.world_size, self.count = rank, world_size, 0
        if self.windows < batch_size * world_size:
            raise ValueError("no batch for each rank")

    @property
    def windows(self):
        return max(len(self.tokens) - 1, 0) // self.length

    def __iter__(self):
        return self

    def __next__(self):
        share = self.windows // self.world_size
        epoch, batch = divmod(self.count, share // self.batch_size)
        mine = np.random.default_rng([self.seed, epoch]).permutation(self.windows)[self.rank * share :][:share]
        starts = mine[batch * self.batch_size :][: self.batch_size, None] * self.length + np.arange(self.length)
        self.count += 1
        return Batch(*(torch.from_numpy(self.tokens[starts + on].astype(np.int64)) for on in (0, 1)))

    def state_dict(self):
        return {"seed": self.seed, "count": self.count}

    def load_state_dict(self, state):
        self.seed, self.count = state["seed"], state["count"]
