"""pytest: what a path means, the options, the fixtures, and the report at the end. Only this file knows pytest."""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dojo import catalog, progress
from dojo.catalog import ROOT, TREES, CatalogError, Kata
from dojo.judging import profiles, records
from dojo.judging.findings import Finding, last_printed, settled, status, unforeseen
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Outcome
from dojo.judging.property import properties
from dojo.judging.telling import choose
from dojo.judging.verdict import Verdict, verdict
from dojo.report.blocks import render
from dojo.seam.learner_file import load
from dojo.seam.local import Local, for_file
from dojo.seam.seam import Functions

# `python -m pytest`, typed in a kata folder, puts that folder on the path: a learner's torch.py would become torch.
sys.path[:] = [entry for entry in sys.path if not any(Path(entry).resolve().is_relative_to(ROOT / t) for t in TREES)]

profiles.register()

COLLECTED = pytest.StashKey["Collected"]()
VERDICT = pytest.StashKey[Verdict | None]()
WORDS = {
    Outcome.WRONG: ("wrong", "F", "WRONG"),
    Outcome.TO_DO: ("to do", "t", "TO DO"),
    Outcome.UNREADABLE: ("not read", "!", "NOT READ"),
}


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options; keep pytest from running what a learner has left in a kata folder."""
    group = parser.getgroup("torch-dojo")
    group.addoption(
        "--device",
        choices=["cpu", "cuda", "all"],
        help="device of the tensors; the default is the CPU, and CUDA as well if there is one",
    )
    group.addoption(
        "--submission",
        metavar="DIR",
        type=Path,
        help="judge DIR/03_flops/flops.py and so on instead of katas/",
    )
    group.addoption(
        "--record",
        metavar="FILE",
        type=Path,
        help="append to FILE the calls and results of each wrong function without a diagnosis",
    )
    for tree in TREES:
        for path in ROOT.glob(f"{tree}/**/conftest.py"):
            # pytest looks for a plugin of this name before it imports the file.
            pluginmanager.register(ModuleType("unread_conftest"), name=str(path))


def pytest_configure(config: pytest.Config) -> None:
    """Check that there are katas, and the options that only make sense together."""
    try:
        catalog.katas()
    except CatalogError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[COLLECTED] = Collected()
    config.pluginmanager.register(config.stash[COLLECTED])
    record = config.option.record
    if record is not None and (record.is_dir() or not record.absolute().parent.is_dir()):
        raise pytest.UsageError(f"--record must be a file in an existing folder, got {record}")
    submission = config.option.submission
    if submission is not None:
        if not submission.is_dir():
            raise pytest.UsageError(f"--submission must be a folder, got {submission}")
        if not any((submission / slug).is_dir() for slug in catalog.katas()):
            raise pytest.UsageError(
                f"--submission must contain at least one of {', '.join(catalog.katas())}, got {submission}"
            )
        if not any((ROOT / "katas") in (path, *path.parents) for path in _arguments(config)):
            raise pytest.UsageError("--submission must follow what to judge: pytest katas --submission DIR")


def pytest_unconfigure() -> None:
    """Return to garbage collection what was kept out of it."""
    if "triton" in sys.modules:  # it reports at exit what is not freed; without it, freeing torch is half a second lost
        gc.unfreeze()


def _arguments(config: pytest.Config) -> list[Path]:
    return [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.args]


class KataDirectory(pytest.Directory):
    """A kata folder of a tree of answers. It holds one thing to collect: the file with the answers."""

    def collect(self) -> Iterable[pytest.Collector]:
        """The file, whether it is there or not: a missing one gets a verdict as well."""
        kata = catalog.katas()[self.path.name]
        yield KataFile.from_parent(self, path=self.path / kata.filename)


class KataFile(pytest.Module):
    """A file with answers. Its tests are the kata's properties, so `katas/03_flops/flops.py::test_…` can be typed."""

    kata: Kata
    tree: str
    seam: Local
    findings: list[Finding]
    key: str
    frozen: int = 0

    def _getobj(self) -> ModuleType:
        self.kata = catalog.katas()[self.path.parent.name]
        self.tree = self.path.parent.parent.name
        self.findings = []
        self.add_marker(pytest.mark.filterwarnings("ignore"))  # torch warns of its devices and dtypes, not of an answer
        folder = self.path.parent.parent
        submission = self.config.option.submission
        if submission is not None and self.tree == "katas":
            self.tree, folder = "submission", submission.resolve()
        # Before the file is read: it may be saved now.
        self.key = progress.key(self.kata) if self.tree == "katas" else ""
        self.seam = for_file(self.kata, folder, self.kata.module(self.tree))
        module = imported(self.kata)
        self.freeze()
        return module

    def freeze(self) -> None:
        """Keep what modules hold out of garbage collection, once they are imported.

        hypothesis collects before each property, and to look through all of torch for that takes a tenth of a second;
        the compiler, which torch imports with its first optimizer, as much again.
        """
        if len(sys.modules) > self.frozen:
            gc.freeze()
            self.frozen = len(sys.modules)


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a kata folder by the catalog, not by the files that lie in it."""
    place = path.resolve()
    if place.name in catalog.katas() and place.parent in (ROOT / "katas", ROOT / "solutions"):
        return KataDirectory.from_parent(parent, path=path)
    return None


@functools.cache
def devices_of(config: pytest.Config) -> list[str]:
    """The devices of this run; a usage error where --device asks for one that torch does not see."""
    import torch  # heavy, and needed only once something is collected

    asked = config.option.device
    if asked == "cpu":
        return ["cpu"]
    if torch.cuda.is_available():
        return ["cuda"] if asked == "cuda" else ["cpu", "cuda"]
    if asked is not None:
        raise pytest.UsageError(f"--device {asked}: torch {torch.__version__} sees no CUDA device on this machine")
    return ["cpu"]


def pytest_collection(session: pytest.Session) -> None:
    """Refuse a device that is not there before anything is collected."""
    if session.config.option.device is not None:
        devices_of(session.config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the properties that mean something only on a device that this run does not have."""
    there = ("", *devices_of(config))
    items[:] = [item for item in items if getattr(getattr(item, "function", None), "only_device", "") in there]


