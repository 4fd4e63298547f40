"""What a jail has imported before it forks the process of a submission."""

import contextlib

from dojo.catalog import Function, Kata
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed, Jails

FILE = """
import sys

LOADED = set(sys.modules)


def f(name):
    return name in LOADED
"""


def test_torchs_compiler_is_there_before_a_submission_runs(isolation):
    """torch imports it with the first step of an optimizer: each process would take a second for that."""
    kata = Kata("24_tried", "Tried", "", (), {"f": Function("f", "f", 1, ("", "", ""))})
    with contextlib.closing(Jails(isolation, Limits(), "cpu", [kata])) as jails:
        seam = Jailed(kata, FILE.encode(), "tried.py", (), jails)
        seam.begin(None)
        assert seam.call("f", "torch._dynamo.utils") is True
