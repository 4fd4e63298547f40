"""Kata 05: write an optimizer, and add up what training keeps in memory. The lesson is in README.md beside this file.

The optimizers of torch.optim and their functional forms are absent; the class that all of them build on,
torch.optim.Optimizer, is there. It keeps the parameter groups in `self.param_groups`, each a dict with the parameters
under "params" and its settings under their names, and a dict for each parameter in `self.state`; what lies there is
saved and loaded by its `state_dict` and `load_state_dict`.

The names of an optimizer's settings are part of the answer: the constructor takes them by place and by name, and the
groups hold them under these names.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer


class SGD(Optimizer):
    """Gradient descent: each step takes lr times its gradient off each parameter.

    params: the parameters, in a list or from a generator, or a list of dicts, one for each group: {"params": [...]},
    and a lr of its own or none. No two parameters share memory.

    A lr that is changed in any group counts from the next step on. A parameter is updated in place, and keeps its
    dtype: float64, float32 or bfloat16. One whose gradient is None is left alone; one that has a gradient is updated
    even if it does not require one any more, and goes on requiring none. Gradients stay as they are. `state_dict` holds
    all that a new SGD with the same groups needs to go on exactly, whatever lr that was made with; torch.load reads it
    with weights_only=True.

    Raises ValueError for a negative lr given to the constructor. Nobody asks about a negative one in a group.
    """

    def __init__(self, params: Any, lr: float = 0.01) -> None:
        raise NotImplementedError("SGD")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled, and its very result returned.

        Without a closure None is returned. Where the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller stays as it was, then too.
        """
        raise NotImplementedError("SGD.step")


class AdaGrad(Optimizer):
    """AdaGrad: every element has a learning rate of its own, which falls with the squares of its past gradients.

    In its step number t (the first is 1) a parameter p with the gradient g changes like this, element by element:

        g    becomes  g + weight_decay · p
        sum  becomes  sum + g²                                   sum starts as initial_accumulator_value
        p    becomes  p − lr / (1 + (t − 1) · lr_decay) · g / (√sum + eps)

    params: as for SGD. A group may have a lr, lr_decay, weight_decay and eps of its own, and one that is changed in any
    group counts from the next step on; t is counted and the sum grows whatever the settings are, and
    initial_accumulator_value is the same for all. A parameter is updated in place, and keeps its dtype: float64,
    float32 or bfloat16. One whose gradient is None is left alone, and that counts as no step of it; one that has a
    gradient is updated even if it does not require one any more, and goes on requiring none. Gradients stay as they
    are. `state_dict` holds all that a new AdaGrad with the same groups needs to go on exactly, whatever settings that
    was made with; torch.load reads it with weights_only=True. Sums may be wider than their parameter: nobody asks about
    what they lose where Optimizer's own load_state_dict rounds them to its dtype. t stays exact there too, although
    bfloat16 holds no 257.

    Raises ValueError for a negative setting given to the constructor; 0 is none. Nobody asks about a negative one in a
    group.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
    ) -> None:
        raise NotImplementedError("AdaGrad")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled, and its very result returned.

        Without a closure None is returned. Where the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller stays as it was, then too.
        """
        raise NotImplementedError("AdaGrad.step")


def training_memory(
    dim: int, num_layers: int, batch_size: int, bytes_per_value: int = 4, states_per_param: int = 1
) -> int:
    """Bytes that training keeps: a deep linear model of num_layers layers (dim, dim) and one (dim, 1), without biases.

    Counted are the parameters, their gradients, the optimizer's states (states_per_param values for each parameter),
    and the activations that the backward pass needs: the result, (batch_size, dim), of each of the num_layers layers.
    The data is not counted. dim is at least 1; num_layers, batch_size and states_per_param may be 0. Every value takes
    bytes_per_value bytes. An exact integer, however large.
    """
    raise NotImplementedError("training_memory")
