"""The properties of kata 10: tokens go through files and batches unchanged, and an epoch sees each window once.

What is random is held against bounds that hold for every number of draws (tests/shared/chance.py); each turns a right
answer away with a probability of at most 10**-12.
"""

import math
from itertools import permutations

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import shown

from ..shared import chance
from ..shared.random_states import next_numbers
from ..shared.repeated import expect_again
from . import programs_memory, programs_resumed, scenarios, truth
from .batches import expect_batch, expect_epoch
from .strategies_batches import MANY, batches, many_starts, no_batches, repeated_batches, shared_batches
from .strategies_files import (
    no_vocab_sizes,
    not_written,
    numbers,
    opened_with_no_vocabulary,
    rewritten,
    stored,
    stored_in_part,
    vocab_sizes,
    written,
)
from .strategies_loaders import (
    EPOCHS,
    loaded_epochs,
    looped_loaders,
    no_loaders,
    repeated_loaders,
    resumed,
    shuffled_epochs,
)
from .strategies_memory import batches_of_large_files, large_files
from .strategies_orders import (
    LONG_ORDERS,
    ORDERS,
    WINDOWS,
    epochs,
    long_orders,
    many_orders,
    no_shares,
    others,
    repeated_orders,
    shares,
)
from .strategies_streams import documents, lists_of_batches, sources

# A file of 32 MiB is made and mapped in a process of its own; an answer that reads it does so each time.
LARGE = one_in(33)

# 4,096 windows are cut out, or 2,000 orders made, or 16 of 4,096 windows: some ten and a hundred times the time of
# other examples.
MANY_STARTS, MANY_ORDERS = one_in(10), one_in(50)

# Each example makes orders, loaders of several epochs, or 64 windows three times.
REPEATED = one_in(4)

# There are few of them, and each is drawn often.
FEW = one_in(4)

# Each example makes epochs of all ranks, or has one of seven kinds of faults.
HALF = one_in(2)


def run(kata, function, lines, watched, device="cpu"):
    """What a program leaves, by name; "" as the only name where it is no dict."""
    return kata.run(scenarios.program, function, lines, watched, device)


def of(seen, name):
    """One value that a program left; where it left nothing, that."""
    return seen[name] if isinstance(seen, dict) else seen


@grades("token_dtype")
@given(vocab_size=vocab_sizes())
def test_token_dtype_is_the_narrowest(kata, vocab_size):
    """The largest token is vocab_size - 1, and it has to fit."""
    expect(kata.token_dtype(vocab_size), truth.token_dtype(vocab_size), "numpy takes")


@grades("token_dtype")
@FEW
@given(vocab_size=no_vocab_sizes())
def test_token_dtype_refuses_what_is_no_vocabulary(kata, vocab_size):
    """There is one token at least, and no more than 32 bits tell apart."""
    expect_error(ValueError, kata.token_dtype, vocab_size, because="a vocabulary has from 1 to 2**32 tokens")


BYTES = 'Path(path).read_bytes().hex(" ")'


@grades("write_tokens")
@given(case=written())
def test_write_tokens_writes_the_bytes_of_the_tokens(kata, case):
    """As wide as the vocabulary needs, the lowest byte first, and nothing else; what was there is gone."""
    want: dict[str, object] = {BYTES: truth.stored(case.tokens, case.vocab_size).hex(" ")}
    expect_each(run(kata, "write_tokens", case.lines, [BYTES]), want, "should be")


@grades("write_tokens")
@given(case=not_written())
def test_write_tokens_refuses_what_is_no_token(kata, case):
    """A token is 0 or more and below vocab_size, which is that of a vocabulary."""
    lines, because = case
    expect_error(ValueError, run, kata, "write_tokens", lines, [BYTES], because=because)


OPENED = [
    "tokens.tolist()",
    "str(tokens.dtype)",
    "tokens.shape",
    "isinstance(tokens, np.ndarray)",
    "tokens.flags.writeable",
]


