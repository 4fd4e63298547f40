"""Wrong answers that people give to kata 21, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("21_autograd_functions")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="relu")
def relu_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.relu(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="relu_")
def relu__and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.relu_(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="round_ste")
def round_ste_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.round_ste(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="linear")
def linear_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.linear(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="swiglu")
def swiglu_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.swiglu(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="rms_norm")
def rms_norm_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.rms_norm(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="cross_entropy")
def cross_entropy_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.cross_entropy(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="linear_cross_entropy")
def linear_cross_entropy_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.linear_cross_entropy(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="define_swiglu")
def define_swiglu_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.define_swiglu(n) + 1
