"""Right answers to kata 11 about groups, states and matrices."""
# mypy: ignore-errors

import functools
import operator
from collections import defaultdict

import torch

from dojo.judging.diagnose import answers

# decay_groups


@answers("decay_groups")
def a_group_for_each(model, weight_decay):
    if weight_decay < 0:
        raise ValueError("negative")
    return [
        dict(params=p, weight_decay=weight_decay if p.dim() > 1 else 0)
        for _, p in model.named_parameters()
        if p.requires_grad
    ]


@answers("decay_groups")
def by_modules(model, weight_decay):
    if not weight_decay >= 0:
        raise ValueError(weight_decay)
    seen, decayed, others = set(), [], []
    for module in model.modules():
        for p in vars(module)["_parameters"].values():
            if p is not None and p.requires_grad and p not in seen:
                seen.add(p)
                (others if len(p.shape) < 2 else decayed).append(p)
    return [{"weight_decay": 0.0, "params": others}, {"weight_decay": weight_decay, "params": tuple(decayed)}]


@answers("decay_groups")
def by_dimensions(model, weight_decay):
    if weight_decay < 0:
        raise ValueError("negative")
    by = defaultdict(dict)
    for name, p in model.named_parameters(remove_duplicate=False):
        if p.requires_grad:
            by[p.ndim][p] = name
    return [{"params": list(ps), "weight_decay": 0.0 if ndim in (0, 1) else weight_decay} for ndim, ps in by.items()]


@answers("decay_groups")
def with_their_names(model, weight_decay):
    if weight_decay < 0:
        raise ValueError("negative")
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    groups = [
        {"params": [(name, p) for name, p in named if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [(name, p) for name, p in named if p.ndim < 2], "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]  # torch takes an empty one for one without names


# state_bytes


@answers("state_bytes")
def by_what_torch_would_make(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    states = {"SGD": ["momentum"], "Adagrad": ["sum", "step"], "RMSprop": ["square", "momentum", "step"]}
    states |= {name: ["m", "v", "max", "step"] for name in ("Adam", "AdamW")} | {"Muon": ["b"]}
    if optimizer not in states:
        raise ValueError(f"unknown optimizer {optimizer}")
    total = 0
    for shape in shapes:
        if optimizer == "Muon" and len(shape) != 2:
            raise ValueError(shape)
        for state in states[optimizer]:
            if (state, bool(momentum)) != ("momentum", False) and (state, amsgrad) != ("max", False):
                like = (
                    torch.empty((), device="meta")
                    if state == "step"
                    else torch.empty(shape, dtype=dtype, device="meta")
                )
                total += like.nbytes
    return total


@answers("state_bytes")
def by_cases(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    numel = sum(functools.reduce(operator.mul, shape, 1) for shape in shapes)
    size, counts = torch.finfo(dtype).bits // 8, 4 * len(shapes)
    if optimizer == "SGD":
        return numel * size if momentum else 0
    if optimizer == "Adagrad":
        return numel * size + counts
    if optimizer == "RMSprop":
        return numel * size * (2 if momentum else 1) + counts
    if optimizer in {"Adam", "AdamW"}:
        return numel * size * (3 if amsgrad else 2) + counts
    if optimizer == "Muon" and all(len(shape) == 2 for shape in shapes):
        return numel * size
    raise ValueError(optimizer)


@answers("state_bytes")
def by_a_match(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    match optimizer, bool(momentum), bool(amsgrad):
        case ("SGD", False, _):
            return 0
        case ("SGD", True, _) | ("Muon", _, _):
            states, count = 1, 0
        case ("Adagrad", _, _) | ("RMSprop", False, _):
            states, count = 1, 4
        case ("RMSprop", True, _) | ("Adam" | "AdamW", _, False):
            states, count = 2, 4
        case ("Adam" | "AdamW", _, True):
            states, count = 3, 4
        case _:
            raise ValueError(optimizer)
    if optimizer == "Muon" and {2} | {len(shape) for shape in shapes} != {2}:
        raise ValueError("Muon takes matrices")
    total = count * len(shapes)
    for shape in shapes:
        size = states * dtype.itemsize
        for n in shape:
            size *= n
        total += size
    return total


# orthogonalize


@answers("orthogonalize")
def as_keller_jordan_wrote_it(G, steps=5):
    if len(G.shape) != 2:
        raise ValueError("G must be a matrix")
    a, b, c = (3.4445, -4.7750, 2.0315)
    X = G / (G.norm() + 1e-7)
    if G.size(0) > G.size(1):
        X = X.T
    for _ in range(steps):
        A = X @ X.T
        B = b * A + c * A @ A
        X = a * X + B @ X
    if G.size(0) > G.size(1):
        X = X.T
    return X


@answers("orthogonalize")
def by_the_singular_values(grad, steps=5):
    if grad.dim() != 2:
        raise ValueError
    left, values, right = torch.linalg.svd(grad, full_matrices=False)
    values = values / values.norm().clamp(min=1e-7)
    for _ in range(steps):
        values = values * (3.4445 + values.square() * (-4.7750 + 2.0315 * values.square()))
    return left @ torch.diag(values) @ right


@answers("orthogonalize")
def from_the_right(grad, steps=5):
    if grad.ndim != 2:
        raise ValueError(f"{grad.ndim} dimensions")
    if not grad.any():
        return torch.zeros_like(grad)
    x = grad.div(grad.pow(2).sum().sqrt())
    for _ in range(steps):
        gram = torch.einsum("mi,mj->ij", x, x)
        x = x.matmul(
            torch.eye(len(gram), dtype=x.dtype, device=x.device) * 3.4445 - 4.775 * gram + 2.0315 * gram.matrix_power(2)
        )
    return x


@answers("orthogonalize")
def by_torchs_own_products(grad, steps=5):
    if grad.ndim != 2:
        raise ValueError("not a matrix")
    x = grad.clone().contiguous()
    x /= torch.linalg.vector_norm(x).clamp_min(1e-7)
    while steps:
        gram = x @ x.mT
        update = torch.addmm(gram, gram, gram, beta=-4.7750, alpha=2.0315)
        x = torch.addmm(x, update, x, beta=3.4445)
        steps -= 1
    return x
