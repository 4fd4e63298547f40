"""The map, as a process on a copy of the clone: what it knows, from where, and that it never knows wrong."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from dojo import progress
from dojo.catalog import find, katas
from dojo.progress import State, everything
from dojo.tools.overview import show
from tests.dojo.clone import make

FLOPS = "03_flops"


@pytest.fixture
def clone(tmp_path):
    """A copy of this clone that a test may spoil."""
    return make(tmp_path)


def part_of(ran, slug):
    """What the map says of a kata: its line, and the rows under that where it is the one to go on with."""
    _, found, rest = ran.out.partition(f"\n{slug} ")
    assert found, ran.out
    title, *lines = rest.splitlines()
    rows, label = {"": " ".join(title.split())}, ""
    for line in lines:
        if not line.startswith("  "):
            break
        label = line[2:16].strip() or label
        rows[label] = f"{rows.get(label, '')} {line[16:].strip()}".strip()
    return rows


def test_a_fresh_clone_is_known_without_a_run(clone):
    """Stubs are to do as they stand; nothing heavy is imported to say so, and nothing is written."""
    for name in ("torch", "hypothesis", "pytest", "numpy"):
        (clone.root / f"{name}.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    ran = clone.dojo()
    assert ran.status == 0, ran.out
    first = find("01")
    for slug, kata in katas().items():
        rows = {"to do": ", ".join(kata.functions)} if kata == first else {}
        assert part_of(ran, slug) == {"": f"0 of {len(kata.functions)} {kata.title}"} | rows
    assert ran.out.startswith(f"0 of {sum(len(kata.functions) for kata in katas().values())} functions done")
    assert "  next          get_memory_usage of 01_memory: Bytes of a tensor's elements" in ran.out
    assert "  your code     katas/01_memory/memory.py:13" in ran.out
    assert not (clone.root / ".dojo").exists()


def test_the_map_says_what_the_last_run_said_until_something_changes(clone):
    """Done and wrong from a run in two processes; a question mark after an edit; --refresh judges anew."""
    clone.solve(FLOPS)
    clone.spoil(FLOPS, "    return 2 * prod(x_shape)", "    return prod(x_shape)")
    clone.spoil(FLOPS, '    """Achieved FLOP/s over promised FLOP/s."""', '    raise NotImplementedError("mfu")')
    unknown = part_of(clone.dojo(), FLOPS)
    assert unknown[""] == "0 of 9 9 not judged Count the FLOPs"
    assert unknown["not judged"] == ", ".join(katas()[FLOPS].functions)

    clone.pytest(f"katas/{FLOPS}", "-n", "2")
    ran = clone.dojo()
    known = part_of(ran, FLOPS)
    assert known[""] == "7 of 9 1 wrong Count the FLOPs"
    assert (known["wrong"], known["to do"]) == ("linear_flops", "mfu")
    assert known["done"].split(", ")[:2] == ["matmul_flops", "elementwise_flops"]
    assert "?" not in ran.out
    assert "  next          linear_flops of 03_flops" in ran.out

    clone.spoil(FLOPS, "    return prod(x_shape)", "    return 2 * prod(x_shape)")
    ran = clone.dojo()
    stale = part_of(ran, FLOPS)
    assert stale[""] == "0 of 9? 1 wrong Count the FLOPs"
    assert stale["wrong"] == "linear_flops?"
    assert stale["done"].startswith("matmul_flops?, ")
    assert stale["to do"] == "mfu?"
    assert "dojo --refresh" in ran.out

    fresh = part_of(clone.dojo("--refresh"), FLOPS)
    assert fresh[""] == "8 of 9 Count the FLOPs"
    assert "linear_flops" in fresh["done"]
    assert "wrong" not in fresh


def test_a_part_of_a_run_keeps_whole_verdicts_and_a_run_on_other_files_none(clone):
    """With -k only what was judged whole is kept; the solutions and submissions are not the learner's files."""
    text = clone.solve(FLOPS)
    (clone.root / "handed in" / FLOPS).mkdir(parents=True)
    (clone.root / "handed in" / FLOPS / "flops.py").write_text(text, encoding="utf-8")
    clone.pytest(f"solutions/{FLOPS}", "-k", "linear")
    clone.pytest(f"katas/{FLOPS}", "-k", "linear", "--submission", "handed in")
    assert not (clone.root / ".dojo").exists()
    clone.pytest(f"solutions/{FLOPS}", f"katas/{FLOPS}", "-k", "linear or test_mfu_refuses")
    known = part_of(clone.dojo(), FLOPS)
    assert known["done"] == "linear_flops"
    assert "mfu" in known["not judged"]


def test_a_file_that_cannot_be_read_or_run_is_told(clone):
    """By the line that is wrong, by its absence, or by the run that has to say more."""
    clone.solve(FLOPS)
    clone.spoil(FLOPS, "def mfu(", "def mfu(:")
    clone.answers("01_memory").unlink()
    clone.answers("02_strides").write_text("import nothing_of_this_name\n", encoding="utf-8")
    ran = clone.dojo("--refresh")
    assert ran.status == 0
    assert "cannot read" in part_of(ran, FLOPS)[""]
    assert "cannot read" in part_of(ran, "01_memory")[""]
    assert "  02_strides    not judged: run pytest katas/02_strides to see why" in ran.out
    clone.answers(FLOPS).touch()  # the one to go on with is the one that was edited last
    assert "SyntaxError: invalid syntax" in part_of(clone.dojo(), FLOPS)["cannot read"]


def test_a_narrow_terminal_breaks_no_name(clone):
    """At 40 columns every kata is still there, and every function of the one to go on with."""
    words = clone.dojo(COLUMNS="40").out.replace(",", " ").split()
    assert all(name in words for name in [*katas(), *find("01").functions])


def test_a_low_terminal_has_all_of_many_katas(monkeypatch):
    """Neighbours that are all done, or all to do, share a line; one with something wrong has a line of its own."""
    monkeypatch.setattr(progress, "_edited", lambda path: 0.0)
    paper = io.StringIO()
    console = Console(file=paper, width=80, height=24, force_terminal=True, color_system=None)
    some = everything()
    every = []
    for number in range(1, 24):
        one = some[number % len(some)]
        kata = replace(one.kata, slug=f"{number:02}_{one.kata.slug[3:]}")
        words = [
            "wrong" if number == 4 else "done" if number < 7 else "to do",
            *["done" if number < 7 else "to do"] * 20,
        ]
        states = {name: State(word) for name, word in zip(one.states, words, strict=False)}
        every.append(replace(one, kata=kata, states=states))
    show(console, every)
    lines = paper.getvalue().splitlines()
    assert len(lines) < 24
    assert [line[:21].strip() for line in lines if re.match(r"\d\d( to|_)", line)] == [
        "01 to 03", "04_adagrad", "05 to 06", "07 to 23",
    ]  # fmt: skip
