"""How the properties of kata 08 call a function, and with what they compare what comes of it."""

from dojo.judging.expect import expect, expect_each, expect_error

from . import scenarios, truth


def zeros(shape):
    """Return code that makes a tensor of this shape, when its numbers do not matter."""
    return f"torch.zeros({', '.join(map(str, shape)) or '()'}, dtype=torch.float64)"


def given_x(code, pattern, *rest):
    """Return the lines that make x, and the arguments of a call with it."""
    return [f"x = {code}"], ", ".join(["x", *map(repr, (pattern.text, *rest, pattern.sizes))])


def refuses(kata, function, device, cases, *rest):
    """Fail unless the function refuses each of these patterns."""
    for text, shape, sizes, because in cases:
        arguments = ", ".join(["x", *map(repr, (text, *rest, sizes))])
        call = (scenarios.result, function, [f"x = {zeros(shape)}"], arguments, device)
        expect_error(ValueError, kata.run, *call, because=because)


def leaves_alone(kata, function, device, names, lines, arguments):
    """Fail unless the tensors with these names are the same after the call as before."""
    before = truth.tensors(lines, names, device)
    expect(kata.run(scenarios.arguments, function, lines, arguments, names, device), before, "they were")


def leaves_sizes_alone(kata, function, device, lines, sizes, *arguments):
    """Fail unless `sizes`, which follows these arguments, is the same after the call as before."""
    lines, given = [*lines, f"sizes = {sizes!r}"], ", ".join((*arguments, "sizes"))
    expect(kata.run(scenarios.sizes, function, lines, given, device), sizes, "it was")


def leaves_refused_sizes_alone(kata, function, device, cases, *rest):
    """Fail unless `sizes` is the same after each of these calls, which are refused, as before.

    The calls are about a tensor, with `rest` between its pattern and its sizes, or on no device about its shape.
    """
    for text, shape, sizes, _ in cases:
        if sizes:
            made = [f"x = {zeros(shape)}"] if device else []
            given = ("x", *map(repr, (text, *rest))) if device else (repr(text), repr(shape))
            lines = [*made, f"sizes = {sizes!r}", "try:", f"    {function}({', '.join(given)}, sizes)"]
            lines += ["except ValueError:", "    pass"]
            seen = kata.run(scenarios.program, function, lines, ["sizes"], device or "cpu")
            expect_each(seen, {"sizes": sizes}, "it was")


def call_by_call(kata, function, device, calls, rights, says="einops says", rel=0.0):
    """Fail unless two calls in a row, each with lines before it, leave what is right for each.

    Both results are compared after both calls: the second changes nothing of the first.
    """
    (before, first), (between, second) = calls
    lines = [*before, f"first = {function}({first})", *between, f"second = {function}({second})"]
    seen = kata.run(scenarios.program, function, lines, ["first", "second"], device)
    expect_each(seen, dict(zip(("first", "second"), rights, strict=True)), says, rel=rel)
