"""The properties of kata 20 about names: storages, objects and operations that are predicted."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, grades

from . import scenarios, truth
from .strategies_lines import no_programs, programs
from .strategies_names import events, no_events, no_objects, objects

# There are few kinds of these cases, and each is drawn often.
HALF = one_in(2)

# An answer that changes what it was given does so nearly always.
FEW = one_in(10)


def keeps(kata, function, **arguments):
    """Fail if the function has changed its arguments."""
    lines = [f"{name} = {value!r}" for name, value in arguments.items()]
    lines.append(f"{function}({', '.join(arguments)})")
    seen = kata.run(scenarios.program, function, lines, [*arguments], "cpu")
    expect_each(seen, arguments, "should still be")


@grades("peak_bytes")
@given(case=events())
def test_peak_bytes_are_those_of_real_storages(kata, case):
    """A storage is alive as long as any name refers to it, and counts once."""
    expect(kata.peak_bytes(case), truth.peak_bytes(case), "torch has")


@grades("peak_bytes")
@HALF
@given(wrong=no_events())
def test_peak_bytes_refuses_what_cannot_happen(kata, wrong):
    """A new name that is alive, an old name that is not, nbytes below 0, or an unknown word raises a ValueError."""
    expect_error(ValueError, kata.peak_bytes, wrong.case, because=wrong.because)


@grades("peak_bytes")
@FEW
@given(case=events())
def test_peak_bytes_leaves_the_events(kata, case):
    """The list of events stays as it is."""
    keeps(kata, "peak_bytes", events=case)


@grades("released")
@given(case=objects())
def test_released_are_those_that_python_releases(kata, case):
    """Objects die at once when no reference to them is left; cycles, and what they refer to, wait for the collector."""
    expect(kata.released(*case), truth.released(*case), "Python says")


@grades("released")
@HALF
@given(wrong=no_objects())
def test_released_refuses_names_of_nothing(kata, wrong):
    """A name that is referred to or held, but is not a key of references, raises a ValueError."""
    expect_error(ValueError, kata.released, *wrong.case, because=wrong.because)


@grades("released")
@FEW
@given(case=objects())
def test_released_leaves_its_arguments(kata, case):
    """references and held stay as they are."""
    keeps(kata, "released", references=case.references, held=case.held)


@grades("overwritten")
@given(program=programs())
def test_overwritten_are_those_whose_saved_tensor_raises(kata, program):
    """An operation counts if the memory that it has saved is written to later, under whatever name."""
    expect(kata.overwritten(program), truth.overwritten(program), "torch says")


@grades("overwritten")
@HALF
@given(wrong=no_programs())
def test_overwritten_refuses_what_cannot_run(kata, wrong):
    """An unknown source or operation raises a ValueError.

    So does an in-place operation on the leaf, or one whose target is not its source.
    """
    expect_error(ValueError, kata.overwritten, wrong.case, because=wrong.because)


@grades("overwritten")
@FEW
@given(program=programs())
def test_overwritten_leaves_the_program(kata, program):
    """The program stays as it is."""
    keeps(kata, "overwritten", program=program)