@grades("open_tokens")
@given(case=stored())
def test_open_tokens_shows_what_is_in_the_file(kata, case):
    """The tokens, in the dtype of the vocabulary, whatever they are; nobody can write to them."""
    right = numbers(case.data, truth.width(case.vocab_size))
    want = dict(zip(OPENED, [right, truth.token_dtype(case.vocab_size), (len(right),), True, False], strict=True))
    expect_each(run(kata, "open_tokens", case.lines, OPENED), want, "should be")


@grades("open_tokens")
@FEW
@given(case=rewritten())
def test_open_tokens_reads_when_it_is_looked_at(kata, case):
    """What is written into the file later is what the array shows."""
    lines, right = case
    expect_each(run(kata, "open_tokens", lines, ["tokens.tolist()"]), {"tokens.tolist()": right}, "should be")


@grades("open_tokens")
@LARGE
@given(lines=large_files())
def test_open_tokens_takes_no_memory(kata, lines):
    """Of a file of 32 MiB only that is read what is looked at."""
    takes_no_memory(kata, "open_tokens", lines)


def takes_no_memory(kata, function, lines):
    """Fail where the lines take more than a share of the memory that the file would."""
    seen = kata.run(programs_memory.grown, function, lines)
    expect_each(seen, {programs_memory.GROWN: 0}, "should be")


@grades("open_tokens")
@FEW
@given(case=stored_in_part())
def test_open_tokens_refuses_a_part_of_a_token(kata, case):
    """A file that ends within a token was written by somebody else, or not to its end."""
    because = f"{len(case.data)} bytes are no whole tokens of {truth.width(case.vocab_size)}"
    expect_error(ValueError, run, kata, "open_tokens", case.lines, ["tokens.shape"], because=because)


@grades("open_tokens")
@FEW
@given(case=opened_with_no_vocabulary())
def test_open_tokens_refuses_what_is_no_vocabulary(kata, case):
    """There is one token at least, and no more than 32 bits tell apart, whatever the file holds."""
    lines, because = case
    expect_error(ValueError, run, kata, "open_tokens", lines, ["tokens.shape"], because=because)


@grades("get_batch")
@given(case=batches())
def test_get_batch_makes_windows_and_their_targets(kata, device, case):
    """int64, each window from the tokens without a gap, and each target one token further on."""
    seen = run(kata, "get_batch", case.lines, ["x", "y"], device)
    place = device if "device=" in case.lines[-1] else "cpu"
    expect_batch(of(seen, "x"), of(seen, "y"), case.row, case.batch_size, case.length, ("x", "y"), place)


