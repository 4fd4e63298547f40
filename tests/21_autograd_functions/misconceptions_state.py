"""Wrong answers that people give to kata 21 about what is remembered from one pass to the other."""

from collections.abc import Callable
from typing import Any

import torch
from torch.autograd.function import once_differentiable

from dojo.judging.diagnose import believes

from . import misconceptions_blocks as blocks
from . import misconceptions_linear as linear
from . import misconceptions_losses as losses
from . import misconceptions_norms as norms
from . import misconceptions_operators as operators
from . import misconceptions_relu as relus
from . import misconceptions_swiglu as swiglu
from .making import own

_latest: dict[str, Any] = {}
"""What an answer keeps in a place that all calls share, such as the class of a Function."""


@believes("The shape of x may be kept on the class", about="relu")
def keeps_the_shape_on_the_class(x):
    """The next call overwrites it: ctx belongs to one call, and numbers may stay there."""

    def forward(ctx, x):
        _latest["shape"] = x.shape
        ctx.save_for_backward((x > 0).flatten())
        return x.clamp(min=0)

    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0].reshape(_latest["shape"])

    return own(forward, backward, x)


_buffers: dict[Any, torch.Tensor] = {}
"""Results of an answer by their shapes and dtypes, in memory that the next call uses again."""


def _in_a_buffer(result):
    """Return the memory of an earlier result of this shape, with the numbers of this one."""
    key = tuple(result.shape), result.dtype
    return _buffers.setdefault(key, torch.empty_like(result)).detach().copy_(result)


