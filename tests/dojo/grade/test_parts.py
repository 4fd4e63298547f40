"""Parts of a program in a jail: what one keeps helps no other, and faults strike from outside of the process."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dojo.catalog import find
from dojo.grade.inside import landlock
from dojo.grade.inside.reaper import descendants
from dojo.grade.jail.channel import Lost
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed
from dojo.grade.jails import Jails
from dojo.seam.data import Error, same
from dojo.seam.faults import NO_FAULT, Fault, Kind
from dojo.seam.parts import Ending, Part
from dojo.seam.seam import Raised

KATA = find("06")
SCENARIOS = importlib.import_module(KATA.part("scenarios"))


@pytest.fixture(scope="module")
def jails(isolation: str) -> Iterator[Jails]:
    """Jails of that level."""
    made = Jails(isolation, Limits(seconds=60), "cpu", [KATA])
    yield made
    made.close()


class Asked:
    """A learner's file in a jail, whose load_checkpoint runs what it is told."""

    def __init__(self, jails: Jails, text: str = "pass", helpers: str = ""):
        lines = "\n    ".join(text.strip().splitlines())
        source = f"""
import os, signal, time, fcntl, threading
from pathlib import Path
import torch
class CheckpointError(Exception): pass
KEPT = []
{helpers}
def load_checkpoint(path, model, optimizer, scheduler=None):
    step = 0
    {lines}
    return step
"""
        self.seam = Jailed(KATA, source.encode(), "checkpoint.py", (), jails)
        self.seam.begin(None)
        assert self.seam.answers.trouble is None

    def part(self, files: dict[str, bytes | None] | None = None, fault: Fault = NO_FAULT) -> Ending:
        """Have it run as one part; the step that it returns is the value."""
        return self.seam._part("load_checkpoint", (), Part(SCENARIOS.load, ("cpu", [ITEM]), files or {}, fault))

    def step(self, **how: Any) -> Any:
        """What it has returned, or what it has raised."""
        (result,) = self.part(**how).value
        return result["raised"] or result["load_checkpoint"]


def _item() -> Any:
    checkpoints = importlib.import_module(KATA.part("checkpoints"))
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    return checkpoints.item(checkpoints.at(lines, 0, "cpu", 0))


ITEM = _item()

KEEPS = {
    "a global": ("len(KEPT)", "KEPT.append(1)", 0),
    "a file beside the folder": ("int('told' in os.listdir(BESIDE))", "Path(BESIDE, 'told').touch()", 0),
    "a file in the folder": ("len(os.listdir('.'))", "Path('told').touch()", 0),
    "a child that goes on": ("int('told' in os.listdir(BESIDE))", "CHILD()", 0),
    "a lock": ("LOCKED()", "LOCK()", 0),
    "its nice value": ("os.nice(0)", "os.nice(1)", None),
    "a limit": ("resource.getrlimit(4)[1]", "resource.setrlimit(4, (0, 0))", None),
    "the mode of stdout": ("int(os.get_blocking(1))", "os.set_blocking(1, False)", 1),
}
"""What a part reads, what it leaves, and what the first one reads, None where that is the machine's affair."""
HELPERS = """
import resource, tempfile
BESIDE = tempfile.gettempdir()
FILES = []
def CHILD():
    if os.fork() == 0:
        os.setsid()
        while True:
            try: Path(BESIDE, 'told').touch()
            except OSError: pass
def LOCK():
    FILES.append(open('/dev/null', 'rb+'))
    fcntl.lockf(FILES[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
    if os.fork() == 0:
        fcntl.lockf(FILES[-1], fcntl.LOCK_EX)
        while True: time.sleep(1)
def LOCKED():
    try: fcntl.lockf(open('/dev/null', 'rb+'), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError: return 1
    return 0
"""


@pytest.mark.parametrize("keeps", KEEPS)
def test_what_a_part_keeps_is_gone_when_the_next_one_begins(jails: Jails, keeps: str):
    """Whether it keeps it in its process, in another one, in a file, or in what the kernel holds for either."""
    read, leave, first = KEEPS[keeps]
    asked = Asked(jails, f"step = {read}\n{leave}", HELPERS)
    steps = [asked.step() for _ in range(3)]
    assert type(steps[0]) is int, steps  # it was read, and then left
    assert steps == [steps[0] if first is None else first] * 3


