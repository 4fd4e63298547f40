"""`dojo new` and `dojo check`: a kata from its skeleton to green, and what is said of one that is not."""

import re
import shutil

import pytest

from tests.dojo.clone import make

SLUG = "23_my_topic"
ROOMS = [
    f"katas/{SLUG}/README.md",
    f"katas/{SLUG}/my_topic.py",
    f"solutions/{SLUG}/my_topic.py",
    f"tests/{SLUG}/properties.py",
    f"tests/{SLUG}/misconceptions.py",
    f"tests/{SLUG}/wheats.py",
    f"tests/{SLUG}/unmatched.py",
    f"tests/{SLUG}/examples.py",
    f"katas/{SLUG}/kata.toml",
]
"""In the order in which `dojo check` asks for them."""
COPY = f"tests/{SLUG}/stub.py"

MISCONCEPTIONS = """

@believes("A square has as many elements as a side", about="my_topic")
def counts_one_side(n):
    \"\"\"Each of n rows has n elements.\"\"\"
    return n


@believes("The corner counts twice", about="my_topic")
def counts_the_first_corner_twice(n):
    \"\"\"The corner is in a row and in a column, and it is one element.\"\"\"
    return n * n + (n > 0)
"""
WHEAT = """

@answers("my_topic")
def by_rows(n):
    return sum([n] * n)
"""
UNMATCHED = """

@answers("my_topic")
def {0}(n):
    \"\"\"Nobody believes that.\"\"\"
    return n * n + {1}
"""


@pytest.fixture
def clone(tmp_path):
    """A copy of this clone that a test may spoil."""
    return make(tmp_path)


def change(clone, place, *pairs, more=""):
    """Replace what is to be written in one room, then other pieces, and add something to its end."""
    path = clone.root / place
    text = re.sub(r'WRITE: [^"\n]*', "Written.", path.read_text(encoding="utf-8"))
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text + more, encoding="utf-8")


def asks_for(clone, place):
    """Whether `dojo check` asks for this room, and for nothing else."""
    ran = clone.dojo("check", "23")
    assert ran.status == 1, ran.out
    title, said = ran.out.strip().splitlines()
    assert title == f"{SLUG} · not complete"
    assert said.startswith(f"{place}:"), said
    return said


def finish(clone):
    """Write every room of the kata, asking each time which one is next."""
    lesson, stub, solution, properties, misconceptions, wheats, unmatched, examples, table = ROOMS
    assert asks_for(clone, lesson).endswith("write the question that this kata answers.")
    change(clone, lesson)
    asks_for(clone, stub)
    change(clone, stub)
    assert asks_for(clone, COPY).endswith(f": is not the stub: cp {stub} {COPY}")
    shutil.copy(clone.root / stub, clone.root / COPY)
    asks_for(clone, solution)
    change(clone, solution)
    assert asks_for(clone, solution).endswith(":4: my_topic is still a stub")
    change(clone, solution, ('raise NotImplementedError("my_topic")', "return n * n"))
    asks_for(clone, properties)
    change(
        clone,
        properties,
        ("my_topic(n), n,", "my_topic(n), torch.ones(n, n).numel(),"),
        ("from hyp", "import torch\nfrom hyp"),
    )
    asks_for(clone, misconceptions)
    change(clone, misconceptions)
    assert asks_for(clone, misconceptions).endswith(": my_topic has 1 misconceptions, and wants 3")
    change(clone, misconceptions, more=MISCONCEPTIONS)
    asks_for(clone, wheats)
    change(clone, wheats, ("raise NotImplementedError", "return n**2"), more=WHEAT)
    asks_for(clone, unmatched)
    change(clone, unmatched, more=UNMATCHED.format("adds_five", 5) + UNMATCHED.format("adds_seven", 7))
    asks_for(clone, examples)
    change(clone, examples)
    assert asks_for(clone, table).endswith(":5: write what it returns, in a few words")
    change(clone, table)
    asks_for(clone, "README.md")
    line = f"| [23 · My topic](katas/{SLUG}/README.md) | What does a square hold? |\n"
    change(clone, "README.md", ("\nTake them in this order", f"{line}\nTake them in this order"))


