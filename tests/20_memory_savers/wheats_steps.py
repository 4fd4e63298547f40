"""Right answers to kata 20 that take steps: as torch's optimizers, by numpy, by closures, by nodes of the graph."""
# mypy: ignore-errors

import numpy as np
import torch

from dojo.judging.diagnose import answers, solution

solved = solution("20_memory_savers")

# SGD8bit


@answers("SGD8bit")
class AsAnOptimizer(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.9, block_size=64):
        super().__init__(list(params), dict(lr=lr, momentum=momentum, block_size=block_size))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                m = p.grad.clone()
                if state:
                    m += g["momentum"] * solved.dequantize(state["c"], state["s"], g["block_size"]).reshape(p.shape)
                p -= g["lr"] * m
                state["c"], state["s"] = solved.quantize(m, g["block_size"])


@answers("SGD8bit")
class ByNumpy:
    def __init__(self, params, lr=0.01, momentum=0.9, block_size=64):
        self.items = [[p, None, None] for p in params]
        self.lr, self.mu, self.bs = lr, momentum, block_size

    def step(self):
        for item in self.items:
            p, codes, scales = item
            if p.grad is None:
                continue
            m = p.grad.detach().cpu().numpy().astype(np.float64).ravel()
            if codes is not None:
                m = m + self.mu * codes.astype(np.float64) * np.repeat(scales, self.bs)[: len(m)].astype(np.float64)
            p.data.sub_(torch.from_numpy(self.lr * m).reshape(p.shape).to(p))
            out, kept = np.zeros(len(m), np.int8), []
            for i in range(0, len(m), self.bs):
                block = m[i : i + self.bs]
                top = abs(block).max()
                kept.append(top / 127)
                out[i : i + self.bs] = np.rint(block * 127 / top) if top else 0
            item[1:] = out, np.array(kept, np.float32)


@answers("SGD8bit")
class ByClosures:
    def __init__(self, params, lr=0.01, momentum=0.9, block_size=64):
        self._steps = [self._stepper(p, lr, momentum, block_size) for p in params]

    @staticmethod
    def _stepper(p, lr, momentum, block_size):
        kept = []

        def step():
            if p.grad is None:
                return
            m = p.grad
            if kept:
                m = torch.add(m, solved.dequantize(*kept.pop(), block_size).reshape(m.shape), alpha=momentum)
            p.data.copy_(p.data - lr * m)
            kept.append(solved.quantize(m, block_size))

        return step

    def step(self):
        for step in self._steps:
            step()


# attach_sgd


class _Hooks:
    def __init__(self, hooks):
        self.hooks = hooks

    def remove(self):
        while self.hooks:
            self.hooks.pop().remove()


@answers("attach_sgd")
def by_hooks_on_data(params, lr):
    hooks, seen = [], set()
    for p in params:
        if id(p) in seen or not p.requires_grad:
            continue
        seen.add(id(p))

        def hook(q):
            q.data.sub_(lr * q.grad.detach())
            q.grad = None

        hooks.append(p.register_post_accumulate_grad_hook(hook))
    return _Hooks(hooks)


@answers("attach_sgd")
def by_nodes(params, lr):
    nodes, hooks = [], []
    for p in {id(p): p for p in params}.values():
        if p.requires_grad:
            node = p.view_as(p).grad_fn.next_functions[0][0]

            def post(inputs, outputs, p=p):
                p.data.add_(p.grad, alpha=-lr)
                p.grad = None

            nodes.append(node)
            hooks.append(node.register_hook(post))

    class Handle:
        kept = nodes

        def remove(self):
            for hook in hooks:
                hook.remove()

    return Handle()


@answers("attach_sgd")
class by_a_switch:
    def __init__(self, params, lr):
        self.on, self.lr = True, lr
        for p in {*params}:
            if p.requires_grad:
                p.register_post_accumulate_grad_hook(self.arrived)

    def arrived(self, p):
        if self.on:
            with torch.no_grad():
                p.copy_(torch.sub(p, p.grad, alpha=self.lr))
            p.grad = None

    def remove(self):
        self.on = False


# FactoredAdaGrad


@answers("FactoredAdaGrad")
class SumsAsAnOptimizer(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, eps=1e-10):
        super().__init__(list(params), dict(lr=lr, eps=eps))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                s, q = self.state[p], p.grad**2
                if p.dim() <= 1:
                    s["v"] = v = s.get("v", 0) + q
                else:
                    s["r"], s["c"] = s.get("r", 0) + q.sum(dim=-1), s.get("c", 0) + q.sum(dim=-2)
                    v = torch.einsum("...i,...j->...ij", s["r"], s["c"]) / s["r"].sum(-1)[..., None, None]
                    v = torch.nan_to_num(v, nan=0.0)
                p.add_(p.grad / (v.sqrt() + g["eps"]), alpha=-g["lr"])


@answers("FactoredAdaGrad")
class SumsByLoops:
    def __init__(self, params, lr=0.01, eps=1e-10):
        self.all = [[p, None] for p in params]
        self.lr, self.eps = lr, eps

    def step(self):
        for entry in self.all:
            p, kept = entry
            if p.grad is None:
                continue
            g = p.grad.detach()
            if p.ndim < 2:
                entry[1] = kept = g * g if kept is None else kept + g * g
                p.data -= self.lr * g / (kept.sqrt() + self.eps)
                continue
            rows, columns = p.shape[-2:]
            batch = p.shape[:-2].numel()
            g = g.reshape(batch, rows, columns)
            if kept is None:
                entry[1] = kept = [
                    [torch.zeros(n, dtype=p.dtype, device=p.device) for n in (rows, columns)] for _ in range(batch)
                ]
            steps = torch.zeros_like(g)
            for i in range(batch):
                row_sums, column_sums = kept[i]
                row_sums += torch.linalg.vecdot(g[i], g[i])
                column_sums += torch.linalg.vecdot(g[i], g[i], dim=0)
                whole = column_sums.sum()
                if whole > 0:
                    divisor = torch.outer(row_sums.sqrt(), column_sums.sqrt()) / whole.sqrt() + self.eps
                    steps[i] = self.lr * g[i] / divisor
            p.data -= steps.reshape(p.shape)


@answers("FactoredAdaGrad")
class SumsInOneTensor:
    """Rows, then columns, in one tensor for each parameter; the total by the columns."""

    def __init__(self, params, lr=0.01, eps=1e-10):
        self.params, self.lr, self.eps = [*params], lr, eps
        self.kept = [torch.zeros(self.shape(p), dtype=p.dtype, device=p.device) for p in self.params]

    @staticmethod
    def shape(p):
        return p.shape if p.ndim < 2 else (*p.shape[:-2], p.shape[-2] + p.shape[-1])

    @torch.no_grad()
    def step(self):
        for p, kept in zip(self.params, self.kept):
            if p.grad is None:
                continue
            if p.ndim < 2:
                kept += p.grad.square()
                root = kept.sqrt()
            else:
                rows, columns = kept.split([p.shape[-2], p.shape[-1]], dim=-1)
                rows += p.grad.square().sum(-1)
                columns += p.grad.square().sum(-2)
                share = columns / columns.sum(-1, keepdim=True).clamp(min=torch.finfo(p.dtype).tiny)
                root = (rows.unsqueeze(-1) @ share.unsqueeze(-2)).sqrt()
            p.sub_(torch.div(p.grad, root + self.eps) * self.lr)
