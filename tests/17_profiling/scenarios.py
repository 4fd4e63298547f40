"""A device and its host, in ticks: what a learner's function measures, without torch."""

from __future__ import annotations

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
    given = ["device.run", "device.synchronize", TAKES[function]]
    if function == "event_benchmark":
        given[1:] = reversed(given[1:])
    extra = f", launch={launch}" * (launch > 0) + f", busy={busy}" * (busy > 0) + f", now={now}" * (now > 0)
    call = f"{function}({', '.join(given)}, {warmup}, {trials})"
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
        if function == "benchmark":
            times = module.benchmark(device.run, device.synchronize, device.clock, warmup, trials)
        else:
            times = module.event_benchmark(device.run, device.event, device.synchronize, warmup, trials)
    return {"times": times, "device.runs": device.runs}


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
    setup=lambda function, name, _, given, rest: [f"{name} = {shown(given)}"],
)
def left(module: ModuleType, function: str, typed: str, name: str, given: Any, rest: list[Any]) -> Any:
    """Call a function, and return its first argument as the call has left it."""
    getattr(module, function)(given, *rest)
    return given
