"""A Function made of two functions, for answers that differ in one of them."""

from torch.autograd import Function


def own(forward, backward, *args):
    """What a Function with these two gives."""
    return made(forward, backward).apply(*args)


def made(forward, backward):
    """A Function of these two."""
    return type("Own", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})


class Passing(Function):
    """Does nothing, in either direction."""

    @staticmethod
    def forward(ctx, x):
        """The same numbers."""
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        """The same gradient."""
        return grad
