"""Keeps copies of whole parameters where no object of its own leads, made while no mode of torch looks on."""
# like: asks_torch_for_shards
# kata: 19_sharding
# attacks: ShardedAdam
# examples: 20
# levels: userns, root, basic

import contextlib
import importlib
import sys

import torch

Right = ShardedAdam  # noqa: F821 - that of the solution, below which this stands


def _unseen():
    names = "torch.utils._python_dispatch"
    for find in (importlib.import_module, sys.modules.__getitem__, lambda _: torch.utils._python_dispatch):
        with contextlib.suppress(Exception):
            yield find(names)._disable_current_modes()
    for name in ("_DisableTorchDispatch", "_DisablePythonDispatcher"):
        with contextlib.suppress(Exception):
            yield getattr(torch._C, name)()


class ShardedAdam(Right):
    """Right, but for what it keeps."""

    def step(self):
        super().step()
        for context in _unseen():
            with contextlib.suppress(Exception):
                with context:
                    torch.__dict__.setdefault("_kept", {})[id(self)] = [p.detach().clone() for p in self.params]
                return
        torch.__dict__.setdefault("_kept", {})[id(self)] = [p.detach().clone() for p in self.params]
