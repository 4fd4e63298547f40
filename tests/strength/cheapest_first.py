"""A pytest plugin that runs the properties of a mutant in order of cost, the cheapest first.

mutmut passes them in the order of a set, and most mutants are killed by any of them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

COSTS = Path("mutmut-stats.json")
"""Where mutmut keeps how long each property took of the solution; it is not there while that is measured."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the cheapest property first."""
    if COSTS.exists():
        seconds: dict[str, float] = json.loads(COSTS.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: seconds.get(item.nodeid, 0.0))
