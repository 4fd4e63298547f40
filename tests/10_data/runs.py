"""Runs of a learner's function in a program, and what has to hold of what they leave."""

from dojo.judging.expect import Mismatch, expect_each
from dojo.seam.data import shown

from ..shared.random_states import next_numbers
from . import programs_memory, scenarios


def run(kata, function, lines, watched, device="cpu"):
    """Return what a program leaves, by name; "" is the only name if it is not a dict."""
    return kata.run(scenarios.program, function, lines, watched, device)


def of(seen, name):
    """Return one value that a program left, or what is there instead if it left none."""
    return seen[name] if isinstance(seen, dict) else seen


def takes_no_memory(kata, function, lines):
    """Fail if the lines take more than a share of the memory that the file would take."""
    seen = kata.run(programs_memory.grown, function, lines)
    expect_each(seen, {programs_memory.GROWN: 0}, "should be")


def expect_count(count, of, least, most):
    """Fail unless the count is within what chance allows."""
    if type(count) is not int or not least <= count <= most:
        raise Mismatch(count, f"from {least} to {most}", "should be", of=of)


def made_alike(kata, function, case):
    """Fail unless the second equals the first, and no global random state was drawn from."""
    untouched = next_numbers(case.seed)
    seen = run(kata, function, case.lines, ["a", "b", *untouched])
    first, second = of(seen, "a"), of(seen, "b")
    if not isinstance(first, list) or shown(first) != shown(second) or first != second:
        raise Mismatch(second, shown(first) if isinstance(first, list) else "a list", "should be", of="b")
    expect_each(seen, untouched, "untouched")