def test_a_kata_from_its_skeleton_until_it_is_complete(clone):
    """Each room is asked for in its turn; then the gates are asked, and what fails is said in words."""
    ran = clone.dojo("new", "23", "my_topic")
    assert ran.status == 0, ran.out
    written = re.findall(r"^  written  (.+)$", ran.out, re.MULTILINE)
    assert sorted(written) == sorted([*ROOMS, COPY])
    assert ran.out.endswith("  next     dojo check 23\n")
    unfinished = clone.pytest(f"katas/{SLUG}")
    assert unfinished.status == 1
    assert unfinished.line_of("my_topic") == "to do"
    assert clone.dojo("hint", "topic").status == 2
    assert clone.dojo("hint", "my_topic").out == f"{SLUG} · My topic\n  dojo hint 23 my_topic\n"

    finish(clone)
    ran = clone.dojo("check", "23")
    assert ran.status == 0, ran.out
    row = ran.out.splitlines()[-1]
    assert row.split("  ")[0] == SLUG
    assert re.findall(r"\d+ of \d+", row) == ["3 of 3", "3 of 3", "1 of 1", "1 of 1"]

    _, stub, _, properties, misconceptions, wheats, *_ = ROOMS
    change(clone, misconceptions, ("return n\n", "return n * n\n"))
    change(clone, wheats, ("sum([n] * n)", "sum([n] * n) or 1"))
    useless = '\n\n@grades("my_topic")\ndef test_nothing(kata):\n    """A rule."""\n'
    change(clone, properties, more=useless)
    ran = clone.dojo("check", "23")
    assert ran.status == 1
    assert re.findall(r"\d+ of \d+", ran.out)[:4] == ["2 of 3", "2 of 3", "0 of 1", "1 of 2"]
    told = " ".join(ran.out.split())
    assert "gate 1 my_topic-counts_one_side is wrong, and every property of my_topic lets it through" in told
    assert (
        "gate 2 my_topic-by_rows is right, and test_my_topic_is_what_torch_says rejects it:"
        " you called my_topic(0) it returned 1 torch says 0" in told
    )
    assert "gate 3 my_topic is no stub as it should be handed out: test_nothing" in told
    assert "gate 4 test_nothing rejects no misconception that another property lets through" in told

    change(clone, stub, ('raise NotImplementedError("my_topic")', "return 2"))
    assert asks_for(clone, stub).endswith(":4: my_topic is no stub")
    (clone.root / stub).unlink()
    assert asks_for(clone, stub).endswith(": is missing")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["3", "x"], "03_flops already exists"),
        (["23", "flops"], "03_flops already exists"),
        (["100", "x"], "a kata number must be 1 to 99, got '100'"),
        (["0", "x"], "a kata number must be 1 to 99, got '0'"),
        (["²", "x"], "a kata number must be 1 to 99, got '²'"),
        (["23", "My-topic"], "a kata name must be a Python name such as my_topic, got 'My-topic'"),
        (["23", "../x"], "a kata name must be a Python name such as my_topic, got '../x'"),
        (["23", "class"], "a kata name must be a Python name such as my_topic, got 'class'"),
        (["23", "run"], "a kata's first function has its name, and a function cannot be called 'run'"),
    ],
)
def test_new_refuses_what_can_be_no_kata(clone, arguments, message):
    """One line, status 2, and nothing is written."""
    ran = clone.dojo("new", *arguments)
    assert ran.status == 2
    assert ran.out == f"dojo: {message}\n"
    assert len(list(clone.root.glob("katas/*"))) == 6


def test_new_writes_over_nothing(clone):
    """A file that is there already stays, and no other is written."""
    there = clone.root / "tests" / "wheats" / f"{SLUG}.py"
    there.write_text("mine", encoding="utf-8")
    ran = clone.dojo("new", "23", "my_topic")
    assert ran.status == 2
    assert ran.out == f"dojo: tests/wheats/{SLUG}.py already exists\n"
    assert there.read_text(encoding="utf-8") == "mine"
    assert not (clone.root / "katas" / SLUG).exists()


def test_check_knows_no_kata_that_is_not_there(clone):
    """One line, and status 2."""
    ran = clone.dojo("check", "99")
    assert ran.status == 2
    assert ran.out.startswith("dojo: unknown kata '99'")
    assert ran.out.count("\n") == 1
