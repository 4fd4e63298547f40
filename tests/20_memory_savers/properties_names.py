"""The properties of kata 20 of names: storages, objects and operations that are predicted."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, grades

from . import scenarios, truth
from .strategies_lines import no_programs, programs
from .strategies_names import events, no_events, no_objects, objects

# There are few kinds of them, and each is drawn often.
HALF = one_in(2)

# An answer that changes what it was given does so nearly always.
FEW = one_in(10)


def keeps(kata, function, **arguments):
    """Fail where the function has changed what it was given."""
    lines = [f"{name} = {value!r}" for name, value in arguments.items()]
    lines.append(f"{function}({', '.join(arguments)})")
    seen = kata.run(scenarios.program, function, lines, [*arguments], "cpu")
    expect_each(seen, arguments, "should still be")


@grades("peak_bytes")
@given(case=events())
def test_peak_bytes_are_those_of_real_storages(kata, case):
    """A storage is there as long as any name stands for it, and counts once."""
    expect(kata.peak_bytes(case), truth.peak_bytes(case), "torch has")


@grades("peak_bytes")
@HALF
@given(wrong=no_events())
def test_peak_bytes_refuses_what_cannot_happen(kata, wrong):
    """A name that is alive is not given again, and one that is not stands for nothing."""
    expect_error(ValueError, kata.peak_bytes, wrong.case, because=wrong.because)


@grades("peak_bytes")
@FEW
@given(case=events())
def test_peak_bytes_leaves_the_events(kata, case):
    """The list belongs to the caller."""
    keeps(kata, "peak_bytes", events=case)


@grades("released")
@given(case=objects())
def test_released_are_those_that_python_releases(kata, case):
    """At once where no reference is left; only the collector finds cycles, and what hangs on them."""
    expect(kata.released(*case), truth.released(*case), "Python says")


@grades("released")
@HALF
@given(wrong=no_objects())
def test_released_refuses_names_of_nothing(kata, wrong):
    """Each name that is referred to or held is a key."""
    expect_error(ValueError, kata.released, *wrong.case, because=wrong.because)


@grades("released")
@FEW
@given(case=objects())
def test_released_leaves_its_arguments(kata, case):
    """The lists belong to the caller."""
    keeps(kata, "released", references=case.references, held=case.held)


@grades("overwritten")
@given(program=programs())
def test_overwritten_are_those_whose_saved_tensor_raises(kata, program):
    """Saved is the input, the result, a copy or nothing; whoever writes to that memory later, it is noticed."""
    expect(kata.overwritten(program), truth.overwritten(program), "torch says")


@grades("overwritten")
@HALF
@given(wrong=no_programs())
def test_overwritten_refuses_what_cannot_run(kata, wrong):
    """Names are there before they are used, and a leaf that requires grad is not written to."""
    expect_error(ValueError, kata.overwritten, wrong.case, because=wrong.because)


@grades("overwritten")
@FEW
@given(program=programs())
def test_overwritten_leaves_the_program(kata, program):
    """The list belongs to the caller."""
    keeps(kata, "overwritten", program=program)
