"""Wrong answers that people give to kata 10 about loaders that are stopped and go on."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, in the solution; a wrong answer only replaces one

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# Loader


@believes("Random windows are an epoch", about="Loader")
class DrawsWindows(solved.Loader):
    """Of windows drawn at random some come twice and 37 % never: an epoch is a shuffled order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        own = np.random.default_rng([self.seed, self.epoch, self.rank])
        self.order = own.integers(self.num_windows, size=len(self.order)).tolist()


@believes("Windows share no token, their targets neither", about="Loader")
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


@believes("A window needs no target behind it", about="Loader")
class CountsWindowsWithoutTargets(solved.Loader):
    """The last window needs one token more: there are (len(tokens) - 1) // sequence_length."""

    def load_state_dict(self, state):
        self.num_windows = len(self.tokens) // self.sequence_length
        super().load_state_dict(state)


@believes("The first epoch needs no shuffling", about="Loader")
class BeginsInOrder(solved.Loader):
    """Neighbouring windows of a file are of one book: the first epoch is shuffled too."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        if not self.epoch:
            self.order = solved.shard(list(range(self.num_windows)), self.rank, self.world_size)


@believes("Windows are read in the order of the file", about="Loader")
class NeverShuffles(solved.Loader):
    """Each epoch is shuffled, so that a batch is not of one book."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.shard(list(range(self.num_windows)), self.rank, self.world_size)


@believes("A shuffled order is good for every epoch", about="Loader")
class ShufflesOnce(solved.Loader):
    """Another epoch is another order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.shard(solved.epoch_order(self.num_windows, self.seed, 0), self.rank, self.world_size)


@believes("The epoch is seed enough", about="Loader")
class LeavesOutTheSeed(solved.Loader):
    """Another seed is there to give another run."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.shard(solved.epoch_order(self.num_windows, 0, self.epoch), self.rank, self.world_size)


@believes("A loader ends with its epoch", about="Loader")
class EndsWithTheEpoch(solved.Loader):
    """The next epoch begins: a training asks for steps, not for epochs."""

    def __next__(self):
        if self.batch == self.num_batches:
            raise StopIteration
        return super().__next__()


@believes("The last batch of an epoch may be smaller", about="Loader")
class MakesASmallerBatch(solved.Loader):
    """Every batch has batch_size windows, and what makes no whole one is left out."""

    def __next__(self):
        self.num_batches = -(-len(self.order) // self.batch_size)
        return super().__next__()


@believes("Every rank has its own seed", about="Loader")
class SeedsByRank(solved.Loader):
    """All ranks take of one order, or two of them see the same window: only the rank tells them apart."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        order = solved.epoch_order(self.num_windows, self.seed + self.rank, self.epoch)
        self.order = solved.shard(order, self.rank, self.world_size)


@believes("Every rank sees every window", about="Loader")
class TakesAllWindows(solved.Loader):
    """Then they would all train on the same: a rank takes its share of the order."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self.order = solved.epoch_order(self.num_windows, self.seed, self.epoch)


@believes("torch.manual_seed is how a seed is set", about="Loader")
class SeedsTorch(solved.Loader):
    """It sets the global state, and dropout and initialization change with it: make a generator of your own."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        torch.manual_seed(self.seed * 1_000_003 + self.epoch)
        self.order = solved.shard(torch.randperm(self.num_windows).tolist(), self.rank, self.world_size)


@believes("A state is the loader's own dict", about="Loader")
class HandsOutItsState(solved.Loader):
    """It would go on with the loader, and what is saved a minute later is another place: hand out a copy."""

    def state_dict(self):
        return self.__dict__.setdefault("state", super().state_dict())

    def __next__(self):
        made = super().__next__()
        self.state_dict().update(super().state_dict())
        return made


@believes("The seed is not part of the state", about="Loader")
class LeavesTheSeedOutOfTheState(solved.Loader):
    """Whoever loads may have been made with another seed, and has to go on in the order of the first."""

    def state_dict(self):
        return {"epoch": self.epoch, "batch": self.batch}

    def load_state_dict(self, state):
        super().load_state_dict({"seed": state.get("seed", getattr(self, "seed", 0)), **state})


@believes("The epoch is where a loader is", about="Loader")
class BeginsTheEpochAgain(solved.Loader):
    """The batches of this epoch that are done would be seen twice: the state counts them too."""

    def state_dict(self):
        return {"seed": self.seed, "epoch": self.epoch, "batch": 0}


@believes("The batch is where a loader is", about="Loader")
class BeginsWithTheFirstEpoch(solved.Loader):
    """In another epoch the same batch is another one: the state has both."""

    def state_dict(self):
        return {"seed": self.seed, "epoch": 0, "batch": self.batch}


@believes("A state has the order in it", about="Loader")
class KeepsTheOrderInTheState(solved.Loader):
    """It has as many numbers as the epoch has windows, and can be made again of seed and epoch."""

    def state_dict(self):
        return {**super().state_dict(), "order": list(self.order)}


@believes("A state has the generator's state in it", about="Loader")
class KeepsAGeneratorInTheState(solved.Loader):
    """A tensor of 5,056 bytes cannot be written as JSON, and the seed and the epoch give the same numbers."""

    def state_dict(self):
        return {**super().state_dict(), "generator": torch.Generator().manual_seed(self.seed % 2**31).get_state()}


@believes("The order is made when an epoch begins", about="Loader")
class KeepsItsOwnOrder(solved.Loader):
    """After a load it has to be made as well, or the rest of the epoch is that of another seed."""

    def load_state_dict(self, state):
        before = vars(self).get("order")
        beginning = before is None or state["batch"] == 0
        super().load_state_dict(state)
        if not beginning:
            self.order = before


@believes("A loop begins with the first batch", about="Loader")
class BeginsAgainInALoop(solved.Loader):
    """iter(loader) is the loader, where it stands: two loops over it go on, one where the other stopped."""

    def __iter__(self):
        super().load_state_dict({"seed": self.seed, "epoch": 0, "batch": 0})
        return self


@believes("A loop has an iterator of its own", about="Loader")
class MakesAnIteratorForALoop(solved.Loader):
    """What another object counts is not in the loader's state: iter(loader) is the loader itself."""

    def __iter__(self):
        return iter(self.__next__, None)


@believes("A loader without a batch is empty", about="Loader")
class TakesTooFewTokens(solved.Loader):
    """It never ends, so one without a batch could only search for ever: it is a ValueError."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        if min(batch_size, sequence_length) < 1 or not 0 <= rank < world_size:
            raise ValueError(batch_size, sequence_length, rank, world_size)
        if (len(tokens) - 1) // sequence_length // world_size >= batch_size:
            super().__init__(tokens, batch_size, sequence_length, seed, rank, world_size)


@believes("A negative rank counts from the end", about="Loader")
class CountsRanksFromTheEnd(solved.Loader):
    """Two processes would train on the same windows: it is a ValueError."""

    def __init__(self, tokens, batch_size, sequence_length, seed, rank=0, world_size=1):
        super().__init__(tokens, batch_size, sequence_length, seed, rank + world_size * (rank < 0), world_size)
