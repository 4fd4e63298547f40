"""What is measured of a kata: whose section is whose, what makes it stale, and what no command writes down."""

import fnmatch
import shutil
import subprocess

import pytest
from hypothesis import settings

from dojo.catalog import ROOT, find, katas
from dojo.judging import gates
from dojo.judging.profiles import quick
from dojo.tools import measured, reachability
from tests.strength import mutants, nightly


def test_a_digest_covers_what_decides_a_verdict():
    """The solution, the properties, and what they import in turn; not what only draws."""
    names = {path.relative_to(ROOT).as_posix() for path in measured.files(find("04"))}
    mine = {f"tests/04_backward_flops/{part}.py" for part in ("properties", "strategies", "truth", "scenarios")}
    assert {"solutions/04_backward_flops/backward_flops.py", "tests/shared/shapes.py"} | mine <= names
    assert not [name for name in names if "pictures" in name or "/sums" in name]
    others = {kata.judge for kata in katas().values()} - {find("04").judge}
    assert not [name for name in names if any((ROOT / name).is_relative_to(folder) for folder in others)]


def test_a_digest_changes_with_each_file(tmp_path, monkeypatch):
    """One character more in any of them."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("a")
    second.write_text("b")
    monkeypatch.setattr(measured, "files", lambda kata: [first, second])
    before = measured.digest(find("01"))
    first.write_text("a1")
    between = measured.digest(find("01"))
    second.write_text("b1")
    assert len({before, between, measured.digest(find("01"))}) == 3


def test_words_for_people_are_no_code():
    """Docstrings of any length and comments decide nothing; other texts do."""
    told = '''"""A module."""

# Why.
def rule(x):  # how
    """What is so,

    and what is not.
    """
    """Not the first."""
    return {"#": x, "é": """
