"""Read, compile and run a learner's file, or say in one line why that fails."""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib.util
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType

from dojo.catalog import Kata
from dojo.seam import torch_modes
from dojo.seam.data import Error
from dojo.seam.deadline import limited
from dojo.seam.forbidden import absent

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Hash = Callable[[object], int]
IMPORTABLE = {".py", ".pyc", ".pyd", ".so"}

UNPICKLING = re.compile(r"^Weights only load failed.*?WeightsUnpickler error:\s*(.+?)(?: Please use |\n|$)", re.DOTALL)
"""What torch.load says of a file that it does not read with weights_only=True: the reason stands below the advice."""


@dataclass(frozen=True)
class Answers:
    """The answers to one kata: where they are, what they are, and what is wrong with them.

    `trouble` is one line if the file could not be read or run; `module` is None then. `lines` says where each function
    or class begins, and `stubs` which ones of the kata are untouched. `strays` are files beside it that Python could
    import by mistake; they are not read. `code` is the code that the module was made from.
    """

    path: Path
    module: ModuleType | None
    trouble: str | None = None
    lines: dict[str, int] = field(default_factory=dict)
    strays: tuple[Path, ...] = ()
    stubs: frozenset[str] = frozenset()
    code: CodeType | None = None


@dataclass(frozen=True)
class Compiled:
    """A learner's file before it is run: its code, or one line that says why there is none."""

    path: Path
    code: CodeType | None
    trouble: str | None = None
    lines: dict[str, int] = field(default_factory=dict)
    stubs: frozenset[str] = frozenset()


def load(kata: Kata, tree: Path, name: str, seconds: float | None = None) -> Answers:
    """Read TREE/03_flops/flops.py, always from its source, and run it under this module name.

    seconds: the CPU time after which it is stopped; None for no limit.
    """
    path = kata.source(tree)
    try:
        compiled = compile_source(path, path.read_bytes())
    except OSError as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        compiled = Compiled(path, None, _at(path, None, reason))
    return run(compiled, kata, name, _strays(path), seconds)


def compile_source(path: Path, source: bytes) -> Compiled:
    """Compile the source of a file; the file itself need not exist."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(source, path)
            code = compile(parsed, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        return Compiled(path, None, _at(path, line, f"{type(error).__name__}: {reason}"))
    made = [node for node in parsed.body if isinstance(node, Definition)]
    lines = {node.name: node.lineno for node in made}
    stubs = {node.name: _is_stub(node) for node in made}  # of two with the same name, the last one counts
    return Compiled(path, code, None, lines, frozenset(name for name, is_stub in stubs.items() if is_stub))


def run(
    compiled: Compiled,
    kata: Kata,
    name: str,
    strays: tuple[Path, ...] = (),
    seconds: float | None = None,
    own_hash: Hash = hash,
) -> Answers:
    """Run a learner's file under this module name, without what its kata forbids. It sees `own_hash` as `hash`."""
    path, lines = compiled.path, compiled.lines
    if compiled.code is None:
        return Answers(path, None, compiled.trouble, strays=strays)
    module = sys.modules[name] = _empty(name, path, compiled.code, own_hash)
    package = name.partition(".")[0]
    if package not in sys.modules and importlib.util.find_spec(package) is None:
        sys.modules[package] = ModuleType(package)  # pickle imports it to find a class of the file by name
    try:
        with secluded(kata.forbidden), limited(seconds):
            exec(compiled.code, module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit at the top of a file must not end the run
        sys.modules.pop(name, None)
        what = describe(error, path)
        return Answers(path, None, _at(path, what.line, str(what)), lines, strays)
    return Answers(path, module, None, lines, strays, compiled.stubs & kata.functions.keys(), compiled.code)


def _empty(name: str, path: Path, code: CodeType, own_hash: Hash) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    spec.loader_state = code  # a scenario may run the file again, as in another process
    module = importlib.util.module_from_spec(spec)
    if own_hash is not hash:
        vars(module)["hash"] = own_hash
    return module


@contextlib.contextmanager
def anew(answers: Answers, own_hash: Hash) -> Iterator[ModuleType | None]:
    """Inside, replace the learner's module with one that has just run, so nothing is left of earlier calls.

    It sees `own_hash` as `hash`.
    """
    before = answers.module
    if before is None or answers.code is None:
        yield before
        return
    module = sys.modules[before.__name__] = _empty(before.__name__, answers.path, answers.code, own_hash)
    exec(answers.code, module.__dict__)
    try:
        yield module
    finally:
        sys.modules[before.__name__] = before


@contextlib.contextmanager
def secluded(forbidden: tuple[str, ...]) -> Iterator[None]:
    """Run a learner's code inside: what its kata forbids is hidden, and torch's modes and warnings do not leak.

    A right answer may warn, and the run's own filter would turn that into an error.
    """
    with torch_modes.kept(), absent(forbidden), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _is_stub(node: ast.stmt) -> bool:
    """Return whether a function only raises NotImplementedError, or a class has such a method."""
    if isinstance(node, ast.ClassDef):
        return any(map(_is_stub, node.body))
    if not isinstance(node, ast.FunctionDef):
        return False
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return len(body) == 1 and isinstance(body[0], ast.Raise) and "NotImplementedError" in ast.unparse(body[0])


def describe(error: BaseException, path: Path | None) -> Error:
    """Return an exception as data; its line is the deepest one in the learner's file."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if path is not None and trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    message = ""
    with contextlib.suppress(Exception):  # a learner's own exception may fail to write itself
        message = str(error)
    bases = tuple(map(_name_of, _bases_of(type(error))))
    unpickling = UNPICKLING.match(message)
    return Error(bases[0], bases, unpickling[1] if unpickling else message.strip().partition("\n")[0], line)


# As Python stores them: the metaclass of a class can report others.
_bases_of, _own_name_of = (vars(type)[name].__get__ for name in ("__mro__", "__name__"))


def _name_of(kind: type) -> str:
    """Return the name of a class, marked if it is the name of a built-in but not that class."""
    name: str = _own_name_of(kind)
    return name if getattr(builtins, name, kind) is kind else f"your own {name}"


def nearby(path: Path) -> str:
    """Return a path relative to the current directory, if it is below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _at(path: Path, line: int | None, what: str) -> str:
    return f"{nearby(path)}{f':{line}' if line else ''}  {what}"


def _strays(path: Path) -> tuple[Path, ...]:
    if not path.parent.is_dir():
        return ()
    return tuple(sorted(file for file in path.parent.iterdir() if file.suffix in IMPORTABLE and file != path))
