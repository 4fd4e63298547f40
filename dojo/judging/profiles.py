"""Hypothesis profiles. Every field is set, because hypothesis changes unset fields if the variable CI is set."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase

from dojo.catalog import ROOT
from dojo.judging.backend import INDEPENDENT

HOME = ROOT / ".hypothesis"


def register() -> None:
    """Register the profiles learn, grade, deep and quick, and load learn.

    learn remembers failing examples in .hypothesis of the clone. grade keeps none, and takes its seed from pytest's
    `--hypothesis-seed`. deep draws ten times as many examples. quick stops at the first failure, without shrinking it.
    """
    set_hypothesis_home_dir(HOME)
    remembered = DirectoryBasedExampleDatabase(HOME / "examples")
    settings.register_profile("learn", _profile(100, remembered))
    settings.register_profile("grade", _profile(100, None))
    settings.register_profile("deep", _profile(1000, remembered))
    settings.register_profile("quick", quick(100))
    settings.load_profile("learn")


def quick(examples: int) -> settings:
    """Return settings for the gates: no database, and no shrinking, since nobody reads the example."""
    return settings(_profile(examples, None), phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False)


def _profile(examples: int, database: DirectoryBasedExampleDatabase | None) -> settings:
    return settings(
        max_examples=examples,
        database=database,
        deadline=None,  # no clock decides a verdict
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=True,
        stateful_step_count=10,
        verbosity=Verbosity.normal,
        backend=INDEPENDENT,
        # Phase.explain traces every line of the learner's code, and nothing here reads what it finds.
        phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink),
        # too_slow measures wall time, so a busy machine would fail a right answer.
        suppress_health_check=(HealthCheck.too_slow,),
    )
