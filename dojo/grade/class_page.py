"""The page on a class: its functions as bars, what it believes, what splits it, and what no belief explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from dojo.grade.tally import STATUSES, Function, Mistake, SharedBelief, Split, Tally, Unexplained
from dojo.judging.outcomes import Status
from dojo.report.html import STYLE, document, node

CLASS_STYLE = Path(__file__).with_name("class.css")
UNEXPLAINED = 20
"""Maximum number of groups of unexplained answers shown; a record file holds all."""
LABELS = {"you called": "called", "you ran": "ran"}
"""Replacements for labels that address a learner."""
SECTIONS = ("Functions", "Beliefs", "What splits the class", "What no belief explains")


def page(tally: Tally, made: str, *, names: bool) -> str:
    """Render the page. `made` says when it was made, `names` whether it may name anybody."""
    who = _Who(tally, names)
    sections = (_functions(tally, who), _beliefs(tally, who), _splits(tally, who), _unexplained(tally, who))
    body = [
        node("header", node("h1", "What the class believes"), node("p", made, class_="faint"), *_conditions(tally)),
        node("p", node("strong", _summary(tally)), class_="all"),
        node("nav", *(node("a", title, href=f"#{_anchor(title)}") for title in SECTIONS)),
        *(
            node("section", node("h2", title, id=_anchor(title)), *inside)
            for title, inside in zip(SECTIONS, sections, strict=True)
        ),
    ]
    style = STYLE.read_text(encoding="utf-8") + CLASS_STYLE.read_text(encoding="utf-8")
    return document("torch-dojo: what the class believes", style, [_patterns(), node("main", *body)])


class _Who:
    """The names of submissions, if they may be shown."""

    def __init__(self, tally: Tally, may_say: bool):
        self._names = tally.names if may_say else None

    def __call__(self, numbers: Iterable[int], label: str = "who") -> list[Element]:
        """Return a line with their names, or none."""
        if self._names is None:
            return []
        items = [node("li", self._names[number]) for number in numbers]
        return [node("div", node("span", label), node("ul", *items), class_="who")] if items else []


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _summary(tally: Tally) -> str:
    counts = tally.counts()
    everything = sum(counts.values())
    told = [f"{_percent(count, everything)} {status}" for status, count in counts.items() if count]
    functions = sum(map(len, tally.functions.values()))
    return f"{many(len(tally.names), 'submission')}, {many(functions, 'function')}: {', '.join(told)}"


def _conditions(tally: Tally) -> list[Element]:
    """Say how the submissions were graded, and how many in each way if not all were graded alike."""
    alike = len(tally.conditions) == 1
    told = [how if alike else f"{number} × {how}" for how, number in tally.conditions.most_common()]
    return [node("p", text, class_="faint") for text in told]


def many(number: int, noun: str) -> str:
    """Return `1 call`, `2 calls`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def _percent(part: float, whole: float) -> str:
    return f"{round(100 * part / whole)}%" if whole else "0%"


def _functions(tally: Tally, who: _Who) -> Iterator[Element]:
    swatches = [
        node("li", node("svg", _bar_part(status, 0, 1), class_="swatch", aria_hidden="true"), status)
        for status in STATUSES
    ]
    yield node("ul", *swatches, class_="legend")
    for slug in tally.katas:
        title = node("h3", slug, node("span", f"{tally.titles[slug]}, {tally.graded_on[slug]} graded", class_="faint"))
        yield node("div", title, *(_function(one, who) for one in tally.functions[slug].values()), class_="kata")


def _function(one: Function, who: _Who) -> Element:
    counts = {status: one.count(status) for status in STATUSES if one.count(status)}
    words = ", ".join(f"{count} {status}" for status, count in counts.items())
    told = [line for status in STATUSES if status != Status.DONE for line in who(one.by_status[status], status)]
    name = node("div", node("code", one.name), node("small", one.title), class_="name")
    return node("div", name, _bar(counts), node("div", words, class_="counts"), *told, class_="function")


def _bar(counts: dict[Status, int]) -> Element:
    total, at, parts = sum(counts.values()), 0, []
    for status, count in counts.items():
        parts.append(_bar_part(status, at / total, count / total))
        at += count
    return node("svg", *parts, class_="bar", aria_hidden="true")  # the counts beside it say the same


def _bar_part(status: str, start: float, share: float) -> Element:
    name = status.replace(" ", "-")
    return node("rect", x=f"{100 * start:.4g}%", width=f"{100 * share:.4g}%", height="100%", class_=f"part {name}")


