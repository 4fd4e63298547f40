"""Hypothesis profiles. Every field is set: where the variable CI is set, hypothesis changes the fields left open."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.internal.conjecture import engine, providers
from hypothesis.internal.conjecture.shrinker import sort_key
from hypothesis.internal.constants_ast import Constants

from dojo.catalog import ROOT

HOME = ROOT / ".hypothesis"

# After each example hypothesis tries up to five more in which one part is copied over another. Of 100 examples some 20
# are then independent, and a wrong answer that one example in 30 shows slips through. There is no setting for it; a
# test of the suite notices when this has no effect any more.
engine.ConjectureRunner.generate_mutations_from = lambda self, data: None  # type: ignore[method-assign]

# Where the first example fails already, hypothesis draws ten, and then shrinks. So few often fit two beliefs.
engine.MIN_TEST_CALLS = 30


# Some numbers are drawn from the literals of whatever modules of the clone happen to be imported: the same seed would
# give other examples after another kata, and after an edit of the learner's own file.
providers.HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]

_reuse = engine.ConjectureRunner.reuse_existing_test_cases
_generate = engine.ConjectureRunner.generate_new_test_cases


def _reuse_and_go_on(self: engine.ConjectureRunner) -> None:
    """Where a remembered example still fails, hypothesis is done. One call is no evidence of a belief: go on."""
    _reuse(self)
    self.reused_previously_shrunk_test_case = False


def _generate_all_the_same(self: engine.ConjectureRunner) -> None:
    """Draw examples as if none were remembered, and keep the smaller one of each kind of failure."""
    remembered, self.interesting_test_cases = self.interesting_test_cases, {}
    try:
        _generate(self)
    finally:  # hypothesis raises where it has drawn enough
        for origin, case in remembered.items():
            found = self.interesting_test_cases.get(origin, case)
            self.interesting_test_cases[origin] = min(case, found, key=lambda one: sort_key(one.nodes))


engine.ConjectureRunner.reuse_existing_test_cases = _reuse_and_go_on  # type: ignore[method-assign]
engine.ConjectureRunner.generate_new_test_cases = _generate_all_the_same  # type: ignore[method-assign]


def register() -> None:
    """Make the profiles learn, grade, deep and quick known, and load learn.

    learn remembers failing examples in .hypothesis of the clone; grade keeps none, and its seed is pytest's
    `--hypothesis-seed`; deep draws ten times as many examples; quick stops at the first failure, as it is.
    """
    set_hypothesis_home_dir(HOME)
    remembered = DirectoryBasedExampleDatabase(HOME / "examples")
    settings.register_profile("learn", _profile(100, remembered))
    settings.register_profile("grade", _profile(100, None))
    settings.register_profile("deep", _profile(1000, remembered))
    settings.register_profile("quick", quick(100))
    settings.load_profile("learn")


def quick(examples: int) -> settings:
    """Settings for the gates: no database, and no shrinking, since nobody reads the example."""
    return settings(_profile(examples, None), phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False)


def one_in(divisor: int) -> settings:
    """One in so many of the examples of the profile that is loaded, for a property whose examples are dear."""
    assert settings.default is not None
    return settings(max_examples=max(1, settings.default.max_examples // divisor))


def _profile(examples: int, database: DirectoryBasedExampleDatabase | None) -> settings:
    return settings(
        max_examples=examples,
        database=database,
        deadline=None,  # no clock decides a verdict
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=True,  # go on after the first failure, as MIN_TEST_CALLS says
        stateful_step_count=10,
        verbosity=Verbosity.normal,
        backend="hypothesis",
        # Phase.explain traces every line of the learner's code, and nothing here reads what it finds.
        phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink),
        # too_slow measures wall time, so a busy machine would fail a right answer.
        suppress_health_check=(HealthCheck.too_slow,),
    )
