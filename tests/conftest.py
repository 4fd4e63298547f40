"""The long form of the gates, and what many tests are run once for each of."""

import signal
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest
from hypothesis import settings

from dojo.catalog import katas
from dojo.grade.jail.levels import provided
from dojo.judging import evidence, profiles, replay, telling
from dojo.judging import examples as drawing
from dojo.judging.garbage import freeze_imports
from dojo.judging.property import Property, properties

# A shell that starts something in the background has it ignore Ctrl-C, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --long."""
    parser.addoption(
        "--long",
        action="store_true",
        help="run every attack at every level, and the gates in 20 seeds",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a kata's name once for each; one that takes an isolation at the best level, or at all.

    One that takes all isolations at once is run once, with the best one or with all.
    """
    if "slug" in metafunc.fixturenames:
        metafunc.parametrize("slug", list(katas()))
    if not {"isolation", "isolations"}.isdisjoint(metafunc.fixturenames):
        found = provided()
        levels = [level for level, why in found.items() if not why]
        none = pytest.param("none", marks=pytest.mark.skip(reason=f"no jail holds here: {found}"))
        long = metafunc.config.getoption("--long")
        chosen = levels if long else levels[:1]
        if "isolation" in metafunc.fixturenames:
            metafunc.parametrize("isolation", chosen or [none], scope="session")
        if "isolations" in metafunc.fixturenames:
            metafunc.parametrize("isolations", [pytest.param(chosen, id="-".join(chosen))] if chosen else [none])


@pytest.fixture(autouse=True)
def _frozen() -> None:
    """Freeze what new modules hold, as a learner's run does: some of what is measured collects in each program."""
    freeze_imports()


@pytest.fixture
def shrinks(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many looks the grader takes once an example has failed, and how many it replays for beliefs."""

    def few(number: int) -> None:
        monkeypatch.setattr(drawing, "SHRINKS", number)
        monkeypatch.setattr(evidence, "MORE", number)
        monkeypatch.setattr(replay, "REPLAYS", number)
        for module in (evidence, telling):
            monkeypatch.setattr(module, "PROFILE", settings(evidence.PROFILE, max_examples=number))

    return few


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch, shrinks: Callable[[int], None]) -> Iterator[Callable[[int], None]]:
    """Sets how many examples the grader draws of a property; none is made smaller, and few more are looked at."""
    register = profiles.register

    def few(number: int) -> None:
        profile = profiles.quick(number)
        monkeypatch.setattr(profiles, "register", lambda: settings.register_profile("grade", profile))
        profiles.register()
        shrinks(number)

    yield few
    register()


@pytest.fixture
def examples(draws: Callable[[int], None], long: bool) -> Callable[[int], None]:
    """The same, but for the long form, which draws as many as a course does."""
    return (lambda number: None) if long else draws


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> Callable[[Collection[str]], set[str]]:
    """Sets which functions of a kata the grader judges, and returns them."""

    def few(names: Collection[str]) -> set[str]:
        chosen = set(names)

        def some(*given: Any) -> list[Property]:
            return [property for property in properties(*given) if not chosen.isdisjoint(property.functions)]

        monkeypatch.setattr("dojo.judging.run.properties", some)
        return chosen

    return few


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether --long was given."""
    return bool(request.config.getoption("--long"))
