"""Wrong answers that people give to kata 18 about models that should start alike."""

import weakref

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


@believes("Only parameters are copied", about="start_alike")
def copies_parameters_alone(comm, model):
    """Buffers are copied too: a norm's running mean changes what the model computes."""
    _copy(comm, model.parameters())


@believes("The state_dict holds all tensors of a model", about="start_alike")
def copies_the_state_dict(comm, model):
    """A buffer that is not persistent is missing from it: use model.buffers()."""
    _copy(comm, model.state_dict().values())


@believes("Frozen parameters are equal already", about="start_alike")
def leaves_frozen_ones(comm, model):
    """Each rank may have drawn its own: copy them too."""
    _copy(comm, [*(p for p in model.parameters() if p.requires_grad), *model.buffers()])


@believes("Only floats are copied", about="start_alike")
def copies_floats(comm, model):
    """Integer buffers are copied too, such as num_batches_tracked."""
    _copy(comm, [tensor for tensor in _all(model) if tensor.is_floating_point()])


@believes("Only weights differ between ranks", about="start_alike")
def copies_weights(comm, model):
    """Biases differ too: copy all parameters."""
    _copy(comm, [*(p for name, p in model.named_parameters() if name.endswith("weight")), *model.buffers()])


@believes("A parameter may get new memory", about="start_alike")
def puts_new_memory_in(comm, model):
    """An optimizer or a view may hold the old memory: use copy_ to write into it."""
    for tensor in _all(model):
        tensor.data = solved.broadcast(comm, None if comm.rank else tensor.data)


@believes("Parameters may be replaced by new ones", about="start_alike")
def makes_new_parameters(comm, model):
    """The optimizer moves the old ones, and tied ones become separate: write into the existing ones."""
    for module in model.modules():
        for name, old in list(module._parameters.items()):
            if old is not None:
                new = solved.broadcast(comm, None if comm.rank else old.detach()).clone()
                setattr(module, name, nn.Parameter(new, old.requires_grad))
    _copy(comm, model.buffers())


@believes("All parameters require grad afterwards", about="start_alike")
def lets_all_learn(comm, model):
    """requires_grad stays what it is: a frozen parameter stays frozen."""
    solved.start_alike(comm, model)
    model.requires_grad_(True)


@believes("No parameter requires grad afterwards", about="start_alike")
def freezes_all(comm, model):
    """requires_grad stays what it is."""
    solved.start_alike(comm, model)
    model.requires_grad_(False)


@believes("All ranks get the mean of the models", about="start_alike")
def starts_at_the_mean(comm, model):
    """They get the numbers of rank 0."""
    with torch.no_grad():
        for tensor in _all(model):
            total = solved.all_reduce(comm, tensor)
            tensor.copy_(total / comm.size)


@believes("What is multiplied by 0 adds nothing", about="start_alike")
def adds_the_others_times_0(comm, model):
    """0 · inf is NaN: send rank 0's numbers to the others, or let the others add zeros."""
    with torch.no_grad():
        for tensor in _all(model):
            tensor.copy_(solved.all_reduce(comm, tensor * int(comm.rank == 0)))


@believes("All ranks get the numbers of the last one", about="start_alike")
def copies_the_last(comm, model):
    """They get those of rank 0."""
    with torch.no_grad():
        for tensor in _all(model):
            last = comm.size - 1
            tensor.copy_(solved.broadcast(comm, tensor if comm.rank == last else None, last))


@believes("Numbers may be sent in float32", about="start_alike")
def rounds_on_the_way(comm, model):
    """Then a float64 loses half of its digits: send it as it is."""
    _copy(comm, _all(model), lambda tensor: tensor.float())


@believes("All tensors can be sent as one", about="start_alike")
def joins_all_tensors(comm, model):
    """torch.cat gives them one dtype, in which large integers are rounded: send each dtype separately."""
    with torch.no_grad():
        row = torch.cat([tensor.flatten() for tensor in (*_all(model), torch.zeros(0))])
        row, begin = solved.broadcast(comm, None if comm.rank else row), 0
        for tensor in _all(model):
            tensor.copy_(row[begin : begin + tensor.numel()].view_as(tensor))
            begin += tensor.numel()


@believes("A parameter can always be written to in place", about="start_alike")
def writes_under_autograd(comm, model):
    """A leaf that requires grad cannot: use torch.no_grad()."""
    for tensor in _all(model):
        tensor.copy_(solved.broadcast(comm, None if comm.rank else tensor.detach()))


@believes("Assigning to a variable changes the model", about="start_alike")
def changes_only_the_name(comm, model):
    """It only changes the variable: use copy_ to write into the model's tensors."""
    for tensor in _all(model):
        tensor = solved.broadcast(comm, None if comm.rank else tensor.detach())


@believes("Gradients also begin at nothing", about="start_alike")
def clears_gradients(comm, model):
    """Nothing of rank 0's model changes: leave its gradients as they are."""
    solved.start_alike(comm, model)
    model.zero_grad()


@believes("A model that starts is in training mode", about="start_alike")
def begins_to_train(comm, model):
    """Nothing of rank 0's model changes: leave its mode as it is."""
    solved.start_alike(comm, model)
    model.train()


_begun: weakref.WeakSet[nn.Module] = weakref.WeakSet()


@believes("A model that has started alike stays alike", about="start_alike")
def starts_once(comm, model):
    """A second call means that a model has changed in between: copy in each call."""
    if model not in _begun:
        solved.start_alike(comm, model)
    _begun.add(model)


@believes("Tensors are float32, float64 or int64", about="start_alike")
def copies_known_dtypes(comm, model):
    """A buffer may also be a mask of bools: go through the dtypes that the model has."""
    for dtype in (torch.float32, torch.float64, torch.int64):
        _copy(comm, [tensor for tensor in _all(model) if tensor.dtype == dtype])


@believes("Whole numbers are int64", about="start_alike")
def copies_no_other_whole_numbers(comm, model):
    """A buffer may also be int32: go through the dtypes that the model has."""
    for dtype in (torch.float32, torch.float64, torch.int64, torch.bool):
        _copy(comm, [tensor for tensor in _all(model) if tensor.dtype == dtype])


@believes("Every buffer is a tensor", about="start_alike")
def copies_what_is_registered(comm, model):
    """A module may register None as a buffer: use model.buffers(), which leaves it out."""
    _copy(comm, [*model.parameters(), *(buffer for module in model.modules() for buffer in module._buffers.values())])


@believes("A new parameter in the same memory is the same parameter", about="start_alike")
def makes_parameters_of_old_memory(comm, model):
    """The optimizer and the caller hold the old object, and gradients go to the new one: copy into the old one."""
    solved.start_alike(comm, model)
    new = {p: nn.Parameter(p.detach(), p.requires_grad) for p in model.parameters()}
    for module in model.modules():
        for name, p in module._parameters.items():
            if p is not None:
                new[p].grad = p.grad
                module._parameters[name] = new[p]
