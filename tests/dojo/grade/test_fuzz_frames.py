"""Whatever a learner's process sends, the judge understands it, or says that it cannot be read."""

import os
import secrets
from contextlib import ExitStack, suppress
from mmap import mmap
from typing import Any

import pytest
import torch
from hypothesis import given

from dojo.grade.inside import wire
from dojo.grade.inside.lending import SIZE, Lender
from dojo.grade.inside.messages import FIELDS, answer_to
from dojo.grade.jail.channel import Channel, Lost
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.usage import Usage
from dojo.grade.jailed import Jailed, Request
from dojo.judging.lines import lines_of
from dojo.judging.outcomes import Outcome
from dojo.judging.verdict import Verdict
from dojo.seam.data import Error, kind_of, same, shown
from dojo.seam.json_codec import encode
from dojo.seam.parts import Part
from dojo.seam.seam import Broken, Call, Stopped
from tests.dojo.grade.frames import KATA, KEY, batches, frames, recorded
from tests.dojo.grade.fuzz import fuzzing


class Sent:
    """A jail that has sent this, and is over."""

    def __init__(self, stack, data):
        ends = [os.pipe() for _ in range(4)]
        os.set_blocking(ends[1][1], False)
        with suppress(BlockingIOError):
            os.write(ends[1][1], data)
        os.close(ends[1][1])
        for end in (*ends[0], ends[1][0], *ends[2], *ends[3]):
            stack.callback(os.close, end)
        self.requests = ends[0][1]
        self.answers, self.out, self.err = (end[0] for end in ends[1:])

    def usage(self):
        """Nothing."""
        return Usage(0, 0, 0, 1)

    def alive(self):
        """It has been."""
        return True


class One:
    """The jails of a submission, of which one has sent this."""

    limits = Limits()

    def __init__(self, stack, data):
        sent: Any = Sent(stack, data)
        self.only = Channel(sent, self.limits)
        self.channels = {True: self.only, False: self.only}
        self.moments = b""

    def channel(self, torch):
        """It."""
        return self.only

    def clear(self, torch):
        """Nothing has run there before."""

    def drop(self, torch):
        """Nothing is left of it."""


@pytest.fixture(autouse=True)
def _known_ids(monkeypatch):
    """The learner's process can read the id of a question."""
    monkeypatch.setattr(secrets, "token_hex", lambda _: KEY)


def judge(data):
    """What the judge makes of a frame at each moment, and what it does then with what it has understood."""
    for ask in (opened, asked, batched, parted):
        with ExitStack() as stack:
            jails: Any = One(stack, data)
            ask(Jailed(KATA, b"", "memory.py", (), jails))


def opened(seam):
    """The file is opened: what the frame says of it is told."""
    with suppress(Lost):
        seam.begin(None)
        f"{seam.answers.trouble}{sorted(seam.names)}{sorted(seam.answers.stubs)}{sorted(seam.answers.lines.items())}"


def asked(seam):
    """A function is asked: what the frame says is compared, shown and kept."""
    with suppress(Lost, Stopped, Broken):
        look_at(seam._outcome("packed_bytes", ("packed_bytes",), None, (1, 2), {}))


def batched(seam):
    """Two calls are made in a batch: what each frame says is compared, shown and kept."""
    with suppress(Lost):
        for frame in seam.ahead([Request("packed_bytes", b"")] * 2):
            with suppress(Stopped, Broken):
                look_at(seam._understood(seam._read(frame)))


def parted(seam):
    """A part is run: what the frame says of it, and of its files, is kept."""
    with suppress(Lost, Stopped, Broken):
        ending = seam._part("packed_bytes", (), Part(len, ()))
        assert all(
            data is None or type(data) is bytes for data in [*ending.files.values(), *(one[0] for one in ending.seen)]
        )
        assert 0 <= ending.moments < 2**31
        look_at(ending.outcome)


def look_at(value):
    """All that the judge does with a value that it has understood."""
    call = Call("packed_bytes", "packed_bytes(1, 2)", (), value, None, (1, 2), {})
    lines_of(Verdict(Outcome.WRONG, "packed_bytes", call, value, "1", "should give", 1), "", "cpu")
    if isinstance(value, Error):
        assert all(type(base) is str for base in value.bases)
        return
    assert shown(value)
    assert kind_of(value)
    encode(value)
    for want in (1, 0.5, [value], (), {"a": 1}, torch.ones(2, 3), value):
        same(value, want)
        same(value, want, 1e-9)


def test_every_recorded_frame_is_understood():
    """The fuzzing begins with what is right."""
    requests = {"done": "import", "loaded": "open", "lend": "lend", "part": "part"}
    for name, data in recorded().items():
        assert answer_to(requests.get(name, "ask"), *wire.split(data))["id"] == KEY
    assert {*recorded()} - {"lend"} == {*FIELDS} - {"batch"}


def test_whatever_is_sent_the_judge_goes_on(long):
    """It understands the frame, or is told that it cannot be read; what it has understood it can show and compare."""

    @fuzzing(10_000 if long else 300)
    @given(frames())
    def goes_on(data):
        judge(data)

    goes_on()


def test_whatever_is_sent_as_a_batch_the_judge_goes_on(long):
    """Frames of calls in one frame, and what looks like it."""

    @fuzzing(2_000 if long else 100)
    @given(batches())
    def goes_on(data):
        judge(data)

    goes_on()


def test_whatever_is_sent_to_the_host_it_goes_on(long):
    """The process between the judge and the learner's, in which some scenarios run, refuses what it cannot read."""

    @fuzzing(2_000 if long else 100)
    @given(frames(("lend", "value")))
    def goes_on(data):
        message, tensors = wire.split(data) if len(data) >= wire.HEAD.size else (b"", b"")
        with suppress(wire.BadFrame):
            lender = Lender(mmap(-1, SIZE), lambda *_: answer_to("lend", message, tensors)["value"])
            arguments = (torch.ones(2), torch.ones(2, 2))
            lender.f(*arguments)
            encode(lender.left(arguments))

    goes_on()
