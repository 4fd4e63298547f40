"""Wrong answers that people give to kata 14 about checkpoints that are an autograd.Function, or wrap a right one."""

import weakref
from typing import Any

import torch
from torch import Tensor

from dojo.judging.diagnose import believes, solution

from .misconceptions_checkpoints import Parts

solved = solution("14_activations")

# checkpoint


def _by_function(function, args, backward, anchors=True):
    """Return a checkpoint by an autograd.Function, which keeps the arguments; `backward` gets what it needs again."""
    first = Parts(function, args)

    class Run(torch.autograd.Function):
        @staticmethod
        def forward(ctx, anchor, *given):
            return function(*given)

        @staticmethod
        def backward(ctx, *grads):
            return (None, *backward(first, grads))

    anchor = torch.empty(0, requires_grad=True) if anchors else None
    return Run.apply(anchor, *args)


def _leaves(args):
    return [x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in args]


def _results(first, args, grads):
    """Return the results of the second run that go backward, and their gradients."""
    with first.surroundings():
        results = first.function(*args)
    pairs = zip(results if isinstance(results, tuple) else (results,), grads, strict=True)
    return zip(*[pair for pair in pairs if pair[0].requires_grad], strict=True)


@believes("Gradients only go through the arguments", about="checkpoint")
def has_no_anchor(function, *args):
    """Parameters used inside also get their gradients, even if no argument requires grad."""

    def backward(first, grads):
        leaves = _leaves(first.args)
        torch.autograd.backward(*_results(first, leaves, grads))
        return [leaf.grad if isinstance(leaf, Tensor) else None for leaf in leaves]

    return _by_function(function, args, backward, anchors=False)


@believes("The backward returns the gradients of the arguments, and nothing else", about="checkpoint")
def asks_for_the_arguments_alone(function, *args):
    """Parameters used inside get their gradients in the same backward: call torch.autograd.backward, not .grad."""

    def backward(first, grads):
        leaves = _leaves(first.args)
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        results, grads = _results(first, leaves, grads)
        found = iter(torch.autograd.grad(results, wanted, grads) if wanted else ())
        return [next(found) if isinstance(x, Tensor) and x.requires_grad else None for x in leaves]

    return _by_function(function, args, backward)


@believes("The second run may start from the arguments themselves", about="checkpoint")
def goes_back_through_the_arguments(function, *args):
    """Then its backward continues into what made them, and they get their gradients twice: detach them."""

    def backward(first, grads):
        kept = [x.grad if isinstance(x, Tensor) and x.is_leaf else None for x in first.args]
        torch.autograd.backward(*_results(first, first.args, grads))
        return [x.grad if isinstance(x, Tensor) and x.is_leaf else None for x in first.args] if kept else []

    return _by_function(function, args, backward)


@believes("A checkpoint returns one tensor", about="checkpoint")
def returns_the_first_result(function, *args):
    """It returns what function returns, which may be a tuple."""
    result = solved.checkpoint(function, *args)
    return result[0] if isinstance(result, tuple) else result


@believes("Several results are returned in a list", about="checkpoint")
def returns_a_list(function, *args):
    """They are returned in a tuple, as function returns them."""
    result = solved.checkpoint(function, *args)
    return list(result) if isinstance(result, tuple) else result


@believes("All arguments are tensors", about="checkpoint")
def passes_tensors_alone(function, *args):
    """There may be numbers, strings and None at any position: pass all of them on."""
    return solved.checkpoint(function, *(x for x in args if isinstance(x, Tensor)))


@believes("Every tensor among the arguments gets a gradient", about="checkpoint")
def asks_for_every_gradient(function, *args):
    """Only those that require grad get one."""
    return solved.checkpoint(
        function, *(x.requires_grad_() if isinstance(x, Tensor) and x.is_floating_point() else x for x in args)
    )


@believes("The first run may start from detached arguments", about="checkpoint")
def detaches_the_arguments(function, *args):
    """Then nothing before the checkpoint gets a gradient. Only the second run starts from detached arguments."""
    return solved.checkpoint(function, *_leaves(args))


@believes("Copies of the arguments are safer", about="checkpoint")
def copies_the_arguments(function, *args):
    """Each copy takes as much memory again: run the function on the arguments themselves."""
    return solved.checkpoint(function, *(x.clone() if isinstance(x, Tensor) else x for x in args))


@believes("A tensor is given only once", about="checkpoint")
def makes_one_leaf_of_a_tensor(function, *args):
    """If it is given twice, one leaf gets both gradients, and returning that twice doubles it: make two leaves."""

    def backward(first, grads):
        tensors = {id(x): x for x in first.args if isinstance(x, Tensor)}
        leaves = dict(zip(tensors, _leaves(tensors.values()), strict=True))
        inside = [leaves.get(id(x), x) for x in first.args]
        torch.autograd.backward(*_results(first, inside, grads))
        return [x.grad if isinstance(x, Tensor) else None for x in inside]

    return _by_function(function, args, backward)


LATEST: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


@believes("A function is checkpointed only once in a graph", about="checkpoint")
def remembers_by_the_function(function, *args):
    """The second call overwrites what was kept for the first: keep arguments and generator state for each call."""

    class Shared(Parts):
        def unpack(self, place):
            if not self.again:
                self.args, self.state = LATEST[function]
            return super().unpack(place)

    first = Shared(function, args)
    LATEST[function] = args, first.state
    return first.run()


@believes("A tensor that needs no gradient may be kept", about="checkpoint")
def keeps_what_needs_no_gradient(function, *args):
    """Masks and detached tensors take memory too: keep nothing that was computed inside."""

    class Keeping(Parts):
        def pack(self, tensor):
            place = super().pack(tensor)
            return place if tensor.requires_grad else (place, tensor)

        def unpack(self, packed):
            return packed[1] if isinstance(packed, tuple) else super().unpack(packed)

    return Keeping(function, args).run()


@believes("What is stored on ctx is freed with the graph", about="checkpoint")
def keeps_the_result_on_ctx(function, *args):
    """ctx exists as long as the result does: keep what the second run returns in a local variable."""

    def backward(first, grads):
        leaves = _leaves(first.args)
        first.results = tuple(_results(first, leaves, grads))
        torch.autograd.backward(*first.results)
        return [leaf.grad if isinstance(leaf, Tensor) else None for leaf in leaves]

    return _by_function(function, args, backward)
