"""Wrong answers that people give to kata 21 about an operator of torch's library."""

import itertools

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

solved = solution("21_autograd_functions")

# define_swiglu

SCHEMA = "(Tensor gate, Tensor up) -> Tensor"


def _same(gate, up):
    if gate.shape != up.shape:
        raise ValueError("gate and up differ")


def _kernel(gate, up):
    _same(gate, up)
    return F.silu(gate) * up


def _fake(gate, up):
    _same(gate, up)
    return gate * up


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _backward(ctx, grad):
    gate, up = ctx.saved_tensors
    share = gate.sigmoid()
    return grad * up * (share + gate * share * (1 - share)), grad * gate * share


def _define(name, kernel=_kernel, fake=_fake, backward=_backward, keep=_keep):
    op = torch.library.custom_op(name, kernel, mutates_args=(), schema=SCHEMA)
    if fake is not None:
        op.register_fake(fake)
    if backward is not None:
        op.register_autograd(backward, setup_context=keep)
    return op


@believes("The fake result only needs the right shape", about="define_swiglu")
def fakes_contiguous(name):
    """It needs the strides as well: silu(gate) * up of a transposed gate is transposed."""

    def fake(gate, up):
        _same(gate, up)
        return gate.new_empty(gate.shape)

    return _define(name, fake=fake)


@believes("torch finds the shapes of an operator by itself", about="define_swiglu")
def fakes_nothing(name):
    """It cannot look into a kernel: register a fake kernel."""
    return _define(name, fake=None)


@believes("Autograd differentiates what the kernel computes", about="define_swiglu")
def registers_no_gradient(name):
    """To autograd an operator is a single operation: register a formula for its gradient."""
    return _define(name, backward=None)


@believes("Shapes that broadcast are accepted", about="define_swiglu")
def broadcasts(name):
    """Both kernels raise a ValueError for any other shape."""
    return _define(name, kernel=lambda gate, up: F.silu(gate) * up, fake=lambda gate, up: gate * up)


@believes("A check in the real kernel is enough", about="define_swiglu")
def checks_in_the_kernel_alone(name):
    """On "meta" and in torch.compile only the fake kernel runs: it has to raise the ValueError too."""
    return _define(name, fake=lambda gate, up: torch.empty_like(gate * gate))


@believes("The fake kernel runs before the real one", about="define_swiglu")
def checks_in_the_fake_alone(name):
    """Without torch.compile only the real one runs: check in both."""
    return _define(name, kernel=lambda gate, up: F.silu(gate) * up)


@believes("An empty gate needs no check", about="define_swiglu")
def checks_no_empty_gate(name):
    """An up of one row broadcasts to none: compare the shapes, whatever their sizes are."""

    def check(gate, up):
        if gate.numel() > 0:
            _same(gate, up)

    def kernel(gate, up):
        check(gate, up)
        return F.silu(gate) * up

    def fake(gate, up):
        check(gate, up)
        return gate * up

    return _define(name, kernel=kernel, fake=fake)


@believes("Tensors with as many elements have the same shape", about="define_swiglu")
def counts_elements(name):
    """(2, 3) and (3, 2) have the same number of elements: compare the shapes."""

    def check(gate, up):
        if gate.numel() != up.numel():
            raise ValueError("another number of elements")
        return up.reshape(gate.shape)

    return _define(
        name,
        kernel=lambda gate, up: F.silu(gate) * check(gate, up),
        fake=lambda gate, up: gate * check(gate, up),
    )


@believes("Tensors with as many dimensions have the same shape", about="define_swiglu")
def counts_dimensions(name):
    """The size of each dimension has to be the same: compare the shapes."""

    def check(gate, up):
        if gate.ndim != up.ndim:
            raise ValueError("another number of dimensions")

    return _define(
        name,
        kernel=lambda gate, up: check(gate, up) or F.silu(gate) * up,
        fake=lambda gate, up: check(gate, up) or gate * up,
    )


@believes("torch's own RuntimeError is enough", about="define_swiglu")
def raises_runtime_errors(name):
    """The operator raises ValueError."""

    def check(gate, up):
        if gate.shape != up.shape:
            raise RuntimeError("gate and up differ")

    return _define(
        name,
        kernel=lambda gate, up: check(gate, up) or F.silu(gate) * up,
        fake=lambda gate, up: check(gate, up) or gate * up,
    )


_count = itertools.count()


@believes("The operator may have any name", about="define_swiglu")
def names_it_itself(name):
    """It has the name that is given, by which torch.ops finds it."""
    return _define(f"dojo_k21::my_swiglu_{next(_count)}")


@believes("A Python function is an operator", about="define_swiglu")
def returns_the_function(name):
    """torch.ops, opcheck and torch.compile need one that is registered: use torch.library.custom_op."""
    return solved.swiglu


@believes("The derivative of silu is sigmoid", about="define_swiglu")
def forgets_half_of_the_slope(name):
    """z * s(z) is a product: its derivative is s + z * s * (1 - s)."""

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        return grad * up * gate.sigmoid(), grad * gate * gate.sigmoid()

    return _define(name, backward=backward)


@believes("The formula returns the derivatives alone", about="define_swiglu")
def forgets_the_gradient_that_comes_in(name):
    """Each derivative has to be multiplied by the incoming gradient."""
    return _define(name, backward=lambda ctx, grad: _backward(ctx, torch.ones_like(grad)))


@believes("The fake result is float32", about="define_swiglu")
def fakes_float32(name):
    """It has the dtype of the real one."""

    def fake(gate, up):
        _same(gate, up)
        return torch.empty_like(gate, dtype=torch.float32)

    return _define(name, fake=fake)


@believes("The fake result may have any shape", about="define_swiglu")
def fakes_flat(name):
    """Later operations use its shape: it has to be that of the real result."""

    def fake(gate, up):
        _same(gate, up)
        return gate.new_empty(gate.numel())

    return _define(name, fake=fake)


@believes("The kernel may write into its arguments", about="define_swiglu")
def writes_into_up(name):
    """mutates_args=() promises that none is changed."""

    def kernel(gate, up):
        _same(gate, up)
        return up.mul_(F.silu(gate)).clone()

    return _define(name, kernel=kernel)


@believes("The formula may depend on the values of tensors", about="define_swiglu")
def looks_at_numbers(name):
    """While torch.compile traces there are none: compute with tensors, without if and item()."""

    def backward(ctx, grad):
        if not grad.any():
            return torch.zeros_like(grad), torch.zeros_like(grad)
        return _backward(ctx, grad)

    return _define(name, backward=backward)


@believes("silu is the sigmoid", about="define_swiglu")
def forgets_to_multiply_by_the_gate(name):
    """silu(z) is z * sigmoid(z)."""

    def kernel(gate, up):
        _same(gate, up)
        return gate.sigmoid() * up

    return _define(name, kernel=kernel)
