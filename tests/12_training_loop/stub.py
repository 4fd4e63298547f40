"""Kata 12: a training loop that does what it says. The lesson is in README.md beside this file.

torch's cross entropies, its loss modules and its functions that clip gradients or measure their norm are absent;
`log_softmax` and `logsumexp`, its optimizers and its schedules are there. `loss_of(prediction, target)` returns, as a
0-d tensor, the mean over the rows that it is given: the mean of two means is that of all rows only if both have as
many. Models, data and gradients are float64 where nothing else is said.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def seed_everything(seed: int) -> None:
    """Begin the three global sources of random numbers, `random`, `numpy.random` and torch (CUDA as well), at the seed.

    Each then gives what it gives after a seed of its own: random.seed(5), np.random.seed(5), torch.manual_seed(5).
    Whatever was drawn before makes no difference.

    Raises ValueError unless 0 <= seed < 2**32, since numpy takes no other; then none of the three has changed.
    """
    raise NotImplementedError("seed_everything")


def count_parameters(model: nn.Module, trainable_only: bool = False) -> int:
    """Numbers in the parameters of a model, each parameter once, in however many places it is used.

    nn.Linear(3, 4)                                    ->  3 · 4 + 4 = 16
    an embedding (5, 3) tied to nn.Linear(3, 5)        ->  5 · 3 + 5 = 20
    a model without parameters                         ->  0

    A parameter of shape () counts 1, an empty one 0, and a buffer is none. With trainable_only those count whose
    requires_grad is True. The model stays as it is.
    """
    raise NotImplementedError("count_parameters")


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """The mean of -log p(target) over the rows, a 0-d tensor of the dtype of the logits, to go backward from.

    logits: (..., V), float64 or float32; p is their softmax over V. targets: (...), int64. V = 1 gives 0.

    A row whose target is ignore_index counts in neither the sum nor the number of rows, and its gradient is 0.
    ignore_index may also be one of 0 to V - 1; one row at least counts, and its target is one of these.
    Value and gradient are right for logits from -1e4 to 1e4, and where some are -1e30. In an evaluation the logits
    require no gradient: then there is nothing but the value. Logits and targets stay as they are.

    Raises ValueError where targets.shape is not logits.shape[:-1].
    """
    raise NotImplementedError("cross_entropy")


def perplexity(losses: list[float], tokens: list[int]) -> float:
    """The perplexity of a text that was evaluated in batches: exp of the mean loss of a token.

    losses: the mean loss of the tokens of each batch. tokens: how many there are in it. A batch of 0 tokens adds
    nothing, whatever its loss is: nan or inf too. nan where the loss of another batch is nan; math.inf where a float
    cannot hold the result.

    perplexity([math.log(2), math.log(8)], [1, 1])    ->  4.0
    perplexity([math.log(2), math.log(8)], [0, 5])    ->  8.0

    Raises ValueError where there are no tokens at all, a number of tokens is negative, or the lists differ in length.
    """
    raise NotImplementedError("perplexity")


def learning_rate(step: int, max_lr: float, warmup_steps: int, total_steps: int, min_lr: float = 0.0) -> float:
    """The learning rate of a step, counted from 0: up in a straight line, down along a cosine, and then min_lr.

    Step 0 has max_lr / warmup_steps, each further one of the warm-up as much more, so the last one has max_lr. Step
    warmup_steps has max_lr as well: there the cosine begins, that would reach min_lr at total_steps. From there on it
    is min_lr, at any step. Nothing is warmed up where warmup_steps is 0. 0 <= min_lr <= max_lr.

    learning_rate(step, 1.0, 4, 8) for step = 0, 1, …   ->  0.25 0.5 0.75 1.0 1.0 0.854 0.5 0.146 0.0 0.0 …

    Raises ValueError unless 0 <= warmup_steps < total_steps and step >= 0.
    """
    raise NotImplementedError("learning_rate")


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> float:
    """Shorten the gradients, all together as one vector, to the length max_norm; return their length before.

    Where max_norm / (norm + 1e-6) is below 1, each gradient is multiplied by it, in place: p.grad is the same tensor
    afterwards. Else nothing changes. With max_norm 0 they become 0; with math.inf they are only measured.

    parameters: in a list, or from a generator, none twice. One whose gradient is None has none, one that is frozen may
    have one, and that of an empty one is empty. 0.0 where there are no gradients. The gradients are finite.

    Raises ValueError for max_norm below 0.
    """
    raise NotImplementedError("clip_gradients")


def accumulate_gradients(model: nn.Module, loss_of: Loss, x: Tensor, y: Tensor, micro_batch: int) -> float:
    """Leave the gradients of loss_of(model(x), y) without ever having more than micro_batch rows in the model.

    x: (n, ...) and y: (n, ...), cut along the first dimension. Each row goes through model(...) once, and a
    micro-batch goes backward before the next one goes forward. n need not be a multiple of micro_batch.

    Whatever gradients there were are gone: what is left is what model.zero_grad() and one backward of the whole batch
    leave, None for a parameter that is not used or is frozen. Each module stays in the mode in which it is. Returns
    the loss of the whole batch.

    Raises ValueError for micro_batch below 1, and where there are no rows.
    """
    raise NotImplementedError("accumulate_gradients")


def evaluate(model: nn.Module, loss_of: Loss, batches: Batches) -> float:
    """The mean loss over all rows of all batches; a batch (x, y) has len(x) rows, 1 or more.

    batches: anything to be iterated over once, a generator too. While the model runs each of its modules is in eval
    mode, and gradients are off. Afterwards, also if the model raises, each module is in the mode in which it was: one
    that was frozen in eval mode stays there, in a model that was in training or not. Gradients, what is frozen, buffers
    and random states are what they were, and gradients are on or off as before.

    Raises ValueError where there are no batches.
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
    """Take a step for each batch (x, y), and return the losses: of each batch, before its step.

    In this order: all modules into training mode, whatever the batches have done to them; no gradient left of before;
    forward and backward, each row once through model(...), in micro-batches if that is asked for; clip the gradients
    to max_norm; step the optimizer; step the schedule, if there is one.

    batches: anything to be iterated over once, a generator too; there may be none, and none is empty. The optimizer
    holds all parameters of the model, in one group or several, and the norm is that of all their gradients. In which
    mode the model ends is left open.

    Raises FloatingPointError where the loss or the norm of the gradients, before they are clipped, is not finite; the
    loss may be finite and the norm not, or the other way round. Its message names the step, counted from 0, as in
    "step 3". It is raised before anything moves: parameters, optimizer and schedule are as the step before left them.
    """
    raise NotImplementedError("train")
