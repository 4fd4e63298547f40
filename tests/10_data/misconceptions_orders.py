"""Wrong answers that people give to kata 10 about orders of windows."""

import random

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# epoch_order


def _shuffled(num_windows, seed):
    return np.random.default_rng(seed).permutation(num_windows).tolist()


@believes("The seed plus the epoch is a seed for each epoch", about="epoch_order")
def adds_the_epoch(num_windows, seed, epoch):
    """Epoch 1 of seed 3 would be epoch 0 of seed 4, as in torch's own sampler: seed by both numbers."""
    return _shuffled(num_windows, seed + epoch)


@believes("The seed times the epoch is a seed for each epoch", about="epoch_order")
def multiplies_by_the_epoch(num_windows, seed, epoch):
    """Epoch 0 would be the same for every seed: seed by both numbers."""
    return _shuffled(num_windows, seed * epoch)


@believes("The bits that differ are a seed for each epoch", about="epoch_order")
def takes_the_bits_that_differ(num_windows, seed, epoch):
    """3 ^ 5 is 5 ^ 3, and whatever two numbers you make one of meets others: seed by both numbers."""
    return _shuffled(num_windows, seed ^ epoch)


@believes("Nobody trains for 1,000 epochs", about="epoch_order")
def counts_a_thousand_epochs(num_windows, seed, epoch):
    """1000 · seed + epoch meets that of the next seed, whose epochs go up to 2**32 as well: seed by both numbers."""
    return _shuffled(num_windows, 1000 * seed + epoch)


@believes("Both numbers written together are a number of their own", about="epoch_order")
def writes_both_together(num_windows, seed, epoch):
    """1 and 11 make 111, as do 11 and 1: seed by both numbers."""
    return _shuffled(num_windows, int(f"{seed}{epoch}"))


@believes("torch's generator takes 64 bits of a seed", about="epoch_order")
def gives_torch_64_bits(num_windows, seed, epoch):
    """On the CPU it takes the low 32 and drops the others without a word, so that the seed would not matter."""
    return torch.randperm(num_windows, generator=torch.Generator().manual_seed(seed << 32 | epoch)).tolist()


@believes("A shuffled order is good for every epoch", about="epoch_order")
def shuffles_once(num_windows, seed, epoch):
    """Batches would be the same ones in each epoch: shuffle anew."""
    return _shuffled(num_windows, [seed, 0])


@believes("The epoch is seed enough", about="epoch_order")
def leaves_out_the_seed(num_windows, seed, epoch):
    """Another seed is there to give another run."""
    return _shuffled(num_windows, [0, epoch])


@believes("The first epoch needs no shuffling", about="epoch_order")
def begins_in_order(num_windows, seed, epoch):
    """Neighbouring windows of a file are of one book: the first epoch is shuffled too."""
    return solved.epoch_order(num_windows, seed, epoch) if epoch else list(range(num_windows))


@believes("To turn an order is to shuffle it", about="epoch_order")
def turns_the_order(num_windows, seed, epoch):
    """A rotation keeps who follows whom, and there are only as many as windows: shuffle anew."""
    order = _shuffled(num_windows, seed)
    place = epoch % max(num_windows, 1)
    return order[place:] + order[:place]


@believes("In a shuffled order nothing stays in its place", about="epoch_order")
def leaves_nothing_in_its_place(num_windows, seed, epoch):
    """Of all orders most leave some window where it was: all of them are equally likely."""
    order, own = list(range(num_windows)), random.Random(f"{seed} {epoch}")
    for place in range(num_windows - 1, 0, -1):
        other = own.randrange(place)
        order[place], order[other] = order[other], order[place]
    return order


@believes("To swap each window with any other one is to shuffle", about="epoch_order")
def swaps_with_any(num_windows, seed, epoch):
    """n**n ways to swap cannot make n! orders equally often: swap each with one of those that are left."""
    order, generator = list(range(num_windows)), np.random.default_rng([seed, epoch])
    for place, other in enumerate(generator.integers(num_windows, size=num_windows).tolist()):
        order[place], order[other] = order[other], order[place]
    return order


