"""What is kept out of garbage collection while properties run is handed back when the process ends."""

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
