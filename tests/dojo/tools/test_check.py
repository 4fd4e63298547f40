"""`dojo new` and `dojo check`: a kata from its skeleton to green, and what is said of one that lacks something."""

import json
import re

import pytest

from dojo.catalog import ROOT
from dojo.tools import CommandError
from dojo.tools import new as tool
from tests.dojo.clone import Clone, make

SLUG = "99_specimen"
LESSON, TABLE, STUB = (f"katas/{SLUG}/{name}" for name in ("README.md", "kata.toml", "specimen.py"))
SOLUTION = f"solutions/{SLUG}/specimen.py"
COPY, PROPERTIES, MISCONCEPTIONS, WHEATS, UNMATCHED, EXAMPLES = (
    f"tests/{SLUG}/{part}.py" for part in ("stub", "properties", "misconceptions", "wheats", "unmatched", "examples")
)
STRATEGIES, MEASURED = f"tests/{SLUG}/strategies.py", f"tests/{SLUG}/measured.toml"
FIGURE, DRAWING = f"tests/{SLUG}/figure.py", f"katas/{SLUG}/figure.svg"
SKELETON = [LESSON, TABLE, STUB, COPY, SOLUTION, f"tests/{SLUG}/__init__.py"]
SKELETON += [PROPERTIES, STRATEGIES, MISCONCEPTIONS, WHEATS, UNMATCHED, EXAMPLES, FIGURE]
FIGURES = """
from dojo import figures
from dojo.catalog import find
from dojo.tools import measured, reachability

kata = find("99")
figures.measure(kata)
drawn = f"<svg><metadata>{figures.digest(kata)}</metadata><text>{figures.caption(kata)}</text></svg>"
figures.drawing(kata).write_text(figures.for_light_and_dark(drawn))  # as if by matplotlib, which need not be there
figures = {"count": 5, "killed": 4, "surviving": 1}
digests = reachability.digests(kata)
measured.write(kata, "mutants", {name: {**figures, "digest": digest} for name, digest in digests.items()})
measured.write(kata, "nightly", {"answers": 40000, "seeds": 1, "examples": 10000, "false_alarms": 0})
measured.write(kata, "power", {})
measured.write(kata, "verdict", {"ratio": 0.5})
measured.write(kata, "watch", {"ratio": 0.1})
"""
REDRAW = "pip install -e '.[figures]' && python -m dojo.figures 99"
DIGESTS = """
import json
from dojo import progress
from dojo.catalog import katas
from dojo.grade.order import rules
from dojo.tools import measured

print(json.dumps({slug: [progress.key(kata), measured.digest(kata), rules((slug,))] for slug, kata in katas().items()}))
"""

RIGHT = "if n < 0:\n        raise ValueError(n)\n    return n * n"
REFUSAL = '''

@grades("specimen")
@given(n=strategies.negative())
def test_specimen_refuses_less_than_no_rows(kata, n):
    """There is no negative number of rows."""
    expect_error(ValueError, kata.specimen, n, because=f"n is {n}")
'''
NEGATIVE = '''

@classes({"just below": lambda n: n == -1, "far below": lambda n: n < -1})
def negative() -> SearchStrategy[int]:
    """No numbers of rows."""
    return st.integers(-8, -1)
'''
MORE_MISCONCEPTIONS = '''

@believes("A negative square is a square", about="specimen")
def squares_what_is_negative(n):
    """Nothing has less than no rows."""
    return n * n


@believes("The corner counts twice", about="specimen")
def counts_the_first_corner_twice(n):
    """The corner is in a row and in a column, and it is one element."""
    return solved.specimen(n) + (n > 0)
'''
WHEAT = """

@answers("specimen")
def by_rows(n):
    if n < 0:
        raise ValueError
    return sum([n] * n)
"""
TWIN = '''

@believes("There are less than no rows", about="specimen")
def turns_the_sign_round(n):
    """It answers as another wrong answer does, so that neither can be told."""
    return n * n
'''
MORE_UNMATCHED = '''

@answers("specimen")
def {0}(n):
    """Nobody believes that."""
    return solved.specimen(n) + {1}
'''


@pytest.fixture
def clone(tmp_path):
    """A copy of this clone that a test may spoil."""
    return make(tmp_path)


def change(clone, place, *pairs, more=""):
    """Write what is to be written in one file, then replace other pieces, and add something to its end."""
    path = clone.root / place
    text = re.sub(r'WRITE: [^"\]\n]*', "Written", path.read_text(encoding="utf-8"))
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text + more, encoding="utf-8")


def listed(out):
    """The gaps that `dojo check` prints, by file."""
    found: dict[str, list[str]] = {}
    place = ""
    for line in out.splitlines():
        if re.fullmatch(r"\S+\.(md|py|svg|toml)|\w+/\w+", line):
            found[place := line] = []
        elif line.startswith("  ") and place:
            found[place].append(line.strip())
        else:
            place = ""
    return found


