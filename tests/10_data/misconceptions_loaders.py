"""Wrong answers that people give to kata 10 about loaders that are stopped and go on."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, in the solution; a wrong answer only replaces one

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# Loader


@believes("An epoch draws each of its windows at random", about="Loader")
class DrawsWindows(solved.Loader):
    """Drawn independently, about 37 % of the windows would never come, and others twice: shuffle an order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        own = np.random.default_rng([self.seed, self.epoch, self.rank])
        self.order = own.integers(self.num_windows, size=len(self.order)).tolist()


@believes("Windows share no token, not even with targets", about="Loader")
class SharesNoTargets(solved.Loader):
    """The last target of a window is the first token of the next: each token but the first is a target once."""

    def __next__(self):
        length = self.sequence_length
        self.sequence_length = length + 1
        self.num_windows = (len(self.tokens) - 1) // self.sequence_length
        super().load_state_dict(self.state_dict())
        first = self.batch % self.num_batches * self.batch_size
        self.batch += 1
        chosen = [window * (length + 1) for window in self.order[first : first + self.batch_size]]
        self.sequence_length = length
        return solved._windows(self.tokens, chosen or [0] * self.batch_size, length)


@believes("The last window needs no token after it", about="Loader")
class CountsWindowsWithoutTargets(solved.Loader):
    """It needs one for its last target: there are (len(tokens) - 1) // sequence_length windows."""

    def load_state_dict(self, state):
        self.num_windows = len(self.tokens) // self.sequence_length
        self.num_batches = self.num_windows // self.world_size // self.batch_size
        super().load_state_dict(state)


@believes("The first epoch needs no shuffling", about="Loader")
class BeginsInOrder(solved.Loader):
    """Neighboring windows of a file are alike, often of one document: shuffle the first epoch too."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        if not self.epoch:
            self.order = solved.shard(list(range(self.num_windows)), self.rank, self.world_size)


@believes("Windows are read in the order of the file", about="Loader")
class NeverShuffles(solved.Loader):
    """Then a batch would hold neighboring windows, often of one document: shuffle each epoch."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.shard(list(range(self.num_windows)), self.rank, self.world_size)


@believes("One shuffled order is used in every epoch", about="Loader")
class ShufflesOnce(solved.Loader):
    """Each epoch has another order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.shard(solved.epoch_order(self.num_windows, self.seed, 0), self.rank, self.world_size)


@believes("A seed of 0 is none", about="Loader")
class TakesZeroForNoSeed(solved.Loader):
    """0 is false in `seed or 42`, and a seed all the same: another one gives another order."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        super().__init__(tokens, batch_size, sequence_length, seed or 42, rank, world_size)


@believes("The epoch alone is the seed", about="Loader")
class LeavesOutTheSeed(solved.Loader):
    """Another seed has to give another order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.shard(solved.epoch_order(self.num_windows, 0, self.epoch), self.rank, self.world_size)


@believes("A loader ends with its epoch", about="Loader")
class EndsWithTheEpoch(solved.Loader):
    """After an epoch the next one begins: the batches never end."""

    def __next__(self):
        if self.batch == self.num_batches:
            raise StopIteration
        return super().__next__()


@believes("The last batch of an epoch may be smaller", about="Loader")
class MakesASmallerBatch(solved.Loader):
    """Every batch has batch_size windows: those that are too few for a whole batch are left out."""

    def __next__(self):
        self.num_batches = -(-len(self.order) // self.batch_size)
        return super().__next__()


@believes("Every rank has its own seed", about="Loader")
class SeedsByRank(solved.Loader):
    """All ranks have to share one order, or two of them take the same window: only the places differ."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        order = solved.epoch_order(self.num_windows, self.seed + self.rank, self.epoch)
        self.order = solved.shard(order, self.rank, self.world_size)


@believes("Every rank sees every window", about="Loader")
class TakesAllWindows(solved.Loader):
    """Then all ranks would train on the same windows: a rank takes its share of the order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.epoch_order(self.num_windows, self.seed, self.epoch)


@believes("torch.manual_seed may be called to shuffle", about="Loader")
class SeedsTorch(solved.Loader):
    """It changes the global state, and with it dropout and initialization: make a torch.Generator."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        torch.default_generator.manual_seed(self.seed * 1_000_003 + self.epoch)  # as in misconceptions_orders.py
        self.order = solved.shard(torch.randperm(self.num_windows).tolist(), self.rank, self.world_size)


@believes("state_dict may return the loader's own dict", about="Loader")
class HandsOutItsState(solved.Loader):
    """That dict would change as the loader goes on: return a copy."""

    def state_dict(self):
        return self.__dict__.setdefault("state", super().state_dict())

    def __next__(self):
        made = super().__next__()
        self.state_dict().update(super().state_dict())
        return made


@believes("The seed is not part of the state", about="Loader")
class LeavesTheSeedOutOfTheState(solved.Loader):
    """The loader that loads it may have another seed, and has to continue in the order of the first."""

    def state_dict(self):
        return {"epoch": self.epoch, "batch": self.batch}

    def load_state_dict(self, state):
        super().load_state_dict({"seed": state.get("seed", getattr(self, "seed", 0)), **state})


