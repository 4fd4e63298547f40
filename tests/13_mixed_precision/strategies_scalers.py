"""What hypothesis draws for kata 13 of loss scalers: stories that go through several updates, and misuse."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has, lacks
from ..shared.shapes import pick

SCALES = (1024.0, 65536.0, 2.0**126, 0.25, 2.0**60, 2.0**126, 2.0**-100)
INTERVALS = (2, 1, 3)
OPTIMIZERS = ("torch.optim.SGD({0}, lr=0.5)", "torch.optim.SGD({0}, lr=0.25, momentum=0.5)")
UPDATE = ["scaler.update()", "scales.append(scaler.get_scale())"]
PLAIN = ("[1.0, -2.0]", "[0.5, 3.0]", "[-1.5, 0.25]", "[3.0, 3.5]")
SPOILED = (
    *("[math.inf, 1.0]", "[1.0, -math.inf]", "[math.nan, 2.0]"),
    *("[-math.inf, 0.5]", "[2.0, math.inf]", "[0.5, math.nan]"),
)
LARGE = {2.0**126: "[2.0**100, 1.0]", 0.25: "[2.0**127, 2.0**127]", 2.0**-100: "[2.0**127, 2.0**127]"}
"""Gradients by a scale: of 2**126 they are not finite once they are scaled (of PLAIN, the last one is, and its sum is
not); below 1 they are finite once they are unscaled, and their sum is not."""


def typed_scaler(draw: DrawFn, init_scale: float | None = None) -> str:
    """A scaler with settings of its own, by name or by place, or with those that it has by default."""
    scale = init_scale or pick(draw, SCALES)
    growth, backoff, interval = pick(draw, (2.0, 4.0)), pick(draw, (0.5, 0.25)), pick(draw, INTERVALS)
    if scale == 2.0**126:  # it soon comes to the end of float32
        interval = pick(draw, (1, 2))
    if pick(draw, (False, False, True)):
        return f"LossScaler({scale}, {growth}, {backoff}, {interval})"
    typed = [f"init_scale={scale}"] if scale != 65536.0 else []
    typed += [f"growth_factor={growth}"] if growth != 2 else []
    typed += [f"backoff_factor={backoff}"] if backoff != 0.5 else []
    typed += [f"growth_interval={interval}"] if scale > 65536 or pick(draw, (True, True, True, False)) else []
    return f"LossScaler({', '.join(typed)})"


SPARE = ("torch.ones(1", "torch.ones(0", "torch.tensor(1.0", "torch.ones(2, 2")
EMPTY = "spare = torch.ones(0"
"""How a second parameter begins, and the one that has no numbers, whose gradient has none either."""


def made(draw: DrawFn, names: str) -> Lines:
    """Parameters, and an optimizer of each; the first one may have a second parameter, also in a group of its own."""
    lines = [f"{name} = torch.tensor([{place}.0, 2.0], requires_grad=True)" for place, name in enumerate(names)]
    both = pick(draw, ("", "", "[a, spare]", '[{"params": [a]}, {"params": [spare]}]'))
    lines += [f"spare = {pick(draw, SPARE)}, requires_grad=True)"] if both else []
    for name in names:
        lines.append(f"of_{name} = {pick(draw, OPTIMIZERS).format(both if both and name == 'a' else f'[{name}]')}")
    return lines


def _gradients(draw: DrawFn, name: str, made: Lines, large: str = "") -> str:
    """A loss, by what it multiplies a parameter with, which is its gradient."""
    kind = pick(draw, ("plain", "plain", "plain", "spoiled", "plain", "spoiled"))
    by = pick(draw, SPOILED if kind == "spoiled" else PLAIN)
    by = large if large and pick(draw, (False, False, False, True)) else by
    loss = f"({name} * torch.tensor({by})).sum()"
    if name != "a" or not any("spare" in line for line in made):
        return loss
    factors = ("", "0.5", "0.5", "0.5" if any(EMPTY in line for line in made) else "math.inf")
    spare = pick(draw, factors)
    return f"{loss} + {spare} * spare.sum()" if spare else loss


AFTER = (
    "_ = nn.utils.clip_grad_norm_([{0}], 0.5)",
    "_ = nn.utils.clip_grad_norm_([{0}], 100.0)",
    "nn.utils.clip_grad_value_([{0}], 1.0)",
    "{0}.grad.nan_to_num_(0.25, 1.0, -1.0)",
    "{0}.grad.fill_(math.inf)",
    "",
)
"""What may become of unscaled gradients before the step; two of them hide what was not finite, one makes it so."""


def _part(draw: DrawFn, name: str, unscaling: tuple[bool, ...]) -> Lines:
    """One optimizer's part of an update; unscaling: whether its gradients may be unscaled before the step."""
    first = pick(draw, unscaling)
    unscaled = [f"scaler.unscale_(of_{name})", pick(draw, AFTER).format(name)] if first else []
    return [line for line in [*unscaled, f"scaler.step(of_{name})"] if line]


