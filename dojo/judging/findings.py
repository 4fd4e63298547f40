"""The results of the properties of a run, as plain values, and what follows from them for each function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dojo.catalog import Kata, katas
from dojo.judging.diagnose import Variant, with_variant
from dojo.judging.explain import explanations
from dojo.judging.helpers import because, called, lent, line
from dojo.judging.lines import lines_of, unsigned
from dojo.judging.naming import Fit, named
from dojo.judging.outcomes import Outcome, Status
from dojo.judging.pictures import plain
from dojo.judging.profiles import quick
from dojo.judging.property import CPU, Property
from dojo.judging.verdict import Verdict, run
from dojo.seam.data import Error
from dojo.seam.learner_file import nearby
from dojo.seam.seam import Seam, sample

HELD = 30
"""How many examples of a property that held are run on a belief whose answers differ from the learner's."""


@dataclass
class Finding:
    """The result of one property in one tree, as plain values: a worker sends it to the run that reports it.

    total: for each function, how many properties judge it. fits: the beliefs that explain how the learner's function
    answered; None if there were too few calls to tell, or if it was not examined. held: the same for the properties
    that held before. unread: for a property that held, computes its fits once the function fails another one; it is not
    sent. printed: the last line that the learner's code printed, and how many there were. stubs: the untouched
    functions of the file. answered: those that came back from a call, in this property or an earlier one. lines: the
    report; for a function that is to do, the one used if it answered elsewhere. because: the functions that it calls
    and that are to blame, until `settled` says so in the lines. example: the same without what only the learner's code
    can have said. picture: a picture as a plain dict. cause: the verdict's. calls: the calls and their outcomes, if the
    run is recorded. key: a digest of what it depends on (dojo.progress), for the learner's own file.
    """

    kata: str
    tree: str
    property: str
    place: int
    device: str
    functions: list[str]
    total: dict[str, int]
    outcome: str
    function: str = ""
    note: str = ""
    lines: list[list[str]] = field(default_factory=list)
    because: list[str] = field(default_factory=list)
    example: list[list[str]] = field(default_factory=list)
    picture: dict[str, Any] | None = None
    cause: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    fits: list[Fit] | None = None
    held: list[list[Fit]] = field(default_factory=list)
    unread: Callable[..., list[Fit] | None] | None = None
    where: str = ""
    printed: str = ""
    strays: list[str] = field(default_factory=list)
    stubs: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    key: str = ""

    @classmethod
    def of(
        cls, property: Property, seam: Seam, verdict: Verdict, *, tree: str, earlier: Sequence[Finding] = ()
    ) -> Finding:
        """Return the finding of a property that was run after the `earlier` ones of the same file."""
        kata, functions = property.kata, property.functions
        fits, held, unread = None, list[list[Fit]](), None
        helpers = called(kata, verdict.function or (functions[0] if len(functions) == 1 else ""), seam)
        explained = lent(kata, helpers)(explanations)
        for other in earlier:
            other.unread = other.unread if other.functions == list(functions) else None
        if verdict.outcome == Outcome.WRONG:
            before = [other.fits for other in earlier if other.function == verdict.function and other.fits is not None]
            fits = explained(kata, verdict.function, seam.calls, functions, before, accepted=seam.accepted)
            if fits:
                agree = [other.unread(earlier=[fits]) for other in earlier if other.unread]
                held = [found for found in agree if found is not None]
                for other in earlier:
                    other.unread = None
        elif verdict.outcome == Outcome.HELD and len(functions) == 1 and property.device in CPU:
            # The belief must agree with what the function does right elsewhere, too.
            before = [other.fits for other in earlier if other.fits and other.functions == list(functions)]
            holds = functools.partial(_holds, property)
            calls = sample(seam.calls)
            unread = functools.partial(explained, kata, functions[0], calls, holds=holds, accepted=calls)
            if before:
                fits, unread = unread(earlier=before), None
        at = verdict.got.line if isinstance(verdict.got, Error) else None
        at = at or seam.answers.lines.get(verdict.function or functions[0])
        return cls(
            kata=kata.slug,
            tree=tree,
            property=property.name,
            place=property.place,
            device=property.device,
            functions=list(functions),
            total={name: property.total[name] for name in functions},
            outcome=str(verdict.outcome),
            function=verdict.function,
            note=verdict.note,
            lines=lines_of(verdict, property.rule, property.device),
            because=because(kata, verdict.call, helpers),
            example=lines_of(unsigned(verdict, fits or (), kata), property.rule, property.device),
            picture=plain(verdict.picture) if verdict.picture else None,
            cause=str(verdict.cause),
            fits=fits,
            held=held,
            unread=unread,
            where=nearby(seam.answers.path) + (f":{at}" if at else ""),
            strays=[nearby(stray) for stray in seam.answers.strays],
            stubs=sorted(seam.answers.stubs),
            answered=sorted(seam.answered & kata.functions.keys()),
        )

    def plain(self) -> dict[str, Any]:
        """Return the finding as a dict that pytest-xdist can send."""
        told = asdict(replace(self, unread=None))
        del told["unread"]
        return told

    def is_explained_by(self, belief: str, named: Collection[str]) -> bool:
        """Return whether a belief, alone or with another that is named, answers the failing call as the learner did."""
        shown = [dict(fit["beliefs"]).keys() for fit in self.fits or () if fit["shown"]]
        return any(belief in beliefs and beliefs <= {*named} for beliefs in shown)

    def blames(self, function: str) -> bool:
        """Return whether this failure counts against that function."""
        return self.outcome != Outcome.HELD and self.function in ("", function) and function in self.functions