def _device(item: pytest.Function) -> str:
    return str(item.callspec.params.get("device", "")) if hasattr(item, "callspec") else ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a property that touches tensors once on each device; fixtures of hypothesis must outlive one example."""
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", devices_of(metafunc.config), scope="module")


@pytest.fixture(scope="module")
def kata(request: pytest.FixtureRequest) -> Functions:
    """The functions of the tree that the path on the command line names; the solutions where it names none."""
    file = request.node.getparent(KataFile)
    if file is not None:
        return Functions(file.seam)
    found = catalog.find(request.path.parent.name)
    return Functions(Local(load(found, ROOT / "solutions", found.module("solutions")), found.forbidden))


@pytest.hookimpl(wrapper=True, trylast=True)  # the innermost one: what the evidence prints is captured as well
def pytest_runtest_call(item: pytest.Function) -> Generator[None, None, None]:
    """Start the record of calls anew for each property; where it fails, gather the evidence for a diagnosis."""
    file = item.getparent(KataFile)
    if file is None:
        return (yield)
    file.seam.calls.clear()
    failure: BaseException | None = None
    try:
        return (yield)
    except BaseException as error:
        failure = error
        raise
    finally:
        file.freeze()
        found = item.stash[VERDICT] = verdict(failure, file.seam)
        if found is not None:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                item.stash[VERDICT], is_new = choose(item.function, file.seam, _device(item), found)
            print(printed.getvalue() if is_new else "", end="")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach to the report of a property what became of it, in plain values."""
    report = yield
    file = item.getparent(KataFile)
    found = item.stash.get(VERDICT, None)
    if file is None or call.when != "call" or found is None:
        return report
    asked = properties(file.kata, devices_of(item.config))
    property = next(one for one in asked if (one.test, one.device) == (item.function, _device(item)))
    finding = Finding.of(property, file.seam, found, tree=file.tree, earlier=file.findings)
    if found.outcome == Outcome.WRONG and item.config.option.record:
        finding.calls = records.told(call for call in file.seam.calls if call.function == found.function)
    file.findings.append(finding)
    finding.printed = last_printed(report.capstdout)
    finding.key = file.key
    report.dojo = finding.plain()  # type: ignore[attr-defined]
    if report.failed and item.config.option.tbstyle == "auto":
        example = finding.lines if finding.outcome != Outcome.TO_DO else []
        said = example or [["", finding.note or f"{finding.function} is to do"]]
        report.longrepr = "\n".join(f"{label:<14}{text}" for label, text in said)
    return report


def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> tuple[str, str, str] | None:
    """Call a failed property wrong or to do. With --tb given, leave it to pytest, which then shows its traceback."""
    if report.failed and hasattr(report, "dojo") and config.option.tbstyle == "auto":
        return WORDS[Outcome(report.dojo["outcome"])]
    return None


class Collected:
    """The findings of a run, from this process or from the workers of pytest-xdist."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a report carries."""
        if hasattr(report, "dojo"):
            self.findings.append(Finding(**report.dojo))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep for the map what was said of the learner's own files."""
        if hasattr(session.config, "workerinput"):
            return
        for kata in catalog.katas().values():
            mine = [finding for finding in settled(self.findings) if finding.kata == kata.slug and finding.key]
            keys = {finding.key for finding in mine}
            if len(keys) == 1:  # two: the file was saved between one worker and another
                progress.store(kata, keys.pop(), {name: status(name, mine)[0] for name in kata.functions})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell the failures, then one line for each function."""
    findings = settled(config.stash[COLLECTED].findings)
    if not findings or hasattr(config, "workerinput"):  # a worker of pytest-xdist has only a part of them
        return
    writer = terminalreporter._tw
    blocks = config.option.tbstyle == "auto"
    text = render(findings, width=min(writer.fullwidth, 100), colour=writer.hasmarkup, blocks=blocks)
    terminalreporter.ensure_newline()
    terminalreporter.write(text)
    terminalreporter.write("\n")
    if config.option.record:
        new = list(unforeseen(findings))
        for record in new:
            records.write(config.option.record, *record)
        terminalreporter.write(f"\nadded to {config.option.record}: {len(new)} wrong answers that no belief explains\n")
