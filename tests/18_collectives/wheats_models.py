"""Right answers to kata 18 about models of all ranks."""

import weakref

import torch
from torch import nn

from dojo.judging.diagnose import answers

from .wheats_tensors import by_a_plan_of_rounds, by_pairs_of_all, by_rows, by_the_lowest_bit, by_two_rings_backward

# start_alike


@answers("start_alike")
def by_data(comm, model):
    for tensor in [*model.parameters(), *model.buffers()]:
        tensor.data.copy_(by_the_lowest_bit(comm, tensor.data if comm.rank == 0 else None))


@answers("start_alike")
def by_one_message_for_each_dtype(comm, model):
    tensors = list(model.parameters()) + list(model.buffers())
    for dtype in sorted({tensor.dtype for tensor in tensors}, key=str):
        same = [tensor.detach() for tensor in tensors if tensor.dtype == dtype]
        flat = torch.cat([tensor.flatten() for tensor in same]) if comm.rank == 0 else None
        flat = by_a_plan_of_rounds(comm, flat)
        for tensor in same:
            tensor.view(-1)[:], flat = flat[: tensor.numel()], flat[tensor.numel() :]


@answers("start_alike")
def by_modules(comm, model):
    with torch.no_grad():
        for module in model.modules():
            for tensor in [*module._parameters.values(), *module._buffers.values()]:
                if tensor is None:
                    continue
                if comm.rank == 0:
                    for other in range(1, comm.size):
                        comm.send(tensor, other)
                else:
                    tensor.set_(tensor).copy_(comm.recv(0))


# average_gradients


@answers("average_gradients")
def by_one_flat_message(comm, model, samples):
    learning = [p for p in model.parameters() if p.requires_grad]
    has = by_rows(comm, torch.tensor([samples, *(int(samples > 0 and p.grad is not None) for p in learning)]))
    total, *used = has.tolist()
    flat = [
        torch.zeros(p.numel(), dtype=p.dtype) if p.grad is None or not samples else p.grad.flatten() * samples / total
        for p in learning
    ]
    mean = by_two_rings_backward(comm, torch.cat(flat)).split([p.numel() for p in learning])
    for p, some, one in zip(learning, used, mean, strict=True):
        if not some:
            p.grad = None
        elif p.grad is None:
            p.grad = one.reshape(p.shape).clone()
        else:
            p.grad.copy_(one.reshape(p.shape))


@answers("average_gradients")
def by_gathered_counts(comm, model, samples):
    counts = by_pairs_of_all(comm, torch.tensor([samples], dtype=torch.float64))
    for p in model.parameters():
        if p.requires_grad is False:
            continue
        held = by_pairs_of_all(comm, torch.tensor([p.grad is not None]))
        if not held.any():
            continue
        grad = p.grad.detach() if p.grad is not None and samples else torch.zeros_like(p)
        every = by_pairs_of_all(comm, grad[None].detach())
        p.grad = sum(one * (count / counts.sum()) for one, count in zip(every, counts, strict=True))


@answers("average_gradients")
def by_messages_to_rank_0(comm, model, samples):
    for p in (p for p in model.parameters() if p.requires_grad):
        weighed = p.grad * float(samples) if samples and p.grad is not None else None
        if comm.rank:
            comm.send(torch.tensor([samples, weighed is not None]), 0)
            comm.send(p.detach() * 0 if weighed is None else weighed, 0)
            some, p.grad = bool(comm.recv(0)), comm.recv(0)
            p.grad = p.grad if some else None
            continue
        told = [(samples, weighed is not None, p.detach() * 0 if weighed is None else weighed)]
        for other in range(1, comm.size):
            told.append((*comm.recv(other).tolist(), comm.recv(other)))
        mean = torch.stack([grad for _, _, grad in told]).sum(0) / sum(count for count, _, _ in told)
        some = any(has for _, has, _ in told)
        for other in range(1, comm.size):
            comm.send(torch.tensor(some), other)
            comm.send(mean, other)
        p.grad = mean if some else None


@answers("average_gradients")
def by_zeros_where_there_was_a_gradient(comm, model, samples):
    flags = [[samples > 0 and p.grad is not None for p in model.parameters()]]
    used = by_pairs_of_all(comm, torch.tensor(flags)).any(0).tolist()
    share = samples / by_pairs_of_all(comm, torch.tensor([samples])).sum().item()
    for p, some in zip(model.parameters(), used, strict=True):
        if not p.requires_grad:
            continue
        if not some:
            if p.grad is not None:
                p.grad.zero_()
            continue
        mine = p.grad * share if samples and p.grad is not None else torch.zeros_like(p)
        mean = by_rows(comm, mine.detach())
        if p.grad is None:
            p.grad = mean
        else:
            p.grad.copy_(mean)


@answers("average_gradients")
@torch.inference_mode()
def by_a_chain_of_sums(comm, model, samples):
    for p in model.parameters():
        if not p.requires_grad:
            continue
        held = comm.recv(comm.rank - 1).clone() if comm.rank else torch.zeros(p.numel() + 2, dtype=p.dtype)
        held[0] += samples
        if samples and p.grad is not None:
            held[1] += 1
            held[2:] += p.grad.flatten() * samples
        if comm.rank + 1 < comm.size:
            comm.send(held, comm.rank + 1)
        held = by_the_lowest_bit(comm, held if comm.rank + 1 == comm.size else None, comm.size - 1)
        p.grad = (held[2:] / held[0]).view_as(p) if held[1] else None


@answers("average_gradients")
@torch.no_grad()
def by_beginning_with_its_own(comm, model, samples):
    for p in model.parameters():
        if not p.requires_grad:
            continue
        has = samples > 0 and p.grad is not None
        mine = torch.zeros(p.numel() + 2, dtype=p.dtype)
        mine[0], mine[1] = samples, has
        if has:
            mine[2:] = p.grad.flatten() * samples
        every = by_pairs_of_all(comm, mine[None])
        held = sum(every[(comm.rank + distance) % comm.size] for distance in range(comm.size))
        p.grad = (held[2:] / held[0]).view_as(p) if held[1] else None


_buckets: weakref.WeakKeyDictionary[nn.Module, torch.Tensor] = weakref.WeakKeyDictionary()


@answers("average_gradients")
@torch.no_grad()
def by_views_of_a_bucket_that_is_kept(comm, model, samples):
    learning = [p for p in model.parameters() if p.requires_grad]
    sizes = [p.numel() for p in learning]
    bucket = _buckets.setdefault(model, torch.empty(sum(sizes), dtype=torch.float64))
    used = by_rows(comm, torch.tensor([samples, *(int(samples > 0 and p.grad is not None) for p in learning)]))
    for p, part in zip(learning, bucket.split(sizes), strict=True):
        if samples and p.grad is not None:
            part.copy_(p.grad.flatten()).mul_(samples)
        else:
            part.zero_()
    bucket.copy_(by_rows(comm, bucket)).div_(used[0])
    for p, part, some in zip(learning, bucket.split(sizes), used[1:], strict=True):
        p.grad = part.view_as(p) if some else None
