"""The long form of the gates."""

import pytest

from dojo.catalog import katas


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --long."""
    parser.addoption("--long", action="store_true", help="run the gates in their long form: 20 seeds instead of 1 to 3")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a kata's name once for each kata."""
    if "slug" in metafunc.fixturenames:
        metafunc.parametrize("slug", list(katas()))


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether --long was given."""
    return bool(request.config.getoption("--long"))