# no comment
"""}


class Empty:
    """Nothing."""
'''
    plain = 'def rule(x):\n    """Not the first."""\n    return {"#": x, "é": """\n# no comment\n"""}\nclass Empty:'
    assert measured.code(told) == plain


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a kata that nothing was measured of."""
    monkeypatch.setattr(type(find("03")), "judge", tmp_path)
    return tmp_path


def test_each_command_writes_its_own_section(folder):
    """It replaces the figures of its last run, and keeps what the other commands have written."""
    kata = find("03")
    assert measured.read(kata) == {}
    measured.write(kata, "watch", {"ratio": 0.25, "of": 3})
    measured.write(kata, "mutants", {"mfu": {"count": 7, "digest": 'a "quoted" word'}, "_half": {"count": 2}})
    measured.write(kata, "watch", {"ratio": 0.5})
    mutants_of = {"mfu": {"count": 7, "digest": 'a "quoted" word'}, "_half": {"count": 2}}
    assert measured.read(kata) == {"mutants": mutants_of, "watch": {"ratio": 0.5}}
    assert measured.total(mutants_of, "count") == 9


MUTANTS = {
    "solutions.03_flops.flops.x_f__mutmut_1": ("killed", "return 0", "return 1"),
    "solutions.03_flops.flops.x_f__mutmut_2": ("survived", "return 0", "return 2"),
    "solutions.03_flops.flops.xǁGǁ__init____mutmut_1": ("not checked", "pass", "return"),
}


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ('"So." = ["return 2"]', "2 mutants run; 5 mutants, 3 killed, 2 surviving"),
        ('"So." = ["return 2", "return"]', "2 mutants run; 5 mutants, 3 killed, 2 surviving"),
        ("", "survives, and equivalent.toml has no reason for it"),
        ('"So." = ["return 1", "return 2"]', "a mutant that does not survive"),
    ],
)
def test_no_mutant_survives_without_a_reason_and_no_reason_without_a_mutant(folder, monkeypatch, capsys, reasons, said):
    """Otherwise nothing is written. What is not run keeps its figures, and the reasons that it may need."""
    (folder / "equivalent.toml").write_text(reasons, encoding="utf-8")
    before = {
        "G": {"count": 3, "killed": 2, "surviving": 1, "digest": "5678"},
        "gone": {"count": 9, "killed": 9, "surviving": 0, "digest": "9999"},
    }
    measured.write(find("03"), "mutants", before)
    monkeypatch.setattr(mutants, "statuses", lambda kata: {name: status for name, (status, *_) in MUTANTS.items()})
    monkeypatch.setattr(mutants, "changes", lambda kata: {name: tuple(lines) for name, (_, *lines) in MUTANTS.items()})
    assert mutants.explains(find("03"), ["f"], {"f": "1234", "G": "5678"}) is ("run;" in said)
    assert said in capsys.readouterr().out
    now = {"f": {"count": 2, "killed": 1, "surviving": 1, "digest": "1234"}, "G": before["G"]}
    assert measured.read(find("03"))["mutants"] == (now if "run;" in said else before)


def test_mutants_are_asked_for_by_the_function_or_the_class():
    """By the names that mutmut gives them."""
    (function, _), (_, methods) = (list(mutants.patterns(find("03"), [part])) for part in ("f", "G"))
    first, second, method = MUTANTS
    assert fnmatch.filter(MUTANTS, function) == [first, second]
    assert fnmatch.filter(MUTANTS, methods) == [method]
    assert [mutants.part_of(name) for name in MUTANTS] == ["f", "f", "G"]
    assert mutants.part_of("solutions.03_flops.flops.x__half__mutmut_3") == "_half"


def test_only_what_is_out_of_date_is_run(monkeypatch, capsys):
    """Nothing if all is up to date; all if that is asked for."""
    ran = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: ran.append([*map(str, command)]))
    monkeypatch.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
    monkeypatch.setattr(type(ROOT), "exists", lambda path: True)
    monkeypatch.setattr(mutants, "statuses", lambda kata: {})
    monkeypatch.setattr(mutants, "explains", lambda kata, asked, digests: True)
    monkeypatch.setattr(reachability, "digests", lambda kata: {"f": "1234", "g": "5678"})
    figures = {"mutants": {"f": {"digest": "1234"}, "g": {"digest": "5678"}}}
    monkeypatch.setattr(measured, "read", lambda kata: figures)
    assert mutants.main(["03"], every=False) == 0
    assert ran == []
    assert "up to date" in capsys.readouterr().out
    figures["mutants"]["g"]["digest"] = "9999"
    assert mutants.main(["03"], every=False) == mutants.main(["03"], every=True) == 0
    some, every = ({mutants.part_of(pattern.replace("*", "__mutmut_")) for pattern in command[2:]} for command in ran)
    assert (some, every) == ({"g"}, {"f", "g"})


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


def test_bounds_on_random_numbers_are_counted():
    """Six for each weight that is drawn: spread, edge, outer numbers, distribution, order, gaps."""
    settings.register_profile("nightly", quick(2))
    found = nightly.look("09_init", "test_linear_begins_with_a_truncated_normal_weight", 0)
    assert found.alarms == []
    assert found.bounds == 6 * found.judged > 0
    assert nightly.by_chance(2_000_000) == "; one by chance with a probability of 2e-06 at most"
    assert nightly.by_chance(0) == ""


@pytest.mark.parametrize(
    ("first", "examples", "code", "seeds"),
    [(2, 100, "1234", 2), (0, 100, "1234", 0), (3, 100, "1234", 0), (2, 1000, "1234", 0), (2, 100, "5678", 0)],
)
def test_a_search_goes_on_where_another_one_ended(folder, monkeypatch, first, examples, code, seeds):
    """With the next seed, as many examples, and the same code; else it begins anew."""
    figures = {"answers": 70, "seeds": 2, "examples": 100, "bounds": 5, "false_alarms": 1, "digest": "1234"}
    measured.write(find("03"), "nightly", figures)
    monkeypatch.setattr(measured, "digest", lambda kata: code)
    found = nightly.before(find("03"), first, examples)
    assert found["seeds"] == seeds
    assert (found["answers"], found["bounds"], found["false_alarms"]) == ((70, 5, 1) if seeds else (0, 0, 0))
