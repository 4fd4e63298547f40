"""Find the right answer to a call that raised or never ended: the property says it when it rejects a wrong one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dojo.judging.expect import Mismatch
from dojo.seam.data import Error, Foreign
from dojo.seam.deadline import Endless
from dojo.seam.seam import Call, Functions, Raised, Seam, Stopped

NEVER_RIGHT = Foreign("nothing")


class Replay(Seam):
    """Answer the calls of an example as they were answered, and the failing call with what is never right."""

    def __init__(self, seam: Seam, call: Call):
        super().__init__(seam.answers)
        self.known = {(known.written, known.setup): known for known in seam.calls}
        self.known[call.written, call.setup] = replace(call, outcome=NEVER_RIGHT)

    def _perform(self, name: str, written: str, setup: tuple[str, ...], *_: Any) -> object:
        known = self.known.get((written, setup))
        if known is None:
            raise Stopped
        if isinstance(known.outcome, Error):
            raise Raised(known.outcome, known)
        return known.outcome


def owed(raised: Raised | Endless, seam: Seam) -> dict[str, Any]:
    """Return what a verdict says about the right answer to the failing call; {} if the property does not say it."""
    latest = Seam.latest
    try:
        if raised.ask_again:
            raised.ask_again(Functions(Replay(seam, raised.call)))
    except Mismatch as mismatch:
        if mismatch.got is NEVER_RIGHT:
            return {"want": mismatch.want, "says": mismatch.says, "wanted": mismatch.wanted, "of": mismatch.of}
    except Exception:  # this property uses an answer before it compares it
        pass
    finally:
        Seam.latest = latest
    return {}
