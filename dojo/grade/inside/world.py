"""What a function may have changed, as plain data, and set to it: models, optimizers, schedules, random states, modes.

A process that runs the learner's code tells this of its copies of the objects; the process that looks at the objects
sets them to it. Whatever they were told is then what is so: nothing that the learner's code says of them is believed
beyond that.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from dojo.seam import tensors, torch_modes
from dojo.seam.data import SCALARS, Foreign, plain

Plain = Any
"""Plain data; an object that was known before is {"known": its number}, any other value {"is": plain data}."""


class World:
    """The objects that a call is given, and all that can be reached from them, by numbers."""

    def __init__(self, given: Iterable[object]):
        self.known: list[Any] = []
        self.numbers: dict[int, int] = {}
        for thing in given:
            self._meet(thing)

    def _meet(self, thing: Any) -> None:
        """Give a number to whatever is no plain data."""
        if isinstance(thing, dict):
            for key, value in thing.items():
                self._meet(key)
                self._meet(value)
        elif isinstance(thing, list | tuple):
            for item in thing:
                self._meet(item)
        elif id(thing) not in self.numbers and not _is_data(thing):
            self.numbers[id(thing)] = len(self.known)
            self.known.append(thing)
            self._meet(_parts(thing))

    def told(self) -> Plain:
        """All there is to see of them, of the random states and of torch's modes."""
        objects = [self._state(thing) for thing in self.known]
        return {"random": _random(), "modes": torch_modes.now(), "objects": objects}

    def _state(self, thing: Any) -> Plain:
        if isinstance(thing, nn.Module):
            parameters = {
                name: [self._value(p), plain(p.data), plain(p.grad) if p.grad is not None else None, p.requires_grad]
                for name, p in thing.named_parameters(remove_duplicate=False)
            }
            buffers = {name: plain(buffer) for name, buffer in thing.named_buffers(remove_duplicate=False)}
            return [parameters, buffers, {name: module.training for name, module in thing.named_modules()}]
        return self._value(_parts(thing)) if isinstance(thing, Optimizer | LRScheduler) else None

    def _value(self, thing: Any) -> Plain:
        if id(thing) in self.numbers:
            return {"known": self.numbers[id(thing)]}
        if type(thing) in (list, tuple):
            return {"list" if type(thing) is list else "tuple": [self._value(item) for item in thing]}
        if isinstance(thing, dict):
            return {"dict": [[self._value(key), self._value(item)] for key, item in thing.items()]}
        return {"is": plain(thing)}

    def become(self, told: Plain) -> None:
        """Set them to what another process has told. ValueError where that is nothing which they could be."""
        try:
            for thing, state in zip(self.known, told["objects"], strict=True):
                if isinstance(thing, nn.Module):
                    self._set_module(thing, *state)
                elif isinstance(thing, Optimizer):
                    parts = self._made(state)
                    thing.param_groups = parts["param_groups"]
                    thing.state = defaultdict(dict, parts["state"])
                elif isinstance(thing, LRScheduler):
                    optimizer = thing.optimizer
                    vars(thing).clear()
                    vars(thing).update(self._made(state), optimizer=optimizer)
            _set_random(told["random"])
            torch_modes.become(told["modes"])
        except (LookupError, TypeError, AttributeError, RuntimeError, OverflowError) as error:
            raise ValueError(str(error)) from None

    def _set_module(self, module: nn.Module, parameters: Plain, buffers: Plain, training: Plain) -> None:
        there = dict(module.named_parameters(remove_duplicate=False))
        if there.keys() != parameters.keys() or dict(module.named_buffers()).keys() != buffers.keys():
            raise ValueError("the model has other parameters or buffers than before")
        for name, (number, data, grad, requires_grad) in parameters.items():
            same = type(number) is dict and number.get("known") == self.numbers[id(there[name])]
            parameter = there[name] if same else nn.Parameter(data.clone(), requires_grad)
            parameter.requires_grad_(requires_grad)
            parameter.data = data
            parameter.grad = grad
            owner, _, last = name.rpartition(".")
            setattr(module.get_submodule(owner), last, parameter)
        for name, buffer in buffers.items():
            owner, _, last = name.rpartition(".")
            setattr(module.get_submodule(owner), last, buffer)
        for name, value in training.items():
            module.get_submodule(name).training = value

    def _made(self, told: Plain) -> Any:
        ((kind, inside),) = told.items()
        match kind:
            case "known":
                return self.known[inside]
            case "list":
                return [self._made(item) for item in inside]
            case "tuple":
                return tuple(self._made(item) for item in inside)
            case "dict":
                return {self._made(key): self._made(item) for key, item in inside}
        return inside


def _is_data(thing: object) -> bool:
    if isinstance(thing, Tensor):
        return tensors.is_data(thing)
    return type(thing) in SCALARS or not isinstance(plain(thing), Foreign)


def _parts(thing: Any) -> dict[str, Any]:
    """What an object holds that a call may change."""
    if isinstance(thing, nn.Module):
        return {"parameters": list(thing.parameters())}
    if isinstance(thing, Optimizer):
        return {"param_groups": thing.param_groups, "state": dict(thing.state)}
    if isinstance(thing, LRScheduler):
        return {name: value for name, value in vars(thing).items() if name != "optimizer"}
    return {}


def _random() -> Plain:
    state: Any = np.random.get_state()
    name, bits, *rest = state
    version, numbers, normal = random.getstate()
    return {
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else [],  # type: ignore[no-untyped-call]
        "numpy": [name, torch.from_numpy(bits.astype(np.int64)), *rest],
        "python": [version, torch.tensor(numbers), normal],
    }


def _set_random(told: Plain) -> None:
    torch.set_rng_state(told["torch"])
    if told["cuda"]:
        torch.cuda.set_rng_state_all(told["cuda"])
    name, bits, *rest = told["numpy"]
    np.random.set_state((name, _numpy(bits), *rest))
    version, numbers, normal = told["python"]
    random.setstate((version, tuple(numbers.tolist()), normal))


def _numpy(bits: Tensor) -> Any:
    return bits.numpy().astype(np.uint32)
