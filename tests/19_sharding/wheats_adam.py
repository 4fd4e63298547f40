"""Right answers to kata 19 about an optimizer whose state is cut up."""

import math

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from dojo.judging.diagnose import answers


@answers("ShardedAdam")
class ByADictOfStates:
    """State by parameter, made when it is first needed; the step's size and eps as torch's own loop has them."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.params, self.group = params, group
        self.options = {"lr": lr, "betas": betas, "eps": eps}
        self.state = {}

    def step(self):
        for p in self.params:
            if p.grad is not None:
                self._step(p.data, p.grad.data, self.state.setdefault(p, {}))

    def _step(self, p, grad, state):
        size, each = self.group.size, math.ceil(p.numel() / self.group.size)
        padded = torch.cat([grad.flatten(), grad.new_zeros(size * each - grad.numel())])
        grad = self.group.reduce_scatter([padded[r * each : r * each + each] / size for r in range(size)])
        if not state:
            state.update(step=torch.tensor(0.0), exp_avg=torch.zeros_like(grad), exp_avg_sq=torch.zeros_like(grad))
        state["step"] += 1
        beta1, beta2 = self.options["betas"]
        state["exp_avg"].lerp_(grad, 1 - beta1)
        state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        step_size = self.options["lr"] / (1 - beta1 ** state["step"].item())
        root = state["exp_avg_sq"].sqrt() / math.sqrt(1 - beta2 ** state["step"].item())
        own = torch.zeros_like(grad)
        mine = p.flatten()[self.group.rank * each : self.group.rank * each + each]
        own[: len(mine)] = mine
        own.addcdiv_(state["exp_avg"], root + self.options["eps"], value=-step_size)
        torch.cat(self.group.all_gather(own), out=padded)
        p.copy_(padded[: p.numel()].view_as(p))


@answers("ShardedAdam")
class ByAllParametersAtOnce:
    """One reduce_scatter and one all_gather in a step, of what all parameters have there."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.params, self.group = tuple(params), group
        self.lr, self.eps = lr, eps
        self.b, self.b2 = betas
        self.lengths = [-(-p.numel() // group.size) for p in self.params]
        self.m = [torch.zeros(n, dtype=p.dtype) for n, p in zip(self.lengths, self.params, strict=True)]
        self.v = [m.clone() for m in self.m]
        self.t = torch.zeros(len(self.m), dtype=torch.int64)

    @torch.no_grad()
    def step(self):
        moving = [i for i, p in enumerate(self.params) if p.grad is not None]
        if not moving:
            return
        rows = [torch.cat([self._row(self.params[i].grad, i, r) for i in moving]) for r in range(self.group.size)]
        lengths = [self.lengths[i] for i in moving]
        grads = self.group.reduce_scatter(rows).div(self.group.size).split(lengths)
        own = []
        for i, grad in zip(moving, grads, strict=True):
            self.t[i] += 1
            self.m[i] = self.m[i] + (1 - self.b) * (grad - self.m[i])
            self.v[i] = self.v[i] + (1 - self.b2) * (grad**2 - self.v[i])
            mean, square = self.m[i] / (1 - self.b ** int(self.t[i])), self.v[i] / (1 - self.b2 ** int(self.t[i]))
            own.append(self._row(self.params[i], i, self.group.rank) - self.lr * mean / (square**0.5 + self.eps))
        every = [piece.split(lengths) for piece in self.group.all_gather(torch.cat(own))]
        for place, i in enumerate(moving):
            p = self.params[i]
            p.view(-1).copy_(torch.cat([pieces[place] for pieces in every])[: p.numel()])

    def _row(self, x, i, rank):
        row = torch.zeros(self.lengths[i], dtype=x.dtype)
        mine = x.reshape(-1)[rank * self.lengths[i] : (rank + 1) * self.lengths[i]]
        row[: len(mine)].copy_(mine)
        return row


@answers("ShardedAdam")
class ByBuffersOfAModule(nn.Module):
    """State in buffers, and a method for each parameter."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__()
        self.every = lambda: params
        self.group, self.lr, self.betas, self.eps = group, lr, betas, eps
        for i, p in enumerate(self.every()):
            self.register_buffer(f"state{i}", p.detach().new_zeros((len(self._cut(p)[0]), 2)))
        self.counts = {}

    def _cut(self, x):
        x = x.detach().reshape(-1)
        each = (x.numel() - 1) // self.group.size + 1
        if not each:
            return [x] * self.group.size
        rows = [x[r * each : (r + 1) * each] for r in range(self.group.size)]
        return list(pad_sequence([*rows, x.new_zeros(each)], batch_first=True)[:-1])

    def step(self):
        for i in range(len(self.every())):
            if self.every()[i].grad is not None:
                self.counts[i] = self.counts.get(i, 0) + 1
                self.move(i)

    def move(self, i):
        p, state = self.every()[i], getattr(self, f"state{i}")
        grad = torch.div(self.group.reduce_scatter(self._cut(p.grad)), self.group.size)
        betas = torch.tensor(self.betas, dtype=p.dtype)
        state *= betas
        state += (1 - betas) * torch.stack((grad, grad * grad), -1)
        mean, square = (state / (1 - betas ** self.counts[i])).unbind(-1)
        own = self._cut(p)[self.group.rank] - self.lr * (mean / (square.sqrt() + self.eps))
        with torch.no_grad():
            flat = torch.stack(self.group.all_gather(own)).flatten()
            p[...] = flat[: p.numel()].reshape(p.shape)


@answers("ShardedAdam")
class ByListsOfNumbers:
    """Numbers of Python's own, one by one."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.group, self.lr, self.betas, self.eps = group, lr, betas, eps
        self.slots: list[tuple[torch.Tensor, list[int], list[float], list[float]]] = [(p, [0], [], []) for p in params]
        for p, _, means, squares in self.slots:
            each = -(-p.numel() // group.size)
            means.extend([0.0] * each)
            squares.extend([0.0] * each)

    def step(self):
        (one, two), size = self.betas, self.group.size
        for p, count, means, squares in self.slots:
            if p.grad is None:
                continue
            each = len(means)
            grads = p.grad.flatten().tolist() + [0.0] * (each * size - p.numel())
            pieces = [torch.tensor(grads[r * each : (r + 1) * each], dtype=p.dtype) for r in range(size)]
            total = self.group.reduce_scatter(pieces).tolist()
            numbers = p.detach().flatten().tolist() + [0.0] * (each * size - p.numel())
            own = numbers[self.group.rank * each : (self.group.rank + 1) * each]
            count[0] += 1
            for k, grad in enumerate(total):
                means[k] = one * means[k] + (1 - one) * grad / size
                squares[k] = two * squares[k] + (1 - two) * (grad / size) ** 2
                root = math.sqrt(squares[k] / (1 - two ** count[0]))
                own[k] -= self.lr * means[k] / (1 - one ** count[0]) / (root + self.eps)
            new = torch.cat(self.group.all_gather(torch.tensor(own, dtype=p.dtype)))
            p.data.view(-1)[:] = new[: p.numel()]


@answers("ShardedAdam")
class ByGenerators:
    """A generator for each parameter, which has its state in its own variables."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.parts = [self._part(p, group, lr, betas, eps) for p in params]
        self.step()

    def step(self):
        for part in self.parts:
            next(part)

    @staticmethod
    def _part(p, group, lr, betas, eps):
        one, two = betas
        each, rank = -(-p.numel() // group.size), group.rank
        mean, square, count = p.detach().new_zeros(each), p.detach().new_zeros(each), 0
        yield
        while True:
            if p.grad is not None:
                count += 1
                flat = p.detach().new_zeros(group.size, each)
                flat.view(-1)[: p.numel()] = p.grad.flatten()
                grad = group.reduce_scatter(list(flat)) / group.size
                mean.lerp_(grad, 1 - one)
                square.lerp_(grad * grad, 1 - two)
                flat.view(-1)[: p.numel()] = p.detach().flatten()
                root = (square / (1 - two**count)).sqrt_().add_(eps)
                own = flat[rank].addcdiv(mean, root, value=-lr / (1 - one**count))
                p.data.copy_(torch.cat(group.all_gather(own))[: p.numel()].view_as(p))
                del flat, grad, root, own
            yield


@answers("ShardedAdam")
class ByAttributesOfParameters:
    """State in attributes of the parameters, and no collective where nobody else is."""

    __slots__ = ("every", "group", "settings")

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.every, self.group, self.settings = params, group, (lr, *betas, eps)
        for p in params:
            p.moments = torch.zeros(-(-p.numel() // group.size), 2, dtype=torch.float64)
            p.count = 0

    @torch.no_grad()
    def step(self):
        for p in filter(lambda p: p.grad is not None and p.numel(), self.every):
            p.count += 1
            own, grad = self._own(p, p.grad)
            lr, *betas, eps = self.settings
            shares = torch.tensor([1 - beta for beta in betas], dtype=torch.float64)
            p.moments += shares * (torch.stack((grad, grad * grad), 1) - p.moments)
            mean, square = (p.moments / (1 - (1 - shares) ** p.count)).T
            new = own - lr * mean / (square.sqrt() + eps)
            new = new if self.group.size == 1 else torch.cat(self.group.all_gather(new))
            p.view(-1)[:] = new[: p.numel()]

    def _own(self, p, grad):
        size, each = self.group.size, len(p.moments)
        if size == 1:
            return p.flatten(), grad.flatten()
        rows = torch.zeros(2, size * each, dtype=torch.float64)
        rows[:, : p.numel()] = torch.stack((p.flatten(), grad.flatten()))
        values, grads = rows.view(2, size, each)
        return values[self.group.rank], self.group.reduce_scatter(grads.unbind()) / size
