"""No name of a seam's stands in the way of a learner's function."""

import contextlib
from pathlib import Path

import pytest

from dojo.catalog import CatalogError, find, read
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed
from dojo.grade.jails import Jails
from dojo.judging.verdict import fixtures
from dojo.seam.learner_file import Answers, load
from dojo.seam.local import Local

LOCAL = Local(Answers(Path("names.py"), None))
JAILED = Jailed(find("01"), b"", "names.py", (), Jails("none", Limits(), "cpu", []))
NAMES = {"open", "names", "calls", "answers", *dir(LOCAL), *dir(JAILED)}
"""Of functions: whatever either seam has an attribute of."""
FUNCTION = '[functions.{0}]\ntitle = "{0}"\npoints = 1\nhints = []\n'
ANSWER = 'def {0}(n):\n    return ("{0}", n)\n'


def names():
    """The names that a function may have."""
    return sorted(name for name in NAMES if not name.startswith("_") and name != "run")


def kata_of(folder, functions):
    """A kata with these functions, and answers to it."""
    path = folder / "97_names" / "kata.toml"
    path.parent.mkdir()
    table = "".join(map(FUNCTION.format, functions))
    path.write_text(f"title = 'Names'\nquestion = ''\nforbidden = ['torch']\n{table}", encoding="utf-8")
    (path.parent / "names.py").write_text("".join(map(ANSWER.format, functions)), encoding="utf-8")
    return read(path)


def asked(seam):
    """What comes of a call of each function, as a property makes it."""
    kata = fixtures(lambda kata: None, seam, "cpu")["kata"]
    return [getattr(kata, name)(1) for name in names()]


def test_a_function_of_any_name_can_be_called_locally(tmp_path):
    """Also one that is called as something of the seam."""
    kata = kata_of(tmp_path, names())
    seam = Local(load(kata, tmp_path, "test_names_locally"), kata.forbidden)
    assert asked(seam) == [(name, 1) for name in names()]


def test_a_function_of_any_name_can_be_called_in_a_jail(tmp_path, isolation):
    """As it can be locally."""
    kata = kata_of(tmp_path, names())
    with contextlib.closing(Jails(isolation, Limits(), "cpu", [])) as jails:
        seam = Jailed(kata, kata.source(tmp_path).read_bytes(), kata.filename, (), jails)
        seam.begin(None)
        assert asked(seam) == [(name, 1) for name in names()]


@pytest.mark.parametrize("name", ["run", "_f", "__init__"])
def test_a_name_that_properties_cannot_call_is_refused(tmp_path, name):
    """In one line, with the path of the kata.toml."""
    with pytest.raises(CatalogError, match=r"\A.*97_names/kata\.toml .*\Z") as caught:
        kata_of(tmp_path, [name])
    assert repr(name) in str(caught.value)
