"""What a result keeps of wrong answers: no more than it may, nothing that acts, and nobody's own names."""

import json

import pytest
import torch

from dojo.grade.recording import recorded
from dojo.judging.anonymous import HIDDEN, anonymous
from dojo.seam.data import Error, Foreign, Words, same
from dojo.seam.json_codec import decode
from dojo.seam.seam import Call

OWN = Error("AnnSmith", ("AnnSmith", "your own ValueError", "LookupError", "Exception"), "ann was here", 3)


def call(outcome, *args, place=0):
    """A call of f that came to this."""
    return Call("f", f"f({place})", (), outcome, None, args or (place,), {})


def test_what_is_recorded_is_bounded():
    """A call that is too large is left out, and the ones behind it are not; nobody writes out what never fits."""
    calls = [call(torch.ones(10**9).expand(2, 10**9) if place == 1 else "x" * 300, place=place) for place in range(50)]
    found = recorded(calls, most=4000)
    assert [one["args"] for one in found] == [[place] for place in (0, *range(2, 10))]
    assert sum(len(json.dumps(one)) for one in found) <= 4000


def test_what_is_recorded_does_nothing():
    """Texts are sanitized lines; where an argument would be another one, there is no call."""
    hostile = "\x1b[31m\n::error::" + "x" * 10**4
    (found,) = recorded([call({hostile: [hostile]}), call(1, hostile, place=1), call(1, Foreign("a.B"), place=2)])
    came = decode(found["came"])
    ((key, (value,)),) = came.items()
    assert key == value
    assert key.startswith(r"\x1b[31m\n::error::xxx")
    assert len(key) == 500


def test_what_is_recorded_is_the_answer():
    """Whatever type it has; JSON as its standard has it."""
    every = [1, 2.5, None, (True, [float("nan")]), torch.tensor([float("nan"), float("inf"), 1.0]), "text", 2**70]
    found = json.loads(
        json.dumps(recorded([call(one, place=place) for place, one in enumerate(every)]), allow_nan=False)
    )
    assert all(same(decode(one["came"]), value, bits=True) for one, value in zip(found, every, strict=True))


def test_a_record_has_no_names_of_a_submissions_own():
    """Of an error the first class that is Python's stays, of a type nothing."""
    errors = recorded([call(OWN), call([Foreign("ann.Smith")], place=1)])
    assert [decode(one["came"]) for one in errors] == [
        Error("LookupError", (), ""),
        [Foreign("value of a type of its own")],
    ]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("ann was here", HIDDEN),
        ("i j", "i j"),
        ("uint16", "uint16"),
        ("uint16 ann", HIDDEN),
        ({"ann": ("bob", 3, [None])}, {HIDDEN: (HIDDEN, 3, [None])}),
        (Words("ann"), Words(HIDDEN)),
        (Words("i"), Words("i")),
        (Foreign("type"), Foreign("type")),
        (Foreign("torch.nn.modules.linear.Linear"), Foreign("torch.nn.modules.linear.Linear")),
        (Foreign("torch.AnnSmith"), Foreign("value of a type of its own")),
        (Foreign("tests.ann.Smith"), Foreign("value of a type of its own")),
        (OWN, Error("LookupError", (), "", 3)),
        (Error("AnnSmith", (), "ann"), Error("Exception", (), "")),
        (Error("SystemExit", (), "ann"), Error("SystemExit", (), "")),
        (Error("Endless", (), "ann"), Error("Endless", (), "still running when it was stopped")),
    ],
)
def test_an_answer_without_what_is_somebodys_own(value, told):
    """A text that the question or the right answer has as well, or a word of the kata, is nobody's."""
    assert anonymous(value, "f('i j') = i", {"uint16"}) == told
