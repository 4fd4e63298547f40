"""The machinery knows no kata: no string and no identifier of dojo/ or benchmarks/ is the name of something in one."""

import ast
import re
import sys

import pytest
import torch

from dojo.catalog import ROOT, find, katas
from dojo.judging.diagnose import solution
from tests.dojo.seam.spellings import ABSENT

FILES = sorted([*ROOT.glob("dojo/**/*.py"), *ROOT.glob("benchmarks/**/*.py")])
SHOWN = {"help", "epilog", "description"}
"""Arguments that are examples for whoever reads `--help`."""


OWN = {"fit", "plan"}
"""Names of katas that are words of the dojo's as well: a belief that fits, the plan of a jail."""


def of_katas():
    """The katas, by name and by number, and the public functions, classes and exceptions of their solutions.

    What torch, Python or a part of the dojo calls by the same name cannot be told apart, and is left out.
    """
    found = {name for kata in katas().values() for name in (kata.slug, kata.number)}
    for slug in katas():
        module = solution(slug)
        found |= {name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    taken = {
        *dir(torch),
        *dir(torch.Tensor),
        *dir(torch.nn.functional),
        *ABSENT,
        *dir(torch.nn.Module),
        *dir(torch.utils),
        *dir(str),
        *dir(bytes),
        *sys.stdlib_module_names,
        *(path.stem for path in FILES),
    }
    return {name for name in found - taken - OWN if name[0] != "_"}


def words(tree):
    """Every word of a string and every identifier of a file, with its line, but for docstrings and examples in help.

    A number counts where the whole string is that number: "02" is also a format.
    """
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as words):
                skipped.add(words)
            case ast.keyword(arg=name, value=value) if name in SHOWN:
                skipped |= set(ast.walk(value))
            case ast.FormattedValue(format_spec=ast.JoinedStr() as spec):
                skipped |= set(ast.walk(spec))
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Constant(value=str(text)) if node not in skipped:
                found = re.findall(r"\w+", text)
                yield from ((line, word) for word in found if not word.isdecimal() or text == word)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield line, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield line, name
            case ast.alias(name=name, asname=other):
                yield from ((line, word) for word in [*name.split("."), other])


def named(text):
    """The names of katas in a file, by line."""
    return [(line, word) for line, word in words(ast.parse(text)) if word in NAMES]


NAMES = of_katas()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_names_a_kata_or_anything_in_one(path):
    """What a kata needs of the machinery it declares in its own folder."""
    assert named(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('if slug < "06": pass', "06"),
        ('raised = {"CheckpointError"}', "CheckpointError"),
        ("def mlp_flops(): pass", "mlp_flops"),
        ("from solutions import AdaGrad", "AdaGrad"),
        ("kata.mfu(1)", "mfu"),
        ('f"tests/03_flops/{part}"', "03_flops"),
        ("import tests.x.get_memory_usage as y", "get_memory_usage"),
    ],
)
def test_a_name_is_found_wherever_it_stands(text, word):
    """In strings and in identifiers."""
    assert [found for _, found in named(text)] == [word]


@pytest.mark.parametrize("text", ['"""As 03_flops."""', 'option(help="03_flops")', 'f"{number:02}"', "import select"])
def test_examples_and_common_words_are_no_names(text):
    """Docstrings, help, formats, and what Python or torch calls the same."""
    assert named(text) == []
    assert find("06").function("save_checkpoint").name in NAMES
