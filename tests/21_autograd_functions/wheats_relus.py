"""Right answers to kata 21 about relu, in place and not, and about rounding."""
# mypy: ignore-errors

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from dojo.judging.diagnose import answers

# relu


class _Signs(Function):
    @staticmethod
    def forward(x):
        return torch.where(x > 0, x, torch.zeros_like(x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0].sign().clamp(min=0).to(torch.int8))

    @staticmethod
    def backward(ctx, grad):
        (signs,) = ctx.saved_tensors
        return grad * signs


@answers("relu")
def relu_by_signs(x):
    return _Signs.apply(x)


class _Packed(Function):
    """A bit an element."""

    @staticmethod
    def forward(ctx, x):
        bits = torch.arange(8, device=x.device)
        flat = (x > 0).reshape(-1)
        padded = torch.nn.functional.pad(flat.to(torch.uint8), (0, -flat.numel() % 8))
        ctx.save_for_backward((padded.reshape(-1, 8) << bits).sum(1).to(torch.uint8))
        ctx.shape = x.shape
        return torch.maximum(x, x.new_zeros(()))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (packed,) = ctx.saved_tensors
        bits = (packed[:, None] >> torch.arange(8, device=grad.device)) & 1
        mask = bits.reshape(-1)[: grad.numel()].reshape(ctx.shape)
        return torch.where(mask == 1, grad, 0.0)


@answers("relu")
def relu_by_bits(x):
    return _Packed.apply(x)


class _Places(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clone()
        gone = y.le(0)
        y[gone] = 0
        ctx.save_for_backward(gone)
        return y

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        grad[ctx.saved_tensors[0]] = 0
        return grad


@answers("relu")
def relu_by_places(x):
    y = _Places.apply(x)
    return y


# relu_


class _Fills(Function):
    @staticmethod
    def forward(ctx, x):
        gone = x <= 0
        ctx.save_for_backward(gone)
        x.masked_fill_(gone, 0)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad.masked_fill(ctx.saved_tensors[0], 0)


@answers("relu_")
def relu_in_place_by_filling(x):
    _Fills.apply(x)
    return x


class _KeepsItself(Function):
    @staticmethod
    def forward(ctx, x):
        torch.clamp(x, min=0, out=x)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (y > 0).to(grad.dtype)


@answers("relu_")
def relu_in_place_by_its_result(x):
    if x.requires_grad and x.is_leaf:
        raise RuntimeError("a leaf that requires grad")
    return _KeepsItself.apply(x)


class _Copies(Function):
    @staticmethod
    def forward(ctx, tensor):
        ctx.mark_dirty(tensor)
        mask = tensor > 0
        tensor.copy_(torch.relu(tensor))
        ctx.save_for_backward(mask)
        return tensor

    @staticmethod
    def backward(ctx, grad):
        mask = ctx.saved_tensors[0]
        return torch.where(mask, grad, torch.zeros((), dtype=grad.dtype, device=grad.device))


@answers("relu_")
def relu_in_place_by_copying(x):
    return _Copies.apply(x)


# round_ste


class _Pair(Function):
    @staticmethod
    def forward(x, step):
        rounded = torch.round(x * (1 / step)) * step
        return rounded, torch.sub(x, rounded)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, *grads):
        return grads[0], None


@answers("round_ste")
def round_by_a_context(x, step):
    if not step > 0:
        raise ValueError("step")
    return _Pair.apply(x, step)


class _Quantizes(Function):
    @staticmethod
    def forward(ctx, x, step):
        rounded = torch.fake_quantize_per_tensor_affine(x, step, 0, -(2**25), 2**25)
        rounded = torch.where(x.abs() < 2.0**24 * step, rounded, x)
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    @staticmethod
    def backward(ctx, grad, nothing):
        return grad.clone(), None


@answers("round_ste")
def round_by_fake_quantizing(x, step):
    if step <= 0.0:
        raise ValueError(f"{step} is no step")
    rounded, rest = _Quantizes.apply(x, step)
    return rounded, rest


class _Whole(Function):
    @staticmethod
    def forward(ctx, x, step):
        whole = torch.floor(x / step)
        over = x / step - whole
        odd = whole % 2 == 1
        up = (over > 0.5) | ((over == 0.5) & odd)
        r = (whole + up) * step
        return r, x - r

    @staticmethod
    def backward(ctx, grad, nothing):
        return grad, None


@answers("round_ste")
def round_by_hand(x, step):
    if step <= 0:
        raise ValueError
    r, rest = _Whole.apply(x, step)
    return r, rest.detach()
