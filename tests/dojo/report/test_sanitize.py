"""Text that a submission can choose: clean, bounded, and nothing that acts in a log, a table or a spreadsheet."""

import csv
import io
import re

from hypothesis import given
from markdown_it import MarkdownIt

from dojo.report import sanitize
from tests.dojo.report.texts import FORMULAE, TEXTS

ESCAPED = (r"\tname", "'  =1", "'＝1")
"""The last formulae as cells."""


@given(text=TEXTS)
def test_what_is_printed_to_a_log_is_no_command(text):
    """Neither as it is nor behind other lines; and no line is lost, however many there are."""
    for many in (text, f"graded\n{text}\n" * 300):
        out = sanitize.for_log(many)
        assert all(sign in "\t\n" or sign.isprintable() for sign in out)
        assert not any(line.lstrip().startswith("::") for line in out.split("\n"))
        assert "##[" not in out
        assert out.count("\n") == many.count("\n")


@given(text=TEXTS)
def test_a_span_of_code_is_one_cell_of_a_table(text):
    """Whatever the text holds, the row has its two cells, and the first is code or empty."""
    tokens = MarkdownIt("commonmark").enable("table").parse(f"| a | b |\n| - | - |\n| {sanitize.code(text)} | end |\n")
    cells = [token.children or [] for token in tokens if token.type == "inline"][2:]
    assert len(cells) == 2
    assert [child.type for child in cells[0]] in ([], ["code_inline"])
    assert cells[1][0].content == "end"


@given(text=TEXTS)
def test_a_cell_of_csv_is_no_formula(text):
    """An apostrophe stands before what a spreadsheet would take for one, however it splits a line into cells."""
    out = io.StringIO()
    csv.writer(out).writerow([sanitize.cell(text), 1])
    ((read_back, _),) = csv.reader(io.StringIO(out.getvalue()))
    assert read_back == sanitize.cell(text)
    assert read_back.replace("'", "") == sanitize.line(text).replace("\t", r"\t").replace("'", "")
    for part in re.split("[;,\t]", read_back):
        assert not part.lstrip(" \"'").startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) or "'" in part


def test_formulae_are_told_from_names():
    """Names stay as they are."""
    assert [sanitize.cell(text) for text in FORMULAE] == [*(f"'{text}" for text in FORMULAE[:4]), *ESCAPED]
    assert sanitize.cell("a;=cmd|' /C calc'!A0") == "a;'=cmd|' /C calc'!A0"
    assert sanitize.cell('a, "=1";\t-1') == 'a,\' "=1";\\t-1'
    assert sanitize.cell("alex-b @ home") == "alex-b @ home"


@given(text=TEXTS)
def test_clean_text_is_clean(text):
    """Cleaning twice changes nothing more, and text with nothing unseen in it is left alone."""
    assert sanitize.clean(sanitize.clean(text)) == sanitize.clean(text)
    assert sanitize.for_log(sanitize.for_log(text)) == sanitize.for_log(text)


def test_text_that_can_be_seen_stays():
    """Letters of every script, the signs of pictures, tabs and newlines."""
    plain = "│ 0│ × · → Ω é ß 漢字 عربي हिन्दी 😀\n\ttorch's `x[::2]` a::b <&> |"
    assert sanitize.clean(plain) == plain
    assert sanitize.for_log(plain) == plain


def test_text_is_bounded():
    """A line and a text have an end, and say so."""
    assert len(sanitize.line("x" * 10**6)) == sanitize.LINE
    assert sanitize.line("x" * 10**6).endswith("x …")
    assert sanitize.line("x" * sanitize.LINE) == "x" * sanitize.LINE
    assert sanitize.clean("\n" * 10**6).split("\n")[-1] == f"… and {10**6 + 2 - sanitize.LINES} lines more"
    assert len(sanitize.lines(["x"] * (sanitize.LINES + 1))) == sanitize.LINES
    assert sanitize.lines(["x"] * sanitize.LINES) == ("x",) * sanitize.LINES
