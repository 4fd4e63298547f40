"""Without a clone: a wheel from the sdist, in an environment of its own, and `dojo init`."""

import re
import shutil
import tomllib

import pytest
import typer

from dojo.catalog import ROOT, find, katas
from dojo.cli import app
from dojo.tools.options import OfAClone
from tests.dojo import clone
from tests.dojo.installed import make

COMMANDS = typer.main.get_group(app).commands
KATA = find("03")
FLOPS = f"katas/{KATA.slug}"
TIMES = re.compile(r" in [\d.]+s( \([\d:]+\))?|^=+ | =+$|^rootdir: .*\n|^plugins: .*\n", re.MULTILINE)
"""What differs between two runs: how long they took, the rules that a longer time shortens, and where they ran."""


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The environment, which no test changes."""
    return make(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def folder(installed, tmp_path_factory):
    """A folder that is laid out once, under a path with a space in it, and that no test changes."""
    room = tmp_path_factory.mktemp("a learner")
    ran = installed.run("dojo", "init", "katas of mine", folder=room)
    assert ran.status == 0, ran.out
    assert ran.out == f"{len(katas())} katas are in katas of mine\n  next  cd 'katas of mine' && dojo next\n"
    return room / "katas of mine"


@pytest.fixture
def own(folder, tmp_path):
    """A copy of it, for a test that changes it."""
    return shutil.copytree(folder, tmp_path / "own", ignore=shutil.ignore_patterns(".*", "__pycache__"))


def below(folder):
    """The files of a folder, by their places; without what runs leave."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if not re.search(r"__pycache__|^\.(?!git)", name)}


def test_what_is_laid_out_is_the_clones_and_its_settings_are(folder, installed):
    """Each file lies where the clone has it and says the same; the answers are the stubs, and no test is among them."""
    laid_out = below(folder)
    settings = tomllib.loads(laid_out.pop("pyproject.toml").decode())["tool"]
    for name, content in laid_out.items():
        stub = re.fullmatch(r"katas/(\w+)/\w+\.py", name)
        assert content == (ROOT / (f"tests/{stub[1]}/stub.py" if stub else name)).read_bytes(), name
    for kata in katas().values():
        for path in (
            kata.lesson,
            *(kata.source(ROOT / tree) for tree in ("katas", "solutions")),
            kata.judge / "stub.py",
        ):
            assert path.relative_to(ROOT).as_posix() in laid_out
    assert not [*(installed.packages / "dojo" / "laid_out" / "katas").glob("*/*.py")]  # nobody's answers
    beside = {name for name in laid_out if "/" not in name}
    assert beside == {".gitignore", "AGENTS.md", "CONTRIBUTING.md", "GRADING.md", "LICENSE", "README.md", "conftest.py"}
    assert not [name for name in laid_out if re.search(r"/test_|wheats|unmatched|tests/(dojo|attacks|strength)", name)]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    assert settings["pytest"] == {**{name: ours[name] for name in settings["pytest"]}, "testpaths": ["katas"]}


def test_each_link_of_a_page_leads_somewhere_there(folder):
    """Of what learners read; GRADING.md and CONTRIBUTING.md are about a clone, and name files of it."""
    links = [
        (page.relative_to(folder).as_posix(), target)
        for page in folder.rglob("README.md")
        for target in re.findall(r'(?:\]\(|src(?:set)?=")([^)"#:\s]+)[)"#]', page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 2 * len(katas())
    assert [(page, target) for page, target in links if not (folder / page).parent.joinpath(target).exists()] == []


def test_pytest_says_there_what_it_says_in_a_clone(own, installed, tmp_path):
    """To the letter: a right answer, a wrong one with its belief, and what is to do; from another folder as well."""
    copy = clone.make(tmp_path)
    right = KATA.source(ROOT / "solutions").read_text(encoding="utf-8")
    assert "    return 2 * prod(sizes.values())" in right
    wrong = right.replace("    return 2 * prod(sizes.values())", "    return prod(sizes.values())")
    asked = (FLOPS, "--hypothesis-seed=0", "-k", "einsum or mfu")
    for root in (own, copy.root):
        KATA.source(root / "katas").write_text(wrong, encoding="utf-8")
    here, there = installed.run("pytest", *asked, folder=own), copy.pytest(*asked)
    assert "looks like" in here.out
    assert (here.status, TIMES.sub("", here.out)) == (there.status, TIMES.sub("", there.out))
    outside = installed.run("pytest", str(KATA.source(own / "katas")), "--collect-only", folder=tmp_path)
    assert outside.status == 0, outside.out
    ran = installed.run("dojo", "reset", KATA.number, folder=own)
    assert ran.out.startswith(f"{FLOPS}/flops.py is the stub again")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("dojo", "03_flops 0 of 9 Count the FLOPs"),
        ("dojo next", "run pytest katas/0"),
        ("dojo hint 03 matmul_flops", "hint 1 of 3 "),
        ("dojo solution 03 mfu --spoil", "03_flops · mfu"),
        ("dojo answer 70e9 15e12 8", "lesson katas/"),
        ("dojo reset 03 mfu", "is the stub already"),
    ],
)
def test_a_learners_commands_work_there(folder, installed, command, said):
    """Also in a folder below it; paths are told from where one stands."""
    ran = installed.run(*command.split(), folder=folder)
    assert said in " ".join(ran.out.split())
    assert ran.status == 0, ran.out
    if command == "dojo next":
        assert "lesson        README.md" in installed.run("dojo", "next", folder=folder / "katas" / "01_memory").out


