"""Kata 05: write an optimizer, and add up what training keeps in memory. The lesson is in README.md beside this file.

The optimizers of torch.optim and their functional forms are absent. Their base class, torch.optim.Optimizer, is there.
It keeps the parameter groups in `self.param_groups`, each a dict with the parameters under "params" and its settings
under their names. It keeps a dict for each parameter in `self.state`. Its `state_dict` and `load_state_dict` save and
load what is in there.

The names of an optimizer's settings are part of the answer: the constructor takes them by position and by name, and the
groups hold them under these names. A setting may be an int.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer


class SGD(Optimizer):
    """Gradient descent: each step subtracts lr times its gradient from each parameter.

    params: the parameters, in a list or from a generator, or a list of dicts, one for each group: {"params": [...]},
    with or without its own lr. No two parameters share memory.

    An lr that is changed in any group takes effect in the next step. A parameter is updated in place, and keeps its
    dtype: float64, float32 or bfloat16, not always that of the others. A step starts from the values that the parameter
    then has, whatever has changed them: what rounding to its dtype took from the steps before is gone. A parameter
    whose gradient is None is left alone. A parameter that has a gradient is updated even if it requires none, even when
    the optimizer is made, and it still requires none afterwards. Gradients do not change. They are used as they are:
    where a gradient is nan, so is the parameter afterwards.

    `state_dict` holds all that a new SGD with the same groups needs to continue exactly, whatever lr the new one was
    made with. torch.load reads it with weights_only=True.

    Raises ValueError for a negative lr passed to the constructor. A negative lr in a group is not tested.
    """

    def __init__(self, params: Any, lr: float = 0.01) -> None:
        raise NotImplementedError("SGD")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled; its result is returned unchanged.

        Without a closure, None is returned. If the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller does not change, even then.
        """
        raise NotImplementedError("SGD.step")


class AdaGrad(Optimizer):
    """AdaGrad: every element has its own learning rate, which falls with the squares of its past gradients.

    In its step number t (the first is 1), a parameter p with gradient g changes like this, element by element:

        g    becomes  g + weight_decay · p
        sum  becomes  sum + g²                                   sum starts as initial_accumulator_value
        p    becomes  p − lr / (1 + (t − 1) · lr_decay) · g / (√sum + eps)

    params: as for SGD. A group may have its own lr, lr_decay, weight_decay and eps. If one of them is changed in any
    group, the change takes effect in the next step. t is counted and the sum grows whatever the settings are.
    initial_accumulator_value is the same for all groups. Parameters and gradients are as for SGD, and a parameter whose
    gradient is None takes no step that counts.

    `state_dict` holds all that a new AdaGrad with the same groups needs to continue exactly, whatever settings the new
    one was made with. torch.load reads it with weights_only=True. Sums may be wider than their parameter: what they
    lose when Optimizer's own load_state_dict rounds them to its dtype is not tested. t stays exact there too, although
    bfloat16 cannot hold 257.

    Raises ValueError for a negative setting passed to the constructor; 0 is not negative. A negative setting in a group
    is not tested.
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
        """Take one step. A closure is called first, once and with gradients enabled; its result is returned unchanged.

        Without a closure, None is returned. If the closure raises, no step is taken, and the caller gets that error.
        Whether gradients are enabled for the caller does not change, even then.
        """
        raise NotImplementedError("AdaGrad.step")


def training_memory(
    dim: int, num_layers: int, batch_size: int, bytes_per_value: int = 4, states_per_param: int = 1
) -> int:
    """Return the bytes that training keeps for num_layers linear layers (dim, dim) and one (dim, 1), without biases.

    The layers form a deep linear model. Training keeps the parameters, their gradients, the optimizer states
    (states_per_param values for each parameter), and the activations that the backward pass needs: the result,
    (batch_size, dim), of each of the num_layers layers. The data is not counted. dim is at least 1; num_layers,
    batch_size and states_per_param may be 0. Every value takes bytes_per_value bytes. The result is an exact integer,
    however large.
    """
    raise NotImplementedError("training_memory")
