"""Right answers to kata 17 about percentiles, MFU and Amdahl's law."""

import bisect
import heapq
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dojo.judging.diagnose import answers

# percentile


@answers("percentile")
def by_fractions(times, q):
    if not times or q < 0 or q > 100:
        raise ValueError
    ordered = sorted(map(Fraction, times))
    whole, rest = divmod((len(times) - 1) * Fraction(q), 100)
    exact = ordered[whole]
    if rest:
        exact += (ordered[whole + 1] - exact) * rest / 100
    return float(exact)


@answers("percentile")
def by_a_heap(times, q):
    heap = list(times)
    heapq.heapify(heap)
    try:
        place = (len(heap) - 1) * (q / 100)
        if not 0 <= place <= len(heap) - 1 or not 0 <= q <= 100:
            raise ValueError(q)
        taken = [heapq.heappop(heap) for _ in range(math.floor(place) + 1)]
        share = place - math.floor(place)
        return taken[-1] * (1 - share) + (heap[0] * share if heap else 0)
    except IndexError:
        raise ValueError("no times") from None


@answers("percentile")
def by_insertion(times, q):
    if len(times) == 0:
        raise ValueError("no times")
    if not (q >= 0 and q <= 100):
        raise ValueError("no percentile")
    ordered: Any = []
    for time in times:
        bisect.insort(ordered, time)
    if len(ordered) == 1:
        return ordered[0]
    step = min(int(q * (len(ordered) - 1) // 100), len(ordered) - 2)
    left = q * (len(ordered) - 1) / 100 - step
    return float(ordered[step]) + left * float(ordered[step + 1] - ordered[step])


@answers("percentile")
def by_weights_of_all(times, q):
    if times == [] or q != min(max(q, 0), 100):
        raise ValueError((times, q))
    place = q * (len(times) - 1) / 100
    weights = [max(0.0, 1 - abs(place - at)) for at in range(len(times))]
    return math.fsum(weight * time for weight, time in zip(weights, sorted(times), strict=True))


@answers("percentile")
def by_halves_of_a_list(times, q):
    if not times or q > 100 or q < 0:
        raise ValueError

    def nth(left, k):
        middle = left[len(left) // 2]
        below = [time for time in left if time < middle]
        equal = left.count(middle)
        if k < len(below):
            return nth(below, k)
        if k < len(below) + equal:
            return middle
        return nth([time for time in left if time > middle], k - len(below) - equal)

    place = (len(times) - 1) * q / 100
    time = nth(times, int(place))
    return time if place == int(place) else time + (nth(times, int(place) + 1) - time) * (place - int(place))


# run_mfu


@answers("run_mfu")
def by_seconds_and_pauses(steps, skip, flops_per_step, peak_flops):
    if skip < 0 or not steps[skip:] or peak_flops <= 0:
        raise ValueError
    seconds, last = 0.0, None
    for start, end in steps[skip:]:
        seconds += end - start + (0 if last is None else start - last)
        last = end
    return flops_per_step / peak_flops * (len(steps) - skip) / seconds


@answers("run_mfu")
def by_what_could_have_been(steps, skip, flops_per_step, peak_flops):
    counted = [step for number, step in enumerate(steps) if number >= skip]
    if skip < 0 or peak_flops <= 0 or len(counted) < 1:
        raise ValueError(f"{skip=} {peak_flops=}")
    begin, end = min(map(min, counted)), max(map(max, counted))
    return (len(counted) * flops_per_step) / (peak_flops * (end - begin))


@answers("run_mfu")
def by_exact_numbers(steps, skip, flops_per_step, peak_flops):
    if peak_flops <= 0 or skip < 0 or skip >= len(steps):
        raise ValueError
    seconds = Fraction(steps[-1][1]) - Fraction(steps[skip][0])
    work = sum(Fraction(flops_per_step) for _ in steps[skip:])
    return float(work / seconds / Fraction(peak_flops))


# speedup


@answers("speedup")
def by_amdahls_law(times, name, factor):
    if name not in times or factor <= 0:
        raise ValueError
    share = times[name] / sum(times.values())
    left = (1 - share) + share / factor
    return 1 / left if left > 0 else math.inf


@answers("speedup")
def by_a_new_dict(times, name, factor):
    if factor <= 0:
        raise ValueError(f"{factor} times as fast")
    try:
        after = {**times, name: times[name] / factor}
    except KeyError as missing:
        raise ValueError(f"no part {missing}") from missing
    try:
        return math.fsum(times.values()) / math.fsum(after.values())
    except ZeroDivisionError:
        return float("inf")


@answers("speedup")
def by_what_is_saved(times, name, factor):
    if not factor > 0 or times.get(name) is None:
        raise ValueError
    whole = sum(times.values())
    saved = times[name] - times[name] / factor
    return whole / (whole - saved) if whole != saved else math.inf


@answers("speedup")
def by_decimals(times, name, factor):
    if name not in times.keys() or factor <= 0:
        raise ValueError
    exact = {part: Decimal(time) for part, time in times.items()}
    whole = sum(exact.values())
    rest = whole - exact[name] + (0 if math.isinf(factor) else exact[name] / Decimal(factor))
    return float(whole / rest) if rest else math.inf


@answers("speedup")
def by_multiplied_times(times, name, factor):
    if factor <= 0 or not times.get(name):
        raise ValueError(name)
    others = sum(time for part, time in times.items() if part != name)
    if factor == math.inf:
        return sum(times.values()) / others if others else factor
    return sum(times.values()) * factor / (others * factor + times[name])
