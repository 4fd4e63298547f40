"""The small commands, each as a process on a copy of the clone."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
import typer

from dojo.catalog import find, katas
from dojo.cli import app
from dojo.tools import doctor as tool
from tests.dojo.clone import BIN, make

COMMANDS = typer.main.get_group(app).commands


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of this clone; each test uses another kata of it."""
    return make(tmp_path_factory.mktemp("tools"))


def told(clone, slug, **words):
    """Let the map know these verdicts on the file as it is, as a run would have left them."""
    code = f"from dojo import catalog, progress as p; k = catalog.find('{slug}'); p.store(k, p.key(k), {words!r})"
    ran = clone.python("-c", code)
    assert ran.status == 0, ran.out


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_each_command_has_help_with_an_example_that_it_takes(command):
    """The example begins with the command, and its arguments can be read."""
    group = typer.main.get_group(app)
    about = COMMANDS[command] if command else group
    marked, *words = shlex.split(about.epilog or "")
    assert marked == "Example:"
    assert words[: 1 + bool(command)] == ["dojo", command][: 1 + bool(command)]
    assert about.help
    about.make_context("dojo", words[1 + bool(command) :], resilient_parsing=False).close()


def test_help_shows_the_example(clone):
    """As a process, once."""
    assert "Example: dojo hint 03 matmul_flops" in clone.dojo("hint", "--help").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hnit"], "dojo: no such command 'hnit'"),
        (["--frob"], "dojo: no such option: --frob"),
        (["--refresh", "next"], "dojo: --refresh takes no command: run dojo --refresh, then dojo next"),
        (["hint"], "dojo: missing argument 'kata'; see dojo hint --help"),
        (["hint", "flosp"], "dojo: unknown kata 'flosp': did you mean 03_flops?"),
        (["hint", "99"], "dojo: unknown kata '99': expected one of 01_memory, 02_strides"),
        (["hint", "mfu"], "dojo: unknown kata 'mfu': it is a function of 03_flops"),
        (["solution", "03", "matmul"], "dojo: 03_flops has no function 'matmul': did you mean matmul_flops?"),
        (["reset", "03", "zzz"], "dojo: 03_flops has no function 'zzz': expected one of matmul_flops, "),
    ],
    ids=" ".join,
)
def test_an_error_is_one_line(clone, arguments, message):
    """It says what to do, and the status is 2."""
    ran = clone.dojo(*arguments)
    assert ran.status == 2
    assert ran.out.startswith(message)
    assert len(ran.out.splitlines()) == 1


def test_hints_come_one_at_a_time(clone):
    """By any name of the kata; --again shows no new one; after the last one it says so."""
    of = [" ".join(hint.split()) for hint in find("01").functions["packed_bytes"].hints]

    def shown(*arguments):
        said = " ".join(clone.dojo("hint", *arguments).out.split())
        return [hint in re.sub(r" hint \d of 3 ", " ", said) for hint in of]

    assert shown("1", "packed_bytes", "--again") == [False, False, False]
    assert shown("1", "packed_bytes") == [True, False, False]
    assert shown("01", "packed_bytes", "--again") == [True, False, False]
    assert shown("memory", "packed_bytes") == [True, True, False]
    assert shown("01_memory", "packed_bytes") == [True, True, True]
    last = clone.dojo("hint", "1", "packed_bytes").out
    assert "that was all; dojo solution 01 packed_bytes --spoil shows the answer" in last


@pytest.mark.parametrize("text", ["no json", "[]", '{"01_memory.cuda_allocation": "x"}', "{", '{"a": -5}'])
def test_a_damaged_count_of_hints_begins_anew(clone, text):
    """It is written whole again."""
    counts = clone.root / ".dojo" / "hints.json"
    counts.parent.mkdir(exist_ok=True)
    counts.write_text(text, encoding="utf-8")
    assert "hint 1 of 3" in clone.dojo("hint", "01", "cuda_allocation").out
    assert json.loads(counts.read_text(encoding="utf-8"))["01_memory.cuda_allocation"] == 1
    counts.unlink()


def test_next_is_the_lesson_the_place_and_the_command(tmp_path):
    """Each of them is there; from another folder the paths still lead there."""
    clone = make(tmp_path)
    clone.solve("02_strides")
    told(clone, "02", **dict.fromkeys(find("02").functions, "done") | {"select": "wrong"})
    ran = clone.dojo("next")
    assert [line.rstrip() for line in ran.out.splitlines()] == [
        "  next          select of 02_strides: One index of a dimension",
        "  lesson        katas/02_strides/README.md",
        f"  your code     katas/02_strides/strides.py:{line_of(clone, 'def select')}",
        "  run           pytest katas/02_strides",
        "  stuck         dojo hint 02 select",
    ]
    inside = clone.dojo("next", folder=clone.root / "katas" / "02_strides")
    assert "  your code     strides.py:" in inside.out


