"""Wrong answers that people give to kata 12 about seeds and counts."""

import random
import weakref

import numpy as np
import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")


def _check(seed):
    if not 0 <= seed < 2**32:
        raise ValueError(seed)


# seed_everything


@believes("torch.manual_seed seeds numpy as well", about="seed_everything")
def leaves_numpy_out(seed):
    """torch does not touch numpy's global generator, and default_rng makes another one: call np.random.seed(seed)."""
    _check(seed)
    random.seed(seed)
    torch.manual_seed(seed)


@believes("Nothing in training draws from Python's random", about="seed_everything")
def leaves_random_out(seed):
    """Augmentations and shuffled file lists often do. random.Random makes another generator: call random.seed(seed)."""
    _check(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


@believes("torch takes its numbers from numpy", about="seed_everything")
def leaves_torch_out(seed):
    """Dropout and randperm draw from torch's own global generator: call torch.manual_seed(seed)."""
    _check(seed)
    random.seed(seed)
    np.random.seed(seed)


@believes("Three sources need three different seeds", about="seed_everything")
def seeds_each_by_another(seed):
    """All three get the same seed, so that a run can be repeated with random.seed, np.random.seed and manual_seed."""
    _check(seed)
    random.seed(seed)
    np.random.seed((seed + 1) % 2**32)
    torch.manual_seed(seed + 2)


@believes("The text of a seed is as good as its number", about="seed_everything")
def seeds_by_a_text(seed):
    """random.seed("5") gives other numbers than random.seed(5)."""
    solved.seed_everything(seed)
    random.seed(str(seed))


@believes("Where numpy refuses a seed, nothing has been seeded", about="seed_everything")
def leaves_the_check_to_numpy(seed):
    """random and torch accept seeds that numpy refuses, and have changed by then: check first."""
    random.seed(seed)
    torch.manual_seed(max(min(seed, 2**63 - 1), -(2**63)))
    np.random.seed(seed)


@believes("A seed out of range can be wrapped", about="seed_everything")
def wraps_the_seed(seed):
    """Two seeds would silently give the same run: raise ValueError."""
    solved.seed_everything(seed % 2**32)


@believes("A seed that is too large can be cut to the largest one", about="seed_everything")
def cuts_the_seed(seed):
    """Two seeds would silently give the same run: raise ValueError."""
    solved.seed_everything(min(seed, 2**32 - 1))


@believes("A negative seed is as good without its sign", about="seed_everything")
def drops_the_sign(seed):
    """Two seeds would silently give the same run: raise ValueError."""
    solved.seed_everything(abs(seed))


@believes("The largest seed is 2**31 - 1", about="seed_everything")
def ends_at_31_bits(seed):
    """numpy takes any unsigned 32-bit integer: up to 2**32 - 1."""
    if not 0 <= seed < 2**31:
        raise ValueError(seed)
    solved.seed_everything(seed)


@believes("2**32 - 1 is not a seed", about="seed_everything")
def ends_one_too_early(seed):
    """It is the largest number of 32 bits, and numpy takes it."""
    if seed == 2**32 - 1:
        raise ValueError(seed)
    solved.seed_everything(seed)


@believes("0 is not a seed", about="seed_everything")
def takes_0_for_none(seed):
    """0 is a seed like any other, and a common one."""
    if not seed:
        raise ValueError(seed)
    solved.seed_everything(seed)


@believes("A seed of 0 means that nothing is seeded", about="seed_everything")
def does_nothing_for_0(seed):
    """`if seed` is false for 0, which is a seed like any other."""
    if seed:
        solved.seed_everything(seed)


# count_parameters


@believes("The parameters are what the state_dict holds", about="count_parameters")
def counts_the_state(model, trainable_only=False):
    """The state_dict holds buffers too, such as the statistics of a batch norm, which are not parameters."""
    if trainable_only:
        return solved.count_parameters(model, True)
    return sum(x.numel() for x in model.state_dict().values())


@believes("The state_dict holds all parameters and all buffers", about="count_parameters")
def takes_the_buffers_off(model, trainable_only=False):
    """A buffer with persistent=False is not in it, and must not be taken off: add up model.parameters()."""
    if trainable_only:
        return solved.count_parameters(model, True)
    state = {id(x): x for x in model.state_dict(keep_vars=True).values()}
    return sum(x.numel() for x in state.values()) - sum(x.numel() for x in model.buffers())


@believes("A parameter counts in each place where it is used", about="count_parameters")
def counts_each_place(model, trainable_only=False):
    """Tied weights are one tensor, in memory and for the optimizer."""
    found = model.named_parameters(remove_duplicate=False)
    return sum(p.numel() for _, p in found if p.requires_grad or not trainable_only)


@believes("Each module has its own parameters", about="count_parameters")
def counts_each_module(model, trainable_only=False):
    """Two modules may share one, as an embedding and the layer behind it: count it once."""
    found = [p for module in model.modules() for p in module.parameters(recurse=False)]
    return sum(p.numel() for p in found if p.requires_grad or not trainable_only)


@believes("A frozen parameter does not count", about="count_parameters")
def never_counts_the_frozen(model, trainable_only=False):
    """It takes memory, and takes part in each forward; only trainable_only leaves it out."""
    return solved.count_parameters(model, True)


@believes("All parameters are trained", about="count_parameters")
def always_counts_the_frozen(model, trainable_only=False):
    """With trainable_only, only those count whose requires_grad is True."""
    return solved.count_parameters(model)


@believes("trainable_only counts what is not trained", about="count_parameters")
def counts_the_frozen_alone(model, trainable_only=False):
    """requires_grad is True for what is trained."""
    return sum(p.numel() for p in model.parameters() if not trainable_only or not p.requires_grad)


@believes("What is trained has a gradient already", about="count_parameters")
def looks_for_gradients(model, trainable_only=False):
    """Before the first backward no parameter has a gradient: look at requires_grad."""
    return sum(p.numel() for p in model.parameters() if not trainable_only or p.grad is not None)


@believes("Whatever has a gradient is trained", about="count_parameters")
def counts_gradients_too(model, trainable_only=False):
    """A parameter that is frozen later may keep its gradient: look at requires_grad alone."""
    found = (p for p in model.parameters() if not trainable_only or p.requires_grad or p.grad is not None)
    return sum(p.numel() for p in found)


@believes("The count is the number of tensors", about="count_parameters")
def counts_tensors(model, trainable_only=False):
    """Each tensor counts as many as it has elements."""
    return sum(p.requires_grad or not trainable_only for p in model.parameters())


@believes("The count is the number of bytes", about="count_parameters")
def counts_bytes(model, trainable_only=False):
    """Bytes are the number of elements times the size of one; here the elements are counted."""
    return 8 * solved.count_parameters(model, trainable_only)


@believes("Only matrices count as parameters", about="count_parameters")
def counts_matrices(model, trainable_only=False):
    """Vectors and scalars are trained like matrices, and count as well."""
    return sum(p.numel() for p in model.parameters() if p.ndim > 1 and (p.requires_grad or not trainable_only))


@believes("A tensor of shape () has no elements", about="count_parameters")
def leaves_single_numbers_out(model, trainable_only=False):
    """The product of no sizes is 1: it has one element."""
    return sum(p.numel() for p in model.parameters() if p.ndim and (p.requires_grad or not trainable_only))


@believes("A tensor has two sizes to multiply", about="count_parameters")
def multiplies_two_sizes(model, trainable_only=False):
    """The kernel of a convolution has more: numel() multiplies all of them."""
    counts = ((p, (*p.shape, 1, 1)[:2]) for p in model.parameters() if p.requires_grad or not trainable_only)
    return sum(sizes[0] * sizes[1] for _, sizes in counts)


@believes("Only linear layers have parameters", about="count_parameters")
def counts_linear_layers(model, trainable_only=False):
    """Embeddings, norms and convolutions have them too, and a module may have one of its own."""
    found = {id(p): p for m in model.modules() if isinstance(m, nn.Linear) for p in m.parameters()}.values()
    return sum(p.numel() for p in found if p.requires_grad or not trainable_only)


@believes("A module counts the parameters of its children, and none of its own", about="count_parameters")
def asks_the_children(model, trainable_only=False):
    """A module may hold parameters beside its children: parameters() finds them all."""
    found = {id(p): p for child in model.children() for p in child.parameters()}.values()
    return sum(p.numel() for p in found if p.requires_grad or not trainable_only)


@believes("A model is a list of layers", about="count_parameters")
def iterates_over_the_model(model, trainable_only=False):
    """It may be a single layer, which cannot be iterated over: model.parameters() finds those of any module."""
    found = {id(p): p for part in model for p in (part.parameters() if isinstance(part, nn.Module) else [part])}
    found |= {id(p): p for p in model.parameters(recurse=False)}
    return sum(p.numel() for p in found.values() if p.requires_grad or not trainable_only)


_counted: weakref.WeakKeyDictionary[nn.Module, dict[bool, int]] = weakref.WeakKeyDictionary()


@believes("The count of a model stays what it is", about="count_parameters")
def counts_once_for_all(model, trainable_only=False):
    """A parameter may be frozen later: count them in each call."""
    found = _counted.setdefault(model, {})
    return found.setdefault(trainable_only, solved.count_parameters(model, trainable_only))


@believes("A parameter is identified by its address in memory", about="count_parameters")
def counts_places_and_shapes(model, trainable_only=False):
    """On meta all have the address 0: tell them apart by id(p), or use parameters(), which gives each once."""
    found = {(p.data_ptr(), p.shape): p for p in model.parameters()}.values()
    return sum(p.numel() for p in found if p.requires_grad or not trainable_only)


@believes("A parameter is identified by its address in memory", about="count_parameters")
def counts_places(model, trainable_only=False):
    """On meta all have the address 0: tell them apart by id(p), or use parameters(), which gives each once."""
    found = {p.data_ptr(): p for p in model.parameters()}.values()
    return sum(p.numel() for p in found if p.requires_grad or not trainable_only)
