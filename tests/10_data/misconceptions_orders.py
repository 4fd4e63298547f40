"""Wrong answers that people give to kata 10 about orders of windows."""

import random

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# epoch_order


def _shuffled(num_windows, seed):
    return torch.randperm(num_windows, generator=torch.Generator().manual_seed(seed)).tolist()


@believes("seed + epoch is a seed for each epoch", about="epoch_order")
def adds_the_epoch(num_windows, seed, epoch):
    """Epoch 1 of seed 3 would be epoch 0 of seed 4, as in torch's own sampler: use both numbers separately."""
    return _shuffled(num_windows, seed + epoch)


@believes("seed · epoch is a seed for each epoch", about="epoch_order")
def multiplies_by_the_epoch(num_windows, seed, epoch):
    """Epoch 0 would be the same for every seed: use both numbers separately."""
    return _shuffled(num_windows, seed * epoch)


@believes("seed ^ epoch is a seed for each epoch", about="epoch_order")
def takes_the_bits_that_differ(num_windows, seed, epoch):
    """3 ^ 5 is 5 ^ 3, so two pairs would share an order: use both numbers separately."""
    return _shuffled(num_windows, seed ^ epoch)


@believes("There are fewer than 1,000 epochs", about="epoch_order")
def counts_a_thousand_epochs(num_windows, seed, epoch):
    """1000 · seed + epoch collides with the next seed, since epochs go up to 2**32 - 1: use both separately."""
    return _shuffled(num_windows, 1000 * seed + epoch)


@believes("The digits of both numbers together are a seed", about="epoch_order")
def writes_both_together(num_windows, seed, epoch):
    """1 and 11 make 111, as do 11 and 1: use both numbers separately."""
    return _shuffled(num_windows, int(f"{seed}{epoch}") % 2**64)


@believes("torch's generator uses all 64 bits of a seed", about="epoch_order")
def gives_torch_64_bits(num_windows, seed, epoch):
    """On the CPU it silently uses the low 32 bits alone: a number in the high half would make no difference."""
    return _shuffled(num_windows, seed << 32 | epoch)


@believes("One shuffled order is used in every epoch", about="epoch_order")
def shuffles_once(num_windows, seed, epoch):
    """Each epoch has another order: shuffle again."""
    return _shuffled(num_windows, seed)


@believes("The epoch alone is the seed", about="epoch_order")
def leaves_out_the_seed(num_windows, seed, epoch):
    """Another seed has to give another order."""
    return np.random.default_rng(epoch).permutation(num_windows).tolist()


@believes("The first epoch needs no shuffling", about="epoch_order")
def begins_in_order(num_windows, seed, epoch):
    """Neighboring windows of a file are alike, often of one document: shuffle the first epoch too."""
    return solved.epoch_order(num_windows, seed, epoch) if epoch else list(range(num_windows))


@believes("Rotating the order shuffles it", about="epoch_order")
def turns_the_order(num_windows, seed, epoch):
    """A rotation keeps which window follows which, and gives only num_windows orders: shuffle."""
    order = _shuffled(num_windows, seed)
    place = epoch % max(num_windows, 1)
    return order[place:] + order[:place]


@believes("In a shuffled order no window stays in its place", about="epoch_order")
def leaves_nothing_in_its_place(num_windows, seed, epoch):
    """All orders have to be equally likely, and in most of them some window stays in its place."""
    order, own = list(range(num_windows)), random.Random(f"{seed} {epoch}")
    for place in range(num_windows - 1, 0, -1):
        other = own.randrange(place)
        order[place], order[other] = order[other], order[place]
    return order


@believes("Swapping each window with any other one is a fair shuffle", about="epoch_order")
def swaps_with_any(num_windows, seed, epoch):
    """The n**n ways to swap cannot give n! orders equally often: swap each with one of those that are left."""
    order, generator = list(range(num_windows)), np.random.default_rng([seed, epoch])
    for place, other in enumerate(generator.integers(num_windows, size=num_windows).tolist()):
        order[place], order[other] = order[other], order[place]
    return order


@believes("hash() gives the same number in every process", about="epoch_order")
def hashes_a_text(num_windows, seed, epoch):
    """The hash of a text is another one in each process, so after a crash the order would be another one too.

    Give both numbers to the generator, as a list or as a text: random.Random takes a text as it is.
    """
    order = list(range(num_windows))
    random.Random(hash(f"{seed} {epoch}")).shuffle(order)
    return order


@believes("An order may be remembered and returned again", about="epoch_order")
def remembers_orders(num_windows, seed, epoch):
    """If the caller changes the list, the next one gets it changed: return a copy of what you remember."""
    key = num_windows, seed, epoch
    if key not in _orders:
        _orders.clear()
        _orders[key] = solved.epoch_order(*key)
    return _orders[key]


_orders: dict[tuple[int, int, int], list[int]] = {}


