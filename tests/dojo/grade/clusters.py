"""Dask clusters of real processes on loopback, and jobs for them that take no time."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
from distributed import Client

from dojo.catalog import ROOT
from tests.dojo.grade.queued import made

DASK = [sys.executable, "-m", "dask"]
SCHEDULER = ["scheduler", "--host", "127.0.0.1", "--no-dashboard"]
WORKER = ["worker", "--host", "127.0.0.1", "--no-dashboard"]


class Cluster:
    """A scheduler, and commands that start workers for it, as a course types them."""

    def __init__(self, folder):
        self.folder = folder
        self.started = []
        self.port = 0
        self.begin()

    def begin(self):
        """Start the scheduler: after its death, at the same address."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self.scheduler = self._start([*SCHEDULER, "--port", str(self.port), "--scheduler-file", str(file)], ROOT)
        until(file.exists)
        with Client(scheduler_file=str(file), timeout=30, set_as_default=False) as client:
            self.address = client.scheduler.address
        self.port = int(self.address.rpartition(":")[2])

    def workers(self, count=1, threads=1, clone=ROOT):
        """Start so many workers, with the dojo of this clone."""
        count, threads = ["--nworkers", str(count)], ["--nthreads", str(threads)]
        return self._start([*WORKER, self.address, *count, *threads, "--local-directory", str(self.folder)], clone)

    def client(self):
        """A client of its own, which closes at the end of a block."""
        return Client(self.address, timeout=30, set_as_default=False)

    def state(self):
        """Where everything stands, for a report: jobs, processes, and the stack of each thread. It ends the workers."""
        with self.client() as client:
            said = client.run_on_scheduler(_jobs)
        for command in self.started:
            for worker in processes(command):
                said += map(str, worker.children(recursive=True))
                worker.send_signal(signal.SIGABRT)  # see PYTHONFAULTHANDLER
                worker.wait()
        log = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join([*said, *log[-300:]])

    def _start(self, words, clone):
        # In a session of its own: what it starts ends with it.
        environment = {**os.environ, "PYTHONPATH": str(clone), "PYTHONFAULTHANDLER": "1"}
        with (self.folder / "log").open("a") as log:
            process = subprocess.Popen(
                [*DASK, *words], cwd=clone, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self.started.append(process)
        return process

    def end(self):
        """Kill all that was started."""
        for process in self.started:
            end(process)


def _jobs(dask_scheduler):
    return [f"{key} {task.state} {task.processing_on} {task.who_has}" for key, task in dask_scheduler.tasks.items()]


def end(command):
    """Kill a command, and the workers that it has started."""
    for one in [command, *processes(command)]:  # it would start them again
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            one.send_signal(signal.SIGKILL)
    command.wait()


def processes(command):
    """The worker processes of a command that has started workers, which starts dead ones again."""
    try:
        children = psutil.Process(command.pid).children()
        # Where setproctitle is installed, Dask gives workers another command line.
        return [child for child in children if not any("resource_tracker" in word for word in child.cmdline())]
    except psutil.NoSuchProcess:
        return []


def until(what, seconds=120):
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return found


def kill(which, count, out):
    """Kill so many of the workers of a command at their work; after each, one more submission is graded."""
    for _ in range(count):
        one = random.choice(until(lambda: [one for one in processes(which) if _grades(one)]))
        time.sleep(random.uniform(0, 0.5))
        before = graded(out)
        one.kill()
        one.wait()
        until(lambda before=before: graded(out) > before, seconds=600)


def graded(out):
    """Count the submissions that have a result."""
    return len(list(out.glob("*.json")))


def _grades(worker):
    try:
        return len(worker.children()) > 0
    except psutil.NoSuchProcess:
        return False


def quickly(submission, order):
    """A job that graded nothing; bob's kills its worker the first times, and fay's always.

    The order's seed is a folder: a file in it for each job.
    """
    folder = Path(order.seed)
    begun = len(list(folder.glob(f"{submission.name}.*")))
    (folder / f"{submission.name}.{begun}").write_text(str(os.getpid()))
    if submission.name == "bob" and begun < 3:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.2)
    return made(submission)
