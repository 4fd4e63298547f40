"""Kata 11: write the optimizers that remember, and count their bytes. The lesson is in README.md beside this file.

The optimizers of torch.optim, their functional forms and their fused kernels are absent. Their base class,
torch.optim.Optimizer, is there, as in kata 05. It keeps the parameter groups in `self.param_groups`, each a dict with
the parameters under "params" and its settings under their names. It keeps a dict for each parameter in `self.state`.
Its `state_dict` and `load_state_dict` save and load what is in there.

The names of an optimizer's settings are part of the answer: the constructor takes them by position and by name, and the
groups hold them under these names.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer


def running_average(values: list[float], beta: float, corrected: bool = True) -> list[float]:
    """Return the exponential average of the values so far, after each value.

    m starts at 0, and each value turns it into beta · m + (1 − beta) · value. When corrected, m is divided by what the
    same steps make of as many ones: then the weights of the values add up to 1.

    [8.0, 4.0], 0.5, corrected=False   ->  [4.0, 4.0]
    [8.0, 4.0], 0.5                    ->  [8.0, 5.333…]     4 / 0.5 and 4 / 0.75

    The list has one float for each value, and is empty for no values. A beta of 0 gives the values back.

    Raises ValueError unless 0 <= beta < 1, even for no values.
    """
    raise NotImplementedError("running_average")


class SGD(Optimizer):
    """Gradient descent with momentum.

    In its step number t (the first is 1), a parameter p with gradient g changes like this, element by element:

        g  becomes  g + weight_decay · p
        b  becomes  g where t is 1, else momentum · b + (1 − dampening) · g        where momentum is not 0
        g  becomes  g + momentum · b with nesterov, b without it                   where momentum is not 0
        p  becomes  p − lr · g

    params: the parameters, in a list or from a generator, or a list of dicts, one for each group: {"params": [...]},
    with or without settings of its own. No two parameters share memory. They have any shape, including empty and 0-d,
    and need not be contiguous.

    The settings are those of the group. An lr that is changed in any group takes effect in the next step; no other
    setting is changed once the optimizer is made. A parameter is updated in place, and keeps its dtype: float64,
    float32 or bfloat16, not always that of the others. A step starts from the values that the parameter then has,
    whatever has changed them. A parameter whose gradient is None is left alone, without decay, and this does not count
    as a step for it. A parameter that has a gradient is updated even if the gradient is 0, or if the parameter requires
    none, even when the optimizer is made; then it still requires none afterwards. Gradients do not change, and the next
    gradient may be written into the same tensor. They are used as they are: where a gradient is nan, so is the
    parameter afterwards.

    `state_dict` holds all that a new SGD with the same groups needs to continue exactly, whatever settings the new one
    was made with; torch.load reads it with weights_only=True. States may be wider than their parameter: what they lose
    when Optimizer's own load_state_dict rounds them to its dtype is not tested.

    Raises ValueError if the constructor gets a negative lr, momentum or weight_decay, or nesterov with a momentum of 0
    or with a dampening that is not 0, even if every group has settings of its own. No setting is too large: a momentum
    may be 1 or more. A dampening may be negative. A number may be an int; nesterov is True or False. Bad settings in a
    group are not tested.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        raise NotImplementedError("SGD")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled; its result is returned unchanged.

        Without a closure, None is returned. If the closure raises, even a KeyboardInterrupt, no step is taken, and the
        caller gets that error. Whether gradients are enabled for the caller does not change, even then.
        """
        raise NotImplementedError("SGD.step")


class RMSProp(Optimizer):
    """AdaGrad with an average in place of the sum.

    With each gradient g, a parameter p changes like this, element by element; v and b start at 0:

        g  becomes  g + weight_decay · p
        v  becomes  alpha · v + (1 − alpha) · g²
        u  is       g / (√v + eps)
        b  becomes  momentum · b + u
        p  becomes  p − lr · b

    With a momentum of 0, b is u. Nothing is corrected: the first steps are the longest.

    params, groups, gradients, `state_dict` and everything else are as for SGD, with these settings.

    Raises ValueError if the constructor gets a negative lr, alpha, eps, weight_decay or momentum, even if every group
    has its own; 0 is not negative. No setting is too large, but an alpha of 1 or more is never passed. Bad settings in
    a group are not tested.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
    ) -> None:
        raise NotImplementedError("RMSProp")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled; its result is returned unchanged.

        Without a closure, None is returned. If the closure raises, even a KeyboardInterrupt, no step is taken, and the
        caller gets that error. Whether gradients are enabled for the caller does not change, even then.
        """
        raise NotImplementedError("RMSProp.step")


class Adam(Optimizer):
    """RMSProp with an average of the gradients too, and both averages corrected.

    In its step number t (the first is 1), a parameter p with gradient g changes like this, element by element; m and v
    start at 0, and betas is (β₁, β₂):

        g  becomes  g + weight_decay · p
        m  becomes  β₁ · m + (1 − β₁) · g
        v  becomes  β₂ · v + (1 − β₂) · g²
        p  becomes  p − lr · m / (1 − β₁ᵗ) / (√(v / (1 − β₂ᵗ)) + eps)

    params, groups, gradients, `state_dict` and everything else are as for SGD, with these settings. Each parameter
    counts its own t: a step in which its gradient is None does not count. t stays exact over hundreds of steps, even if
    the parameter is bfloat16, which cannot hold 257.

    Raises ValueError if the constructor gets a negative lr, eps or weight_decay, and unless both betas are at least 0
    and below 1, even if every group has its own. No lr, eps or weight_decay is too large. Bad settings in a group are
    not tested.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        raise NotImplementedError("Adam")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled; its result is returned unchanged.

        Without a closure, None is returned. If the closure raises, even a KeyboardInterrupt, no step is taken, and the
        caller gets that error. Whether gradients are enabled for the caller does not change, even then.
        """
        raise NotImplementedError("Adam.step")


class AdamW(Optimizer):
    """Adam with the decay apart from the gradient: in each step of a parameter, before anything else,

        p  becomes  p · (1 − lr · weight_decay)

    and then p moves as in Adam with a weight_decay of 0. A gradient of 0 makes a step, with its decay; None makes none.

    params, groups, gradients, `state_dict`, steps and everything else are as for Adam.

    Raises ValueError if the constructor gets a negative lr, eps or weight_decay, and unless both betas are at least 0
    and below 1, even if every group has its own. No lr, eps or weight_decay is too large. Bad settings in a group are
    not tested.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        raise NotImplementedError("AdamW")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled; its result is returned unchanged.

        Without a closure, None is returned. If the closure raises, even a KeyboardInterrupt, no step is taken, and the
        caller gets that error. Whether gradients are enabled for the caller does not change, even then.
        """
        raise NotImplementedError("AdamW.step")


def decay_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Return parameter groups of a model, for any optimizer: matrices decay, vectors and scalars do not.

    nn.Linear(2, 3), 0.5  ->  [{"params": [weight], "weight_decay": 0.5}, {"params": [bias], "weight_decay": 0.0}]

    A parameter with two dimensions or more is in a group whose "weight_decay" is weight_decay. Any other parameter is
    in a group where it is 0. Its name and its layer do not matter. Every group has this entry, because an optimizer may
    have a default of its own. No group has an lr: the optimizer's holds for all. Parameters that require no gradient
    are in no group. Every other parameter is in exactly one group, once, even if it is tied. How many groups there are,
    and in which order, is left to you. They are in a list, and torch's optimizers take no set under "params". The model
    has something to train, but maybe no matrix, or nothing else. It stays as it is: what is frozen stays frozen.

    Raises ValueError for a negative weight_decay.
    """
    raise NotImplementedError("decay_groups")


