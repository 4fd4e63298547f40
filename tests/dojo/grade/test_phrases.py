"""Words that several formats and tables share."""

from dataclasses import replace

import pytest

from dojo.grade.formats.phrases import why
from dojo.grade.result import FunctionResult, KataResult, Result

LATE = FunctionResult("f", "F", 1, "wrong", note="it took more than 10 seconds of CPU")


def functions(*statuses):
    """The results of functions that have nothing but a status."""
    return tuple(FunctionResult(f"f{place}", "F", 1, status) for place, status in enumerate(statuses))


@pytest.mark.parametrize(
    ("katas", "words"),
    [
        ([KataResult("03_flops", "F", functions("done", "done"))], ""),
        ([KataResult("03_flops", "F", functions("to do", "to do"))], "not started"),
        (
            [KataResult("03_flops", "F", (*functions("wrong", "to do", "wrong"), LATE))],
            "1 did not end, 2 wrong, 1 to do",
        ),
        ([KataResult("03_flops", "F", (replace(LATE, note="it took more than 2 GiB of memory"),))], "1 wrong"),
        ([KataResult("03_flops", "F", (replace(LATE, report=("  it returned   24",)),))], "1 wrong"),
        (
            [
                KataResult("03_flops", "F", functions("not run"), trouble="flops.py:2  SyntaxError: '('"),
                KataResult(
                    "04_backward_flops", "B", functions("not run"), trouble="there is no 04_backward_flops/b.py"
                ),
                KataResult("05_adagrad", "A", functions("not run"), trouble="there is no 05/a.py"),
                KataResult("06_checkpoint", "C", functions("to do")),
            ],
            "04 05 missing, 03 cannot be run, 1 to do",
        ),
    ],
)
def test_a_few_words_say_why_points_are_missing(katas, words):
    """Files before functions, and what is wrong before what is to do."""
    assert why(Result("alex", "userns", "cpu", "0", "2", "3", tuple(katas))) == words
