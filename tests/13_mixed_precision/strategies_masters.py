"""What hypothesis draws for kata 13 of master weights: narrow weights that are stepped, saved and loaded."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick
from .typed import typed_tensor

# The updates of the first two are below half a place of a weight of 1: it takes several to move it.
OPTIMIZERS = (
    "torch.optim.SGD(masters, lr=2**-10)",
    "torch.optim.AdamW(masters, lr=1e-3)",
    "torch.optim.SGD(masters, lr=2**-10, momentum=0.75)",
    "torch.optim.AdamW(masters, lr=1e-3, weight_decay=0.5)",
    "torch.optim.SGD(masters, lr=2**-10, weight_decay=0.5)",
    'torch.optim.SGD([{"params": masters[:1]}, {"params": masters[1:], "lr": 2**-8}], lr=2**-10, momentum=0.75)',
    'torch.optim.AdamW([{"params": masters[1:]}, {"params": masters[:1], "lr": 2**-8}], lr=1e-3)',
    "torch.optim.AdamW(masters, lr=1e-3, amsgrad=True)",
    "torch.optim.RMSprop(masters, lr=1e-3)",
    "torch.optim.Adagrad(masters, lr=1e-3)",
)
LAYOUTS = {"flat": 3, "rows": 4, "number": 1}
"""How many numbers a parameter has by its layout."""


def _numbers(draw: DrawFn, count: int, weights: bool) -> list[float]:
    """Eighths from -2 to 2; of weights, some are an eighth of that, and none is 0."""
    number = draw(st.integers(0, 32**count - 1))
    eighths = [((number // 32**place) % 32 + 7 * place) % 32 - 15 for place in range(count)]
    if not weights:
        return [eighth / 8 for eighth in eighths]
    return [(eighth or 8) / (8 if place % 2 == 0 else 64) for place, eighth in enumerate(eighths)]


APART = "torch.optim.SGD(masters, lr=1.0)"
"""It takes a gradient off a master as it is: one that is the weight leaves what rounding has taken off."""
SLOWER = 'optimizers[0].param_groups[-1]["lr"] *= 0.25'
DECAY = 'optimizers[0].param_groups[-1]["weight_decay"] = 8.0'
"""What a schedule does to a rate of an optimizer that is kept, and another change that shows in one step."""
OTHERS = {
    "SGD": 'optimizers[0].param_groups[-1]["momentum"] = 0.5',
    "AdamW": "optimizers[0].param_groups[-1].update(betas=(0.5, 0.75), eps=0.5)",
    "RMSprop": "optimizers[0].param_groups[-1].update(alpha=0.5, eps=0.5)",
    "Adagrad": 'optimizers[0].param_groups[-1]["eps"] = 0.5',
}
"""Changes of settings that not every optimizer has."""
FASTER = 'for optimizer in optimizers: optimizer.param_groups[-1]["lr"] *= 16'
"""What a schedule does later, to the rates of those that go on. Rate times decay is below 1, so nothing grows."""


def parameters(
    draw: DrawFn, names: str, dtype: str, kept: bool = False, optimizer: str = ""
) -> tuple[dict[str, str], Lines]:
    """The layout of each parameter, and the lines that make them and the function `make`, which may keep optimizers."""
    layout_of = {name: pick(draw, ("flat", "rows", "flat", "number")) for name in names}
    lines = ["optimizers = []"] if kept else []
    for name, layout in layout_of.items():
        made = typed_tensor(_numbers(draw, LAYOUTS[layout], True), layout, dtype)
        lines.append(f"{name} = {made[:-1]}, requires_grad=True)")
    lines += ["made = []", "def make(masters):"]
    lines += ["    made.append([(tuple(x.shape), x.dtype, x.requires_grad) for x in masters])"]
    optimizer = optimizer or pick(draw, OPTIMIZERS)
    back = [f"    optimizers.append({optimizer})", "    return optimizers[-1]"] if kept else [f"    return {optimizer}"]
    return layout_of, [*lines, *back]


def gradients(draw: DrawFn, layout_of: dict[str, str], dtype: str, kinds: tuple[str, ...]) -> Lines:
    """A gradient for each parameter: a new one, none, zeros, or that of before, perhaps changed in place."""
    lines = []
    for name, layout in layout_of.items():
        kind = pick(draw, kinds)
        made = typed_tensor(_numbers(draw, LAYOUTS[layout], False), layout, dtype)
        made = {"new": made, "none": "None", "zeros": f"torch.zeros_like({name})"}.get(kind, "")
        lines += [f"{name}.grad = {made}"] if made else []
        lines += [f"if {name}.grad is not None: {name}.grad.mul_(-64.0)"] if kind == "changed" else []
    return lines


OFF = "torch.set_grad_enabled(False)"
"""What a caller who needs no gradients may run before a step or a load."""


def maybe_off(draw: DrawFn) -> Lines:
    """The line that disables gradients, or no line."""
    return pick(draw, ([], [], [], [OFF]))


def steps(draw: DrawFn, name: str, most: int) -> str:
    """A line that takes up to so many steps."""
    count = draw(st.integers(1, most))
    return f"{name}.step()" if count == 1 else f"for _ in range({count}): {name}.step()"


def small_steps(draw: DrawFn, layout_of: dict[str, str], dtype: str) -> Lines:
    """Lines that take three steps, each with gradients so small that the master gets bits that it had not."""
    grads = [typed_tensor(_numbers(draw, LAYOUTS[layout], True), layout, dtype) for layout in layout_of.values()]
    lines = [f"grads = [{grads[0]}]", *(f"grads.append({grad})" for grad in grads[1:])]
    lines += ["for size in (2**-8, 2**-15, 2**-22):"]
    return [*lines, "    for p, grad in zip(params, grads): p.grad = grad * size", "    weights.step()"]


def taken_apart(params: str, step: str) -> Lines:
    """Lines that take the bits of masters out of them, as many at a time as a parameter holds."""
    lines = ["left = []", "for _ in range(3):", f"    for p in {params}: p.grad = p.detach().clone()", f"    {step}"]
    return [*lines, f"    left.append([p.detach().clone() for p in {params}])"]


def _loses_its_gradient(program: Program) -> bool:
    """Whether a parameter gets a gradient, steps, and has none in a later step."""
    lines = program[0]
    return any(
        line.endswith(".grad = None") and any(before.startswith(f"{line[0]}.grad = t") for before in lines[:place])
        for place, line in enumerate(lines)
    )


CLEARED = ["weights.zero_grad()", "cleared.append([p.grad is None for p in params])"]


@functools.cache
@classes(
    {
        "bfloat16": has("torch.bfloat16"),
        "float16": has("torch.float16"),
        "AdamW": has("AdamW"),
        "momentum": has("momentum"),
        "an optimizer that keeps other states": has("amsgrad", "RMSprop", "Adagrad"),
        "weight decay": has("weight_decay"),
        "several parameters": has("b = torch"),
        "several parameters in two groups": lambda program: has("b = torch")(program) and has('"params"')(program),
        "one parameter": lambda program: not has("b = torch")(program),
        "a parameter of one number": lambda program: any(
            " = torch.tensor(" in line and "([" not in line and "grad =" not in line for line in program[0]
        ),
        "a parameter has no gradient": has(".grad = None"),
        "a parameter has none any more": _loses_its_gradient,
        "a gradient of zeros": has("zeros_like"),
        "a gradient that changes in place": has(".grad.mul_("),
        "the gradients are cleared": has("zero_grad"),
        "the bits of the masters": has("left = []"),
        "gradients are disabled before the last step": has(OFF),
        "a step after they are cleared": lambda program: any(
            line == CLEARED[1] and "step()" in after for line, after in zip(program[0], program[0][1:], strict=False)
        ),
    }
)
def master_steps() -> SearchStrategy[Program]:
    """Programs that step narrow weights."""
    return _master_steps()


@st.composite
def _master_steps(draw: DrawFn) -> Program:
    names, dtype = pick(draw, ("ab", "a", "abc")), pick(draw, ("bfloat16", "bfloat16", "float16"))
    apart = pick(draw, (False, False, False, True))
    layout_of, lines = parameters(draw, names, dtype, optimizer=APART if apart else "")
    lines += [f"params = [{', '.join(names)}]", "aliases = [p.detach() for p in params]"]
    lines += ["weights = MasterWeights(params, make)", "cleared = []"]
    watched = [*names, *(f"{name}.grad" for name in names), "aliases", "made", "cleared", "torch.is_grad_enabled()"]
    watched.append("[p.requires_grad for p in params]")
    if apart:
        lines += [*small_steps(draw, layout_of, dtype), *maybe_off(draw), *taken_apart("params", "weights.step()")]
        return lines, ["left", *watched]
    for place in range(draw(st.integers(2, 3))):
        later = ("new", "none", "same", "changed", "none", "zeros")
        kinds = later if place else ("new", "new", "new", "none", "zeros")
        if place and pick(draw, (False, True)):
            lines += CLEARED
            lines += [steps(draw, "weights", 3)] * draw(st.integers(0, 1))
        lines += [*gradients(draw, layout_of, dtype, kinds), steps(draw, "weights", 6)]
    return [*lines[:-1], *maybe_off(draw), lines[-1]], watched


STEPPED = "for copy in copies: copy.grad = torch.full_like(copy, 0.75)"


def _saved(program: Program) -> int:
    return program[0].index("file = io.BytesIO()")


@functools.cache
@classes(
    {
        "bfloat16": has("torch.bfloat16"),
        "float16": has("torch.float16"),
        "AdamW": has("AdamW"),
        "momentum": has("momentum"),
        "an optimizer that keeps other states": has("amsgrad", "RMSprop", "Adagrad"),
        "several parameters": has("b = torch"),
        "two groups": has('"params"'),
        "after a step": lambda program: any("weights.step()" in line for line in program[0][: _saved(program)]),
        "before the first step": lambda program: (
            not any("weights.step()" in line for line in program[0][: _saved(program)])
        ),
        "a parameter has had no gradient": lambda program: any(
            line.endswith(".grad = None") for line in program[0][: _saved(program)]
        ),
        "another rate than it was made with": has(SLOWER),
        "another weight decay than it was made with": has(DECAY),
        "another momentum, betas or eps than it was made with": has(*OTHERS.values()),
        "the bits of the masters": has("left = []"),
        "into one that has stepped": has(STEPPED),
        "gradients are disabled before the load": has(OFF),
    }
)
def resumed_masters() -> SearchStrategy[Program]:
    """Programs that save master weights, load them into new ones over zeros, and step both."""
    return _resumed_masters()


@st.composite
def _resumed_masters(draw: DrawFn) -> Program:
    names, dtype = pick(draw, ("a", "ab")), pick(draw, ("bfloat16", "bfloat16", "float16"))
    apart = pick(draw, (False, False, False, True))
    optimizer = APART if apart else pick(draw, OPTIMIZERS)
    other = next(change for name, change in OTHERS.items() if f".{name}(" in optimizer)
    changed = [] if apart else pick(draw, ([], [SLOWER], [other], [DECAY]))
    layout_of, lines = parameters(draw, names, dtype, bool(changed), optimizer)
    lines += [f"params = [{', '.join(names)}]", "weights = MasterWeights(params, make)", *changed]
    if apart:
        lines += small_steps(draw, layout_of, dtype)
    elif pick(draw, (True, True, True, False)):
        lines += [*gradients(draw, layout_of, dtype, ("new", "new", "new", "none")), steps(draw, "weights", 6)]
    lines += ["file = io.BytesIO()", "torch.save(weights.state_dict(), file)", "_ = file.seek(0)"]
    lines += ["copies = [torch.zeros_like(p, requires_grad=True) for p in params]"]
    lines += ["fresh = MasterWeights(copies, make)"]
    lines += [STEPPED, "fresh.step()"] if pick(draw, (False, False, True)) else []
    lines += [*maybe_off(draw), "fresh.load_state_dict(torch.load(file, weights_only=True))"]
    lines += ["loaded = [copy.detach().clone() for copy in copies]", *[FASTER] * bool(changed)]
    watched = ["loaded", *names, "[copy.detach() for copy in copies]", "len(made)", "torch.is_grad_enabled()"]
    watched.append("[p.requires_grad for p in [*params, *copies]]")
    if apart:
        return [*lines, *taken_apart("[*params, *copies]", "weights.step(), fresh.step()")], ["left", *watched]
    lines += gradients(draw, layout_of, dtype, ("new", "new", "new", "none"))
    lines += ["for p, copy in zip(params, copies): copy.grad = p.grad"]
    count = draw(st.integers(1, 8))
    lines += [f"for _ in range({count}): weights.step(), fresh.step()"]
    return lines, watched
