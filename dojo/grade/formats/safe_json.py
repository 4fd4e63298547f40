"""JSON that every parser reads, and that is harmless also where it is printed to a log or put into a page."""

from __future__ import annotations

import json
from typing import Any

from dojo.report.sanitize import OLD_COMMAND

# All of these stand inside of strings only, so that a JSON escape may take their place.
ESCAPED = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026", OLD_COMMAND: r"\u0023#["}


def dumps(told: Any) -> str:
    """JSON in ASCII. No line of it is a workflow command: each begins with a space, a quote or a bracket."""
    text = json.dumps(told, indent=1, allow_nan=False)
    for sign, escape in ESCAPED.items():
        text = text.replace(sign, escape)
    return text + "\n"
