"""What a kata forbids is refused to the learner's file by every spelling of the table, and there for torch itself."""

import functools
import importlib
import importlib.util
import runpy
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import torch

from dojo.catalog import ROOT, CatalogError, Function, Kata, read
from dojo.forbidden import TABLE, Behind, behind
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed
from dojo.grade.jails import Jails
from dojo.seam.data import same
from dojo.seam.forbidden import Forbidden, absent
from dojo.seam.learner_file import compile_source, run
from dojo.seam.local import Local
from dojo.seam.parts import Part
from dojo.seam.seam import Raised
from tests.dojo.seam.spellings import ABSENT, BEHIND_EINSUM, RIGHT, SHORTCUTS

FILE = """
import sys

import torch
from torch import nn
from torch.nn import functional as F

EYE = torch.eye(2)


class Made(nn.Module):
    pass


def f(code):
    names = dict(globals())
    return eval(code, globals()) if not code.startswith("exec") else exec(code[5:], names) or names["got"]
"""
"""A learner's file that computes what it is asked for."""


def cases(table):
    """What pytest's parametrize takes of a table by entries."""
    return [pytest.param(entry, code, id=f"{entry}-{code}") for entry, codes in table.items() for code in codes]


def kata(*forbidden):
    """A kata that forbids this."""
    return Kata("24_tried", "Tried", "", forbidden, {"f": Function("f", "f", 1, ("", "", ""))})


@functools.cache
def local(*forbidden):
    """The local seam for the file."""
    one = kata(*forbidden)
    loaded = run(compile_source(Path("tried.py"), FILE.encode()), one, "tests.suite.tried")
    assert loaded.trouble is None
    return Local(loaded, forbidden)


@pytest.fixture(scope="module")
def jailed(isolation):
    """The jailed seam for the file, one for each entry, at that level."""
    jails = Jails(isolation, Limits(), "cpu", [])
    source = FILE.encode()
    yield lambda entry: Jailed(kata(entry), source, "tried.py", (), jails)
    jails.close()


def refused(seam, code):
    """Why the file cannot compute this."""
    with pytest.raises(Raised) as raised:
        seam.call("f", code)
    assert "Forbidden" in raised.value.error.bases[0], raised.value.error
    return raised.value.error.message


@pytest.mark.parametrize(("entry", "code"), cases(SHORTCUTS))
def test_a_shortcut_is_refused_by_every_spelling(entry, code):
    """And the message names it."""
    assert refused(local(entry), code).startswith("this kata is solved without torch.")


@pytest.mark.parametrize(("entry", "code"), cases(RIGHT))
def test_torch_may_use_what_the_file_may_not(entry, code):
    """Layers are made, and what lies beside the shortcut works."""
    assert same(local(entry).call("f", code), RIGHT[entry][code])


@pytest.mark.parametrize(("entry", "code"), cases(SHORTCUTS))
def test_a_shortcut_is_refused_in_a_jail(entry, code, jailed):
    """By the same spellings."""
    seam = jailed(entry)
    seam.begin(None)
    assert refused(seam, code).startswith("this kata is solved without torch.")


@pytest.mark.parametrize(("entry", "code"), cases(RIGHT))
def test_torch_may_use_in_a_jail_what_the_file_may_not(entry, code, jailed):
    """What the table empties there is nothing that a right answer needs."""
    seam = jailed(entry)
    seam.begin(None)
    assert same(seam.call("f", code), RIGHT[entry][code])


@pytest.mark.parametrize("code", BEHIND_EINSUM)
def test_operators_refuse_everybody_in_a_jail(code, jailed):
    """Whoever calls them, in whatever language."""
    assert same(local().call("f", code), torch.ones(2))
    seam = jailed("torch.einsum")
    seam.begin(None)
    with pytest.raises(Raised, match=r"this kata is solved without torch\.einsum"):
        seam.call("f", code)


