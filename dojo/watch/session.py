"""The state of `dojo watch`: the current function, the run, and the screen."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Any

from dojo import catalog, progress
from dojo.background.messages import At, Ended, Judged, Message, Target
from dojo.background.run import Run
from dojo.catalog import ROOT, Kata
from dojo.judging.outcomes import Status
from dojo.tools.hint import COUNTS, hints
from dojo.watch import screen

TREE = ROOT / "katas"
KEYS = "n next · h hint · a all · q quit"
SOON = 0.5
"""Seconds before a run shows its progress, so that the screen does not flicker."""

Event = tuple[Any, ...]
"""("key", "n"), ("resize",), ("saved",), ("tick",) or ("heard", run, message)."""


class Session:
    """One session of `dojo watch`.

    focus: the current function; None until the first verdict. asked: the targets to judge, in order, up to the first
    that is not done. at: the target that is being judged. judging: whether the verdict is still to come.
    """

    def __init__(self, katas: Sequence[Kata], events: SimpleQueue[Event], *, keys: bool):
        self.targets: list[Target] = [(kata.slug, name) for kata in katas for name in kata.functions]
        self.events = events
        self.keys = keys
        self.focus: Target | None = None
        self.asked: Sequence[Target] = self.targets
        self.at: Target = self.targets[0]
        self.run: Run | None = None
        self.judging = False
        self.hinted = False
        self.seen: dict[str, str] = {}
        self.runs = 0
        self.text = self.remark = self.status = ""

    def begin(self) -> None:
        """Start a run that looks for the first function that is not done."""
        self.status = "importing torch …"
        if not self.keys:
            print(f"watching {TREE}: saved files are judged; Ctrl-C quits", flush=True)
        self.judge(self.targets)

    def go_on(self, kind: str, *what: Any) -> bool:
        """Handle an event. Return False to quit."""
        match kind, *what:
            case "key", "q":
                return False
            case "key", "n":
                place = self.targets.index(self.focus) + 1 if self.focus else 0
                self.judge(self.targets[place:] + self.targets[:place])
            case "key", "a":
                self.judge([((self.focus or self.targets[0])[0], "")])
            case "key", "h" if self.focus:
                self.hints(again=False)
                self.hinted = True
                self.draw()
            case ("resize",):
                if self.run and not self.judging:
                    self.run.write(screen.paper())
                self.draw()
            case ("saved",):
                self.saved()
            case ("tick",) if self.judging:
                self.draw()
            case "heard", run, message if run is self.run:
                self.hear(message)
        return True

    def judge(self, asked: Sequence[Target]) -> None:
        """Kill the current run and start a new one. If there are several functions, skip those that are done."""
        self.stop()
        self.asked = asked
        self.runs += 1
        self.began = time.monotonic()
        if self.runs > 1:
            self.status = f"run {self.runs} …"
        self.draw()
        katas = {slug: catalog.katas()[slug] for slug, _ in asked}
        self.seen |= {slug: _digest(kata) for slug, kata in katas.items()}
        if len(asked) > 1:
            states = {slug: progress.read(kata).states for slug, kata in katas.items()}
            asked = [(slug, name) for slug, name in asked if not states[slug][name].is_done] or asked[-1:]
        self.run = Run(asked, screen.paper(), lambda run, message: self.events.put(("heard", run, message)))
        self.judging = True

    def stop(self) -> None:
        """Kill the run, if there is one."""
        if self.run:
            self.run.kill()
        self.run = None

    def saved(self) -> None:
        """If a file has changed, judge again: during a run its targets, after its verdict the current function."""
        again = [self.focus] if self.focus and not self.judging else self.asked
        if any(self.seen.get(slug) != _digest(catalog.katas()[slug]) for slug, _ in again):
            self.judge(again)

    def hear(self, message: Message) -> None:
        """Show a message of the run."""
        match message:
            case At():
                self.at = message.target
                what = " ".join(filter(None, message.target))
                self.status = f"run {self.runs} · {what} · property {message.place} of {message.of} …"
                if time.monotonic() - self.began > SOON:
                    self.draw()
            case Judged():
                self.text = message.text
                if self.run and self.run.paper != screen.paper():  # resized while it ran
                    self.run.write(screen.paper())
                if self.judging:
                    return self.verdict(message)
                self.draw()
            case Ended() if self.judging:
                self.focus = self.at if self.at in self.targets else self.focus
                self.text, self.remark = " · ".join(filter(None, self.at)), ""
                self.conclude(f"no verdict: {message.why}")

    def verdict(self, message: Judged) -> None:
        """Show the outcome of the run, and what to do next."""
        slug, name = message.target
        self.remark = ""
        if not name:
            self.hinted = False
            done = list(message.statuses.values()).count(Status.DONE)
            return self.conclude(f"{done} of {len(message.statuses)} functions done")
        if message.target != self.focus:
            self.focus, self.hinted = message.target, False
        word = message.statuses[name]
        self.hinted &= word != Status.DONE
        if word == Status.DONE and len(self.asked) > 1:
            self.remark = f"All {len(self.targets)} functions are done."
            if len({slug for slug, _ in self.targets}) == 1:
                self.remark += "".join([f" Next: dojo watch {it[:2]}" for it in catalog.katas() if it > slug][:1])
        elif word in (Status.DONE, Status.SO_FAR):
            how = "press n" if self.keys else "press Ctrl-C and run the same command again"
            self.remark = f"For the next function, {how}."
        self.conclude("not read" if word == Status.NOT_RUN else word)

    def conclude(self, what: str) -> None:
        """End the run, and show its status."""
        self.judging = False
        self.status = f"run {self.runs} · {what} · {time.monotonic() - self.began:.1f} s"
        self.draw()
        if not self.keys:
            print("\n".join(["", self.text, *filter(None, [self.remark]), self.status]), flush=True)

    def draw(self) -> None:
        """Redraw the screen, if there is one."""
        if self.keys:
            hints = self.hints(again=True) if self.hinted else ""
            passed = time.monotonic() - self.began
            waiting = self.judging and passed > SOON
            status = f"{self.status} {passed:.0f} s" if waiting else self.status
            remark, status, keys = map(screen.wrapped, (self.remark, status, KEYS))
            screen.draw(screen.dimmed(self.text) if waiting else self.text, remark, hints, status, keys)

    def hints(self, *, again: bool) -> str:
        """Return the hints of the current function shown so far, and one more unless `again`."""
        assert self.focus is not None
        return hints(catalog.katas()[self.focus[0]], self.focus[1], again, COUNTS, screen.paper().width)


def _digest(kata: Kata) -> str:
    """Return a digest of a kata's file, or the name of the error that reading it raises."""
    try:
        return hashlib.sha256(kata.source(TREE).read_bytes()).hexdigest()
    except OSError as error:
        return type(error).__name__
