"""What editors, assistants and GitHub read of this repository: commands and paths in it are those that there are."""

import json
import os
import re
import shlex
import subprocess

import pytest
import typer
import yaml

from dojo.catalog import ROOT, find, katas
from dojo.cli import app

AGENTS = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
GREET = ROOT / ".github" / "workflows" / "greet.yml"
OPEN = find("03").source(ROOT / "katas")
VARIABLES = {
    "${command:python.interpreterPath}": "python",
    "${fileDirnameBasename}": OPEN.parent.name,
    "${selectedText}": "matmul_flops",
}
"""What VS Code puts in, where the stubs of kata 03 are open and a function is selected."""


def read(place):
    """A file of an editor's: JSON with whole lines of comments."""
    lines = (ROOT / place).read_text(encoding="utf-8").splitlines()
    return json.loads("\n".join(line for line in lines if not line.strip().startswith("//")))


def assert_takes(words):
    """The dojo has this command, and it takes these arguments."""
    group = typer.main.get_group(app)
    name, *arguments = words
    assert name in group.commands, f"there is no dojo {name}"
    group.commands[name].make_context(name, arguments).close()


def tasks():
    """The command line of each task."""
    for task in read(".vscode/tasks.json")["tasks"]:
        line = [task["command"], *task["args"]]
        for variable, value in VARIABLES.items():
            line = [word.replace(variable, value) for word in line]
        yield pytest.param(line, id=task["label"])


@pytest.mark.parametrize("line", list(tasks()))
def test_tasks_run_what_there_is(line):
    """pytest on a kata, or a command of the dojo with what it takes."""
    assert "$" not in "".join(line)
    program, dash, module, *words = line
    assert (program, dash) == ("python", "-m")
    if module == "pytest":
        assert [ROOT / word for word in words] == [OPEN.parent]
    else:
        assert module == "dojo"
        assert_takes(words)


def test_the_editor_finds_the_katas_alone():
    """The solutions, and the tests of the dojo itself, are not what a learner runs."""
    settings = read(".vscode/settings.json")
    assert settings["python.testing.pytestEnabled"] is True
    assert settings["python.testing.unittestEnabled"] is False
    assert settings["python.testing.pytestArgs"] == ["katas"]
    assert settings["testing.gutterEnabled"] is False


def test_the_container_installs_what_the_katas_need():
    """From a plain image of Python, with a package of extras that there is, and an editor like that of the clone."""
    told = read(".devcontainer/devcontainer.json")
    assert re.fullmatch(r"python:3\.1[1-9]", told["image"])
    *_, install, check = told["postCreateCommand"].split(" && ")
    assert shlex.split(install)[-2:] == ["-e", ".[test]"]
    assert_takes(shlex.split(check)[1:])
    assert told["customizations"]["vscode"]["extensions"] == read(".vscode/extensions.json")["recommendations"]


def test_assistants_are_told_commands_and_places_that_there_are():
    """Each command in code is one that runs, and each path is there."""
    said = re.findall(r"`([^`]+)`", AGENTS)
    commands = [shlex.split(code)[1:] for code in said if code.startswith("dojo ")]
    assert {words[0] for words in commands} == {"hint", "solution"}
    for words in commands:
        assert_takes(words)
    places = [code.removeprefix("pytest ") for code in said if "/" in code]
    assert len(places) >= 6
    for place in places:
        assert (ROOT / place).exists(), place
    assert "matmul_flops" in find("03").functions


def test_assistants_are_kept_from_every_room_that_holds_answers():
    """Each folder with a file of a kata in it that is no stub, lesson or property."""
    kata = next(iter(katas().values()))
    rooms = {path.parent for path in (kata.source(ROOT / "solutions").parent, kata.judge)}
    for room in rooms:
        assert f"`{room.relative_to(ROOT).as_posix()}/`" in AGENTS


def greeting():
    """The workflow, its one job, and its one step; YAML 1.1 reads `on` as true."""
    told = yaml.safe_load(GREET.read_text(encoding="utf-8"))
    (job,) = told["jobs"].values()
    (step,) = job["steps"]
    return told, job, step


def test_the_greeting_can_do_nothing_but_comment():
    """It has the right to write to a pull request, checks nothing out, and no expression is pasted into its script."""
    told, job, step = greeting()
    assert told["permissions"] == {}
    assert job["permissions"] == {"pull-requests": "write"}
    assert told[True] == {"pull_request_target": {"types": ["opened"], "paths": ["katas/**/*.py"]}}
    assert "uses" not in step
    assert "${{" not in step["run"]
    assert set(re.findall(r"\$\{\{ (.+?) \}\}", GREET.read_text(encoding="utf-8"))) == {
        "github.token",
        "github.repository",
        "github.event.pull_request.number",
    }


def test_the_greeting_is_for_strangers_and_for_the_repository_that_asks_for_it():
    """A fork or a copy for a class has no such variable, and who maintains the stubs is not told off."""
    _, job, _ = greeting()
    assert job["if"].startswith("vars.GREET_SOLVERS == 'true' && !github.event.repository.fork && ")
    assert json.loads(re.findall(r"fromJSON\('(.+?)'\)", job["if"])[0]) == ["OWNER", "MEMBER", "COLLABORATOR"]


@pytest.mark.parametrize(
    ("files", "greets"),
    [
        (["katas/03_flops/flops.py"], True),
        (["katas/03_flops/flops.py", "katas/01_memory/memory.py"], True),
        (["katas/03_flops/flops.py", "katas/03_flops/README.md"], False),
        (["katas/03_flops/flops.py", "tests/03_flops/properties.py"], False),
        (["katas/03_flops/flops.py", "not/katas/x.py"], False),
        (["katas/$(touch pwned).py", "katas/`touch pwned`.py", "katas/-f.py"], True),
    ],
)
def test_the_greeting_is_for_answers_alone(tmp_path, files, greets):
    """The script itself, with a `gh` that says what files a pull request changes; no name of a file is ever run."""
    _, _, step = greeting()
    (tmp_path / "files").write_text("\n".join(files) + "\n", encoding="utf-8")
    fake = tmp_path / "gh"
    fake.write_text(
        '#!/bin/sh\ncase "$*" in *pulls/7/files*) cat files;; *) echo "$*" > said;; esac\n', encoding="utf-8"
    )
    fake.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "REPOSITORY": "a/b", "NUMBER": "7"}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]  # as GitHub runs it
    subprocess.run(script, cwd=tmp_path, env={**environment, "MESSAGE": step["env"]["MESSAGE"]}, check=True)
    said = tmp_path / "said"
    assert said.exists() is greets
    assert not greets or "repos/a/b/issues/7/comments --field body=Thank you" in said.read_text(encoding="utf-8")
    assert not (tmp_path / "pwned").exists()


def test_the_greeting_names_commands_and_files_that_there_are():
    """Whoever is greeted can do what it says."""
    _, _, step = greeting()
    message = step["env"]["MESSAGE"]
    for code in re.findall(r"`dojo ([^`]+)`", message):
        assert_takes(shlex.split(code))
    for name in re.findall(r"[A-Z]+\.md", message):
        assert (ROOT / name).is_file()
