"""An epoch's order has each window once, in random order, and the ranks share it."""

import math
from itertools import permutations

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import shown

from ..shared import chance
from . import scenarios, truth
from .runs import expect_count, made_alike, of, run
from .strategies_orders import (
    FEW_WINDOWS,
    LONG_ORDERS,
    ORDERS,
    WINDOWS,
    carried_orders,
    epochs,
    large_orders,
    long_orders,
    many_orders,
    no_shares,
    others,
    repeated_orders,
    shares,
)

# 3,000 orders are made, or 16 of 4,096 windows: some hundred times the time of other examples.
MANY_ORDERS = one_in(50)

# Each example makes orders twice.
REPEATED = one_in(4)

# There are few of them, and each is drawn often.
FEW = one_in(4)


@grades("epoch_order")
@given(case=epochs())
def test_epoch_order_has_each_window_once(kata, case):
    """The order is a list of the ints from 0 to num_windows - 1, each once, for any seed and epoch."""
    num_windows, pair = case
    answer = kata.epoch_order(num_windows, *pair)
    right = list(range(num_windows))
    whole = type(answer) is list and all(type(window) is int for window in answer) and sorted(answer) == right
    expect_that(whole, answer, [*right[1::2], *right[::2]])


@grades("epoch_order")
@REPEATED
@given(case=repeated_orders())
def test_epoch_order_rests_on_seed_and_epoch_alone(kata, case):
    """The same seed and epoch give the same order, whatever was drawn before, and no global random state changes."""
    made_alike(kata, "epoch_order", case)


@grades("epoch_order")
@one_in(10)  # the orders of 150 pairs
@given(case=others())
def test_epoch_order_is_another_one_for_another_seed_or_epoch(kata, case):
    """Any other pair of seed and epoch gives another order, even if their sum or product is the same."""
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
    """All orders are equally likely: two of 2 windows, six of 3, 24 of 4."""
    seen = of(run(kata, "epoch_order", ["import collections", line], ["dict(orders)"]), "dict(orders)")
    for windows in FEW_WINDOWS:
        least, most = chance.counts(ORDERS, 1 / math.factorial(windows))
        for order in permutations(range(windows)):
            name = f'orders["{list(order)}"]'
            expect_count(seen.get(str(list(order)), 0) if isinstance(seen, dict) else seen, name, least, most)


@grades("epoch_order", stays="the only one with more windows than 16 bits count")
@one_in(50)
@given(line=large_orders())
def test_epoch_order_has_each_of_many_windows_once(kata, line):
    """The order has each window once even for large numbers of windows."""
    windows = line.partition("(")[2].partition(",")[0]
    whole = f"sorted(order) == list(range({windows}))"
    expect_each(run(kata, "epoch_order", [line], [whole]), {whole: True}, "should be")


EARLY = "sum(place < window for order in orders for place, window in enumerate(order))"
RISING = "sum(one < other for order in orders for one, other in zip(order, order[1:]))"
STILL = "sum(place == window for order in orders for place, window in enumerate(order))"


@grades("epoch_order")
@MANY_ORDERS
@given(line=long_orders())
def test_epoch_order_moves_windows_to_either_side(kata, line):
    """In a shuffled order, about half of the windows come before their own place, and about one stays in it.

    About half are followed by a later window.
    """
    # How many come before, and how many are followed by a later one, is the whole part of a sum of as many numbers,
    # each drawn from 0 to 1 (S. Tanny, 1973).
    seen = run(kata, "epoch_order", [line], [EARLY, RISING, STILL])
    for name in (EARLY, RISING):
        around, room = LONG_ORDERS * WINDOWS / 2, chance.uniforms(LONG_ORDERS * WINDOWS)
        expect_count(of(seen, name), name, math.ceil(around - room - LONG_ORDERS), math.floor(around + room))
    expect_count(of(seen, STILL), STILL, 0, chance.matches(LONG_ORDERS))


HALVES = f"sum(window < {WINDOWS // 2} for order in orders for window in order[:{WINDOWS // 2}])"
NEAR = f"sum(abs(order[place] - order[place + 1]) <= 64 for order in orders for place in range(0, {WINDOWS // 4}, 2))"


@grades("epoch_order")
@MANY_ORDERS
@given(line=long_orders())
def test_epoch_order_mixes_all_parts_of_a_file(kata, line):
    """In a shuffled order, about half of its first half comes from the first half of the file.

    Windows side by side are seldom near each other in the file.
    """
    seen = run(kata, "epoch_order", [line], [HALVES, NEAR])
    # Drawn without replacement, a count strays no further than with it (Hoeffding 1963, section 6).
    expect_count(of(seen, HALVES), HALVES, *chance.counts(LONG_ORDERS * WINDOWS // 2, 1 / 2))
    # Of the windows that are left, at least three in four, no more than 128 are near the first one of a pair, whatever
    # came before: there are no more such pairs than hits in independent draws with that probability.
    _, most = chance.counts(LONG_ORDERS * WINDOWS // 8, 128 / (WINDOWS * 3 // 4))
    expect_count(of(seen, NEAR), NEAR, 0, most)


@grades("epoch_order")
@REPEATED
@given(case=carried_orders())
def test_epoch_order_is_the_same_in_another_process(kata, case):
    """The same seed and epoch give the same order in another process, where hash() of a text is another number."""
    seen = kata.run(scenarios.elsewhere, "epoch_order", case)
    right = of(seen, "a")
    if not isinstance(right, list):
        raise Mismatch(right, "a list", "should be", of="a")
    expect_each(seen, {"a": right, "b": right}, "should be")


@grades("shard")
@given(case=shares())
def test_shard_is_what_torchs_sampler_takes(kata, case):
    """A rank takes every world_size-th window, starting at place rank, and all ranks take equally many."""
    expect(kata.shard(*case), truth.shard(*case), "torch takes")


@grades("shard")
@FEW
@given(case=shares())
def test_shard_leaves_the_order_alone(kata, case):
    """The order that is passed in does not change."""
    lines = [f"order = {case.order}", f"mine = shard(order, {case.rank}, {case.world_size})"]
    expect_each(run(kata, "shard", lines, ["order"]), {"order": case.order}, "should be")


@grades("shard")
@FEW
@given(case=no_shares())
def test_shard_refuses_ranks_that_there_are_not(kata, case):
    """A ValueError is raised unless 0 <= rank < world_size."""
    because = f"rank {case.rank} is none of {case.world_size}"
    expect_error(ValueError, kata.shard, *case, because=because)
