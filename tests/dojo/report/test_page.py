"""The page of `dojo report --html`: what it says, how it looks in a browser, and that nothing on it can run."""

import contextlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from dojo.catalog import katas
from dojo.judging.pictures import Cells, Extents, Terms, restored
from dojo.report.html import node
from dojo.report.page import STYLE, page
from dojo.report.svg_pictures import svg
from tests.dojo.clone import make
from tests.dojo.report import chromium, reported
from tests.dojo.report.cases import CASES

FLOPS = "03_flops"
HOSTILE = (
    "<script>parent.run = true</script><img src=x onerror='parent.run = true'>&amp; ]]> --> \x00\x1b[31m\u202e\ud800"
)
needs_chromium = pytest.mark.skipif(chromium.PROGRAM is None, reason="there is no Chromium on this machine")


class Reader(HTMLParser):
    """The elements of a page, their attributes, and the text outside of its style sheet."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Keep the element."""
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        """Only the element that is open can end."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Keep the text."""
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        """All of the text."""
        return "\n".join(self.texts)


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """The finding of each golden report, by its name."""
    folder = tmp_path_factory.mktemp("golden")
    return {path.stem: reported.finding(test, seam(folder)) for path, (test, seam) in CASES.items()}


def paged(*found):
    """The page of these findings, with the katas that they are of."""
    return page([kata for kata in katas().values() if kata.slug in {one.kata for one in found}], found, "today")


def hostile(finding):
    """A finding of the same kind that says nothing but what should not be believed."""
    told = {**finding.plain(), "lines": [[label, HOSTILE] for label, _ in finding.lines], "printed": HOSTILE}
    fits = [{"beliefs": [[HOSTILE, HOSTILE]], "telling": {"": 9}, "shown": True}]
    return type(finding)(**{**told, "where": HOSTILE, "fits": fits, "strays": [HOSTILE]})


def test_the_command_writes_what_pytest_says(tmp_path):
    """A kata that is done but for one function: its map, its failure, its picture, and a line that counts."""
    clone = make(tmp_path)
    clone.solve(FLOPS)
    clone.spoil(FLOPS, "return 2 * (2 * batch", "return (2 * batch")
    ran = clone.dojo("report", "3", "--html", "my report.html")
    assert ran.status == 0, ran.out
    assert ran.out == "written my report.html: 8 of 9 functions done, 1 wrong\n"
    read = Reader((clone.root / "my report.html").read_text(encoding="utf-8"))
    assert "03_flops · Count the FLOPs" in read.texts
    assert [read.texts[place + 1] for place, text in enumerate(read.texts) if text == "mfu"] == ["done"]
    assert "03_flops · attention_flops" in read.texts
    assert "term by term" in read.texts
    assert "dojo hint 03 attention_flops" in read.texts
    assert "02_strides" not in read.text


def test_a_terminal_sees_a_bar_and_no_report(tmp_path):
    """While the katas run, what pytest prints stays away from it; learners may print on both streams."""
    clone = make(tmp_path)
    to_do = 'raise NotImplementedError("linear_flops")'
    clone.spoil(FLOPS, to_do, f"import os; os.write(2, b'noise'); {to_do}")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "dojo", "report", "3", "--html", "a.html"]  # the clone's, by where it runs
    process = subprocess.Popen(command, cwd=clone.root, stderr=theirs, stdout=subprocess.PIPE, text=True)
    os.close(theirs)
    seen = b""
    with contextlib.suppress(OSError):  # so a terminal says that nobody is there to write any more
        while read := os.read(ours, 2**16):
            seen += read
    os.close(ours)
    assert process.communicate()[0] == "written a.html: 0 of 9 functions done, 9 to do\n"
    assert b"03_flops" in seen
    assert b"100%" in seen
    assert b"noise" not in seen
    assert b"matmul_flops" not in seen


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report"], "dojo: missing option '--html'; see dojo report --help\n"),
        (
            ["report", "--html", "dojo"],
            "dojo: --html must be a file in a writable folder, got dojo\n",
        ),
        (
            ["report", "--html", "no/where"],
            "dojo: --html must be a file in a writable folder, got no/where\n",
        ),
        (["report", "99", "--html", "a.html"], "dojo: unknown kata '99'"),
    ],
    ids=["no file", "a folder", "no folder", "no kata"],
)
def test_what_cannot_be_written_is_one_line(tmp_path, arguments, message):
    """Before anything runs, and with status 2."""
    ran = make(tmp_path).dojo(*arguments)
    assert ran.status == 2
    assert ran.out.startswith(message)
    assert ran.out.count("\n") == 1


