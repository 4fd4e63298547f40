"""Every failure whose report is held to the letter: those of each kind, and those of each kata."""

from pathlib import Path

from dojo.catalog import katas
from dojo.judging.kata_folder import imported
from tests.dojo.report import reported

HERE = Path(__file__).parent / "golden"
CASES = {HERE / f"{name}.txt": case for name, case in reported.CASES.items()}
CASES |= {
    kata.judge / "golden" / f"{name}.txt": case
    for kata in katas().values()
    if (kata.judge / "reports.py").exists()
    for name, case in imported(kata, "reports").CASES.items()
}
"""A property and what makes the seam that fails it, by the file that holds the report."""