def line_of(clone, start):
    """In which line of kata 02 this stands."""
    lines = clone.answers("02_strides").read_text(encoding="utf-8").splitlines()
    return next(place for place, line in enumerate(lines, 1) if line.startswith(start))


def test_all_done_is_said(tmp_path):
    """There is no next one then."""
    clone = make(tmp_path)
    for slug, kata in katas().items():
        clone.solve(slug)
        told(clone, slug, **dict.fromkeys(kata.functions, "done"))
    total = sum(len(kata.functions) for kata in katas().values())
    assert f"next          nothing: all {total} functions are done" in clone.dojo("next").out
    clone.spoil("06_checkpoint", "import copy", "import copy  # mine")
    assert "next          dojo --refresh: all were done before" in clone.dojo("next").out


def test_the_solution_of_what_is_done_stands_beside_ones_own(clone):
    """What is the same says so, what is not done is left out, and helpers come along."""
    clone.solve("03_flops")
    clone.spoil("03_flops", "2 * prod(x_shape) * out_features", "out_features * prod(x_shape) * 2")
    told(clone, "03", linear_flops="done", elementwise_flops="done", mfu="wrong")
    ran = clone.dojo("solution", "03")
    assert ran.status == 0
    linear, elementwise = ran.out.split("03_flops · ")[1:]
    mine, solved = linear.split("\nsolutions/03_flops/flops.py\n")
    assert "\nkatas/03_flops/flops.py\n" in mine
    assert "\n    return out_features * prod(x_shape) * 2\n" in mine
    assert "\n    return 2 * prod(x_shape) * out_features\n" in solved
    wide = clone.dojo("solution", "03", "linear_flops", COLUMNS="200")
    assert re.search(r"^katas/03_flops/flops.py +solutions/03_flops/flops.py *$", wide.out, re.MULTILINE)
    beside = r"^    return out_features \* prod\(x_shape\) \* 2 +return 2 \* prod\(x_shape\) \* out_features *$"
    assert re.search(beside, wide.out, re.MULTILINE)
    assert "yours says the same" in elementwise
    assert "not shown     matmul_flops, einsum_flops" in elementwise
    assert "mfu" in elementwise


def test_what_is_not_done_is_shown_only_when_asked(clone):
    """Wrong, stale and not judged are each said; --spoil shows the solution anyway."""
    clone.solve("04_backward_flops")
    told(clone, "04", training_flops="wrong", training_days="done")
    run = "pytest katas/04_backward_flops"
    for name, said in (
        ("training_flops", f"training_flops is wrong: run {run}"),
        ("largest_model", f"largest_model has not been judged since its last change: run {run}"),
    ):
        ran = clone.dojo("solution", "04", name)
        assert ran.status == 2
        assert ran.out == f"dojo: {said}, or add --spoil to see the solution now\n"
        assert "yours says the same" in clone.dojo("solution", "04", name, "--spoil").out
    assert clone.dojo("solution", "04", "training_days").status == 0
    clone.spoil("04_backward_flops", "def largest_model", "\ndef largest_model")
    assert (
        "training_days has not been judged since its last change" in clone.dojo("solution", "04", "training_days").out
    )
    none = clone.dojo("solution", "04")
    assert none.status == 2
    assert none.out.startswith(f"dojo: no function of 04_backward_flops is known to be done: run {run}, or")


def test_a_stub_is_spoiled_as_the_solution_alone(clone):
    """With what it needs of its file, and without the other functions; also of a class, and of a file with errors."""
    clone.answers("05_adagrad").write_text("def broken(:\n", encoding="utf-8")
    ran = clone.dojo("solution", "05", "AdaGrad", "--spoil")
    assert ran.status == 0
    for part in ("AdaGrad, with eps outside the root.", "import torch", "class AdaGrad(Optimizer):", "def _update("):
        assert part in ran.out
    assert not re.search(r"^[-+]", ran.out, re.MULTILINE)
    model = clone.dojo("solution", "01", "get_model_memory", "--spoil").out
    assert "return get_storage_usage(" in model
    assert "def get_storage_usage" not in model


