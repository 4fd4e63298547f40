"""What hypothesis draws for kata 23 of models with parameters of every kind."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.programs import Program, has
from ..shared.shapes import pick

OTHERS: tuple[tuple[str, ...], ...] = (
    ("model = nn.Sequential(nn.Linear(3, 4), nn.PReLU(), nn.Linear(4, 2))",),
    ("model = nn.Sequential(nn.Linear(3, 4), nn.PReLU(4), nn.LayerNorm(4))",),
    ("model = nn.Sequential(nn.Conv1d(2, 3, 2), nn.BatchNorm1d(3), nn.Linear(2, 2, bias=False))",),
    ("shared = nn.Linear(3, 3)", "model = nn.Sequential(shared, nn.Tanh(), shared)"),
    ("model = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 5))", "model[1].weight = model[0].weight"),
    ("model = nn.Bilinear(2, 3, 2)",),
    ("model = nn.LayerNorm((2, 3))",),
    ("model = nn.LayerNorm(3)",),
    ("model = nn.Linear(3, 2, bias=False)",),
)
NAMED = (
    "model.bias_table = nn.Parameter(torch.randn(3, 2))",
    "model.norm_matrix = nn.Parameter(torch.randn(2, 2))",
    "model.weight_scale = nn.Parameter(torch.randn(3))",
    "model.temperature = nn.Parameter(torch.randn(()))",
    "model.kernel = nn.Parameter(torch.randn(2, 1, 2, 1))",
    "model.volume = nn.Parameter(torch.randn(1, 2, 1, 2, 2))",
    "model.column = nn.Parameter(torch.randn(3, 1))",
    "model.none = nn.Parameter(torch.randn(0, 3))",
    "model.flat = nn.Parameter([*model.parameters()][0].detach().flatten())",
)
OWN = ", betas=(0.5, 0.75), eps=0.25, amsgrad=True, maximize=True"
FROZEN = (
    "[*model.parameters()][0].requires_grad_(False)",
    "[*model.parameters()][-1].requires_grad_(False)",
    "[p.requires_grad_(p.ndim < 2) for p in model.parameters()]",
    "[p.requires_grad_(p.ndim > 1) for p in model.parameters()]",
)

SETTINGS = (
    '[[group[name] for name in ("lr", "betas", "eps", "amsgrad", "maximize")]'
    ' for p in model.parameters() for group in optimizer.param_groups for q in group["params"] if p is q]'
)
TRAINED = "[p.requires_grad for p in model.parameters()]"
HELD = '[sum(p is q for group in optimizer.param_groups for q in group["params"]) for p in model.parameters()]'
WATCHED = [
    "[p.detach() for p in model.parameters()]",
    HELD,
    SETTINGS,
    TRAINED,
    "model.training",
    "moved_before",
    "gradients",
    "options",
    "attributes",
]


@functools.cache
@classes(
    {
        "a GPT": has("model = GPT("),
        "another model": has("model = nn."),
        "a shared module": has("shared"),
        "a tied weight": has("= model[0].weight"),
        "frozen": has("requires_grad_("),
        "a matrix with a name of something else": has("bias_table", "norm_matrix"),
        "more than two dimensions": has("Conv1d", "Bilinear", "kernel"),
        "five dimensions": has("volume"),
        "a matrix of one column": has("column"),
        "no numbers": has("model.none"),
        "two on one storage": has("model.flat"),
        "a matrix in a norm": has("LayerNorm((2, 3))"),
        "a number": has("temperature"),
        "the optimizer has a decay of its own": has("weight_decay="),
        "the optimizer has other settings": has("betas="),
        "not in training": has("model.eval()"),
        "gradients of before": has("ones_like"),
        "the groups of before": has("earlier ="),
        "the groups of before, and frozen since": lambda drawn: (
            has("earlier =")(drawn) and has("requires_grad_(")(drawn)
        ),
    }
)
def grouped() -> SearchStrategy[Program]:
    """Programs that take a step of AdamW with gradients of zeros, in the groups of a model."""
    return _grouped()


@st.composite
def _grouped(draw: DrawFn) -> Program:
    lines = [f"torch.manual_seed({draw(st.integers(0, 99))})"]
    lines += pick(draw, (("model = GPT(5, 4, 6, 2)",), ("model = GPT(5, 4, 6, 1, 2)",), *OTHERS))
    lines += draw(st.lists(st.sampled_from(NAMED), max_size=3, unique=True))
    decay = pick(draw, ("0.5", "0.25", "0.125", "0.0"))
    if draw(st.integers(0, 2)) == 2:
        lines += [f"earlier = torch.optim.AdamW(param_groups(model, {decay}), lr=0.25, eps=0.5)"]
    if draw(st.integers(0, 3)) == 3:
        lines += [pick(draw, FROZEN), "model.trained = nn.Parameter(torch.randn(2, 3))"]
        lines += ["model.scale = nn.Parameter(torch.randn(2))"]
    own = pick(draw, ("", "", ", weight_decay=0.75", ", weight_decay=0.0")) + pick(draw, ("", OWN))
    lines += ["model.eval()"] * (draw(st.integers(0, 3)) == 3)
    if draw(st.booleans()):
        lines += ["for p in model.parameters():", "    p.grad = torch.ones_like(p)"]
    lines += ["before, own = [p.detach().clone() for p in model.parameters()], [*vars(model)]"]
    lines += [
        f"groups = param_groups(model, {decay})",
        "attributes = [name for name in vars(model) if name not in own]",
    ]
    lines += ["gradients = [p.grad for p in model.parameters()]"]
    lines += ["given = {name for group in groups for name in group if name != 'weight_decay'}"]
    lines += [f"optimizer = torch.optim.AdamW(groups, lr=0.5{own})", "options = sorted(given & {*optimizer.defaults})"]
    lines += ["moved_before = [not p.equal(b) for p, b in zip(model.parameters(), before)]"]
    lines += ["for p in model.parameters():", "    p.grad = torch.zeros_like(p)", "optimizer.step()"]
    return lines, WATCHED
