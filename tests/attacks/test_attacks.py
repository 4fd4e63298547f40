"""Submissions that try to get a grade they have not earned, or to do harm: the folders of tests/attacks/ hold them.

One of each kind is graded at the best level of isolation that this machine has; with --long, each at every level.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dojo.catalog import ROOT
from dojo.files import write_whole
from dojo.grade import result
from dojo.grade.formats import FORMATS
from dojo.grade.grading import grade
from dojo.grade.intake.submission import Submission, SubmissionError, read
from tests.attacks import judge
from tests.attacks.archives import ARCHIVES, KATA
from tests.attacks.bait import Bait, bait
from tests.attacks.harness import SEED, attacks

ATTACKS = attacks()
MODULE = re.compile(r"\b(?:dojo|tests)(?:\.\w+)+")
"""The dotted name of a module of this clone, in the text of an attack."""
MOST = 10 * 2**20
"""Bytes that a platform takes as a result."""


@pytest.fixture(scope="module", autouse=True)
def _the_clone_stays_as_it_is() -> Iterator[None]:
    before = judge.sources()
    yield
    assert judge.sources() == before


@pytest.fixture(scope="module")
def ready(isolation: str) -> Iterator[str]:
    """A level at which this process has graded before, so that it has imported and started what it needs.

    After all attacks, an honest submission gets its full marks.
    """
    _honest(isolation)
    yield isolation
    _honest(isolation)


def _honest(level: str) -> None:
    """The next submission gets its full marks: an honest one of the kata that is graded in the shortest time."""
    source = KATA.source(ROOT / "solutions").read_bytes()
    handed = Submission("next", {KATA.slug: source}, {KATA.slug: KATA.filename})
    given = grade(handed, katas=[KATA], seed=SEED, level=level)
    assert given.score == given.points


@contextlib.contextmanager
def _unharmed(tmp_path: Path) -> Iterator[Bait]:
    """Fail unless this process, its machine and its files are afterwards what they were before."""
    with bait() as laid:
        running, state, files = judge.running(), judge.state(), set(tmp_path.iterdir())
        yield laid
        assert judge.state() == state
        assert not judge.left(running, laid.mark)
        assert not laid.touched()
        assert set(tmp_path.iterdir()) == files


def _valid(given: result.Result, folder: Path) -> None:
    """Every format takes the result, within what platforms take, and its own file can be read again."""
    for name, form in FORMATS.items():
        text = form.text(given)
        assert len(text.encode()) < MOST
        write_whole(folder / form.filename, text)
        if form.filename.endswith(".json"):
            json.loads(text)
        elif name == "junit":
            ElementTree.fromstring(text)
    assert result.read(folder / FORMATS["json"].filename).score == given.score


def test_every_attack_says_what_it_attacks():
    """The harness refuses a file whose first lines do not; each folder has an attack in the plain form."""
    assert len(ATTACKS) >= 150
    assert all(attack.attacked for attack in ATTACKS.values())
    assert {attack.folder for attack in ATTACKS.values() if not attack.like} == {
        attack.folder for attack in ATTACKS.values()
    }


def _there(module: str) -> bool:
    """Whether a dotted name is a module of this clone, a package, or an attribute of a module."""
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or any(place.with_suffix(".py").is_file() for place in (path, path.parent))


def test_an_attack_looks_for_modules_that_are_there():
    """One that goes by an old name of a module tries nothing any more."""
    texts = {name: [attack.text, *attack.files.values()] for name, attack in ATTACKS.items()}
    named = {(name, module) for name, every in texts.items() for module in MODULE.findall("\n".join(every))}
    assert named
    assert not [(name, module) for name, module in named if not _there(module)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run one attack of each kind, and every one in the long form."""
    if "attack_name" in metafunc.fixturenames:
        long = metafunc.config.getoption("--long")
        metafunc.parametrize("attack_name", [name for name, attack in ATTACKS.items() if long or not attack.like])


def test_an_attack_gets_nothing(
    attack_name: str, ready: str, examples, functions, long, tmp_path: Path, tmp_path_factory
):
    """No credit for what it attacks, full credit for the honest functions beside it, and nothing else happens.

    One of those stands for all in the plain form; in the long one, an honest submission follows each.
    """
    attack = ATTACKS[attack_name]
    if ready not in attack.levels:
        pytest.skip(f"nothing is promised of it at {ready}")
    examples(attack.examples)
    some = [*attack.attacked, *sorted(attack.honest)[:1]]
    judged = set(attack.kata.functions) if long else functions(some)
    with _unharmed(tmp_path) as laid:
        handed = attack.hand_in(tmp_path / "submission", laid)
        given = grade(handed, katas=[attack.kata], seed=SEED, level=ready, limits=attack.limits)
        (tmp_path / "submission").rename(tmp_path_factory.mktemp("done") / "submission")
    scores = {function.name: function.score for function in given.katas[0].functions}
    assert not [function for function in attack.attacked if scores[function]]
    full = {function: attack.kata.functions[function].points for function in attack.honest & judged}
    assert {function: scores[function] for function in full} == full
    _valid(given, tmp_path)
    if long:
        _honest(ready)


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_gets_what_is_honest_in_it(name: str, ready: str, examples, tmp_path: Path):
    """Nothing is written, followed or unpacked; one line says where nothing is left to grade."""
    archive = ARCHIVES[name]
    examples(1)
    with bait() as built:  # outside of what is watched: to build it takes files and memory
        data = archive.build(built)
        path = tmp_path / f"submission{archive.suffix}"
        path.write_bytes(data)
        with _unharmed(tmp_path):
            if archive.counts:
                given = grade(read(path, [KATA]), katas=[KATA], seed=SEED, level=ready)
                assert given.score == given.points
            else:
                with pytest.raises(SubmissionError, match=r"\A[^\n]+\Z"):
                    read(path, [KATA])
        assert not built.touched()
    if archive.counts:
        _valid(given, tmp_path)