@believes("The result may be in memory that the next call uses again", about="relu")
def reuses_the_memory_of_relu(x):
    """That call overwrites it, and the result belongs to the caller: return a new tensor."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return _in_a_buffer(x.clamp(min=0))

    return own(forward, lambda ctx, grad: grad * ctx.saved_tensors[0], x)


@believes("The result may be in memory that the next call uses again", about="linear")
def reuses_the_memory_of_linear(x, weight, bias=None):
    """That call overwrites it, and the result belongs to the caller: return a new tensor."""
    return own(lambda ctx, *args: _in_a_buffer(linear._forward(ctx, *args)), linear._backward, x, weight, bias)


@believes("The result may be in memory that the next call uses again", about="swiglu")
def reuses_the_memory_of_swiglu(gate, up):
    """That call overwrites it, and the result belongs to the caller: return a new tensor."""
    return own(lambda ctx, *args: _in_a_buffer(swiglu._forward(ctx, *args)), swiglu._by(swiglu._slope), gate, up)


@believes("The result may be in memory that the next call uses again", about="rms_norm")
def reuses_the_memory_of_rms_norm(x, weight, eps=1e-6):
    """That call overwrites it, and the result belongs to the caller: return a new tensor."""
    return own(lambda ctx, *args: _in_a_buffer(norms._forward(ctx, *args)), norms._backward, x, weight, eps)


def _in_its_buffers(backward: Callable[..., Any], *places: int) -> Any:
    """Return a backward that copies the gradients at these places into memory that later ones use again."""

    @once_differentiable
    def reusing(ctx, grad):
        made = backward(ctx, grad)
        made = list(made) if isinstance(made, tuple) else [made]
        for place in places:
            if made[place] is not None:
                key = place, tuple(made[place].shape), made[place].dtype
                made[place] = _buffers.setdefault(key, torch.empty_like(made[place])).copy_(made[place])
        return tuple(made)

    return reusing


GRADIENTS = "A gradient may be in memory that the next backward pass uses again"


@believes(GRADIENTS, about="relu")
def reuses_the_gradient_of_relu(x):
    """That pass overwrites it, even before autograd has added the two up: return a new tensor."""
    return own(relus._forward, _in_its_buffers(relus._backward, 0), x)


@believes(GRADIENTS, about="linear")
def reuses_the_gradients_of_linear(x, weight, bias=None):
    """That pass overwrites it, even before autograd has added the two up: return a new tensor."""
    return own(linear._forward, _in_its_buffers(linear._backward, 1), x, weight, bias)


@believes(GRADIENTS, about="swiglu")
def reuses_the_gradients_of_swiglu(gate, up):
    """That pass overwrites it, even before autograd has added the two up: return a new tensor."""
    return own(swiglu._forward, _in_its_buffers(swiglu._by(swiglu._slope), 0, 1), gate, up)


@believes(GRADIENTS, about="rms_norm")
def reuses_the_gradients_of_rms_norm(x, weight, eps=1e-6):
    """That pass overwrites it, even before autograd has added the two up: return a new tensor."""
    return own(norms._forward, _in_its_buffers(norms._backward, 1), x, weight, eps)


@believes(GRADIENTS, about="cross_entropy")
def reuses_the_gradient_of_the_loss(logits, targets, ignore_index=-100):
    """That pass overwrites it, even before autograd has added the two up: return a new tensor."""
    return own(losses._forward, _in_its_buffers(losses._backward, 0), logits, targets, ignore_index)


@believes(GRADIENTS, about="linear_cross_entropy")
def reuses_the_gradients_of_blocks(x, weight, targets, rows):
    """That pass overwrites it, even before autograd has added the two up: return a new tensor."""
    blocks._check(x, rows)
    return own(blocks._forward, _in_its_buffers(blocks._backward, 1), x, weight, targets, rows)


@believes("ctx may hold the memory of a gradient for later backward passes", about="linear")
def reuses_the_gradient_on_ctx(x, weight, bias=None):
    """The next pass overwrites what the caller has, and no tensor stays on ctx: return a new tensor."""

    @once_differentiable
    def backward(ctx, grad):
        for_x, for_weight, for_bias = linear._backward(ctx, grad)
        if for_weight is not None:
            ctx.memory = for_weight = getattr(ctx, "memory", torch.empty_like(for_weight)).copy_(for_weight)
        return for_x, for_weight, for_bias

    return own(linear._forward, backward, x, weight, bias)


@believes("A backward pass may keep on ctx what it has computed", about="cross_entropy")
def keeps_the_softmax_on_ctx(logits, targets, ignore_index=-100):
    """It is as large as the logits, and no tensor stays on ctx: a second backward pass computes it again."""

    @once_differentiable
    def backward(ctx, grad):
        if not hasattr(ctx, "made"):
            ctx.made, *_ = losses._backward(ctx, torch.ones_like(grad))
        return ctx.made * grad, None, None

    return own(losses._forward, backward, logits, targets, ignore_index)


@believes("rows may be kept on the class", about="linear_cross_entropy")
def keeps_rows_on_the_class(x, weight, targets, rows):
    """The next call overwrites it: ctx belongs to one call, and numbers may stay there."""

    def forward(ctx, x, weight, targets, rows):
        _latest["rows"] = rows
        return blocks._forward(ctx, x, weight, targets, rows)

    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        return *blocks._gradients(x, weight, targets, _latest["rows"], grad), None, None

    blocks._check(x, rows)
    return own(forward, backward, x, weight, targets, rows)


@believes("eps may be kept on the class", about="rms_norm")
def keeps_eps_on_the_class(x, weight, eps=1e-6):
    """The next call overwrites it: ctx belongs to one call, and numbers may stay there."""

    def forward(ctx, x, weight, eps):
        _latest["eps"] = eps
        return norms._forward(ctx, x, weight, eps)

    def backward(ctx, grad):
        ctx.eps = _latest["eps"]
        return norms._backward(ctx, grad)

    return own(forward, backward, x, weight, eps)


@believes("A byte holds every class", about="linear_cross_entropy")
def keeps_targets_as_bytes(x, weight, targets, rows):
    """It holds no class above 255, and a vocabulary has more: keep the targets as they are."""

    def forward(ctx, x, weight, targets, rows):
        loss = blocks._forward(ctx, x, weight, targets, rows)
        ctx.save_for_backward(x, weight, targets.to(torch.uint8))
        return loss

    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        return *blocks._gradients(x, weight, targets.long(), ctx.rows, grad), None, None

    blocks._check(x, rows)
    return own(forward, backward, x, weight, targets, rows)


@believes("The inputs may be kept in a variable", about="define_swiglu")
def keeps_inputs_in_a_variable(name):
    """The next call overwrites it: use ctx.save_for_backward in setup_context."""
    latest: list[Any] = []

    def keep(ctx, inputs, output):
        latest[:] = inputs

    def backward(ctx, grad):
        gate, up = latest
        share = gate.sigmoid()
        return grad * up * (share + gate * share * (1 - share)), grad * gate * share

    return operators._define(name, backward=backward, keep=keep)
