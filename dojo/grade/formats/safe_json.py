"""JSON that is harmless in a log or in a page."""

from __future__ import annotations

import json
from typing import Any

from dojo.report.sanitize import OLD_COMMAND

# These occur inside of strings only, where a JSON escape may replace them.
ESCAPED = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026", OLD_COMMAND: r"\u0023#["}


def dumps(value: Any) -> str:
    """Dump JSON in ASCII. No line is a workflow command: each begins with a space, a quote or a bracket."""
    text = json.dumps(value, indent=1, allow_nan=False)
    for sign, escape in ESCAPED.items():
        text = text.replace(sign, escape)
    return text + "\n"
