"""The page of `dojo report --html`: what it says, how it looks in a browser, and that nothing on it can run."""

import contextlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from dojo.catalog import ROOT, find, katas
from dojo.judging.findings import Finding
from dojo.judging.pictures import Cells, Extents, Spent, Terms, restored
from dojo.report.html import STYLE, node
from dojo.report.html_pictures import picture_element
from dojo.report.page import page
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
        self.tags, self.elements, self.attributes, self.texts, self.open = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Keep the element."""
        self.tags.append(tag)
        self.elements.append((tag, dict(attrs)))
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
    mine = [kata for kata in katas().values() if kata.slug in {one.kata for one in found}]
    return page(mine, found, "today, by torch", ROOT)


def unfolded(text):
    """The page with all that can be unfolded."""
    return re.sub(r"<details(?! open)", "<details open", text.replace(' open=""', "").replace(" open", ""))


def held(slug, *names):
    """The findings of functions that are done."""
    return [Finding(slug, "katas", "test", 0, "", [name], {name: 1}, "held") for name in names]


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
    assert "Count the FLOPs" in read.texts
    assert [read.texts[place + 1] for place, text in enumerate(read.texts) if text == "mfu"] == ["done"]
    assert re.search(r"^\d\d \w+ \d{4}, \d\d:\d\d \w+ · torch 2\.\S+ · Python 3\.\S+$", read.text, re.MULTILINE)
    assert ("href", "katas/03_flops/README.md") in read.attributes
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
    """Every line of a report stands on its page, and every picture is drawn."""
    for finding in findings.values():
        read = Reader(paged(finding))
        for _, line in finding.lines if finding.outcome == "wrong" else ():
            assert line in read.text
        assert (("class", "picture") in read.attributes) is (finding.picture is not None)


def test_a_kata_is_one_line_of_the_map(findings):
    """Its name, how much of it is done, a bar, how much is wrong; the kata to go on with is unfolded, as in `dojo`."""
    done = held("03_flops", "linear_flops", "mfu")
    text = page(
        [find("02"), find("03")], [*held("02_strides", *find("02").functions), *done, findings["wrong"]], "", ROOT
    )
    assert text.index('class="map"') < text.index("Next: ") < text.index("What is wrong")
    read = Reader(text)
    first, second = (at for at, value in enumerate(read.texts) if value in ("02_strides", "03_flops"))
    assert read.texts[first : first + 3] == ["02_strides", "11 of 11", "Find the element"]
    assert read.texts[second : second + 4] == ["03_flops", "2 of 9", "1 wrong", "Count the FLOPs"]
    bars = [(given["value"], given["max"]) for tag, given in read.elements if tag == "progress"]
    assert bars == [("13", "20"), ("11", "11"), ("2", "9")]
    assert ["open" in given for tag, given in read.elements if tag == "details"] == [False, True, True]


@pytest.mark.parametrize(
    ("edited", "names", "unfolded"),
    [("02", ["cells", "diagnosed", "terms"], 0), ("03", ["cells", "diagnosed", "terms"], 1), ("03", ["ratio"], 0)],
)
def test_failures_are_folded_and_one_is_open(findings, monkeypatch, edited, names, unfolded):
    """That of the function to go on with, or the first one; what is folded says what it looks like."""
    monkeypatch.setattr("dojo.progress._edited", lambda path: edited in str(path))
    wrong = [findings[{"ratio": "terms_of_a_ratio"}.get(name, name)] for name in names]
    read = Reader(paged(*wrong))
    opened = ["open" in given for _, given in read.elements if given.get("class") == "failure"]
    assert opened == [place == unfolded for place in range(len(wrong))]
    assert read.texts.count("A multiply-add is one FLOP") == 2 * names.count("diagnosed")


def test_the_page_needs_nothing_else(findings):
    """No script, no image, nothing that is loaded; links lead to places on the page, to a lesson, to the answers."""
    for finding in findings.values():
        text = paged(finding)
        read = Reader(text)
        assert not {"script", "img", "link", "iframe", "object"} & set(read.tags)
        targets = {f"#{value}" for name, value in read.attributes if name == "id"}
        kata = find(finding.kata)
        targets |= {str(path.relative_to(ROOT)) for path in (kata.lesson, kata.source(ROOT / "katas"))}
        assert {value for name, value in read.attributes if name == "href"} <= targets
        assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "style")]
    assert "url(" not in STYLE.read_text(encoding="utf-8")
    assert "@import" not in STYLE.read_text(encoding="utf-8")


def test_links_lead_from_where_the_page_lies(findings, tmp_path):
    """To files that are there."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    read = Reader(page([find("03")], [findings["wrong"]], "", folder))
    links = [unquote(value) for name, value in read.attributes if name == "href" and not value.startswith("#")]
    assert len(links) == 4  # the lesson in the map, below it and in the failure, and the answers
    assert all((folder / link).is_file() for link in links)


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
            for element in picture_element(restored(finding.picture)).iter():
                assert set(element.get("class", "").split()) <= styled


