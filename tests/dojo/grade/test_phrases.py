"""Words that several formats and tables share."""

import pytest

from dojo.grade.formats.phrases import why
from dojo.grade.result import FunctionResult, KataResult, Result

ENDLESS = FunctionResult("f", "F", 1, "wrong", cause="did not end")


def functions(*statuses):
    """The results of functions that have nothing but a status."""
    return tuple(FunctionResult(f"f{place}", "F", 1, status) for place, status in enumerate(statuses))


@pytest.mark.parametrize(
    ("katas", "words"),
    [
        ([KataResult("03_flops", "F", functions("done", "done"))], ""),
        ([KataResult("03_flops", "F", functions("to do", "to do"))], "not started"),
        (
            [KataResult("03_flops", "F", (*functions("wrong", "to do", "wrong"), ENDLESS))],
            "1 did not end, 2 wrong, 1 to do",
        ),
        (
            [
                KataResult("03_flops", "F", functions("not run"), cause="cannot be run"),
                KataResult("04_backward_flops", "B", functions("not run"), cause="missing"),
                KataResult("05_adagrad", "A", functions("not run"), cause="missing"),
                KataResult("06_checkpoint", "C", functions("to do")),
            ],
            "04 05 missing, 03 cannot be run, 1 to do",
        ),
    ],
)
def test_a_few_words_say_why_points_are_missing(katas, words):
    """Files before functions, and what is wrong before what is to do."""
    assert why(Result("alex", "userns", "cpu", "0", "2", "3", tuple(katas))) == words
