"""The notebook for Colab: what it holds is the clone's, and it runs from start to end."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from dojo.catalog import ROOT, find
from tests.dojo.clone import make
from tests.dojo.installed import fresh
from tests.dojo.test_conventions import assert_takes

NOTEBOOK = ROOT / "notebooks" / "colab.ipynb"
KATA = find("01")
WRITE = f"%%writefile katas/{KATA.slug}/{KATA.filename}\n"


def read(path=NOTEBOOK):
    """The notebook, and its code cells as texts."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook, ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_holds_no_output_and_the_stub_as_it_is():
    """Nobody's run is in it, and what is written is what `dojo reset` puts back."""
    notebook, cells = read()
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert [cell for cell in cells if cell.startswith("%%writefile")] == [
        WRITE + (KATA.judge / "stub.py").read_text(encoding="utf-8").rstrip("\n")
    ]
    lines = "\n".join(cells)
    commands = re.findall(r"^!dojo (.+)$", lines, re.MULTILINE)
    assert commands
    for command in commands:
        assert_takes(command.split())


def variables(folder):
    """Those of whoever runs a notebook in a fresh environment: its kernel, and no network."""
    own = fresh(folder / "own").root / "bin"
    kernel = folder / "jupyter" / "kernels" / "own" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    launched = [str(own / "python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": launched, "display_name": "own", "language": "python"}), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    return {
        **kept,
        "PATH": f"{own}:{os.environ['PATH']}",
        "JUPYTER_PATH": str(folder / "jupyter"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the other way round: hatchling is there, none is fetched
        "DOJO_DEVICE": "cpu",
        "DOJO_FOLDER": str(folder / "content" / "torch-dojo"),
    }


@pytest.mark.skipif(importlib.util.find_spec("nbclient") is None, reason="needs pip install -e '.[notebook]', 85 MB")
def test_it_runs_from_start_to_end(tmp_path, long):
    """Cloned, installed, judged, edited with a belief in it that the report names, and shown; on the CPU."""
    if not long:
        pytest.skip("a minute; --long runs it")
    repository = make(tmp_path).root
    shutil.copy(ROOT / "hatch_build.py", repository)
    shutil.copy(ROOT / "LICENSE", repository)
    git = ["git", "-C", str(repository), "-c", "user.name=x", "-c", "user.email=x"]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "x"]):
        subprocess.run([*git, *command], check=True)
    notebook, _ = read()
    path = tmp_path / "colab.ipynb"
    raises = '    raise NotImplementedError("get_memory_usage")\n'
    for cell in notebook["cells"]:
        if "".join(cell["source"]).startswith(WRITE):
            assert raises in cell["source"]
            cell["source"] = [line if line != raises else "    return 4 * x.numel()\n" for line in cell["source"]]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    (tmp_path / "content").mkdir()
    environment = {**variables(tmp_path), "DOJO_REPOSITORY": repository.as_uri()}
    program = [sys.executable, "-c", "from nbclient.cli import main; main()"]
    ran = subprocess.run(
        [*program, "--kernel_name=own", "--inplace", str(path)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    done, _ = read(path)
    shown = ["".join(map(text, cell["outputs"])) for cell in done["cells"] if cell["cell_type"] == "code"]
    _, _, doctor, every, _, one, hint, report, last = shown
    assert "no problem found" in doctor
    assert "01_memory · Count the bytes" in every
    assert "23_capstone" in every
    assert "looks like" in one
    assert "hint 1 of 3" in hint
    assert "<iframe srcdoc=" in report
    assert "looks like" in report
    assert "1 wrong" in last
    assert (tmp_path / "content" / "torch-dojo" / "answers.tar.gz").is_file()


def text(output):
    """What an output of a cell says."""
    return "".join(output.get("text", [])) + "".join(output.get("data", {}).get("text/html", []))
