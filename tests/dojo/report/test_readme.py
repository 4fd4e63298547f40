"""The reports that README.md shows are those that a learner reads."""

import pytest
from hypothesis import settings

from dojo.catalog import ROOT, find
from dojo.judging.run import judged
from dojo.judging.verdict import run
from dojo.report.blocks import block, block_lines
from tests.dojo.report.reported import believing


@pytest.mark.parametrize(
    ("number", "function", "misconception"),
    [("03", "matmul_flops", "counts_multiply_adds"), ("02", "transpose", "keeps_the_strides")],
)
def test_the_readme_shows_the_report(number, function, misconception):
    """Line by line, but for the line of the learner's file."""
    kata = find(number)
    seam = believing(kata, f"{function}-{misconception}")
    profile = settings.get_profile("grade")
    asked = judged(
        kata,
        function,
        seam,
        lambda property: run(property.test, seam, device="cpu", seed=0, profile=profile),
        lambda: "",
        tree="katas",
        devices=["cpu"],
    )
    lines = block_lines(block(kata, [function], list(asked)), width=80)
    shown = (ROOT / "README.md").read_text(encoding="utf-8").partition(f"\n{kata.slug} · {function}\n")[2]
    readme = shown.partition("\n```")[0].split("\n")
    mine, theirs = ([line for line in text if not line.startswith("  your code ")] for text in (readme, lines))
    assert mine == theirs