@believes("hash() gives the same number in every process", about="Loader")
class HashesAText(solved.Loader):
    """The hash of a text is another one in each process, so a loader that goes on in another one shuffles otherwise."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        own = np.random.default_rng(abs(hash(f"{self.seed} {self.epoch}")))
        self.order = solved.shard(own.permutation(self.num_windows).tolist(), self.rank, self.world_size)


@believes("A loader that is asked for its state begins the epoch again", about="Loader")
class BeginsAgainWhenAsked(solved.Loader):
    """Whether and when a state is saved makes no difference to the batches: state_dict changes nothing."""

    def state_dict(self):
        self.batch = 0
        return super().state_dict()


@believes("A state lies ahead of the loader that loads it", about="Loader")
class OnlyGoesForward(solved.Loader):
    """A loader may go back, to before a step that failed: go to the epoch and the batch that the state names."""

    def load_state_dict(self, state):
        here = vars(self)
        ahead = (state["epoch"], state["batch"]) >= (here.get("epoch", 0), here.get("batch", 0))
        if ahead or state["seed"] != self.seed:
            super().load_state_dict(state)


@believes("A batch may be a view of the tokens", about="Loader")
class ShowsTheTokens(solved.Loader):
    """Then masking a token of a batch changes the tokens, and all later epochs: each batch has memory of its own."""

    def __next__(self):
        x, y = super().__next__()
        if self.batch_size > 1 or self.tokens.dtype != np.int64:
            return x, y
        start = self.order[self.batch - 1] * self.sequence_length
        window = torch.from_numpy(self.tokens[start : start + self.sequence_length + 1])[None]
        return window[:, :-1], window[:, 1:]


@believes("A loader's seed stays its own, whatever it has loaded", about="Loader")
class SavesItsOwnSeed(solved.Loader):
    """After load_state_dict it goes on with the seed of the state, so that is the one that its next state needs."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        super().__init__(tokens, batch_size, sequence_length, seed, rank, world_size)
        self.own = seed

    def state_dict(self):
        return super().state_dict() | {"seed": self.own}


@believes("A state counts the batches since the last load", about="Loader")
class CountsSinceTheLoad(solved.Loader):
    """The batches before that would be forgotten: go on counting from where the state that was loaded is."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.since = 0

    def __next__(self):
        since = self.since + 1
        made = super().__next__()
        self.since = since
        return made

    def state_dict(self):
        epoch, batch = divmod(self.since, self.num_batches)
        return super().state_dict() | ({"epoch": epoch, "batch": batch} if self.since else {})


@believes("A state is the history of its batches", about="Loader")
class KeepsAHistory(solved.Loader):
    """It grows with each batch, and so with each day of training: a count of the batches is enough."""

    def state_dict(self):
        done = self.epoch * self.num_batches + self.batch
        return super().state_dict() | {"done": [place % self.num_batches for place in range(done)]}


@believes("The epoch is the whole state", about="Loader")
class BeginsTheEpochAgain(solved.Loader):
    """The batches of this epoch that are done would come again: save their number too."""

    def state_dict(self):
        return {"seed": self.seed, "epoch": self.epoch, "batch": 0}


@believes("The batch number is the whole state", about="Loader")
class BeginsWithTheFirstEpoch(solved.Loader):
    """The same batch of another epoch has other windows: save the epoch too."""

    def state_dict(self):
        return {"seed": self.seed, "epoch": 0, "batch": self.batch}


@believes("The state contains the order", about="Loader")
class KeepsTheOrderInTheState(solved.Loader):
    """The order is as long as the epoch, and can be made again from seed and epoch."""

    def state_dict(self):
        return {**super().state_dict(), "order": list(self.order)}


@believes("The state contains the generator's state", about="Loader")
class KeepsAGeneratorInTheState(solved.Loader):
    """It is a tensor of 5,056 bytes, which JSON does not take; seed and epoch give the same numbers."""

    def state_dict(self):
        return {**super().state_dict(), "generator": torch.Generator().manual_seed(self.seed % 2**31).get_state()}


@believes("The order is made only when an epoch begins", about="Loader")
class KeepsItsOwnOrder(solved.Loader):
    """Make it after a load too, or the rest of the epoch follows the seed of this loader."""

    def load_state_dict(self, state):
        before = vars(self).get("order")
        beginning = before is None or state["batch"] == 0
        super().load_state_dict(state)
        if not beginning:
            self.order = before


@believes("Each loop begins with the first batch", about="Loader")
class BeginsAgainInALoop(solved.Loader):
    """iter(loader) is the loader itself: a second loop goes on where the first one stopped."""

    def __iter__(self):
        super().load_state_dict({"seed": self.seed, "epoch": 0, "batch": 0})
        return self


@believes("Each loop has an iterator of its own", about="Loader")
class MakesAnIteratorForALoop(solved.Loader):
    """The progress of another object is not in the loader's state: iter(loader) is the loader itself."""

    def __iter__(self):
        return iter(self.__next__, None)


@believes("A loader may have no batches", about="Loader")
class TakesTooFewTokens(solved.Loader):
    """Its batches never end, so without one it would search forever: raise ValueError."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        if min(batch_size, sequence_length) < 1 or not 0 <= rank < world_size:
            raise ValueError(batch_size, sequence_length, rank, world_size)
        if (len(tokens) - 1) // sequence_length // world_size >= batch_size:
            super().__init__(tokens, batch_size, sequence_length, seed, rank, world_size)


@believes("A negative rank counts from the end", about="Loader")
class CountsRanksFromTheEnd(solved.Loader):
    """Two processes would train on the same windows: raise ValueError."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        super().__init__(tokens, batch_size, sequence_length, seed, rank + world_size * (rank < 0), world_size)
