"""Wrong answers that people give to kata 17 about kernels on streams: how busy a device is, and what is exposed."""

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


def _cut(kernels, start, end):
    if end <= start:
        raise ValueError(f"{start} to {end}")
    cut = [(name, stream, max(first, start), min(last, end)) for name, stream, first, last in kernels]
    return [kernel for kernel in cut if kernel[2] < kernel[3]]


def _streams(kernels):
    return {stream for _, stream, *_ in kernels}


# busy_share


@believes("The time of all kernels is the time in which the device is busy", about="busy_share")
def adds_kernels_up(kernels, start, end):
    """Where two overlap, their time counts once; else a share may be above 1."""
    return sum(last - first for *_, first, last in _cut(kernels, start, end)) / (end - start)


@believes("Kernels that overlap make a share of 1 at most", about="busy_share")
def caps_the_share(kernels, start, end):
    """A cap hides that their time was counted twice: count each tick once."""
    return min(adds_kernels_up(kernels, start, end), 1.0)


@believes("A device is as busy as its streams are on average", about="busy_share")
def averages_streams(kernels, start, end):
    """It is busy as soon as one of them is."""
    cut = _cut(kernels, start, end)
    shares = [solved.busy_share([one for one in cut if one[1] == stream], start, end) for stream in _streams(kernels)]
    return sum(shares) / max(len(shares), 1)


@believes("A device is as busy as its busiest stream", about="busy_share")
def takes_the_busiest_stream(kernels, start, end):
    """Another one may run while that one waits: a tick with any kernel counts."""
    cut = _cut(kernels, start, end)
    shares = [solved.busy_share([one for one in cut if one[1] == stream], start, end) for stream in _streams(kernels)]
    return max(shares, default=0.0)


@believes("A device is busy where all of its streams are", about="busy_share")
def wants_all_streams(kernels, start, end):
    """It is busy as soon as one of them is."""
    cut, streams = _cut(kernels, start, end), _streams(kernels)
    ticks = [
        tick
        for tick in range(start, end)
        if streams and all(any(one[1] == it and one[2] <= tick < one[3] for one in cut) for it in streams)
    ]
    return len(ticks) / (end - start)


@believes("A kernel that is partly in the window counts wholly", about="busy_share")
def cuts_nothing(kernels, start, end):
    """Only what is inside the window counts."""
    touched = [one for one in kernels if max(one[2], start) < min(one[3], end)]
    _cut(kernels, start, end)
    wide = (min((one[2] for one in touched), default=0), max((one[3] for one in touched), default=1))
    return solved.busy_share(touched, *wide) * (wide[1] - wide[0]) / (end - start)


@believes("A kernel that is partly in the window does not count", about="busy_share")
def drops_what_sticks_out(kernels, start, end):
    """What of it is inside the window does."""
    return solved.busy_share([one for one in kernels if start <= one[2] and one[3] <= end], start, end)


@believes("A kernel counts where it starts in the window", about="busy_share")
def drops_what_started_before(kernels, start, end):
    """One that started before and still runs counts from the window's start on."""
    return solved.busy_share([one for one in kernels if start <= one[2]], start, end)


@believes("A kernel counts where it ends in the window", about="busy_share")
def drops_what_ends_behind(kernels, start, end):
    """One that is not done yet counts up to the window's end."""
    return solved.busy_share([one for one in kernels if one[3] <= end], start, end)


@believes("The window is from the first kernel to the last", about="busy_share")
def takes_the_window_of_the_kernels(kernels, start, end):
    """It is given: what is idle before the first kernel and behind the last one counts, too."""
    cut = _cut(kernels, start, end)
    first, last = min((one[2] for one in cut), default=start), max((one[3] for one in cut), default=end)
    return solved.busy_share(cut, first, last)


@believes("Without time nothing is busy: 0", about="busy_share")
def takes_no_window_for_0(kernels, start, end):
    """A share of no time is none: ValueError."""
    return 0.0 if end <= start else solved.busy_share(kernels, start, end)


@believes("A window may be turned round", about="busy_share")
def turns_the_window_round(kernels, start, end):
    """An end before the start is a mistake of whoever calls: ValueError."""
    return solved.busy_share(kernels, min(start, end), max(start, end))


@believes("Without kernels there is no share", about="busy_share")
def refuses_no_kernels(kernels, start, end):
    """A device that does nothing is busy for a share of 0.0."""
    if not kernels:
        raise ValueError("no kernels")
    return solved.busy_share(kernels, start, end)


@believes("A kernel from 2 to 5 runs for four ticks", about="busy_share")
def runs_one_tick_more(kernels, start, end):
    """For three: at the tick 5 it is over."""
    longer = [(name, stream, first, last + 1) for name, stream, first, last in kernels]
    return solved.busy_share(longer, start, end)


@believes("What starts last ends last", about="busy_share")
def forgets_the_longer_one(kernels, start, end):
    """A short kernel may lie within a long one: keep the latest end of all so far."""
    busy, reached = 0, start
    for *_, first, last in sorted(_cut(kernels, start, end), key=lambda one: one[2:]):
        busy += max(last - max(first, reached), 0)
        reached = last
    return busy / (end - start)


@believes("Kernels are listed in the order in which they start", about="busy_share")
def sweeps_as_listed(kernels, start, end):
    """They come in any order."""
    busy, reached = 0, start
    for *_, first, last in _cut(kernels, start, end):
        busy += max(last - max(first, reached), 0)
        reached = max(last, reached)
    return busy / (end - start)


@believes("A share is a percentage", about="busy_share")
def returns_a_percentage_of_ticks(kernels, start, end):
    """It is a part of 1: 0.35, not 35."""
    return 100 * solved.busy_share(kernels, start, end)


