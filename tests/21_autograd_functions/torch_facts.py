"""What the properties of kata 21 take for granted of torch: a new torch breaks a test, and no verdict."""

import gc
import sys
import weakref
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import BackwardCFunction, once_differentiable
from torch.nn import functional as F

from ..shared.operators import fresh
from ..shared.own_functions import REFUSED, hidden, keeping, not_yours, twice, watching


class Square(Function):
    """Keeps what it is told to, where it is told to."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, where: str) -> Tensor:
        """x², with x saved, on ctx, or both twice."""
        if where == "ctx":
            ctx.x = x
        elif where == "result":
            y = x * x
            ctx.result, ctx.where = [y], where
            return y
        elif where == "numbers":
            ctx.numbers = {"x": x.tolist()}
        elif where == "closure":
            y = x * 2
            ctx.doubled = lambda: y
        else:
            ctx.save_for_backward(x)
        ctx.where = where
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        """Its gradient."""
        if ctx.where == "backward":
            ctx.grad = grad * 2
        x = ctx.saved_tensors[0] if ctx.saved_tensors else 1.0
        return 2 * x * grad, None


def leaf(*shape: int) -> Tensor:
    """A float64 leaf of these sizes."""
    return torch.arange(1.0, torch.Size(shape).numel() + 1, dtype=torch.float64).reshape(shape).requires_grad_()


def test_the_grad_fn_of_a_function_is_its_ctx():
    """What was put there can be seen."""
    y = Square.apply(leaf(3), "ctx")
    assert isinstance(y.grad_fn, BackwardCFunction)
    assert list(vars(y.grad_fn)) == ["x", "where"]


def test_what_outlives_a_call_is_found():
    """On ctx, or in a closure there, also from a backward pass; and what is saved is not."""
    assert hidden(Square.apply, leaf(3), "ctx") == [(3,)]
    assert hidden(Square.apply, leaf(3), "closure") == [(3,)]
    assert hidden(Square.apply, leaf(3), "result") == [(3,)]
    assert hidden(Square.apply, leaf(3), "saved") == []
    assert hidden(Square.apply, leaf(3), "backward") == [(3,)]
    assert hidden(Square.apply, leaf(2, 3), "numbers") == ["numbers"]


def test_targets_may_be_held_anywhere_but_on_the_ctx():
    """They are arguments that no gradient comes to, and nobody's rule is broken by a closure."""

    def picked(x, targets, on_ctx):
        shape = x.shape

        class Picked(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.where = [targets[:, None]] if on_ctx else None
                return x.gather(1, targets[:, None]).sum()

            @staticmethod
            def backward(ctx, grad):
                return torch.zeros(shape, dtype=grad.dtype).scatter_(1, targets[:, None], 1.0) * grad

        return Picked.apply(x)

    targets = torch.tensor([1, 0])
    assert hidden(lambda x, targets: picked(x, targets, True), leaf(2, 3), targets) == [(2, 1)]
    assert hidden(lambda x, targets: picked(x, targets, False), leaf(2, 3), targets) == []


def test_a_storage_keeps_its_python_object():
    """So a weak reference to it ends when the storage does."""
    x = torch.ones(3)
    ref = weakref.ref(x.untyped_storage())
    gc.collect(0)
    view = x[1:]
    del x
    assert ref() is not None
    del view
    assert ref() is None


def test_hooks_see_what_a_function_saves_and_nothing_else():
    """Its forward runs where nothing is recorded."""
    with keeping() as kept:
        y = Square.apply(leaf(3), "saved")
    assert kept.bytes == 24
    with keeping() as kept:
        z = Square.apply(leaf(3), "ctx")
    assert kept.bytes == 0
    assert y.equal(z)


def test_torchs_own_nodes_are_told_from_a_functions():
    """A view of an argument is none that computes."""
    x = leaf(2, 3)
    assert not_yours(Square.apply(x, "saved")) == []
    assert not_yours(Square.apply(x.view(6), "saved")) == []
    assert not_yours(Square.apply(x.exp(), "saved")) == ["ExpBackward0 behind a Function"]
    assert not_yours(x * x) == ["MulBackward0"]
    assert not_yours(torch.ones(2)) == []


def test_a_saved_result_is_a_number_to_a_second_pass():
    """torch says nothing; so it is asked for."""

    class Cube(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x, x * x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Any:
            x, square = ctx.saved_tensors
            return 3 * square * grad + 0 * x

    x, k = leaf(3), torch.ones(3, dtype=torch.float64)
    assert torch.autograd.gradcheck(Cube.apply, x)
    wrong, right = twice(lambda: Cube.apply(x), [x], k), twice(lambda: x**3, [x], k)
    assert type(wrong) is type(right) is list
    assert not torch.allclose(wrong[0], right[0])


def test_once_differentiable_leaves_no_gradient_that_requires_grad():
    """With a constant that comes in; with one that requires grad there is a node that raises."""

    class Once(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Tensor) -> Any:
            return 3 * ctx.saved_tensors[0] ** 2 * grad

    x, k = leaf(3), torch.ones(3, dtype=torch.float64)
    assert twice(lambda: Once.apply(x), [x], k) == REFUSED
    (grad,) = torch.autograd.grad(Once.apply(x), x, k.clone().requires_grad_(), create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        grad.sum().backward()


def test_the_modes_import_no_dynamo():
    """That takes longer than a verdict."""
    before = "torch._dynamo" in sys.modules
    with watching() as seen:
        _ = torch.ones(2, 3) @ torch.ones(3, 4)
    assert (seen.flops, seen.largest) == (2 * 2 * 3 * 4, 12)
    assert ("torch._dynamo" in sys.modules) == before


def test_an_expanded_tensor_makes_no_more_elements():
    """And a sum's gradient is one."""
    with watching() as seen:
        torch.ones(1).expand(100)
    assert seen.largest == 1


def test_f_linear_keeps_what_a_gradient_needs():
    """And computes it alone: this is what linear is held against."""
    x, weight, bias = leaf(2, 3), leaf(4, 3).detach(), leaf(4)
    with keeping() as kept:
        y = F.linear(x, weight, bias)
    assert kept.bytes == weight.nbytes
    with watching() as seen:
        torch.autograd.grad(y, [x, bias], torch.ones_like(y))
    assert seen.flops == 2 * 2 * 3 * 4


def test_mark_dirty_counts_the_version_up():
    """So what was saved before is noticed, also where the change went by .data."""

    class Zero(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            x.data.zero_()
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Any:
            return 0 * grad

    h = leaf(3).exp()
    version = h._version
    assert Zero.apply(h) is h
    assert h._version > version
    with pytest.raises(RuntimeError, match="leaf"):
        Zero.apply(leaf(3))


def test_a_function_knows_of_each_of_its_results():
    """Also of one that is not differentiable."""

    class Pair(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
            rest = x + 1
            ctx.mark_non_differentiable(rest)
            return x * 1, rest

        @staticmethod
        def backward(ctx: Any, grad: Tensor, _: Tensor) -> Any:
            return grad

    assert len(Pair.apply(leaf(3))[0].grad_fn._input_metadata) == 2
    assert len(Square.apply(leaf(3), "saved").grad_fn._input_metadata) == 1


def test_rounding_by_fake_quantization_goes_to_even():
    """Exactly, for steps that are powers of two."""
    x = torch.tensor([0.25, 0.75, 1.25, -0.25, 2.0**17 + 0.25, 2.0**22 + 0.5])
    rounded = torch.fake_quantize_per_tensor_affine(x, 0.5, 0, -(2**25), 2**25)
    assert rounded.tolist() == [0.0, 1.0, 1.0, 0.0, 2.0**17, 2.0**22 + 0.5]


def test_an_operator_of_ones_own_is_a_function_to_autograd():
    """It has a node of the same kind."""

    @torch.library.custom_op(fresh("dojo_k21::facts"), mutates_args=(), schema="(Tensor x) -> Tensor")
    def op(x: Tensor) -> Tensor:
        return x * 2

    op.register_autograd(lambda ctx, grad: grad * 2)
    assert isinstance(op(leaf(2)).grad_fn, BackwardCFunction)
    assert fresh("a::b") != fresh("a::b")
