"""The properties of kata 20 about graphs whose tensors are in files."""

import torch

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, grades
from dojo.seam.data import shown

from . import scenarios, truth
from .strategies_graphs import blocks, emptied, offloaded, weighed

# Each example writes files and reads them.
FOURTH, SEVENTH, TENTH = one_in(4), one_in(7), one_in(10)

# Covers a few right ways to sum products in float64; tensors of other dtypes have the tolerance of their dtype.
REL = 1e-12

ROOM = 4096
"""Bytes that a file may take beside those of its tensor."""

LITTLE = 64
"""Bytes that may stay in memory: a number or two, where the smallest tensor has thousands."""


def value(seen, name):
    """Return a number that a program left; raise a Mismatch if it is not a number."""
    number = seen.get(name) if type(seen) is dict else seen
    if type(number) is not int:
        raise Mismatch(number, "a number", "should be", of=name)
    return number


def within(seen, name, least, most):
    """Fail unless a number is within these bounds."""
    number = value(seen, name)
    if not least <= number <= most:
        told = f"{most}" if least == most else f"{most}, or less" if number > most else f"{least}, or more"
        raise Mismatch(number, told, "should be", of=name)


@grades("offload_to_disk")
@FOURTH
@given(program=offloaded())
def test_offload_to_disk_changes_no_gradient_and_leaves_no_file(kata, device, program):
    """Gradients are those without offloading.

    The files of a graph are closed and gone once the graph is, after any number of backward passes.
    """
    lines, watched = program
    right = truth.program("offload_to_disk", lines, watched, device, truth.not_offloaded)
    expect_each(kata.run(scenarios.program, "offload_to_disk", lines, watched, device), right, rel=REL)


@grades("offload_to_disk")
@TENTH
@given(program=blocks())
def test_offload_to_disk_ends_with_its_block(kata, device, program):
    """What is saved inside the block has a file as long as its graph exists, and no longer, even before the block ends.

    However the block ends, what is saved after it has no file, unless a block around it makes one.
    """
    lines, watched = program
    right = truth.program("offload_to_disk", lines, watched, device, truth.marked)
    expect_each(kata.run(scenarios.program, "offload_to_disk", lines, watched, device), right, "should be", rel=REL)


@grades("offload_to_disk")
@SEVENTH
@given(program=weighed())
def test_offload_to_disk_keeps_files_in_place_of_tensors(kata, device, program):
    """Each saved tensor has a file, not much larger than the tensor, and no copy of it is in memory.

    What a backward pass has read is in memory no longer than that.
    """
    lines, watched = program
    saved = truth.saved(lines, device)
    # Only the excess, since a file's bytes may depend on the digits of its name, and an answer that is run again has to
    # give the same. Python's objects for files take a few hundred bytes each; the smallest tensor has 40,000.
    over = [
        f"max(on_disk - {saved.nbytes + ROOM * saved.tensors}, 0)",
        f"max(alive.python - {max(saved.nbytes // 2, 20_000)}, 0)",
    ]
    seen = kata.run(scenarios.measured, "offload_to_disk", lines, [*watched, *over], device)
    for name in watched:
        if "bytes" in name or name == "in_memory":
            within(seen, name, 0, LITTLE)
    within(seen, "count", saved.different, saved.tensors)
    for name in ("others", *over):
        within(seen, name, 0, 0)


@grades("offload_to_disk")
@TENTH
@given(program=emptied())
def test_offload_to_disk_reads_its_files(kata, device, program):
    """The backward pass reads the files: if zeros are written into them, gradients change, or it fails."""
    lines, watched = program
    seen = kata.run(scenarios.program, "offload_to_disk", lines, watched, device)
    grad = truth.program("offload_to_disk", lines, watched, device, truth.not_offloaded)["grad"]
    got = seen.get("grad") if type(seen) is dict else seen
    if got is not None and type(got) is not torch.Tensor:
        raise Mismatch(got, "a tensor or None", "should be", of="grad")
    if got is not None and got.shape == grad.shape and got.to(grad).allclose(grad):
        raise Mismatch(got, f"anything but {shown(grad)}", "should be", of="grad")
