"""Right answers to kata 21 about losses."""
# mypy: ignore-errors

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from dojo.judging.diagnose import answers

# cross_entropy


class _Probabilities(Function):
    @staticmethod
    def forward(ctx, logits, targets, ignore_index):
        logs = logits.log_softmax(-1)
        rows = torch.nonzero(targets != ignore_index)[:, 0]
        ctx.save_for_backward(logs.exp(), targets)
        ctx.count, ctx.ignore_index = len(rows), ignore_index
        return -logs[rows, targets[rows]].sum() / len(rows)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        probabilities, targets = ctx.saved_tensors
        out = probabilities.clone()
        for row, target in enumerate(targets.tolist()):
            if target == ctx.ignore_index:
                out[row] = 0
            else:
                out[row, target] -= 1
        return out.mul_(grad).div_(ctx.count), None, None


@answers("cross_entropy")
def cross_entropy_by_probabilities(logits, targets, ignore_index=-100):
    return _Probabilities.apply(logits, targets, ignore_index)


class _ByAutograd(Function):
    @staticmethod
    def forward(ctx, logits, targets, ignore_index):
        ctx.save_for_backward(logits, targets)
        ctx.ignore_index = ignore_index
        return F.cross_entropy(logits, targets, ignore_index=ignore_index)

    @staticmethod
    def backward(ctx, grad):
        logits, targets = ctx.saved_tensors
        with torch.enable_grad():
            leaf = logits.detach().requires_grad_()
            loss = F.cross_entropy(leaf, targets, ignore_index=ctx.ignore_index)
            (found,) = torch.autograd.grad(loss, leaf, grad)
        return found, None, None


@answers("cross_entropy")
def cross_entropy_by_autograd(logits, targets, ignore_index=-100):
    return _ByAutograd.apply(logits, targets, ignore_index)


class _Gradient(Function):
    """What is kept is the gradient itself."""

    @staticmethod
    def forward(ctx, logits, targets, ignore_index):
        kept = targets.ne(ignore_index)
        count = kept.sum()
        classes = targets.masked_fill(~kept, 0)
        top = logits.amax(1, keepdim=True)
        e = (logits - top).exp()
        total = e.sum(1, keepdim=True)
        losses = (top + total.log()).squeeze(1) - logits[range(len(logits)), classes]
        off = (e / total - F.one_hot(classes, logits.shape[1])) * kept[:, None]
        ctx.save_for_backward(off / count)
        return (losses * kept).sum() / count

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None, None


@answers("cross_entropy")
def cross_entropy_by_its_gradient(logits, targets, ignore_index=-100):
    return _Gradient.apply(logits, targets, ignore_index)


@answers("cross_entropy")
def cross_entropy_with_targets_in_a_closure(logits, targets, ignore_index=-100):
    def kept_and_rows():
        kept = targets != ignore_index
        return kept, torch.arange(len(targets), device=targets.device)[kept]

    class Closed(Function):
        @staticmethod
        def forward(ctx, logits):
            ctx.save_for_backward(logits)
            kept, _ = kept_and_rows()
            return F.cross_entropy(logits[kept], targets[kept])

        @staticmethod
        def backward(ctx, grad):
            (logits,) = ctx.saved_tensors
            kept, rows = kept_and_rows()
            minus = logits.new_tensor(-1.0)
            off = logits.softmax(-1).index_put((rows, targets[kept]), minus, accumulate=True)
            return off * kept[:, None] * grad / len(rows)

    return Closed.apply(logits)


# linear_cross_entropy


class _Forward(Function):
    """Gradients in the forward pass, in place where that may be."""

    @staticmethod
    def forward(ctx, x, weight, targets, rows):
        n, wanted = len(x), any(ctx.needs_input_grad)
        for_x, for_weight = (torch.zeros_like(x), torch.zeros_like(weight)) if wanted else (None, None)
        loss, start = 0.0, 0
        while start < n:
            end = min(start + rows, n)
            logits = x[start:end].mm(weight.t())
            logits -= logits.max(dim=1, keepdim=True).values
            log_sum = logits.exp().sum(1).log()
            loss = loss + (log_sum - logits[range(end - start), targets[start:end]]).sum()
            if wanted:
                off = (logits - log_sum[:, None]).exp_()
                off[range(end - start), targets[start:end]] -= 1.0
                off /= n
                torch.mm(off, weight, out=for_x[start:end])
                for_weight.addmm_(off.t(), x[start:end])
            start = end
        if wanted:
            ctx.save_for_backward(for_x, for_weight)
        return loss / n

    @staticmethod
    def backward(ctx, grad):
        for_x, for_weight = ctx.saved_tensors
        return for_x * grad, for_weight * grad, None, None


@answers("linear_cross_entropy")
def blocks_in_the_forward_pass(x, weight, targets, rows):
    if x.shape[0] == 0 or rows < 1:
        raise ValueError("at least one row")
    return _Forward.apply(x, weight, targets, rows)


class _Rows(Function):
    """A row at a time, however many may be."""

    @staticmethod
    def forward(ctx, x, weight, targets, rows):
        ctx.save_for_backward(x, weight, targets)
        losses = [torch.logsumexp(weight @ row, 0) - weight[t] @ row for row, t in zip(x, targets, strict=True)]
        return torch.stack(losses).mean()

    @staticmethod
    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        for_x, for_weight = [], torch.zeros_like(weight)
        for row, target in zip(x, targets.tolist(), strict=True):
            off = torch.softmax(weight @ row, 0)
            off = off - F.one_hot(torch.tensor(target, device=off.device), len(off))
            for_x.append(off @ weight)
            for_weight += torch.outer(off, row)
        return torch.stack(for_x) * grad / len(x), for_weight * grad / len(x), None, None


@answers("linear_cross_entropy")
def blocks_of_one_row(x, weight, targets, rows):
    if rows <= 0:
        raise ValueError("rows")
    if not len(x):
        raise ValueError("x")
    return _Rows.apply(x, weight, targets, rows)


class _Inner(Function):
    """autograd inside of forward, for a block at a time."""

    @staticmethod
    def forward(ctx, x, weight, targets, rows):
        wanted = ctx.needs_input_grad[:2]
        leaves = [tensor.detach().requires_grad_(wants) for tensor, wants in zip((x, weight), wanted, strict=True)]
        total = 0
        for start in range(0, len(x), rows):
            with torch.set_grad_enabled(any(wanted)):
                logits = leaves[0][start : start + rows] @ leaves[1].T
                loss = F.cross_entropy(logits, targets[start : start + rows], reduction="sum") / len(x)
                if any(wanted):
                    loss.backward()
            total = total + loss.detach()
        ctx.save_for_backward(*(leaf.grad for leaf in leaves))
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return *(None if kept is None else kept * grad for kept in ctx.saved_tensors), None, None


@answers("linear_cross_entropy")
def blocks_by_autograd(x, weight, targets, rows):
    if min(rows, len(x)) < 1:
        raise ValueError(f"{rows} of {len(x)}")
    return _Inner.apply(x, weight, targets, rows)
