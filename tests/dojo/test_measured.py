"""The table of mutants is of the solutions and properties that there are, and says why each survivor may survive."""

import tomllib

from hypothesis import settings

from dojo.catalog import ROOT, find, katas
from dojo.judging import gates
from dojo.judging.profiles import quick
from tests.strength import measured, mutants, nightly


def test_the_table_is_no_older_than_what_it_speaks_of(slug):
    """Where this fails: `python -m tests.strength.mutants NN` measures anew, and its table is committed."""
    assert measured.rows()[slug]["of"] == measured.digest(katas()[slug])


def test_every_mutant_is_killed_or_explained(slug):
    """The survivors are counted, listed, and each has its reason."""
    row = measured.rows()[slug]
    listed = mutants.sections(measured.survivors()).get(slug, ["", ""])[2:]
    assert int(row["mutants"]) == int(row["killed"]) + int(row["surviving"])
    assert int(row["mutants"]) > 0
    assert len(listed) == int(row["surviving"])
    assert all(line.endswith(". |") for line in listed)


def test_no_reason_is_left_over():
    """Each line that has a reason stands in the table."""
    reasons = tomllib.loads(mutants.REASONS.read_text(encoding="utf-8"))
    assert set(reasons) <= set(katas())
    for slug in reasons:
        listed = "\n".join(mutants.sections(measured.survivors())[slug])
        for line in mutants.explained(katas()[slug]):
            assert f"| `{line.replace('|', chr(92) + '|')}` |" in listed, line


def test_right_answers_were_asked_and_none_was_rejected(slug):
    """The last figures of the nightly run."""
    row = measured.rows()[slug]
    assert int(row["examples"].replace(",", "")) > 0
    assert row["false alarms"] == "0"


def test_a_digest_covers_what_decides_a_verdict():
    """The solution, the properties, and what they import in turn; not what only draws."""
    names = {path.relative_to(ROOT).as_posix() for path in measured.files(find("04"))}
    mine = {f"tests/04_backward_flops/{part}.py" for part in ("properties", "strategies", "truth", "scenarios")}
    assert {"solutions/04_backward_flops/backward_flops.py", "tests/shared/shapes.py"} | mine <= names
    assert not [name for name in names if "pictures" in name or "/sums" in name]
    others = {kata.judge for kata in katas().values()} - {find("04").judge}
    assert not [name for name in names if any((ROOT / name).is_relative_to(folder) for folder in others)]


def test_a_digest_changes_with_each_file(tmp_path, monkeypatch):
    """One byte more in any of them."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"a")
    second.write_bytes(b"b")
    monkeypatch.setattr(measured, "files", lambda kata: [first, second])
    before = measured.digest(find("01"))
    first.write_bytes(b"a\n")
    between = measured.digest(find("01"))
    second.write_bytes(b"b\n")
    assert len({before, between, measured.digest(find("01"))}) == 3


def test_the_table_comes_back_as_it_was_written(tmp_path, monkeypatch):
    """Each command changes its own columns, and keeps what stands in the others and below."""
    monkeypatch.setattr(measured, "TABLE", tmp_path / "table.md")
    assert measured.rows() == {}
    rows = {"03_flops": dict.fromkeys(measured.COLUMNS, "7") | {"kata": "03_flops"}}
    below = mutants.HEADING + "\n### 03_flops\n\n| a |\n| b |\n"
    measured.write(rows, below)
    assert measured.rows()["03_flops"] == rows["03_flops"]
    assert measured.survivors() == below
    assert mutants.sections(measured.survivors()) == {"03_flops": ["| a |", "| b |"]}


def test_a_false_alarm_is_told(monkeypatch):
    """Of a wrong answer among right ones: it is named and left out, and the others are asked every example."""
    kata = find("03")
    wrong = next(variant for variant in gates.misconceptions(kata) if variant.about == "mlp_flops")
    right = list(nightly.right_answers(kata, ["mlp_flops"]))
    seam = nightly.counted(wrong.name, kata, wrong)
    monkeypatch.setattr(nightly, "right_answers", lambda *_: [right[0], seam, *right[1:]])
    settings.register_profile("nightly", quick(30))
    found = nightly.look(kata.slug, "test_mlp_flops_are_what_torch_counts", 0)
    assert len(found.alarms) == 1
    assert wrong.name in found.alarms[0]
    assert [asked.examples for asked in right] == [30] * len(right)
    assert found.judged == 30 * len(right) + 1