@believes("As many random windows as there are, are an epoch", about="epoch_order")
def draws_with_replacement(num_windows, seed, epoch):
    """Of windows drawn so 37 % never come: a shuffled order has each once."""
    return np.random.default_rng([seed, epoch]).integers(num_windows, size=num_windows).tolist()


@believes("torch.manual_seed is how a seed is set", about="epoch_order")
def seeds_torch(num_windows, seed, epoch):
    """It sets the global state, and everything that is drawn later changes with it: make a generator of your own."""
    torch.manual_seed(seed * 1_000_003 + epoch * 7_777_777)
    return torch.randperm(num_windows).tolist()


@believes("A list of what numpy gives is a list of ints", about="epoch_order")
def returns_numpys_integers(num_windows, seed, epoch):
    """Its items are np.int64, which JSON does not take: .tolist() makes ints."""
    return list(np.random.default_rng([seed, epoch]).permutation(num_windows))


@believes("Windows are counted from 1", about="epoch_order")
def counts_from_one(num_windows, seed, epoch):
    """The first one begins at token 0, and is window 0."""
    return [window + 1 for window in solved.epoch_order(num_windows, seed, epoch)]


# shard


@believes("A rank takes a block", about="shard")
def takes_a_block(order, rank, world_size):
    """Dealt out in turn, the first batches of all ranks are the beginning of the order, whatever their number."""
    each = len(solved.shard(order, rank, world_size))
    return order[rank * each : (rank + 1) * each]


@believes("Every window has to be taken", about="shard")
def takes_the_rest(order, rank, world_size):
    """A rank with a batch more than the others waits for them for ever: the rest is left out."""
    solved.shard(order, rank, world_size)
    return order[rank::world_size]


@believes("What is missing is taken twice", about="shard")
def fills_up_from_the_front(order, rank, world_size):
    """torch's sampler does that unless drop_last is set, and then some windows come twice in an epoch."""
    solved.shard(order, rank, world_size)
    return (order + order[: -len(order) % world_size] if order else order)[rank::world_size]


@believes("The rest is left out at the front", about="shard")
def leaves_out_the_front(order, rank, world_size):
    """It is the end of the order that is left over."""
    solved.shard(order, rank, world_size)
    return order[len(order) % world_size :][rank::world_size]


@believes("Ranks are counted from 1", about="shard")
def counts_ranks_from_one(order, rank, world_size):
    """The first one is rank 0."""
    solved.shard(order, rank, world_size)
    return solved.shard(order, (rank - 1) % world_size, world_size)


@believes("Better one window than none", about="shard")
def gives_a_few_what_there_is(order, rank, world_size):
    """Where there are fewer windows than ranks, some would have none and the others one: nobody takes any."""
    return solved.shard(order, rank, world_size) or (order[rank : rank + 1] if len(order) < world_size else [])


@believes("A rank takes its windows in the order of the file", about="shard")
def sorts_what_it_takes(order, rank, world_size):
    """The order was shuffled on purpose, and it stays."""
    return sorted(solved.shard(order, rank, world_size))


@believes("What is taken is gone", about="shard")
def takes_it_out(order, rank, world_size):
    """The other ranks of this process, and whoever called, still need the order as it was."""
    mine = solved.shard(order, rank, world_size)
    order[:] = [window for window in order if window not in mine]
    return mine


@believes("A rank beyond the last goes round", about="shard")
def goes_round(order, rank, world_size):
    """Two processes would train on the same windows without a word: it is a ValueError."""
    return solved.shard(order, rank % world_size if world_size > 0 else rank, world_size)


@believes("A negative rank counts from the end", about="shard")
def counts_from_the_end(order, rank, world_size):
    """It does in a slice, and that is why it has to be refused."""
    return solved.shard(order, rank + world_size if -world_size <= rank < 0 else rank, world_size)
