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


@believes("The gradient at 0 is 1", about="relu")
def lets_0_through(x):
    """It is 0 in torch: compare with >, not with >=."""

    def forward(ctx, x):
        ctx.save_for_backward(x >= 0)
        return x.clamp(min=0)

    return own(forward, _backward, x)


@believes("The gradient at 0 is 1/2", about="relu")
def halves_at_0(x):
    """It is 0 in torch: relu has no derivative there, and torch chose 0."""

    def forward(ctx, x):
        ctx.save_for_backward(x.sign().to(torch.int8))
        return x.clamp(min=0)

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] + 1) / 2

    return own(forward, backward, x)


@believes("What is kept has the dtype of x", about="relu")
def keeps_the_result(x):
    """The backward pass only needs to know where x is above 0: a bool, one byte per element."""

    def forward(ctx, x):
        y = x.clamp(min=0)
        ctx.save_for_backward(y)
        return y

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] > 0)

    return own(forward, backward, x)


@believes("The mask can be y >= 0", about="relu")
def looks_at_the_result(x):
    """No element of the result is below 0, so that mask is true everywhere: compare with > 0."""

    def forward(ctx, x):
        y = x.clamp(min=0)
        ctx.save_for_backward(y)
        return y

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] >= 0)

    return own(forward, backward, x)


@believes("The backward pass needs the argument and the result", about="relu")
def keeps_argument_and_result(x):
    """It only needs to know where x is above 0: a bool, one byte per element."""

    def forward(ctx, x):
        y = x.clamp(min=0)
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] > 0)

    return own(forward, backward, x)


@believes("A tensor may be kept on ctx", about="relu")
def keeps_it_on_ctx(x):
    """Tensors on ctx are kept without autograd's knowledge: use save_for_backward."""

    def forward(ctx, x):
        ctx.mask = x > 0
        return x.clamp(min=0)

    def backward(ctx, grad):
        return grad * ctx.mask

    return own(forward, backward, x)


@believes("relu(x) is x * (x > 0)", about="relu")
def multiplies_by_the_mask(x):
    """-inf times 0 is NaN: use clamp or where."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x * (x > 0)

    return own(forward, _backward, x)


@believes("The gradient of relu is 1 or 0", about="relu")
def forgets_what_comes_in(x):
    """That is its derivative: multiply it by the incoming gradient."""

    def backward(ctx, grad):
        return ctx.saved_tensors[0].to(grad.dtype)

    return own(_forward, backward, x)


@believes("The gradient goes through relu unchanged", about="relu")
def lets_all_through(x):
    """It does so only where x is above 0; elsewhere it is 0."""

    def backward(ctx, grad):
        return grad.clone()

    return own(_forward, backward, x)


@believes("relu is applied to the gradient", about="relu")
def rectifies_the_gradient(x):
    """It is x that has to be above 0, not the incoming gradient."""

    def backward(ctx, grad):
        return grad.clamp(min=0) * ctx.saved_tensors[0]

    return own(_forward, backward, x)


@believes("The incoming gradient may be written to", about="relu")
def writes_into_the_gradient(x):
    """Others hold it as well, and an expanded tensor cannot be written to: return a new one."""

    def backward(ctx, grad):
        return grad.mul_(ctx.saved_tensors[0])

    return own(_forward, backward, x)


@believes("relu may clamp x in place", about="relu")
def writes_into_x(x):
    """x belongs to the caller, and relu returns a new tensor; relu_ is the one that works in place."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp_(min=0).clone()

    return own(forward, _backward, x)


@believes("A tensor may be kept on ctx", about="relu")
def keeps_the_result_on_ctx(x):
    """Tensors on ctx are kept without autograd's knowledge: use save_for_backward."""

    def forward(ctx, x):
        ctx.y = x.clamp(min=0)
        return ctx.y

    def backward(ctx, grad):
        return grad * (ctx.y > 0)

    return own(forward, backward, x)


@believes("Where relu changes nothing, x itself may be returned", about="relu")
def returns_x(x):
    """The result then shares the memory of x, and a change of one changes the other: return a new tensor."""

    def forward(ctx, x):
        mask = x > 0
        ctx.save_for_backward(mask)
        return x if mask.all() else x.clamp(min=0)

    return own(forward, _backward, x)


@believes("An empty tensor needs no Function", about="relu")
def copies_empty_ones(x):
    """The node behind its result has to be yours, too: pass every tensor to apply."""
    return solved.relu(x) if x.numel() else x.clone()


@believes("Gradients are float32", about="relu")
def takes_gradients_for_float32(x):
    """In float64 that loses half of the digits: leave the gradient's dtype as it is."""

    def backward(ctx, grad):
        return _backward(ctx, grad.float())

    return own(_forward, backward, x)