def _patterns() -> Element:
    """Return the patterns that tell the parts of a bar apart without color."""
    stripe = node("path", d="M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6", class_="stripe")
    dot = node("circle", cx=2.5, cy=2.5, r=1.1, class_="dot")
    wrong = node("pattern", stripe, id="stripes", width=8, height=8, patternUnits="userSpaceOnUse")
    to_do = node("pattern", dot, id="dots", width=5, height=5, patternUnits="userSpaceOnUse")
    return node("svg", node("defs", wrong, to_do), width=0, height=0, aria_hidden="true", class_="patterns")


def _beliefs(tally: Tally, who: _Who) -> Iterator[Element]:
    if not tally.beliefs:
        yield node("p", "No belief was named.")
    for one in tally.beliefs:
        yield node("div", *_belief(one, tally, who), class_="mistake")


def _belief(one: SharedBelief, tally: Tally, who: _Who) -> Iterator[Element]:
    yield node("h3", one.belief)
    yield _by(one, tally, f"{one.kata} · {', '.join(one.functions)}")
    for advice, functions in one.advice.items():
        where = [node("small", f" ({', '.join(functions)})")] if len(one.advice) > 1 else []
        yield node("p", advice, *where)
    yield from _example([row for row in one.example if row[0] != "the rule"])
    yield from who(one.holders)


def _by(one: Mistake, tally: Tally, where: str) -> Element:
    """Say how many make this mistake, of those who were graded on the kata, and where."""
    of = f"{len(one.holders)} of {tally.graded_on[one.kata]}"
    return node("p", node("strong", of), f" · {where}", class_="by")


def _example(rows: Sequence[Sequence[str]]) -> list[Element]:
    grouped: list[tuple[str, list[str]]] = []
    for label, text in rows:
        if label or not grouped:
            grouped.append((LABELS.get(label, label), []))
        grouped[-1][1].append(text)
    lines = [node("div", node("dt", label), node("dd", _told(label, texts))) for label, texts in grouped]
    return [node("dl", *lines)] if lines else []


def _told(label: str, texts: Sequence[str]) -> Element:
    if label in ("the rule", "but"):
        return node("p", *texts)
    return node("pre", node("code", "\n".join(texts)), tabindex="0", class_="lines" if len(texts) > 1 else "")


def _splits(tally: Tally, who: _Who) -> Iterator[Element]:
    found = tally.splits()
    if not found:
        yield node("p", "No function does: of those who tried one, all have it done, or all have it wrong.")
    for one in found:
        yield node("div", *_split(one, who), class_="mistake")


def _split(one: Split, who: _Who) -> Iterator[Element]:
    done, wrong = one.function.by_status[Status.DONE], one.function.by_status[Status.WRONG]
    yield node("h3", one.function.name, node("span", f"{one.kata} · {one.function.title}", class_="faint"))
    text = f"{len(done)} have it done, {len(wrong)} have it wrong."
    if one.others_done is not None and one.others_wrong is not None:
        shares = _percent(one.others_done, 1), _percent(one.others_wrong, 1)
        text += f" Of all other functions, the former have {shares[0]} done, the latter {shares[1]}."
    yield node("p", text)
    yield from (*who(done, Status.DONE), *who(wrong, Status.WRONG))


def _unexplained(tally: Tally, who: _Who) -> Iterator[Element]:
    groups = tally.unexplained
    if not groups and not tally.silent:
        yield node("p", "Nothing: a belief was named for each wrong answer.")
    if any(one.record for one in groups):
        turn = node("code", "python -m tests.strength.harvest FILE")
        command = node("code", "dojo class DIR --record FILE")
        yield node("p", command, " keeps what they were asked and answered; ", turn, " turns it into misconceptions.")
    for one in groups[:UNEXPLAINED]:
        yield node("div", *_group(one, tally, who), class_="mistake")
    if len(groups) > UNEXPLAINED:
        yield node("p", f"… and {len(groups) - UNEXPLAINED} more, each of {len(groups[UNEXPLAINED].holders)} at most")
    if tally.silent:
        yield node("p", "Wrong without an example, since they did not end, took too much, or are not there:")
        rows = [
            node("li", f"{slug} · {name}: {len(numbers)}", *who(numbers))
            for (slug, name), numbers in sorted(tally.silent.items())
        ]
        yield node("ul", *rows, class_="silent")


def _group(one: Unexplained, tally: Tally, who: _Who) -> Iterator[Element]:
    calls = f", {many(len(one.record['calls']), 'call')} recorded" if one.record else ""
    yield node("h3", ", ".join(one.functions))
    yield _by(one, tally, f"{one.kata}{calls}")
    yield from _example(one.example)
    yield from who(one.holders)
