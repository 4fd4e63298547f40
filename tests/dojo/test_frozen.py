"""Garbage is not collected while imports run, and what they make is never searched while properties run."""

import pytest

from tests.dojo.clone import make

A_RUN = """
import gc, sys
import pytest

class DuringTheRun:
    def pytest_sessionfinish(self):
        counts.append(gc.get_freeze_count())
        sys.modules.setdefault("triton", sys)  # torch's builds for the CPU come without it

counts = [gc.get_freeze_count()]
pytest.main(["-q", "-p", "no:cacheprovider", "-k", "mfu", "solutions/03_flops"], plugins=[DuringTheRun()])
print("counts", *counts, gc.get_freeze_count())
"""

A_WATCH = """
import atexit, gc

atexit.register(lambda: print("counts", counts, gc.get_freeze_count()))  # the first registered is the last called
counts = gc.get_freeze_count()
import dojo.background.warm

counts = f"{counts} {gc.get_freeze_count()}"
"""


@pytest.mark.parametrize("program", [A_RUN, A_WATCH], ids=["pytest", "dojo watch"])
def test_nothing_stays_frozen_at_the_end(program, tmp_path):
    """Objects that are still frozen at exit are never freed, and triton prints a page about them."""
    ran = make(tmp_path).python("-c", program)
    (line,) = (line for line in ran.out.splitlines() if line.startswith("counts "))
    before, during, after = map(int, line.split()[1:])
    assert after <= before < during  # Python 3.12 begins with some frozen


COLLECTING = """
import gc
import pytest

class Watching:
    def pytest_itemcollected(self):
        states["imported"] = gc.isenabled()

    def pytest_runtest_logstart(self):
        states["running"] = gc.isenabled()

states = {}
pytest.main(["-q", "-p", "no:cacheprovider", *ARGUMENTS], plugins=[Watching()])
print("states", states | {"ended": gc.isenabled()})
"""


@pytest.mark.parametrize(
    ("arguments", "states"),
    [
        (["-k", "mfu", "solutions/03_flops"], {"imported": False, "running": True, "ended": True}),
        (["--submission", "nowhere"], {"ended": True}),
    ],
    ids=["properties", "a usage error"],
)
def test_garbage_is_collected_once_everything_is_imported(arguments, states, tmp_path):
    """Not before: nearly all that imports make stays. After a usage error, there is nothing to import."""
    ran = make(tmp_path).python("-c", f"ARGUMENTS = {arguments}\n{COLLECTING}")
    assert f"states {states}" in ran.out.splitlines()