def test_torch_calls_by_its_name_what_the_file_may_not():
    """Wishart computes its variance by torch.einsum."""
    code = "torch.distributions.Wishart(torch.tensor(3.0), EYE).variance.tolist()"
    assert local("torch.einsum").call("f", code) == [[6.0, 3.0], [3.0, 6.0]]


LATE = """
from torch.nn.init import ones_
import library_of_its_own

def made(x):
    return ones_(x)

first = made(library_of_its_own.x)
"""


def test_a_module_that_is_imported_late_finds_all_that_is_forbidden(monkeypatch, tmp_path):
    """torch's own code, and the libraries that it is built on; the learner's file finds none of it."""
    (tmp_path / "late.py").write_text(LATE, encoding="utf-8")
    (tmp_path / "library_of_its_own.py").write_text("import threading, torch\nx = torch.zeros(2)\n", encoding="utf-8")
    monkeypatch.setattr(torch, "__path__", [*torch.__path__, str(tmp_path)])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch.late", raising=False)
    monkeypatch.delitem(sys.modules, "library_of_its_own", raising=False)
    with absent(("torch.nn.init", "threading")):
        late = importlib.import_module("torch.late")
        assert same(late.first, torch.ones(2))
        for code in ("import threading", "from torch.nn.init import ones_\nones_(x)", "late.ones_(x)"):
            with pytest.raises(Forbidden):
                exec(code, {"__name__": "answers", "late": late, "x": torch.zeros(2)})
    assert late.ones_ is torch.nn.init.ones_
    assert "exec_module" not in vars(late.__loader__)
    with absent(("torch.nn.init",)), pytest.raises(Forbidden):
        late.ones_(late.library_of_its_own.x)
    delattr(torch, "late")


IMPORTS = """
def f():
    import library_of_its_own
    return library_of_its_own.x
"""


@pytest.mark.parametrize("apart", [False, True])
def test_a_part_may_be_what_imports_a_library_first(apart, monkeypatch, tmp_path):
    """As torch's first optimizer imports its compiler: a part is secluded once, like a call."""
    (tmp_path / "library_of_its_own.py").write_text("x = 3", encoding="utf-8")
    monkeypatch.setattr("dojo.seam.forbidden.LIBRARIES", {"library_of_its_own"})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "library_of_its_own", raising=False)
    one = kata("torch.einsum")
    seam = Local(run(compile_source(Path("tried.py"), IMPORTS.encode()), one, "tests.suite.tried"), one.forbidden)
    assert seam._part("f", ("f",), Part(lambda module: module.f(), (), apart=apart)).outcome == 3


def test_a_method_that_is_inherited_is_refused_and_comes_back(monkeypatch):
    """A table may name what torch.Tensor has from a class that nobody can change."""
    monkeypatch.setitem(TABLE, "tried", Behind(names=("torch.logsumexp", "torch.Tensor.logsumexp")))
    x = torch.zeros(2)
    with absent(("tried",)):
        for call in (lambda: x.logsumexp(0), lambda: torch.nn.Parameter(x).logsumexp(0), lambda: torch.logsumexp(x, 0)):
            with pytest.raises(Forbidden, match="logsumexp"):
                call()
    assert "logsumexp" not in vars(torch.Tensor)
    assert x.logsumexp(0) == torch.logsumexp(x, 0)


@pytest.mark.parametrize("code", ["import struct", "import _struct", "sys.modules['struct']", "from struct import *"])
def test_a_module_of_the_standard_library_is_absent(code):
    """And the standard library may still import it."""
    zipfile = sys.modules.pop("zipfile", None)
    with absent(("struct",)):
        with pytest.raises((Forbidden, KeyError)):
            exec(code, {"sys": sys})
        assert importlib.import_module("zipfile").struct.calcsize("i") == 4
        assert "struct" not in sys.modules
    assert "struct" in sys.modules
    if zipfile is not None:
        sys.modules["zipfile"] = zipfile


