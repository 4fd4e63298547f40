"""Failures of kata 17 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_devices import Bench
from .strategies_numbers import Change, Run, Sample
from .strategies_traces import Exposed, Window

KATA = find("17")

NESTED = [("step", 1, 0, 12), ("forward", 1, 2, 9), ("gelu", 1, 3, 5), ("step", 2, 4, 7)]
RECURSIVE = [("backward", 1, 1, 12), ("gelu", 1, 3, 10), ("backward", 1, 4, 6)]
KERNELS = [("mm", 1, 2, 9), ("all_reduce", 2, 5, 13), ("mm", 3, 20, 24)]
TASKS = {
    "backward": (9, ["forward"]),
    "load": (4, []),
    "copy": (2, ["load"]),
    "log": (5, []),
    "forward": (5, ["log", "copy"]),
}


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_busy_device": (
        of(
            properties.test_benchmark_times_each_trial_to_the_end_of_its_work,
            case=Bench([35, 9, 8], 3, 40, 1, 2),
        ),
        wrong("benchmark-waits_behind_alone"),
    ),
    "an_event_too_early": (
        of(properties.test_event_benchmark_times_the_work_of_each_trial, case=Bench([35, 9, 8], 0, 0, 1, 2)),
        wrong("event_benchmark-reads_events_at_once"),
    ),
    "a_place_between": (
        of(properties.test_percentile_lies_on_the_line_between_neighbours, case=Sample([8, 2, 4, 16], 50)),
        wrong("percentile-rounds_the_place_down"),
    ),
    "times_that_were_sorted": (
        of(properties.test_percentile_leaves_the_times_alone, case=Sample([8, 2, 4], 50)),
        wrong("percentile-sorts_in_place"),
    ),
    "a_call_in_a_call": (
        of(properties.test_self_times_are_those_of_torchs_own_table, calls=NESTED),
        wrong("self_times-subtracts_all_inside"),
    ),
    "a_name_inside_itself": (
        of(properties.test_total_times_are_the_ticks_at_which_a_name_is_open, calls=RECURSIVE),
        wrong("total_times-counts_recursion_again"),
    ),
    "a_window": (
        of(properties.test_busy_share_is_the_share_of_ticks_with_a_kernel, case=Window(KERNELS, 4, 20)),
        wrong("busy_share-adds_kernels_up"),
    ),
    "a_hidden_kernel": (
        of(properties.test_exposed_time_are_the_ticks_of_that_name_alone, case=Exposed(KERNELS, "all_reduce")),
        wrong("exposed_time-drops_what_overlaps"),
    ),
    "a_chain": (
        of(properties.test_critical_path_takes_as_long_as_all_workers_need, tasks=TASKS),
        wrong("critical_path-waits_for_the_first_of_the_list"),
    ),
    "tasks_taken_out": (
        of(properties.test_critical_path_leaves_the_tasks_alone, tasks=TASKS),
        wrong("critical_path-empties_the_lists"),
    ),
    "a_pause": (
        of(
            properties.test_run_mfu_times_peak_and_time_are_the_flops,
            run=Run([(0.0, 9.0), (10.0, 11.0), (13.0, 14.0)], 1, 8, 4),
        ),
        wrong("run_mfu-leaves_gaps_out"),
    ),
    "a_faster_part": (
        of(
            properties.test_speedup_is_the_old_time_over_the_new_one,
            case=Change({"load": 3, "forward": 4, "backward": 5}, "forward", 2.0),
        ),
        wrong("speedup-speeds_everything_up"),
    ),
    "times_that_changed": (
        of(properties.test_benchmark_keeps_what_it_returned_before, case=Bench([35, 9, 8], 0, 0, 1, 2)),
        wrong("benchmark-fills_one_list_of_times"),
    ),
    "a_chain_that_changed": (
        of(
            properties.test_critical_path_of_earlier_tasks_stays_as_it_is,
            tasks={"load": (4, []), "log": (2, ["load"])},
            others={"copy": (3, [])},
        ),
        wrong("critical_path-fills_one_chain"),
    ),
    "a_part_put_in": (
        of(
            properties.test_speedup_leaves_the_times_alone_where_it_refuses,
            case=Change({"load": 3, "forward": 4}, "loss", 2.0),
        ),
        wrong("speedup-adds_unknown_parts"),
    ),
}
