"""What is kept of verdicts: it counts as long as what it rests on is the same, and a damaged file is as none."""

import json
import os
from dataclasses import replace

import pytest

from dojo import progress
from dojo.catalog import ROOT, find
from dojo.progress import Progress, State, following
from dojo.seam.learner_file import Compiled

KATA = find("03")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A clone of which only one kata and its properties are there, whose path nobody has imported."""
    for path in (KATA.source(ROOT / "katas"), KATA.lesson.with_name("kata.toml"), *progress.dependencies(KATA.slug)):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    made = [tmp_path / path.relative_to(ROOT) for path in progress.dependencies(KATA.slug)]
    monkeypatch.setattr(progress, "ROOT", tmp_path)
    monkeypatch.setattr(progress, "FOLDER", tmp_path / ".dojo" / "progress")
    monkeypatch.setattr(
        progress, "_basis", lambda kata: [kata.source(tmp_path / "katas"), tmp_path / "katas/03_flops/kata.toml", *made]
    )
    solved = KATA.source(ROOT / "solutions").read_bytes()
    KATA.source(tmp_path / "katas").write_bytes(solved)
    return tmp_path


def state(name="mfu"):
    """What is known of a function."""
    return progress.read(KATA).states[name]


def test_a_verdict_is_kept_for_what_it_was_said_of(place):
    """Words that are no verdict are passed over; one function does not touch another."""
    assert state() == State("not judged")
    progress.store(KATA, progress.key(KATA), {"mfu": "done", "mlp_flops": "so far", "linear_flops": "wrong"})
    assert state() == State("done")
    assert state("mlp_flops") == State("not judged")
    progress.store(KATA, progress.key(KATA), {"mfu": "so far", "linear_flops": "done"})
    assert state() == state("linear_flops") == State("done")


def test_tries_are_counted_until_a_function_is_done(place):
    """One for each version of the file in which it was judged; a stub is no try, and the same file no new one."""
    path = KATA.source(place / "katas")
    for word in ("to do", "wrong", "wrong", "done", "wrong"):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        for _ in range(2):
            progress.store(KATA, progress.key(KATA), {"mfu": word})
    assert progress.tries(KATA)["mfu"] == 3
    assert progress.tries(KATA)["linear_flops"] == 0
    progress._file(KATA).write_text('{"tries": {"mfu": "many"}}', encoding="utf-8")
    assert progress.tries(KATA) == dict.fromkeys(KATA.functions, 0)


@pytest.mark.parametrize(
    "name",
    [
        "katas/03_flops/flops.py",
        "katas/03_flops/kata.toml",
        "tests/03_flops/properties.py",
        "tests/shared/flops.py",
        "dojo/seam/data.py",
    ],
)
def test_a_verdict_is_stale_once_anything_it_rests_on_changes(place, name):
    """The learner's file, what is forbidden, the properties, and what they import in turn."""
    progress.store(KATA, progress.key(KATA), {"mfu": "done"})
    with (place / name).open("ab") as file:
        file.write(b"\n")
    assert state() == State("done", stale=True)
    assert progress.read(KATA).is_stale


def test_a_verdict_is_stale_under_another_torch(place, monkeypatch):
    """And under the first one again, it is not."""
    progress.store(KATA, progress.key(KATA), {"mfu": "done"})
    with monkeypatch.context() as patched:
        patched.setattr(progress, "_torch", lambda: "2.99")
        assert state() == State("done", stale=True)
    assert state() == State("done")


def test_a_file_saved_during_the_run_is_not_what_was_judged(place):
    """The key is taken before the run, so a verdict never passes to a newer file."""
    key = progress.key(KATA)
    KATA.source(place / "katas").write_text("def mfu(): return 1\n", encoding="utf-8")
    progress.store(KATA, key, {"mfu": "done"})
    assert state() == State("done", stale=True)


