"""`dojo regrade`: grade some katas of many submissions again, and merge them into the results once all are there.

The new results are first written to a separate folder. Once they are complete, the changes are written there, and then
a list of the results to merge. From then on, the same command only merges and grades nothing.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dojo.files import write_whole
from dojo.grade import changes, order_file
from dojo.grade.command_grade import NoGrade, chosen_katas, level_for
from dojo.grade.command_grade_all import SEED, Book, generated_seed, outcomes, submissions, write_tables
from dojo.grade.intake.submission import SubmissionError
from dojo.grade.intake.submission import read as read_submission
from dojo.grade.jail.limits import settings
from dojo.grade.order import Order, rules
from dojo.grade.queue import Graded
from dojo.grade.result import Result
from dojo.grade.result_files import Results, Unwritable, file_names, is_plain, writing
from dojo.report.sanitize import for_log, line

WHOLE = "whole"
"""The file with the names of the results to merge, written once all are there."""
TABLES = ("changes.csv", "changes.md")


def run(out: Path, jobs: int, kata: str | None, seed: str | None, book: Book | None) -> tuple[str, bool]:
    """Grade again; return the text to print, and whether all affected results were. NoGrade says why none was."""
    try:
        given = order_file.read(out)
        order = _order(given, out, seed, kata)
        paths = _submissions(given.folder, out)
        results = Results(out, [path.name for path in paths])
        kept: list[str] = []
        is_whole = (out / order_file.AGAIN / WHOLE).exists()
        order = replace(order, only=_stale(paths, order, results))
        if not is_whole and not order.only:
            told = write_tables(_every(paths, order, results), order.katas, results, book)
            return for_log("\n".join(["nothing to grade again: the rules are those of the results", *told])), True
        again = Results(out / order_file.AGAIN, [path.name for path in paths])
        if not is_whole:
            touched = [path for path in paths if _is_stale(results.read(path.name), order.only)]
            kept = _grade(touched, order, results, again, jobs)
        told = _merge(paths, order, results, again, book)
    except OSError as error:
        raise NoGrade(f"grading stopped: {line(str(error))}; run the same command to resume") from None
    except (Unwritable, ValueError) as error:
        raise NoGrade(str(error)) from None
    return for_log("\n".join([*told, *(f"  kept  {one}" for one in kept)])), not kept


def _order(given: order_file.Given, out: Path, seed: str | None, kata: str | None) -> Order:
    """Return the order of the results, with the katas that may be graded again."""
    if seed is None and not (out / SEED).exists():
        raise NoGrade(f"the seed of {out} is not in it; give it with --seed")
    seed = seed or generated_seed(out)
    if order_file.digest(seed) != given.seed:
        raise NoGrade(f"{out} was graded with another seed")
    asked = [one.slug for one in (chosen_katas(kata) if kata else given.katas)]
    if unknown := set(asked) - {one.slug for one in given.katas}:
        raise NoGrade(f"{out} has no results of {', '.join(sorted(unknown))}; dojo grade-all grades them")
    limits = settings()
    if limits != given.limits:
        raise NoGrade(f"{out} was graded within other limits; dojo grade-all grades all of it within these")
    level = level_for(given.level, given.device)
    return Order(given.katas, seed, level, given.device, limits, only=tuple(asked))


def _submissions(folder: Path, out: Path) -> list[Path]:
    try:
        paths = submissions(folder, out)
    except OSError as error:
        raise NoGrade(f"the submissions in {folder} cannot be read: {error.strerror}") from None
    for name, file in file_names([path.name for path in paths]).items():
        if file != name and is_plain(name) and (out / f"{name}.json").exists():
            raise NoGrade(f"another name is now too much like {line(name)}; dojo grade-all grades both")
    return paths


def _stale(paths: Sequence[Path], order: Order, results: Results) -> tuple[str, ...]:
    """Return the katas with a result that was judged by other rules than the current ones."""
    old = [result for path in paths if (result := results.read(path.name))]
    return tuple(kata.slug for kata in order.graded if any(_is_stale(result, (kata.slug,)) for result in old))


def _is_stale(result: Result | None, slugs: Sequence[str]) -> bool:
    return result is not None and any(kata.slug in slugs and kata.rules != rules((kata.slug,)) for kata in result.katas)


def _grade(paths: Sequence[Path], order: Order, results: Results, again: Results, jobs: int) -> list[str]:
    """Grade these submissions, and write the changes; return a line for each whose old result is kept."""
    kept: list[str] = []
    names: list[str] = []
    rows: list[changes.Change] = []
    for one in sorted(outcomes(paths, order, again, jobs), key=lambda one: one.name):
        old = results.read(one.name)
        assert old is not None
        trouble = changes.obstacle(old, one.result) if one.result else one.trouble
        if one.result is None or trouble:
            kept.append(f"{line(one.name)}: {trouble}")
        else:
            names.append(one.name)
            rows += changes.changes(one.name, old, one.result)
    with writing(results.folder):
        for name, text in zip(TABLES, (changes.as_csv(rows), changes.as_markdown(rows)), strict=True):
            write_whole(again.folder / name, text)
        write_whole(again.folder / WHOLE, json.dumps(names))
    return kept


def _merge(paths: Sequence[Path], order: Order, results: Results, again: Results, book: Book | None) -> list[str]:
    """Merge the new results, and write the tables; return lines to print. An interrupted merge can be repeated."""
    names = json.loads((again.folder / WHOLE).read_text(encoding="utf-8"))
    for path in paths:
        old, new = results.read(path.name), again.read(path.name)
        if path.name in names and old and new:
            result = changes.merged(old, new)
            results.keep(path.name, _key(path, replace(order, only=()), result), result)
    told = write_tables(_every(paths, order, results), order.katas, results, book)
    with writing(results.folder):
        table = (again.folder / TABLES[0]).read_text(encoding="utf-8")
        for name in TABLES:
            write_whole(results.folder / name, (again.folder / name).read_text(encoding="utf-8"))
        os.unlink(again.folder / WHOLE)
        shutil.rmtree(again.folder)
    lines, count = changes.as_lines(table)
    first = f"{len(names)} graded again, {count} with other points"
    written = f"  written  {results.folder / TABLES[0]}, changes.md, scores.csv, scores.md"
    return [first, *(f"  {one}" for one in lines), *told, written]


def _every(paths: Sequence[Path], order: Order, results: Results) -> list[Graded]:
    """Return the outcome of each submission, for the tables."""
    found = [(path, results.read(path.name)) for path in paths]
    return [Graded(path.name, result, "" if result else _why_none(path, order)) for path, result in found]


def _why_none(path: Path, order: Order) -> str:
    try:
        read_submission(path, order.katas)
    except SubmissionError as error:
        return str(error)
    return "it was not graded; dojo grade-all grades it"


def _key(path: Path, order: Order, result: Result) -> str:
    """Return the key of a merged result; "" if something else has changed too, so that grade-all grades it again."""
    try:
        submission = read_submission(path, order.katas)
    except SubmissionError:
        return ""
    return (
        ""
        if _is_stale(result, [kata.slug for kata in result.katas])
        else order.keys(submission).get(result.isolation, "")
    )
