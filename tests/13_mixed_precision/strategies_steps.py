"""What hypothesis draws for kata 13 of whole steps in mixed precision."""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has, lacks
from ..shared.shapes import pick
from .typed import typed

SCALES = ("2.0**16", "2.0**8", "2.0**22", "1.0")
OPTIMIZERS = (
    "torch.optim.SGD(model.parameters(), lr=0.125)",
    "torch.optim.SGD(model.parameters(), lr=0.25, momentum=0.5)",
    "torch.optim.AdamW(model.parameters(), lr=0.125)",
    "torch.optim.SGD(groups, lr=0.125)",
    "torch.optim.AdamW(groups, lr=0.125)",
)
GROUPS = [
    "matrices, vectors = ([p for p in model.parameters() if (p.ndim > 1) is is_wide] for is_wide in (True, False))",
    'groups = [{"params": matrices}, {"params": vectors, "lr": 0.25}]',
]
"""What an optimizer of groups is made of."""
FACTORS = (
    "",
    ", backoff_factor=0.25",
    ", backoff_factor=0.75",
    ", growth_factor=4.0",
    ", growth_factor=4.0, backoff_factor=0.25",
)
SQUARES = ("nn.functional.mse_loss(prediction, target)", "(prediction - target).square().mean()")
CLASSES_OF_ROWS = "nn.functional.cross_entropy(prediction, target)"
"""A loss whose target is of ints, and is as it is for data of any size."""
MODELS = (
    "nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))",
    "nn.Sequential(nn.Linear(3, 2))",
    "nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Dropout(0.5), nn.Linear(4, 2))",
)
WATCHED = ["outside", "dtypes", "inside", "given", "[module.training for module in model.modules()]"]
BEYOND = (2.0**72, 2.0**50)
"""How much larger data are whose gradients are finite and have a norm beyond float32, of two layers or of one."""
DISABLED = 'GradScaler("cpu", enabled=False)'


def _setup(
    draw: DrawFn, scaler: str, models: tuple[str, ...] = MODELS, losses: tuple[str, ...] = (*SQUARES, CLASSES_OF_ROWS)
) -> Lines:
    """Lines that make a model, its optimizer, a scaler and a loss, and what looks at them."""
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})", f"model = {pick(draw, models)}"]
    lines += pick(draw, ([], ["_ = model.eval()"])) if "Dropout" not in lines[-1] else ["_ = model.eval()"]
    lines += pick(draw, ([], [f"_ = model[0].{pick(draw, ('weight', 'bias'))}.requires_grad_(False)"]))
    optimizer = pick(draw, OPTIMIZERS)
    lines += [*(GROUPS if "groups" in optimizer else []), f"optimizer = {optimizer}", f"scaler = {scaler}"]
    lines += ["scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)", "inside, dtypes, given = [], [], []"]
    lines += ["def loss_of(prediction, target):", '    inside.append(torch.is_autocast_enabled("cpu"))']
    lines += ["    given.append((prediction.dtype, target.dtype))"]
    loss = pick(draw, losses)
    lines += [f"    return {loss}", "def look(module, inputs, output):", "    dtypes.append(output.dtype)"]
    lines += ["_ = model[-1].register_forward_hook(look)"]
    lines += ["def look_at(module, inputs):", "    given.append((inputs[0].dtype, inputs[0].requires_grad))"]
    lines += ["_ = model[0].register_forward_pre_hook(look_at)"]
    target = "torch.tensor([0, 1, 1, 0])" if loss == CLASSES_OF_ROWS else "torch.randn(4, 2)"
    # Nobody looks at a gradient of x: backward may be asked for those of the parameters alone.
    data = f"torch.randn(4, 3){pick(draw, ('', '', '.bfloat16()'))}{pick(draw, ('', '', '.requires_grad_()'))}"
    lines += [f"x, y = {data}, {target}"]
    # Who clears a gradient to zeros is right, and weight decay or a norm of nan then moves what is frozen.
    only = " if p.requires_grad else None" if "AdamW" in optimizer or scaler == DISABLED else ""
    return [*lines, *[f"for p in model.parameters(): p.grad = torch.full_like(p, 1e6){only}"] * draw(st.integers(0, 1))]


def _call(draw: DrawFn, lower: str, clips: bool, target: str) -> str:
    settings = {"lower": f"torch.{lower}"} if lower == "float16" or draw(st.booleans()) else {}
    if pick(draw, (True, True, clips)):
        settings["max_norm"] = pick(draw, ("0.5", "0.25", "1000.0", "4.0", "0.0"))
    if pick(draw, (True, True, False)):
        settings["scheduler"] = "scheduler"
    by_name = [f"{name}={value}" for name, value in settings.items()]
    if "lower" in settings and draw(st.booleans()):
        by_name[0] = settings["lower"]
    return ", ".join([f"model, optimizer, scaler, loss_of, x * factor, {target}", *by_name])


