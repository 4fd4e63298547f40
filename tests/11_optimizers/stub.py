"""Kata 11: write the optimizers that remember, and count their bytes. The lesson is in README.md beside this file.

The optimizers of torch.optim, their functional forms and their fused kernels are absent; the class that all of them
build on, torch.optim.Optimizer, is there, as in kata 05. It keeps the parameter groups in `self.param_groups`, each a
dict with the parameters under "params" and its settings under their names, and a dict for each parameter in
`self.state`; what lies there is saved and loaded by its `state_dict` and `load_state_dict`.

The names of an optimizer's settings are part of the answer: the constructor takes them by place and by name, and the
groups hold them under these names.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer


def running_average(values: list[float], beta: float, corrected: bool = True) -> list[float]:
    """The exponential average of the values so far, after each of them.

    m begins at 0, and each value makes it beta · m + (1 − beta) · value. Corrected, m is divided by what the same steps
    make of as many ones: then the weights of the values add up to 1.

    [8.0, 4.0], 0.5, corrected=False   ->  [4.0, 4.0]
    [8.0, 4.0], 0.5                    ->  [8.0, 5.333…]     4 / 0.5 and 4 / 0.75

    One float for each value, none for none. A beta of 0 gives the values back.

    Raises ValueError unless 0 <= beta < 1, for no values too.
    """
    raise NotImplementedError("running_average")


class SGD(Optimizer):
    """Gradient descent with momentum.

    In its step number t (the first is 1) a parameter p with the gradient g changes like this, element by element:

        g  becomes  g + weight_decay · p
        b  becomes  g where t is 1, else momentum · b + (1 − dampening) · g        where momentum is not 0
        g  becomes  g + momentum · b with nesterov, b without it                   where momentum is not 0
        p  becomes  p − lr · g

    params: the parameters, in a list or from a generator, or a list of dicts, one for each group: {"params": [...]},
    and settings of its own or none. No two parameters share memory; they are of any shape, empty and 0-d ones among
    them, and need not be contiguous.

    Settings are those of the group. A lr that is changed in any group counts from the next step on; nobody changes
    another setting once the optimizer is made. A parameter is updated in place, and keeps its dtype: float64, float32
    or bfloat16. One whose gradient is None is left alone, without decay, and that counts as no step of it; one that has
    a gradient is updated even if the gradient is 0 or the parameter does not require one any more, and then goes on
    requiring none. Gradients stay as they are, and the next one may be written into the same tensor. `state_dict` holds
    all that a new SGD with the same groups needs to go on exactly, whatever settings that was made with; torch.load
    reads it with weights_only=True. States may be wider than their parameter: nobody asks about what they lose where
    Optimizer's own load_state_dict rounds them to its dtype.

    Raises ValueError for a negative lr, momentum or weight_decay, and for nesterov with a momentum of 0 or with a
    dampening that is not 0, given to the constructor. A momentum may be 1, and a dampening negative. Nobody asks about
    bad settings in a group.
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
        """Take one step. A closure is called first, once and with gradients enabled, and its very result returned.

        Without a closure None is returned. Where the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller stays as it was, then too.
        """
        raise NotImplementedError("SGD.step")


