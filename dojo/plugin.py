"""The pytest plugin: what a path means, the options, the fixtures and the report. Only this file knows pytest."""

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
from dojo.judging.findings import Finding, is_spared, last_printed, settled, status, unforeseen
from dojo.judging.garbage import freeze_imports
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Outcome
from dojo.judging.property import Property, properties
from dojo.judging.telling import choose
from dojo.judging.verdict import Verdict, verdict
from dojo.report.blocks import render
from dojo.seam import cuda
from dojo.seam.learner_file import load
from dojo.seam.local import Local, for_file
from dojo.seam.seam import Functions

# `python -m pytest` in a kata folder puts that folder on the path, and a learner's torch.py would replace torch.
sys.path[:] = [entry for entry in sys.path if not any(Path(entry).resolve().is_relative_to(ROOT / t) for t in TREES)]

gc.disable()  # until everything is imported, which makes many objects and hardly any garbage
profiles.register()

COLLECTED = pytest.StashKey["Collected"]()
VERDICT = pytest.StashKey[Verdict | None]()
WORDS = {
    Outcome.WRONG: ("wrong", "F", "WRONG"),
    Outcome.TO_DO: ("to do", "t", "TO DO"),
    Outcome.UNREADABLE: ("not read", "!", "NOT READ"),
    Outcome.NOT_RUN: ("not run", "n", "NOT RUN"),
}


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options, and keep pytest from running a conftest.py in a folder of answers."""
    group = parser.getgroup("torch-dojo")
    group.addoption(
        "--device",
        choices=["cpu", "cuda", "all"],
        help="device of the tensors; the default is the CPU, and CUDA as well if there is one",
    )
    group.addoption("--submission", metavar="DIR", type=Path, help="judge DIR/03_flops/flops.py and so on, not katas/")
    group.addoption(
        "--record",
        metavar="FILE",
        type=Path,
        help="append to FILE the calls and results of each wrong function without a diagnosis",
    )
    for tree in TREES:
        for path in ROOT.glob(f"{tree}/**/conftest.py"):
            # pytest looks for a plugin with this name before it imports the file.
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
    """Return frozen objects to garbage collection."""
    gc.enable()
    if "triton" in sys.modules:  # it reports unfreed objects at exit; otherwise, freeing torch only costs half a second
        gc.unfreeze()


def _arguments(config: pytest.Config) -> list[Path]:
    return [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.args]


class KataDirectory(pytest.Directory):
    """A kata folder in a tree of answers. It holds one thing to collect: the file with the answers."""

    def collect(self) -> Iterable[pytest.Collector]:
        """Yield the file, even if it does not exist: a missing one gets a verdict too."""
        kata = catalog.katas()[self.path.name]
        yield KataFile.from_parent(self, path=self.path / kata.filename)


class KataFile(pytest.Module):
    """A file with answers. Its tests are the kata's properties, so `katas/03_flops/flops.py::test_…` can be typed."""

    kata: Kata
    tree: str
    seam: Local
    findings: list[Finding]
    key: str

    def _getobj(self) -> ModuleType:
        self.kata = catalog.katas()[self.path.parent.name]
        self.tree = self.path.parent.parent.name
        self.findings = []
        self.add_marker(pytest.mark.filterwarnings("ignore"))  # torch warns about devices and dtypes, not answers
        folder = self.path.parent.parent
        submission = self.config.option.submission
        if submission is not None and self.tree == "katas":
            self.tree, folder = "submission", submission.resolve()
        # Before the file is read, because it may be saved meanwhile.
        self.key = progress.key(self.kata) if self.tree == "katas" else ""
        self.seam = for_file(self.kata, folder, self.kata.module(self.tree))
        module = imported(self.kata)
        freeze_imports()
        return module


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a kata folder by the catalog, not by the files in it."""
    place = path.resolve()
    if place.name in catalog.katas() and place.parent in (ROOT / "katas", ROOT / "solutions"):
        return KataDirectory.from_parent(parent, path=path)
    return None


@functools.cache
def devices_of(config: pytest.Config) -> list[str]:
    """Return the devices of this run; raise a usage error if --device asks for one that torch does not see."""
    import torch  # heavy, and needed only if something is collected

    asked = config.option.device
    if asked == "cpu":
        return ["cpu"]
    if torch.cuda.is_available():
        return ["cuda"] if asked == "cuda" else ["cpu", "cuda"]
    if asked is not None:
        raise pytest.UsageError(f"--device {asked}: torch {torch.__version__} sees no CUDA device on this machine")
    return ["cpu"]


def pytest_collection(session: pytest.Session) -> None:
    """Refuse a missing device before anything is collected."""
    if session.config.option.device is not None:
        devices_of(session.config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the properties that make sense only on a device that this run does not have."""
    gc.enable()
    there = ("", *devices_of(config))
    items[:] = [item for item in items if getattr(getattr(item, "function", None), "only_device", "") in there]


