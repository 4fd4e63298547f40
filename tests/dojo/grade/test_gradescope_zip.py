"""The autograder for Gradescope, unpacked and run as Gradescope does, but in a folder of the test's."""

import ast
import json
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dojo.catalog import ROOT, CatalogError, katas
from dojo.grade.gradescope_zip import make_zip

SEED = "a secret of the course"
STUBS = ROOT / "katas" / "03_flops" / "flops.py"
TO_DO = 'raise NotImplementedError("mfu")'
MFU = """if min(seconds, peak_flops) <= 0:
        raise ValueError
    return flops / seconds / peak_flops"""
GRADE = '{"score": 3, "tests": []}\n'
GRADES = f"""\
import os, pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
(folder / "results.json").write_text({GRADE!r})
pathlib.Path(__file__).with_name("called").write_text(f"{{os.environ['DOJO_SEED']}}: {{' '.join(sys.argv[1:])}}")
"""
UNPACKED = """\
import sys
sys.path.insert(0, {source!r})
import dojo.cli
assert dojo.cli.__file__.startswith({source!r})
dojo.cli.main()
"""
FAILS = """\
import sys
print("a warning", file=sys.stderr)
print('dojo: no jail "holds" here \\\\ <b>\\x1b[31m ##[error] é', file=sys.stderr)
sys.exit(2)
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The zip."""
    path = tmp_path_factory.mktemp("zip") / "autograder.zip"
    make_zip(path, seed=SEED, katas="3,05")
    return path


@pytest.fixture
def root(packed, tmp_path):
    """What Gradescope makes of the zip: /autograder, with a submission of one file."""
    root = tmp_path / "auto grader"
    with zipfile.ZipFile(packed) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, root / "source"))
            path.chmod(entry.external_attr >> 16)
    (root / "submission").mkdir()
    (root / "submission" / "flops.py").write_bytes(STUBS.read_bytes())
    return root