class RMSProp(Optimizer):
    """AdaGrad with an average in place of the sum.

    With each gradient g a parameter p changes like this, element by element; v and b begin at 0:

        g  becomes  g + weight_decay · p
        v  becomes  alpha · v + (1 − alpha) · g²
        u  is       g / (√v + eps)
        b  becomes  momentum · b + u
        p  becomes  p − lr · b

    With a momentum of 0, b is u. Nothing is corrected: the first steps are the longest.

    params, groups, gradients, `state_dict` and all else: as for SGD, with these settings.

    Raises ValueError for a negative lr, alpha, eps, weight_decay or momentum given to the constructor; 0 is none. A
    momentum may be 1, and no alpha is 1 or more. Nobody asks about bad settings in a group.
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
        """Take one step. A closure is called first, once and with gradients enabled, and its very result returned.

        Without a closure None is returned. Where the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller stays as it was, then too.
        """
        raise NotImplementedError("RMSProp.step")


class Adam(Optimizer):
    """RMSProp with an average of the gradients too, and both averages corrected.

    In its step number t (the first is 1) a parameter p with the gradient g changes like this, element by element; m and
    v begin at 0, and betas is (β₁, β₂):

        g  becomes  g + weight_decay · p
        m  becomes  β₁ · m + (1 − β₁) · g
        v  becomes  β₂ · v + (1 − β₂) · g²
        p  becomes  p − lr · m / (1 − β₁ᵗ) / (√(v / (1 − β₂ᵗ)) + eps)

    params, groups, gradients, `state_dict` and all else: as for SGD, with these settings. t counts the steps of each
    parameter by itself: one in which its gradient is None is none.

    Raises ValueError for a negative lr, eps or weight_decay, and unless both betas are at least 0 and below 1, given to
    the constructor. Nobody asks about bad settings in a group.
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
        """Take one step. A closure is called first, once and with gradients enabled, and its very result returned.

        Without a closure None is returned. Where the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller stays as it was, then too.
        """
        raise NotImplementedError("Adam.step")


class AdamW(Optimizer):
    """Adam with the decay beside the gradient: in each step of a parameter, before anything else,

        p  becomes  p · (1 − lr · weight_decay)

    and then it moves as Adam moves it with a weight_decay of 0. A gradient that is 0 is a step, with its decay; None
    is none.

    params, groups, gradients, `state_dict`, steps and all else: as for Adam.

    Raises ValueError for a negative lr, eps or weight_decay, and unless both betas are at least 0 and below 1, given to
    the constructor. Nobody asks about bad settings in a group.
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
        """Take one step. A closure is called first, once and with gradients enabled, and its very result returned.

        Without a closure None is returned. Where the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller stays as it was, then too.
        """
        raise NotImplementedError("AdamW.step")


def decay_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Parameter groups of a model, for any optimizer: matrices decay, vectors and scalars do not.

    nn.Linear(2, 3), 0.5  ->  [{"params": [weight], "weight_decay": 0.5}, {"params": [bias], "weight_decay": 0.0}]

    A parameter of two dimensions or more is in a group whose "weight_decay" is weight_decay, any other one in a group
    where that is 0; its name and its layer do not matter. Every group has the entry: an optimizer may have a default of
    its own. Parameters that require no gradient are in no group, all others in one group once, tied ones too. How many
    groups there are, and in which order, is left to you. The model has something to train.

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
    """Bytes that torch's optimizer of this name keeps for parameters of these shapes, after a step of all of them.

    Of each parameter's size and in its dtype, torch keeps

        "SGD"              1 with a momentum that is not 0, else none
        "Adagrad"          1
        "RMSprop"          1, and 1 more with a momentum that is not 0
        "Adam", "AdamW"    2, and 1 more with amsgrad
        "Muon"             1, with momentum or without

    and, but for SGD and Muon, a count of steps for each parameter: one float32, whatever dtype and shape are.

    "AdamW", [(1000, 1000), (1000,)]  ->  2 · 4 · 1001000 + 2 · 4

    dtype is one of floats. 0 for no parameters. Sizes may be 0, for Muon they are at least 1. An exact integer, however
    large.

    Raises ValueError for any other name, where capitals count, and for "Muon" with a shape that is not 2-d.
    """
    raise NotImplementedError("state_bytes")


def orthogonalize(grad: Tensor, steps: int = 5) -> Tensor:
    """Muon's iteration, which brings the singular values of a matrix near to 1 and leaves its singular vectors alone.

    grad: (m, n)  ->  (m, n). x is grad over the root of the sum of its squares, and so many times

        x  becomes  3.4445 · x − 4.7750 · (x xᵀ) x + 2.0315 · (x xᵀ) (x xᵀ) x

    in the dtype of grad, float64 or float32. grad stays as it is, and need not be contiguous. A matrix of zeros gives
    zeros, an empty one an empty one. steps is 0 or more. Whether a tiny number keeps the division from 0 is left to
    you: grad is 0, or the root is at least 1.

    Raises ValueError unless grad has two dimensions.
    """
    raise NotImplementedError("orthogonalize")
