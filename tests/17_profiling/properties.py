"""The properties of kata 17: what a benchmark, a trace and a schedule say about time."""

import functools

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import is_number, shown

from . import pictures, scenarios, truth
from .strategies_devices import benches, event_benches, no_benches
from .strategies_numbers import changes, measured_runs, no_changes, no_runs, no_samples, samples
from .strategies_tasks import no_task_graphs, task_graphs
from .strategies_traces import exposures, no_windows, recursive, traces, windows

# A few multiplications, divisions and sums, each within 2**-53 of its result.
ROUNDING = 1e-12

# Milliseconds become seconds by one division, or by a product with a float that is nearly 0.001.
SECONDS = 1e-9

# There are few kinds of cases, and each is drawn often.
HALF = one_in(2)

# An answer that changes its argument does so nearly always.
FEW = one_in(4)


@grades("benchmark")
@given(case=benches())
def test_benchmark_times_each_trial_to_the_end_of_its_work(kata, case):
    """A trial's time is its launch and its work, but no earlier work of the device."""
    right = [case.launch + work for work in case.work[case.warmup :]]
    found = kata.run(scenarios.timed, "benchmark", *case)
    expect_each(found, {"times": right, "device.runs": len(case.work) * (1 + case.again)}, "should be")


@grades("benchmark")
@HALF
@given(case=no_benches())
def test_benchmark_refuses_what_is_no_benchmark(kata, case):
    """trials below 1, or warmup below 0, raises a ValueError."""
    expect_error(ValueError, kata.run, scenarios.timed, "benchmark", *case, because=refused(case))


@grades("benchmark")
@FEW
@given(case=benches())
def test_benchmark_keeps_what_it_returned_before(kata, case):
    """What benchmark returned does not change when it is called again."""
    seen = kata.run(scenarios.first_times, "benchmark", case.work, case.warmup, case.trials)
    expect_each(seen, {"first": case.work[case.warmup :]}, "should still be")


@grades("event_benchmark")
@given(case=event_benches())
def test_event_benchmark_times_the_work_of_each_trial(kata, case):
    """A trial's time is that of its work in seconds, between two events that the host has waited for."""
    right = [work / 1000 for work in case.work[case.warmup :]]
    found = kata.run(scenarios.timed, "event_benchmark", *case)
    runs = len(case.work) * (1 + case.again)
    expect_each(found, {"times": right, "device.runs": runs}, "should be", rel=SECONDS)


@grades("event_benchmark")
@HALF
@given(case=no_benches())
def test_event_benchmark_refuses_what_is_no_benchmark(kata, case):
    """trials below 1, or warmup below 0, raises a ValueError."""
    expect_error(ValueError, kata.run, scenarios.timed, "event_benchmark", *case, because=refused(case))


@grades("event_benchmark")
@FEW
@given(case=event_benches())
def test_event_benchmark_keeps_what_it_returned_before(kata, case):
    """What event_benchmark returned does not change when it is called again."""
    right = [work / 1000 for work in case.work[case.warmup :]]
    seen = kata.run(scenarios.first_times, "event_benchmark", case.work, case.warmup, case.trials)
    expect_each(seen, {"first": right}, "should still be", rel=SECONDS)


def refused(case):
    """Return what is wrong with a benchmark."""
    wrong = [f"trials is {case.trials}"] * (case.trials < 1) + [f"warmup is {case.warmup}"] * (case.warmup < 0)
    return " and ".join(wrong)


@grades("percentile")
@given(case=samples())
def test_percentile_lies_on_the_line_between_neighbours(kata, case):
    """The percentile is at the place (n - 1) · q / 100 of the sorted times, on the line between two of them."""
    answer, right = kata.percentile(*case), truth.percentile(*case)
    holds = is_number(answer) and truth.near(answer, right, max(case.times))
    expect_that(holds, answer, right, "numpy says")


@grades("percentile")
@HALF
@given(case=no_samples())
def test_percentile_refuses_what_is_none(kata, case):
    """No times, or q outside 0 to 100, raises a ValueError."""
    because = f"q is {shown(case.q)}" if case.times else "there are no times"
    expect_error(ValueError, kata.percentile, *case, because=because)


@grades("percentile")
@FEW
@given(case=samples())
def test_percentile_leaves_the_times_alone(kata, case):
    """times stay as they are: sorted() makes a new list."""
    leaves(kata, "percentile", *case)


def leaves(kata, function, given, *rest):
    """Fail unless the first argument is the same after the call as before."""
    name = scenarios.GIVEN[function]
    typed = ", ".join([name, *map(shown, rest)])
    expect(kata.run(scenarios.left, function, typed, name, given, list(rest)), given, "it was")


