"""Wrong answers to kata 12 that no belief in misconceptions.py explains."""

import math
import random

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("12_training_loop")


@answers("seed_everything")
def draws_one_more(seed):
    """A number of each is gone when it returns."""
    solved.seed_everything(seed)
    random.random(), torch.rand(1)


@answers("count_parameters")
def counts_what_is_large_only(model, trainable_only=False):
    """Parameters of three numbers or more."""
    return sum(p.numel() for p in model.parameters() if p.numel() > 3 and (p.requires_grad or not trainable_only))


@answers("cross_entropy")
def smooths_the_labels(logits, targets, ignore_index=-100):
    """A tenth of the weight goes to the mean of all classes."""
    loss = solved.cross_entropy(logits, targets, ignore_index)
    return 0.9 * loss - 0.1 * logits[targets != ignore_index].log_softmax(-1).mean()


@answers("perplexity")
def rounds_the_loss(losses, tokens):
    """To two digits."""
    mean = math.log(solved.perplexity(losses, tokens))
    return math.exp(round(mean, 2)) if mean < 709 else math.inf


@answers("learning_rate")
def squares_the_cosine(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Falls faster in the middle."""
    rate = solved.learning_rate(step, max_lr, warmup_steps, total_steps)
    return rate if step < warmup_steps else min_lr + (max_lr - min_lr) * (rate / max_lr) ** 2


@answers("clip_gradients")
def clips_to_half(parameters, max_norm):
    """Twice as short."""
    return solved.clip_gradients(parameters, max_norm / 2)


@answers("accumulate_gradients")
def weighs_by_the_place(model, loss_of, x, y, micro_batch):
    """The first rows weigh more."""
    loss = solved.accumulate_gradients(model, loss_of, x, y, micro_batch)
    for p in model.parameters():
        if p.grad is not None:
            p.grad.mul_(1 + micro_batch / 10)
    return loss


@answers("evaluate")
def stops_after_two_batches(model, loss_of, batches):
    """The others are not looked at."""
    return solved.evaluate(model, loss_of, [batch for place, batch in enumerate(batches) if place < 2])


@answers("train")
def steps_twice(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Two steps with the gradients of the first batch."""
    batches = list(batches)
    return solved.train(model, optimizer, loss_of, [*batches[:1], *batches], max_norm, scheduler, micro_batch)[1:]
