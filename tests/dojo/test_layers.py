"""The machinery is built in layers: no module needs itself, and no lower room a higher one."""

import ast
import graphlib

import pytest

from dojo.catalog import ROOT

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for path in sorted(ROOT.glob("dojo/**/*.py"))
    if path.name != "__init__.py"
}


def imported(path):
    """The dotted names that a module imports, inside functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (entry.name for entry in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{entry.name}" for entry in node.names)


IMPORTS = {name: {other for other in imported(path) if other in MODULES} - {name} for name, path in MODULES.items()}


def room(name):
    """The package that a module lies in: `dojo.grade`; a module of dojo itself is a room of its own."""
    return ".".join(name.split(".")[:2])


def order(graph):
    """The nodes of a graph so that each comes after those that it needs; CycleError names a cycle."""
    return list(graphlib.TopologicalSorter(graph).static_order())


def test_no_module_needs_itself():
    """Neither directly nor through others; an import inside a function counts."""
    assert len(order(IMPORTS)) == len(MODULES)


def test_no_room_needs_itself():
    """The packages of dojo/ can be put in an order, each above all that it imports."""
    rooms: dict[str, set[str]] = {room(name): set() for name in MODULES}
    for name, others in IMPORTS.items():
        rooms[room(name)] |= {room(other) for other in others} - {room(name)}
    assert order(rooms)


def test_the_grader_is_nobodys_tool():
    """Only the command line imports dojo/grade/."""
    users = {name for name, others in IMPORTS.items() if any(room(other) == "dojo.grade" for other in others)}
    assert {name for name in users if room(name) != "dojo.grade"} == {"dojo.cli", "dojo.cli_class"}


def test_no_module_imports_what_judges_a_kata():
    """The folders of tests/ are found by the catalog, and by nothing else."""
    assert not [
        name for name, path in MODULES.items() if any(other.split(".")[0] == "tests" for other in imported(path))
    ]


def test_only_the_plugin_knows_pytest():
    """Its internals change; whoever else runs properties does so without it."""
    users = [name for name, path in MODULES.items() if "pytest" in {other.split(".")[0] for other in imported(path)}]
    assert users == ["dojo.plugin"]


def test_no_file_is_crowded():
    """Below 300 lines, as STYLE has it of a file with one job."""
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: length for name, length in lengths.items() if length >= 300} == {}


def test_a_cycle_would_be_seen():
    """The order cannot be made where two need each other."""
    with pytest.raises(graphlib.CycleError):
        order({"a": {"b"}, "b": {"a"}})
