"""A program of a report can be pasted behind the learner's file: the modules that it names are imported there."""

import ast
import re

from dojo.catalog import katas

PROGRAM = re.compile(r"^  you ran {7}(.*\n(?: {16}.*\n)*)", re.MULTILINE)
MODULE = re.compile(r"(?<![\w.])(torch|nn|F|math|functools)\.")


def test_what_a_program_names_is_imported_in_the_stub(slug):
    """Of each program in its golden reports."""
    kata = katas()[slug]
    told = "".join(path.read_text(encoding="utf-8") for path in (kata.judge / "golden").glob("*.txt"))
    named = {name for program in PROGRAM.findall(told) for name in MODULE.findall(program)}
    stub = ast.parse((kata.judge / "stub.py").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert named <= {alias.asname or alias.name for node in imports for alias in node.names}
