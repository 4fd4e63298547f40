"""Wrong answers that people give to kata 11, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("11_optimizers")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="running_average")
def running_average_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.running_average(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="SGD")
def SGD_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.SGD(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="RMSProp")
def RMSProp_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.RMSProp(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="Adam")
def Adam_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.Adam(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="AdamW")
def AdamW_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.AdamW(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="decay_groups")
def decay_groups_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.decay_groups(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="state_bytes")
def state_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.state_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="orthogonalize")
def orthogonalize_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.orthogonalize(n) + 1
