"""The calls of known examples are made many at once. What is said of them is what would be said of each alone."""

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import strategies as st

from dojo.catalog import find
from dojo.grade import grading, jailed, replay
from dojo.grade.inside import wire
from dojo.grade.inside.messages import answer_in, answer_to_batch
from dojo.grade.jail.channel import Channel, Lost
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed, Request
from dojo.grade.jails import Jails
from dojo.judging.examples import given
from dojo.judging.expect import expect, grades
from dojo.judging.outcomes import Cause, Outcome
from dojo.seam.data import Error

KATA = find("07")
RIGHT = "def encode(n, bits):\n    return n * bits"
BESIDE = "\ndef decode(n):\n    return n"
judged: Counter[str] = Counter()
"""How often the functions below judged an example."""


@grades("encode")
@given(n=st.integers(0, 10**6))
def multiplies(kata, n):
    """One function, called twice."""
    judged["multiplies"] += 1
    expect(kata.encode(n, 2), 2 * n)
    expect(kata.encode(n, 3), 3 * n)


@grades("encode", "decode")
@given(n=st.integers(0, 10**6))
def both(kata, n):
    """Two functions."""
    expect(kata.decode(n), n)
    expect(kata.encode(n, 2), 2 * n)


@grades("encode")
@given(n=st.integers(0, 10**6))
def changes(kata, n):
    """Makes some calls."""
    for factor in factors:
        expect(kata.encode(n, factor), factor * n)


factors: tuple[int, ...] = (2, 3)
"""One for each."""


@grades("encode")
@given(n=st.integers(0, 10**6))
def refuses(kata, n):
    """An error is the right answer."""
    judged["refuses"] += 1
    try:
        kata.encode(-n - 1, 2)
    except Exception:
        return
    raise AssertionError


@pytest.fixture
def asked(monkeypatch):
    """How often a jail was asked each kind of question."""
    times: Counter[str] = Counter()
    ask = Channel.ask

    def counted(self, what, *rest, seconds):
        times[what] += 1
        return ask(self, what, *rest, seconds=seconds)

    monkeypatch.setattr(Channel, "ask", counted)
    return times


@pytest.fixture
def verdict(isolation, monkeypatch, asked):
    """What the grader says of a property of a file, with the seam. Each test begins with no examples."""
    monkeypatch.setattr(replay, "_cache", {})
    all_jails = []

    def of(test, source, **limits) -> tuple[Any, Jailed]:
        jails = Jails(isolation, Limits(**limits), "cpu", [])
        all_jails.append(jails)
        seam = Jailed(KATA, source.encode(), "floats.py", (), jails)
        seam.begin(None)
        asked.clear()
        judged.clear()
        return grading._verdict(test, seam, "cpu", 1), seam

    yield of
    for jails in all_jails:
        jails.close()


def test_a_right_answer_is_judged_by_what_is_known_of_it(verdict, asked):
    """The second submission is asked in two frames, and the third is not judged again; the record is the same."""
    first, seam = verdict(multiplies, RIGHT)
    assert first.outcome == Outcome.HELD
    assert asked["ask"] >= 200
    recorded = list(seam.calls)
    for judges in (True, False):
        told, seam = verdict(multiplies, RIGHT + "\n# learner")
        assert told == first
        assert list(seam.calls) == recorded
        assert seam.answered == {"encode"}
        assert bool(judged["multiplies"]) == judges
        assert asked == {"batch": 2}


def test_no_batch_has_two_calls_of_an_example(verdict, monkeypatch):
    """The arguments of the second may tell what is right for the first."""
    verdict(multiplies, RIGHT)
    batches = []
    ask = Channel.ask

    def noted(self, what, *rest, seconds):
        batches.append({pickle.loads(body)[3][1] for body in rest} if what == "batch" else what)
        return ask(self, what, *rest, seconds=seconds)

    monkeypatch.setattr(Channel, "ask", noted)
    verdict(multiplies, RIGHT)
    assert [batch for batch in batches if isinstance(batch, set)] == [{2}, {3}]


def test_answers_that_are_too_long_together_are_asked_for_one_by_one(verdict, asked, monkeypatch):
    """The judge has room for a part of them alone."""
    monkeypatch.setattr(replay, "MOST_BYTES", 5_000)
    assert verdict(multiplies, RIGHT)[0].outcome == Outcome.HELD
    assert verdict(multiplies, RIGHT)[0].outcome == Outcome.HELD
    assert asked["batch"]
    assert asked["ask"] >= 200


def test_answers_are_remembered_for_these_very_calls(verdict, monkeypatch):
    """They are not, if the example makes fewer calls than before, more or others."""
    for calls, remembered in (((2, 3), False), ((2,), False), ((2, 3, 4), False), ((2, 4), False), ((2, 3), True)):
        monkeypatch.setattr(f"{__name__}.factors", calls)
        assert verdict(changes, RIGHT)[0].outcome == Outcome.HELD
        (examples,) = replay._cache.values()
        assert {bool(example.right) for example in examples} == {remembered}


def test_an_answer_in_another_form_is_judged_without_asking_again(verdict, asked):
    """A bool for an int is wrong, though it is equal; texts and lines of errors may differ."""
    for _ in range(3):
        verdict(refuses, "def encode(n, bits):\n    raise ValueError('no')")
    assert not judged["refuses"]
    told, _ = verdict(refuses, "def encode(n, bits):\n\n    raise ValueError('I refuse')")
    assert told.outcome == Outcome.HELD
    assert judged["refuses"] >= 100
    assert not asked["ask"]


