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


@believes("A fake kernel needs the shape alone", about="define_swiglu")
def fakes_contiguous(name):
    """The strides as well: silu(gate) * up of a transposed gate is transposed."""

    def fake(gate, up):
        _same(gate, up)
        return gate.new_empty(gate.shape)

    return _define(name, fake=fake)


@believes("torch finds the shapes by itself", about="define_swiglu")
def fakes_nothing(name):
    """It cannot look into a kernel: register a fake one."""
    return _define(name, fake=None)


@believes("Autograd differentiates what the kernel does", about="define_swiglu")
def registers_no_gradient(name):
    """To autograd an operator is one piece: register a formula."""
    return _define(name, backward=None)


@believes("Shapes that broadcast are good enough", about="define_swiglu")
def broadcasts(name):
    """Both kernels raise ValueError for another shape."""
    return _define(name, kernel=lambda gate, up: F.silu(gate) * up, fake=lambda gate, up: gate * up)


@believes("The real kernel checks, and that is enough", about="define_swiglu")
def checks_in_the_kernel_alone(name):
    """On meta and in torch.compile only the fake one runs: it raises ValueError too."""
    return _define(name, fake=lambda gate, up: torch.empty_like(gate * gate))


@believes("The fake kernel checks before the real one", about="define_swiglu")
def checks_in_the_fake_alone(name):
    """Without torch.compile only the real one runs."""
    return _define(name, kernel=lambda gate, up: F.silu(gate) * up)


@believes("As many elements are the same shape", about="define_swiglu")
def counts_elements(name):
    """(2, 3) and (3, 2) have as many."""

    def check(gate, up):
        if gate.numel() != up.numel():
            raise ValueError("another number of elements")
        return up.reshape(gate.shape)

    return _define(
        name,
        kernel=lambda gate, up: F.silu(gate) * check(gate, up),
        fake=lambda gate, up: gate * check(gate, up),
    )


@believes("As many dimensions are the same shape", about="define_swiglu")
def counts_dimensions(name):
    """Each of them has to be of one size."""

    def check(gate, up):
        if gate.ndim != up.ndim:
            raise ValueError("another number of dimensions")

    return _define(
        name,
        kernel=lambda gate, up: check(gate, up) or F.silu(gate) * up,
        fake=lambda gate, up: check(gate, up) or gate * up,
    )


@believes("torch's own RuntimeError will do", about="define_swiglu")
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


@believes("An operator may have any name", about="define_swiglu")
def names_it_itself(name):
    """It has the one that is given: others ask for it by that."""
    return _define(f"dojo_k21::my_swiglu_{next(_count)}")


@believes("A function is an operator", about="define_swiglu")
def returns_the_function(name):
    """torch knows an operator by its name, and what it may do with it by its kernels: define one."""
    return solved.swiglu


@believes("The slope of silu is a sigmoid", about="define_swiglu")
def forgets_half_of_the_slope(name):
    """z * s(z) is a product: s + z * s * (1 - s)."""

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        return grad * up * gate.sigmoid(), grad * gate * gate.sigmoid()

    return _define(name, backward=backward)


@believes("The formula gives the derivatives", about="define_swiglu")
def forgets_the_gradient_that_comes_in(name):
    """Each is multiplied by the gradient that comes in."""
    return _define(name, backward=lambda ctx, grad: _backward(ctx, torch.ones_like(grad)))


@believes("A fake result is float32", about="define_swiglu")
def fakes_float32(name):
    """It has the dtype of the real one."""

    def fake(gate, up):
        _same(gate, up)
        return torch.empty_like(gate, dtype=torch.float32)

    return _define(name, fake=fake)


@believes("A fake result is flat, since nobody reads it", about="define_swiglu")
def fakes_flat(name):
    """What comes after it asks for its shape."""

    def fake(gate, up):
        _same(gate, up)
        return gate.new_empty(gate.numel())

    return _define(name, fake=fake)


@believes("A kernel may write into its arguments", about="define_swiglu")
def writes_into_up(name):
    """Not without saying so: mutates_args=() promises that none is changed."""

    def kernel(gate, up):
        _same(gate, up)
        return up.mul_(F.silu(gate)).clone()

    return _define(name, kernel=kernel)


@believes("A formula may look at the numbers", about="define_swiglu")
def looks_at_numbers(name):
    """In torch.compile's tracing there are none: compute with tensors."""

    def backward(ctx, grad):
        if not grad.any():
            return torch.zeros_like(grad), torch.zeros_like(grad)
        return _backward(ctx, grad)

    return _define(name, backward=backward)


@believes("An operator computes sigmoid(gate) * up", about="define_swiglu")
def forgets_to_multiply_by_the_gate(name):
    """silu is z * sigmoid(z)."""

    def kernel(gate, up):
        _same(gate, up)
        return gate.sigmoid() * up

    return _define(name, kernel=kernel)
