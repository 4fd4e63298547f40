"""Measure from outside what a custom torch.autograd.Function keeps, makes and returns."""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import BackwardCFunction
from torch.autograd.graph import GradientEdge, get_gradient_edge, saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter
from torch.utils.flop_counter import flop_registry

__all__ = ["hidden", "keeping", "not_yours", "twice", "watching"]

NUMBERS = 16
"""A shape, an eps and a few more are numbers that a ctx may hold; a list of more than these is data."""
FLOAT, OF_AN_ARRAY = 4, 16
"""As how many numbers a float counts, and an element of an array or a byte: those are data sooner."""

UNCOMPUTED = (
    *("Alias", "AsStrided", "Clone", "Expand", "Permute", "ReshapeAlias", "Select", "Slice", "Split", "Squeeze", "T"),
    *("ToCopy", "Transpose", "UnsafeSplit", "UnsafeView", "Unsqueeze", "View"),
)
"""What torch may do to an argument on its way to a Function: it gives back the numbers that were there."""


class _Held:
    """Replaces a saved tensor in a graph, for as long as the graph exists."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor: Tensor | None = tensor


class Kept:
    """Counts what autograd keeps: `bytes` of distinct tensors of several elements, in graphs that exist at the end."""

    def __init__(self) -> None:
        self.bytes = 0
        self._held: list[weakref.ref[_Held]] = []

    def pack(self, tensor: Tensor) -> _Held:
        """Remember a saved tensor, with a weak reference: only the graph keeps it."""
        held = _Held(tensor)
        self._held.append(weakref.ref(held))
        return held

    def there(self) -> list[_Held]:
        """Return what is saved now."""
        return [held for ref in self._held if (held := ref()) is not None]

    def count(self) -> None:
        """Count what is saved now. Tensors of one element are allowed, as numbers, and do not count."""
        tensors = [held.tensor for held in self.there() if held.tensor is not None]
        distinct = {(t.untyped_storage()._cdata, int(t.storage_offset()), t.numel()): t.nbytes for t in tensors}
        self.bytes = sum(nbytes for (*_, numel), nbytes in distinct.items() if numel > 1)


@contextlib.contextmanager
def keeping() -> Iterator[Kept]:
    """Count what is saved for a backward pass inside the block."""
    kept = Kept()
    with saved_tensors_hooks(kept.pack, lambda held: held.tensor):
        yield kept
    kept.count()


class _Mode(TorchDispatchMode):
    """A mode that does not make torch import dynamo, which takes longer than a verdict."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False


class Watched(_Mode):
    """Watches operators: `flops` by torch's own table, and `largest`, the most elements of a tensor that one makes.

    An expanded tensor counts with the elements of its storage.
    """

    def __init__(self) -> None:
        super().__init__()
        self.flops = 0
        self.largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operator, count its FLOPs, and note the size of its results."""
        out = func(*args, **(kwargs or {}))
        count = flop_registry.get(func._overloadpacket)
        if count is not None:
            self.flops += count(*args, **(kwargs or {}), out_val=out)
        for tensor in tree_iter(out):
            if isinstance(tensor, Tensor):
                room = tensor.untyped_storage().nbytes() // tensor.element_size()
                self.largest = max(self.largest, min(tensor.numel(), room))
        return out


def watching() -> Watched:
    """Watch operators inside a block: `with watching() as seen:`."""
    return Watched()


class _Births(_Mode):
    """Notes every storage that an operator makes, without keeping it alive."""

    def __init__(self) -> None:
        super().__init__()
        self.born: dict[int, tuple[Any, tuple[int, ...]]] = {}

    def note(self, tensor: Tensor) -> None:
        """Note a storage by its Python object, which lives as long as the storage."""
        storage = tensor.untyped_storage()
        self.born[id(storage)] = weakref.ref(storage), tuple(tensor.shape)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operator, and note what it makes."""
        out = func(*args, **(kwargs or {}))
        for tensor in tree_iter(out):
            if isinstance(tensor, Tensor):
                self.note(tensor)
        return out


def hidden(function: Callable[..., Any], *args: Any) -> list[Any]:
    """Return the shapes of tensors, arguments included, that function(*args) keeps but neither returns nor saves.

    Those count that are alive after a backward pass. On a grad_fn a result counts, too. Tensors of one element do not
    count. More than a few numbers on the grad_fn of a result add the item "numbers".
    """
    births = _Births()
    collects = gc.isenabled()
    gc.disable()
    try:
        # Pass copies that nothing else holds. They are not leaves, because a graph would hold those.
        with keeping() as kept:
            passed = [_passed(arg) for arg in args]
            for tensor in passed:
                if isinstance(tensor, Tensor):
                    births.note(tensor)
            edges = _edges(passed)
            with births:
                results = function(*passed)
            mine = [one for one in passed if isinstance(one, Tensor) and not one.is_floating_point()]
            del passed, tensor
        with births:
            _go_back(results, edges)
        _settle(results)
        del edges
        for held in kept.there():
            held.tensor = None
        mine += [result for result in tree_iter(results) if isinstance(result, Tensor)]
        given = {id(one.untyped_storage()) for one in mine}
        gc.collect(0)
        alive = [shape for key, (ref, shape) in births.born.items() if ref() is not None and key not in given]
    finally:
        if collects:
            gc.enable()
    shapes = [shape for shape in alive if torch.Size(shape).numel() > 1]
    return [*shapes, *_on_nodes(results, mine), *_counted(results)]


