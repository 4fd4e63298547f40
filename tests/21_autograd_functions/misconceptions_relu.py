"""Wrong answers that people give to kata 21 about relu."""

import torch

from dojo.judging.diagnose import believes, solution

from .making import Passing, own

solved = solution("21_autograd_functions")

# relu


def _forward(ctx, x):
    ctx.save_for_backward(x > 0)
    return x.clamp(min=0)


def _backward(ctx, grad):
    return grad * ctx.saved_tensors[0]


@believes("At 0 the gradient is 1, since relu(0) is 0 itself", about="relu")
def lets_0_through(x):
    """torch has 0 there: compare with > and not with >=."""

    def forward(ctx, x):
        ctx.save_for_backward(x >= 0)
        return x.clamp(min=0)

    return own(forward, _backward, x)


@believes("At 0 the gradient is a half, the mean of both sides", about="relu")
def halves_at_0(x):
    """A derivative is not there, and torch has 0 in its place."""

    def forward(ctx, x):
        ctx.save_for_backward(x.sign().to(torch.int8))
        return x.clamp(min=0)

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] + 1) / 2

    return own(forward, backward, x)


@believes("What is kept has the dtype of x", about="relu")
def keeps_the_result(x):
    """The backward pass needs neither x nor the result, but where they are above 0: a bool, one byte an element."""

    def forward(ctx, x):
        y = x.clamp(min=0)
        ctx.save_for_backward(y)
        return y

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] > 0)

    return own(forward, backward, x)


@believes("The backward pass needs the argument and the result", about="relu")
def keeps_argument_and_result(x):
    """It needs to know where x is above 0: a bool, one byte an element."""

    def forward(ctx, x):
        y = x.clamp(min=0)
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] > 0)

    return own(forward, backward, x)


@believes("ctx is where things are kept: ctx.mask = x > 0", about="relu")
def keeps_it_on_ctx(x):
    """What lies there is kept without autograd's knowledge: give tensors to save_for_backward."""

    def forward(ctx, x):
        ctx.mask = x > 0
        return x.clamp(min=0)

    def backward(ctx, grad):
        return grad * ctx.mask

    return own(forward, backward, x)


@believes("relu is x times whether it is above 0", about="relu")
def multiplies_by_the_mask(x):
    """-inf times 0 is NaN: clamp, or choose."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x * (x > 0)

    return own(forward, _backward, x)


@believes("The gradient of relu is 1 or 0", about="relu")
def forgets_what_comes_in(x):
    """That is its derivative: it is multiplied by the gradient that comes in."""

    def backward(ctx, grad):
        return ctx.saved_tensors[0].to(grad.dtype)

    return own(_forward, backward, x)


@believes("The gradient goes through relu unchanged", about="relu")
def lets_all_through(x):
    """Only where x is above 0; what was cut off has no part in the result."""

    def backward(ctx, grad):
        return grad.clone()

    return own(_forward, backward, x)


@believes("relu is done to the gradient as well", about="relu")
def rectifies_the_gradient(x):
    """It is x that has to be above 0, not the gradient."""

    def backward(ctx, grad):
        return grad.clamp(min=0) * ctx.saved_tensors[0]

    return own(_forward, backward, x)


@believes("The gradient that comes in may be written to", about="relu")
def writes_into_the_gradient(x):
    """Others hold it as well, and an expanded one cannot be written to: return a new tensor."""

    def backward(ctx, grad):
        return grad.mul_(ctx.saved_tensors[0])

    return own(_forward, backward, x)


@believes("What is clamped in place saves memory", about="relu")
def writes_into_x(x):
    """x belongs to the caller, and relu returns a new tensor; relu_ is the one in place."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp_(min=0).clone()

    return own(forward, _backward, x)


@believes("A Function computes in float32", about="relu")
def computes_in_float32(x):
    """The result has the dtype of x."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp(min=0).float()

    return own(forward, _backward, x)


@believes("torch.relu is the shortest Function there is", about="relu")
def calls_torch(x):
    """It keeps its result, four bytes an element of float32, and its node is torch's: write forward and backward."""
    return torch.relu(x)


@believes("A Function around the result is a Function of one's own", about="relu")
def wraps_torch(x):
    """torch's node is still behind it, with what that keeps: compute inside of forward, where nothing is recorded."""
    return Passing.apply(torch.relu(x))


# relu_


@believes("To return relu(x) is enough", about="relu_")
def returns_a_new_tensor(x):
    """Then x stays as it was: change it, and return x itself."""
    return solved.relu(x)


@believes("Whoever changes x need not tell autograd", about="relu_")
def marks_nothing(x):
    """Then x keeps its old grad_fn, and what is returned is another object: call ctx.mark_dirty(x)."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp_(min=0)

    return own(forward, _backward, x)


@believes("x.data changes x without an error", about="relu_")
def changes_data(x):
    """And without a newer version: what was saved of x before is then wrong, and nobody notices."""
    if x.is_leaf and x.requires_grad:
        raise RuntimeError("a leaf")

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        x.data.clamp_(min=0)
        return x

    return own(forward, _backward, x)


@believes("A leaf that requires grad may be changed, if nothing is recorded", about="relu_")
def changes_leaves(x):
    """Its gradient would be that of a tensor which is no more: RuntimeError."""
    if x.is_leaf:
        with torch.no_grad():
            return x.clamp_(min=0)
    return solved.relu_(x)


@believes("No leaf may be changed in place", about="relu_")
def refuses_every_leaf(x):
    """Data that requires no grad may: only a leaf that requires grad is refused."""
    if x.is_leaf:
        raise RuntimeError("a leaf")
    return solved.relu_(x)


@believes("A wrong argument is a ValueError", about="relu_")
def raises_value_errors(x):
    """As torch has it: RuntimeError for a leaf that requires grad."""
    if x.is_leaf and x.requires_grad:
        raise ValueError("a leaf")
    return solved.relu_(x)


@believes("The mask can be had from x after the change", about="relu_")
def looks_afterwards(x):
    """Then nothing is below 0, and x >= 0 is true everywhere: compare before, or with > 0."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.clamp_(min=0)
        ctx.save_for_backward(x >= 0)
        return x

    return own(forward, _backward, x)


@believes("x.data = … is in place", about="relu_")
def replaces_the_memory(x):
    """It gives x another memory, and whoever shares the old one sees no change: clamp_ writes into it."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        x.data = x.clamp(min=0)
        x.mul_(1)
        ctx.mark_dirty(x)
        return x

    return own(forward, _backward, x)


@believes("What is below 0 is multiplied by 0", about="relu_")
def multiplies_in_place(x):
    """-inf times 0 is NaN: clamp, or fill."""

    def forward(ctx, x):
        mask = x > 0
        ctx.mark_dirty(x)
        ctx.save_for_backward(mask)
        return x.mul_(mask)

    return own(forward, _backward, x)


@believes("torch.relu_ is a Function of one's own", about="relu_")
def calls_torch_in_place(x):
    """The node that it leaves behind x is torch's."""
    return torch.relu_(x)


@believes("A mask is small enough to lie on ctx", about="relu_")
def keeps_a_mask_on_ctx(x):
    """Tensors go through save_for_backward, where autograd knows of them."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.kept = {"mask": x > 0}
        return x.clamp_(min=0)

    def backward(ctx, grad):
        return grad * ctx.kept["mask"]

    return own(forward, backward, x)


@believes("Without gradients there is nothing to do in place", about="relu_")
def copies_plain_data(x):
    """x is changed, and is what is returned, whether it requires grad or not."""
    return solved.relu_(x) if x.requires_grad else solved.relu(x)