@grades("get_batch")
@MANY_STARTS
@given(case=many_starts())
def test_get_batch_starts_anywhere(kata, case):
    """From 0 to the last start whose window has a last target, each as often, whatever the other windows do."""
    starts = case.row.size - case.length
    counted, alike = "torch.bincount(x[:, 0]).tolist()", "(x[::2, 0] == x[1::2, 0]).sum().item()"
    seen = run(kata, "get_batch", case.lines, [counted, alike])
    least, most = chance.counts(MANY, 1 / starts)
    got = of(seen, counted)
    if type(got) is not list or len(got) != starts or any(type(n) is not int or not least <= n <= most for n in got):
        raise Mismatch(got, f"{starts} counts from {least} to {most}", "should be", of=counted)
    least, most = chance.counts(MANY // 2, 1 / starts)
    expect_count(of(seen, alike), alike, least, most)


def expect_count(count, of, least, most):
    """Fail unless so many are within what chance allows."""
    if type(count) is not int or not least <= count <= most:
        raise Mismatch(count, f"from {least} to {most}", "should be", of=of)


@grades("get_batch")
@REPEATED
@given(case=repeated_batches())
def test_get_batch_draws_from_the_generator_alone(kata, case):
    """The same state gives the same batch, a second call another; without a generator it is torch's global state."""
    expect_again(run(kata, "get_batch", case.lines, case.watched), case)


@grades("get_batch")
@HALF
@given(case=shared_batches())
def test_get_batch_shares_no_memory(kata, case):
    """Who writes to x or y changes neither the other nor the tokens."""
    lines = [*case.lines, "before = y.clone()", "x.fill_(0)", "kept = torch.equal(y, before)", "y.fill_(0)"]
    want = {"kept": True, "tokens.tolist()": case.row.tokens}
    expect_each(run(kata, "get_batch", lines, list(want)), want, "should be")


@grades("get_batch")
@LARGE
@given(lines=batches_of_large_files())
def test_get_batch_takes_no_memory(kata, lines):
    """Of a file of 32 MiB only that is read what the batch needs."""
    takes_no_memory(kata, "get_batch", lines)


@grades("get_batch")
@HALF
@given(case=no_batches())
def test_get_batch_refuses_what_makes_no_batch(kata, case):
    """A window or more, a token or more in each, and one more behind it."""
    lines, because = case
    expect_error(ValueError, run, kata, "get_batch", lines, ["x", "y"], because=because)


@grades("epoch_order")
@given(case=epochs())
def test_epoch_order_has_each_window_once(kata, case):
    """All from 0 to num_windows - 1, as a list of ints, for any seed and epoch."""
    num_windows, pair = case
    answer = kata.epoch_order(num_windows, *pair)
    right = list(range(num_windows))
    whole = type(answer) is list and all(type(window) is int for window in answer) and sorted(answer) == right
    expect_that(whole, answer, [*right[1::2], *right[::2]])


@grades("epoch_order")
@REPEATED
@given(case=repeated_orders())
def test_epoch_order_rests_on_seed_and_epoch_alone(kata, case):
    """The same two give the same order whatever was drawn before, and no global state changes."""
    made_alike(kata, "epoch_order", case)


def made_alike(kata, function, case):
    """Fail unless the second is as the first, and no global random state was drawn from."""
    untouched = next_numbers(case.seed)
    seen = run(kata, function, case.lines, ["a", "b", *untouched])
    first, second = of(seen, "a"), of(seen, "b")
    if not isinstance(first, list) or shown(first) != shown(second) or first != second:
        raise Mismatch(second, shown(first) if isinstance(first, list) else "a list", "should be", of="b")
    expect_each(seen, untouched, "untouched")


@grades("epoch_order")
@one_in(10)  # the orders of 150 pairs
@given(case=others())
def test_epoch_order_is_another_one_for_another_seed_or_epoch(kata, case):
    """No two pairs meet, whatever a formula would make of them."""
    found: dict[object, str] = {tuple(range(case.num_windows)): "that of the file"}
    for seed, epoch in case.pairs:
        answer = kata.epoch_order(case.num_windows, seed, epoch)
        ints = isinstance(answer, list) and all(type(window) is int for window in answer)
        key = tuple(answer) if ints else shown(answer)
        if key in found:
            raise Mismatch(answer, f"another order than {found[key]}", "should be")
        found[key] = f"for seed {seed}, epoch {epoch}"


@grades("epoch_order")
@MANY_ORDERS
@given(line=many_orders())
def test_epoch_order_takes_all_orders_as_often(kata, line):
    """Of three windows there are six orders."""
    seen = of(run(kata, "epoch_order", ["import collections", line], ["dict(orders)"]), "dict(orders)")
    least, most = chance.counts(ORDERS, 1 / math.factorial(3))
    for order in permutations(range(3)):
        name = f'orders["{list(order)}"]'
        expect_count(seen.get(str(list(order)), 0) if isinstance(seen, dict) else seen, name, least, most)


EARLY = "sum(place < window for order in orders for place, window in enumerate(order))"
STILL = "sum(place == window for order in orders for place, window in enumerate(order))"


@grades("epoch_order")
@MANY_ORDERS
@given(line=long_orders())
def test_epoch_order_moves_windows_to_either_side(kata, line):
    """Half of them, less half a window of each order, come before their own place, and about one of each stays in it.

    How many come before is the whole part of a sum of as many numbers, each drawn from 0 to 1 (S. Tanny, 1973).
    """
    seen = run(kata, "epoch_order", [line], [EARLY, STILL])
    around, room = LONG_ORDERS * WINDOWS / 2, chance.uniforms(LONG_ORDERS * WINDOWS)
    expect_count(of(seen, EARLY), EARLY, math.ceil(around - room - LONG_ORDERS), math.floor(around + room))
    expect_count(of(seen, STILL), STILL, 0, chance.matches(LONG_ORDERS))


@grades("shard")
@given(case=shares())
def test_shard_is_what_torchs_sampler_takes(kata, case):
    """Every world_size-th from rank on, and as many for each rank."""
    expect(kata.shard(*case), truth.shard(*case), "torch takes")


@grades("shard")
@FEW
@given(case=shares())
def test_shard_leaves_the_order_alone(kata, case):
    """The other ranks still need it."""
    lines = [f"order = {case.order}", f"mine = shard(order, {case.rank}, {case.world_size})"]
    expect_each(run(kata, "shard", lines, ["order"]), {"order": case.order}, "should be")


@grades("shard")
@FEW
@given(case=no_shares())
def test_shard_refuses_ranks_that_there_are_not(kata, case):
    """Ranks are counted from 0."""
    because = f"rank {case.rank} is none of {case.world_size}"
    expect_error(ValueError, kata.shard, *case, because=because)


@grades("Loader")
@HALF
@given(case=loaded_epochs())
def test_loader_sees_no_window_twice_in_an_epoch(kata, case):
    """Whole batches of windows that do not overlap, of all ranks together none twice, epoch after epoch."""
    sizes = case.sizes
    seen = of(run(kata, "Loader", case.lines, ["seen"]), "seen")
    count = EPOCHS * sizes.batches
    if (
        type(seen) is not list
        or len(seen) != sizes.world_size
        or any(type(n) is not list or len(n) != count for n in seen)
    ):
        raise Mismatch(seen, f"{count} batches of each of {sizes.world_size} ranks", "should be", of="seen")
    for epoch in range(EPOCHS):
        starts: list[list[int]] = [[] for _ in seen]
        for rank, made in enumerate(seen):
            for place in range(epoch * sizes.batches, (epoch + 1) * sizes.batches):
                starts[rank] += expect_one(made[place], sizes, f"seen[{rank}][{place}]")
        expect_epoch(starts, sizes, epoch)


def expect_one(batch, sizes, name):
    """Where the windows of a loader's batch start; fail where it is none."""
    if type(batch) is not tuple or len(batch) != 2:
        raise Mismatch(batch, "a tuple (x, y)", "should be", of=name)
    names = f"{name}[0]", f"{name}[1]"
    return expect_batch(*batch, sizes.row, sizes.batch_size, sizes.length, names, every=sizes.length)


@grades("Loader")
@REPEATED
@given(case=shuffled_epochs())
def test_loader_shuffles_each_epoch_and_by_its_seed(kata, case):
    """The first epoch too; no two orders of 60 windows are alike by chance."""
    seen = run(kata, "Loader", case.lines, list(case.epochs))
    found: dict[tuple[int, ...], str] = {}
    for name, told in case.epochs.items():
        tokens = [token for batch in of(seen, name) for token in batch] if isinstance(seen, dict) else seen
        if not isinstance(seen, dict) or tokens == sorted(tokens):
            raise Mismatch(of(seen, name), f"shuffled, in {told}", "should be", of=name)
        if tuple(tokens) in found:
            raise Mismatch(of(seen, name), f"another order than {found[tuple(tokens)]}", "should be", of=name)
        found[tuple(tokens)] = name


@grades("Loader")
@REPEATED
@given(case=repeated_loaders())
def test_loader_rests_on_its_arguments_alone(kata, case):
    """The same ones give the same batches whatever was drawn before, and no global state changes."""
    made_alike(kata, "Loader", case)


@grades("Loader")
@HALF
@given(case=resumed())
def test_loader_goes_on_from_a_state(kata, case):
    """Another one, of another seed, gives what the first one would have given, and the state stays what it was."""
    lines = [
        *case.before,
        "before = json.dumps(state)",
        *case.on,
        *case.loaded,
        "unchanged = json.dumps(state) == before",
    ]
    goes_on(run(kata, "Loader", lines, ["right", "after", "unchanged"]), unchanged=True)


@grades("Loader")
@one_in(10)  # two processes each
@given(case=resumed(large=True))
def test_loader_goes_on_in_another_process(kata, case):
    """The state is a little text of JSON, and all that goes there."""
    seen = kata.run(programs_resumed.carried, case.before, case.on, case.loaded)
    text = of(seen, programs_resumed.TEXT)
    if type(text) is not str or len(text) > programs_resumed.MOST:
        name = f"len({programs_resumed.TEXT})"
        got = len(text) if type(text) is str else text
        raise Mismatch(got, f"at most {programs_resumed.MOST}", "should be", of=name)
    goes_on(seen)


def goes_on(seen, **more):
    """Fail unless the batches after a state are those that the first loader gave."""
    after, right = of(seen, "after"), of(seen, "right")
    if not isinstance(seen, dict) or type(right) is not list or not right or shown(after) != shown(right):
        raise Mismatch(
            after, shown(right) if isinstance(seen, dict) else "as it would have been", "should be", of="after"
        )
    expect_each(seen, {"after": right, **more}, "should be")


@grades("Loader")
@REPEATED
@given(lines=looped_loaders())
def test_loader_is_its_own_iterator(kata, lines):
    """A loop over it goes on where the last one stopped."""
    seen = run(kata, "Loader", lines, ["same", "loops", "right"])
    right = of(seen, "right")
    if not isinstance(seen, dict):
        raise Mismatch(seen, "True", "should be", True, of="same")
    expect_each(seen, {"same": True, "loops": right}, "should be")


@grades("Loader")
@HALF
@given(case=no_loaders())
def test_loader_refuses_what_makes_no_batch(kata, case):
    """Each rank has a whole batch, of windows of a token or more with their last targets."""
    lines, because = case
    expect_error(ValueError, run, kata, "Loader", lines, ["type(loader).__name__"], because=because)


@grades("prefetch")
@HALF
@given(case=sources())
def test_prefetch_is_one_batch_ahead(kata, case):
    """Each batch once and in order, with the one after it fetched already, and none beyond."""
    taken = [len(case.batches)] if not case.endless else []
    ahead = [(batch, min([place + 2, *taken])) for place, batch in enumerate(case.batches)]
    expect_each(run(kata, "prefetch", case.lines, ["seen", "begun"]), {"seen": ahead, "begun": 0}, "should be")


@grades("prefetch")
@FEW
@given(batches=lists_of_batches())
def test_prefetch_takes_what_can_be_iterated(kata, batches):
    """A list as well."""
    seen = run(kata, "prefetch", [f"batches = {batches}", "seen = list(prefetch(batches))"], ["seen"])
    expect_each(seen, {"seen": batches}, "should be")


@grades("document_mask")
@given(case=documents())
def test_document_mask_lets_attention_look_at_one_document(kata, device, case):
    """Attention over all of them with this mask is causal attention of each document alone."""
    right: dict[str, object] = {"mask": truth.document_mask(case.tokens, case.eos, device)}
    expect_each(run(kata, "document_mask", case.lines, ["mask"], device), right)
