"""Wrong answers that people give to kata 14 about checkpoints that are an autograd.Function, or wrap a right one."""

import torch
from torch import Tensor

from dojo.judging.diagnose import believes, solution

from .misconceptions_checkpoints import Parts

solved = solution("14_activations")

# checkpoint


def _by_function(function, args, backward, anchors=True):
    """A checkpoint by an autograd.Function, which keeps the arguments; `backward` gets what is needed again."""
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
    """What the second run returns and goes backward, and the gradients of that."""
    with first.surroundings():
        results = first.function(*args)
    pairs = zip(results if isinstance(results, tuple) else (results,), grads, strict=True)
    return zip(*[pair for pair in pairs if pair[0].requires_grad], strict=True)


@believes("Gradients go through the arguments", about="checkpoint")
def has_no_anchor(function, *args):
    """What is learned inside gets its gradients too, also where no argument requires one."""

    def backward(first, grads):
        leaves = _leaves(first.args)
        torch.autograd.backward(*_results(first, leaves, grads))
        return [leaf.grad if isinstance(leaf, Tensor) else None for leaf in leaves]

    return _by_function(function, args, backward, anchors=False)


@believes("A backward returns the gradients of the arguments, and that is all", about="checkpoint")
def asks_for_the_arguments_alone(function, *args):
    """What is learned inside gets its gradients in the same backward: torch.autograd.backward, not
    torch.autograd.grad."""

    def backward(first, grads):
        leaves = _leaves(first.args)
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        results, grads = _results(first, leaves, grads)
        found = iter(torch.autograd.grad(results, wanted, grads) if wanted else ())
        return [next(found) if isinstance(x, Tensor) and x.requires_grad else None for x in leaves]

    return _by_function(function, args, backward)


@believes("The second run may begin at the arguments themselves", about="checkpoint")
def goes_back_through_the_arguments(function, *args):
    """Its backward then runs on into what made them, and they get their gradients twice: detach them."""

    def backward(first, grads):
        kept = [x.grad if isinstance(x, Tensor) and x.is_leaf else None for x in first.args]
        torch.autograd.backward(*_results(first, first.args, grads))
        return [x.grad if isinstance(x, Tensor) and x.is_leaf else None for x in first.args] if kept else []

    return _by_function(function, args, backward)


@believes("A checkpoint returns one tensor", about="checkpoint")
def returns_the_first_result(function, *args):
    """It returns what function returns: a tuple, where that is one."""
    result = solved.checkpoint(function, *args)
    return result[0] if isinstance(result, tuple) else result


@believes("Several results come in a list", about="checkpoint")
def returns_a_list(function, *args):
    """In a tuple, as function returns them."""
    result = solved.checkpoint(function, *args)
    return list(result) if isinstance(result, tuple) else result


@believes("A function is given tensors", about="checkpoint")
def passes_tensors_alone(function, *args):
    """Among the arguments may be numbers, texts and None, in any place: pass all of them on."""
    return solved.checkpoint(function, *(x for x in args if isinstance(x, Tensor)))


@believes("Every tensor among the arguments gets a gradient", about="checkpoint")
def asks_for_every_gradient(function, *args):
    """Only where it requires one."""
    return solved.checkpoint(
        function, *(x.requires_grad_() if isinstance(x, Tensor) and x.is_floating_point() else x for x in args)
    )


@believes("A run begins at leaves", about="checkpoint")
def detaches_the_arguments(function, *args):
    """Then nothing before it gets a gradient. Detach what the second run begins at, not the first."""
    return solved.checkpoint(function, *_leaves(args))


@believes("A copy of the arguments is safer", about="checkpoint")
def copies_the_arguments(function, *args):
    """It is kept beside them: run the function on the arguments themselves."""
    return solved.checkpoint(function, *(x.clone() if isinstance(x, Tensor) else x for x in args))
