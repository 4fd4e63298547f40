"""Kata 05: write an optimizer, and add up what training keeps in memory. The lesson is in README.md beside this file.

The optimizers of torch.optim and their functional forms are absent; the class that all of them build on,
torch.optim.Optimizer, is there. It keeps the parameter groups in `self.param_groups`, each a dict with the parameters
under "params" and its settings under their names, and a dict for each parameter in `self.state`; what lies there is
saved and loaded by its `state_dict` and `load_state_dict`.
"""

from collections.abc import Callable
from typing import Any

from torch.optim import Optimizer


class SGD(Optimizer):
    """Gradient descent: each step takes lr times its gradient off each parameter.

    params: the parameters, or a list of dicts, one for each group: {"params": [...]}, and a lr of its own or none.

    A lr that is changed in a group counts from the next step on. A parameter is updated in place. One whose gradient is
    None is left alone. Gradients stay as they are.

    Raises ValueError for a negative lr.
    """

    def __init__(self, params: Any, lr: float = 0.01) -> None:
        raise NotImplementedError("SGD")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take one step. A closure is called first, once and with gradients enabled, and its result returned."""
        raise NotImplementedError("SGD.step")


class AdaGrad(Optimizer):
    """AdaGrad: every element has a learning rate of its own, which falls with the squares of its past gradients.

    In its step number t (the first is 1) a parameter p with the gradient g changes like this, element by element:

        g    becomes  g + weight_decay · p
        sum  becomes  sum + g²                                   sum starts as initial_accumulator_value
        p    becomes  p − lr / (1 + (t − 1) · lr_decay) · g / (√sum + eps)

    A group may have a lr, lr_decay, weight_decay and eps of its own, and one that is changed there counts from the next
    step on; initial_accumulator_value is the same for all. A parameter is updated in place, and keeps its dtype. One
    whose gradient is None is left alone, and that counts as no step of it. Gradients stay as they are. `state_dict`
    holds all that a new optimizer needs to go on exactly.

    Raises ValueError for a negative setting.
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
        """Take one step. A closure is called first, once and with gradients enabled, and its result returned."""
        raise NotImplementedError("AdaGrad.step")


def training_memory(
    dim: int, num_layers: int, batch_size: int, bytes_per_value: int = 4, states_per_param: int = 1
) -> int:
    """Bytes that training keeps: a deep linear model of num_layers layers (dim, dim) and one (dim, 1), without biases.

    Counted are the parameters, their gradients, the optimizer's states (states_per_param values for each parameter),
    and the activations that the backward pass needs: the result, (batch_size, dim), of each of the num_layers layers.
    The data is not counted. dim is at least 1. Every value takes bytes_per_value bytes.
    """
    raise NotImplementedError("training_memory")
