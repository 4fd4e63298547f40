"""One jail that is asked: what ends it, whatever it answers."""

import os
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from dojo.grade.jail.channel import Channel, Lost
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.usage import Usage

SILENT = "it gave no answer within 60 seconds"


class Silent:
    """A jail that never answers, and has used what it is told to have used."""

    def __init__(self, stack):
        self.used = Usage(0, 0, 0, 1)
        ends = [os.pipe() for _ in range(4)]
        for end in sum(ends, ()):
            stack.callback(os.close, end)
        self.requests = ends[0][1]
        self.answers, self.out, self.err = (end[0] for end in ends[1:])
        self.printing = ends[2][1]

    def usage(self):
        """What it uses."""
        return self.used

    def alive(self):
        """It is there."""
        return True


@pytest.fixture
def jail():
    """A jail that never answers."""
    with ExitStack() as stack:
        yield Silent(stack)


def lost(channel, seconds=0.2, **used):
    """Why it is lost, once it has used this."""
    channel.jail.used = replace(channel.jail.used, **used)
    with pytest.raises(Lost) as caught:
        channel.ask("ask", seconds=seconds)
    return str(caught.value)


def test_each_function_has_its_seconds_of_cpu(jail):
    """Those before and after another one's are counted together, and what a start takes is nobody's."""
    channel = Channel(jail, Limits(seconds=60))
    over = "it took more than 60 seconds of CPU"
    assert lost(channel, cpu=500) == SILENT
    channel.charge("one")
    assert lost(channel, cpu=559) == SILENT
    channel.charge("two")
    assert lost(channel, cpu=618) == SILENT
    channel.charge("one")
    assert lost(channel, cpu=618.9) == SILENT
    assert lost(channel, cpu=619.1) == over
    channel.charge("two")
    assert lost(channel, cpu=619.9) == SILENT
    assert lost(channel, cpu=620.2) == over


@pytest.mark.parametrize(
    ("used", "more", "told"),
    [
        ("memory", 2**31, "it took more than 2 GiB of memory"),
        ("files", 2**26, "it wrote more than 64 MiB of files"),
        ("processes", 64, "it ran more than 64 processes at one time"),
    ],
)
def test_what_is_beyond_a_limit_ends_it(jail, used, more, told):
    """At the limit it goes on."""
    channel = Channel(jail, Limits())
    assert lost(channel, **{used: more}) == SILENT
    assert lost(channel, **{used: more + 1}) == told


def test_a_jail_is_looked_at_however_short_each_question_is(jail):
    """The time between two looks runs on from one question to the next."""
    channel = Channel(jail, Limits())
    assert lost(channel) == SILENT
    end, said = time.monotonic() + 10, SILENT
    while said == SILENT and time.monotonic() < end:
        os.write(jail.printing, b".")  # the wait for an answer is over when something is printed
        said = lost(channel, seconds=0, memory=2**40)
    assert said == "it took more than 2 GiB of memory"
