"""Write the golden reports anew: `python -m tests.suite.golden`."""

import os
import tempfile
from pathlib import Path

from dojo.catalog import ROOT
from tests.suite.test_report import CASES, GOLDEN, told

os.chdir(ROOT)
for name, (test, seam) in CASES.items():
    with tempfile.TemporaryDirectory() as folder:
        text = told(test, seam(Path(folder)))
        (GOLDEN / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
