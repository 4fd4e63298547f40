"""A device and its host, in ticks: what a learner's function measures, without torch."""

from __future__ import annotations

from contextlib import suppress
from types import ModuleType
from typing import Any

from dojo.seam.data import shown
from dojo.seam.scenario import calls, runs


class Device:
    """A device that does its work one piece after another, while the host continues.

    work: ticks of each run, in turn. launch: ticks that each run costs the host. busy: ticks of earlier work that are
    left. now: what the clock says at first.
    """

    def __init__(self, work: list[float], launch: int = 0, busy: int = 0, now: int = 0):
        self.work, self.launch = work, launch
        self.now: float = now
        self.done: float = now + busy
        self.runs = 0
        self.recorded, self.reached = 0, 0

    def run(self) -> None:
        """Launch the next work."""
        if self.runs == len(self.work):
            raise RuntimeError("run was called more often than warmup + trials times")
        self.now += self.launch
        self.done = max(self.done, self.now) + self.work[self.runs]
        self.runs += 1

    def synchronize(self) -> None:
        """Wait until all is done."""
        self.now, self.reached = max(self.now, self.done), self.recorded

    def clock(self) -> float:
        """The host's time."""
        return self.now

    def event(self) -> Event:
        """An event that is not recorded yet."""
        return Event(self)


class Event:
    """A mark in the queue of a device, where a tick counts as a millisecond."""

    def __init__(self, device: Device):
        self.device, self.number = device, 0
        self.at: float = 0

    def record(self) -> None:
        """Put the mark after all work given so far."""
        self.device.recorded += 1
        self.number = self.device.recorded
        self.at = self.device.done = max(self.device.done, self.device.now)

    def synchronize(self) -> None:
        """Wait until the device comes to it."""
        self.device.now = max(self.device.now, self.at)
        self.device.reached = max(self.device.reached, self.number)

    def elapsed_time(self, end: Event) -> float:
        """Return milliseconds, or refuse them, as torch.cuda.Event does."""
        if not self.number or not end.number:
            raise RuntimeError("both events must be recorded before elapsed_time is asked for")
        if max(self.number, end.number) > self.device.reached:
            raise RuntimeError("the host must have waited for both events before elapsed_time is asked for")
        return float(end.at - self.at)


TAKES = {"benchmark": "device.clock", "event_benchmark": "device.event"}
"""What each of the two is given beside run and synchronize."""


def _call(function: str, *numbers: int) -> str:
    given = ["device.run", "device.synchronize", TAKES[function]]
    if function == "event_benchmark":
        given[1:] = reversed(given[1:])
    return f"{function}({', '.join([*given, *map(str, numbers)])})"


def _timed(
    function: str,
    work: list[float],
    launch: int,
    busy: int,
    warmup: int,
    trials: int,
    now: int = 0,
    again: bool = False,
) -> tuple[str, list[str]]:
    extra = f", launch={launch}" * (launch > 0) + f", busy={busy}" * (busy > 0) + f", now={now}" * (now > 0)
    call = _call(function, warmup, trials)
    return function, [f"device = Device(work={work * (1 + again)}{extra})", *[call] * again, f"times = {call}"]


@runs(_timed)
def timed(
    module: ModuleType,
    function: str,
    work: list[float],
    launch: int,
    busy: int,
    warmup: int,
    trials: int,
    now: int = 0,
    again: bool = False,
) -> dict[str, Any]:
    """Run a benchmark on such a device, and again if asked; say what it found at last, and how often it ran."""
    device = Device(work * (1 + again), launch, busy, now)
    for _ in range(1 + again):
        times = _measured(module, function, device, warmup, trials)
    return {"times": times, "device.runs": device.runs}


def _measured(module: ModuleType, function: str, device: Device, warmup: int, trials: int) -> Any:
    if function == "benchmark":
        return module.benchmark(device.run, device.synchronize, device.clock, warmup, trials)
    return module.event_benchmark(device.run, device.event, device.synchronize, warmup, trials)


def _two_devices(function: str, work: list[float], warmup: int, trials: int) -> tuple[str, list[str]]:
    call = _call(function, warmup, trials)
    lines = [f"device = Device(work={work})", f"first = {call}"]
    return function, [*lines, f"device = Device(work={[*reversed(work)]})", f"second = {call}"]


@runs(_two_devices)
def first_times(module: ModuleType, function: str, work: list[float], warmup: int, trials: int) -> dict[str, Any]:
    """What the first of two benchmarks returned, when the second is over."""
    first = _measured(module, function, Device(work), warmup, trials)
    _measured(module, function, Device([*reversed(work)]), warmup, trials)
    return {"first": first}


@runs(
    lambda function, given, other: (
        function,
        [f"first = {function}({shown(given)})", f"second = {function}({shown(other)})"],
    )
)
def first_of_two(module: ModuleType, function: str, given: Any, other: Any) -> dict[str, Any]:
    """What the first of two calls returned, when the second is over."""
    first = getattr(module, function)(given)
    getattr(module, function)(other)
    return {"first": first}


GIVEN = {
    "percentile": "times",
    "self_times": "calls",
    "total_times": "calls",
    "busy_share": "kernels",
    "exposed_time": "kernels",
    "critical_path": "tasks",
    "run_mfu": "steps",
    "speedup": "times",
}
"""The argument of each function that is a list or a dict."""


@calls(
    "{0}({1}); {2}",
    setup=lambda function, typed, name, given, rest: [f"{name} = {shown(given)}"],
)
def left(module: ModuleType, function: str, typed: str, name: str, given: Any, rest: list[Any]) -> Any:
    """Call a function, and return its first argument as the call has left it."""
    getattr(module, function)(given, *rest)
    return given


@runs(
    lambda function, given, *rest: (
        function,
        [
            f"{GIVEN[function]} = {shown(given)}",
            "try:",
            f"    {function}({', '.join([GIVEN[function], *map(shown, rest)])})",
            "except ValueError:",
            "    pass",
        ],
    )
)
def refused(module: ModuleType, function: str, given: Any, *rest: Any) -> dict[str, Any]:
    """The first argument of a function as a call has left it that raised a ValueError."""
    with suppress(ValueError):
        getattr(module, function)(given, *rest)
    return {GIVEN[function]: given}