@pytest.mark.parametrize(
    "wrong",
    [
        "def encode(n, bits):\n    return n * bits if n < 1000 else n",
        "def encode(n, bits):\n    return float(n * bits)",
        "def encode(n, bits):\n    return True if n * bits == 1 else 1 if n else False",
        "def encode(n, bits):\n    raise ValueError",
        "def encode(n, bits):\n    raise NotImplementedError",
        "import os\ndef encode(n, bits):\n    if n > 1000: os._exit(3)\n    return n * bits",
        "def encode(n, bits):\n    return [n]",
        "other = 1",
    ],
)
def test_a_wrong_answer_is_told_as_if_it_had_come_first(verdict, wrong):
    """The same example and the same words, whatever is known."""
    first, _ = verdict(multiplies, wrong)
    for _ in range(3):
        verdict(multiplies, RIGHT)
    again, _ = verdict(multiplies, wrong)
    assert first.outcome in (Outcome.WRONG, Outcome.TO_DO)
    assert (first.outcome, first.function, first.note, first.want) == (
        again.outcome,
        again.function,
        again.note,
        again.want,
    )
    if first.call is not None:
        assert first.call.written == again.call.written


def test_a_batch_that_does_not_end_is_wrong(verdict):
    """The function is named, if the calls are those of one; if they are of two, each is made alone."""
    for test in (multiplies, both):
        for _ in range(3):
            assert verdict(test, RIGHT + BESIDE)[0].outcome == Outcome.HELD
        told, _ = verdict(test, "def encode(n, bits):\n    while True: pass" + BESIDE, seconds=1.0)
        assert (told.outcome, told.function, told.cause) == (Outcome.WRONG, "encode", Cause.NO_END)


def test_a_process_that_dies_in_a_batch_of_two_functions_is_blamed_on_one(verdict):
    """Which of them it was is seen when each call is made alone."""
    for _ in range(2):
        assert verdict(both, RIGHT + BESIDE)[0].outcome == Outcome.HELD
    dies = "import os\ndef encode(n, bits):\n    os._exit(3)\ndef decode(n):\n    return n"
    told, _ = verdict(both, dies)
    assert (told.outcome, told.function) == (Outcome.WRONG, "encode")
    assert told.note == "its process ended by itself, with status 3"


def test_long_answers_come_in_several_frames(verdict, asked, monkeypatch):
    """No more calls are made once the answers are long, and all are answered."""
    monkeypatch.setattr(jailed, "MANY", 7)
    long = "def encode(n, bits):\n    return ['x' * 100_000] * 5"
    seam = verdict(multiplies, long)[1]
    asked.clear()
    with seam.noting() as requests:
        for n in range(20):
            seam._outcome("encode", ("encode",), None, (n, 2), {})
    frames = list(seam.ahead(requests))
    assert [answer_in(frame)["value"] for frame in frames] == [["x" * 100_000] * 5] * 20
    assert asked["batch"] == 7  # of three answers each


def test_what_cannot_be_in_a_batch_is_asked_alone(verdict):
    """A request without a body marks it: a part, or a scenario that returns its arguments."""
    _, seam = verdict(multiplies, RIGHT)

    def scenario(module, n):
        return (n,)

    scenario.returns_arguments = True  # type: ignore[attr-defined]
    with seam.noting() as requests:
        for at in (None, scenario):
            try:
                seam._outcome("encode", ("encode",), at, (1, 2), {})
            except Exception:  # the scenario is not in the jail
                continue
    assert [bool(request.body) for request in requests] == [True, False]


@pytest.mark.parametrize("cut", [1, 7, 8, 9, 30])
def test_frames_that_end_too_early_are_refused(cut):
    """As is anything else where the frames of a batch should be."""
    whole = wire.packed({"kind": "value"}, [1, 2.5])
    assert wire.split_batch(whole * 2) == [whole] * 2
    with pytest.raises(wire.BadFrame, match="ends too early"):
        wire.split_batch(whole + whole[:cut])


def test_frames_beside_another_message_are_refused():
    """Only a batch has frames."""
    died = b'{"id": "a", "kind": "died", "status": 1, "value": null}'
    assert answer_to_batch(died, b"")["kind"] == "died"
    with pytest.raises(wire.BadFrame, match="of no batch"):
        answer_to_batch(died, wire.packed({"kind": "value"}, 1))


def test_answers_other_than_to_its_calls_are_refused(verdict, monkeypatch):
    """One too many, or none."""
    _, seam = verdict(multiplies, RIGHT)
    for number in (0, 2):
        seam.begin(None)
        frames = [wire.packed({"kind": "value"}, 1)] * number
        monkeypatch.setattr(seam, "_ask", lambda *_, frames=frames: {"kind": "batch", "value": frames})
        with pytest.raises(Lost, match="other answers than"):
            list(seam.ahead([Request("encode", b"")]))
        monkeypatch.undo()


def test_an_error_of_a_batch_is_the_error_of_a_call(verdict):
    """With its bases, its message and its line."""
    _, seam = verdict(refuses, "class Mine(ValueError): pass\ndef encode(n, bits):\n    raise Mine(n)")
    assert isinstance(seam.calls[0].outcome, Error)
    with seam.noting() as requests:
        alone = seam._outcome("encode", ("encode",), None, (7, 2), {})
    with seam.answering(requests, seam.ahead(requests)):
        again = seam._outcome("encode", ("encode",), None, (7, 2), {})
    assert alone == again == Error("Mine", ("Mine", "ValueError", "Exception", "BaseException", "object"), "7", 3)
