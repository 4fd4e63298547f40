"""grade.html: what a student sees of a result, and that nothing on it can run."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given

from dojo.grade.result import FunctionResult, Row
from dojo.judging.pictures import Cells, Terms, plain
from dojo.report import sanitize
from dojo.report.terminal_pictures import label
from tests.dojo.grade.test_formats import GRADED, hostile, told
from tests.dojo.report import chromium
from tests.dojo.report.texts import HOSTILE, TEXTS

PICTURES = (
    Cells([("yours", (0, 3, 6), ""), ("torch's", (0, 1, 2), "")], "the strides of a transpose"),
    Terms([("batch", "2", "4")], ("in all", "24", "48"), "twice as much"),
)
ROWS = (
    Row("you called", "matmul_flops((2, 3), (3, 4))"),
    Row("it returned", "24"),
    *(Row(label(picture), picture=plain(picture)) for picture in PICTURES),
    Row("looks like", "A multiply-add is one FLOP"),
    Row("your code", "03_flops/flops.py:21"),
)


def drawn(result=GRADED, rows=ROWS):
    """The page of a result in which whatever has a report has these rows."""

    def with_rows(function):
        return replace(function, rows=rows) if function.report else function

    graded = (replace(kata, functions=tuple(map(with_rows, kata.functions))) for kata in result.katas)
    return told("html", replace(result, katas=tuple(graded)))


ELEMENTS = (
    "html head meta title style body main header h1 h2 p strong progress div details summary span ul li a code small "
    "dl dt dd pre table thead tbody tfoot tr th td"
)
ATTRIBUTES = "lang charset name content http-equiv class id href open value max aria-label tabindex scope"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text without the style."""

    def __init__(self, page):
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = [("", {})]
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """Keep the element."""
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        """Keep the text."""
        self.text += f"\n{data}" if self.found[-1][0] != "style" else ""


def test_the_page_says_what_a_learner_would_see():
    """The score, each function with its points, what is wrong with its picture, what could not be run and why."""
    page = Elements(drawn())
    for text in ("1 of 6 points", "1 of 4 functions done, 1 wrong, 1 to do, 1 not run", "wrong · 0 of 2", "24"):
        assert f"\n{text}\n" in page.text
    for text in (
        "A multiply-add is one FLOP",
        "term by term",
        "SyntaxError: '(' was never closed",
        "'hello' (3 lines)",
    ):
        assert text in page.text
    (target,) = [about["href"] for tag, about in page.found if tag == "a"]
    assert ("dl", {"id": target.removeprefix("#")}) in page.found
    assert len([tag for tag, _ in page.found if tag == "table"]) == 2


def test_functions_that_failed_one_example_together_have_one_block():
    """As in a learner's report."""
    first = GRADED.katas[0].functions[1]
    pair = (first, FunctionResult("mfu", "MFU", 1, "wrong", report=first.report))
    page = Elements(told("html", replace(GRADED, katas=(replace(GRADED.katas[0], functions=pair),))))
    assert "03_flops · matmul_flops, mfu" in page.text
    assert [about["href"] for tag, about in page.found if tag == "a"] == ["#03_flops.matmul_flops"] * 2


@given(text=TEXTS)
def test_no_text_becomes_an_element_or_leaves_the_page(text):
    """Whatever a submission says is text; nothing is loaded and nothing runs."""
    terms = Terms([(text,) * 3], (text,) * 3, text)
    page = Elements(
        drawn(hostile(text), (Row(text, text), Row("it returned", text), Row(label(terms), picture=plain(terms))))
    )
    assert {tag for tag, _ in page.found[1:]} <= set(ELEMENTS.split())
    assert {name for _, about in page.found for name in about} <= set(ATTRIBUTES.split())
    assert all(about["href"].startswith("#") for _, about in page.found if "href" in about)
    assert sanitize.line(text).strip() in page.text


@pytest.mark.skipif(chromium.PROGRAM is None, reason="there is no Chromium on this machine")
@pytest.mark.parametrize(("width", "scheme"), [(360, chromium.DARK), (1280, chromium.LIGHT)])
def test_a_browser_shows_it(tmp_path, width, scheme):
    """At a phone's width and at a desk's nothing sticks out, all text stands out from its paper, and nothing runs."""
    text = "<script>parent.run = true</script><img src=x onerror='parent.run = true'>" + " ".join(HOSTILE)
    pages = [drawn(), drawn(hostile(text)), drawn(rows=()), drawn(hostile("W" * 400))]
    pages += [re.sub(r"<details(?! open| class=\"failure\" open)", "<details open", page) for page in pages]
    for one in chromium.measured(tmp_path, pages, width, scheme):
        assert one["scroll"] <= one["inner"] == width
        assert one["contrast"] >= 4.5
        assert one["run"] is False
        assert re.match(r"torch-dojo: \d of \d points", one["title"])