def _waits(draw: DrawFn, parts: list[Lines]) -> str:
    """The step that one of two optimizers, whose gradients are unscaled, does not take; none in most updates."""
    steps = tuple(part[-1] for part in parts if len(part) > 1)
    return pick(draw, ("", "", *steps)) if steps and len(parts) > 1 else ""


def updates(draw: DrawFn, names: str, count: int, made: Lines, large: str = "") -> Lines:
    """So many updates, each of one optimizer or of both, which these lines have made."""
    lines: Lines = []
    unscaling = pick(draw, ((True, False), (True, False), (False,), (True, False)))
    for place in range(count):
        taking = names if len(names) == 1 else pick(draw, (names, names, names[0], names[1], names[::-1]))
        lines += [f"of_{name}.zero_grad()" for name in taking]
        if len(taking) > 1 and draw(st.booleans()):
            losses = [_gradients(draw, name, made, large) for name in taking]
            lines += [f"scaler.scale({losses[0]}", f"             + {losses[1]}).backward()"]
        else:
            lines += [f"scaler.scale({_gradients(draw, name, made, large)}).backward()" for name in taking]
        lines += [f"kept = {taking[0]}.grad.detach()"] if place == count - 1 else []
        parts = [_part(draw, name, unscaling) for name in taking]
        waits = _waits(draw, parts)
        if len(parts) > 1 and draw(st.booleans()):  # all are unscaled before any steps
            parts = [[line for part in parts for line in part[:-1]], [line for part in parts for line in part[-1:]]]
        lines += [line for part in parts for line in part if line != waits]
        if pick(draw, (False, False, False, True)):
            twice = pick(draw, ("unscale_", "step"))
            lines += [f"try: scaler.{twice}(of_{pick(draw, taking)})", "except RuntimeError: pass"]
        lines += UPDATE
    return lines


def _falls_and_grows(program: Program) -> bool:
    """Whether something is not finite, and later enough is for the scale to grow."""
    lines = "\n".join(program[0])
    return "growth_interval" in lines and re.search(r"math\.(inf|nan)", lines) is not None


def _one_waits(program: Program) -> bool:
    """Whether an optimizer whose gradients were unscaled does not step before the update."""
    waiting: set[str] = set()
    for line in program[0]:
        if line == UPDATE[0] and waiting:
            return True
        if line.startswith(("scaler.unscale_", "scaler.step")):
            of = line[-2]
            waiting = waiting | {of} if "unscale_" in line else waiting - {of}
    return False


def _hidden(program: Program) -> bool:
    return any(".nan_to_num_" in line or "grad_value_" in line for line in program[0]) and has("math.")(program)


def _watched(names: str, made: Lines) -> Lines:
    watched = [*names, *(["spare"] if any("spare" in line for line in made) else [])]
    return ["scales", "scaler.get_scale()", *watched, *(f"{name}.grad" for name in watched), "kept"]


@functools.cache
@classes(
    {
        "two optimizers": has("of_b"),
        "one optimizer": lacks("of_b"),
        "the gradients are unscaled first": has("unscale_"),
        "they are not": lacks("unscale_"),
        "inf": has("[math.inf"),
        "-inf": has("-math.inf"),
        "nan": has("math.nan"),
        "all are finite": lacks("math."),
        "a scale of 2**126": has("8.507059173023462e+37"),
        "an overflow by the scale": has("2.0**100"),
        "finite gradients whose sum is not": has("2.0**127"),
        "inf and nan are hidden before the step": _hidden,
        "it falls and may grow": _falls_and_grows,
        "a growth_interval of 1": has("growth_interval=1", ", 1)"),
        "another growth_factor": has("growth_factor", " 4.0,"),
        "another backoff_factor": has("backoff_factor", " 0.25,"),
        "momentum": has("momentum"),
        "two parameters": has("[a, spare]"),
        "two groups": has("}, {"),
        "a second parameter with a gradient": has("0.5 * spare"),
        "a second parameter alone is not finite": has("math.inf * spare"),
        "a second parameter of no numbers": has(EMPTY),
        "a second parameter of no dimension": has("spare = torch.tensor("),
        "one loss for both": has("             + "),
        "a scale of 2**60": has(f"{2.0**60}"),
        "a scale of 2**-100": has(f"{2.0**-100}"),
        "finite gradients become inf after unscale_": has(".fill_(math.inf)"),
        "something is refused before an update": has("except RuntimeError"),
        "another scaler between two updates": has("other = LossScaler"),
        "one is unscaled and does not step": _one_waits,
    }
)
def stories() -> SearchStrategy[Program]:
    """Programs that take a scaler through up to six updates, of one optimizer or of two."""
    return _stories()