def test_a_file_in_another_encoding_is_compared_all_the_same(tmp_path):
    """As its first line says."""
    clone = make(tmp_path)
    text = "# -*- coding: latin-1 -*-\n# \xfc\ndef mfu(flops, seconds, peak_flops):\n    return '\xfc'\n"
    clone.answers("03_flops").write_bytes(text.encode("latin-1"))
    ran = clone.dojo("solution", "03", "mfu", "--spoil")
    assert ran.status == 0
    assert "\n    return '\xfc'\n" in ran.out


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("dojo hi", {"hint"}),
        ("dojo hint ", set(katas())),
        ("dojo hint 03", {"03_flops"}),
        ("dojo solution fl", {"flops", "floats"}),
        ("dojo hint 03 m", {"matmul_flops", "mlp_flops", "mfu"}),
        ("dojo reset memory packed", {"packed_bytes"}),
        ("dojo hint nothing ", set()),
    ],
)
def test_the_shell_completes_commands_katas_and_functions(clone, line, offered):
    """What bash asks and gets."""
    words = line.split(" ")
    ran = clone.dojo(_DOJO_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert set(ran.out.split()) == offered


def doctor(clone, folder=None, **environment):
    """What the doctor says; the PATH leads to this Python's pytest."""
    return clone.dojo("doctor", folder=folder, **{"PATH": f"{BIN}:/usr/bin:/bin", **environment})


def test_a_sound_installation_has_no_problem(tmp_path):
    """Each thing is one line, and the status is 0."""
    ran = doctor(make(tmp_path))
    assert ran.status == 0, ran.out
    assert [line.split()[0] for line in ran.out.splitlines() if re.match(r"  \w", line)] == [
        "python", "packages", "torch", "cuda", "dojo", "pytest", "katas", "folders",
    ]  # fmt: skip
    assert "no problem found" in ran.out


@pytest.mark.parametrize(
    ("devices", "trouble", "how", "remedy"),
    [
        (["NVIDIA H100"], "", "13.0, NVIDIA H100", ""),
        ([], "", "no device that this torch can use", ""),
        (
            ["old"],
            "no kernel image",
            "built for 13.0, but does not work: no kernel image",
            "run pytest katas --device cpu without CUDA",
        ),
    ],
)
def test_what_the_doctor_says_of_cuda(monkeypatch, devices, trouble, how, remedy):
    """A device that works, none, and one that does not work."""
    told = json.dumps({"version": "2.13.0", "built": "13.0", "devices": devices, "trouble": trouble})
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=0, stdout=told))
    torch, cuda = tool._torch()
    assert (torch.how, torch.remedy) == ("2.13.0", "")
    assert how in cuda.how
    assert remedy in cuda.remedy
    assert bool(cuda.remedy) == bool(remedy)


def test_the_pytest_that_is_typed_may_lie_elsewhere_if_it_is_of_this_python(monkeypatch, tmp_path):
    """A script that names this Python is sound, one that names another is not."""
    script = tmp_path / "pytest"
    monkeypatch.setattr(shutil, "which", lambda _: str(script))
    for interpreter, problems in ((sys.executable, 0), ("/opt/other/bin/python3", 1)):
        script.write_text(f"#!{interpreter}\nimport pytest\n", encoding="utf-8")
        assert sum(bool(found.remedy) for found in tool._pytest()) == problems


def test_every_problem_comes_with_its_remedy(tmp_path):
    """All of them at once, and the status is 1."""
    clone = make(tmp_path)
    project = clone.root / "pyproject.toml"
    text = project.read_text(encoding="utf-8").replace("torch>=2.12,<2.16", "torch>=1.0,<2.0")
    text = text.replace('"numpy"', '"numpy-of-nowhere"').replace(">=3.11", ">=3.99")
    project.write_text(text, encoding="utf-8")
    (clone.root / "torch.py").write_text("raise ImportError('libcudart.so.99 is not there')\n", encoding="utf-8")
    clone.answers("03_flops").unlink()
    clone.answers("02_strides", "solutions").unlink()
    (clone.root / ".dojo").write_text("a file", encoding="utf-8")
    (tmp_path / "other").mkdir()
    other = make(tmp_path / "other")
    ran = doctor(clone, folder=other.root, PATH="/usr/bin:/bin")
    assert ran.status == 1
    said = " ".join(ran.out.split())
    for problem in (
        "create a virtual environment with Python >=3.99",
        "torch must be <2.0,>=1.0, got 2.",
        "do this pip install 'torch<2.0,>=1.0'",
        "numpy-of-nowhere is missing do this pip install 'numpy-of-nowhere'",
        "cannot be imported: ImportError: libcudart.so.99 is not there do this pip install --force-reinstall 'torch",
        "but the current folder is in another clone",
        "pytest is not on the PATH do this source",
        "flops.py is missing do this dojo reset 03",
        "strides.py is missing do this get that file back from a fresh clone",
        ".dojo cannot be written",
        "9 problems found",
    ):
        assert problem in said, ran.out
