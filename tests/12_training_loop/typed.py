"""Lines of programs that several strategies of kata 12 need: models, data, losses, and what is looked at."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.described import Lines
from ..shared.shapes import pick

DOUBLE = "dtype=torch.float64"
SEED = "torch.manual_seed({})"

PARAMETERS = "[p.detach() for p in model.parameters()]"
GRADIENTS = "[p.grad for p in model.parameters()]"
MODES = "[module.training for module in model.modules()]"
STALE = "for p in model.parameters(): p.grad = torch.full_like(p, 3.0)"

LOOK = [
    "seen = set()",
    "def look(module, inputs, output):",
    "    seen.add((type(module).__name__, module.training, torch.is_grad_enabled()))",
    "for module in model.modules(): _ = module.register_forward_hook(look)",
]
"""Lines that tell of a model and of each part, or of a copy, in which mode it runs and whether gradients are on."""
SEEN = "sorted(seen)"

LOSSES = {
    "squares": "(prediction - target).square().mean()",
    "rows": "(prediction - target).square().sum(-1).mean()",
    "distances": "(prediction - target).abs().mean()",
    "classes": "(prediction.logsumexp(-1) - prediction.gather(-1, target[:, None])[:, 0]).mean()",
    "differences": "(prediction - target).mean()",
}
"""What `loss_of` may return, as an expression; the target of "classes" is one of each row."""
NOTHING = "loss_of = lambda prediction, target: 0 * prediction.sum()"
INNER = "3, "
"""A dimension between rows and numbers, as of tokens; a batch norm of 3 channels takes it for these."""
BOUNDED = tuple(kind for kind in LOSSES if kind != "differences")
"""Those that have a least value."""


def typed_seed(draw: DrawFn) -> str:
    """The line that seeds what is made next."""
    return SEED.format(draw(st.integers(0, 999)))


def linear(inputs: int, outputs: int) -> str:
    """A linear layer."""
    return f"nn.Linear({inputs}, {outputs}, {DOUBLE})"


def typed_model(draw: DrawFn, outputs: int, *between: str) -> str:
    """Two layers or three, for rows of two numbers; none has a kink, at which a rounding could change a gradient."""
    layers = pick(
        draw,
        (
            ["nn.Tanh()"],
            [f"nn.LayerNorm(3, {DOUBLE})", "nn.Tanh()"],
            ["nn.Tanh()", linear(3, 3), "nn.Sigmoid()"],
            [],
        ),
    )
    return f"model = nn.Sequential({', '.join([linear(2, 3), *layers, *between, linear(3, outputs)])})"


TIED = [linear(3, 3), "nn.Tanh()", linear(3, 3)]
TIE = "model[-2].weight = model[-4].weight"
"""Gives the two layers of TIED, just before the last layer, one weight."""


def typed_loss(kind: str) -> Lines:
    """The lines that define `loss_of`."""
    return ["def loss_of(prediction, target):", f"    return {LOSSES[kind]}"]


def pick_inner(draw: DrawFn, kind: str) -> str:
    """What stands between the rows and the numbers of a row: mostly nothing, or one dimension more."""
    return "" if kind == "classes" else pick(draw, ("", "", INNER))


def typed_data(rows: int | str, kind: str, outputs: int, inner: str = "") -> str:
    """The pair of the inputs and the targets of so many rows."""
    y = (
        f"torch.randint({outputs}, ({rows},), dtype=torch.int64)"
        if kind == "classes"
        else f"torch.randn({rows}, {inner}{outputs}, {DOUBLE})"
    )
    return f"(torch.randn({rows}, {inner}2, {DOUBLE}), {y})"


def typed_batches(draw: DrawFn, sizes: list[int], kind: str, outputs: int, inner: str = "") -> Lines:
    """The line that makes `data`, a list of batches of these sizes."""
    return [f"data = [{typed_data('n', kind, outputs, inner)} for n in {sizes}]"]


def pick_loss(draw: DrawFn) -> tuple[str, int]:
    """A kind of loss, and how many numbers the model makes of a row."""
    kind = pick(draw, BOUNDED)
    return kind, pick(draw, (3, 2) if kind == "classes" else (1, 2))
