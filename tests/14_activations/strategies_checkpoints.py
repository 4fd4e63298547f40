"""What hypothesis draws for kata 14 of programs that checkpoint a function."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has, lacks
from ..shared.shapes import pick
from .typed import DOUBLE, WEAK, maybe, typed_seed
from .typed_functions import DROPOUT, loss_of, typed_call, typed_function, typed_uses, typed_x

FORMS = {
    "an argument that needs no gradient": has("f_c", "f_mask", "g_c", "g_mask"),
    "a number, a text or None among the arguments": has("1.5", '"sin"', "None"),
    "a whole number among the arguments": has(", 1)", ", 1,"),
    "x in another place": has("(f, f_", "(f, 1", '(f, "sin"', "(f, None"),
    "something computed before x is saved": has("x.exp()"),
    "several tensors need gradients": has("f_b", "f_e"),
    "no argument needs a gradient": lambda program: (
        not has("x = a.sin()", "f_b", "f_e")(program)
        and not any(line.startswith("x = ") and "requires_grad" in line for line in program[0])
    ),
    "x is a result": has("x = a.sin()"),
    "a module inside": has("f_layer"),
    "a tuple": has("return (", "note_again(("),
    "a tuple of one": has(",)"),
    "a part that is no float": has("(h > 0, "),
    "a part that is detached": has("(h.detach().exp()"),
    "no arguments": has("checkpoint(f)"),
    "numbers inside that need no gradient": has("m = h.detach()", "m = note(h.detach()"),
    "a mask inside": has("m = h > ", "m = note(h > "),
    "a view inside": has("m[:1]"),
    "a number inside": has("h.mean()"),
    "indices inside": has(".argsort()"),
    "x twice": has("(x, same)", "(same, x)"),
}

AGAIN = {
    "the same function twice": has("z = checkpoint(f"),
    "the same arguments twice": has("other = x"),
}


@functools.cache
@classes(
    {
        **FORMS,
        **AGAIN,
        "a result that is not used": has("loss = y[0].sum()", "loss = z[0].sum()"),
        "one in another": has("y)", "y[0])", "y[1])"),
        "two beside each other": lambda program: (
            has("z = checkpoint")(program) and not has("y)", "y[0])", "y[1])")(program)
        ),
        "x used outside as well": has("(x * 2)"),
        "two backwards": has("sum().backward()"),
        "one that is not used": lambda program: (
            has("z = checkpoint")(program) and not any(line.startswith("loss") and "z" in line for line in program[0])
        ),
    }
)
def checkpoint_programs() -> SearchStrategy[Program]:
    """Programs that go backward through one checkpoint or two."""
    return _checkpoint_programs()


@st.composite
def _checkpoint_programs(draw: DrawFn) -> Program:
    lines, watched = typed_uses(draw)
    return [*lines, "loss.backward()"], ["y", "loss", *watched]


NOTE = [
    WEAK,
    "noted, given, backward = [], [], False",
    "def note(t):",
    "    noted.append(StorageWeakRef(t.untyped_storage()))",
    "    return t",
    "def note_again(result):",
    "    for t in result if isinstance(result, tuple) else [result]:",
    "        if backward:",
    "            note(t)",
    "    return result",
    "def there():",
    "    return sum(not ref.expired() for ref in noted)",
]
"""Lines that count the tensors that a function has made inside and that are still there, with a second run's result."""


WATCH = [
    "from torch.utils._python_dispatch import TorchDispatchMode",
    "class Watch(TorchDispatchMode):",
    "    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):",
    "        result = operation(*args, **(kwargs or {}))",
    "        for t in result if isinstance(result, tuple) else [result]:",
    "            if isinstance(t, torch.Tensor) and t.is_floating_point():",
    "                made.append((StorageWeakRef(t.untyped_storage()), t.flatten().tolist()))",
    "        return result",
]
"""Lines that write down every tensor that is made, and the numbers in it.

A copy is a tensor with the numbers of one that a function has made inside. Tensors of one number, or of the same number
everywhere, are no evidence: an answer may have such a tensor for its own ends.
"""