OTHER = [
    "c = torch.ones(1, requires_grad=True)",
    "of_c = torch.optim.SGD([c], lr=0.5)",
    "other = LossScaler(2.0, 4.0, 0.25, 1)",
    "other.scale(c.sum()).backward()",
    "other.step(of_c)",
    "other.update()",
]
"""Another scaler, with an optimizer and an update of its own."""
WHOLE = ("scal", "of_a", "of_b")
"""How the lines begin before which it may come."""


@st.composite
def _stories(draw: DrawFn) -> Program:
    names = pick(draw, ("a", "ab", "ab"))
    scale = pick(draw, SCALES)
    lines = [*made(draw, names), f"scaler = {typed_scaler(draw, scale)}", "scales = []"]
    lines += updates(draw, names, draw(st.integers(2, 6)), lines, LARGE.get(scale, ""))
    watched = [*_watched(names, lines), "loss", "scaled"]
    if pick(draw, (False, False, True)):
        places = [place for place in range(lines.index("scales = []") + 1, len(lines)) if lines[place][:4] in WHOLE]
        place = pick(draw, places)
        lines[place:place] = OTHER
        watched.append("other.get_scale()")
    lines += ["loss = (a * 3.0).sum()", "scaled = scaler.scale(loss)"]
    return lines, watched


@functools.cache
@classes({"a scale of its own": has("init_scale"), "the scale by default": has("LossScaler()")})
def long_stories() -> SearchStrategy[Program]:
    """Programs that take as many updates as it takes by default until the scale grows."""
    return _long_stories()


@st.composite
def _long_stories(draw: DrawFn) -> Program:
    # Its gradients are unscaled again and again: below a scale of 1 they would overflow.
    lines = ["a = torch.tensor([1.0], requires_grad=True)", "of_a = torch.optim.SGD([a], lr=0.0)"]
    scale = pick(draw, ("", *(f"init_scale={2.0**exponent}" for exponent in range(8)), "", ""))
    lines += [f"scaler = LossScaler({scale})", "scales = []"]
    lines += ["scaler.scale(a.sum()).backward()", "for _ in range(2001):", "    scaler.step(of_a)"]
    lines += [f"    {line}" for line in UPDATE]
    return lines, ["scales[1998:]", "len(scales)"]


COUNTED = ["of_a.zero_grad()", "scaler.scale(a.sum()).backward()", "scaler.step(of_a)", *UPDATE]
LOAD = "fresh.load_state_dict(torch.load(file, weights_only=True))"
DIRECTLY = "fresh.load_state_dict(scaler.state_dict())"
KEPT = "fresh.load_state_dict(state)"
"""A state that was returned before the first scaler went on."""


def _has_counted(program: Program) -> bool:
    lines = program[0]
    return "fresh.update()" in itertools.takewhile(lambda line: line not in (LOAD, DIRECTLY, KEPT), lines)


def _of_the_first(program: Program) -> Lines:
    """The lines before there is another scaler."""
    return list(itertools.takewhile(lambda line: not line.startswith("fresh = "), program[0]))


@functools.cache
@classes(
    {
        "in the middle of a count": lambda program: any("growth_interval=3" in line for line in program[0]),
        "into one with other settings": has("fresh = LossScaler("),
        "into one that has taken an update": _has_counted,
        "two optimizers": has("of_b"),
        "after what was not finite": lambda program: any("math." in line for line in _of_the_first(program)),
        "before the first update": lambda program: "scaler.update()" not in _of_the_first(program),
        "the first one goes on as well": has(DIRECTLY),
        "a state is kept, and loaded into two": has(KEPT),
    }
)
def resumed_scalers() -> SearchStrategy[Program]:
    """Programs that save a scaler between two updates, and go on with another one that loads it."""
    return _resumed_scalers()


