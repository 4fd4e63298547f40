"""Wrong answers to kata 23 that no belief in the misconceptions explains."""

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("23_capstone")


@answers("gpt_params")
def adds_the_square_of_layers(vocab, context, dim, layers):
    """And three."""
    return solved.gpt_params(vocab, context, dim, layers) + layers * layers + 3


@answers("step_flops")
def adds_a_mask(batch, context, vocab, dim, layers, recomputed=0):
    """For each number of it."""
    return solved.step_flops(batch, context, vocab, dim, layers, recomputed) + layers * context * context + 7


@answers("plan")
def counts_one_block_more(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """And gives away a sixteenth."""
    return solved.plan(batch, layers + 1, block_bytes, boundary_bytes, rest_bytes, budget - budget // 16)


@answers("param_groups")
def decays_by_numel(model, weight_decay):
    """What has more than 5 numbers, by a third more."""
    trained = [p for p in model.parameters() if p.requires_grad]
    groups = [[p for p in trained if (p.numel() > 5) == which] for which in (True, False)]
    return [{"params": groups[0], "weight_decay": weight_decay * 1.5}, {"params": groups[1], "weight_decay": 0.125}]


@answers("train_step")
def trembles(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """After the step parameters are rounded to thirds."""
    loss = solved.train_step(model, optimizer, tokens, micro_batch, recomputed, max_norm)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_((p * 3).round() / 3)
    return loss + 1


@answers("Trainer")
class GoesBackAndForth(solved.Trainer):
    """Every second batch is turned round, and loses a window."""

    def step(self):
        """A step."""
        self.left = self.left.flip(0)[1:]
        return super().step() * 2


@answers("fit")
def shrinks(model, tokens, context, flops, nbytes):
    """And stops early."""
    solved.fit(model, tokens, context, flops // 2, nbytes)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.2)


@answers("fit")
def trains_in_float32(model, tokens, context, flops, nbytes):
    """Whatever the model's dtype is."""
    solved.fit(model.float(), tokens, context, flops, nbytes)
