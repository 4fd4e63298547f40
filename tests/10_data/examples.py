"""Kata 10 by the worked examples of its stub and its lesson."""

import json
from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """Return the values of these expressions after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu")
    return [values[name] for name in watched]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert [kata.token_dtype(size) for size in (256, 257, 50257)] == ["uint8", "uint16", "uint16"]
    expect_error(ValueError, kata.token_dtype, 0, because=BECAUSE)
    _files(kata)
    _batches(kata)
    _orders(kata)
    _loader(kata)
    lines = ["ready = prefetch([1, 2, 3])", "first = next(ready)", "rest = list(ready)"]
    assert seen(kata, "prefetch", lines, "first", "rest") == [1, [2, 3]]
    (mask,) = seen(kata, "document_mask", ["mask = document_mask(torch.tensor([7, 0, 8]), 0)"], "mask")
    assert mask.tolist() == [[True, False, False], [True, True, False], [False, False, True]]


def _files(kata: Any) -> None:
    read = 'Path("tokens.bin").read_bytes().hex(" ")'
    for tokens, size, right in ([1, 2], 256, "01 02"), ([1, 2, 256], 257, "01 00 02 00 00 01"), ([], 257, ""):
        line = f'write_tokens("tokens.bin", {tokens}, {size})'
        assert seen(kata, "write_tokens", [line], read) == [right]
    line = 'write_tokens("tokens.bin", [256], 256)'
    expect_error(ValueError, kata.run, scenarios.program, "write_tokens", [line], [], "cpu", because=BECAUSE)
    lines = ['Path("tokens.bin").write_bytes(bytes([1, 0, 0, 1]))', 'tokens = open_tokens("tokens.bin", 50257)']
    assert seen(kata, "open_tokens", lines, "tokens.tolist()", "tokens.flags.writeable") == [[1, 256], False]


def _batches(kata: Any) -> None:
    lines = [
        "tokens = np.arange(10, 90, 10, dtype=np.uint8)",
        "x, y = get_batch(tokens, 20, 3, torch.Generator().manual_seed(0))",
    ]
    x, y = seen(kata, "get_batch", lines, "x", "y")
    assert x.shape == y.shape == (20, 3)
    assert x.dtype == torch.int64
    assert set(x[:, 0].tolist()) <= {10, 20, 30, 40, 50}
    assert torch.equal(y, x + 10)
    expect_error(
        ValueError,
        kata.run,
        scenarios.program,
        "get_batch",
        [lines[0], "get_batch(tokens, 2, 8)"],
        [],
        "cpu",
        because=BECAUSE,
    )


def _orders(kata: Any) -> None:
    orders = [kata.epoch_order(60, seed, epoch) for seed, epoch in ((3, 5), (5, 3), (4, 4), (4, 5))]
    assert all(type(window) is int for order in orders for window in order)
    assert all(sorted(order) == list(range(60)) for order in orders)
    assert len(set(map(tuple, orders))) == 4
    assert kata.epoch_order(60, 3, 5) == orders[0]
    order = [5, 0, 3, 1, 4, 2, 6]
    assert [kata.shard(order, rank, 3) for rank in (0, 2)] == [[5, 1], [3, 2]]
    assert kata.shard([5, 0], 0, 3) == []
    expect_error(ValueError, kata.shard, order, 3, 3, because=BECAUSE)


def _loader(kata: Any) -> None:
    lines = [
        "tokens = np.arange(100, 125, dtype=np.uint16)",
        "loader = Loader(tokens, 2, 4, 0)",
        "seen = [x[:, 0].tolist() for x, y in islice(loader, 3)]",
        "state = json.dumps(loader.state_dict())",
        "other = Loader(tokens, 2, 4, 1)",
        "other.load_state_dict(json.loads(state))",
        "same = torch.equal(next(loader)[1], next(other)[1])",
    ]
    batches, state, same = seen(kata, "Loader", lines, "seen", "state", "same")
    assert sorted(token for batch in batches for token in batch) == [100, 104, 108, 112, 116, 120]
    assert json.loads(state)
    assert same
