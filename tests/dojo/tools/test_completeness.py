"""The rules that a kata is held to before the gates: each finds what breaks it."""

from dataclasses import replace

import pytest

from dojo.catalog import ROOT, find
from dojo.judging import gates
from dojo.judging.diagnose import Variant, with_variant
from dojo.tools import completeness, gap, lessons, measured, names, reachability
from dojo.tools.gap import Gap

KATA = find("03")
LESSON = KATA.lesson.read_text(encoding="utf-8")


@pytest.fixture
def no_snippet(monkeypatch):
    """Leaves out the lesson, whose snippet is run in another process."""
    monkeypatch.setattr(lessons, "gaps", lambda kata: ())


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "You should have seen 48 and 0",
            "You should have seen 49 and 0",
            "which the last paragraph does not say",
        ),
        ("You should have seen", "You saw", "has a last paragraph that does not begin with You should have seen"),
        ("```python", "```", "has no snippet of Python below ## Predict, then measure"),
        ("import torch\n", "import torhc\n", "No module named 'torhc'"),
        ("flops())\n", "flops())\nprint(48)\n", "when it is pasted into python: SyntaxError: invalid syntax"),
        (
            "        result = product()\n",
            "        result = product()\n        2 + 2\n",
            "pasted into python: Error: it echoes 4",
        ),
        ("    print(counter", "    x = (counter", "has a snippet that prints no number"),
        ("a, b, v =", "open('left', 'w').close()\na, b, v =", "leaves a file behind: left"),
        ("1. `matmul_flops`", "1. `matmul`", "numbers the functions matmul, linear_flops"),
        ("`pytest katas/03_flops`", "`pytest katas`", "does not name the command `pytest katas/03_flops`"),
        ("`dojo hint 03`", "a hint", "does not name the command `dojo hint 03`"),
        ("# 03 · ", "# 3 · ", "does not begin with # 03 · "),
        ("## Predict", "\n" * 60 + "## Predict", "lines, and one screen has 75"),
        ("## Predict", "wide " * 22 + "\n\n## Predict", "has 110 columns, and a screen has 105"),
    ],
)
def test_a_lesson_that_breaks_a_rule_is_found(tmp_path, monkeypatch, old, new, complaint):
    """One change to a lesson that lacks nothing."""
    assert old in LESSON
    path = tmp_path / "README.md"
    path.write_text(LESSON.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(type(KATA), "lesson", path)
    assert any(complaint in found.text for found in lessons.gaps(KATA))


def test_an_error_of_a_stub_that_no_property_asks_for_is_found():
    """By what the solution raises while the properties run: it does not matter how a property is written."""
    assert completeness.errors_named(KATA)["matmul_flops"] == ["ValueError"]
    assert gates.unasked(KATA, "matmul_flops", ["ValueError"]) == []
    assert gates.unasked(KATA, "matmul_flops", ["ValueError", "IndexError"]) == ["IndexError"]
    assert gates.unasked(KATA, "linear_flops", ["ValueError"]) == ["ValueError"]
    assert gates.unasked(find("05"), "SGD", ["ValueError"]) == []  # a class, whose constructor raises it


def test_a_stub_names_itself(tmp_path):
    """What it raises is the name of the function that it is."""
    path = tmp_path / "stub.py"
    path.write_text('def f():\n    raise NotImplementedError("g")\n', encoding="utf-8")
    assert [found.text for found in names.in_code(KATA, path, stub=True)] == ["raises NotImplementedError('g') in f"]


@pytest.mark.parametrize(
    ("advice", "belief", "text"),
    [
        ("One. Two. Three.", "B", "f needs a docstring of one or two sentences, which is the advice"),
        ("", "B", "f needs a docstring of one or two sentences, which is the advice"),
        ("One.", "B.", "f has a belief with a full stop"),
    ],
)
@pytest.mark.usefixtures("no_snippet")
def test_advice_is_one_or_two_sentences(monkeypatch, advice, belief, text):
    """Nobody reads a third one; a belief is the end of a line of the report."""

    def f():
        """Answer."""

    variants = [Variant(name, f, "B", "One. Two, e.g. three.") for name in KATA.functions for _ in range(3)]
    variants[0] = Variant("mfu", f, belief, advice)
    monkeypatch.setattr(completeness, "variants", lambda slug, part: variants)
    texts = [found.text for found in completeness.gaps(KATA) if found.path.stem == "misconceptions"]
    assert texts == ["matmul_flops has 2 misconceptions, and needs 3", text]


@pytest.mark.usefixtures("no_snippet")
def test_points_and_hints_are_asked_for():
    """A function needs three hints, and a point or more."""
    bad = replace(KATA.functions["mfu"], hints=("one",), points=0)
    kata = replace(KATA, functions=KATA.functions | {"mfu": bad})
    texts = [found.text for found in completeness.gaps(kata) if found.path.name == "kata.toml"]
    assert texts == ["mfu has 1 hints, and needs 3", "mfu has 0 points, and needs 1 or more"]


@pytest.mark.parametrize(
    ("section", "change", "text"),
    [
        ("mutants", {"mfu": {"digest": "another"}}, "[mutants] is older than the solution or the properties of mfu:"),
        ("mutants", {"mfu": {"killed": 0}}, "[mutants] does not add up"),
        ("nightly", {"false_alarms": 1}, "[nightly] has false alarms"),
        ("nightly", {"answers": 0}, "or no right answer was judged"),
    ],
)
def test_figures_that_are_old_or_bad_are_found(monkeypatch, section, change, text):
    """A false alarm is the worst bug there is, and an old figure says nothing."""
    figures = measured.read(KATA)
    for name, digest in reachability.digests(KATA).items():
        figures["mutants"][name]["digest"] = digest
    monkeypatch.setattr(measured, "read", lambda kata: figures)
    assert list(completeness.stale(KATA)) == []
    for key, value in change.items():
        figures[section][key] = figures[section][key] | value if isinstance(value, dict) else value
    assert [text in found.text for found in completeness.stale(KATA)] == [True]


@pytest.mark.usefixtures("no_snippet")
def test_an_example_that_does_not_hold_is_found_by_its_line(monkeypatch):
    """The line of the first example that another answer fails."""
    wrong = next(variant for variant in gates.misconceptions(KATA) if variant.about == "matmul_flops")
    monkeypatch.setattr(completeness, "load", lambda *_: with_variant(KATA, wrong).answers)
    (found,) = (found for found in completeness.gaps(KATA) if found.path.stem == "examples")
    assert found.line
    assert found.text.startswith("does not hold for the solution: AssertionError")


def test_a_gap_begins_with_its_place():
    """As editors and terminals link it."""
    assert str(Gap(ROOT / "README.md", "lacks x", 3)) == "README.md:3: lacks x"
    assert [found.text for found in gap.unwritten(ROOT / "nowhere")] == ["the file is missing"]