@pytest.fixture(scope="module")
def in_one() -> Iterator[Jails]:
    """A jail whose first process passes all on, as on CUDA."""
    made = Jails("none", Limits(seconds=60), "meta", [KATA])
    yield made
    made.close()


FATES = {
    "a result": ("Path('made').write_bytes(b'1')\nstep = 7", NO_FAULT, False),
    "an error": ("raise KeyError", NO_FAULT, False),
    "a kill": ("os.mkdir('made')\nos.mkdir('more')", Fault(Kind.KILLED, 1), True),
    "a full disk": ("Path('made').write_bytes(bytes(9))", Fault(Kind.FULL, 4), False),
}


@pytest.mark.parametrize("fate", FATES)
def test_a_part_ends_the_same_where_the_first_process_passes_it_on(jails: Jails, in_one: Jails, fate: str):
    """With the same result or error, by the same kill, with the same files."""
    text, fault, killed = FATES[fate]
    endings = [Asked(each, text).part(fault=fault) for each in (jails, in_one)]
    assert [ending.killed for ending in endings] == [killed, killed]
    values = [None if ending.killed else ending.value for ending in endings]
    assert same(values[1], values[0], bits=True)
    assert endings[0].files == endings[1].files
    assert fate == "an error" or list(endings[0].files) == ["made"]


def test_a_process_that_ends_where_the_first_passes_all_on_gives_no_answer(in_one: Jails):
    """It is gone with whatever could say what it has left; the next one is asked as if nothing had been."""
    with pytest.raises(Lost, match="ended by itself, with status 3"):
        Asked(in_one, "os._exit(3)").part()
    assert Asked(in_one).step() == 0


def test_a_part_begins_with_its_files_and_what_it_leaves_is_told(jails: Jails):
    """By their names and their bytes."""
    asked = Asked(jails, "Path('b').write_bytes(Path('a').read_bytes() + b'2')\nos.remove('a')\nos.mkdir('c')")
    assert asked.part(files={"a": b"1"}).files == {"b": b"12", "c": None}


def test_text_has_another_hash_in_a_process_with_other_files(jails: Jails):
    """As in a new process of Python, though all are forked from one: a number has the same one everywhere."""
    asked = Asked(jails, "step = [hash(value) % 2**31 for value in ('a', b'a', (1, b'a'), 7, (1, 7))]")
    first, again, other = [asked.step(files={"file": data}) for data in (b"1", b"1", b"2")]
    assert first == again
    assert [one == two for one, two in zip(first, other, strict=True)] == [False, False, False, True, True]


def test_a_file_is_looked_at_at_each_call_that_changes_one(jails: Jails):
    """Also where C makes the calls, and Python's profiler is off: the kernel tells of them."""
    text = "import sys\nsys.setprofile(None)\ntorch.save({str(k): torch.zeros(99) for k in range(9)}, 'file')"
    ending = Asked(jails, text).part(fault=Fault(Kind.WATCHED, name="file"))
    sizes = [None if data is None else len(data) for data, _ in ending.seen]
    assert ending.moments >= 3
    assert {None, 0} <= set(sizes)
    assert ending.files["file"] is not None


@pytest.mark.parametrize("number", range(6))
def test_a_kill_strikes_before_the_call_of_its_number(jails: Jails, number: int):
    """What came before it is done, and nothing of what comes after it."""
    text = "for k in range(4):\n    os.mkdir(str(k))"
    ending = Asked(jails, text).part(fault=Fault(Kind.KILLED, number))
    assert len(ending.files) == min(number, 4)
    assert ending.killed == (number <= 4)  # the fifth call is the one by which it answers


