"""Kata 13: narrow where possible, wide where necessary. The lesson is in README.md beside this file.

torch's GradScaler is not available, under any of its names; `mixed_step` receives one. torch.autocast, torch's
optimizers and `clip_grad_norm_` are available. Everything is on the CPU.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer


def training_bytes(num_params: int, recipe: str, states: int = 2) -> int:
    """Return the bytes that are kept between two steps: weights, gradients, masters and optimizer states.

    states: how many numbers the optimizer keeps for each parameter: 2 for AdamW, 0 for plain SGD. Step counters and
    activations are not counted. The recipes:

    "float32"     everything in float32
    "bfloat16"    everything in bfloat16
    "autocast"    float32, except for narrow copies of the weights, which live from the forward to the backward pass
    "master"      weights and gradients in bfloat16; float32 masters of the weights in addition, and float32 states

    1000, "bfloat16"      ->   8000      2 + 2 + 2 · 2 bytes a parameter
    1000, "float32", 0    ->   8000      4 + 4

    The result is an int, exact for 70e9 parameters and more.

    Raises ValueError for any other recipe, and if num_params or states is below 0. 0 is allowed.
    """
    raise NotImplementedError("training_bytes")


def lost_gradients(grads: Tensor, dtype: torch.dtype = torch.float16, scale: float = 1.0) -> tuple[int, int]:
    """Return how many gradients become 0, and how many are no longer finite, when they are scaled and then stored.

    grads: float32, of any shape; they are not changed. They are multiplied by the scale, a power of two, in float32,
    and then cast to dtype, float16 or bfloat16, which rounds to nearest.

    [1e-8, 1e-4, 1e8]                     ->  (1, 1)
    [1e-8, 1e-4, 1e8], scale=1024.0       ->  (0, 1)
    [1e-8, 1e-4, 1e8], torch.bfloat16     ->  (0, 0)

    The result is two ints. A gradient that was 0 before is not lost; inf and nan were not finite before. Without
    gradients it is (0, 0).
    """
    raise NotImplementedError("lost_gradients")


def largest_scale(grads: Tensor) -> float:
    """Return the largest power of two at which all gradients, scaled in float32 and stored in float16, stay finite.

    [1.0, -0.25]    ->  32768.0      65536 is inf in float16
    [-100000.0]     ->  0.5

    grads: float32, of any shape; they are not changed. The result is a float, below 1 if a gradient is too large
    without a scale. Numbers up to 65504, float16's largest, and numbers that round to it stay finite; 65520 is half way
    to the next one and does not.

    Raises ValueError if all gradients are 0, if there are none, or if one is not finite.
    """
    raise NotImplementedError("largest_scale")


def autocast_dtype(op: str, *dtypes: torch.dtype, lower: torch.dtype = torch.bfloat16) -> torch.dtype:
    """Return the dtype of an operation's result under torch.autocast("cpu", dtype=lower).

    dtypes: those of both operands for matmul, linear, mse_loss, add, mul and cat; that of the one operand for
    cross_entropy (its logits), prod, relu, gelu, softmax, layer_norm, exp, sum and mean. Each is float64, float32,
    bfloat16 or float16; lower is bfloat16 or float16. cat with the 16-bit dtype that is not lower is not tested.

    "matmul", torch.float32, torch.float32                          ->  torch.bfloat16
    "matmul", torch.float32, torch.bfloat16, lower=torch.float16    ->  torch.float16
    "add", torch.float32, torch.bfloat16                            ->  torch.float32
    "prod", torch.float16                                           ->  torch.float32
    "softmax", torch.float16                                        ->  torch.float16

    The products, matmul and linear, run in lower for any operands of 16 or 32 bits, and leave float64 alone. mse_loss,
    cross_entropy and prod run in float32, or in float64 if an operand is float64. All others run in the widest dtype of
    their operands, as torch.promote_types defines it.

    Raises ValueError for the name of any other operation, and for a product of float64 with another dtype, which torch
    refuses.
    """
    raise NotImplementedError("autocast_dtype")


class LossScaler:
    """Scale a loss, unscale the gradients, skip the step if one of them is not finite, and adapt the scale.

    One scaler may serve several optimizers. For each of them, from one update to the next:

        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)         may be left out; gradients may be clipped after it
        scaler.step(optimizer)
        scaler.update()                    once, after all of them

    Parameters, losses and gradients are float32; scales are powers of two. Each optimizer has at least one gradient;
    gradients have any shape, including () and empty. update is never called without a step, and no state is saved
    between unscale_ and update. A call that is refused changes nothing.

    Raises ValueError for an init_scale of 0 or less, a growth_factor of 1 or less, a backoff_factor that is not between
    0 and 1, or a growth_interval below 1.
    """

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
    ) -> None:
        raise NotImplementedError("LossScaler")

    def scale(self, loss: Tensor) -> Tensor:
        """Return the loss times the scale, a 0-d tensor.

        Its backward reaches what the loss was computed from. The loss itself does not change.
        """
        raise NotImplementedError("LossScaler.scale")

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of this optimizer by the scale, in place, and look for inf and nan in them.

        What is found here counts, whatever happens to the gradients before the step, and even if the optimizer does not
        step before the update. A parameter without a gradient keeps None. Raises RuntimeError if called twice for an
        optimizer, or after its step, before the update.
        """
        raise NotImplementedError("LossScaler.unscale_")

    def step(self, optimizer: Optimizer) -> None:
        """Unscale this optimizer's gradients unless that was already done; call its step() unless inf or nan was found.

        What was found in the gradients of another optimizer makes no difference. Raises RuntimeError if called twice
        for an optimizer before the update.
        """
        raise NotImplementedError("LossScaler.step")

    def update(self) -> None:
        """Adapt the scale.

        If inf or nan was found for any optimizer, the scale is multiplied by backoff_factor, and the count of updates
        without inf or nan is reset to 0. Otherwise the count grows by 1. When it reaches growth_interval, the scale is
        multiplied by growth_factor, unless the product would exceed float32's largest number, and the count is reset
        to 0 either way.
        """
        raise NotImplementedError("LossScaler.update")

    def get_scale(self) -> float:
        """Return the scale that the next loss is multiplied by."""
        raise NotImplementedError("LossScaler.get_scale")

    def state_dict(self) -> dict[str, Any]:
        """Return plain data: everything that another scaler needs to continue exactly, including settings and count.

        torch.save writes it, and torch.load reads it with weights_only=True, also in another process. It does not
        change when this scaler continues.
        """
        raise NotImplementedError("LossScaler.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue as the scaler whose state_dict this is, whatever settings this one was made with.

        That scaler may continue too, and neither changes the other. The state does not change, and may be loaded again.
        """
        raise NotImplementedError("LossScaler.load_state_dict")


class MasterWeights:
    """Narrow weights that are moved by an optimizer of float32 copies, the masters.

    params: a list of contiguous leaf tensors that require gradients, all bfloat16 or all float16. make: called once,
    with a list of the masters, float32 tensors that require gradients, one for each parameter and of its shape; it
    returns a torch optimizer of them, in one group or several. Its settings may be changed between two steps, its
    learning rates also after load_state_dict. Nothing else changes a weight between two steps. The parameters require
    gradients after a step or a load as well. Whether gradients are enabled for the caller does not change, and the
    caller may have disabled them. The gradients of the masters are not tested.
    """

    def __init__(self, params: list[Tensor], make: Callable[[list[Tensor]], Optimizer]) -> None:
        raise NotImplementedError("MasterWeights")

    def step(self) -> None:
        """Step the masters with the gradients of the parameters, and round them into the parameters.

        Each parameter is written in place: it becomes its master, rounded to nearest. Its gradient does not change. A
        parameter without a gradient does not move, and its optimizer state does not change, even if it had a gradient
        before.
        """
        raise NotImplementedError("MasterWeights.step")

    def zero_grad(self) -> None:
        """Set the gradient of each parameter to None."""
        raise NotImplementedError("MasterWeights.zero_grad")

    def state_dict(self) -> dict[str, Any]:
        """Return everything that a new MasterWeights needs to continue bit for bit, even if its parameters are zeros.

        Masters have bits that the parameters lack. torch.save writes it, and torch.load reads it with
        weights_only=True, also in another process.
        """
        raise NotImplementedError("MasterWeights.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue as the MasterWeights whose state_dict this is, with all settings that its optimizer had then.

        Learning rates, weight decay, momentum, betas and eps are among them. The parameters get the values that its
        parameters had. Steps taken here before make no difference.
        """
        raise NotImplementedError("MasterWeights.load_state_dict")


def stochastic_round(x: Tensor, generator: torch.Generator) -> Tensor:
    """Round float32 to bfloat16, up or down by chance, so that the average is right.

    A number that bfloat16 can hold stays as it is, including 0, -0.0, inf and -inf. Any other number is between two
    neighbors that bfloat16 can hold, subnormal numbers included. It becomes the neighbor away from 0 with the
    probability (|x| − near) / (away − near), and otherwise the one near 0. Each element is rounded independently.

    1.0                                ->  1.0
    1 + 2⁻⁹, between 1 and 1 + 2⁻⁷     ->  1.0078125 one time in four, 1.0 otherwise

    x: float32, of any shape, including () and empty, possibly transposed. It is not changed, and the result has its
    shape. No element is nan, and no finite one is beyond bfloat16's largest number. Random numbers come only
    from the generator, and each call draws new ones: the same seed gives the same result, and the global generator does
    not change.
    """
    raise NotImplementedError("stochastic_round")


def mixed_step(
    model: nn.Module,
    optimizer: Optimizer,
    scaler: Any,
    loss_of: Callable[[Tensor, Tensor], Tensor],
    x: Tensor,
    y: Tensor,
    lower: torch.dtype = torch.bfloat16,
    max_norm: float = math.inf,
    scheduler: Any = None,
) -> bool:
    """Take one whole step in mixed precision; return whether the optimizer moved.

    1. Clear the gradients.
    2. Run the model and loss_of(prediction, y) under autocast to lower, on the CPU. The model gets x as it is, and
       loss_of gets the prediction and y as they are: only autocast casts.
    3. Run backward through the scaled loss.
    4. Unscale the gradients, and clip the norm of all of them to max_norm, as torch's clip_grad_norm_ does.
    5. Let the scaler step the optimizer, then update the scaler.
    6. Step the scheduler, if there is one and the optimizer moved.

    scaler: a GradScaler from torch. It skips the step if a gradient is inf or nan, and then backs off; its scale may
    also grow. It may be disabled: then it scales nothing, and the optimizer always moves, whether gradients are finite
    or not.

    max_norm may be 0: then the optimizer steps with gradients of 0.

    The optimizer holds all parameters of the model, in one group or several; they are float32, and some may be frozen.
    The caller decides whether the model is in training mode. The caller also decides whether autocast is on outside,
    and to which dtype: after the step it is as before.
    """
    raise NotImplementedError("mixed_step")
