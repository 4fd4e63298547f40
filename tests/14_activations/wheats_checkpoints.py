"""Right answers to kata 14 that recompute: by hooks, by a Function, by a graph of their own."""
# mypy: ignore-errors

import contextlib
import functools
import itertools

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.graph import saved_tensors_hooks

from dojo.judging.diagnose import answers, solution

solved = solution("14_activations")

# checkpoint


@contextlib.contextmanager
def _as_then(state, casts):
    now = torch.get_rng_state()
    torch.set_rng_state(state)
    try:
        with contextlib.ExitStack() as stack:
            for device, on, dtype, cached in casts:
                stack.enter_context(torch.autocast(device, enabled=on, dtype=dtype, cache_enabled=cached))
            yield stack.enter_context(torch.enable_grad())
    finally:
        torch.set_rng_state(now)


def _casts():
    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    cached = torch.is_autocast_cache_enabled()
    return [(device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device), cached) for device in devices]


class _Rerun(Function):
    @staticmethod
    def forward(ctx, function, anchor, *args):
        ctx.function, ctx.state, ctx.casts = function, torch.get_rng_state(), _casts()
        ctx.places = [place for place, arg in enumerate(args) if isinstance(arg, Tensor)]
        ctx.others = [None if place in ctx.places else arg for place, arg in enumerate(args)]
        ctx.save_for_backward(*(args[place] for place in ctx.places))
        return function(*args)

    @staticmethod
    def backward(ctx, *grads):
        args = list(ctx.others)
        for place, tensor in zip(ctx.places, ctx.saved_tensors, strict=True):
            args[place] = tensor.detach().requires_grad_(tensor.requires_grad)
        with _as_then(ctx.state, ctx.casts):
            results = ctx.function(*args)
        results = results if isinstance(results, tuple) else (results,)
        needed = [place for place, result in enumerate(results) if result.requires_grad]
        torch.autograd.backward([results[place] for place in needed], [grads[place] for place in needed])
        return None, None, *(arg.grad if isinstance(arg, Tensor) else None for arg in args)


@answers("checkpoint")
def checkpoint_by_a_function_with_an_anchor(function, *args):
    return _Rerun.apply(function, torch.zeros(0, requires_grad=True), *args)


class _Frame:
    def __init__(self, function, args):
        self.function, self.args, self.saved = function, args, 0
        self.state, self.casts, self.found = torch.get_rng_state(), _casts(), []

    def pack(self, tensor):
        self.saved += 1
        return self.saved - 1

    def unpack(self, place):
        if not self.found:
            with _as_then(self.state, self.casts):
                with saved_tensors_hooks(lambda t: self.found.append(t.detach()), lambda _: None):
                    self.function(*self.args)
            assert len(self.found) == self.saved
        tensor, self.found[place] = self.found[place], None
        if not any(t is not None for t in self.found):
            self.found = []
        return tensor


@answers("checkpoint")
def checkpoint_by_a_frame(function, *args):
    frame = _Frame(function, args)
    with saved_tensors_hooks(frame.pack, frame.unpack):
        return function(*args)


@answers("checkpoint")
def checkpoint_by_a_generator(function, *args):
    device = next((arg.device.type for arg in args if isinstance(arg, Tensor)), "cpu")
    cast = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    state, count, again = torch.default_generator.get_state(), itertools.count(), {}

    def second():
        inner = itertools.count()
        before = torch.default_generator.get_state()
        torch.default_generator.set_state(state)
        try:
            with saved_tensors_hooks(lambda t: again.__setitem__(next(inner), t.data), lambda t: t):
                with torch.set_grad_enabled(True), torch.autocast(device, enabled=cast[0], dtype=cast[1]):
                    function(*args)
        finally:
            torch.default_generator.set_state(before)

    def unpack(key):
        if key not in again:
            second()
        return again.pop(key)

    with saved_tensors_hooks(lambda t: next(count), unpack):
        return function(*args)


class _Enough(Exception):
    """All that the first run saved is there again."""


@answers("checkpoint")
def checkpoint_that_stops_early(function, *args):
    frame = _Frame(function, args)

    def keep(tensor):
        frame.found.append(tensor.detach())
        if len(frame.found) == frame.saved:
            raise _Enough

    def unpack(place):
        if not frame.found:
            with contextlib.suppress(_Enough), _as_then(frame.state, frame.casts):
                with saved_tensors_hooks(keep, lambda _: None):
                    function(*args)
        return frame.found[place]

    with saved_tensors_hooks(frame.pack, unpack):
        return function(*args)


# checkpoint_sequential


@answers("checkpoint_sequential")
def runs_with_the_last_one_plain(layers, segments, x):
    n = len(layers)
    if segments < 1 or segments > n:
        raise ValueError(f"{n} layers, {segments} segments")
    long = n % segments
    sizes = [n // segments + (place < long) for place in range(segments)]
    start = 0
    for size in sizes[:-1]:
        x = solved.checkpoint(functools.partial(_chain, layers[start : start + size]), x)
        start += size
    return _chain(layers[start:], x)


def _chain(layers, x):
    return functools.reduce(lambda value, layer: layer(value), layers, x)


@answers("checkpoint_sequential")
def runs_from_an_iterator(layers, segments, x):
    if not layers or segments not in range(1, len(layers) + 1):
        raise ValueError
    left, runs = iter(layers), segments
    remaining = len(layers)
    while runs:
        size = round(remaining / runs)
        part = list(itertools.islice(left, size))
        x = solved.checkpoint(lambda value, part=part: _chain(part, value), x)
        remaining, runs = remaining - size, runs - 1
    return x


@answers("checkpoint_sequential")
def runs_by_recursion(layers, segments, x):
    if not 0 < segments <= len(layers):
        raise ValueError("cannot be cut")
    if segments == 1:
        return solved.checkpoint(_chain, list(layers), x)
    end = len(layers) - len(layers) // segments
    x = runs_by_recursion(layers[:end], segments - 1, x)
    return solved.checkpoint(_chain, layers[end:], x)