@pytest.mark.parametrize(
    "picture",
    [
        Cells([("yours", range(1000), ""), ("torch's", [10**9, -(10**9)], "×")], ""),
        Cells([("yours", [], ""), ("torch's", [0], "")], ""),
        Extents([]),
        Extents([(0, [("x" * 99, [])]), (10**12, [("y", [(0, 1)])] * 30)]),
        Spent([("FLOPs", 0, [("forward", 0), ("backward", 10**18)])]),
        Terms([], ("in all", "1" * 400, "2"), ""),
    ],
    ids=["far", "nothing", "no storages", "many bars", "a budget of nothing", "a huge number"],
)
def test_any_picture_can_be_drawn(picture):
    """Each in a few hundred elements."""
    assert 0 < len(list(picture_element(picture).iter())) < 1000


def test_text_around_elements_stays_in_order():
    """Strings before, between and after elements."""
    made = node("p", "a", "b", node("b", "c"), "d", "e", node("i"), "f")
    assert "".join(made.itertext()) == "abcdef"


@needs_chromium
@pytest.mark.parametrize("scheme", [chromium.LIGHT, chromium.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_browser_shows_every_report(findings, tmp_path, width, scheme, long):
    """At a phone's width and at a desk's nothing sticks out, all text stands out from its paper, and nothing runs.

    In the plain form the phone is dark and the desk light.
    """
    if not long and (width == 360) != (scheme == chromium.DARK):
        pytest.skip("--long asks it")
    longest = hostile(findings["wrong"])
    longest.lines = [["you ran" if place == 0 else "", "x = " + "(123456, " * 60] for place in range(2)]
    whole = [finding for name, finding in findings.items() if name in ("wrong", "cells", "storages", "program")]
    pages = [*map(paged, findings.values()), paged(hostile(findings["wrong"])), paged(*whole), paged(longest)]
    told = chromium.measured(tmp_path, [*pages, *map(unfolded, pages)], width, scheme)
    assert len(told) == 2 * len(pages)
    for one in told:
        assert one["inner"] == width
        assert one["scroll"] <= width
        assert one["contrast"] >= 4.5
        assert one["paper"] == {chromium.LIGHT: "rgb(255, 255, 255)", chromium.DARK: "rgb(20, 23, 26)"}[scheme]
        assert one["run"] is False
        assert one["title"].startswith("torch-dojo: ")
        assert all(share > 0.99 for share in one["pictures"])  # as large as their column
    assert sum(len(one["pictures"]) for one in told[len(pages) :]) >= sum(
        f.picture is not None for f in findings.values()
    )
    assert told[-1]["scrolled"] > 0  # a program with long lines, in its own box


@needs_chromium
def test_a_link_of_the_map_unfolds_the_failure(findings, tmp_path):
    """In the map it is the name of the function."""
    wrong = [findings["cells"], findings["wrong"], findings["terms"]]
    path = tmp_path / "page.html"
    path.write_text(paged(*wrong), encoding="utf-8")
    for finding in wrong:
        name = f"{finding.kata}.{finding.functions[0]}"
        read = Reader(chromium.dom(tmp_path, f"{path.as_uri()}#{name}"))
        (place,) = (at for at, (_, given) in enumerate(read.elements) if given.get("id") == name)
        above = [given for tag, given in read.elements[:place] if tag == "details"]
        assert "open" in above[-1]