@believes("Asked for is the time", about="busy_share")
def returns_ticks(kernels, start, end):
    """It is the share of the window: divide by its length."""
    return solved.busy_share(kernels, start, end) * (end - start)


@believes("The share is that in which nothing runs", about="busy_share")
def returns_the_idle_share(kernels, start, end):
    """That is the idle share: 1 less the busy one."""
    return 1 - solved.busy_share(kernels, start, end)


@believes("The kernels may be sorted where they are", about="busy_share")
def sorts_the_kernels(kernels, start, end):
    """The list is the caller's: sorted(kernels) makes another one."""
    kernels.sort(key=lambda one: one[2])
    return solved.busy_share(kernels, start, end)


# exposed_time


def _split(kernels, name):
    return [one for one in kernels if one[0] == name], [one for one in kernels if one[0] != name]


def _overlap(one, other):
    return max(min(one[3], other[3]) - max(one[2], other[2]), 0)


@believes("All time of a kernel is exposed", about="exposed_time")
def takes_all_of_it(kernels, name):
    """Not while a kernel of another name runs: that time would pass anyway."""
    return solved.exposed_time(_split(kernels, name)[0], name)


@believes("Two kernels at the same time are exposed twice", about="exposed_time")
def counts_twins_twice(kernels, name):
    """A tick with two of that name counts once."""
    named, others = _split(kernels, name)
    return sum(solved.exposed_time([one, *others], name) for one in named)


@believes("A kernel that overlaps another one is not exposed", about="exposed_time")
def drops_what_overlaps(kernels, name):
    """The part of it that overlaps is hidden, the rest is exposed."""
    named, others = _split(kernels, name)
    return solved.exposed_time([one for one in named if not any(_overlap(one, other) for other in others)], name)


@believes("A kernel is hidden only by one that is all around it", about="exposed_time")
def hides_whole_kernels_alone(kernels, name):
    """Each tick is hidden at which a kernel of another name runs."""
    named, others = _split(kernels, name)
    open_ones = [one for one in named if not any(o[2] <= one[2] and one[3] <= o[3] for o in others)]
    return solved.exposed_time(open_ones, name)


@believes("Only another stream hides anything", about="exposed_time")
def hides_across_streams_alone(kernels, name):
    """A kernel of another name does, on any stream."""
    named, others = _split(kernels, name)
    ticks = {
        tick
        for _, stream, start, end in named
        for tick in range(start, end)
        if not any(one[1] != stream and one[2] <= tick < one[3] for one in others)
    }
    return len(ticks)


@believes("Any other kernel hides, one of the same name, too", about="exposed_time")
def hides_behind_its_own_name(kernels, name):
    """Without that name none of them would run: only kernels of other names hide."""
    ticks = range(max((end for *_, end in kernels), default=0))
    at_work = [[one[0] for one in kernels if one[2] <= tick < one[3]] for tick in ticks]
    return at_work.count([name])


@believes("What overlaps two kernels is hidden twice", about="exposed_time")
def subtracts_each_overlap(kernels, name):
    """Once: a tick is hidden or it is not."""
    named, others = _split(kernels, name)
    covered = solved.exposed_time(named, name)
    return covered - sum(
        solved.exposed_time(named, name) - solved.exposed_time([*named, other], name) for other in others
    )


@believes("Exposed is what is left after as much time of other kernels", about="exposed_time")
def subtracts_totals(kernels, name):
    """It matters when they run: only what runs at the same time hides."""
    named, others = _split(kernels, name)
    covered = [solved.exposed_time([("", *one[1:]) for one in some], "") for some in (named, others)]
    return max(covered[0] - covered[1], 0)


@believes("A pause between two kernels of a name is exposed", about="exposed_time")
def counts_pauses(kernels, name):
    """Only while one of them runs."""
    named, others = _split(kernels, name)
    if not named:
        return 0
    whole = (name, 0, min(one[2] for one in named), max(one[3] for one in named))
    return solved.exposed_time([whole, *others], name)


@believes("A name that does not occur is a mistake", about="exposed_time")
def refuses_unknown_names(kernels, name):
    """It has no time, and so none that is exposed: 0."""
    if not _split(kernels, name)[0]:
        raise ValueError(name)
    return solved.exposed_time(kernels, name)


@believes("Exposed time is a share of the kernel's time", about="exposed_time")
def returns_a_share(kernels, name):
    """It is in ticks."""
    whole = takes_all_of_it(kernels, name)
    return solved.exposed_time(kernels, name) / whole if whole else 0.0


@believes("Exposed is what runs beside something else", about="exposed_time")
def returns_what_is_hidden(kernels, name):
    """That is hidden; exposed is what runs alone."""
    return takes_all_of_it(kernels, name) - solved.exposed_time(kernels, name)


@believes("Any tick with one name alone is exposed", about="exposed_time")
def counts_every_name(kernels, name):
    """Only those of the name that is asked for."""
    return sum(solved.exposed_time(kernels, other) for other in {one[0] for one in kernels})


@believes("At its end a kernel still runs", about="exposed_time")
def hides_one_tick_more(kernels, name):
    """[start, end): at the tick `end` it does not."""
    return solved.exposed_time([(*one[:3], one[3] + 1) for one in kernels], name)


@believes("Kernels of other names may be taken out of the list", about="exposed_time")
def takes_the_others_out(kernels, name):
    """The list is the caller's: make one of your own."""
    answer = solved.exposed_time(kernels, name)
    kernels[:] = [one for one in kernels if one[0] == name]
    return answer


@believes("A kernel has the name that its own begins with", about="exposed_time")
def asks_for_the_beginning(kernels, name):
    """reduce_scatter is another kernel than reduce: compare whole names."""
    return solved.exposed_time([(name if one[0].startswith(name) else one[0], *one[1:]) for one in kernels], name)
