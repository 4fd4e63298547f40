"""Right answers to kata 21 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("relu")
def relu_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("relu_")
def relu__in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("round_ste")
def round_ste_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("linear")
def linear_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("swiglu")
def swiglu_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("rms_norm")
def rms_norm_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("cross_entropy")
def cross_entropy_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("linear_cross_entropy")
def linear_cross_entropy_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("define_swiglu")
def define_swiglu_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
