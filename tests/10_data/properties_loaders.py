"""A loader sees each window once in an epoch, shuffles, and continues from a state."""

import itertools

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, expect_error, grades
from dojo.seam.data import shown

from ..shared import chance
from ..shared.random_states import next_numbers
from . import programs_resumed
from .batches import expect_batch, expect_epoch
from .runs import made_alike, of, run
from .scenarios import LENGTH, MOST
from .strategies_loaders import EPOCHS, loaded_epochs, no_loaders, resumed, shuffled_epochs
from .strategies_loops import asked_loaders, looped_loaders, repeated_loaders, written_batches

# Each example makes loaders of several epochs.
REPEATED = one_in(4)

# Each example makes epochs of all ranks, or has one of seven kinds of faults.
HALF = one_in(2)


@grades("Loader")
@HALF
@given(case=loaded_epochs())
def test_loader_sees_no_window_twice_in_an_epoch(kata, case):
    """In each epoch, the ranks together give whole batches of windows that do not overlap, and no window twice."""
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
    """Return where the windows of a loader's batch start; fail if it is not a batch."""
    if type(batch) is not tuple or len(batch) != 2:
        raise Mismatch(batch, "a tuple (x, y)", "should be", of=name)
    names = f"{name}[0]", f"{name}[1]"
    return expect_batch(*batch, sizes.row, sizes.batch_size, sizes.length, names, every=sizes.length)


@grades("Loader")
@REPEATED
@given(case=shuffled_epochs())
def test_loader_shuffles_each_epoch_and_by_its_seed(kata, case):
    """Each epoch shuffles the windows, including the first. Another epoch or seed gives another order."""
    seen = run(kata, "Loader", case.lines, list(case.epochs))
    found: dict[tuple[int, ...], str] = {}
    chance.asked["markov"] += len(case.epochs)
    for name, told in case.epochs.items():
        tokens = [token for batch in of(seen, name) for token in batch] if isinstance(seen, dict) else seen
        if not isinstance(seen, dict) or tokens == sorted(tokens) or in_a_row(tokens, case) > IN_A_ROW:
            raise Mismatch(of(seen, name), f"shuffled, in {told}", "should be", of=name)
        if tuple(tokens) in found:
            raise Mismatch(of(seen, name), f"another order than {found[tuple(tokens)]}", "should be", of=name)
        found[tuple(tokens)] = name


def in_a_row(tokens, case):
    """Return how many windows are followed by the next one in the file, of those that the rank would have there."""
    steps = (after - before for before, after in itertools.pairwise(tokens))
    return sum(step == case.every * case.length for step in steps)


# Of 30 windows in a shuffled order, 15 or more are with a chance of at most C(29, 15) · 15! / 30! = 3.8e-13.
IN_A_ROW = 14


@grades("Loader")
@REPEATED
@given(case=repeated_loaders())
def test_loader_rests_on_its_arguments_alone(kata, case):
    """The same arguments give the same batches, whatever was drawn before, and no global random state changes."""
    made_alike(kata, "Loader", case)


@grades("Loader")
@HALF
@given(case=resumed())
def test_loader_goes_on_from_a_state(kata, case):
    """A loader that loads a state gives what the first one would have given.

    Neither the state nor a global random state changes.
    """
    lines = [
        *case.before,
        "before = json.dumps(state)",
        *case.on,
        *case.loaded,
        "unchanged, later = json.dumps(state) == before, other.state_dict()",
    ]
    want = {"unchanged": True, **next_numbers(case.seed)}
    seen = run(kata, "Loader", lines, ["right", "after", LENGTH, *want])
    expect_short(of(seen, LENGTH))
    alike(_apart_from_length(seen), "after", **want)


@grades("Loader")
@one_in(10)  # two processes each
@given(case=resumed(large=True))
def test_loader_goes_on_in_another_process(kata, case):
    """A loader in another process, which has only the state as JSON, gives the same batches."""
    seen = kata.run(programs_resumed.carried, case.before, case.on, case.loaded)
    expect_short(of(seen, LENGTH))
    alike(_apart_from_length(seen), "after")


def _apart_from_length(seen):
    return {name: seen[name] for name in seen if name != LENGTH} if isinstance(seen, dict) else seen


@grades("Loader")
@REPEATED
@given(lines=asked_loaders())
def test_loader_stays_where_it_is_when_it_is_asked(kata, lines):
    """A loader that is asked for its state before each batch gives the batches of one that is never asked."""
    alike(run(kata, "Loader", lines, ["batches", "right"]), "batches")


@grades("Loader")
@REPEATED
@given(case=written_batches())
def test_loader_gives_batches_that_may_be_written_to(kata, case):
    """Writing to a batch changes neither the tokens nor the batches of later epochs."""
    alike(
        run(kata, "Loader", case.lines, ["after", "right", "tokens.tolist()"]),
        "after",
        **{"tokens.tolist()": case.tokens},
    )


def expect_short(length):
    """Fail unless a state has so few characters that it holds neither an order nor a history."""
    if type(length) is not int or length > MOST:
        raise Mismatch(length, f"at most {MOST}", "should be", of=LENGTH)


def alike(seen, name, **more):
    """Fail unless the batches of that name are the right ones."""
    got, right = of(seen, name), of(seen, "right")
    if not isinstance(seen, dict) or type(right) is not list or not right or shown(got) != shown(right):
        raise Mismatch(got, shown(right) if isinstance(seen, dict) else "as it would have been", "should be", of=name)
    expect_each(seen, {name: right, **more}, "should be")


@grades("Loader")
@REPEATED
@given(lines=looped_loaders())
def test_loader_is_its_own_iterator(kata, lines):
    """A loop over the loader continues where the last loop stopped."""
    seen = run(kata, "Loader", lines, ["same", "loops", "right"])
    right = of(seen, "right")
    if not isinstance(seen, dict):
        raise Mismatch(seen, "True", "should be", True, of="same")
    expect_each(seen, {"same": True, "loops": right}, "should be")


@grades("Loader")
@HALF
@given(case=no_loaders())
def test_loader_refuses_what_makes_no_batch(kata, case):
    """Sizes below 1, a rank outside 0..world_size - 1, or too few tokens for a batch per rank raise a ValueError."""
    lines, because = case
    expect_error(ValueError, run, kata, "Loader", lines, ["type(loader).__name__"], because=because)
