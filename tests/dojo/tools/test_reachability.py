"""What decides about a mutant of one function: all that its properties need, and nothing else."""

import pytest

from dojo.catalog import find, katas
from dojo.judging.kata_folder import imported
from dojo.judging.property import marked
from dojo.tools import measured, reachability
from dojo.tools.reachability import ALL, Module, Name

TEXTS = {
    "tests.k.properties": """
from . import drawn, truth
from .more import *

def test_one(kata): LIMIT, drawn.cases, drawn.LINES

def test_two(kata): truth.right

def test_three(kata): print(drawn)

LIMIT = UPPER = 3
""",
    "tests.k.drawn": """
from ..shared.shapes import pick as chosen

@decorated(lambda case: BIG)
def cases():
    from ..shared.sizes import SMALL
    return _cases(), SMALL

def _cases():
    \"\"\"UNUSED\"\"\"
    return chosen  # UNUSED

def decorated(f): ...

LINES = ["y = measure(x)", 'import_module("tests.k.programs")', "from tests.k.all import *"]
LINES += ["from tests.shared.sums import one, two"]
def measure(x): ...
BIG = 9
UNUSED = 1
""",
    "tests.k.more": "def test_four(kata): len('it')\nregister(test_four)",
    "tests.k.truth": "def right(): return _half\ndef _half(): ...\ndef wrong(): ...",
    "tests.k.all": "FIRST = 1",
    "tests.k.programs": "def first(): ...\ndef second(): ...",
    "tests.shared.shapes": "def pick(): return _one\ndef _one(): ...\ndef two(): ...",
    "tests.shared.sizes": "SMALL = 1\nLARGE = 2",
    "tests.shared.sums": "one = two = three = 0\nfour = 4",
}
MODULES = {name: Module(name, text) for name, text in TEXTS.items()}


@pytest.mark.parametrize(
    ("root", "needed"),
    [
        (
            "test_one",
            "properties.LIMIT drawn.cases drawn._cases drawn.decorated drawn.BIG drawn.LINES drawn.measure programs.*"
            " shapes.pick shapes._one sizes.SMALL sums.one sums.two all.*",
        ),
        ("test_two", "truth.right truth._half"),
        ("test_three", "drawn.*"),
        ("test_four", "more.test_four"),
    ],
)
def test_a_property_needs_what_its_text_names_and_what_that_needs(root, needed):
    """In strings too, through imports of any form, of modules as a whole, and by a star."""
    found = reachability.reached(MODULES, [Name("tests.k.properties", root)])
    names = {f"{name.module.rpartition('.')[2]}.{name.name}" for name in found} - {f"properties.{root}"}
    assert set(needed.split()) <= names
    assert not names & {"drawn.UNUSED", "shapes.two", "sizes.LARGE", "truth.wrong", "sums.four"} or root == "test_three"
    assert MODULES["tests.k.more"].texts("test_four") == ["register(test_four)", "def test_four(kata): len('it')"]


@pytest.fixture
def aged(monkeypatch):
    """Returns the functions of a kata whose digest changes with a text in one of its modules."""
    read = reachability._parsed

    def changed(number, name, old, new):
        def parsed(path):
            text = path.read_text(encoding="utf-8")
            if path.stem != name:
                return read(path)
            assert old in text
            return Module(reachability._dotted(path), text.replace(old, new))

        monkeypatch.setattr(reachability, "_parsed", read)
        before = reachability.digests(find(number))
        monkeypatch.setattr(reachability, "_parsed", parsed)
        after = reachability.digests(find(number))
        return {part for part in before if after[part] != before[part]}

    return changed


@pytest.mark.parametrize(
    ("name", "old", "new", "functions"),
    [
        ("strategies_attention", "lead = pick(draw, ((), ", "lead = pick(draw, ((7,), (), ", {"flash_attention"}),
        ("strategies_attention", '"""Attention of a few', '"""Attention of some', set()),
        ("fusion", "block < 1", "block <= 0", {"flash_attention"}),
        ("described", "def execute(", "# A comment.\ndef execute(", set()),
    ],
)
def test_a_function_is_as_old_as_what_its_own_properties_draw(aged, name, old, new, functions):
    """More cases for one function leave the figures of the others, and words leave all."""
    assert aged("22", name, old, new) == functions


def test_what_many_functions_need_ages_them_all(aged):
    """A scenario that the properties of all but one run; and a program that calls another function than is graded."""
    every = {*reachability.digests(find("22"))}
    assert aged("22", "scenarios", "def program(", "def program(*,") == every - {"tiled_matmul_bytes"}
    assert "save_checkpoint" in aged("06", "programs_finding", "as_text: bool", "as_text: int")


def test_figures_are_out_of_date_by_the_function(monkeypatch):
    """All of them once a function is gone, whose mutants would be counted for ever."""
    kata = find("03")
    now = reachability.digests(kata)
    figures = {"mutants": {name: {"digest": digest} for name, digest in now.items()}}
    monkeypatch.setattr(measured, "read", lambda kata: figures)
    assert reachability.outdated(kata, now) == []
    figures["mutants"]["mfu"] = {"digest": "another"}
    del figures["mutants"]["linear_flops"]
    assert reachability.outdated(kata, now) == ["linear_flops", "mfu"]
    figures["mutants"]["gone"] = {"digest": "another"}
    assert reachability.outdated(kata, now) == list(now)


def test_all_that_a_kata_draws_is_needed_by_a_property(slug):
    """No test or strategy is missed by this search, or in vain."""
    kata = katas()[slug]
    modules = {module.name: module for module in map(reachability._parsed, measured.files(kata))}
    roots = [Name(kata.part("properties"), test.__name__) for test in marked(imported(kata))]
    found = reachability.reached(modules, roots)
    drawn = (kata.part("properties"), kata.part("strategies"))
    mine = [name for name in modules if name.startswith(drawn) and Name(name, ALL) not in found]
    assert [one for name in mine for bound in modules[name].bound if (one := Name(name, bound)) not in found] == []
