"""Grade one submission: check every property of every function through the jail, and return a Result."""

from __future__ import annotations

import contextlib
import hashlib
import json
import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from hypothesis import settings

from dojo.catalog import Kata
from dojo.grade import replay, truths
from dojo.grade.intake.submission import Submission
from dojo.grade.jail.channel import Lost, OutOfTime, Unstarted
from dojo.grade.jail.jail import NoJail
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed
from dojo.grade.jails import Jails
from dojo.grade.order import rules
from dojo.grade.recording import recorded
from dojo.grade.result import Belief, FunctionResult, KataResult, Result, Row
from dojo.judging import profiles, records
from dojo.judging.findings import Finding, diagnosis, first_failure, settled, status, unforeseen, wrong_together
from dojo.judging.garbage import freeze_imports
from dojo.judging.outcomes import Cause, Outcome, Status
from dojo.judging.pictures import Picture, plain
from dojo.judging.property import Property
from dojo.judging.run import judged
from dojo.judging.verdict import Verdict, changeable, fixtures, run, unjudged
from dojo.report.blocks import block, block_lines
from dojo.report.sanitize import LINES
from dojo.seam.seam import Broken

WIDTH = 80
"""Columns of a report."""


def grade(
    submission: Submission,
    *,
    katas: Sequence[Kata],
    seed: str,
    level: str,
    device: str = "cpu",
    limits: Limits | None = None,
    jails: Jails | None = None,
) -> Result:
    """Grade a submission in new jails of this level (see dojo.grade.jail.levels), or in the given ones.

    The same submission and seed give the same result, except for its times. NoJail if a jail does not start.
    """
    if jails is None:
        with contextlib.closing(Jails(level, limits or Limits(), device, katas)) as jails:
            return grade(submission, katas=katas, seed=seed, level=level, device=device, jails=jails)
    began, before = datetime.now(UTC), time.monotonic()
    for torch_too in sorted({"torch" not in kata.forbidden for kata in katas if kata.slug in submission.files}):
        jails.prepare(torch_too)  # the jail imports torch while this process does
    import torch  # slow to import, and not needed to print help

    torch.set_num_threads(1)  # as in the jail: the rounding of a sum depends on it
    profiles.register()
    for kata in katas:
        if jails.ahead and kata.slug in submission.files:  # others of the same seed follow
            truths.remember(kata)
    try:
        graded = tuple(_told(submission, kata, _kata(submission, kata, seed, device, jails)) for kata in katas)
    except Unstarted as error:
        raise NoJail(str(error)) from None
    finally:
        jails.end()
    return Result(
        submission=submission.name,
        isolation=level,
        device=device,
        dojo=version("torch-dojo"),
        torch=str(torch.__version__),
        python=platform.python_version(),
        katas=graded,
        notes=submission.notes,
        times={"began": began.isoformat(timespec="seconds"), "seconds": round(time.monotonic() - before, 1)},
    )


def _told(submission: Submission, kata: Kata, result: KataResult) -> KataResult:
    """Add digests of the graded file and of the rules that judged it."""
    data = submission.files.get(kata.slug)
    file = "" if data is None else hashlib.sha256(data).hexdigest()
    return replace(result, file=file, rules=rules((kata.slug,)))


def _kata(submission: Submission, kata: Kata, seed: str, device: str, jails: Jails) -> KataResult:
    strays = submission.strays.get(kata.slug, ())
    notes = tuple(f"{stray} is not read: only {kata.filename} counts" for stray in strays)
    if kata.slug not in submission.files:
        return _without(kata, Cause.MISSING, f"there is no {kata.slug}/{kata.filename}", notes)
    path = submission.paths[kata.slug]
    seam = Jailed(kata, submission.files[kata.slug], path, strays, jails)
    try:
        seam.begin(None)
    except Lost as lost:
        return _without(kata, Cause.CANNOT_RUN, f"{path} cannot be run: {lost}", notes)
    if seam.answers.trouble is not None:
        return _without(kata, Cause.CANNOT_RUN, seam.answers.trouble, notes)
    findings = _judge(kata, seam, seed, device)
    printed = "; ".join(dict.fromkeys(finding.printed for finding in findings if finding.printed))
    return KataResult(kata.slug, kata.title, _functions(kata, findings), notes=notes, printed=printed)


def _without(kata: Kata, cause: Cause, trouble: str, notes: tuple[str, ...]) -> KataResult:
    functions = tuple(
        FunctionResult(function.name, function.title, function.points, Status.NOT_RUN)
        for function in kata.functions.values()
    )
    return KataResult(kata.slug, kata.title, functions, trouble, notes, cause=str(cause))