def _steps(
    draw: DrawFn, setup: Lines, lower: str, factors: list[float], clips: bool = False, beyond: bool = False
) -> Program:
    """The setup, and steps on the same data at several sizes.

    clips: there is always a norm to clip to; beyond: the norm of the gradients may be beyond float32.

    Each is from weights of its own, since what two right answers round differently would show in 16 bits at the next
    step: from half of those of the one before, so that a narrow copy that has stayed is another one.
    """
    target = "y" if any(CLASSES_OF_ROWS in line for line in setup) else "y * factor"
    step = [
        "    moved = mixed_step(",
        f"        {_call(draw, lower, clips, target)}",
        "    )",
        '    outside.append((torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")))',
    ]
    on = pick(draw, ("", "", "", "bfloat16", "float16"))
    if on:
        step = [f'    with torch.autocast("cpu", dtype=torch.{on}):', *(f"    {line}" for line in step)]
    lines = [
        *setup,
        "seen, weights, outside, start = [], [], [], [p.detach().clone() for p in model.parameters()]",
        f"for factor in [{', '.join(map(typed, factors))}]:",
        *step,
        '    seen.append((moved, scaler.get_scale(), optimizer.param_groups[0]["lr"]))',
        "    weights.append([p.detach().clone() for p in model.parameters()])",
        "    for p, first in zip(model.parameters(), start): p.data.copy_(first.mul_(0.5))",
    ]
    if on not in ("", lower):  # whether the backward pass runs under the one or under the other is left open
        return lines, WATCHED
    # A norm that is taken in float64 is none of float32's, and clips to more than 0: nobody asks for weights.
    return lines, [*(["seen"] if beyond else ["seen", "weights"]), *WATCHED]


CLASSES = {
    "a norm to clip to": has("max_norm="),
    "a schedule": has("scheduler=scheduler"),
    "gradients of before": has("full_like"),
    "eval mode": has("model.eval()"),
    "momentum": has("momentum"),
    "AdamW": has("AdamW"),
    "two groups": has(*GROUPS),
    "a loss that autocast knows": has("mse_loss"),
    "a frozen parameter": has("requires_grad_(False)"),
    "a norm of 0 to clip to": has("max_norm=0.0"),
    "autocast is on outside": has("    with torch.autocast("),
    "it is on outside to another dtype": lambda program: "seen" not in program[1],
    "a loss of classes": has("cross_entropy"),
    "narrow data": has(".bfloat16()"),
    "data that require gradients": has(".requires_grad_()"),
}


@functools.cache
@classes(
    {
        **CLASSES,
        "float16": has("torch.float16"),
        "bfloat16": lacks("torch.float16"),
        **{f"a scale of {scale}": has(f"init_scale={scale}") for scale in SCALES},
        "the scale may grow": has("growth_interval=1", "growth_interval=2"),
        "data 30 times as large": has("30.0"),
        "data 300 times as large": has("300.0"),
        "nan": has("math.nan"),
        "finite gradients of a norm that is not": has(f"{BEYOND[0]}"),
        "another growth_factor": has("growth_factor=4.0"),
        "a backoff_factor below a half": has("backoff_factor=0.25"),
        "a backoff_factor above a half": has("backoff_factor=0.75"),
    }
)
def mixed_steps() -> SearchStrategy[Program]:
    """Programs that take steps with a scaler, some of which it skips."""
    return _mixed_steps()


@st.composite
def _mixed_steps(draw: DrawFn) -> Program:
    interval = pick(draw, (", growth_interval=1", ", growth_interval=2", ""))
    beyond = pick(draw, (False, False, False, False, False, True))
    lower = "bfloat16" if beyond else pick(draw, ("float16", "float16", "bfloat16"))
    scaler = f'GradScaler("cpu", init_scale={pick(draw, SCALES)}{interval}{pick(draw, FACTORS)})'
    setup = _setup(draw, scaler, losses=SQUARES) if beyond else _setup(draw, scaler)
    factors = [pick(draw, (1.0, 30.0, 300.0, 1.0, math.nan)) for _ in range(draw(st.integers(2, 4)))]
    return _steps(draw, setup, lower, [*BEYOND, *factors[2:]] if beyond else factors, beyond, beyond)


INFINITE = "x, y = x.detach().abs(), torch.full((4, 2), math.inf)"
"""Data with which each gradient of one layer is inf: none is nan, and no finite one is there to be clipped."""


@functools.cache
@classes(
    {
        **CLASSES,
        "nan": has("math.nan"),
        "gradients of inf": has(INFINITE),
        "bfloat16 by default": lacks("torch.bfloat16"),
    }
)
def unscaled_steps() -> SearchStrategy[Program]:
    """Programs that take steps in bfloat16 with a scaler which is disabled, on finite numbers, inf or nan."""
    return _unscaled_steps()


@st.composite
def _unscaled_steps(draw: DrawFn) -> Program:
    infinite = pick(draw, (False, False, False, True))
    # With a norm of inf a factor is 0, as it is by any right way, unless the limit is inf, which may mean not to clip.
    setup = [*_setup(draw, DISABLED, MODELS[1:2], SQUARES), INFINITE] if infinite else _setup(draw, DISABLED)
    factors = [pick(draw, (1.0, 30.0, 1.0 if infinite else math.nan, 300.0)) for _ in range(draw(st.integers(1, 3)))]
    return _steps(draw, setup, "bfloat16", factors, infinite)