@pytest.mark.parametrize("code", ["import statistics", "import _statistics", "import time", "from time import *"])
def test_clocks_and_statistics_are_absent(code):
    """And there again behind it."""
    with absent(("statistics", "time")), pytest.raises(Forbidden):
        exec(code, {})
    exec(code, {})


BY_IMPORTLIB = [
    "importlib.__import__('statistics')",
    "importlib._bootstrap._gcd_import('statistics')",
    "importlib.util.find_spec('statistics')",
    "runpy.run_module('statistics')",
]


@pytest.mark.parametrize("code", BY_IMPORTLIB)
def test_importlib_itself_finds_nothing_that_is_forbidden(code):
    """By whichever of its functions; behind it there is no finder more than before."""
    before = list(sys.meta_path)
    with absent(("statistics",)), pytest.raises(ImportError):
        eval(code, {"importlib": importlib, "runpy": runpy})
    assert sys.meta_path == before
    eval(code, {"importlib": importlib, "runpy": runpy})


@pytest.mark.parametrize("library", ["zipfile", "pickle", "multiprocessing", "asyncio", "uuid", "random", "threading"])
def test_a_library_may_import_what_is_forbidden_within_its_own_imports(library):
    """In a new Python, where each import is still to be done: also `from ctypes import wintypes`."""
    forbidden = ("array", "ctypes", "numpy", "statistics", "struct", "time")
    code = f"""
from dojo.seam.forbidden import Forbidden, absent
import sys
with absent({forbidden}):
    import {library}
    exec("from ctypes import wintypes", vars({library}))
    for name in {forbidden}:
        assert name not in sys.modules
        try:
            __import__(name)
        except Forbidden:
            continue
        raise AssertionError(name)
"""
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_torch_may_import_numpy_where_the_file_may_not():
    """It does so in the middle of a call, and gets the one that is loaded."""
    import numpy

    with absent(("numpy",)):
        exec("def lazily():\n    import numpy\n    return numpy", vars(torch.utils.data))
        try:
            assert vars(torch.utils.data)["lazily"]() is numpy
        finally:
            del vars(torch.utils.data)["lazily"]
        with pytest.raises(Forbidden):
            exec("import numpy.linalg", {"__name__": "katas.tried"})
        assert "numpy" not in sys.modules
    assert sys.modules["numpy"] is numpy


def _found(path):
    """What a dotted path of the table leads to."""
    module = path
    while module not in sys.modules:
        module = module.rpartition(".")[0]
    return functools.reduce(getattr, path.removeprefix(module).split(".")[1:], sys.modules[module])


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
@pytest.mark.parametrize("entry", TABLE)
def test_each_name_of_the_table_is_there(entry):
    """In every torch that is supported: a name that is gone guards nothing."""
    hides = TABLE[entry]
    for module in (*hides.modules, *hides.hollow):
        importlib.import_module(module)
    absent_here = {f"torch.nn.functional.{name}" for name in ABSENT}
    for name in {*hides.names, *hides.kept, *hides.refusing, *hides.blank} - absent_here:
        assert _found(name) is not None
    operators = torch._C._dispatch_get_all_op_names()
    for pattern in hides.operators:
        assert any(fnmatchcase(name, pattern) for name in operators)


def test_entries_are_forbidden_together():
    """What lies behind them is added up."""
    assert behind(("struct", "torch.einsum")) == Behind(
        modules=("struct", "_struct"), names=("torch.einsum",), operators=("aten::einsum",)
    )


def test_an_entry_that_the_table_lacks_is_refused(tmp_path):
    """The catalog names it, and the table."""
    path = tmp_path / "kata.toml"
    path.write_text(
        'title = "A kata"\nquestion = ""\nforbidden = ["torch", "torch.nn"]\n[functions]\n', encoding="utf-8"
    )
    with pytest.raises(CatalogError, match=r"kata.toml forbids 'torch.nn', which is not an entry of dojo/forbidden.py"):
        read(path)
