"""The long form of the gates, and what many tests are run once for each of."""

import signal

import pytest

from dojo.catalog import katas
from dojo.grade.jail.levels import provided

# A shell that starts something in the background has it ignore Ctrl-C, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --long."""
    parser.addoption("--long", action="store_true", help="run the gates in their long form: 20 seeds instead of 1 to 3")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a kata's name once for each; one that takes an isolation at the best level, or at all."""
    if "slug" in metafunc.fixturenames:
        metafunc.parametrize("slug", list(katas()))
    if "isolation" in metafunc.fixturenames:
        found = provided()
        levels = [level for level, why in found.items() if not why]
        none = pytest.param("none", marks=pytest.mark.skip(reason=f"no jail holds here: {found}"))
        long = metafunc.config.getoption("--long")
        metafunc.parametrize("isolation", (levels if long else levels[:1]) or [none], scope="session")


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether --long was given."""
    return bool(request.config.getoption("--long"))