def fill(clone):
    """Write every file of the kata."""
    change(clone, LESSON, ("print(0)  # Written", "print(3 * 3)"), ("seen 0. Written", "seen 9."))
    change(clone, TABLE, ("routes = []", 'routes = ["memory"]'))
    for place in (STUB, COPY):
        change(clone, place, ("Written", "Elements of a square.\n\n    Raises ValueError for n < 0.\n    "))
    change(clone, SOLUTION, ('raise NotImplementedError("specimen")  # Written', RIGHT))
    change(
        clone,
        PROPERTIES,
        ("specimen(n), n,", "specimen(n), torch.ones(n, n).numel(),"),
        ("from dojo.judging.examples", "import torch\n\nfrom dojo.judging.examples"),
        ("expect, grades", "expect, expect_error, grades"),
        more=REFUSAL,
    )
    change(clone, STRATEGIES, more=NEGATIVE)
    change(clone, MISCONCEPTIONS, ('"""Written"""', '"""Written."""'), more=MORE_MISCONCEPTIONS)
    change(clone, WHEATS, ("raise NotImplementedError  # Written", RIGHT.replace("n * n", "n**2")), more=WHEAT)
    change(clone, UNMATCHED, more=MORE_UNMATCHED.format("adds_5", 5) + MORE_UNMATCHED.format("adds_7", 7))
    change(clone, FIGURE)
    change(clone, EXAMPLES, ("(0) == 0", "(3) == 9"))


def test_a_kata_from_its_skeleton_until_it_is_complete(clone):
    """All gaps are listed at once; then the gates are asked, and what fails is said in words."""
    ran = clone.dojo("new", SLUG)
    assert ran.status == 0, ran.out
    written = re.findall(r"^  written  (.+)$", ran.out, re.MULTILINE)
    assert sorted(written) == sorted(SKELETON)
    assert ran.out.endswith("  next     dojo check 99\n")

    ran = clone.dojo("check", "99")
    assert ran.status == 1
    found = listed(ran.out)
    assert list(found) == [
        LESSON, TABLE, STUB, SOLUTION, PROPERTIES, MISCONCEPTIONS, WHEATS, UNMATCHED, EXAMPLES, FIGURE, STRATEGIES,
        DRAWING, MEASURED, "README.md", "GRADING.md",
    ]  # fmt: skip
    assert ran.out.startswith(f"{SLUG} · {sum(map(len, found.values()))} gaps\n")
    assert found[LESSON][0] == "line 3: write the question that this kata answers."
    assert "line 4: specimen is still a stub" in found[SOLUTION]
    assert "line 9: write what the figure shows, measured by torch or by the clock" in found[LESSON]
    assert f"does not match figure.json, figure.py and the caption: {REDRAW}" in found[DRAWING]
    assert "specimen has 1 misconceptions, and needs 3" in found[MISCONCEPTIONS]
    assert (
        "has no [mutants] yet: pip install -e '.[test,mutants]' && python -m tests.strength.mutants 99"
        in found[MEASURED]
    )
    assert "the table of the points is not up to date: dojo tables" in found["GRADING.md"]
    assert "gate 1" not in ran.out

    fill(clone)
    assert clone.python("-c", FIGURES).status == 0
    assert clone.dojo("tables").out == "  written  README.md\n  written  GRADING.md\n"
    ran = clone.dojo("check", "99")
    assert ran.status == 0, ran.out
    row = next(line for line in ran.out.splitlines() if line.startswith(f"{SLUG}  "))
    assert re.findall(r"\d+ of \d+", row) == ["3 of 3", "3 of 3", "1 of 1", "2 of 2"]
    assert re.search(r"specimen_cases *\n  none +\d+\.\d%\n  several +\d+\.\d%", ran.out)

    change(clone, MISCONCEPTIONS, ("+ (n > 0)", ""), more=TWIN)
    change(clone, WHEATS, ("sum([n] * n)", "sum([n] * n) or 1"))
    change(clone, PROPERTIES, more='\n\n@grades("specimen")\ndef test_nothing(kata):\n    """A rule."""\n')
    ran = clone.dojo("check", "99")
    assert ran.status == 1
    assert re.findall(r"\d+ of \d+", ran.out)[:4] == ["1 of 4", "2 of 3", "0 of 1", "2 of 3"]
    words = " ".join(ran.out.split())
    assert "[mutants] is older than the solution or the properties of specimen: pip install" in words
    assert "counts_the_first_corner_twice is wrong, and every property of specimen lets it through" in words
    twins = {
        "squares_what_is_negative": "A negative square is a square",
        "turns_the_sign_round": "There are less than no rows",
    }
    for name, belief in twins.items():
        assert f"specimen-{name} is wrong, and its report names no belief in place of {belief!r}" in words
    assert (
        "specimen-by_rows is right, and test_specimen_is_what_torch_says rejects it:"
        " you called specimen(0) it returned 1 torch says 0" in words
    )
    assert "gate 3 specimen is a stub, but these do not report it as to do: test_nothing" in words
    assert "gate 4 test_nothing rejects no misconception that another property lets through" in words


