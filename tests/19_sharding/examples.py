"""Kata 19 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect, expect_each, expect_error

from . import described, scenarios, truth
from .described import Adam, Mlp, Parallel

SO = "the example says so"


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.shard_slices(9, 4) == [(0, 3), (3, 6), (6, 9), (9, 9)]
    assert kata.shard_slices(9, 7) == [(0, 2), (2, 4), (4, 6), (6, 8), (8, 9), (9, 9), (9, 9)]
    assert kata.shard_slices(0, 2) == [(0, 0), (0, 0)]
    expect_error(ValueError, kata.shard_slices, 9, 0, because=SO)
    assert kata.flat_shard([3, 4, 5], 1, 3) == ([(0, 0), (1, 4), (0, 1)], 0)
    assert kata.flat_shard([3, 4, 2], 3, 4) == ([(0, 0), (0, 0), (0, 0)], 3)
    assert kata.flat_shard([3, 4, 2], 1, 2) == ([(0, 0), (2, 4), (0, 2)], 1)
    assert kata.flat_shard([], 0, 2) == ([], 0)
    assert kata.rank_bytes([(3, 4), (2,)], 2, 0) == [(28, 28, 168), (28, 28, 168)]
    assert kata.rank_bytes([(3, 4), (2,)], 2, 1) == [(28, 28, 108), (28, 28, 60)]
    assert kata.rank_bytes([(3, 4), (2,)], 2, 3) == [(18, 18, 108), (10, 10, 60)]
    expect_error(ValueError, kata.rank_bytes, [()], 2, 0, because=SO)
    assert kata.largest_sharded_model(4, 100, 0) == 6
    assert kata.largest_sharded_model(4, 100, 1) == 9
    assert kata.largest_sharded_model(4, 100, 3) == 24
    assert kata.comm_elements(10, 4, 0) == 18
    assert kata.comm_elements(10, 4, 3) == 27
    assert kata.comm_elements(10, 1, 3) == 0
    case = Adam(2, [(3,)], [[True], [True]], 1, {"lr": 0.5})
    seen = kata.run(scenarios.adam, case.params, [case.grads(0), case.grads(1)], case.settings, False)
    expect_each(seen, {"params": [truth.adam(case)] * 2}, rel=1e-9)
    mlp = Mlp(2, (2, 3, 2), 1, 1, 0.5)
    weights, xs, targets = described.mlp(mlp)
    seen = kata.run(scenarios.step, mlp.shapes, described.sharded(weights, 2), xs, targets, mlp.lr, False)
    expect(seen["ranks.results"], truth.sharded_step(mlp), rel=1e-9)
    split = Parallel(2, 2, 1, 3, 2, 1)
    seen = kata.run(scenarios.parallel, 2, split.tensors, split.grad, 0.0, "")
    expect(seen["ranks.results"], truth.parallel(split), rel=1e-9)
