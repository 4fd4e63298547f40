"""Kata 13: narrow where it may be, wide where it must be. The lesson is in README.md beside this file.

torch's GradScaler is absent, under all of its names; `mixed_step` is handed one. torch.autocast, torch's optimizers
and `clip_grad_norm_` are there. Everything is on the CPU.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer


def training_bytes(num_params: int, recipe: str, states: int = 2) -> int:
    """Bytes that lie there between two steps: weights, gradients, masters and the optimizer's states.

    states: how many numbers the optimizer keeps of each parameter: 2 of AdamW, 0 of plain SGD. Counts of steps and
    activations are left out. The recipes:

    "float32"     all of it in float32
    "bfloat16"    all of it in bfloat16
    "autocast"    float32, but for narrow copies of the weights, which live from the forward to the backward pass
    "master"      weights and gradients in bfloat16; float32 masters of the weights beside them, and float32 states

    1000, "bfloat16"      ->   8000      2 + 2 + 2 · 2 bytes a parameter
    1000, "float32", 0    ->   8000      4 + 4

    An int, exact for 70e9 parameters and more.

    Raises ValueError for any other recipe, and for a num_params or a number of states below 0. 0 is fine.
    """
    raise NotImplementedError("training_bytes")


def lost_gradients(grads: Tensor, dtype: torch.dtype = torch.float16, scale: float = 1.0) -> tuple[int, int]:
    """How many gradients become 0, and how many are not finite any more, when they are scaled and then stored.

    grads: float32, of any shape, and left as they are. They are multiplied by the scale, a power of two, in float32,
    and then cast to dtype, float16 or bfloat16, which rounds to nearest.

    [1e-8, 1e-4, 1e8]                     ->  (1, 1)
    [1e-8, 1e-4, 1e8], scale=1024.0       ->  (0, 1)
    [1e-8, 1e-4, 1e8], torch.bfloat16     ->  (0, 0)

    Two ints. What was 0 before is not lost, and inf and nan were not finite before. Without gradients (0, 0).
    """
    raise NotImplementedError("lost_gradients")


def largest_scale(grads: Tensor) -> float:
    """The largest power of two at which all gradients are still finite, scaled in float32 and stored in float16.

    [1.0, -0.25]    ->  32768.0      of 65536 float16 makes inf
    [-100000.0]     ->  0.5

    grads: float32, of any shape, and left as they are. A float: below 1 where a gradient is too large as it is. What is
    up to float16's largest number, 65504, and what rounds to it, stays finite; 65520 lies half way to the next one and
    does not.

    Raises ValueError where there is nothing but zeros, nothing at all, or something that is not finite.
    """
    raise NotImplementedError("largest_scale")


def autocast_dtype(op: str, *dtypes: torch.dtype, lower: torch.dtype = torch.bfloat16) -> torch.dtype:
    """The dtype of an operation's result under torch.autocast("cpu", dtype=lower).

    dtypes: of both operands of matmul, linear, mse_loss, add, mul and cat; of the one operand of cross_entropy (its
    logits), prod, relu, gelu, softmax, layer_norm, exp, sum and mean. They are float64, float32, bfloat16 and float16;
    lower is bfloat16 or float16. Nobody asks about cat with the 16-bit dtype that is not lower.

    "matmul", torch.float32, torch.float32                          ->  torch.bfloat16
    "matmul", torch.float32, torch.bfloat16, lower=torch.float16    ->  torch.float16
    "add", torch.float32, torch.bfloat16                            ->  torch.float32
    "prod", torch.float16                                           ->  torch.float32
    "softmax", torch.float16                                        ->  torch.float16

    The products, matmul and linear, run in lower, whatever of 16 or 32 bits they get, and leave float64 alone.
    mse_loss, cross_entropy and prod run in float32, or in float64 where they get some. All others take what comes, the
    widest of it as torch.promote_types has it.

    Raises ValueError for the name of any other operation, and for a product of float64 with another dtype, which torch
    refuses.
    """
    raise NotImplementedError("autocast_dtype")


class LossScaler:
    """Scales a loss, unscales the gradients, skips the step where one of them is not finite, and adapts the scale.

    One scaler may serve several optimizers. Of each, from one update to the next:

        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)         may be left out; gradients may be clipped after it
        scaler.step(optimizer)
        scaler.update()                    once, after all of them

    Parameters, losses and gradients are float32, scales powers of two. An optimizer has a gradient at least; gradients
    have any shape, also () and empty. Nobody calls update without a step, or saves a state between unscale_ and update.
    A call that is refused changes nothing.

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
        """The loss times the scale, a 0-d tensor whose backward reaches what it came of; the loss itself stays."""
        raise NotImplementedError("LossScaler.scale")

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of this optimizer by the scale, in place, and look for inf and nan in them.

        What is found here counts, whatever becomes of the gradients until the step. A parameter without a gradient
        keeps None. Raises RuntimeError if called twice for an optimizer, or after its step, until the update.
        """
        raise NotImplementedError("LossScaler.unscale_")

    def step(self, optimizer: Optimizer) -> None:
        """Unscale the gradients of this optimizer, unless that was done; call its step() unless inf or nan was found.

        What was found in the gradients of another optimizer makes no difference. Raises RuntimeError if called twice
        for an optimizer, until the update.
        """
        raise NotImplementedError("LossScaler.step")

    def update(self) -> None:
        """Adapt the scale.

        Where inf or nan was found, of any optimizer, the scale is multiplied by backoff_factor, and the count of
        updates without such a find is 0 again. Else the count grows by 1; where it reaches growth_interval, the scale
        is multiplied by growth_factor, unless that would exceed float32's largest number, and the count is 0 again
        either way.
        """
        raise NotImplementedError("LossScaler.update")

    def get_scale(self) -> float:
        """The scale that the next loss is multiplied by."""
        raise NotImplementedError("LossScaler.get_scale")

    def state_dict(self) -> dict[str, Any]:
        """Plain data: all that another scaler needs to go on exactly, settings and count included.

        torch.save writes it, and torch.load reads it with weights_only=True, in another process, too.
        """
        raise NotImplementedError("LossScaler.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on as the scaler whose state_dict this is, with whatever settings this one was made.

        That scaler may go on as well, and neither changes the other.
        """
        raise NotImplementedError("LossScaler.load_state_dict")


