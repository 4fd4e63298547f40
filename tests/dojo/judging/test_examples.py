"""Properties outside pytest: they draw what the profile and the seed say, by public means of hypothesis alone."""

import contextlib

import pytest
from hypothesis import Phase, settings
from hypothesis import given as plain_given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from dojo.judging.examples import SHRINKS, Shrinking, given, in_turn, one_in, run, run_state_machine
from dojo.judging.expect import grades
from dojo.judging.profiles import quick

drawn: list[int | str] = []


class Learner:
    """Stands for the seam of a run."""


@given(n=st.integers(0, 10**9))
def plain(kata, n):
    """Note what is drawn."""
    drawn.append(n)


@one_in(4)
@given(n=st.integers(0, 10**9))
def dear(kata, n):
    """Note what is drawn, a quarter of what others draw."""
    drawn.append(n)


class Machine(RuleBasedStateMachine):
    """A machine whose steps note what is drawn."""

    @rule(n=st.integers(0, 10**9))
    def step(self, n):
        """Note it."""
        drawn.append(n)

    def teardown(self):
        """Mark the end of an example."""
        drawn.append("end")


def machine(kata):
    """A property that is a state machine."""
    run_state_machine(lambda: Machine(), one_in=2, steps=3)


def drawn_by(test, *, examples=40, seed=0):
    """What a property draws under the profile quick."""
    drawn.clear()
    run(test, {"kata": Learner()}, profile=quick(examples), seed=seed)
    return list(drawn)


@pytest.mark.parametrize("test", [plain, dear, machine])
def test_a_seed_gives_the_same_examples_and_another_one_others(test):
    """For state machines as well."""
    assert drawn_by(test) == drawn_by(test)
    assert drawn_by(test) != drawn_by(test, seed=1)


def test_a_property_draws_as_many_examples_as_the_profile_says():
    """Other than the profile that was loaded where it was defined."""
    assert len(drawn_by(plain)) == 40
    assert len(drawn_by(plain, examples=3)) == 3


def test_a_dear_property_keeps_its_number_under_another_profile():
    """A quarter of the profile that was loaded where it was defined, or fewer where the other one draws fewer."""
    assert settings.default is not None
    assert len(drawn_by(dear, examples=10**6)) == settings.default.max_examples // 4
    assert len(drawn_by(dear, examples=3)) == 3


def test_a_state_machine_draws_its_share_of_the_profile_and_so_many_steps():
    """Half as many stories as other properties have examples, of three steps at most."""
    stories = " ".join("." if step != "end" else step for step in drawn_by(machine)).split("end")[:-1]
    assert len(stories) == 20
    assert max(story.count(".") for story in stories) == 3


def test_fixed_cases_are_asked_by_the_profile():
    """All for a grade and for the gates, all but the last while somebody learns, one where few are drawn."""
    asked: list[str] = []

    def three(kata):
        asked.extend(in_turn("abc"))

    found = {}
    for name, profile in {
        "grade": settings.get_profile("grade"),
        "learn": settings.get_profile("learn"),
        "gates": quick(100),
        "few": quick(10),
    }.items():
        asked.clear()
        run(three, {"kata": None}, profile=profile, seed=0)
        found[name] = "".join(asked)
    assert found == {"grade": "abc", "learn": "ab", "gates": "abc", "few": "a"}


def test_pytest_runs_a_property_under_the_settings_that_it_was_defined_with():
    """It is an ordinary test of hypothesis'."""
    drawn.clear()
    plain(kata=None)
    assert settings.default is not None
    assert len(drawn) == settings.default.max_examples


def test_another_function_runs_on_the_same_examples():
    """As the evidence for a diagnosis is gathered."""
    seen = []
    run(plain, {"kata": None}, profile=quick(40), seed=0, inner=lambda kata, n: seen.append(n))
    assert seen == drawn_by(plain)


def test_a_property_that_cannot_be_drawn_anew_is_refused():
    """With hypothesis' own given, no seed would reach it."""
    with pytest.raises(TypeError, match=r"property_ .*given of dojo\.judging\.examples"):

        @grades("f")
        @plain_given(n=st.integers())
        def property_(kata, n):
            """Nothing."""


@one_in(2)
@given(numbers=st.lists(st.integers(0, 10**6), min_size=9, max_size=9))
def large(kata, numbers):
    """Fail for nearly all, and note what is asked: there are many smaller examples."""
    drawn.append(sum(numbers))
    assert sum(numbers) < 1000 or len({*numbers}) < 9


def test_a_dear_property_ends_its_search_for_a_smaller_example():
    """In each run anew. It ends with an example that has failed, and what comes after the search is not asked."""
    profile = settings(quick(40), phases=tuple(Phase))
    for _ in range(2):
        drawn.clear()
        with pytest.raises(AssertionError):
            run(large, {"kata": Learner()}, profile=profile, seed=0)
        assert int(drawn[-1]) >= 1000
        assert SHRINKS // 2 < len(drawn) <= 40 // 2 + SHRINKS + 3


def test_what_has_failed_is_asked_again_when_the_search_is_over():
    """hypothesis asks the smallest one once more at its end: it has to fail then as well."""
    shrinking = Shrinking()
    with contextlib.suppress(ZeroDivisionError), shrinking.asking("first") as asks:
        _ = asks and 1 / 0
    for number in range(SHRINKS + 3):
        with shrinking.asking(number) as asks:
            assert asks is (number < SHRINKS)
    with shrinking.asking("first") as asks:
        assert asks
