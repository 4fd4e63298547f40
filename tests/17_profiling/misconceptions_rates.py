"""Wrong answers that people give to kata 17 about MFU and Amdahl's law."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


# run_mfu


def _kept(steps, skip, peak_flops):
    if not 0 <= skip < len(steps) or peak_flops <= 0:
        raise ValueError(f"{len(steps)} steps but {skip}, {peak_flops}")
    return steps[skip:]


@believes("Only the time of the steps counts", about="run_mfu")
def leaves_gaps_out(steps, skip, flops_per_step, peak_flops):
    """The time between them counts too: from the first start to the last end."""
    kept = _kept(steps, skip, peak_flops)
    return len(kept) * flops_per_step / sum(end - start for start, end in kept) / peak_flops


@believes("The MFU of a run is the mean of its steps' MFUs", about="run_mfu")
def averages_the_steps(steps, skip, flops_per_step, peak_flops):
    """It is all FLOPs divided by all of the time, so slow steps count more."""
    kept = _kept(steps, skip, peak_flops)
    return sum(flops_per_step / (end - start) / peak_flops for start, end in kept) / len(kept)


@believes("The MFU of a run is that of the median step", about="run_mfu")
def takes_the_median_step(steps, skip, flops_per_step, peak_flops):
    """It is all FLOPs divided by all of the time, gaps included."""
    kept = _kept(steps, skip, peak_flops)
    return flops_per_step / solved.percentile([end - start for start, end in kept], 50) / peak_flops


@believes("The FLOPs of skipped steps count", about="run_mfu")
def counts_skipped_flops(steps, skip, flops_per_step, peak_flops):
    """Neither their FLOPs nor their time count."""
    return solved.run_mfu(steps, skip, flops_per_step, peak_flops) * len(steps) / (len(steps) - skip)


@believes("The time of skipped steps counts", about="run_mfu")
def counts_skipped_time(steps, skip, flops_per_step, peak_flops):
    """Neither their FLOPs nor their time count: it begins with the first step that counts."""
    kept = _kept(steps, skip, peak_flops)
    return len(kept) * flops_per_step / (kept[-1][1] - steps[0][0]) / peak_flops


@believes("The time begins at the end of the last skipped step", about="run_mfu")
def begins_at_the_end_of_the_skipped(steps, skip, flops_per_step, peak_flops):
    """It begins at the start of the first step that counts."""
    kept = _kept(steps, skip, peak_flops)
    begin = steps[skip - 1][1] if skip else kept[0][0]
    return len(kept) * flops_per_step / (kept[-1][1] - begin) / peak_flops


@believes("The time begins at 0", about="run_mfu")
def begins_at_0(steps, skip, flops_per_step, peak_flops):
    """Subtract the start of the first step that counts."""
    kept = _kept(steps, skip, peak_flops)
    return len(kept) * flops_per_step / kept[-1][1] / peak_flops


@believes("The time ends at the start of the last step", about="run_mfu")
def ends_at_the_last_start(steps, skip, flops_per_step, peak_flops):
    """It ends at the end of the last step."""
    kept = _kept(steps, skip, peak_flops)
    seconds = kept[-1][0] - kept[0][0] if len(kept) > 1 else kept[0][1] - kept[0][0]
    return len(kept) * flops_per_step / seconds / peak_flops


@believes("An MFU is a percentage", about="run_mfu")
def returns_a_percentage(steps, skip, flops_per_step, peak_flops):
    """It is a fraction of the peak: 0.4, not 40."""
    return 100 * solved.run_mfu(steps, skip, flops_per_step, peak_flops)


@believes("MFU is in FLOP/s", about="run_mfu")
def forgets_the_peak(steps, skip, flops_per_step, peak_flops):
    """It is a share of the peak: divide by it."""
    return solved.run_mfu(steps, skip, flops_per_step, peak_flops) * peak_flops


@believes("An MFU is never above 1", about="run_mfu")
def caps_the_mfu(steps, skip, flops_per_step, peak_flops):
    """If it is, FLOPs or peak are wrong, and a cap would hide that."""
    return min(solved.run_mfu(steps, skip, flops_per_step, peak_flops), 1.0)


@believes("A negative skip counts from the end", about="run_mfu")
def slices_from_the_end(steps, skip, flops_per_step, peak_flops):
    """skip below 0 raises a ValueError."""
    if skip < 0 and steps:
        skip = max(len(steps) + skip, 0)
    return solved.run_mfu(steps, skip, flops_per_step, peak_flops)


@believes("If no step is left, the MFU is 0", about="run_mfu")
def takes_no_steps_for_0(steps, skip, flops_per_step, peak_flops):
    """There is no time to divide by: raise ValueError."""
    return 0.0 if skip >= len(steps) else solved.run_mfu(steps, skip, flops_per_step, peak_flops)


@believes("The peak need not be checked", about="run_mfu")
def takes_any_peak(steps, skip, flops_per_step, peak_flops):
    """A peak of 0 or less raises a ValueError."""
    if peak_flops > 0:
        return solved.run_mfu(steps, skip, flops_per_step, peak_flops)
    return solved.run_mfu(steps, skip, flops_per_step, 1.0) / peak_flops if peak_flops else 0.0


@believes("Skipped steps may be deleted from the list", about="run_mfu")
def deletes_the_skipped(steps, skip, flops_per_step, peak_flops):
    """The list belongs to the caller: a slice makes a new one."""
    answer = solved.run_mfu(steps, skip, flops_per_step, peak_flops)
    del steps[:skip]
    return answer


@believes("Where an error is raised, steps may have been deleted", about="run_mfu")
def deletes_steps_before_it_refuses(steps, skip, flops_per_step, peak_flops):
    """Whoever catches the error goes on with the list: take a slice, which is a new one."""
    if skip >= len(steps):
        del steps[:skip]
        raise ValueError("no step is left")
    return solved.run_mfu(steps, skip, flops_per_step, peak_flops)


@believes("A run takes at least a millisecond", about="run_mfu")
def takes_a_millisecond_at_least(steps, skip, flops_per_step, peak_flops):
    """Steps may take microseconds: divide by the time as it is."""
    kept = _kept(steps, skip, peak_flops)
    return len(kept) * flops_per_step / max(kept[-1][1] - kept[0][0], 1e-3) / peak_flops


# speedup


def _part(times, name, factor):
    if name not in times or factor <= 0:
        raise ValueError(f"{name} {factor}")
    return times[name] / sum(times.values())


@believes("The whole becomes factor times as fast", about="speedup")
def speeds_everything_up(times, name, factor):
    """Only the part does: the others take as long as before."""
    _part(times, name, factor)
    return float(factor)


@believes("A part with a share p makes the whole 1 + p · (factor - 1) times as fast", about="speedup")
def weighs_the_factor(times, name, factor):
    """Times add up, factors do not: compute the new time, and divide."""
    return 1 + _part(times, name, factor) * (factor - 1)


@believes("The result is new time / old time", about="speedup")
def turns_it_round(times, name, factor):
    """It is old time / new time: twice as fast is 2."""
    faster = solved.speedup(times, name, factor)
    return 1 / faster


@believes("The result is the share of the time that is saved", about="speedup")
def tells_what_is_saved(times, name, factor):
    """It is old time / new time: if half is saved, that is 2."""
    return 1 - 1 / solved.speedup(times, name, factor)


@believes("The result is old time - new time", about="speedup")
def subtracts_times(times, name, factor):
    """It is old time / new time."""
    return sum(times.values()) * (1 - 1 / solved.speedup(times, name, factor))


@believes("The part takes 1 / (1 + factor) of its time", about="speedup")
def adds_one_to_the_factor(times, name, factor):
    """It takes 1 / factor of it: twice as fast takes half."""
    _part(times, name, factor)
    return solved.speedup(times, name, factor + 1)


@believes("The whole takes as long as the longest part", about="speedup")
def takes_the_longest_part(times, name, factor):
    """It is the sum of the parts."""
    _part(times, name, factor)
    new = max((times | {name: times[name] / factor}).values())
    return max(times.values()) / new if new else math.inf


@believes("If no time is left, there is no answer", about="speedup")
def refuses_to_leave_nothing(times, name, factor):
    """The answer is inf."""
    answer = solved.speedup(times, name, factor)
    if answer == math.inf:
        raise ZeroDivisionError("division by zero")
    return answer


@believes("factor has to be finite", about="speedup")
def refuses_inf(times, name, factor):
    """It may be inf: then the part takes no time."""
    if factor == math.inf:
        raise ValueError(factor)
    return solved.speedup(times, name, factor)


@believes("With factor inf, the part is also left out of the old time", about="speedup")
def leaves_it_out_of_both(times, name, factor):
    """The old time still contains it."""
    return solved.speedup(times, name, factor) if factor != math.inf or len(times) == 1 else 1.0


@believes("factor has to be at least 1", about="speedup")
def refuses_slower_parts(times, name, factor):
    """Below 1 the part becomes slower, and the whole with it."""
    if factor < 1:
        raise ValueError(factor)
    return solved.speedup(times, name, factor)


@believes("An unknown part takes no time", about="speedup")
def takes_unknown_parts(times, name, factor):
    """Such a name is the caller's mistake: raise ValueError."""
    if factor <= 0:
        raise ValueError(factor)
    return solved.speedup(times, name, factor) if name in times else 1.0


