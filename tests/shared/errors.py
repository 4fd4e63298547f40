"""Error messages of torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def refusal(function: Callable[..., Any], *arguments: Any) -> str:
    """Return the first line of torch's error. If torch accepts the call, the case is wrong: raise AssertionError."""
    try:
        function(*arguments)
    except (RuntimeError, IndexError, ValueError) as error:
        return str(error).strip().partition("\n")[0]
    raise AssertionError(f"torch accepts {arguments}")


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 element`, `6 elements`."""
    return f"{number} {noun}{'s' * (number != 1)}"
