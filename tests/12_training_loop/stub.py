"""Kata 12: a training loop that does what it says. The lesson is in README.md beside this file.

torch's cross entropies, its loss modules and its functions that clip gradients or measure their norm are absent;
`log_softmax` and `logsumexp`, its optimizers and its schedules are there. `loss_of(prediction, target)` returns, as a
0-d tensor, the mean over the rows that it gets: the mean of two means is the mean of all rows only if both have equally
many. Models, data and gradients are float64 unless stated otherwise.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def seed_everything(seed: int) -> None:
    """Seed the three global sources of random numbers: `random`, `numpy.random` and torch, including CUDA.

    Each then gives what it gives after its own seeding: random.seed(5), np.random.seed(5), torch.manual_seed(5).
    Whatever was drawn before makes no difference.

    Raises ValueError unless 0 <= seed < 2**32, because numpy takes no other seed. Then none of the three changes.
    """
    raise NotImplementedError("seed_everything")


def count_parameters(model: nn.Module, trainable_only: bool = False) -> int:
    """Return how many numbers the parameters of a model hold, each parameter once, no matter how often it is used.

    nn.Linear(3, 4)                                    ->  3 · 4 + 4 = 16
    an embedding (5, 3) tied to nn.Linear(3, 5)        ->  5 · 3 + 5 = 20
    a model without parameters                         ->  0

    A parameter of shape () counts 1, an empty one 0, and buffers do not count. With trainable_only, only parameters
    whose requires_grad is True count. The model does not change.
    """
    raise NotImplementedError("count_parameters")


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """Return the mean of -log p(target) over the rows: a 0-d tensor in the dtype of the logits, with a backward pass.

    logits: (..., V), float64 or float32; p is their softmax over V. targets: (...), int64. V = 1 gives 0.

    A row whose target is ignore_index counts neither in the sum nor in the number of rows, and its gradient is 0.
    ignore_index may also be one of 0 to V - 1. At least one row counts, and the target of each row that counts is one
    of 0 to V - 1. Value and gradient are right for logits from -1e4 to 1e4, and if some are -1e30. Other calls may come
    before the backward pass. In an evaluation the logits require no gradient: then there is only the value. Logits and
    targets do not change.

    Raises ValueError if targets.shape is not logits.shape[:-1].
    """
    raise NotImplementedError("cross_entropy")


def perplexity(losses: list[float], tokens: list[int]) -> float:
    """Return the perplexity of a text that was evaluated in batches: exp of the mean loss per token.

    losses: the mean loss over the tokens of each batch. tokens: the number of tokens in each batch. A batch of 0 tokens
    adds nothing, whatever its loss is, even nan or inf. The loss of another batch may be 0 or nan, but not inf. If one
    is nan, so is the result; it is math.inf if a float cannot hold it.

    perplexity([math.log(2), math.log(8)], [1, 1])    ->  4.0
    perplexity([math.log(2), math.log(8)], [0, 5])    ->  8.0

    Raises ValueError, whatever the losses are, if there are no tokens at all, a number of tokens is negative, or the
    lists differ in length.
    """
    raise NotImplementedError("perplexity")


def learning_rate(step: int, max_lr: float, warmup_steps: int, total_steps: int, min_lr: float = 0.0) -> float:
    """Return the learning rate of a step, counted from 0: up in a straight line, down along a cosine, and then min_lr.

    Step 0 has max_lr / warmup_steps, and each further step of the warm-up adds the same amount, so the last one has
    max_lr. Step warmup_steps has max_lr too: there the cosine begins, which reaches min_lr at total_steps. From
    total_steps on, the rate is min_lr. There is no warm-up if warmup_steps is 0. 0 <= min_lr <= max_lr.

    learning_rate(step, 1.0, 4, 8) for step = 0, 1, …   ->  0.25 0.5 0.75 1.0 1.0 0.854 0.5 0.146 0.0 0.0 …

    Raises ValueError unless 0 <= warmup_steps < total_steps and step >= 0.
    """
    raise NotImplementedError("learning_rate")


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> float:
    """Shorten the gradients, all together as one vector, to the length max_norm, and return their length before.

    If max_norm / (norm + 1e-6) is below 1, each gradient is multiplied by it, in place: p.grad is the same tensor
    afterwards. Otherwise nothing changes. With max_norm 0 the gradients become 0; with math.inf they are only measured.

    parameters: in a list or from a generator, none twice. A parameter whose gradient is None has no gradient, a frozen
    parameter may have one, and the gradient of an empty parameter is empty. The result is 0.0 if there are no
    gradients, or no parameters. The sum of the squares of all gradients is finite.

    Raises ValueError for max_norm below 0. Then no gradient changes.
    """
    raise NotImplementedError("clip_gradients")


def accumulate_gradients(model: nn.Module, loss_of: Loss, x: Tensor, y: Tensor, micro_batch: int) -> float:
    """Compute the gradients of loss_of(model(x), y) without ever having more than micro_batch rows in the model.

    x: (n, ...) and y: (n, ...), contiguous or not, split along the first dimension; neither of them changes. Each row
    goes through model(...) once, and each micro-batch goes backward, and its graph is freed, before the next one goes
    forward. n need not be a multiple of micro_batch.

    Gradients from before are gone: what is left is what model.zero_grad() and one backward of the whole batch leave,
    which is None for a parameter that is unused or frozen. Each module stays in its mode, also while the rows go
    through. Returns the loss of the whole batch.

    Raises ValueError for micro_batch below 1, and if there are no rows. Then no gradient changes.
    """
    raise NotImplementedError("accumulate_gradients")


def evaluate(model: nn.Module, loss_of: Loss, batches: Batches) -> float:
    """Return the mean loss over all rows of all batches. A batch (x, y) has len(x) rows, 1 or more.

    batches: anything that can be iterated over once, even a generator. If the loss of a batch is nan, so is the result.
    While the model runs, each of its modules is in eval mode, and gradients are disabled. If the model, loss_of or the
    batches raise an error, even a KeyboardInterrupt or a SystemExit, the caller gets that error. Afterwards, then too,
    each module is in the mode it was in: a module that was frozen in eval mode stays there, whether or not the model
    was in training mode. Gradients, what is frozen, buffers and random states do not change, and gradients are enabled
    or disabled as before.

    Raises ValueError if there are no batches.
    """
    raise NotImplementedError("evaluate")


def train(
    model: nn.Module,
    optimizer: Any,
    loss_of: Loss,
    batches: Batches,
    max_norm: float = math.inf,
    scheduler: Any = None,
    micro_batch: int | None = None,
) -> list[float]:
    """Take a step for each batch (x, y), and return the loss of each batch before its step.

    In this order: put all modules into training mode, and clear the gradients of all parameters, frozen or not,
    whatever the batches have done to either; go forward and backward, each row once through model(...), in
    micro-batches as in accumulate_gradients if micro_batch is not None; clip the gradients to max_norm; step the
    optimizer; step the schedule, if there is one.

    batches: anything that can be iterated over once, even a generator. There may be no batches, and no batch is empty.
    The optimizer holds all parameters of the model, in one group or several, and the norm is that of all their
    gradients. Asking for a batch may unfreeze a parameter, which is trained from then on. The mode in which the model
    ends is left to you.

    Raises FloatingPointError if the loss or the norm of the gradients, before they are clipped, is not finite; each of
    them may be finite when the other is not. Its message names the step, counted from 0, as in "step 3" or "Step 3". It
    is raised before anything moves: parameters, optimizer and schedule are as the step before left them.
    """
    raise NotImplementedError("train")
