"""What a jail has imported before it forks the process of a submission."""

import contextlib
import subprocess
import sys

from dojo.catalog import ROOT, Function, Kata, katas
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.payload import LATE, imports, scenarios
from dojo.grade.jailed import Jailed
from dojo.grade.jails import Jails

FILE = """
import gc
import sys

LOADED = set(sys.modules)


def f(name):
    return name in LOADED


def g():
    return gc.isenabled()
"""
FUNCTIONS = {name: Function(name, name, 1, ("", "", "")) for name in "fg"}


def test_what_a_kata_names_is_there_before_a_submission_runs(isolation):
    """Each of its processes would take a second for torch's compiler."""
    kata = Kata("24_tried", "Tried", "", (), FUNCTIONS, imports=("torch._dynamo",))
    with contextlib.closing(Jails(isolation, Limits(), "cpu", [kata])) as jails:
        seam = Jailed(kata, FILE.encode(), "tried.py", (), jails)
        seam.begin(None)
        assert seam.call("f", "torch._dynamo.utils") is True
        assert seam.call("g") is True, "garbage is collected again after the imports"


def test_scenarios_go_to_the_jail_of_their_kata():
    """To the one with torch or to the one without, and no kata's to both; without torch nothing imports it."""
    every = list(katas().values())
    without, with_torch = (imports(every, torch=torch) for torch in (False, True))
    assert sorted([*without, *with_torch]) == sorted([*scenarios(every), *LATE, "torch._dynamo"])
    free = {name.split(".")[1] for name in without}
    assert free <= {kata.slug for kata in every if "torch" in kata.forbidden}
    program = f"import sys, importlib\nlist(map(importlib.import_module, {without}))\nassert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0