def _judge(kata: Kata, seam: Jailed, seed: str, device: str) -> list[Finding]:
    """Run each property in the order of its file, except those whose functions have all lost their process."""
    lost: set[str] = set()
    held = True

    def ask(property: Property) -> Verdict | None:
        nonlocal held
        if set(property.functions) <= lost:
            return None
        freeze_imports()
        if not held:
            seam.opened = False  # a wrong function may have spoiled its process for the next one
        verdict = _verdict(property.test, seam, property.device, _number(seed, kata, property.test))
        held = verdict.outcome in (Outcome.HELD, Outcome.TO_DO)
        lost.update(property.functions if verdict.call is None and verdict.outcome == Outcome.WRONG else ())
        return verdict

    findings = []
    for finding in judged(kata, "", seam, ask, seam.printed, tree="submission", devices=[device]):
        if finding.outcome == Outcome.WRONG:
            with contextlib.suppress(Exception):  # an error here must not prevent a grade
                finding.calls = recorded(call for call in seam.calls if call.function == finding.function)
        findings.append(finding)
    return settled(findings)


def _verdict(test: Any, seam: Jailed, device: str, number: int) -> Verdict:
    try:
        seam.begin(test.grades)
        given = fixtures(test, seam, device)
        profile = settings.get_profile("grade")
        origin = number, profile.max_examples
        again = replay.holds(test, origin, given, seam)
        failed = seam.calls[-1] if again is False and seam.calls else None
        if again:
            return Verdict(Outcome.HELD)
        seam.opened = seam.opened and again is None
        seam.begin(test.grades)  # in a new process, if an example failed or the process is lost
        with replay.noting(test, origin, given, seam) as note:
            verdict = run(test, seam, device=device, seed=number, profile=profile)
        if verdict.outcome == Outcome.HELD:
            note()
            return changeable(failed) if failed else verdict
        return verdict
    except Lost as lost:
        cause = Cause.NO_END if isinstance(lost, OutOfTime) else ""
        return Verdict(Outcome.WRONG, seam.asked, note=str(lost), cause=cause)
    except Broken as broken:
        return Verdict(Outcome.WRONG, seam.asked, note=f"it could not be asked: {broken}")
    except Exception as error:  # a failure that the judge does not know earns nothing
        return unjudged(error)


def _number(seed: str, kata: Kata, test: Any) -> int:
    """Derive the seed of one property. Without the course's seed, nobody can predict what it draws."""
    return int.from_bytes(hashlib.sha256(f"{seed}\0{kata.slug}\0{test.__name__}".encode()).digest()[:8])


def _functions(kata: Kata, findings: list[Finding]) -> tuple[FunctionResult, ...]:
    groups = {name: names for names in wrong_together(kata, findings) for name in names}
    unexplained = {names[0]: records.record(slug, names, calls) for slug, names, calls in unforeseen(findings)}
    made = []
    for function in kata.functions.values():
        name = function.name
        word, note = status(name, findings)
        mine = [finding for finding in findings if name in finding.functions]
        held = sum(finding.outcome == Outcome.HELD for finding in mine)
        unreadable = next((finding.note for finding in mine if finding.outcome == Outcome.UNREADABLE), "")
        wrong = next((one for one in mine if one.outcome == Outcome.WRONG and one.blames(name)), None)
        report, rows = _report(kata, groups[name], findings) if name in groups else ((), ())
        made.append(
            FunctionResult(
                name,
                function.title,
                function.points,
                word,
                note or unreadable,
                report,
                held,
                total=mine[0].total[name] if mine else 0,
                cause=wrong.cause if wrong else "",
                rows=rows,
                beliefs=_beliefs(groups[name], findings) if name in groups else (),
                example=_example(name, findings) if name in groups else (),
                record=unexplained.get(name, {}),
            )
        )
    return tuple(made)


def _beliefs(functions: list[str], findings: list[Finding]) -> tuple[Belief, ...]:
    first = first_failure(functions[0], findings)
    named = dict(diagnosis(functions, findings))
    return tuple(Belief(belief, advice, first.is_explained_by(belief, named)) for belief, advice in named.items())


def _example(function: str, findings: list[Finding]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, first_failure(function, findings).example))


def _report(kata: Kata, functions: list[str], findings: list[Finding]) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    try:
        found = block(kata, functions, findings)
        return tuple(block_lines(found, width=WIDTH)), tuple(_row(*pair) for pair in found[:LINES])
    except Exception as error:
        return (f"there is no report: {type(error).__name__}",), ()


def _row(label: str, content: str | Picture) -> Row:
    if isinstance(content, str):
        return Row(label, content)
    return Row(label, picture=json.loads(json.dumps(plain(content))))  # with lists, as when it is read