def _watched(lines: Lines) -> Lines:
    """The lines, with note's numbers kept as well, and their one call watched."""
    place = lines.index("def note(t):")
    noting = [
        "    numbers = t.detach().flatten().tolist()",
        "    inside.extend([numbers] if t.is_floating_point() and len({*numbers}) > 1 else [])",
    ]
    lines = [*lines[:place], "inside, made = [], []", lines[place], *noting, *lines[place + 1 :]]
    place = next(place for place, line in enumerate(lines) if line.startswith("y = "))
    copies = "kept_copies = len({ref.cdata for ref, numbers in made if numbers in inside and not ref.expired()})"
    return [*lines[:place], *WATCH, "with Watch():", f"    {lines[place]}", copies, *lines[place + 1 :]]


DROPPED = [
    "results = [StorageWeakRef(t.untyped_storage()) for t in (y if isinstance(y, tuple) else [y])]",
    "del y",
    "kept_results = sum(not ref.expired() for ref in results)",
]
"""Lines that drop what was returned, and count what of it is still there."""


def _needs_no_result(lines: Lines) -> bool:
    """Whether y goes into the loss alone, which saves none of it."""
    saves = "square" in lines[-1] or "y[0] * y[1]" in lines[-1]
    return not saves and not any(line.startswith("z = ") for line in lines)


FLOAT32 = "dtype=torch.float32"


def _under_autocast(lines: Lines, dtype: str) -> Lines:
    """The lines in float32, with their one call under autocast. Its dtype is no tensor's, so it has no keyword."""
    lines = [line.replace(DOUBLE, FLOAT32) for line in lines]
    place = next(place for place, line in enumerate(lines) if line.startswith("y = "))
    lines[place : place + 1] = [f'with torch.autocast("cpu", torch.{dtype}):', f"    {lines[place]}"]
    return lines


@functools.cache
@classes(
    {
        **FORMS,
        **AGAIN,
        "two checkpoints": has("z = checkpoint"),
        "dropout": has("dropout(h, 0.5)"),
        "a mask that is drawn": has("torch.ones_like"),
        "autocast": has("torch.autocast"),
        "copies are looked for": has("with Watch():"),
        "the result is dropped before the backward": has(*DROPPED),
    }
)
def noted_programs() -> SearchStrategy[Program]:
    """Programs that count what is there after the forward and after the backward, and how often functions ran."""
    return _noted_programs()


@st.composite
def _noted_programs(draw: DrawFn) -> Program:
    kind = pick(draw, ("plain", "random", "watched", "plain", "cast"))
    watching = kind == "watched"
    lines, gradients = typed_uses(
        draw, noted=True, random=kind == "random", one=watching or kind == "cast", changing=watching
    )
    if kind == "cast":
        lines = _under_autocast(lines, pick(draw, ("bfloat16", "float16")))
    second = [line.partition("checkpoint(")[2] for line in lines if line.startswith("z = checkpoint(")]
    inputs = ["x", *(next(name for name in ("other", "x", "y[0]", "y[1]", "y") if name in typed) for typed in second)]
    dropped = DROPPED if _needs_no_result(lines) else []
    lines += ["after_forward, forward_calls = there(), list(calls)", *dropped]
    lines += [f"copies = given != [{', '.join(f'{x}.data_ptr()' for x in inputs)}]"]
    lines += ["backward = True", "loss.backward()", "after_backward = there()"]
    watched = ["after_forward", "copies", "after_backward", "forward_calls", "sorted(calls)"]
    watched += ["kept_results"] if dropped else []
    if watching:
        return _watched([*NOTE, *lines]), ["kept_copies", *watched, *gradients]
    return [*NOTE, *lines], watched


@functools.cache
@classes(
    {
        **AGAIN,
        "two checkpoints": has("z = checkpoint"),
        "numbers between": has("between = "),
        "noise": has("rand_like"),
        "numbers drawn before the backward": has("moved = "),
        "another seed before the backward": has("    # another", "torch.manual_seed(7)"),
    }
)
def random_programs() -> SearchStrategy[Program]:
    """Programs whose functions draw random numbers, and that draw some around them."""
    return _random_programs()


