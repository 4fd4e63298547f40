"""`dojo --help` and the help of each command, as a terminal of 80 columns shows it."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from dojo.cli import app
from dojo.grade.formats import FORMATS
from dojo.tools.options import Isolation

COMMANDS: Mapping[str, Any] = typer.main.get_group(app).commands


def shown(*command):
    """The help that is printed, line by line."""
    ran = CliRunner().invoke(app, [*command, "--help"], prog_name="dojo", env={"COLUMNS": "80", "DOJO_SEED": None})
    assert ran.exit_code == 0
    return ran.output.splitlines()


def in_one_line(lines):
    """A text without its line breaks and indents."""
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize(
    "command", [[], *([name] for name in COMMANDS)], ids=lambda command: " ".join(command) or "dojo"
)
def test_help_fits_80_columns(command):
    """No line is wider, nothing is cut off, and a flag stands without a type."""
    lines = shown(*command)
    assert max(map(len, lines)) <= 80
    text = re.sub(r"\b\w+\]?\.\.\.", "", in_one_line(lines))  # an argument that is given several times
    assert "…" not in text
    assert "..." not in text
    assert "<bool>" not in text


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command_is_whole(name):
    """What it does, each argument and each option, to the last word and to an example that begins with the command."""
    command = COMMANDS[name]
    text = in_one_line(shown(name))
    assert in_one_line(command.help.splitlines()) in text
    for parameter in command.params:
        assert f" {parameter.help} " in text, parameter.name
        assert parameter.help.endswith("."), parameter.name
    assert f"Example: dojo {name}" in text


def test_the_list_of_commands_has_a_whole_sentence_for_each():
    """The first sentence of its help."""
    text = in_one_line(shown())
    for name, command in COMMANDS.items():
        sentence, _, _ = command.help.partition("\n")
        assert f" {name} {sentence}" in text


@pytest.mark.parametrize(
    ("command", "choices"),
    [("grade", FORMATS), ("grade", Isolation), ("grade-all", Isolation)],
    ids=["formats", "isolation of grade", "isolation of grade-all"],
)
def test_help_names_each_choice(command, choices):
    """A format or a level that is added is named there too."""
    words = in_one_line(shown(command)).replace(",", " ").replace(".", " ").split()
    assert set(choices) <= set(words)
