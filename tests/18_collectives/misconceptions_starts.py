"""Wrong answers that people give to kata 18 about models that should start alike."""

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _copy(comm, tensors, send=lambda tensor: tensor):
    with torch.no_grad():
        for tensor in tensors:
            tensor.copy_(solved.broadcast(comm, None if comm.rank else send(tensor.detach())))


def _all(model):
    return [*model.parameters(), *model.buffers()]


@believes("A model is its parameters", about="start_alike")
def copies_parameters_alone(comm, model):
    """Buffers are a part of it as well: a norm's running mean changes what it computes."""
    _copy(comm, model.parameters())


@believes("A model is its state_dict", about="start_alike")
def copies_the_state_dict(comm, model):
    """A buffer that is not persistent is missing there: model.buffers() has it."""
    _copy(comm, model.state_dict().values())


@believes("Frozen parameters are the same already", about="start_alike")
def leaves_frozen_ones(comm, model):
    """They are whatever each rank has drawn: copy them as well."""
    _copy(comm, [*(p for p in model.parameters() if p.requires_grad), *model.buffers()])


@believes("Only floats are numbers of a model", about="start_alike")
def copies_floats(comm, model):
    """Buffers of whole numbers count too, such as num_batches_tracked."""
    _copy(comm, [tensor for tensor in _all(model) if tensor.is_floating_point()])


@believes("Only weights are drawn at random", about="start_alike")
def copies_weights(comm, model):
    """Biases are as well: copy all."""
    _copy(comm, [*(p for name, p in model.named_parameters() if name.endswith("weight")), *model.buffers()])


@believes("A tensor is its numbers, wherever they lie", about="start_alike")
def puts_new_memory_in(comm, model):
    """An optimizer or a view may hold the old memory: copy into it."""
    for tensor in _all(model):
        tensor.data = solved.broadcast(comm, None if comm.rank else tensor.data)


@believes("New parameters are as good as old ones", about="start_alike")
def makes_new_parameters(comm, model):
    """The optimizer moves the old ones, and tied ones come apart: copy into those that are there."""
    for module in model.modules():
        for name, old in list(module._parameters.items()):
            if old is not None:
                new = solved.broadcast(comm, None if comm.rank else old.detach()).clone()
                setattr(module, name, nn.Parameter(new, old.requires_grad))
    _copy(comm, model.buffers())


@believes("What was copied learns", about="start_alike")
def lets_all_learn(comm, model):
    """A frozen parameter stays frozen: requires_grad is none of its numbers."""
    solved.start_alike(comm, model)
    model.requires_grad_(True)


@believes("What was copied is frozen", about="start_alike")
def freezes_all(comm, model):
    """It has to learn afterwards: requires_grad stays what it is."""
    solved.start_alike(comm, model)
    model.requires_grad_(False)


@believes("Models start alike at the mean of all", about="start_alike")
def starts_at_the_mean(comm, model):
    """The mean of random parameters is closer to 0 than any of them: take those of rank 0."""
    with torch.no_grad():
        for tensor in _all(model):
            total = solved.all_reduce(comm, tensor)
            tensor.copy_(total / comm.size)


@believes("The last rank knows best", about="start_alike")
def copies_the_last(comm, model):
    """Rank 0's is the one that all begin with."""
    with torch.no_grad():
        for tensor in _all(model):
            last = comm.size - 1
            tensor.copy_(solved.broadcast(comm, tensor if comm.rank == last else None, last))


@believes("Numbers travel in float32", about="start_alike")
def rounds_on_the_way(comm, model):
    """A float64 would lose half of its digits: send it as it is."""
    _copy(comm, _all(model), lambda tensor: tensor.float())


@believes("One row holds all numbers of a model", about="start_alike")
def joins_all_tensors(comm, model):
    """torch.cat makes one dtype of them, in which large whole numbers are rounded: send each dtype by itself."""
    with torch.no_grad():
        row = torch.cat([tensor.flatten() for tensor in (*_all(model), torch.zeros(0))])
        row, begin = solved.broadcast(comm, None if comm.rank else row), 0
        for tensor in _all(model):
            tensor.copy_(row[begin : begin + tensor.numel()].view_as(tensor))
            begin += tensor.numel()


@believes("One may write into a parameter at any time", about="start_alike")
def writes_under_autograd(comm, model):
    """Not into a leaf that requires grad: under torch.no_grad(), or into its data."""
    for tensor in _all(model):
        tensor.copy_(solved.broadcast(comm, None if comm.rank else tensor.detach()))


@believes("A copy of a model is another model", about="start_alike")
def changes_only_the_name(comm, model):
    """The caller holds the one that was handed over: write into that one."""
    for tensor in _all(model):
        tensor = solved.broadcast(comm, None if comm.rank else tensor.detach())
