"""What torch says when it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def refusal(function: Callable[..., Any], *arguments: Any) -> str:
    """What torch says when it refuses, in one line. An AssertionError where it does not: then the case is wrong."""
    try:
        function(*arguments)
    except (RuntimeError, IndexError, ValueError) as error:
        return str(error).strip().partition("\n")[0]
    raise AssertionError(f"torch accepts {arguments}")


def count(number: int, noun: str) -> str:
    """`1 element`, `6 elements`."""
    return f"{number} {noun}{'s' * (number != 1)}"
