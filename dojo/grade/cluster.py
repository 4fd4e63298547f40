"""Grade on the workers of a Dask cluster, which schedules the jobs and gives those of a dead worker to another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

import dask
from distributed import Client, LocalCluster, Reschedule, Status, get_worker
from distributed.comm import CommClosedError
from distributed.comm.addressing import parse_address
from distributed.comm.registry import get_backend
from distributed.scheduler import KilledWorker

from dojo.grade import job
from dojo.grade.command_grade import NoGrade
from dojo.grade.intake.submission import Submission
from dojo.grade.order import Order
from dojo.grade.queue import Machines
from dojo.grade.result import Result
from dojo.grade.terms import Terms, differences, refusal, terms
from dojo.report.sanitize import line

LOCAL = "local"
"""The address that means workers on this machine, which this command starts and ends."""
DEATHS = 3
"""How many workers may die while they grade a submission, before it is graded alone."""
REFUSALS = "dojo refusals"
"""The topic of the cluster's events in which workers say why they refuse."""
CONNECT = 10
"""Seconds to wait for the scheduler."""
PATIENCE = 30
"""Seconds to wait for the first worker."""


class ClusterError(NoGrade):
    """The cluster cannot grade, or no longer can; the message is one line that says why."""


@contextlib.contextmanager
def connected(address: str, workers: int, order: Order, say: Callable[[str], object]) -> Iterator[Machines]:
    """Connect to a scheduler, or start one with this many workers here; `say` is told which workers refuse, and why."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # this module reports what happens to workers
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}))
        place = stack.enter_context(_local(workers)) if address == LOCAL else address
        try:
            if place is address:
                get_backend(parse_address(address)[0])  # with an unknown protocol, a client would never end
            client = stack.enter_context(Client(place, timeout=CONNECT, set_as_default=False))
        except (OSError, ValueError) as error:
            raise ClusterError(f"--cluster {address}: {_line(error)}") from None
        try:
            agreed = terms(order)
            _prepare(client, agreed, address)
            client.subscribe_topic(REFUSALS, lambda event: say(event[1]))
            _dismiss_differing(client, agreed, address, say)
            yield Machines(lambda: _executor(client, agreed), _Workers(client, address, say), (KilledWorker,))
        except (CancelledError, OSError) as error:
            if client.status == "running" and not isinstance(error, CancelledError | CommClosedError):
                raise  # not an error of the cluster
            gone = f"grading stopped: the scheduler at {address} is gone"
            raise ClusterError(f"{gone}; run the same command to resume") from None
        finally:
            if not isinstance(sys.exception(), ClusterError):
                with contextlib.suppress(Exception):  # no result depends on it
                    client.run(_end_jails, wait=False)
            client.close(timeout=1)


def _local(workers: int) -> LocalCluster:
    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=None,  # the jail limits what a submission may use
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # else it wants the port of other schedulers
        silence_logs=logging.CRITICAL,
    )
    cluster.adapt(minimum=workers, maximum=workers)  # Dask does not restart a worker that dies while it starts
    return cluster


class _Workers:
    """Counts the workers that there are now, and says when none is left; returns at least 1, for the next one."""

    def __init__(self, client: Client, address: str, say: Callable[[str], object]):
        self.client = client
        self.address = address
        self.say = say
        self.count = 1

    def __call__(self) -> int:
        before, self.count = self.count, len(self.client.nthreads())
        if before > 0 == self.count:
            self.say(f"no worker is left at {self.address}; waiting for one")
        return max(1, self.count)


def _prepare(client: Client, agreed: Terms, address: str) -> None:
    """Set how many deaths the scheduler allows a job; ClusterError if the scheduler differs from this machine."""
    try:
        why = client.run_on_scheduler(_set_up, agreed)
    except OSError:
        raise
    except Exception as error:  # any error, from another version of the dojo or from none
        why = _line(error)
    if why:
        raise ClusterError(f"the scheduler at {address} differs: {why}")


def _set_up(agreed: Terms, dask_scheduler: Any) -> str:
    dask_scheduler.allowed_failures = DEATHS - 1
    return differences(agreed)


async def _end_jails() -> None:
    """End the jails that are ready, in a thread, since a job may still be running."""
    await asyncio.to_thread(job.close)


def _dismiss_differing(client: Client, agreed: Terms, address: str, say: Callable[[str], object]) -> None:
    """Retire the workers that refuse, and say why each does; ClusterError if there are no others."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        start = f"dask worker {address} --nworkers 2 --nthreads 1"
        raise ClusterError(f"no worker came to {address} in {PATIENCE} seconds; `{start}` starts two") from None
    answers = client.run(_refusal, agreed, on_error="return")
    refusing = {worker: answer for worker, answer in answers.items() if answer}
    refusals = [_said(worker, answer) for worker, answer in refusing.items()]
    if len(refusing) == len(answers):
        raise ClusterError(f"no worker at {address} grades: {'; '.join(refusals)}")
    for text in refusals:
        say(text)
    if refusing:
        client.retire_workers(list(refusing))


def _refusal(agreed: Terms, dask_worker: Any) -> str:
    return refusal(agreed, dask_worker.state.nthreads)


def _said(worker: str, why: object) -> str:
    return f"worker {worker} refuses: {_line(why) if isinstance(why, Exception) else why}"


@contextlib.contextmanager
def _executor(client: Client, agreed: Terms) -> Iterator[Executor]:
    pool = _OnTerms(client, agreed)
    try:
        yield pool
    finally:
        client.cancel(list(pool.running))


class _OnTerms(Executor):
    """An executor whose workers check the terms before each job, since a worker may join after the others were asked.

    It replaces Client.get_executor, which fails if a worker dies that still holds the result of another job. Here, such
    a job is run again.
    """

    def __init__(self, client: Client, agreed: Terms):
        self.client = client
        self.agreed = agreed
        self.running: list[Any] = []

    def submit(self, *args: Any, **named: Any) -> Future[Any]:
        """Submit a job to the workers."""
        future: Future[Any] = Future()
        running = self.client.submit(_on_worker, self.agreed, *args, **named, pure=False)
        self.running.append(running)

        def pass_on(done: Any) -> None:
            self.running.remove(running)
            try:
                outcome = done.result()  # run again if it was lost in the meantime
            except CancelledError:
                future.cancel()
                future.set_running_or_notify_cancel()  # which wakes whoever waits
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(outcome)

        running.add_done_callback(pass_on)
        return future


def _on_worker(
    agreed: Terms, mark: Callable[[Submission, Order], Result | str], submission: Submission, order: Order
) -> Result | str:
    """Run a job, or leave the cluster, which gives the job to another worker."""
    worker = get_worker()
    if why := _refusal(agreed, worker):
        if worker.status == Status.running:
            worker.log_event(REFUSALS, _said(worker.address, why))
            worker.loop.add_callback(worker.close_gracefully, reason=why)
        raise Reschedule
    return mark(submission, order)


def _line(error: object) -> str:
    return line(" ".join(str(error).split()))
