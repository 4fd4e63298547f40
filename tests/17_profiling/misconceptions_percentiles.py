"""Wrong answers that people give to kata 17 about percentiles."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


# percentile


def _sorted(times, q):
    if not times or not 0 <= q <= 100:
        raise ValueError(f"percentile {q} of {len(times)}")
    return sorted(times)


@believes("The percentile is one of the times", about="percentile")
def takes_the_nearest_rank(times, q):
    """Between two places it is on the line between their times."""
    return _sorted(times, q)[max(math.ceil(q / 100 * len(times)), 1) - 1]


@believes("The place is rounded", about="percentile")
def rounds_the_place(times, q):
    """Between two places the percentile is on the line between their times."""
    return _sorted(times, q)[round((len(times) - 1) * q / 100)]


@believes("The place is rounded down", about="percentile")
def rounds_the_place_down(times, q):
    """The fraction says how far it is to the next time."""
    return _sorted(times, q)[int((len(times) - 1) * q / 100)]


@believes("The place is rounded up", about="percentile")
def rounds_the_place_up(times, q):
    """The percentile is on the line between that time and the one below."""
    return _sorted(times, q)[math.ceil((len(times) - 1) * q / 100)]


@believes("Between two places it is halfway between their times", about="percentile")
def goes_halfway(times, q):
    """At 2.7 it is 0.7 of the way."""
    ordered, place = _sorted(times, q), (len(times) - 1) * q / 100
    return (ordered[math.floor(place)] + ordered[math.ceil(place)]) / 2


@believes("The place is n · q / 100", about="percentile")
def counts_places_from_n(times, q):
    """The places are 0 to n - 1: it is (n - 1) · q / 100."""
    ordered = _sorted(times, q)
    place = min(len(times) * q / 100, len(times) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    return below + (place - math.floor(place)) * (above - below)


@believes("The place is (n + 1) · q / 100, counted from 1", about="percentile")
def excludes_the_ends(times, q):
    """That is another definition: here the place is (n - 1) · q / 100, counted from 0."""
    ordered = _sorted(times, q)
    place = min(max((len(times) + 1) * q / 100 - 1, 0), len(times) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    return below + (place - math.floor(place)) * (above - below)


@believes("The times are already sorted", about="percentile")
def takes_them_as_they_come(times, q):
    """They come in any order."""
    ordered, place = (_sorted(times, q), times)[1], (len(times) - 1) * q / 100
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    return below + (place - math.floor(place)) * (above - below)


@believes("The percentile 0 is the largest time", about="percentile")
def counts_from_the_largest(times, q):
    """It is the smallest one, and 100 the largest."""
    _sorted(times, q)
    return solved.percentile(times, 100 - q)


@believes("q is between 0 and 1", about="percentile")
def takes_a_share(times, q):
    """It is a percentage: 50 is the median."""
    return solved.percentile(times, 100 * q)


@believes("q may not be 0 or 100", about="percentile")
def refuses_the_ends(times, q):
    """They are the smallest and the largest time."""
    if q in (0, 100):
        raise ValueError(q)
    return solved.percentile(times, q)


@believes("The list may be sorted in place", about="percentile")
def sorts_in_place(times, q):
    """It belongs to the caller: sorted(times) makes a new list."""
    if times:
        times.sort()
    return solved.percentile(times, q)


@believes("The percentile of no times is 0", about="percentile")
def takes_nothing_for_0(times, q):
    """There is none: raise ValueError."""
    return solved.percentile(times, q) if times else 0.0


@believes("q is clipped to 0 and 100", about="percentile")
def clips_q(times, q):
    """A q outside 0 to 100 is the caller's mistake: raise ValueError."""
    return solved.percentile(times, min(max(q, 0), 100))


@believes("The percentile is on the line from the smallest to the largest time", about="percentile")
def spreads_times_evenly(times, q):
    """It is on the line between the times at the two neighboring places."""
    ordered = _sorted(times, q)
    return ordered[0] + (ordered[-1] - ordered[0]) * q / 100


@believes("Equal times count once", about="percentile")
def drops_equal_times(times, q):
    """Each of them has its own place."""
    return solved.percentile(list({*times}), q)


@believes("The percentile 50 is the mean", about="percentile")
def takes_the_mean(times, q):
    """It is the median: half of the times are below it, however large those above are."""
    return solved.percentile(times, q) if q != 50 or not times else sum(times) / len(times)


@believes("q up to 1 is a fraction, and above 1 a percentage", about="percentile")
def takes_1_for_all(times, q):
    """It is always a percentage: q = 1 is a hundredth of the way."""
    return solved.percentile(times, 100 * q if 0 < q <= 1 else q)


@believes("The largest time is above 0", about="percentile")
def divides_by_the_largest(times, q):
    """All times may be 0, and then there is nothing to divide by."""
    ordered = _sorted(times, q)
    return solved.percentile([time / ordered[-1] for time in ordered], q) * ordered[-1]


@believes("Above 99 the percentile is the largest time", about="percentile")
def takes_the_largest_above_99(times, q):
    """It is only at 100: 99.9 is on the line before it."""
    return max(times) if times and 99 < q <= 100 else solved.percentile(times, q)


@believes("The median of ints is an int", about="percentile")
def halves_in_integers(times, q):
    """Halfway between 2 and 5 is 3.5: // drops the half."""
    ordered = _sorted(times, q)
    if q == 50 and len(times) % 2 == 0 and all(isinstance(time, int) for time in times):
        return (ordered[len(times) // 2 - 1] + ordered[len(times) // 2]) // 2
    return solved.percentile(times, q)


@believes("A q that is hardly below 0 or above 100 was rounded", about="percentile")
def clips_what_was_rounded(times, q):
    """The limits are exact: every q below 0 or above 100 raises a ValueError."""
    return solved.percentile(times, min(max(q, 0), 100) if -1e-9 < q < 100 + 1e-9 else q)


@believes("Where an error is raised, the list may have been sorted", about="percentile")
def sorts_before_it_refuses(times, q):
    """Whoever catches the error goes on with the list: check q first, or sort a copy."""
    if not 0 <= q <= 100:
        times.sort()
    return solved.percentile(times, q)