@believes("The result is float32", about="relu")
def computes_in_float32(x):
    """The result has the dtype of x."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp(min=0).float()

    return own(forward, _backward, x)


@believes("torch.relu may be called", about="relu")
def calls_torch(x):
    """It saves its result, four bytes per float32 element, and its node is torch's: write forward and backward."""
    return torch.relu(x)


@believes("Calling a Function on the result of torch.relu is enough", about="relu")
def wraps_torch(x):
    """torch's node is still behind it, with what it saves: compute inside forward."""
    return Passing.apply(torch.relu(x))


# relu_


@believes("It is enough to return relu(x)", about="relu_")
def returns_a_new_tensor(x):
    """Then x stays as it was: change it, and return x itself."""
    return solved.relu(x)


@believes("Autograd need not know that x was changed", about="relu_")
def marks_nothing(x):
    """Without ctx.mark_dirty(x), x keeps its old grad_fn, and another object is returned."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp_(min=0)

    return own(forward, _backward, x)


@believes("Autograd need not know that x was changed", about="relu_")
def marks_nothing_but_checks(x):
    """Without ctx.mark_dirty(x), x keeps its old grad_fn, and another object is returned."""
    if x.is_leaf and x.requires_grad:
        raise RuntimeError("a leaf")
    return marks_nothing(x)


@believes("x.data may be changed", about="relu_")
def changes_data(x):
    """The version stays the same, so autograd does not notice that what was saved of x is wrong: change x itself."""
    if x.is_leaf and x.requires_grad:
        raise RuntimeError("a leaf")

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        x.data.clamp_(min=0)
        return x

    return own(forward, _backward, x)


@believes("A leaf that requires grad may be changed", about="relu_")
def changes_leaves(x):
    """Its gradient would be that of numbers that are gone: raise RuntimeError."""
    if x.is_leaf:
        with torch.no_grad():
            return x.clamp_(min=0)
    return solved.relu_(x)


@believes("Every leaf is refused", about="relu_")
def refuses_every_leaf(x):
    """Only a leaf that requires grad is: data that requires none may be changed."""
    if x.is_leaf:
        raise RuntimeError("a leaf")
    return solved.relu_(x)


@believes("The leaf raises a ValueError", about="relu_")
def raises_value_errors(x):
    """torch raises a RuntimeError for a leaf that requires grad, and relu_ has to do so too."""
    if x.is_leaf and x.requires_grad:
        raise ValueError("a leaf")
    return solved.relu_(x)


@believes("The mask can be x >= 0 after the change", about="relu_")
def looks_afterwards(x):
    """After it nothing is below 0, so that mask is true everywhere: compare before, or with > 0."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.clamp_(min=0)
        ctx.save_for_backward(x >= 0)
        return x

    return own(forward, _backward, x)


@believes("Assigning x.data works in place", about="relu_")
def replaces_the_memory(x):
    """It gives x other memory, and whatever shares the old one sees no change: use clamp_."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        x.data = x.clamp(min=0)
        x.mul_(1)
        ctx.mark_dirty(x)
        return x

    return own(forward, _backward, x)


@believes("Multiplying x by a mask in place is relu_", about="relu_")
def multiplies_in_place(x):
    """-inf times 0 is NaN: use clamp_ or masked_fill_."""

    def forward(ctx, x):
        mask = x > 0
        ctx.mark_dirty(x)
        ctx.save_for_backward(mask)
        return x.mul_(mask)

    return own(forward, _backward, x)


@believes("torch.relu_ may be called", about="relu_")
def calls_torch_in_place(x):
    """The node that it leaves behind x is torch's: write a Function of your own."""
    return torch.relu_(x)


@believes("A tensor may be kept on ctx", about="relu_")
def keeps_what_it_changed_on_ctx(x):
    """Every tensor goes through save_for_backward, where autograd knows of it."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.x = x
        return x.clamp_(min=0)

    def backward(ctx, grad):
        return grad * (ctx.x > 0)

    return own(forward, backward, x)


@believes("A tensor may be kept on ctx", about="relu_")
def keeps_a_mask_on_ctx(x):
    """Every tensor goes through save_for_backward, where autograd knows of it."""

    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.kept = {"mask": x > 0}
        return x.clamp_(min=0)

    def backward(ctx, grad):
        return grad * ctx.kept["mask"]

    return own(forward, backward, x)


@believes("Without gradients x need not be changed in place", about="relu_")
def copies_plain_data(x):
    """x is changed and returned, whether it requires grad or not."""
    return solved.relu_(x) if x.requires_grad else solved.relu(x)
