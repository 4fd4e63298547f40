"""Pictures: whatever was returned can be drawn, nothing is too wide, and colour says nothing by itself."""

import inspect
import re
from typing import Any

import pytest
import torch
from rich.console import Console

from dojo.catalog import katas
from dojo.judging import gates
from dojo.judging.diagnose import Variant, solution, with_variant
from dojo.judging.findings import Finding
from dojo.judging.outcomes import Outcome
from dojo.judging.pictures import Cells, Extents, Spent, Terms, plain, restored
from dojo.judging.profiles import quick
from dojo.judging.property import Property
from dojo.judging.verdict import run
from dojo.report.blocks import render
from dojo.report.terminal_pictures import LINES, drawn
from tests.dojo.report.reported import answering, counts

STRANGE = {
    "None": None,
    "True": True,
    "negative": -1,
    "huge": 10**400,
    "float": 2.5,
    "nan": float("nan"),
    "text": "text",
    "empty": (),
    "numbers": (1, -2, 3),
    "no view": ((2, 3), (1,), 0),
    "negative size": ((-1,), (1,), 0),
    "negative strides": ((2, 2), (-3, 1), 0),
    "far apart": ((2, 2), (10**30, 1), 10**40),
    "nested": ([[1]], {"a": (2,)}, None),
    "foreign": range(3),
    "tensor": torch.zeros(2),
}
DRAWN = [
    (kata, name)
    for kata in katas().values()
    for name in kata.functions
    if (kata.judge / "pictures.py").is_file() and not inspect.isclass(getattr(solution(kata.slug), name))
]


def shown(picture, width=64):
    """The lines of a picture, without the spaces at their ends."""
    console = Console(width=width, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(drawn(restored(plain(picture)), width))
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize(("kata", "name"), DRAWN, ids=[f"{kata.slug}-{name}" for kata, name in DRAWN])
def test_whatever_is_returned_is_told(kata, name):
    """No result, however strange, gets in the way of its own report; one at which nobody looks is tried twice."""
    tests: list[Any] = gates.properties(kata, name)
    told = list[list[str]]()
    for value in STRANGE.values():
        variant = Variant(name, lambda *_, value=value, **__: value)
        variant.answer.__module__ = "tests.dojo.report.test_pictures"
        told.append([])
        for test in tests:
            seam = with_variant(kata, variant)
            verdict = run(test, seam, device="cpu", seed=0, profile=quick(3))
            if verdict.outcome == Outcome.WRONG:
                total = dict.fromkeys(test.grades, 1)
                finding = Finding.of(Property(kata, test, 0, "", total), seam, verdict, tree="katas")
                told[-1].append(render([finding], width=80, colour=False, blocks=True))
                assert max(map(len, told[-1][-1].splitlines())) <= 80
        if len(told) == 2 and told[0] and told[0] == told[1]:
            break


def test_colour_says_nothing_by_itself():
    """The same characters with colour and without."""
    seam = answering(lambda a, b: 24)
    verdict = run(counts, seam, device="cpu", seed=0, profile=quick(3))
    finding = Finding.of(Property(katas()["03_flops"], counts, 0, "", {"matmul_flops": 1}), seam, verdict, tree="katas")
    for picture in (
        Cells([("yours", [0, 1], ""), ("torch's", [0, 2], "")], "A note."),
        Extents([(8, [("x", [(0, 4)])])]),
        Terms([("one", "1", "2")], ("in all", "1", "2"), ""),
    ):
        finding.picture = plain(picture)
        finding.total = {"matmul_flops": 1}
        colourful = render([finding], width=80, colour=True, blocks=True)
        assert "\x1b[31m" in colourful
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", colourful)
        plain_text = render([finding], width=80, colour=False, blocks=True)
        assert [line.rstrip() for line in stripped.splitlines()] == plain_text.splitlines()


def test_cells_go_on_in_a_new_line_and_end():
    """A row that is too long is continued twice, and then only counted."""
    lines = shown(Cells([("yours", range(100), "")], "A note."))
    assert sum(line.startswith("yours") for line in lines) == LINES
    assert "places more" in lines[-2]
    assert max(map(len, lines)) <= 64


def test_a_terminal_may_be_too_narrow():
    """What is drawn there is no longer pretty, and still drawn."""
    for width in (1, 5, 20):
        assert shown(Cells([("yours", [0, 1], ""), ("torch's", [0, 2], "")], "A note."), width)
        assert shown(Extents([(8, [("x", [(0, 4)])])]), width)
        assert shown(Spent([("FLOPs", 8, [("forward", 4)])]), width)
        assert shown(Terms([("one", "1", "2")], ("in all", "1", "2"), ""), width)


def test_a_long_gap_is_one_column():
    """Ten million cells that nothing touches are not drawn."""
    lines = shown(Cells([("yours", [0, 10**7], ""), ("torch's", [0, 1], "")], "A note."))
    assert lines[1] == "yours   │       0│        │       …│       1│"


def test_bars_that_are_too_many_are_counted():
    """Twelve bars at most; the sum is of all."""
    lines = shown(Extents([(4, [(f"x[{place}]", [(0, 4)])]) for place in range(20)]))
    assert lines[-1].split() == ["in", "all", "80", "bytes"]
    assert lines[-2].split() == ["…", "and", "28", "more", "bars"]


def test_a_bar_is_empty_where_nothing_is_shown():
    """An empty tensor shows nothing of its storage, and an empty storage has no bar."""
    lines = shown(Extents([(4, [("x", [])]), (0, [("y", [])])]))
    assert lines[1] == f"  x        {'·' * 28}"
    assert lines[2].split() == ["storage", "2", "0", "bytes"]


def test_what_was_spent_is_drawn_beside_its_limit():
    """The longer one takes all columns, and each part begins where the last one ended; a single part has no bar."""
    lines = shown(Spent([("FLOPs", 10, [("forward", 5), ("backward", 15)]), ("bytes", 4, [("at most", 2)])]))
    assert [line.split()[0] for line in lines] == ["FLOPs", "limit", "forward", "backward", "bytes", "limit"]
    bars = ["".join(character for character in line if character in "█·") for line in lines]
    full, half = "█" * 28, "█" * 14 + "·" * 14
    assert bars == [full, half, "█" * 7 + "·" * 21, "·" * 7 + "█" * 21, half, full]
    assert [line.split()[-1] for line in lines] == ["20", "10", "5", "15", "2", "4"]


def test_a_picture_goes_to_another_process_and_comes_back():
    """As lists, numbers and strings."""
    picture = Cells([("yours", [0, 2, 1, 3], ""), ("torch's", [0, 1, 2, 3], "")], "A note.")
    assert plain(restored(plain(picture))) == plain(picture)