def graded(root, program):
    """What Gradescope reads after run_autograder, and how it ended; `program` stands in for the command `dojo`."""
    dojo = root / "bin" / "dojo"
    dojo.parent.mkdir()
    dojo.write_text(f"#!{sys.executable}\n{program}", encoding="utf-8")
    dojo.chmod(0o755)
    ran = subprocess.run([root / "source" / "run_autograder", root, dojo], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return (root / "results" / "results.json").read_text(encoding="utf-8")


def test_the_zip_is_the_same_for_the_same_seed(packed, tmp_path):
    """Bytes and all; without a seed it holds a new one each time."""
    make_zip(tmp_path / "again.zip", seed=SEED, katas="03,5")
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()
    seeds = set()
    for _ in range(2):
        make_zip(tmp_path / "new.zip")
        with zipfile.ZipFile(tmp_path / "new.zip") as archive:
            seeds.add(archive.read("seed"))
    assert len(seeds) == 2
    assert min(map(len, seeds)) >= 32


def test_the_zip_holds_the_scripts_at_its_top_and_what_grading_needs(packed):
    """Of the modules of dojo/ and tests/ that are there, none imports one that is not; nothing else comes along."""
    with zipfile.ZipFile(packed) as archive:
        names = set(archive.namelist())
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        dates = {entry.date_time for entry in archive.infolist()}
        assert archive.read("seed").decode() == SEED
    assert {name for name, mode in modes.items() if mode & stat.S_IXUSR} == {"setup.sh", "run_autograder"}
    assert all(stat.S_ISREG(mode) for mode in modes.values())
    assert dates == {(1980, 1, 1, 0, 0, 0)}
    for kata in katas().values():
        for name in (
            f"katas/{kata.slug}/kata.toml",
            f"katas/{kata.slug}/{kata.filename}",
            f"solutions/{kata.slug}/{kata.filename}",
            f"tests/{kata.slug}/properties.py",
            f"tests/{kata.slug}/misconceptions.py",
        ):
            assert name in names
    assert {"pyproject.toml", "README.md", "LICENSE", "conftest.py", "dojo/grade/formats/gradescope.py"} <= names
    assert not any(name.startswith(("tests/dojo", "tests/attacks", "tests/strength", "benchmarks")) for name in names)
    assert not any("__pycache__" in name or "/." in f"/{name}" for name in names)
    for name in names:
        if name.startswith(("dojo/", "tests/")) and name.endswith(".py"):
            for module in imported(ROOT / name):
                place = module.replace(".", "/")
                assert f"{place}.py" in names or not (ROOT / f"{place}.py").exists(), (name, module)


def imported(path):
    """The modules of this clone that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found = [entry.name for entry in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            found = [node.module, *(f"{node.module}.{entry.name}" for entry in node.names)]
        yield from (name for name in found if name.split(".")[0] in ("dojo", "tests"))


@pytest.mark.parametrize(("script", "shell"), [("setup.sh", "bash"), ("run_autograder", "sh")])
def test_the_scripts_can_be_run(root, script, shell):
    """Each is a script of the shell that its first line names, without an error of syntax."""
    path = root / "source" / script
    assert path.read_text(encoding="utf-8").splitlines()[0] in ("#!/usr/bin/env bash", "#!/bin/sh")
    assert os.access(path, os.X_OK)
    assert subprocess.run([shell, "-n", path], capture_output=True, text=True).stderr == ""


def test_a_grade_is_handed_on_as_it_is(root):
    """The submission, the katas of the zip and the folder are arguments; the seed is none, which others could read."""
    assert graded(root, GRADES) == GRADE
    called = (root / "bin" / "called").read_text(encoding="utf-8")
    arguments = f"grade {root}/submission --katas 03,05 --format gradescope --out "
    assert called.startswith(f"{SEED}: {arguments}")
    assert SEED not in called.removeprefix(SEED)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (FAILS, r"dojo: no jail holds here  b[31m [error] "),
        ("import sys; sys.exit(2)", "the grader did not say why"),
        ("import os; os.kill(os.getpid(), 9)", ""),
        ("", ""),
    ],
    ids=["says why", "says nothing", "is killed", "writes nothing"],
)
def test_without_a_grade_there_are_no_points_and_the_reason(root, program, reason):
    """Whatever becomes of the grader, Gradescope gets a result that it can read, and no points."""
    text = graded(root, program)
    results = json.loads(text)
    assert results["score"] == 0
    assert results["output"].startswith(f"No grade could be given: {reason}")
    assert results["output_format"] == "text"
    assert text.isascii()
    assert text.isprintable() or text.count("\n") == 1


def test_without_a_seed_nothing_is_graded(root):
    """A seed that everybody knows would be none."""
    (root / "source" / "seed").unlink()
    assert json.loads(graded(root, GRADES))["score"] == 0
    assert not (root / "bin" / "called").exists()


def test_a_kata_that_does_not_exist_is_an_error(tmp_path):
    """No zip is left."""
    with pytest.raises(CatalogError, match="unknown kata '99'"):
        make_zip(tmp_path / "autograder.zip", katas="3,99")
    assert not (tmp_path / "autograder.zip").exists()


def test_the_unpacked_dojo_grades(root):
    """From the zip alone, at the best level of this machine: points for the function that is right, and no others."""
    text = STUBS.read_text(encoding="utf-8")
    assert text.count(TO_DO) == 1
    (root / "submission" / "flops.py").write_text(text.replace(TO_DO, MFU), encoding="utf-8")
    results = json.loads(graded(root, UNPACKED.format(source=str(root / "source"))))
    graded_ones = {test["name"].partition(":")[0]: test["score"] for test in results.get("tests", ())}
    functions = [f"{slug} {name}" for slug in ("03_flops", "05_adagrad") for name in katas()[slug].functions]
    points = katas()["03_flops"].functions["mfu"].points
    assert graded_ones == {**dict.fromkeys(functions, 0), "03_flops mfu": points}, results
    assert results["score"] == points
