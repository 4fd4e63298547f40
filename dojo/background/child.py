"""Judge a learner's files in the process of a run, and send the verdict each time it is requested."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

import torch
from hypothesis import settings

from dojo import progress
from dojo.background.messages import At, Judged, Paper, Target
from dojo.catalog import ROOT, katas
from dojo.judging import profiles
from dojo.judging.findings import Finding, settled, status
from dojo.judging.garbage import freeze_imports
from dojo.judging.outcomes import Status
from dojo.judging.property import Property, properties
from dojo.judging.run import judged
from dojo.judging.verdict import Verdict, run
from dojo.report.blocks import alone, render
from dojo.seam.local import for_file

profiles.register()
atexit.register(gc.unfreeze)  # else triton complains at exit about objects that are not freed


def main(end: Connection, targets: Sequence[Target], paper: Paper) -> None:
    """Judge targets until one is not done. Send the verdict, and again for each Paper, until the pipe closes."""
    if hasattr(os, "setsid"):
        os.setsid()  # so that child processes of the learner's code are killed with this one, and have no terminal
    printed = _capture()
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    with contextlib.suppress(EOFError, BrokenPipeError):
        for target in targets:
            findings = _judge(target, devices, printed, end)
            words = _statuses(target, findings)
            if set(words.values()) != {Status.DONE}:
                break
        while True:
            end.send(Judged(target, words, _text(target, findings, paper), [finding.plain() for finding in findings]))
            paper = end.recv()


def _judge(target: Target, devices: Sequence[str], printed: Callable[[], str], end: Connection) -> list[Finding]:
    slug, function = target
    kata = katas()[slug]
    key = progress.key(kata)  # before the file is read, since it may be saved in between
    seam = for_file(kata, ROOT / "katas", kata.module("katas"))
    printed()
    mine = list(dict.fromkeys(property.name for property in properties(kata, devices, function)))

    def ask(property: Property) -> Verdict:
        freeze_imports()
        end.send(At(target, mine.index(property.name) + 1, len(mine)))
        return run(
            property.test,
            seam,
            device=property.device,
            seed=secrets.randbits(64),
            profile=settings.get_profile("learn"),
        )

    findings = settled(list(judged(kata, function, seam, ask, printed, tree="katas", devices=devices)))
    progress.store(kata, key, _statuses(target, findings))
    return findings


def _statuses(target: Target, findings: Sequence[Finding]) -> dict[str, str]:
    slug, function = target
    return {name: status(name, findings)[0] for name in ([function] if function else katas()[slug].functions)}


def _text(target: Target, findings: Sequence[Finding], paper: Paper) -> str:
    slug, function = target
    if not function:
        return render(findings, width=paper.width, colour=paper.colour, blocks=False).strip("\n")
    return alone(katas()[slug], function, findings, width=paper.width, colour=paper.colour)


def _capture() -> Callable[[], str]:
    """Redirect stdin, stdout and stderr. Return a function that returns what stdout has got since its last call."""
    captured = tempfile.TemporaryFile("w+b", buffering=0)  # noqa: SIM115  (stays open until the process ends)
    with open(os.devnull, "r+b") as nothing:
        for stream, file in ((0, nothing), (1, captured), (2, nothing)):
            os.dup2(file.fileno(), stream)

    def printed() -> str:
        with contextlib.suppress(Exception):  # the learner's code may have replaced sys.stdout
            sys.stdout.flush()
        captured.seek(0)
        text = captured.read().decode(errors="replace")
        captured.seek(0)
        captured.truncate()
        return text

    return printed
