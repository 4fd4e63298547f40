"""Parts of a source file: the lines of a function, and the statements that it needs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from dojo.seam.learner_file import Definition


def definition(tree: ast.Module, name: str) -> Definition | None:
    """Find the top-level function or class of that name. If there are several, the last one counts."""
    found = [node for node in tree.body if isinstance(node, Definition) and node.name == name]
    return found[-1] if found else None


def span(node: ast.stmt) -> slice:
    """Return the lines of a statement, with its decorators, as a slice of the lines of the file."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    assert node.end_lineno is not None
    return slice(first - 1, node.end_lineno)


def needed(tree: ast.Module, name: str, without: Collection[str]) -> list[ast.stmt]:
    """List the function and the helpers, constants and imports that it needs, except the names in `without`."""
    binding: dict[str, ast.stmt] = {bound: node for node in tree.body for bound in _bound(node)}
    wanted, found = [name], []
    while wanted:
        node = binding.pop(wanted.pop(), None)
        if node is not None and node not in found:
            found.append(node)
            wanted += [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id not in without]
    return sorted(found, key=lambda node: node.lineno)


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement binds."""
    if isinstance(node, Definition):
        yield node.name
        return
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, ast.alias):
            yield each.asname or each.name.partition(".")[0]
