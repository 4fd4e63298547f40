"""What the properties of kata 23 take for granted of torch: a new one breaks a test, and no verdict."""

import gc

import torch
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
from torch.utils.flop_counter import FlopCounterMode

from dojo.judging.diagnose import solution

from . import tasks, truth
from .gpt import GPT
from .measuring import Flops, Noted, Saved

SIZES = 5, 4, 8, 2, 2


def step(model: GPT, tokens: torch.Tensor, recomputed: int) -> None:
    """Forward and backward."""
    truth.summed_loss(model, tokens, recomputed).backward()


def test_the_counter_counts_as_torchs_does():
    """In a step, with recomputation and without, and in inference mode."""
    model, tokens = GPT(*SIZES), torch.zeros(3, 5, dtype=torch.int64)
    for recomputed in (0, 1, 2):
        with FlopCounterMode(display=False) as torchs:
            step(model, tokens, recomputed)
        with Flops() as counted:
            step(model, tokens, recomputed)
        assert sum(counted.parts.values()) == torchs.get_total_flops()
        assert (counted.parts["recomputed"] > 0) == (recomputed > 0)
    with FlopCounterMode(display=False) as torchs, torch.inference_mode():
        model(tokens[:, :-1])
    with Flops() as counted, torch.inference_mode():
        model(tokens[:, :-1])
    assert counted.parts["forward"] == torchs.get_total_flops()


def test_flops_and_bytes_are_the_same_in_one_run_and_in_two():
    """torch's own counter leaves cycles that hold what was saved until the collector comes; ours does not."""

    def fitted(*looks):
        torch.default_generator.manual_seed(3)
        model, tokens = GPT(8, 8, 16, 2, 2), tasks.text(3, 120)
        saved = Saved([*model.parameters(), *model.buffers(), tokens])
        counted = Flops()
        with torch.random.fork_rng():
            if "FLOPs" in looks:
                counted.__enter__()
            if "bytes" in looks:
                with saved.looking():
                    solution("23_capstone").fit(model, tokens, 8, 10_000_000, 10_000)
            else:
                solution("23_capstone").fit(model, tokens, 8, 10_000_000, 10_000)
            if "FLOPs" in looks:
                counted.__exit__(None, None, None)
        return sum(counted.parts.values()), saved.peak, saved.now

    gc.disable()
    try:
        flops, _, _ = fitted("FLOPs")
        _, peak, left = fitted("bytes")
        assert fitted("FLOPs", "bytes") == (flops, peak, left)
        assert left == 0
        assert flops > 0 < peak
    finally:
        gc.enable()


def test_what_is_saved_is_seen_and_gone_with_its_graph():
    """A result that its own node has saved does not hold its graph."""
    x, saved = torch.ones(8, requires_grad=True), Saved([])
    with saved.looking():
        y = x.exp().tanh()
        assert saved.now == 2 * x.nbytes
        del y
    assert (saved.now, saved.peak) == (0, 2 * x.nbytes)


def test_bytes_of_a_plan_add_up():
    """Of blocks, of boundaries and of the rest, for each sequence: masks and positions are buffers."""
    block, boundary, rest = truth.costs(5, 4, 8)
    for micro, again in truth.plans(6, 3, 5, 4, 8):
        saved = truth.saved(micro, 5, 4, 8, 3, 1, again)
        assert saved == micro * (rest + again * boundary + (3 - again) * block)


def test_the_budget_of_the_stub_is_what_it_says():
    """53 steps of 8 with all blocks recomputed; bytes for twice two sequences, or for one with one block kept."""
    sizes = tasks.VOCAB, tasks.CONTEXT, tasks.DIM, tasks.LAYERS, tasks.HEADS
    flops = truth.step_flops(8, tasks.CONTEXT, tasks.VOCAB, tasks.DIM, tasks.LAYERS, tasks.LAYERS, tasks.HEADS)
    assert tasks.FLOPS // flops == 53
    assert 2 * truth.saved(2, *sizes, tasks.LAYERS) <= tasks.NBYTES
    assert truth.saved(1, *sizes, tasks.LAYERS - 1) < tasks.NBYTES


def test_a_checkpoint_stops_early_unless_told_otherwise():
    """The last product of a block is not computed again."""
    model, tokens = GPT(*SIZES), torch.zeros(3, 5, dtype=torch.int64)
    with Flops() as early:
        step(model, tokens, 2)
    with set_checkpoint_early_stop(False), Flops() as whole:
        step(model, tokens, 2)
    assert early.parts["recomputed"] < whole.parts["recomputed"]
    with Flops() as plain:
        step(model, tokens, 0)
    blocks = plain.parts["forward"] - 2 * 3 * 4 * 8 * 5
    assert whole.parts["recomputed"] == blocks


def test_a_block_that_is_recomputed_runs_twice():
    """By both kinds of torch's checkpoint."""
    model, tokens = GPT(*SIZES), torch.zeros(3, 4, dtype=torch.int64)
    for reentrant in (True, False):
        with Noted() as noted:
            h = checkpoint(model.blocks[0], model.embed(tokens), use_reentrant=reentrant)
            model.head(model.blocks[1](h)).sum().backward()
        assert sorted(noted.ran) == [(0, 3), (0, 3), (1, 3)]


def test_the_model_has_gpt2s_parameters():
    """As many as were published."""
    assert truth.parameters(50257, 1024, 768, 12) == 124_439_808