def test_a_kill_in_a_write_leaves_what_was_written(jails: Jails):
    """The process is gone, also where it is the first of a namespace, which no signal ends by default."""
    text = "with open('file', 'wb') as file:\n    file.write(bytes(1000))"
    ending = Asked(jails, text).part(fault=Fault(Kind.KILLED_IN_WRITE, 600))
    assert ending.killed
    assert ending.files == {"file": bytes(600)}
    assert not Asked(jails, text).part(fault=Fault(Kind.KILLED_IN_WRITE, 1000)).killed


def test_a_full_disk_cannot_be_made_larger(jails: Jails):
    """Its limit is a hard one."""
    text = """
import resource
try: resource.setrlimit(resource.RLIMIT_FSIZE, (10**9, 10**9))
except (OSError, ValueError): step = 1
with open('file', 'wb', buffering=0) as file:
    file.write(bytes(1000))
    file.write(bytes(1000))
"""
    ending = Asked(jails, text).part(fault=Fault(Kind.FULL, 1500))
    assert ending.value[0]["load_checkpoint"] == 1
    assert len(ending.files["file"] or b"") == 1500


def test_an_unwritable_folder_cannot_be_made_writable(jails: Jails):
    """By nobody who runs there."""
    text = "try: os.chmod('.', 0o777)\nexcept OSError: pass\nos.mkdir('made')"
    ending = Asked(jails, text).part(files={"old": b"old"}, fault=Fault(Kind.UNWRITABLE))
    assert ending.value[0]["raised"] == "raises PermissionError"
    assert ending.files == {"old": b"old"}


def test_a_process_that_ends_is_no_result(jails: Jails):
    """Killed, or by itself; the next one is asked as if nothing had been."""
    asked = Asked(jails, "if Path('kill').exists(): os.abort()\nif Path('end').exists(): os._exit(0)")
    assert asked.part(files={"kill": b""}).killed
    ended = asked.part(files={"end": b""})
    assert isinstance(ended.outcome, Error)
    assert not ended.killed
    assert asked.step() == 0


def test_more_files_than_anybody_needs_end_it(jails: Jails):
    """The jail stays: the next one is asked."""
    asked = Asked(jails, "for k in range(300): Path(str(k)).touch()")
    with pytest.raises(Lost, match="more than anybody needs"):
        asked.part()
    assert Asked(jails).step() == 0


def test_no_signal_reaches_what_looks_on(jails: Jails):
    """Where the kernel keeps signals apart; in a namespace of its own there is nobody above it."""
    if landlock.version() < 6:
        pytest.skip("signals are kept apart from Linux 6.12 on")
    text = "try: step = 0 if os.getppid() and not os.kill(os.getppid(), 9) else 7\nexcept OSError: step = 7"
    asked = Asked(jails, text)
    assert [asked.step(), asked.step()] == [7, 7]


def test_a_process_that_runs_answers_is_alone_and_has_no_capability(jails: Jails, isolation: str):
    """It is the first one of a PID namespace, where there are any."""
    Asked(jails)
    process = jails.channel(True).jail._process
    assert process is not None
    *_, last = [_status(pid) for pid in descendants(process.pid)]
    assert last["CapPrm"] == last["CapInh"] == last["CapAmb"] == "0" * 16
    if isolation != "basic":
        assert last["NSpid"].split()[-1] == "1"
        assert len(last["NSpid"].split()) == len(_status(process.pid)["NSpid"].split()) + 2


def test_no_thread_tells_how_many_processes_there_were_before(jails: Jails):
    """Python numbers the threads that have no name, and a fork keeps the count; some are forked by a thread."""
    asked = Asked(jails, "threading.Thread(target=len, args=('',)).start(); step = threading.Thread().name")
    watched = Fault(Kind.WATCHED, name="file")
    first, *others = [asked.step(), asked.step(fault=watched), asked.step(fault=watched), asked.step()]
    assert others == [first] * 3


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_a_plain_call_after_a_part_is_answered(jails: Jails):
    """The process of plain calls has ended for the part; another one takes its place."""
    asked = Asked(jails)
    asked.part()
    with pytest.raises(Raised, match="missing 3 required positional arguments"):
        asked.seam.call("load_checkpoint")