def test_properties_that_cannot_be_run_are_no_page(tmp_path):
    """A property at fault says nothing of the learner, and the command says so."""
    clone = make(tmp_path)
    path = clone.root / "tests" / "03_flops" / "properties.py"
    path.write_text(
        path.read_text(encoding="utf-8").replace("share = kata.mfu(", "share = kate.mfu("), encoding="utf-8"
    )
    ran = clone.dojo("report", "3", "--html", "a.html")
    assert ran.status == 2
    assert ran.out == (
        "dojo: 03_flops cannot be judged, and pytest katas/03_flops says more: NameError: name 'kate' is not defined\n"
    )
    assert not (clone.root / "a.html").exists()


def test_the_page_says_what_the_terminal_says(findings):
    """Every line of a report stands on its page, and every picture is an SVG."""
    for finding in findings.values():
        read = Reader(paged(finding))
        for _, line in finding.lines if finding.outcome == "wrong" else ():
            assert line in read.text
        assert ("svg" in read.tags) is (finding.picture is not None)


def test_the_page_needs_nothing_else(findings):
    """No script, no image, nothing that is loaded, and no link but to a place on the page."""
    for finding in findings.values():
        text = paged(finding)
        read = Reader(text)
        assert not {"script", "img", "link", "iframe", "object"} & set(read.tags)
        targets = {value for name, value in read.attributes if name == "id"}
        assert {value.removeprefix("#") for name, value in read.attributes if name == "href"} <= targets
        assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "style")]
    assert "url(" not in STYLE.read_text(encoding="utf-8")
    assert "@import" not in STYLE.read_text(encoding="utf-8")


def test_what_is_shown_is_never_markup(findings):
    """Whatever a learner's code says stands there as text, without what cannot be seen."""
    text = paged(hostile(findings["wrong"]))
    plain = Reader(paged(findings["wrong"]))
    read = Reader(text)
    assert set(read.tags) <= {*plain.tags, "small", "p"}
    assert "<script>parent.run = true</script>" in read.text
    assert not re.search("[\x00\x1b\u202e\ud800]", text)
    text.encode("utf-8")


def test_every_class_has_a_style(findings):
    """A picture whose parts have no colour is black on black in the dark."""
    styled = set(re.findall(r"\.([a-z-]+)", STYLE.read_text(encoding="utf-8")))
    for finding in findings.values():
        if finding.picture:
            for element in svg(restored(finding.picture)).iter():
                assert set(element.get("class", "").split()) <= styled


@pytest.mark.parametrize(
    "picture",
    [
        Cells([("yours", range(1000), ""), ("torch's", [10**9, -(10**9)], "×")], ""),
        Cells([("yours", [], ""), ("torch's", [0], "")], ""),
        Extents([]),
        Extents([(0, [("x" * 99, [])]), (10**12, [("y", [(0, 1)])] * 30)]),
        Terms([], ("in all", "1" * 400, "2"), ""),
    ],
    ids=["far", "nothing", "no storages", "many bars", "a huge number"],
)
def test_any_picture_can_be_drawn(picture):
    """Each as an SVG that has a size."""
    drawn = svg(picture)
    assert float(drawn.get("width", "nan")) > 0
    assert 0 < float(drawn.get("height", "nan")) < 5000


def test_text_around_elements_stays_in_order():
    """Strings before, between and after elements."""
    made = node("p", "a", "b", node("b", "c"), "d", "e", node("i"), "f")
    assert "".join(made.itertext()) == "abcdef"


@needs_chromium
@pytest.mark.parametrize("scheme", [chromium.LIGHT, chromium.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_browser_shows_every_report(findings, tmp_path, width, scheme):
    """At a phone's width and at a desk's nothing sticks out, all text stands out from its paper, and nothing runs."""
    longest = hostile(findings["wrong"])
    longest.lines = [[label, "x = " + "(123456, " * 60] for label, _ in longest.lines]
    whole = [finding for name, finding in findings.items() if name in ("wrong", "cells", "storages", "program")]
    pages = [*map(paged, findings.values()), paged(hostile(findings["wrong"])), paged(*whole), paged(longest)]
    told = chromium.measured(tmp_path, pages, width, scheme)
    assert len(told) == len(pages)
    for one in told:
        assert one["inner"] == width
        assert one["scroll"] <= width
        assert one["contrast"] >= 4.5
        assert one["paper"] == {chromium.LIGHT: "rgb(255, 255, 255)", chromium.DARK: "rgb(20, 23, 26)"}[scheme]
        assert one["run"] is False
        assert one["title"].startswith("torch-dojo: ")
    assert told[-1]["scrolled"] > 0  # a long line of code, in its own box
