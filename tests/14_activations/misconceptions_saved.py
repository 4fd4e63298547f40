"""Wrong answers that people give to kata 14 about measuring what autograd saves."""

import weakref
from typing import Any

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# saved_bytes


def _saved(function):
    """Return every tensor that is saved, in order, as the hook gets it."""
    tensors = []

    def pack(tensor):
        tensors.append(tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    return tensors


def _key(tensor):
    return tensor.untyped_storage()._cdata


def _whole(tensors):
    """Return the bytes of their storages, each counted once."""
    return sum({_key(tensor): tensor.untyped_storage().nbytes() for tensor in tensors}.values())


@believes("A tensor takes memory each time it is saved", about="saved_bytes")
def counts_each_time(function, exclude=()):
    """A tensor that two operations save is in memory once: count storages, not hook calls."""
    without = {_key(tensor) for tensor in exclude}
    return sum(t.untyped_storage().nbytes() for t in _saved(function) if _key(t) not in without)


@believes("A view that starts at another address is another storage", about="saved_bytes")
def tells_by_addresses(function, exclude=()):
    """x[1:] starts later, but in the same storage: tell storages apart by untyped_storage()._cdata."""
    without = {tensor.data_ptr() for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if tensor.data_ptr() not in without]
    return sum({t.data_ptr(): t.untyped_storage().nbytes() for t in tensors}.values())


@believes("A view keeps only the elements that it shows", about="saved_bytes")
def counts_the_elements_of_a_view(function, exclude=()):
    """It keeps the whole storage: count untyped_storage().nbytes()."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    return sum({_key(t): t.numel() * t.element_size() for t in tensors}.values())


@believes("Leaves do not count, because they are in memory anyway", about="saved_bytes")
def leaves_out_leaves(function, exclude=()):
    """Only the storages in exclude are left out: count every other one."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and not t.is_leaf)


@believes("Parameters do not count", about="saved_bytes")
def leaves_out_parameters(function, exclude=()):
    """They are saved if the input needs a gradient, and count unless they are in exclude."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    bases = [t if t._base is None else t._base for t in tensors]
    return _whole(t for t in bases if not isinstance(t, torch.nn.Parameter))


@believes("A tensor that needs no gradient is not saved", about="saved_bytes")
def counts_what_requires_grad(function, exclude=()):
    """The data is saved for the gradient of the weight, and a mask for that of the masked tensor."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and t.requires_grad)


@believes("An excluded tensor is saved as the same object", about="saved_bytes")
def excludes_the_same_objects(function, exclude=()):
    """A Linear saves its weight transposed: compare storages, not tensors."""
    without = list(exclude)
    return _whole(t for t in _saved(function) if not any(t is other for other in without))


@believes("Every excluded tensor was saved, so its bytes are subtracted", about="saved_bytes")
def subtracts_what_is_excluded(function, exclude=()):
    """A bias is never saved, and neither is the input of a frozen layer: leave out only what is saved."""
    return _whole(_saved(function)) - sum(tensor.untyped_storage().nbytes() for tensor in exclude)


@believes("exclude can be iterated over again for each saved tensor", about="saved_bytes")
def exhausts_exclude(function, exclude=()):
    """A generator yields its tensors once: make a set of their storages first."""
    return _whole([t for t in _saved(function) if not any(_key(t) == _key(other) for other in exclude)])


@believes("exclude can be ignored", about="saved_bytes")
def ignores_exclude(function, exclude=()):
    """Leave out the storages of the tensors in exclude."""
    return _whole(_saved(function))


@believes("Only storages that are still in memory at the end count", about="saved_bytes")
def counts_what_is_left(function, exclude=()):
    """Everything saved counts, even if its graph is gone: hold on to the storages, so that no address is used twice."""
    without = {_key(tensor) for tensor in exclude}
    left = {}

    def pack(tensor):
        left[StorageWeakRef(tensor.untyped_storage())] = tensor.untyped_storage().nbytes()
        return tensor.detach()  # or its graph would hold itself

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    return sum(
        {ref.cdata: size for ref, size in left.items() if not ref.expired() and ref.cdata not in without}.values()
    )


@believes("A number takes 4 bytes", about="saved_bytes")
def takes_4_bytes_each(function, exclude=()):
    """A float64 takes 8, a bool 1: ask the storage for nbytes()."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    return sum({_key(t): 4 * t.untyped_storage().nbytes() // t.element_size() for t in tensors}.values())


@believes("The returned tensor is saved as well", about="saved_bytes")
def counts_the_result(function, exclude=()):
    """It is saved only if a backward needs it: count what the hook is given."""
    results = []
    count = solved.saved_bytes(lambda: results.append(function()), exclude)
    return count + results[0].nbytes


@believes("Measuring needs no gradients", about="saved_bytes")
def measures_without_gradients(function, exclude=()):
    """Without gradients, nothing is saved: call the function as it is."""
    with torch.no_grad():
        return solved.saved_bytes(function, exclude)


@believes("A first run is needed to warm up", about="saved_bytes")
def runs_twice(function, exclude=()):
    """Each run draws random numbers and has side effects: call the function once."""
    function()
    return solved.saved_bytes(function, exclude)


@believes("What a pack hook has counted is no longer needed", about="saved_bytes")
def gives_nothing_back(function, exclude=()):
    """The backward needs it: pack returns the tensor, and unpack returns what it gets."""
    tensors: list[torch.Tensor] = []
    without = {_key(tensor) for tensor in exclude}
    with saved_tensors_hooks(tensors.append, lambda tensor: tensor):
        function()
    return _whole(t for t in tensors if _key(t) not in without)


@believes("A backward needs each saved tensor once", about="saved_bytes")
def gives_tensors_back_once(function, exclude=()):
    """A second backward, with retain_graph=True before, needs them again: unpack returns what it gets."""
    tensors: dict[int, torch.Tensor] = {}

    def pack(tensor):
        tensors[len(tensors)] = tensor
        return len(tensors) - 1

    without = {_key(tensor) for tensor in exclude}
    with saved_tensors_hooks(pack, lambda place: tensors.pop(place)):
        function()
    return _whole(t for t in tensors.values() if _key(t) not in without)


@believes("Measuring has to enable gradients", about="saved_bytes")
def measures_with_gradients_on(function, exclude=()):
    """Under torch.no_grad(), nothing is saved, and the result is 0: leave the mode as it is."""
    with torch.enable_grad():
        return solved.saved_bytes(function, exclude)


@believes("If nothing is saved, the function need not run", about="saved_bytes")
def skips_the_run_without_gradients(function, exclude=()):
    """The caller also wants what the function does: run it once, even under torch.no_grad()."""
    return solved.saved_bytes(function, exclude) if torch.is_grad_enabled() else 0


MEASURED: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


@believes("A function that was measured need not run again", about="saved_bytes")
def remembers_what_was_saved(function, exclude=()):
    """What it computes may have changed since: run the function in each call, and keep nothing between calls."""
    if not torch.is_grad_enabled():
        return solved.saved_bytes(function)
    without = {tensor.untyped_storage()._cdata for tensor in exclude}
    held = MEASURED.get(function)
    if held is None:
        held = MEASURED[function] = {}

        def pack(tensor):
            held[tensor.untyped_storage()._cdata] = tensor.untyped_storage()
            return tensor

        with saved_tensors_hooks(pack, lambda tensor: tensor):
            function()
    return sum(storage.nbytes() for key, storage in held.items() if key not in without)


@believes("Indices do not count", about="saved_bytes")
def leaves_out_indices(function, exclude=()):
    """An index takes 8 bytes, like any other int64: count every storage that is saved."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and t.dtype != torch.int64)


@believes("Masks do not count", about="saved_bytes")
def leaves_out_masks(function, exclude=()):
    """A bool takes a byte: count every storage that is saved."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and t.dtype != torch.bool)


@believes("A single number does not count", about="saved_bytes")
def leaves_out_single_numbers(function, exclude=()):
    """It takes 4 or 8 bytes, like any other number: count every storage that is saved."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and t.ndim)


@believes("A view of another dtype is another storage", about="saved_bytes")
def counts_each_dtype(function, exclude=()):
    """mask.view(torch.uint8) shows the bytes of the mask itself: tell storages apart by untyped_storage()._cdata."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    return sum({(_key(t), t.dtype): t.untyped_storage().nbytes() for t in tensors}.values())


@believes("Views of the same shape and strides are the same tensor", about="saved_bytes")
def takes_halves_for_one(function, exclude=()):
    """They may start at different places of their storage: for each tensor, unpack returns what pack got."""
    tensors: dict[Any, torch.Tensor] = {}
    without = {_key(tensor) for tensor in exclude}

    def pack(tensor):
        return tensors.setdefault((_key(tensor), tensor.shape, tensor.stride()), tensor)

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    return _whole(t for t in tensors.values() if _key(t) not in without)
