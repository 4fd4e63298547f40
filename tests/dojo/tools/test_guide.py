"""What GRADING.md, the workflow and the Dockerfile say is what the dojo does."""

import re
from dataclasses import fields

import pytest
import typer
import yaml

from dojo.catalog import ROOT
from dojo.cli import app
from dojo.grade.formats import FORMATS
from dojo.grade.gradescope_zip import LEFT_OUT, PARTS
from dojo.grade.jail.levels import LEVELS
from dojo.grade.jail.limits import Limits

GUIDE = (ROOT / "GRADING.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", GUIDE, flags=re.MULTILINE)}
WORKFLOW = ROOT / ".github" / "workflows" / "grade.yml"
ABOUT = {
    "Grading one submission": "grade",
    "Many submissions": "grade-all",
    "Gradebooks": "grade-all",
    "Grading again": "regrade",
    "What the class believes": "class",
    "By hand": "grade",
    "Gradescope": "gradescope-zip",
}
"""The command that a section is about: each option in it is that command's."""


def options(command):
    """The options of a command."""
    commands = typer.main.get_group(app).commands
    assert command in commands, f"the guide has dojo {command}, and the command does not"
    return {name for option in commands[command].params for name in option.opts if name.startswith("--")}


def named(section):
    """The options that a section of the guide names."""
    return set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", SECTIONS[section]))


def table(section, title):
    """The rows of the table with this title row, as texts without the marks of code."""
    _, found, rest = SECTIONS[section].partition(f"{title}\n")
    assert found, f"{section} has no table {title}"
    rows = [line.strip("| ").split(" | ") for line in rest.partition("\n\n")[0].splitlines()[1:]]
    return [[cell.replace("`", "") for cell in row] for row in rows]


@pytest.mark.parametrize("section", ABOUT)
def test_the_guide_names_options_that_there_are(section):
    """Each option in a section is one of the command that it is about."""
    assert named(section)
    assert named(section) <= options(ABOUT[section])


@pytest.mark.parametrize(
    "section", ["Grading one submission", "Many submissions", "Grading again", "What the class believes"]
)
def test_the_guide_names_each_option(section):
    """Nothing can be asked for that the guide does not tell."""
    assert named(section) == options(ABOUT[section])


def test_each_command_of_the_guide_is_one():
    """`dojo WORD` in code is a command."""
    words = set(re.findall(r"(?:^|`|[A-Z]+ )dojo ([a-z-]+)", GUIDE, flags=re.MULTILINE))
    assert words == {"class", "grade", "grade-all", "regrade", "report", "gradescope-zip"}
    assert words <= set(typer.main.get_group(app).commands)


def test_the_formats_of_the_guide_are_those_of_the_grader():
    """Names and files."""
    told = [row[:2] for row in table("Grading one submission", "| format | file | for |")]
    assert told == [[name, form.filename] for name, form in FORMATS.items()]


def test_the_limits_of_the_guide_are_those_of_the_grader():
    """Names and defaults."""
    units = {"GiB": 2**30, "MiB": 2**20, "": 1}
    told = {}
    for name, default, _ in table("What each isolation level promises", "| limit | default | what it bounds |"):
        number, _, unit = default.partition(" ")
        told[name] = int(number) * units[unit]
    assert told == {field.name: field.default for field in fields(Limits)}


def test_the_levels_of_the_guide_are_those_of_the_grader():
    """Best first."""
    title = "| level | how | what is left of this machine inside |"
    assert [row[0] for row in table("What each isolation level promises", title)] == list(LEVELS)


def test_links_of_the_guide_lead_somewhere():
    """Files of the clone and headings of the guide."""
    anchors = {re.sub(r"[^a-z -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"#+ (.+)", GUIDE)}
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        assert target.removeprefix("#") in anchors or (ROOT / target).is_file(), target


def workflow():
    """The reusable workflow; YAML 1.1 reads `on` as true."""
    told = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return told, told[True]["workflow_call"]


def test_the_workflow_has_no_right_but_to_read():
    """Neither its token nor what it leaves on the disk could change anything, and no cache takes anything along."""
    told, _ = workflow()
    assert told["permissions"] == {"contents": "read"}
    (job,) = told["jobs"].values()
    assert "permissions" not in job
    checkouts = [step["with"] for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
    assert [one["path"] for one in checkouts] == ["dojo", "submission"]
    assert all(one["persist-credentials"] is False for one in checkouts)
    assert not any("cache" in step.get("uses", "") or "cache" in step.get("with", {}) for step in job["steps"])


def test_the_workflow_runs_what_its_steps_name_and_nothing_else():
    """Actions are fixed to a commit, no expression is pasted into a script, and one step alone has the seed."""
    told, _ = workflow()
    (job,) = told["jobs"].values()
    for step in job["steps"]:
        assert "run" in step or re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"])
        assert "${{" not in step.get("run", "")
        assert step.get("run", "").count("submission") == (step.get("id") == "grade")
        assert ("DOJO_SEED" in step.get("env", {})) is (step.get("id") == "grade")
    (script,) = [step["run"] for step in job["steps"] if step.get("id") == "grade"]
    assert set(re.findall(r"--[a-z]+", script)) <= options("grade")
    assert '/dojo" grade submission ' in script
    assert "--seed" not in script


def test_the_guide_calls_the_workflow_as_it_wants_to_be_called():
    """The example gives every input and secret that must be given, and none that there is not."""
    _, call = workflow()
    (text,) = re.findall(r"```yaml\n(.*?)```", GUIDE, flags=re.DOTALL)
    (job,) = yaml.safe_load(text)["jobs"].values()
    for given, known in ((job["with"], call["inputs"]), (job["secrets"], call["secrets"])):
        assert {name for name, entry in known.items() if entry.get("required")} <= set(given) <= set(known)
    assert job["uses"].split("@")[0].endswith("/.github/workflows/grade.yml")
    assert job["permissions"] == {"contents": "read"}


def test_the_docker_image_has_what_the_autograder_of_gradescope_has():
    """The same parts of the clone."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]]
    assert sorted(copied) == sorted(PARTS)
    assert lines[-1] == 'ENTRYPOINT ["dojo", "grade"]'
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored == ["*", *(f"!{part}" for part in PARTS), *LEFT_OUT, "**/__pycache__"]