def test_a_stub_is_to_do_whatever_was_said_before(place):
    """Also where its verdict is of an older file."""
    progress.store(KATA, progress.key(KATA), {"mfu": "done"})
    KATA.source(place / "katas").write_bytes(KATA.source(ROOT / "katas").read_bytes())
    assert state() == State("to do")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"of": 3, "functions": {"mfu": ["done", "x"]}}',
        '{"of": [3], "functions": {"mfu": ["done", "x"]}}',
        '{"of": [], "functions": {"mfu": ["done"]}}',
        '{"of": [], "functions": {"mfu": ["splendid", "x"]}}',
        '{"of": [], "functions": {"mfu": [["done"], "x"]}}',
        '{"of": [], "functions": {"mfu": ["done", 3]}}',
        '{"of": [], "functions": ["mfu"]}',
        "[" * 100_000,
        "\ud800",
    ],
)
def test_a_damaged_file_is_as_none(place, text):
    """Nothing is known then, and the next run writes it anew."""
    path = place / ".dojo" / "progress" / "03_flops.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert state() == State("not judged")
    progress.store(KATA, progress.key(KATA), {"mfu": "done"})
    assert state() == State("done")


def test_a_folder_that_cannot_be_written_is_no_trouble(place):
    """Nothing is kept, and nothing fails."""
    (place / ".dojo").write_text("a file", encoding="utf-8")
    progress.store(KATA, progress.key(KATA), {"mfu": "done"})
    assert state() == State("not judged")


@pytest.mark.parametrize("name", ["tests/03_flops/properties.py", "katas/03_flops/flops.py"])
def test_without_all_that_it_rests_on_nothing_is_kept(place, name):
    """Of properties that are gone, or a file that is."""
    (place / name).unlink()
    assert progress.key(KATA) == ""
    progress.store(KATA, "", {"mfu": "done"})
    assert state() == State("not judged")


def test_a_kata_without_properties_has_no_key(monkeypatch):
    """One that somebody is still writing."""
    assert progress.key(KATA)
    monkeypatch.setattr(type(KATA), "part", lambda kata, name: "tests.nowhere")
    progress.dependencies.cache_clear()
    assert progress.key(KATA) == ""
    progress.dependencies.cache_clear()


def test_what_is_kept_can_be_read_by_people(place):
    """Paths and words, and nothing of the code."""
    progress.store(KATA, progress.key(KATA), {"mfu": "done"})
    told = json.loads((place / ".dojo" / "progress" / "03_flops.json").read_text(encoding="utf-8"))
    assert told["of"][0] == "katas/03_flops/flops.py"
    assert told["functions"]["mfu"][0] == "done"


def known(slug, words, edited, place):
    """What is known of a kata whose file was edited at that time."""
    kata = find(slug)
    path = kata.source(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (edited, edited))
    return Progress(kata, dict(zip(kata.functions, words, strict=False)), Compiled(path, None))


def test_the_next_function_is_of_the_kata_that_was_edited_last(tmp_path):
    """From there onward and round; a kata that nobody has begun comes in its turn."""
    done, todo, wrong = State("done"), State("to do"), State("wrong")
    first = known("01", [todo], 9, tmp_path)
    second = known("02", [done, wrong, todo], 1, tmp_path)
    third = known("03", [done, done], 2, tmp_path)
    fourth = known("04", [done, todo], 3, tmp_path)
    assert following([first, second, third, fourth]) == (fourth, list(fourth.states)[1])
    assert following([first, second, third]) == (first, "get_memory_usage")
    assert following([second, third]) == (second, "storage_index")
    assert following([first]) == (first, "get_memory_usage")
    assert following([third]) is None
    mixed = known("02", [todo, done, wrong], 1, tmp_path)
    assert following([mixed]) == (mixed, list(mixed.states)[2])
    looked_at = replace(known("04", [todo], 3, tmp_path), ran=True)
    assert following([known("02", [todo], 1, tmp_path), looked_at]) == (looked_at, "linear_backward_flops")
