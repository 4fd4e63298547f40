"""Anonymous answers: without the texts and names that only a submission can have made up."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any

from dojo.seam.data import Error, Foreign, Words

HIDDEN = "…"
"""Replaces a text that only the submission has."""
LIBRARIES = {"builtins", "collections", "numpy", "torch"}
"""Types of these modules keep their names."""

ERRORS = {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)}
"""The names of Python's built-in exceptions."""


def anonymous(value: object, known: str, words: Container[str] = ()) -> object:
    """Return a copy of an answer that cannot reveal who wrote it, nor say anything about another person.

    A text is kept if it occurs in `known` (the call and the right answer) or is one of `words`. An error keeps only its
    kind. A type keeps its name only if it belongs to a library.
    """

    def told(text: str) -> str:
        return text if text in known or text in words else HIDDEN

    def unsigned(text: Any) -> Any:
        match text:
            case Error():
                return kind_of_error(text)
            case Foreign():
                return text if _is_a_librarys(text.type_name) else Foreign("value of a type of its own")
            case Words():
                return Words(told(text.text))
        return told(text)

    return with_texts(value, unsigned)


def kind_of_error(error: Error) -> Error:
    """Return an error without its message, named after the first of its classes that is built into Python."""
    if error.name == "Endless":
        return replace(error, bases=(), message="still running when it was stopped")
    names = (name for name in (error.name, *error.bases) if name in ERRORS)
    return Error(next(names, "Exception"), (), "", error.line)


def with_texts(value: object, leaf: Callable[[Any], Any]) -> object:
    """Return a copy of plain data in which `leaf` replaces each text, type and error."""
    match value:
        case str() | Words() | Foreign() | Error():
            return leaf(value)
        case list():
            return [with_texts(item, leaf) for item in value]
        case tuple():
            return tuple(with_texts(item, leaf) for item in value)
        case dict():
            return {with_texts(key, leaf): with_texts(item, leaf) for key, item in value.items()}
    return value


def _is_a_librarys(type_name: str) -> bool:
    module, _, name = type_name.rpartition(".")
    module = module or "builtins"
    known = module.partition(".")[0] in LIBRARIES and module in sys.modules
    return known and isinstance(vars(sys.modules[module]).get(name), type)
