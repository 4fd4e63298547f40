"""The tables of README.md and GRADING.md: `dojo tables` writes them, and they are up to date."""

import pytest

from dojo.catalog import ROOT, find
from dojo.tools import CommandError, measured, tables


def test_the_tables_are_up_to_date():
    """Where this fails: `dojo tables`."""
    for name, text in tables.filled().items():
        assert (ROOT / name).read_text(encoding="utf-8") == text


@pytest.fixture
def documents(tmp_path, monkeypatch):
    """Copies of the documents, to be spoiled."""
    for name in tables.filled():
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    return tmp_path


def test_a_table_that_was_edited_is_found_and_written_anew(documents):
    """What stands around it stays, and who is up to date is left alone."""
    path = documents / "GRADING.md"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("| 03_flops | mfu | 1 |", "| 03_flops | mfw | 2 |"), encoding="utf-8")
    assert list(tables.outdated(find("03"))) == [("GRADING.md", "points")]
    assert list(tables.outdated(find("04"))) == []
    assert tables.write() == ["GRADING.md"]
    assert path.read_text(encoding="utf-8") == before
    assert tables.write() == []


def test_a_row_of_a_kata_by_its_old_name_is_found(documents):
    """The number stays where a kata is renamed."""
    path = documents / "README.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<!-- end -->", "| 03_counts | 0.1 | 0.1 |\n<!-- end -->"), encoding="utf-8")
    names = [name for document, name in tables.outdated(find("03"))]
    assert names == ["map", "path", "routes", "power", "strength", "cost"]


@pytest.mark.parametrize(
    ("document", "old", "new", "name"),
    [
        ("README.md", "    01 & 04 --> 05", "    04 --> 05", "map"),
        ("README.md", "| systems |", "| system |", "routes"),
        ("GRADING.md", "| all |", "| All |", "routes"),
    ],
)
def test_what_is_said_of_all_katas_is_of_each(documents, document, old, new, name):
    """The map, the routes, and the points of a route."""
    path = documents / document
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert list(tables.outdated(find("03"))) == [(document, name)]


def test_a_document_without_the_comments_is_named(documents):
    """One line that says what is expected."""
    path = documents / "README.md"
    path.write_text(path.read_text(encoding="utf-8").replace("tables: power", "tables: strength"), encoding="utf-8")
    with pytest.raises(CommandError, match=r"README.md: there is no <!-- dojo tables: power --> with <!-- end -->"):
        tables.write()


def test_what_was_not_measured_yet_is_an_empty_cell(monkeypatch):
    """A kata has its row from the beginning."""
    monkeypatch.setattr(measured, "read", lambda kata: {"verdict": {"ratio": 0.5}})
    (cost,) = (table for table in tables.TABLES if isinstance(table, tables.Table) and table.name == "cost")
    assert cost.lines(find("03")) == ["| 03_flops | 0.50 |  |"]