@grades("percentile")
@FEW
@given(case=no_samples())
def test_percentile_leaves_the_times_alone_where_it_refuses(kata, case):
    """times stay as they are where a ValueError is raised: check first, and do not sort them in place."""
    leaves_refused(kata, "percentile", *case)


def leaves_refused(kata, function, given, *rest):
    """Fail unless the first argument is the same after the ValueError as before."""
    seen = kata.run(scenarios.refused, function, given, *rest)
    expect_each(seen, {scenarios.GIVEN[function]: given}, "should still be")


@grades("self_times")
@given(calls=traces())
def test_self_times_are_those_of_torchs_own_table(kata, calls):
    """In each thread, each tick counts for the innermost call that is open."""
    answer = kata.self_times(calls)
    right, _ = truth.tables(calls)
    draw = functools.partial(pictures.by_name, answer, right)
    expect(answer, right, "torch counts", draw=draw)
    expect(answer, truth.self_times(calls), "by ticks", draw=draw)


@grades("self_times")
@FEW
@given(calls=traces())
def test_self_times_leaves_the_calls_alone(kata, calls):
    """calls stay as they are: sorted() makes a new list."""
    leaves(kata, "self_times", calls)


@grades("self_times")
@FEW
@given(calls=traces(), others=traces())
def test_self_times_of_an_earlier_call_stay_as_they_are(kata, calls, others):
    """What self_times returned does not change when it is called again."""
    seen = kata.run(scenarios.first_of_two, "self_times", calls, others)
    expect_each(seen, {"first": truth.self_times(calls)}, "should still be")


@grades("total_times")
@given(calls=traces())
def test_total_times_are_the_ticks_at_which_a_name_is_open(kata, calls):
    """In each thread, each tick at which a call of the name is open counts once, however many are open."""
    answer, right = kata.total_times(calls), truth.total_times(calls)
    if not recursive(calls):  # else torch's table counts the inner call again
        draw = functools.partial(pictures.by_name, answer, right)
        expect(answer, truth.tables(calls)[1], "torch counts", draw=draw)
    expect(answer, right, "by ticks")


@grades("total_times")
@FEW
@given(calls=traces())
def test_total_times_leaves_the_calls_alone(kata, calls):
    """calls stay as they are: sorted() makes a new list."""
    leaves(kata, "total_times", calls)


@grades("total_times")
@FEW
@given(calls=traces(), others=traces())
def test_total_times_of_an_earlier_call_stay_as_they_are(kata, calls, others):
    """What total_times returned does not change when it is called again."""
    seen = kata.run(scenarios.first_of_two, "total_times", calls, others)
    expect_each(seen, {"first": truth.total_times(calls)}, "should still be")


@grades("busy_share")
@given(case=windows())
def test_busy_share_is_the_share_of_ticks_with_a_kernel(kata, case):
    """The answer is the share of ticks in the window with at least one kernel; each tick counts once."""
    answer, right = kata.busy_share(*case), truth.busy(*case) / (case.end - case.start)
    # An answer of 1 minus something may leave a rounding of 1 where 0 is right.
    holds = is_number(answer) and truth.near(answer, right, 1.0)
    expect(answer, answer if holds else right, "by ticks")


@grades("busy_share")
@HALF
@given(case=no_windows())
def test_busy_share_refuses_a_window_without_time(kata, case):
    """A window with end <= start raises a ValueError, with kernels or without."""
    expect_error(ValueError, kata.busy_share, *case, because=f"from {case.start} to {case.end} there is no time")


@grades("busy_share")
@FEW
@given(case=windows())
def test_busy_share_leaves_the_kernels_alone(kata, case):
    """kernels stay as they are: sorted() makes a new list."""
    leaves(kata, "busy_share", *case)


@grades("busy_share")
@FEW
@given(case=no_windows())
def test_busy_share_leaves_the_kernels_alone_where_it_refuses(kata, case):
    """kernels stay as they are where a ValueError is raised: check the window first."""
    leaves_refused(kata, "busy_share", *case)


@grades("exposed_time")
@given(case=exposures())
def test_exposed_time_are_the_ticks_of_that_name_alone(kata, case):
    """Each tick with a kernel of that name, and none of another name on any stream, counts once."""
    expect(kata.exposed_time(*case), truth.exposed(*case), "by ticks")


@grades("exposed_time")
@FEW
@given(case=exposures())
def test_exposed_time_leaves_the_kernels_alone(kata, case):
    """kernels stay as they are: sorted() makes a new list."""
    leaves(kata, "exposed_time", *case)


