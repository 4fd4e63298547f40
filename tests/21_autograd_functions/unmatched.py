"""Wrong answers to kata 21 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("21_autograd_functions")


@answers("relu")
def relu_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.relu(n)


@answers("relu_")
def relu__twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.relu_(n)


@answers("round_ste")
def round_ste_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.round_ste(n)


@answers("linear")
def linear_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.linear(n)


@answers("swiglu")
def swiglu_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.swiglu(n)


@answers("rms_norm")
def rms_norm_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.rms_norm(n)


@answers("cross_entropy")
def cross_entropy_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.cross_entropy(n)


@answers("linear_cross_entropy")
def linear_cross_entropy_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.linear_cross_entropy(n)


@answers("define_swiglu")
def define_swiglu_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.define_swiglu(n)
