"""The outcomes of a property, and the statuses of a function. Imports nothing heavy, so the map needs no torch."""

from enum import StrEnum


class Outcome(StrEnum):
    """The outcome of one property."""

    HELD = "held"
    WRONG = "wrong"
    TO_DO = "todo"
    UNREADABLE = "unreadable"
    NOT_RUN = "not run"
    """It could not be run on this device any more."""


class Status(StrEnum):
    """The status of one function, as learners read it."""

    DONE = "done"
    WRONG = "wrong"
    TO_DO = "to do"
    SO_FAR = "so far"
    """Every property that was run held, but not all were run."""
    NOT_RUN = "not run"
    NOT_JUDGED = "not judged"


class Cause(StrEnum):
    """Why a kata or a function could not be judged to the end, for tables and statistics."""

    MISSING = "missing"
    CANNOT_RUN = "cannot be run"
    NO_END = "did not end"