def state_bytes(
    optimizer: str,
    shapes: list[tuple[int, ...]],
    dtype: torch.dtype = torch.float32,
    momentum: float = 0.0,
    amsgrad: bool = False,
) -> int:
    """Return the bytes that torch's optimizer of this name keeps for parameters of these shapes, once each took a step.

    For each parameter, torch keeps this many tensors of its size and dtype:

        "SGD"              1 with a momentum that is not 0, else none
        "Adagrad"          1
        "RMSprop"          1, and 1 more with a momentum that is not 0
        "Adam", "AdamW"    2, and 1 more with amsgrad
        "Muon"             1, with momentum or without

    All but SGD and Muon also keep a count of steps for each parameter: one float32, whatever the dtype and shape are.

    "AdamW", [(1000, 1000), (1000,)]  ->  2 · 4 · 1001000 + 2 · 4

    dtype is any floating-point dtype, even one of 1 byte. Sizes may be 0, but for Muon they are at least 1. torch can
    make a tensor of each shape, at least on device="meta". The result is an exact integer, however large, and 0 for no
    parameters.

    Raises ValueError for any other name, where capitals matter, and for "Muon" with a shape that is not 2-d.
    """
    raise NotImplementedError("state_bytes")


def orthogonalize(grad: Tensor, steps: int = 5) -> Tensor:
    """Bring the singular values of a matrix near to 1 by Muon's iteration, which leaves its singular vectors alone.

    grad: (m, n)  ->  (m, n). x starts as grad divided by the root of the sum of its squares. Then, `steps` times,

        x  becomes  3.4445 · x − 4.7750 · (x xᵀ) x + 2.0315 · (x xᵀ) (x xᵀ) x

    in the dtype of grad, float64 or float32. grad does not change, and need not be contiguous. A matrix of zeros gives
    zeros, and an empty one gives an empty one. steps is 0 or more. Whether a tiny number keeps the division from 0 is
    left to you: either grad is 0, or the root is at least 1.

    Raises ValueError unless grad has two dimensions.
    """
    raise NotImplementedError("orthogonalize")