def _holds(property: Property, belief: Variant) -> bool:
    """Return whether a property that held for the learner holds for a belief as well."""
    latest = Seam.latest
    seam = with_variant(property.kata, belief)
    try:
        return run(property.test, seam, device=property.device, seed=0, profile=quick(HELD)).outcome == Outcome.HELD
    finally:
        Seam.latest = latest


MEANS = {
    Outcome.WRONG: Status.WRONG,
    Outcome.TO_DO: Status.TO_DO,
    Outcome.UNREADABLE: Status.NOT_RUN,
    Outcome.NOT_RUN: Status.NOT_RUN,
}
"""The status of a function that a property blames, worst first."""


def is_spared(property: Property, findings: Sequence[Finding]) -> bool:
    """Return whether a property need not run on CUDA: on the CPU, a function that it judges has failed already.

    Such a failure is plainer there, and some of them end CUDA for the process.
    """
    if property.device in CPU:
        return False
    return any(finding.device in CPU and any(map(finding.blames, property.functions)) for finding in findings)


def settled(findings: Sequence[Finding]) -> list[Finding]:
    """Return the final findings of a run: a function is to do only if all its calls raised NotImplementedError.

    A function that answered a call in any property, earlier or later, is wrong instead. Whether a function that another
    one calls is wrong, or to blame though it is done, is known only now.
    """
    answered = {(finding.kata, finding.tree, name) for finding in findings for name in finding.answered}

    def is_wrong(finding: Finding) -> bool:
        blamed = [finding.function] if finding.function else finding.functions
        elsewhere = all((finding.kata, finding.tree, name) in answered for name in blamed)
        return finding.outcome == Outcome.TO_DO and bool(finding.lines) and elsewhere

    def told(finding: Finding) -> Finding:
        if not finding.because:
            return finding
        beside = [other for other in findings if (other.kata, other.tree) == (finding.kata, finding.tree)]
        done = all(status(name, beside)[0] == Status.DONE for name in finding.because)
        return replace(finding, lines=[*finding.lines, line(finding.because, done)], because=[])

    known = map(told, findings)
    return [replace(one, outcome=str(Outcome.WRONG), note="", fits=[]) if is_wrong(one) else one for one in known]


def status(function: str, findings: Sequence[Finding]) -> tuple[Status, str]:
    """Return the status of a function, and why: done only if every property that judges it was run and held."""
    mine = [finding for finding in findings if function in finding.functions]
    blamed = [finding for finding in mine if finding.blames(function)]
    for outcome, word in MEANS.items():
        for finding in blamed:
            if finding.outcome == outcome:
                told = outcome == Outcome.UNREADABLE or (outcome == Outcome.WRONG and finding.lines)
                return word, "" if told else finding.note
    names = {finding.property for finding in mine}
    held = names - {finding.property for finding in mine if finding.outcome != Outcome.HELD}
    if not names:
        return Status.NOT_RUN, ""
    if function in mine[0].stubs and not held:
        return Status.TO_DO, ""
    total = mine[0].total[function]
    if len(held) < total:
        return Status.SO_FAR, f"{len(held)} of its {total} properties were run and held"
    return Status.DONE, ""


def first_failure(function: str, findings: Sequence[Finding]) -> Finding:
    """Return the first failing property of a function that is wrong."""
    wrong = [finding for finding in findings if finding.outcome == Outcome.WRONG and finding.blames(function)]
    return min(wrong, key=lambda finding: (finding.place, finding.device))


def wrong_together(kata: Kata, findings: Sequence[Finding]) -> list[list[str]]:
    """Return the wrong functions of a kata that have an example, grouped if they fail the same property together."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name in kata.functions:
        if status(name, findings) == (Status.WRONG, ""):
            first = first_failure(name, findings)
            groups.setdefault((first.property, first.device, first.function), []).append(name)
    return list(groups.values())


def diagnosis(functions: Sequence[str], findings: Sequence[Finding]) -> list[list[str]]:
    """Return the belief, or the two, that explain all answers of these functions, each with its advice.

    If they failed a property together with other functions, a belief may be about one of those. It must then explain
    their answers as well.
    """
    every = [finding for finding in findings if finding.outcome == Outcome.WRONG]
    wrong = [finding for finding in every if any(map(finding.blames, functions))]
    wrong.sort(key=lambda finding: (finding.place, finding.device))
    others = {name for finding in wrong if not finding.function for name in finding.functions} - set(functions)
    wrong += [finding for finding in every if finding.function in others]
    held = [finding for finding in findings if finding.outcome == Outcome.HELD and finding.functions == list(functions)]
    evidence = [finding.fits for finding in wrong + held if finding.fits is not None]
    return named([*evidence, *(fits for finding in wrong for fits in finding.held)])


def last_printed(text: str) -> str:
    """Return what a table shows of printed text: its last line, and the number of lines."""
    lines = text.splitlines()
    if not lines:
        return ""
    what = f"{lines[-1][:60]!r}"
    return f"{what}, the last of {len(lines):,} lines (-s shows them all)" if len(lines) > 1 else what


def unforeseen(findings: Sequence[Finding]) -> Iterator[tuple[str, list[str], list[dict[str, Any]]]]:
    """Yield the kata, the functions and the recorded calls of each wrong answer without a diagnosis."""
    for slug in sorted({finding.kata for finding in findings}):
        mine = [finding for finding in findings if finding.kata == slug]
        for names in wrong_together(katas()[slug], mine):
            calls = [call for finding in mine if any(map(finding.blames, names)) for call in finding.calls]
            if calls and not diagnosis(names, mine):
                yield slug, names, calls