class MasterWeights:
    """Narrow weights that are moved by an optimizer of float32 copies, the masters.

    params: a list of leaves, contiguous, all bfloat16 or all float16, which require gradients. make: called once, with
    a list of the masters, float32 tensors that require gradients, one for each parameter; it returns a torch optimizer
    of them, in one group or several. Nobody changes a weight between two steps, or asks what gradients the masters
    have.
    """

    def __init__(self, params: list[Tensor], make: Callable[[list[Tensor]], Optimizer]) -> None:
        raise NotImplementedError("MasterWeights")

    def step(self) -> None:
        """Step the masters along the gradients of the parameters, and round them to the parameters.

        A parameter is written in place: the master rounded to nearest. Its gradient stays as it is. One without a
        gradient does not move, nor does the optimizer change its state, also if it had a gradient before.
        """
        raise NotImplementedError("MasterWeights.step")

    def zero_grad(self) -> None:
        """Set the gradient of each parameter to None."""
        raise NotImplementedError("MasterWeights.zero_grad")

    def state_dict(self) -> dict[str, Any]:
        """All that a new MasterWeights needs to go on to the bit, be its parameters zeros.

        Masters have bits that the parameters lack. torch.save writes it, and torch.load reads it with
        weights_only=True, in another process, too.
        """
        raise NotImplementedError("MasterWeights.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on as the MasterWeights whose state_dict this is, at the rates that its optimizer had by then.

        The parameters are what its parameters were. Whatever steps were taken here before make no difference.
        """
        raise NotImplementedError("MasterWeights.load_state_dict")


def stochastic_round(x: Tensor, generator: torch.Generator) -> Tensor:
    """Round float32 to bfloat16, up or down by chance, so that the average is right.

    A number that bfloat16 holds stays: 0, -0.0, inf and -inf too. Any other one lies between two neighbours that
    bfloat16 holds, subnormal numbers among them. It becomes the one away from 0 with the probability
    (|x| − near) / (away − near), and else the one near to 0, each element by itself.

    1.0                                ->  1.0
    1 + 2⁻⁹, of 1 and 1 + 2⁻⁷          ->  1.0078125 in one of four times, 1.0 in the others

    x: float32, of any shape, also () and empty, or transposed, left as it is; the result has its shape. No element is
    nan, or beyond bfloat16's largest number. Random numbers come from the generator alone, of which each call takes new
    ones: the same seed gives the same result, and the global generator stays where it was.
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
    2. Run the model and loss_of(prediction, y) under autocast to lower, on the CPU. The model is given x as it is, and
       loss_of the prediction and y as they are: autocast alone casts.
    3. Backward through the scaled loss.
    4. Unscale the gradients, and clip the norm of all of them to max_norm, as torch's clip_grad_norm_ does.
    5. Let the scaler step the optimizer, and update it.
    6. Step the scheduler, if there is one and the optimizer moved.

    scaler: one of torch's GradScaler. It skips the step where a gradient is inf or nan, and then backs off; its scale
    may also grow. It may be disabled: then it scales nothing, and the optimizer always moves, finite or not.

    max_norm may be 0: then the optimizer steps along gradients of 0.

    The optimizer holds all parameters of the model, in one group or several; they are float32, and some may be frozen.
    Whether the model is in training mode is the caller's affair, and so is whether autocast is on outside, and to which
    dtype: after the step it is as before.
    """
    raise NotImplementedError("mixed_step")
