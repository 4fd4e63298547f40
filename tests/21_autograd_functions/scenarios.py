"""The program that runs a function of the learner. What its lines import is in a jail, as it is imported here, too."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import torch

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.operators import checked, fresh
from ..shared.own_functions import hidden, keeping, watching
from ..shared.peak import peaking
from ..shared.threads import one_thread


@runs(
    lambda function, lines, watched, device, most: (function, placed(lines, device)),
    limits=lambda function, lines, watched, device, most: most,
)
def program(
    module: ModuleType, function: str, lines: Lines, watched: Lines, device: str, most: Mapping[str, int]
) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched.

    most: what else is looked at, and what each may be at most.
    """
    with one_thread():
        return execute(placed(lines, device), [*watched, *most], {function: getattr(module, function)})


def warm_up() -> None:
    """Make what the first backward, the first operator of one's own and the first check of one make."""

    @torch.library.custom_op(fresh("dojo_k21::warm"), mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    twice.register_fake(torch.empty_like)
    twice.register_autograd(lambda ctx, grad: grad * 2)
    with keeping(), watching(), peaking():
        hidden(torch.relu, torch.ones(2, requires_grad=True))
    checked(twice, torch.ones(2, requires_grad=True), all_of_it=True)
