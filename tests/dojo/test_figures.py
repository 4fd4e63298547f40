"""The figures of the lessons: each shows its numbers, in the light and in the dark; only drawing needs matplotlib."""

import ast
import json
import re
import shutil

import pytest

from dojo import figures
from dojo.catalog import ROOT, find, katas
from dojo.judging.kata_folder import imported
from dojo.tools import completeness
from tests.dojo.clone import Clone
from tests.dojo.report.chromium import DARK, LIGHT, PROGRAM, measured

DRAWN = [kata for kata in katas().values() if figures.drawing(kata).is_file()]
COUNTED = [kata for kata in DRAWN if not re.search(r"\d\.\d", (kata.judge / "figure.json").read_text())]
"""Those whose numbers are the same on every machine: no time, and nothing that is rounded."""


def text(kata):
    """The figure as it is read."""
    return figures.drawing(kata).read_text(encoding="utf-8")


@pytest.mark.parametrize("kata", DRAWN, ids=lambda kata: kata.slug)
def test_a_figure_shows_its_numbers(kata):
    """As they were when it was drawn, by the code and with the caption that there are now."""
    assert figures.is_current(kata), f"python -m dojo.figures {kata.number}"
    assert f">{figures.caption(kata)}<" in text(kata)


@pytest.mark.parametrize("kata", COUNTED, ids=lambda kata: kata.slug)
def test_numbers_are_what_torch_says_today(kata):
    """Measured anew."""
    stored = json.loads((kata.judge / "figure.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(imported(kata, "figure").measure())) == stored


def test_most_figures_are_counted():
    """A number that is rounded would leave the others of its file untested."""
    assert {kata.number for kata in COUNTED} >= {"01", "02", "04"}


@pytest.mark.parametrize("kata", DRAWN, ids=lambda kata: kata.slug)
def test_a_figure_tells_nothing_of_the_machine_and_is_small(kata):
    """No date, no path and no program; its colours are variables that the dark sets anew."""
    drawn = text(kata)
    assert len(drawn.encode()) < 40_000
    assert not re.search(r"dc:date|dc:creator|matplotlib\.org|/home|/tmp|DejaVu", drawn)
    style, _, rest = drawn.partition("</style>")
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    assert all(colour in light for colour in figures.DARK)
    assert all(colour in dark for colour in figures.DARK.values())
    assert not re.search(r"#[0-9a-f]{6}", rest)


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """The lesson of kata 03 and the folder of its figure, copied to be spoiled."""
    kata = find("03")
    shutil.copytree(kata.judge, tmp_path / "judge")
    shutil.copytree(kata.lesson.parent, tmp_path / "lesson")
    monkeypatch.setattr(type(kata), "judge", tmp_path / "judge")
    monkeypatch.setattr(type(kata), "lesson", tmp_path / "lesson" / "README.md")
    monkeypatch.setattr(completeness, "ROOT", tmp_path)
    return kata


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("judge/figure.json", "[1, ", "[2, "),
        ("judge/figure.py", "FLOP/byte", "FLOPs"),
        ("lesson/README.md", "![", "![Some "),
    ],
)
def test_a_figure_that_is_old_is_a_gap(lesson, tmp_path, place, old, new):
    """One number, one label, or the caption."""
    assert list(completeness.figure_gaps(lesson)) == []
    path = tmp_path / place
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), encoding="utf-8")
    (gap,) = completeness.figure_gaps(lesson)
    assert gap.path == figures.drawing(lesson)
    assert gap.text.endswith("python -m dojo.figures 03")


@pytest.mark.parametrize("place", ["judge/figure.json", "judge/figure.py", "lesson/figure.svg"])
def test_a_figure_that_lacks_a_file_is_a_gap(lesson, tmp_path, place):
    """Also where there has never been one."""
    (tmp_path / place).unlink()
    assert [gap.path for gap in completeness.figure_gaps(lesson)] == [figures.drawing(lesson)]


def test_a_lesson_shows_its_figure(lesson):
    """In a line of its own, with a caption."""
    words = lesson.lesson.read_text(encoding="utf-8")
    lesson.lesson.write_text(words.replace("](figure.svg)", "](other.svg)"), encoding="utf-8")
    assert [gap.path for gap in completeness.figure_gaps(lesson)] == [lesson.lesson, figures.drawing(lesson)]


def test_a_colour_that_has_no_dark_one_is_refused():
    """It might not be seen there."""
    assert "fill: var(--c0)" in figures.for_light_and_dark(f'<path style="fill: {figures.INK}"/>')
    with pytest.raises(ValueError, match="#123456 is not a color of dojo/figures"):
        figures.for_light_and_dark('<path style="fill: #123456"/>')


def test_a_place_is_rounded_and_a_word_is_not():
    """A hundredth of a pixel is enough; a number that is written stays as it is."""
    assert figures.for_light_and_dark('<text x="1.23456">143.927 days</text>') == '<text x="1.23">143.927 days</text>'


def test_only_the_figures_need_matplotlib():
    """And they only inside the function that draws."""
    users = set()
    for path in [*ROOT.glob("dojo/**/*.py"), *ROOT.glob("tests/*/figure.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom) and "matplotlib" in ast.unparse(node):
                users.add((path.relative_to(ROOT).as_posix(), node.col_offset > 0))
    assert users == {("dojo/figures.py", True)}


def test_what_cannot_be_drawn_is_one_line():
    """A kata that is not there, and matplotlib that is not installed."""
    ran = Clone(ROOT).python("-m", "dojo.figures", "88")
    assert ran.status == 1
    assert ran.out.startswith("dojo.figures: unknown kata '88'")
    blocked = "import sys; sys.modules['matplotlib'] = None; from dojo.figures import main; main(['--draw', '03'])"
    ran = Clone(ROOT).python("-c", blocked)
    assert ran.status == 1
    assert ran.out.startswith("dojo.figures: ")
    assert ran.out.endswith(": pip install -e '.[figures]'\n")
    assert ran.out.count("\n") == 1


def test_the_same_numbers_make_the_same_bytes():
    """Whenever they are drawn."""
    pytest.importorskip("matplotlib")
    assert figures.draw(find("03")) == figures.draw(find("03"))


@pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium")
@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_word_of_a_figure_can_be_read(tmp_path, scheme):
    """At the contrast that WCAG asks of text, in the light and in the dark, on paper of its own."""
    pages = []
    for kata in DRAWN:
        style, drawn = re.findall(r"<style>(.+?)</style>.+?</defs>(.+)</svg>", text(kata), re.DOTALL)[0]
        pages.append(f'<style>{style}</style><body style="background:var(--c2)"><svg>{drawn}</svg>')
    for kata, told in zip(DRAWN, measured(tmp_path, pages, 720, scheme), strict=True):
        assert told["paper"] == ("rgb(255, 255, 255)" if scheme == LIGHT else "rgb(13, 17, 23)")
        assert told["contrast"] >= 4.5, kata.slug