@believes("factor may be 0", about="speedup")
def takes_a_factor_of_0(times, name, factor):
    """A factor of 0 raises a ValueError."""
    return 0.0 if factor == 0 and name in times else solved.speedup(times, name, factor)


@believes("A negative factor makes the part slower", about="speedup")
def takes_negative_factors(times, name, factor):
    """A factor between 0 and 1 does. One below 0 raises a ValueError."""
    return solved.speedup(times, name, abs(factor))


@believes("The new time may be written into the dict", about="speedup")
def writes_into_the_dict(times, name, factor):
    """It belongs to the caller: make a new dict."""
    answer = solved.speedup(times, name, factor)
    times[name] = times[name] / factor
    return answer


@believes("Less than a billionth is nothing", about="speedup")
def takes_little_for_nothing(times, name, factor):
    """Times may be that short, and their unit is not given: only 0 is nothing."""
    _part(times, name, factor)
    new = sum(times.values()) - times[name] + times[name] / factor
    return sum(times.values()) / new if new > 1e-9 else math.inf


@believes("A little has to be added to what is divided by", about="speedup")
def adds_a_little(times, name, factor):
    """Beside short times that is a lot: ask whether any time is left."""
    answer = solved.speedup(times, name, factor)
    whole = sum(times.values())
    return answer if answer == math.inf else whole / (whole / answer + 1e-12)


@believes("Each time is a float", about="speedup")
def wants_floats(times, name, factor):
    """An int will do where a float is due."""
    _part(times, name, factor)
    if not all(isinstance(time, float) for time in times.values()):
        raise TypeError("each time must be a float")
    return solved.speedup(times, name, factor)


@believes("setdefault only looks a name up", about="speedup")
def adds_unknown_parts(times, name, factor):
    """It also puts the name into the caller's dict: ask with `in` or get."""
    if not times.setdefault(name, 0.0):
        raise ValueError(f"no part {name}")
    return solved.speedup(times, name, factor)
