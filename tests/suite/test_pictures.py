"""Pictures: whatever was returned can be drawn, nothing is too wide, and colour says nothing by itself."""

import re

import pytest
import torch
from rich.console import Console

from dojo.catalog import katas
from dojo.diagnose import Variant, with_variant
from dojo.draw import LINES, drawn
from dojo.findings import find
from dojo.judge import WRONG
from dojo.kata import Functions
from dojo.pictures import Cells, Extents, Terms, plain, restored
from dojo.profiles import quick
from dojo.report import render
from tests import pictures
from tests.suite import gates
from tests.suite.reported import answering, counts

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
    if kata.number < "06"
    for name in kata.functions
    if name not in ("SGD", "AdaGrad")
]


def shown(picture, width=64):
    """The lines of a picture, without the spaces at their ends."""
    console = Console(width=width, no_color=True, highlight=False)
    with console.capture() as captured:
        console.print(drawn(restored(plain(picture)), width))
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize(("kata", "name"), DRAWN, ids=[f"{kata.number}-{name}" for kata, name in DRAWN])
def test_whatever_is_returned_is_told(kata, name):
    """No result, however strange, gets in the way of its own report."""
    for value in STRANGE.values():
        variant = Variant(name, lambda *_, value=value, **__: value)
        variant.answer.__module__ = "tests.suite.test_pictures"
        for test in gates.properties(kata, name):
            seam = with_variant(kata, variant)
            verdict = gates.run(test, seam, device="cpu", seed=0, profile=quick(3))
            if verdict.outcome == WRONG:
                total = dict.fromkeys(test.grades, 1)
                finding = find(kata, seam, verdict, tree="katas", test=test, place=0, device="", total=total)
                text = render([finding], width=80, colour=False, blocks=True)
                assert max(map(len, text.splitlines())) <= 80


def test_colour_says_nothing_by_itself():
    """The same characters with colour and without."""
    seam = answering(lambda a, b: 24)
    verdict = gates.run(counts, seam, device="cpu", seed=0, profile=quick(3))
    finding = find(katas()["03_flops"], seam, verdict, tree="katas", test=counts, place=0, device="", total={})
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
        assert shown(Terms([("one", "1", "2")], ("in all", "1", "2"), ""), width)


def test_a_long_gap_is_one_column():
    """Ten million cells that nothing touches are not drawn."""
    lines = shown(Cells([("yours", [0, 10**7], ""), ("torch's", [0, 1], "")], "A note."))
    assert lines[1] == "yours   │       0│        │       …│       1│"


def test_bars_that_are_too_many_are_counted():
    """Twelve bars at most; the sum is of all."""
    lines = shown(Extents([(4, [(f"x[{place}]", [(0, 4)])]) for place in range(20)]))
    assert lines[-1].split() == ["in", "all", "80", "bytes"]
    assert lines[-2].split() == ["…", "and", "28", "bars", "more"]


def test_a_bar_is_empty_where_nothing_is_shown():
    """An empty tensor shows nothing of its storage, and an empty storage has no bar."""
    lines = shown(Extents([(4, [("x", [])]), (0, [("y", [])])]))
    assert lines[1] == f"  x        {'·' * 28}"
    assert lines[2].split() == ["storage", "2", "0", "bytes"]


def test_what_is_missing_is_named_where_one_term_is_as_large():
    """As arithmetic, not as a guess; too many terms of that size say nothing."""
    told = pictures.terms({"a": 3, "b": 5}, 3)
    assert told is not None
    assert told.note == 'Yours is 5 less: as much as "b".'
    assert pictures.terms({"a": 3, "b": 5}, 11).note == 'Yours is 3 more: as much as "a".'
    assert pictures.terms({"a": 3, "b": 5}, 4).note == ""
    assert pictures.terms(dict.fromkeys("abcd", 1), 3).note == ""
    assert pictures.terms({}, 3) is None


def test_terms_are_those_of_the_whole():
    """What is drawn term by term adds up to what torch counts of all at once."""
    truth, training = pictures.truth, pictures.truth_training
    for picture, total in (
        (pictures.layers(Functions(answering(None)), 0, "cpu", 2, (3, 4, 5)), truth.mlp_flops("cpu", 2, (3, 4, 5))),
        (
            pictures.gradients(Functions(answering(None)), 0, "cpu", 2, (3, 4, 5), True, (1,)),
            training.backward_flops("cpu", 2, (3, 4, 5), True, (1,)),
        ),
        (pictures.step(0, "cpu", 2, (3, 4, 5)), training.step_flops("cpu", 2, (3, 4, 5))),
        (pictures.passes(0, "cpu", 2, (3, 4, 5)), training.step_flops("cpu", 2, (3, 4, 5), True)),
        (pictures.attention(0, "cpu", 2, 3, 4, 5, 6), truth.attention_flops("cpu", 2, 3, 4, 5, 6)),
    ):
        assert len(picture.terms) > 1
        assert picture.total[2] == str(total)


def test_a_view_without_elements_is_not_walked():
    """Its other sizes may be far too large for that."""
    assert pictures.views(("yours", ((0, 2**60), (1, 1), 0))) is None


def test_a_picture_goes_to_another_process_and_comes_back():
    """As lists, numbers and strings."""
    picture = pictures.views(("yours", ((2, 2), (1, 2), 0)), ("torch's", ((2, 2), (2, 1), 0)))
    assert plain(restored(plain(picture))) == plain(picture)