@grades("critical_path")
@given(tasks=task_graphs())
def test_critical_path_takes_as_long_as_all_workers_need(kata, tasks):
    """The time is that of the longest chain of tasks, in which each but the first waits for the one before."""
    answer, right = kata.critical_path(tasks), truth.schedule(tasks)
    expect_that(truth.is_path(tasks, right[0], answer), answer, right)


@grades("critical_path")
@HALF
@given(tasks=no_task_graphs())
def test_critical_path_refuses_what_can_never_be_done(kata, tasks):
    """A task that waits for itself, directly or through others, or for an unknown name, raises a ValueError."""
    unknown = sorted({other for _, before in tasks.values() for other in before} - tasks.keys())
    because = f"there is no task {unknown[0]!r}" if unknown else "tasks wait for themselves, in a circle"
    expect_error(ValueError, kata.critical_path, tasks, because=because)


@grades("critical_path")
@FEW
@given(tasks=task_graphs())
def test_critical_path_leaves_the_tasks_alone(kata, tasks):
    """tasks, and the lists in it, stay as they are."""
    leaves(kata, "critical_path", tasks)


@grades("critical_path")
@FEW
@given(tasks=no_task_graphs())
def test_critical_path_leaves_the_tasks_alone_where_it_refuses(kata, tasks):
    """tasks, and the lists in it, stay as they are where a ValueError is raised: work on copies."""
    leaves_refused(kata, "critical_path", tasks)


@grades("critical_path")
@FEW
@given(tasks=task_graphs(), others=task_graphs())
def test_critical_path_of_earlier_tasks_stays_as_it_is(kata, tasks, others):
    """What critical_path returned does not change when it is called again."""
    seen, right = kata.run(scenarios.first_of_two, "critical_path", tasks, others), truth.schedule(tasks)
    first = seen.get("first") if isinstance(seen, dict) else None
    wanted = first if truth.is_path(tasks, right[0], first) else right
    expect_each(seen, {"first": wanted}, "should still be")


@grades("run_mfu")
@given(run=measured_runs())
def test_run_mfu_times_peak_and_time_are_the_flops(kata, run):
    """The time is from the start of the first step that counts to the end of the last one, including all gaps."""
    kept = run.steps[run.skip :]
    right = run.flops_per_step * len(kept) / ((kept[-1][1] - kept[0][0]) * run.peak_flops)
    answer = kata.run_mfu(*run)
    expect(answer, right, "should be", rel=ROUNDING)


@grades("run_mfu")
@HALF
@given(run=no_runs())
def test_run_mfu_refuses_what_has_no_share(kata, run):
    """No step left, skip below 0, or a peak of 0 or less raises a ValueError."""
    wrong = [f"skip is {run.skip} of {len(run.steps)} steps"] * (not 0 <= run.skip < len(run.steps))
    wrong += [f"the peak is {shown(run.peak_flops)}"] * (run.peak_flops <= 0)
    expect_error(ValueError, kata.run_mfu, *run, because=" and ".join(wrong))


@grades("run_mfu")
@FEW
@given(run=measured_runs())
def test_run_mfu_leaves_the_steps_alone(kata, run):
    """steps stay as they are."""
    leaves(kata, "run_mfu", *run)


@grades("run_mfu")
@FEW
@given(run=no_runs())
def test_run_mfu_leaves_the_steps_alone_where_it_refuses(kata, run):
    """steps stay as they are where a ValueError is raised."""
    leaves_refused(kata, "run_mfu", *run)


@grades("speedup")
@given(case=changes())
def test_speedup_is_the_old_time_over_the_new_one(kata, case):
    """The answer is old time / new time, where only the named part's time changes."""
    after = case.times | {case.name: case.times[case.name] / case.factor}
    new = sum(after.values())
    right = sum(case.times.values()) / new if new else float("inf")
    expect(kata.speedup(*case), right, "should be", rel=ROUNDING)


@grades("speedup")
@HALF
@given(case=no_changes())
def test_speedup_refuses_what_cannot_be_faster(kata, case):
    """An unknown name, or a factor of 0 or less, raises a ValueError."""
    wrong = [f"there is no part {case.name!r}"] * (case.name not in case.times)
    wrong += [f"factor is {shown(case.factor)}"] * (case.factor <= 0)
    expect_error(ValueError, kata.speedup, *case, because=" and ".join(wrong))


@grades("speedup")
@FEW
@given(case=changes())
def test_speedup_leaves_the_times_alone(kata, case):
    """times stay as they are."""
    leaves(kata, "speedup", *case)


@grades("speedup")
@FEW
@given(case=no_changes())
def test_speedup_leaves_the_times_alone_where_it_refuses(kata, case):
    """times stay as they are when the call raises a ValueError: an unknown name does not become a part."""
    leaves_refused(kata, "speedup", *case)
