"""`dojo reset`: the stub comes back, the rest of the file stays as it is, and nothing that was written is lost."""

import ast

import pytest

from dojo.catalog import ROOT, CatalogError, Kata, find, katas
from dojo.seam.learner_file import compile_source
from dojo.tools import CommandError
from dojo.tools import reset as tool
from dojo.tools.pieces import definition, span
from tests.dojo.clone import make

KATA = find("03")
GIVEN = KATA.source(ROOT / "katas").read_bytes()


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The learner's file in a tree of its own."""
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    path = KATA.source(tmp_path / "katas")
    path.parent.mkdir(parents=True)
    return path


def kept(path):
    """The old files beside it."""
    return sorted(path.parent.glob("*.bak"))


def test_every_function_can_be_put_back_alone(path, slug, monkeypatch, tmp_path):
    """In the solution of each kata; the others stay as they are, and all of them together are every stub."""
    kata = katas()[slug]
    path = kata.source(tmp_path / "katas")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(kata.source(ROOT / "solutions").read_bytes())
    for place, name in enumerate(kata.functions, 1):
        tool.reset(kata, name)
        stubs = compile_source(path, path.read_bytes()).stubs
        assert stubs & {*kata.functions} == {*list(kata.functions)[:place]}  # a helper may be a stub as well


def test_one_function_goes_and_every_other_byte_stays(path):
    """Decorators go with it; comments, odd spacing and helpers stay."""
    before, after = b"# mine  \nimport functools\n\n", b"\n# the end, without a newline"
    path.write_bytes(before + b"@functools.cache\n@functools.wraps(len)\ndef mfu(a):\n    return (a +\n  1)\n" + after)
    tool.reset(KATA, "mfu")
    lines = GIVEN.splitlines(keepends=True)
    given = definition(ast.parse(GIVEN), "mfu")
    assert given is not None
    stub = b"".join(lines[span(given)])
    assert path.read_bytes() == before + stub + after
    assert kept(path)[0].read_bytes().startswith(before + b"@functools.cache")


def test_lines_end_as_they_did(path):
    """A file with carriage returns keeps them everywhere."""
    path.write_bytes(b"def mfu(a):\r\n    return 1\r\n")
    tool.reset(KATA, "mfu")
    new = path.read_bytes()
    assert new.count(b"\r\n") == new.count(b"\n") > 5
    assert compile_source(path, new).stubs == {"mfu"}


@pytest.mark.parametrize("old", [b"", b"x = 1", b"x = 1\n", b"if True:\n    def mfu(): return 1\n"])
def test_a_function_that_is_not_there_comes_at_the_end(path, old):
    """Also where the last line has no end."""
    path.write_bytes(old)
    tool.reset(KATA, "mfu")
    assert path.read_bytes().startswith(old)
    assert compile_source(path, path.read_bytes()).stubs == {"mfu"}


def test_of_two_of_a_name_the_one_that_counts_goes(path):
    """The last one; the first stays as it was."""
    path.write_bytes(b"def mfu(): return 1\n\ndef mfu(): return 2\n")
    tool.reset(KATA, "mfu")
    assert path.read_bytes().startswith(b"def mfu(): return 1\n\ndef mfu(flops")


def test_a_file_that_cannot_be_read_is_only_put_back_whole(path):
    """One function is refused with the line that is wrong, and the file stays; the whole file is put back."""
    path.write_bytes(b"def mfu(:\n")
    with pytest.raises(CommandError, match=r"flops.py:1  SyntaxError.* run dojo reset 03 to restore the whole file"):
        tool.reset(KATA, "mfu")
    assert path.read_bytes() == b"def mfu(:\n"
    assert not kept(path)
    tool.reset(KATA, None)
    assert path.read_bytes() == GIVEN
    assert kept(path)[0].read_bytes() == b"def mfu(:\n"


def test_every_old_file_is_kept(path):
    """Also of two within a second."""
    for text in (b"1", b"2", b"3"):
        path.write_bytes(text)
        tool.reset(KATA, None)
    assert sorted(old.read_bytes() for old in kept(path)) == [b"1", b"2", b"3"]


def test_a_stub_that_nobody_touched_is_left_alone(path):
    """And no old file is kept of it."""
    path.write_bytes(GIVEN)
    assert "is the stub already" in tool.reset(KATA, None)
    assert "is the stub already" in tool.reset(KATA, "mfu")
    assert not kept(path)


def test_a_missing_file_comes_back(path):
    """With its folder; there is nothing to keep."""
    path.parent.rmdir()
    with pytest.raises(CommandError, match=r"flops\.py is missing: run dojo reset 03 to restore it"):
        tool.reset(KATA, "mfu")
    tool.reset(KATA, None)
    assert path.read_bytes() == GIVEN
    assert not kept(path)


def test_a_kata_without_a_stub_that_is_kept_says_so(path, monkeypatch):
    """One that somebody is still writing; nothing is touched."""
    path.write_bytes(b"x = 1\n")
    monkeypatch.setattr(Kata, "judge", path.parent)
    with pytest.raises(CommandError, match="the stub of 03_flops is missing"):
        tool.reset(KATA, None)
    assert path.read_bytes() == b"x = 1\n"


def test_a_function_that_is_none_is_named(path):
    """With a near one."""
    path.write_bytes(GIVEN)
    with pytest.raises(CatalogError, match="did you mean matmul_flops"):
        tool.reset(KATA, "matmul")


def test_the_command_says_where_the_old_file_is_and_the_kata_does_not_read_it(tmp_path):
    """As a process; the old file is no stray to pytest, and git does not see it."""
    clone = make(tmp_path)
    clone.solve("03_flops")
    ran = clone.dojo("reset", "flops", "mfu")
    assert ran.status == 0, ran.out
    said, where = ran.out.splitlines()
    assert said == "mfu in katas/03_flops/flops.py is the stub again"
    old = clone.root / where.removeprefix("  the old file  ")
    assert old.read_bytes() == clone.answers("03_flops", "solutions").read_bytes()
    assert "*.bak" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    judged = clone.pytest("katas/03_flops", "-k", "mfu")
    assert judged.line_of("mfu") == "to do"
    assert "not read" not in judged.out