@st.composite
def _random_programs(draw: DrawFn) -> Program:
    lines, watched = typed_uses(draw, random=True)
    moved = pick(draw, (["moved = torch.rand(3)"], [], ["torch.manual_seed(7)"]))
    lines += ["after = torch.rand(2)", *moved, "loss.backward()", "last = torch.rand(2)"]
    between = ["between"] if any(line.startswith("between") for line in lines) else []
    return lines, ["y", *between, "after", "last", *watched]


CASTS = (
    ("bfloat16", None),
    ("float16", None),
    (None, "bfloat16"),
    (None, "float16"),
    ("float16", "float16"),
    ("float16", "bfloat16"),
    ("bfloat16", "float16"),
)
"""The dtypes of autocast in the forward and in the backward, or None where it is off."""


@functools.cache
@classes(
    {
        "on in the forward alone": has("# on, off"),
        "on in the backward alone": has("# off, on"),
        "on in both": has("# on, on"),
        "another dtype in the backward": lambda program: (
            has("torch.bfloat16):")(program) and has("torch.float16):")(program)
        ),
        "float16": has("dtype=torch.float16):"),
        "x needs a gradient": has("requires_grad=True)", "a.sin()"),
    }
)
def cast_programs() -> SearchStrategy[Program]:
    """Programs with one checkpoint, and autocast on in the forward, in the backward, or in both."""
    return _cast_programs()


@st.composite
def _cast_programs(draw: DrawFn) -> Program:
    function = typed_function(draw, "f", extras=False, dtype=FLOAT32)
    x, watched = typed_x(draw, FLOAT32)
    _, call, _ = typed_call(function, "x")
    lines = [typed_seed(draw), "calls = []", *function.setup, *x, *function.lines]
    forward, backward = pick(draw, CASTS)
    lines += [_cast(forward), f"    y = {call}"] if forward else [f"y = {call}"]
    result = "(y[0] * 2 + y[1])" if len(function.results) == 2 else f"y{function.results[0]}"
    lines += [f"loss = {result}.float().sum()"]
    lines += [_cast(backward), "    loss.backward()"] if backward else ["loss.backward()"]
    lines[0] += f"  # {'on' if forward else 'off'}, {'on' if backward else 'off'}"
    return lines, ["y", *function.learned, *watched]


def _cast(dtype: str) -> str:
    return f'with torch.autocast("cpu", dtype=torch.{dtype}):'


@functools.cache
@classes({**{name: FORMS[name] for name in ("a module inside", "a tuple", "x is a result")}, "dropout": has(DROPOUT)})
def quiet_programs() -> SearchStrategy[Program]:
    """Programs that call without gradients."""
    return _quiet_programs()


@st.composite
def _quiet_programs(draw: DrawFn) -> Program:
    function = typed_function(draw, "f", random=True)
    x, _ = typed_x(draw)
    made, call, _ = typed_call(function, "x")
    lines = [typed_seed(draw), "calls = []", *function.setup, *x, *made, *function.lines]
    lines += ["with torch.no_grad():", f"    y = {call}"]
    return lines, ["y", function.needs, "calls", "torch.rand(2)"]


ERRORS = ('KeyError("lost")', 'ValueError("too large")', 'RuntimeError("out of paper")', 'OSError("no such file")')


@functools.cache
@classes({"not a RuntimeError": lacks("RuntimeError"), "numbers drawn before the backward": has("moved = ")})
def failing_programs() -> SearchStrategy[Program]:
    """Programs whose function draws numbers, and raises when it runs again."""
    return _failing_programs()


@st.composite
def _failing_programs(draw: DrawFn) -> Program:
    function = typed_function(draw, "f", random=True, extras=False)
    x, _ = typed_x(draw)
    lines = [typed_seed(draw), "calls = []", *function.setup, *x, *function.lines[:-1]]
    lines += ["    if len(calls) > 1:", "        raise problem", function.lines[-1], f"problem = {pick(draw, ERRORS)}"]
    lines += [f"y = {typed_call(function, 'x')[1]}", *maybe(draw, "moved = torch.rand(3)")]
    lines += [f"loss = {loss_of(draw, 'y', function, True)}", "error, same = None, False"]
    lines += [
        "try:",
        "    loss.backward()",
        "except Exception as raised:",
        "    error, same = repr(raised), raised is problem",
    ]
    return lines, ["error", "same", "len(calls)", "torch.rand(2)"]
