"""Write the golden reports anew: `python -m tests.dojo.report.golden`."""

import os
import tempfile
from pathlib import Path

from dojo.catalog import ROOT
from tests.dojo.report.cases import CASES
from tests.dojo.report.reported import told

os.chdir(ROOT)
for path, (test, seam) in CASES.items():
    with tempfile.TemporaryDirectory() as folder:
        text = told(test, seam(Path(folder)))
        path.write_text(text + "\n", encoding="utf-8")