@believes("Shuffling within a buffer is enough", about="epoch_order")
def shuffles_a_buffer(num_windows, seed, epoch):
    """A window comes at most one buffer early, so the end of the file never comes first: shuffle the whole order."""
    own, buffer, order = np.random.default_rng([seed, epoch]), [], []
    for window in range(num_windows):
        buffer.append(window)
        if len(buffer) > 1000:
            order.append(buffer.pop(own.integers(len(buffer))))
    return order + [buffer[place] for place in own.permutation(len(buffer))]


@believes("Shuffling block by block is enough", about="epoch_order")
def shuffles_in_blocks(num_windows, seed, epoch):
    """Windows of one block always come together: shuffle the whole order."""
    own, order = np.random.default_rng([seed, epoch]), []
    blocks = [range(first, min(first + 64, num_windows)) for first in range(0, num_windows, 64)]
    for block in own.permutation(len(blocks)):
        order += own.permutation(blocks[block]).tolist()
    return order


@believes("An epoch draws each of its windows at random", about="epoch_order")
def draws_with_replacement(num_windows, seed, epoch):
    """Drawn independently, about 37 % of the windows would never come: shuffle an order."""
    return np.random.default_rng([seed, epoch]).integers(num_windows, size=num_windows).tolist()


@believes("torch.manual_seed may be called to shuffle", about="epoch_order")
def seeds_torch(num_windows, seed, epoch):
    """It changes the global state, and everything drawn later: make a torch.Generator."""
    # torch.manual_seed does the same, but where no GPU is in use it takes milliseconds to note where it was called.
    torch.default_generator.manual_seed(seed * 1_000_003 + epoch * 7_777_777)
    return torch.randperm(num_windows).tolist()


@believes("A list of numpy's integers is a list of ints", about="epoch_order")
def returns_numpys_integers(num_windows, seed, epoch):
    """Its items are np.int64, which JSON does not take: use .tolist()."""
    return list(np.random.default_rng([seed, epoch]).permutation(num_windows))


@believes("Windows are counted from 1", about="epoch_order")
def counts_from_one(num_windows, seed, epoch):
    """The first window begins at token 0, and is window 0."""
    return [window + 1 for window in solved.epoch_order(num_windows, seed, epoch)]


# shard


@believes("A rank takes a contiguous block of the order", about="shard")
def takes_a_block(order, rank, world_size):
    """It takes every world_size-th, so that the first batches of all ranks are the beginning of the order."""
    each = len(solved.shard(order, rank, world_size))
    return order[rank * each : (rank + 1) * each]


@believes("All of the order has to be taken", about="shard")
def takes_the_rest(order, rank, world_size):
    """A rank with one more window would wait for the others forever: what is left over is dropped."""
    solved.shard(order, rank, world_size)
    return order[rank::world_size]


@believes("Some windows are taken twice, to give all ranks equally many", about="shard")
def fills_up_from_the_front(order, rank, world_size):
    """torch's sampler does that without drop_last; here what is left over is dropped."""
    solved.shard(order, rank, world_size)
    return (order + order[: -len(order) % world_size] if order else order)[rank::world_size]


@believes("What is left over is dropped at the front", about="shard")
def leaves_out_the_front(order, rank, world_size):
    """It is dropped at the end of the order."""
    solved.shard(order, rank, world_size)
    return order[len(order) % world_size :][rank::world_size]


@believes("Ranks are counted from 1", about="shard")
def counts_ranks_from_one(order, rank, world_size):
    """The first one is rank 0."""
    solved.shard(order, rank, world_size)
    return solved.shard(order, (rank - 1) % world_size, world_size)


@believes("If there are fewer windows than ranks, some ranks get one", about="shard")
def gives_a_few_what_there_is(order, rank, world_size):
    """All ranks take equally many, so then each takes none."""
    return solved.shard(order, rank, world_size) or (order[rank : rank + 1] if len(order) < world_size else [])


@believes("A rank sorts what it takes", about="shard")
def sorts_what_it_takes(order, rank, world_size):
    """The order was shuffled on purpose: keep it."""
    return sorted(solved.shard(order, rank, world_size))


@believes("What is taken is removed from the order", about="shard")
def takes_it_out(order, rank, world_size):
    """The caller and the other ranks need the order as it was."""
    mine = solved.shard(order, rank, world_size)
    order[:] = [window for window in order if window not in mine]
    return mine


@believes("A rank of world_size or more wraps around", about="shard")
def goes_round(order, rank, world_size):
    """Two processes would silently train on the same windows: raise ValueError."""
    return solved.shard(order, rank % world_size if world_size > 0 else rank, world_size)


@believes("A negative rank counts from the end", about="shard")
def counts_from_the_end(order, rank, world_size):
    """It does in a slice, and two processes would get the same windows: raise ValueError."""
    return solved.shard(order, rank + world_size if -world_size <= rank < 0 else rank, world_size)