def _passed(arg: Any) -> Any:
    """Return a copy of an argument: if it requires grad, the result of an operation instead of a leaf."""
    if not isinstance(arg, Tensor):
        return arg
    fresh = arg.detach().clone()
    return fresh.requires_grad_() * 1 if arg.requires_grad else fresh


def _edges(passed: Sequence[Any]) -> list[GradientEdge]:
    """Return where the gradients of the arguments go, also of one that the function will change in place."""
    return [get_gradient_edge(one) for one in passed if isinstance(one, Tensor) and one.requires_grad]


def _go_back(results: Any, edges: Sequence[GradientEdge]) -> None:
    """Run a backward pass and drop the gradients; what was saved stays."""
    ends = [one for one in tree_iter(results) if isinstance(one, Tensor) and one.requires_grad]
    if ends and edges:
        ones = [torch.ones_like(end) for end in ends]
        torch.autograd.grad(ends, edges, ones, retain_graph=True, allow_unused=True)


def _settle(results: Any) -> None:
    """Run a backward pass of one number on each device: its thread may still hold gradients of the pass before."""
    for device in {one.device for one in tree_iter(results) if isinstance(one, Tensor)}:
        number = torch.ones((), device=device, requires_grad=True)
        torch.autograd.grad(number * 1, number)


def _nodes(results: Any) -> list[Any]:
    """Return the grad_fn nodes of the results that are custom Functions."""
    nodes = {result.grad_fn for result in tree_iter(results) if isinstance(result, Tensor) and result.grad_fn}
    return [node for node in nodes if isinstance(node, BackwardCFunction)]


def _on_nodes(results: Any, mine: Sequence[Tensor]) -> list[Any]:
    """Return the shapes of those of these tensors that are attributes of a result's grad_fn, even inside containers."""
    storages = {id(one.untyped_storage()) for one in mine if one.numel() > 1}
    there = [one for node in _nodes(results) for one in tree_iter(vars(node)) if isinstance(one, Tensor)]
    return [tuple(one.shape) for one in there if id(one.untyped_storage()) in storages]


def _counted(results: Any) -> list[Any]:
    """Return ["numbers"] if more than a few numbers are attributes of a result's grad_fn, else []."""
    counts = [_numbers(vars(node), set()) for node in _nodes(results)]
    return ["numbers"] if max(counts, default=0) > NUMBERS else []


def _numbers(value: Any, met: set[int]) -> int:
    if id(value) in met:
        return 0
    if isinstance(value, int | float | complex):
        return 1 if isinstance(value, int) else FLOAT
    if isinstance(value, bytes | bytearray | memoryview):
        return len(value) * OF_AN_ARRAY
    met.add(id(value))
    if isinstance(value, dict):
        return sum(_numbers(item, met) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return sum(_numbers(item, met) for item in value)
    return int(getattr(value, "size", 0)) * OF_AN_ARRAY if type(value).__module__ == "numpy" else 0


def not_yours(result: Tensor, before: Any = None) -> list[str]:
    """Return the nodes in the graph of a result that torch's own operators made: none if custom Functions made it.

    Nodes that only pass an argument to a Function, as a view or a copy, do not count. before: the node behind the
    arguments, at which the search stops; None if they are leaves.
    """
    first = result.grad_fn
    if not result.requires_grad:
        return []
    if not isinstance(first, BackwardCFunction):
        return [_name(first)]
    found, left, met = [], [first], {before}
    while left:
        node = left.pop()
        met.add(node)
        behind = [after for after, _ in node.next_functions if after is not None and after not in met]
        left += behind
        found += [f"{_name(after)} behind a Function" for after in behind if not _passes_on(after)]
    return sorted(found)


def _name(node: Any) -> str:
    return "a leaf" if node is None else str(node.name())


def _passes_on(node: Any) -> bool:
    if isinstance(node, BackwardCFunction) or node.name() == "torch::autograd::AccumulateGrad":
        return True
    return str(node.name()).removesuffix("Backward0") in UNCOMPUTED


REFUSED = "refused"


def twice(function: Callable[[], Tensor], leaves: Sequence[Tensor], k: Tensor) -> list[Tensor] | str:
    """Return the gradients of Σ g · cos(g), with the cosine as a constant, for the gradients g of function().

    Return "refused" if no g requires grad, or if once_differentiable raises its error.
    """
    result = function()
    try:
        first = torch.autograd.grad(result, leaves, k, create_graph=True, allow_unused=True)
        grads = [grad for grad in first if grad is not None and grad.requires_grad]
        if not grads:
            return REFUSED
        total = torch.stack([(grad * grad.detach().cos()).sum() for grad in grads]).sum()
        second = torch.autograd.grad(total, leaves, allow_unused=True)
    except RuntimeError as error:
        if "once_differentiable" in str(error):
            return REFUSED
        raise
    return [torch.zeros_like(leaf) if grad is None else grad for leaf, grad in zip(leaves, second, strict=True)]
