"""junit.xml, as GitLab, Jenkins and reporters of GitHub Actions read it: a suite for a kata, a case for a function.

Functions to do or not run are failures too, since some readers count skipped cases as passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as xml

from dojo.grade.formats.phrases import beside, failure, heading
from dojo.grade.result import FunctionResult, KataResult, Result
from dojo.judging.outcomes import Status
from dojo.report.sanitize import no_commands


def render(result: Result) -> str:
    """Render the suites. Workflow commands are broken up by a character reference."""
    functions = [function for kata in result.katas for function in kata.functions]
    top = xml.Element("testsuites", {"name": "torch-dojo", **_counts(functions)})
    for kata in result.katas:
        _suite(top, kata, result)
    xml.indent(top)
    text = no_commands(xml.tostring(top, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(top: xml.Element, kata: KataResult, result: Result) -> None:
    suite = xml.SubElement(top, "testsuite", {"name": kata.slug, **_counts(kata.functions)})
    properties = xml.SubElement(suite, "properties")
    for name, value in {"score": kata.score, "points": kata.points, "isolation": result.isolation}.items():
        xml.SubElement(properties, "property", name=name, value=str(value))
    for function in kata.functions:
        case = xml.SubElement(suite, "testcase", classname=kata.slug, name=function.name)
        if lines := failure(kata, function):
            first = next(filter(str.strip, lines), function.status)
            xml.SubElement(case, "failure", message=first.strip(), type=function.status).text = "\n".join(lines)
    xml.SubElement(suite, "system-out").text = "\n".join((*heading(result), *beside(kata)))


def _counts(functions: Sequence[FunctionResult]) -> dict[str, str]:
    failures = sum(function.status != Status.DONE for function in functions)
    return {"tests": str(len(functions)), "failures": str(failures), "errors": "0", "skipped": "0"}
