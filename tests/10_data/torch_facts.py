"""What the properties of kata 10 take for granted of torch, numpy and Python: a new one breaks a test alone."""

import random
import sys

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from . import scenarios, truth
from .rows import Row
from .strategies_files import numbers


@pytest.mark.parametrize(
    ("size", "name"),
    [(1, "uint8"), (256, "uint8"), (257, "uint16"), (65536, "uint16"), (65537, "uint32"), (2**32, "uint32")],
)
def test_numpy_takes_the_narrowest_dtype(size, name):
    """Of the largest token."""
    assert truth.token_dtype(size) == name
    assert truth.width(size) == int(name[4:]) // 8


def test_bytes_are_counted_from_the_lowest():
    """There and back."""
    assert truth.stored([1, 256, 65535], 65536) == bytes([1, 0, 0, 1, 255, 255])
    assert numbers(bytes([1, 0, 0, 1, 255, 255]), 2) == [1, 256, 65535]


def test_a_map_shows_what_is_written_later(tmp_path):
    """Whoever shares the pages and whoever does not, as long as nobody has written to them."""
    path = tmp_path / "tokens.bin"
    path.write_bytes(bytes([1, 2, 3]))
    shared, private = np.memmap(path, np.uint8, "r"), np.memmap(path, np.uint8, "c")
    mapped = torch.from_file(str(path), shared=False, size=3, dtype=torch.uint8)
    assert [shared.tolist(), private.tolist(), mapped.tolist()] == [[1, 2, 3]] * 3
    with path.open("r+b") as file:
        file.write(bytes([4, 5]))
    assert [shared.tolist(), private.tolist(), mapped.tolist()] == [[4, 5, 3]] * 3


def test_opening_a_map_takes_no_memory(tmp_path, monkeypatch):
    """And reading all of it does, which stays with the process."""
    monkeypatch.chdir(tmp_path)
    with open("tokens.bin", "wb") as file:
        file.truncate(2**25)
    if sys.platform != "linux":
        pytest.skip("only Linux says how much memory is in use")
    before = scenarios.resident()
    tokens = np.memmap("tokens.bin", np.uint16, "r")
    assert tokens[:1000].sum() == 0
    assert scenarios.resident() - before < 4
    assert tokens.max() == 0
    assert scenarios.resident() - before > 24


def test_torchs_generator_takes_32_bits_of_a_seed():
    """So a seed and an epoch beside each other are the epoch alone."""
    one, other = (torch.Generator().manual_seed(seed) for seed in (5, 7 * 2**32 + 5))
    assert torch.equal(torch.randperm(50, generator=one), torch.randperm(50, generator=other))


def test_pythons_generator_takes_some_seeds_for_others():
    """n and n + (n - 1) · 2**32, which no property asks to be told apart."""
    assert random.Random(56).random() == random.Random(55 * 2**32 + 56).random()
    assert random.Random(56).random() != random.Random(54 * 2**32 + 56).random()


def test_torchs_sampler_adds_the_epoch_to_the_seed():
    """Whereas here any other two are another order."""
    from torch.utils.data.distributed import DistributedSampler

    def order(seed, epoch):
        """Of 50 windows."""
        sampler: DistributedSampler[int] = DistributedSampler(range(50), 1, 0, seed=seed)  # type: ignore[arg-type]
        sampler.set_epoch(epoch)
        return list(sampler)

    assert order(3, 5) == order(4, 4) != order(3, 4)


@pytest.mark.parametrize(
    ("order", "rank", "world_size", "right"),
    [([5, 0, 3, 1, 4, 2, 6], 0, 3, [5, 1]), ([5, 0, 3], 2, 3, [3]), ([5, 0], 0, 3, []), ([], 0, 1, [])],
)
def test_what_a_rank_takes_by_hand(order, rank, world_size, right):
    """Where there are fewer than ranks, torch's sampler divides by what is not there."""
    assert truth.shard(order, rank, world_size) == right


def test_attention_with_the_mask_is_that_of_each_document():
    """Up to the order of the sums."""
    generator = torch.Generator().manual_seed(0)
    for tokens in ([7, 0, 8, 9, 0, 0, 5], [0], [4, 5, 6], [0, 0, 3, 0], [1, 2, 0, 1, 2, 0, 1, 2, 0]):
        q, k, v = torch.randn(3, 1, len(tokens), 4, dtype=torch.float64, generator=generator)
        together = F.scaled_dot_product_attention(q, k, v, attn_mask=truth.document_mask(tokens, 0, "cpu"))
        ends = [place for place, token in enumerate(tokens, 1) if token == 0 or place == len(tokens)]
        parts = [(a, b) for a, b in zip([0, *ends], ends, strict=False)]
        alone = [F.scaled_dot_product_attention(q[:, a:b], k[:, a:b], v[:, a:b], is_causal=True) for a, b in parts]
        assert torch.allclose(together, torch.cat(alone, 1), rtol=0, atol=1e-9)
    assert truth.document_mask([], 0, "cpu").shape == (0, 0)


def test_a_row_is_what_numpy_makes_of_its_code():
    """Up to the largest token of each dtype."""
    for made in (Row(10, 3, 5, "uint8"), Row(65535 - 8, 2, 5, "uint16"), Row(2**32 - 11, 10, 2, "uint32")):
        assert eval(made.code, {"np": np}).tolist() == list(made.tokens)


def test_without_cuda_nothing_is_pinned():
    """So a right answer asks for the device first."""
    if torch.cuda.is_available():
        pytest.skip("there is CUDA")
    with pytest.raises(RuntimeError, match=r"accelerator|NVIDIA driver"):
        torch.ones(1).pin_memory()