def _device(item: pytest.Function) -> str:
    return str(item.callspec.params.get("device", "")) if hasattr(item, "callspec") else ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a property that takes a device once on each; hypothesis wants fixtures that outlive one example."""
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", devices_of(metafunc.config), scope="module")


@pytest.fixture(scope="module")
def kata(request: pytest.FixtureRequest) -> Functions:
    """Return the functions of the tree that the path on the command line names, or else of the solutions."""
    file = request.node.getparent(KataFile)
    if file is not None:
        return Functions(file.seam)
    found = catalog.find(request.path.parent.name)
    return Functions(Local(load(found, ROOT / "solutions", found.module("solutions")), found.forbidden))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a property on CUDA if a function that it judges has failed on the CPU."""
    file = item.getparent(KataFile)
    if isinstance(item, pytest.Function) and file is not None and is_spared(_property(item, file), file.findings):
        pytest.skip("it has failed on the CPU")


def _property(item: pytest.Function, file: KataFile) -> Property:
    asked = properties(file.kata, devices_of(item.config))
    return next(one for one in asked if (one.test, one.device) == (item.function, _device(item)))


@pytest.hookimpl(wrapper=True, trylast=True)  # innermost, so that what the evidence prints is captured too
def pytest_runtest_call(item: pytest.Function) -> Generator[None, None, None]:
    """Clear the record of calls before each property; if it fails, gather the evidence for a diagnosis."""
    file = item.getparent(KataFile)
    if file is None:
        return (yield)
    file.seam.calls.clear()
    failure: BaseException | None = None
    try:
        cuda.check()
        return (yield)
    except BaseException as error:
        failure = error
        raise
    finally:
        freeze_imports()
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
    """Attach the finding of a property to its report, in plain values."""
    report = yield
    file = item.getparent(KataFile)
    found = item.stash.get(VERDICT, None)
    if file is None or call.when != "call" or found is None:
        return report
    finding = Finding.of(_property(item, file), file.seam, found, tree=file.tree, earlier=file.findings)
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
    """Report a failed property as wrong or to do. With --tb, leave it to pytest, which then shows a traceback."""
    if report.failed and hasattr(report, "dojo") and config.option.tbstyle == "auto":
        return WORDS[Outcome(report.dojo["outcome"])]
    return None


class Collected:
    """The findings of a run, from this process or from the workers of pytest-xdist."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the finding of a report."""
        if hasattr(report, "dojo"):
            self.findings.append(Finding(**report.dojo))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Store the verdicts on the learner's own files, for the map."""
        if hasattr(session.config, "workerinput"):
            return
        for kata in catalog.katas().values():
            mine = [finding for finding in settled(self.findings) if finding.kata == kata.slug and finding.key]
            keys = {finding.key for finding in mine}
            if len(keys) == 1:  # two if the file was saved after one worker had read it
                progress.store(kata, keys.pop(), {name: status(name, mine)[0] for name in kata.functions})


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Write the failures, then one line for each function."""
    findings = settled(config.stash[COLLECTED].findings)
    if not findings or hasattr(config, "workerinput"):  # a worker of pytest-xdist has only a part of them
        return
    writer = terminalreporter._tw
    blocks = config.option.tbstyle == "auto"
    text = render(findings, width=min(writer.fullwidth, 100), colour=writer.hasmarkup, blocks=blocks)
    terminalreporter.ensure_newline()
    terminalreporter.write(f"{text}\n")
    if config.option.record:
        new = list(unforeseen(findings))
        for record in new:
            records.write(config.option.record, *record)
        terminalreporter.write(f"\nadded to {config.option.record}: {len(new)} wrong answers that no belief explains\n")
