"""Wrong answers that people give to kata 14 about measuring what autograd saves."""

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# saved_bytes


def _saved(function):
    """Every tensor that is saved, in order, as it is given to the hook."""
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
    """Bytes of their storages, each once."""
    return sum({_key(tensor): tensor.untyped_storage().nbytes() for tensor in tensors}.values())


@believes("Whatever is saved takes memory of its own, each time", about="saved_bytes")
def counts_each_time(function, exclude=()):
    """A tensor that two operations save is there once. Count storages, not calls of the hook."""
    without = {_key(tensor) for tensor in exclude}
    return sum(t.untyped_storage().nbytes() for t in _saved(function) if _key(t) not in without)


@believes("A view that begins at another address is another storage", about="saved_bytes")
def tells_by_addresses(function, exclude=()):
    """x[1:] begins behind x, in the same storage: tell storages apart by untyped_storage()._cdata."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    return sum({t.data_ptr(): t.untyped_storage().nbytes() for t in tensors}.values())


@believes("A view keeps only the elements that it shows", about="saved_bytes")
def counts_the_elements_of_a_view(function, exclude=()):
    """It keeps the whole storage: count untyped_storage().nbytes()."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    return sum({_key(t): t.numel() * t.element_size() for t in tensors}.values())


@believes("Only what is computed is saved: leaves are there anyway", about="saved_bytes")
def leaves_out_leaves(function, exclude=()):
    """What is there anyway is for the caller to exclude: count every storage."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and not t.is_leaf)


@believes("Parameters are no part of what a function saves", about="saved_bytes")
def leaves_out_parameters(function, exclude=()):
    """They are saved where the input needs a gradient; whoever wants them left out excludes them."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    bases = [t if t._base is None else t._base for t in tensors]
    return _whole(t for t in bases if not isinstance(t, torch.nn.Parameter))


@believes("A tensor that needs no gradient is not saved", about="saved_bytes")
def counts_what_requires_grad(function, exclude=()):
    """The data is saved for the gradient of the weight, and a mask for that of its input."""
    without = {_key(tensor) for tensor in exclude}
    return _whole(t for t in _saved(function) if _key(t) not in without and t.requires_grad)


@believes("An excluded tensor is left out where it is saved itself", about="saved_bytes")
def excludes_by_shape(function, exclude=()):
    """A Linear saves its weight transposed: compare storages, not tensors."""
    without = {(_key(t), t.shape, t.stride(), t.storage_offset()) for t in exclude}
    saved = _saved(function)
    return _whole(t for t in saved if (_key(t), t.shape, t.stride(), t.storage_offset()) not in without)


@believes("What is excluded was saved, so its bytes come off", about="saved_bytes")
def subtracts_what_is_excluded(function, exclude=()):
    """A bias is never saved, and the data not for a frozen layer: leave out only what was counted."""
    return _whole(_saved(function)) - _whole(exclude)


@believes("exclude can be gone through for each saved tensor", about="saved_bytes")
def exhausts_exclude(function, exclude=()):
    """A generator gives its tensors once: make a set of their storages first."""
    return _whole([t for t in _saved(function) if not any(_key(t) == _key(other) for other in exclude)])


@believes("There is nothing to exclude: saved is saved", about="saved_bytes")
def ignores_exclude(function, exclude=()):
    """Leave out the storages of the tensors in exclude."""
    return _whole(_saved(function))


@believes("What counts is what is still there at the end", about="saved_bytes")
def counts_what_is_left(function, exclude=()):
    """What was saved counts, also if its graph is gone: hold on to the storages, so that no address comes twice."""
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
    """A float64 takes 8, a bool 1: ask the storage for its nbytes()."""
    without = {_key(tensor) for tensor in exclude}
    tensors = [tensor for tensor in _saved(function) if _key(tensor) not in without]
    return sum({_key(t): 4 * t.untyped_storage().nbytes() // t.element_size() for t in tensors}.values())


@believes("What is returned is kept as well", about="saved_bytes")
def counts_the_result(function, exclude=()):
    """Only if a backward needs it: count what the hook is given."""
    results = []
    count = solved.saved_bytes(lambda: results.append(function()), exclude)
    return count + results[0].nbytes


@believes("To measure, no gradients are needed", about="saved_bytes")
def measures_without_gradients(function, exclude=()):
    """Without gradients nothing is saved: call the function as it is."""
    with torch.no_grad():
        return solved.saved_bytes(function, exclude)


@believes("A first run warms up", about="saved_bytes")
def runs_twice(function, exclude=()):
    """Each run draws numbers and makes a graph: call the function once."""
    function()
    return solved.saved_bytes(function, exclude)


@believes("What a pack hook has counted nobody needs any more", about="saved_bytes")
def gives_nothing_back(function, exclude=()):
    """The backward asks for it: let pack return the tensor, and unpack what pack has returned."""
    tensors: list[torch.Tensor] = []
    without = {_key(tensor) for tensor in exclude}
    with saved_tensors_hooks(tensors.append, lambda tensor: tensor):
        function()
    return _whole(t for t in tensors if _key(t) not in without)


@believes("To measure, gradients have to be on", about="saved_bytes")
def measures_with_gradients_on(function, exclude=()):
    """Whoever calls it under no_grad asks what is saved there: nothing."""
    with torch.enable_grad():
        return solved.saved_bytes(function, exclude)
