"""The programs that run a learner's optimizer, and what an optimizer finds in a learner's groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from dojo.seam.data import Words
from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, on_device, placed

DEFAULT = 0.125
"""The decay that an optimizer would give a group which has none."""

LR = 0.5
"""The lr of the optimizer, which holds for every group."""

NO_GROUP = Words("is in no group")


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    return execute(placed(lines, device), watched, {function: getattr(module, function)})


def decay(weight_decay: float | None) -> Words:
    """Say by how much a parameter decays."""
    return Words(f"has a weight_decay of {None if weight_decay is None else float(weight_decay)}")


def changing_model(lines: Lines, decay_groups: Callable[..., Any], device: str) -> nn.Module:
    """Return the model that the lines make, some of which may call that function."""
    made: nn.Module = execute(lines, ["model"], {"decay_groups": decay_groups}, device)["model"]
    return made


def _parameter(p: Any) -> Any:
    """Return a parameter, which may be in a pair with its name."""
    return p[1] if isinstance(p, tuple) else p


def _settings(group: dict[str, Any]) -> Words:
    """Say by how much the parameters of a group decay, unless they do not have the optimizer's lr."""
    own_lr = group.get("lr", LR) != LR
    return Words("has an lr of its own") if own_lr else decay(group.get("weight_decay", DEFAULT))


def _grouped(lines: Lines, weight_decay: float, device: str) -> tuple[str, Lines]:
    optimizer = f"optimizer = torch.optim.AdamW(groups, lr={LR}, weight_decay={DEFAULT})"
    return "decay_groups", [*on_device(device), *lines, f"groups = decay_groups(model, {weight_decay})", optimizer]


@runs(_grouped)
def decays(module: ModuleType, lines: Lines, weight_decay: float, device: str) -> Any:
    """Say of each parameter of the model what an optimizer of the learner's groups would do with it."""
    made = changing_model(lines, module.decay_groups, device)
    trained = {name: p.requires_grad for name, p in made.named_parameters()}
    found = module.decay_groups(made, weight_decay)
    if not isinstance(found, list):
        return {name: f"is in a {type(found).__name__}, and not in a list of groups" for name in trained}
    groups = [dict(group) for group in found]
    for group in groups:
        if not isinstance(group["params"], set):  # which no optimizer takes
            group["params"] = [group["params"]] if isinstance(group["params"], Tensor) else list(group["params"])
    listed = [(_parameter(p), group) for group in groups for p in group["params"]]
    held = Counter(id(p) for p, _ in listed)
    if held and max(held.values()) == 1:  # of one that it holds twice no optimizer is made
        torch.optim.Optimizer(groups, {"lr": LR, "weight_decay": DEFAULT})
    of = {id(p): _settings(group) for p, group in listed}
    told = {
        name: {0: NO_GROUP, 1: of.get(id(p), NO_GROUP)}.get(held[id(p)], Words("is there twice"))
        for name, p in made.named_parameters()
    }
    switched = {
        name: Words(f"is {'trained' if p.requires_grad else 'frozen'} now, unlike before the call")
        for name, p in made.named_parameters()
        if p.requires_grad is not trained.get(name)
    }
    return {name: words.text for name, words in (told | switched).items()}