def test_every_kata_is_right_there(own, installed, long):
    """The solutions pass everything, by pytest and by the process that `dojo watch` runs as well."""
    if not long:
        pytest.skip("two minutes; --long runs it")
    for kata in katas().values():
        shutil.copy(kata.source(own / "solutions"), kata.source(own / "katas"))
    ran = installed.run("pytest", folder=own)
    assert ran.status == 0, ran.out
    functions = sum(len(kata.functions) for kata in katas().values())
    assert f"{functions} of {functions} functions done" in installed.run("dojo", folder=own).out
    ran = installed.run("dojo", "report", "--html", "report.html", folder=own)
    assert f"{functions} of {functions} functions done" in ran.out
    ran = installed.run("dojo", "doctor", folder=own)
    assert "no problem found" in ran.out


def test_what_needs_a_clone_says_so(installed, tmp_path):
    """In one line, before it looks at what it is given; the help is there all the same."""
    needing = {name for name, command in COMMANDS.items() if isinstance(command, OfAClone)}
    assert needing >= {"grade", "grade-all", "gradescope-zip", "check", "new", "tables", "site"}
    assert not needing & {"init", "next", "hint", "watch", "solution", "reset", "answer", "report", "doctor", "measure"}
    ran = installed.run("dojo", "grade", "nowhere.zip", folder=tmp_path)
    assert ran.status == 2
    assert ran.out == "dojo: dojo grade needs a clone of torch-dojo, and this one was installed from a wheel\n"
    assert installed.run("dojo", "grade", "--help", folder=tmp_path).status == 0


@pytest.mark.parametrize("command", ["dojo", "dojo hint 03", "dojo doctor"])
def test_outside_of_a_folder_the_remedy_is_told(installed, tmp_path, command):
    """Nothing is written there."""
    ran = installed.run(*command.split(), folder=tmp_path)
    assert "run dojo init DIR, and then cd DIR" in ran.out
    assert ran.status == (1 if "doctor" in command else 2)
    assert not [*tmp_path.iterdir()]


def older(folder):
    """Make it a folder of another version."""
    path = folder / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'^version = ".*"', 'version = "0.0.9"', text, flags=re.MULTILINE), encoding="utf-8")


@pytest.mark.parametrize(
    ("make_ready", "said"),
    [
        (lambda place: None, "was laid out before: nothing was changed; dojo reset restores a stub"),
        (older, "was laid out by torch-dojo 0.0.9, and this is "),
        (lambda place: (place / "pyproject.toml").unlink(), "must be new or empty, and has AGENTS.md in it"),
    ],
    ids=["twice", "an older one", "not empty"],
)
def test_nothing_that_is_there_is_written_over(own, installed, tmp_path, make_ready, said):
    """One line, and every byte as it was."""
    make_ready(own)
    before = below(own)
    ran = installed.run("dojo", "init", "own", folder=tmp_path)
    assert (ran.status, ran.out.count("\n")) == (2, 1)
    assert said in ran.out
    assert below(own) == before


def test_a_folder_of_another_version_judges_nothing(own, installed):
    """What judges would not be what was tested with this dojo: the map, pytest and the doctor say what to do."""
    older(own)
    for command in ("dojo", "pytest", "dojo doctor"):
        ran = installed.run(*command.split(), folder=own)
        assert ran.status, command
        assert "was laid out by torch-dojo 0.0.9" in " ".join(ran.out.split()), command


def test_what_is_hidden_may_be_there_and_stays(installed, tmp_path):
    """An environment in the folder itself, or a repository with its own .gitignore."""
    (tmp_path / ".gitignore").write_text("mine\n", encoding="utf-8")
    (tmp_path / ".venv").mkdir()
    assert installed.run("dojo", "init", ".", folder=tmp_path).status == 0
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "pyproject.toml").is_file()


def test_what_cannot_be_written_leaves_nothing(installed, tmp_path):
    """A file where a folder should be, and a disk that is full after the first files."""
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert (
        installed.run("dojo", "init", "file", folder=tmp_path).out == "dojo: DIR must be a folder, got the file file\n"
    )
    ran = installed.run("dojo", "init", "file/below", folder=tmp_path)
    assert (ran.status, ran.out) == (2, "dojo: file/below cannot be written: Not a directory; nothing was laid out\n")
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
    code = f"{limited}sys.argv = ['dojo', 'init', 'full']; from dojo.cli import main; main()"
    ran = installed.run("python", "-c", code, folder=tmp_path)
    assert (ran.status, ran.out.count("\n")) == (2, 1)
    assert "File too large; nothing was laid out" in ran.out
    assert not [*(tmp_path / "full").iterdir()]


def test_a_clone_has_it_all_already():
    """There `dojo init` lays out nothing."""
    ran = clone.Clone(ROOT).dojo("init", "nowhere")
    assert (ran.status, ran.out) == (
        2,
        f"dojo: {ROOT} is a clone and has all that dojo init lays out: work in {ROOT / 'katas'}\n",
    )