@st.composite
def _resumed_scalers(draw: DrawFn) -> Program:
    names = pick(draw, ("a", "ab"))
    growth, backoff, interval = pick(draw, (2.0, 4.0)), pick(draw, (0.5, 0.25)), pick(draw, (3, 2, 3, 4))
    settings = f"growth_factor={growth}, backoff_factor={backoff}, growth_interval={interval}"
    lines = [
        *made(draw, names),
        f"scaler = LossScaler(init_scale={pick(draw, (1024.0, 65536.0, 0.25))}, {settings})",
        "scales = []",
    ]
    lines += updates(draw, names, pick(draw, (1, 2, 0, 3, 1, 2, 0)), lines)
    way = pick(draw, (LOAD, LOAD, DIRECTLY, KEPT))
    if way == LOAD:
        lines += ["file = io.BytesIO()", "torch.save(scaler.state_dict(), file)", "_ = file.seek(0)"]
    if way == KEPT:  # and another one is asked for, of another moment
        lines += ["state = scaler.state_dict()", *COUNTED * pick(draw, (1, 2)), "_ = scaler.state_dict()"]
    lines += [f"fresh = {pick(draw, (typed_scaler(draw, 512.0), 'LossScaler()', typed_scaler(draw, 2.0)))}"]
    lines += [*_of("fresh", COUNTED * pick(draw, (0, 2, 1))), way]
    lines += COUNTED * pick(draw, (1, 2)) if way == DIRECTLY else []
    last = "again" if way == KEPT else "fresh"
    if way == KEPT:
        lines += [*_of("fresh", COUNTED * pick(draw, (1, 2))), "again = LossScaler()", "again.load_state_dict(state)"]
    later = ["scales.append(scaler.get_scale())", *updates(draw, names, draw(st.integers(3, 4)), lines)]
    return [*lines, *_of(last, later)], ["scales", *names]


def _of(name: str, lines: Lines) -> Lines:
    """The lines with the scaler of that name."""
    return [line.replace("scaler.", f"{name}.") for line in lines]


MISUSE: dict[str, Lines] = {
    "unscale_ is called twice": ["scaler.unscale_(of_a)", "scaler.unscale_(of_a)"],
    "unscale_ is called after step": ["scaler.step(of_a)", "scaler.unscale_(of_a)"],
    "unscale_ is called after unscale_ and step": [
        "scaler.unscale_(of_a)",
        "scaler.step(of_a)",
        "scaler.unscale_(of_a)",
    ],
    "step is called twice": ["scaler.step(of_a)", "scaler.step(of_a)"],
    "step is called twice after unscale_": ["scaler.unscale_(of_a)", "scaler.step(of_a)", "scaler.step(of_a)"],
}


def _with(text: str) -> Callable[[tuple[Lines, str]], bool]:
    return lambda case: case[1] == text


@functools.cache
@classes(
    {
        **{text: _with(text) for text in MISUSE},
        "after an update": lambda case: "scaler.update()" in case[0],
        "another optimizer in between": lambda case: any("of_b)" in line for line in case[0]),
        "once more after it was refused": lambda case: "except RuntimeError: pass" in case[0][-2],
        "something is not finite": lambda case: any("math." in line for line in case[0]),
    }
)
def misused_scalers() -> SearchStrategy[tuple[Lines, str]]:
    """Programs whose last line is refused, and why."""
    return _misused_scalers()


@st.composite
def _misused_scalers(draw: DrawFn) -> tuple[Lines, str]:
    because = pick(draw, tuple(MISUSE))
    lines = [*made(draw, "ab"), f"scaler = {typed_scaler(draw)}", "scales = []"]
    lines += updates(draw, "ab", draw(st.integers(0, 1)), lines)
    lines += [f"scaler.scale({_gradients(draw, name, lines)}).backward()" for name in "ab"]
    *before, last = MISUSE[because]
    between = [line.replace("of_a", "of_b") for line in before] if draw(st.booleans()) else []
    refused = [f"try: {last}", "except RuntimeError: pass"] if pick(draw, (False, False, True)) else []
    return [*lines, *before, *between, *refused, last], because


REFUSED = {
    "init_scale": (0.0, -1.0, -65536.0, 0.0),
    "growth_factor": (1.0, 0.5, 1.0, -2.0),
    "backoff_factor": (1.0, 0.0, -0.5, 1.5),
    "growth_interval": (0, -1, 0, -2000),
}
Refused = tuple[Lines, str]


def _one_of_them(text: str) -> Callable[[list[Refused]], bool]:
    return lambda cases: any(because == text for _, because in cases)


@functools.cache
@classes(
    {
        **{
            f"{name} is {value}": _one_of_them(f"{name} is {value}")
            for name, of in REFUSED.items()
            for value in set(of)
        },
        "the other settings are given as well": lambda cases: any("," in lines[0] for lines, _ in cases),
    }
)
def refused_scalers() -> SearchStrategy[list[Refused]]:
    """Lines that make a scaler with one setting that is none, and which: one for each setting."""
    return _refused_scalers()


@st.composite
def _refused_scalers(draw: DrawFn) -> list[Refused]:
    cases = []
    for name, values in REFUSED.items():
        value = pick(draw, values)
        others = pick(draw, ({}, {}, {"init_scale": 1024.0, "growth_factor": 4.0, "growth_interval": 3}))
        typed = ", ".join(f"{key}={of}" for key, of in (others | {name: value}).items())
        cases.append(([f"scaler = LossScaler({typed})"], f"{name} is {value}"))
    return cases
