"""The nightly workflow runs what it names, with no right but to read."""

import importlib.util
import re

import yaml

from dojo.catalog import ROOT
from tests.dojo.tools.test_guide import WORKFLOW

NIGHTLY = ROOT / ".github" / "workflows" / "nightly.yml"
ACTION = re.compile(r"uses: (actions/[a-z-]+@[0-9a-f]{40}) # v[0-9.]+$", re.MULTILINE)


def workflow():
    """The workflow, and the scripts of its steps."""
    read = yaml.safe_load(NIGHTLY.read_text(encoding="utf-8"))
    return read, [step["run"] for job in read["jobs"].values() for step in job["steps"] if "run" in step]


def test_the_nightly_workflow_has_no_right_but_to_read():
    """Its token can change nothing, and does not stay on the disk; a copy of the template runs it on demand alone."""
    read, _ = workflow()
    assert read["permissions"] == {"contents": "read"}
    for job in read["jobs"].values():
        assert "permissions" not in job
        assert "vars.NIGHTLY == 'true'" in job["if"]
        checkouts = [step["with"] for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert checkouts == [{"persist-credentials": False}]


def test_its_actions_are_those_of_the_other_workflow():
    """Fixed to the same commits; no expression is pasted into a script."""
    text = NIGHTLY.read_text(encoding="utf-8")
    used = ACTION.findall(text)
    assert len(used) == text.count("uses:") > 0
    assert set(used) <= set(ACTION.findall(WORKFLOW.read_text(encoding="utf-8")))
    _, scripts = workflow()
    assert not any("${{" in script for script in scripts)


def test_it_runs_the_plain_suite_everywhere_and_the_long_one_once():
    """Each Python with each torch; then the long form, the mutants and the search for false alarms."""
    read, scripts = workflow()
    matrix = read["jobs"]["plain"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]
    assert matrix["torch"] == ["2.12", "2.13", "2.14", "2.15"]
    ran = [script for script in scripts if "pytest" in script]
    assert ["--long" in script for script in ran] == [False, True]
    modules = re.findall(r" -m (tests\.[a-z.]+)", "\n".join(scripts))
    assert modules == ["tests.strength.mutants", "tests.strength.nightly"]
    assert all(importlib.util.find_spec(module) for module in modules)