def test_a_name_that_is_old_is_found_in_every_place(clone):
    """A kata and its function are renamed in kata.toml and in the folder of the lesson, and nowhere else."""
    assert clone.dojo("new", SLUG, "specimen").status == 0
    fill(clone)
    (clone.root / f"tests/{SLUG}/scenarios.py").write_text(
        'from dojo.seam.scenario import calls\n\n\n@calls("specimen({0})")\ndef squared(module, n):\n'
        '    """A call."""\n    return module.specimen(n)\n\n\n'
        '@calls("{0}({1})")\ndef any_function(module, name, n):\n    """One whose name is an argument."""\n',
        encoding="utf-8",
    )
    change(clone, "README.md", more=f"\n`pytest katas/{SLUG}`\n`dojo hint 99 specimen`\n{SLUG} · specimen\n")
    (clone.root / "tests" / "99_old").mkdir()
    assert clone.dojo("tables").status == 0
    change(clone, TABLE, ("[functions.specimen]", "[functions.square]"))
    found = listed(clone.dojo("check", "99").out)
    other = "names specimen, which the kata does not have"
    assert found[LESSON] == ["numbers the functions specimen; kata.toml has them as square"]
    missing, extra = "there is no square, which kata.toml names", "has no entry [functions.specimen] in kata.toml"
    assert found[STUB] == [missing, f"line 4: specimen {extra}"]
    assert found[SOLUTION] == [missing, f"line 4: specimen {extra}"]
    assert any("grades specimen, which kata.toml does not name" in text for text in found[PROPERTIES])
    assert any(text.endswith(other) for text in found[PROPERTIES])
    for place in (MISCONCEPTIONS, WHEATS, UNMATCHED):
        assert any("is about specimen, which kata.toml does not name" in text for text in found[place])
    assert found[EXAMPLES] == [f"line 8: {other}"]
    assert found[f"tests/{SLUG}/scenarios.py"] == [f"line 4: {other}"]
    assert sum("names specimen, which kata.toml does not" in text for text in found["README.md"]) == 2
    assert found["GRADING.md"] == ["the table of the points is not up to date: dojo tables"]
    assert found["tests/99_old"] == [f"has the number of {SLUG}, but another name"]

    (clone.root / f"katas/{SLUG}").rename(clone.root / "katas" / "99_square")
    found = listed(clone.dojo("check", "99").out)
    assert any(text.endswith(f"names {SLUG}, and the kata is 99_square") for text in found["README.md"])
    assert found[f"tests/{SLUG}"] == found[f"solutions/{SLUG}"] == ["has the number of 99_square, but another name"]
    assert "does not name the command `pytest katas/99_square`" in found["katas/99_square/README.md"]


def test_a_kata_more_changes_no_digest_of_another_one(clone):
    """What a verdict, a measurement and a grade rest on: the folders of the kata, and what they import.

    Its own functions are in the skeleton, in the order in which they were named, and to do.
    """
    before = json.loads(clone.python("-c", DIGESTS).out)
    assert clone.dojo("new", SLUG, "f", "g").status == 0
    assert clone.dojo("tables").status == 0
    after = json.loads(clone.python("-c", DIGESTS).out)
    assert set(after) - set(before) == {SLUG}
    assert {slug: after[slug] for slug in before} == before
    assert all(all(digests) for digests in after.values())

    ran = clone.pytest(f"katas/{SLUG}")
    assert ran.status == 1
    assert ran.line_of("f") == ran.line_of("g") == "to do"


@pytest.mark.parametrize(
    ("name", "functions", "message"),
    [
        ("3_x", [], "03_flops already exists"),
        ("23_flops", [], "03_flops already exists"),
        *(
            (name, [], f"a kata must be a number from 1 to 99 and a topic, such as 23_my_topic, got {name!r}")
            for name in ("100_x", "0_x", "²_x", "23", "23_My-topic", "23_../x", "23_class")
        ),
        *(
            (SLUG, [name], f"a function must be a public Python name other than 'run', got {name!r}")
            for name in ("g h", "_f", "run")
        ),
        (SLUG, ["f", "f"], "the functions must differ, got f, f"),
    ],
)
def test_new_refuses_what_cannot_be_a_kata(tmp_path, monkeypatch, name, functions, message):
    """One line, and nothing is written."""
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    with pytest.raises(CommandError) as caught:
        tool.new(name, functions)
    assert str(caught.value) == message
    assert not list(tmp_path.iterdir())


def test_new_writes_over_nothing(tmp_path, monkeypatch):
    """A file that is there already stays, and no other is written."""
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    there = tmp_path / WHEATS
    there.parent.mkdir(parents=True)
    there.write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match=f"{WHEATS} already exists"):
        tool.new(SLUG, [])
    assert there.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "katas").exists()


def test_check_knows_no_kata_that_is_not_there():
    """One line, and status 2."""
    ran = Clone(ROOT).dojo("check", "99")
    assert ran.status == 2
    assert ran.out.startswith("dojo: unknown kata '99'")
    assert ran.out.count("\n") == 1
