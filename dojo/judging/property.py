"""A property and what is known about it before it runs: its kata, its place, its device."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dojo.catalog import Kata
from dojo.judging.kata_folder import imported

CPU = ("", "cpu")
"""The devices of a property that runs on the CPU."""


@dataclass(frozen=True)
class Property:
    """One property of a kata on one device."""

    kata: Kata
    test: Callable[..., Any]
    """The function that `grades` has marked."""
    place: int
    """Its place in the file of properties, from 0."""
    device: str
    """`cpu` or `cuda`; "" for a property that takes no device."""
    total: Mapping[str, int]
    """For each function of the kata, how many properties judge it on these devices."""

    @property
    def name(self) -> str:
        """The name of its function: `test_…`."""
        return self.test.__name__

    @property
    def functions(self) -> tuple[str, ...]:
        """The learner's functions that it judges."""
        functions: tuple[str, ...] = getattr(self.test, "grades")  # noqa: B009  (Callable has no such attribute)
        return functions

    @property
    def rule(self) -> str:
        """The sentence that a learner reads when it fails."""
        return " ".join((self.test.__doc__ or "").split())


def properties(kata: Kata, devices: Sequence[str], function: str = "") -> list[Property]:
    """Return the properties of a function, or of all if it is "", in the order of their file, on these devices."""
    tests = marked(imported(kata))
    here = [test for test in tests if test.only_device in ("", *devices)]
    total = Counter(name for test in here for name in test.grades)
    return [
        Property(kata, test, tests.index(test), device, total)
        for test in here
        if function in ("", *test.grades)
        for device in (devices if "device" in inspect.signature(test).parameters else ("",))
    ]


def marked(module: Any) -> list[Any]:
    """Return the test functions of a module that `grades` has marked, in order."""
    return [value for name, value in vars(module).items() if name.startswith("test_") and hasattr(value, "grades")]
