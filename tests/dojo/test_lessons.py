"""The lessons: what they let a learner predict is what torch measures, and the commands in them are there."""

import re
import subprocess
import sys

import pytest

from dojo.catalog import find, katas

SCREEN = 75
"""Lines of a lesson, with its tables and its snippet."""


def lesson(slug):
    """The text of a lesson."""
    return katas()[slug].lesson.read_text(encoding="utf-8")


def numbers(text):
    """The numbers in a text, in order."""
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def test_what_is_predicted_is_what_is_measured(slug, tmp_path):
    """The snippet runs as it stands, and the lesson says at its end every number that it prints.

    To one part in a thousand: the size of a file depends on the version of torch.
    """
    text = lesson(slug)
    _, found, rest = text.partition("## Predict, then measure\n")
    assert found
    snippet = re.search(r"```python\n(.*?)```", rest, re.DOTALL)[1]
    said = text.rstrip().rpartition("\n\n")[2]
    assert said.startswith("You should have seen ")
    ran = subprocess.run([sys.executable, "-c", snippet], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert not ran.stderr
    assert numbers(ran.stdout)
    for number in numbers(ran.stdout):
        assert any(number == pytest.approx(value, rel=1e-3) for value in numbers(said)), number
    assert not list(tmp_path.iterdir()), "the snippet leaves a file behind"


def test_a_lesson_is_one_screen(slug):
    """Some 70 lines of 105 columns."""
    lines = lesson(slug).splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 105


def test_a_lesson_names_the_functions_in_the_order_to_write_them(slug):
    """Each once in the numbered list."""
    assert re.findall(r"^\d+\. `(\w+)`", lesson(slug), re.MULTILINE) == list(katas()[slug].functions)


def test_the_commands_of_a_lesson_are_of_its_kata(slug):
    """How to run it, and where to get a hint."""
    text = lesson(slug)
    assert f"`pytest katas/{slug}`" in text
    commands = re.findall(r"`dojo (\w+)(?: (\w+))?`", text)
    assert ("hint", katas()[slug].number) in commands
    assert all(find(word).slug == slug for _, word in commands if word)
