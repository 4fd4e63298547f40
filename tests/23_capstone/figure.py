"""The figure of lesson 23."""

from typing import Any


def measure() -> dict[str, Any]:
    """WRITE: what is measured."""
    return {"n": [0, 1, 2]}


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """WRITE: what is drawn."""
    figure.add_subplot().plot(numbers["n"])
