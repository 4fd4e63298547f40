"""In the jail: whether a forked process can use a device."""

from __future__ import annotations

import os

from dojo.grade.inside.leftovers import fork
from dojo.grade.inside.messages import LINE


def trouble_with(device: str) -> str:
    """Take a step of an optimizer on this device in a forked process; return "", or the error in one line."""

    def step(_: int, answers: int) -> None:
        import torch  # which not every jail has

        try:
            x = torch.ones(2, device=device, requires_grad=True)
            (x.grad,) = torch.autograd.grad((x * x).sum(), x)
            torch.optim.Adamax([x]).step()
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            os.write(answers, said[:LINE].encode()[:LINE])

    process, requests, answers = fork(step)
    with os.fdopen(answers, "rb") as file:
        told = file.read().decode(errors="replace")
    os.close(requests)
    _, status = os.waitpid(process, 0)
    if not told and status:
        return f"its process ended with {os.waitstatus_to_exitcode(status)}"
    return told
