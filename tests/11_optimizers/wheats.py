"""Right answers to kata 11 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("running_average")
def running_average_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("SGD")
def SGD_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("RMSProp")
def RMSProp_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("Adam")
def Adam_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("AdamW")
def AdamW_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("decay_groups")
def decay_groups_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("state_bytes")
def state_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("orthogonalize")
def orthogonalize_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
