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


@believes("The device is busy for the sum of all kernels' times", about="busy_share")
def adds_kernels_up(kernels, start, end):
    """If two overlap, the time counts once: otherwise the share may exceed 1."""
    return sum(last - first for *_, first, last in _cut(kernels, start, end)) / (end - start)


@believes("A share above 1 only has to be capped", about="busy_share")
def caps_the_share(kernels, start, end):
    """Overlaps would still be counted twice: count each tick once."""
    return min(adds_kernels_up(kernels, start, end), 1.0)


@believes("The share is the mean of the streams' shares", about="busy_share")
def averages_streams(kernels, start, end):
    """The device is busy as soon as one stream is."""
    cut = _cut(kernels, start, end)
    shares = [solved.busy_share([one for one in cut if one[1] == stream], start, end) for stream in _streams(kernels)]
    return sum(shares) / max(len(shares), 1)


@believes("The share is the mean of the streams' shares", about="busy_share")
def averages_streams_in_the_window(kernels, start, end):
    """The device is busy as soon as one stream is."""
    return averages_streams(_cut(kernels, start, end), start, end)


@believes("The share is that of the busiest stream", about="busy_share")
def takes_the_busiest_stream(kernels, start, end):
    """Another stream may run while that one waits: a tick with any kernel counts."""
    cut = _cut(kernels, start, end)
    shares = [solved.busy_share([one for one in cut if one[1] == stream], start, end) for stream in _streams(kernels)]
    return max(shares, default=0.0)


@believes("The device is busy when all streams are", about="busy_share")
def wants_all_streams(kernels, start, end):
    """It is busy as soon as one stream is."""
    cut, streams = _cut(kernels, start, end), _streams(kernels)
    ticks = [
        tick
        for tick in range(start, end)
        if streams and all(any(one[1] == it and one[2] <= tick < one[3] for one in cut) for it in streams)
    ]
    return len(ticks) / (end - start)


@believes("A kernel that is partly in the window counts as a whole", about="busy_share")
def cuts_nothing(kernels, start, end):
    """Only what is inside the window counts."""
    touched = [one for one in kernels if max(one[2], start) < min(one[3], end)]
    _cut(kernels, start, end)
    wide = (min((one[2] for one in touched), default=0), max((one[3] for one in touched), default=1))
    return solved.busy_share(touched, *wide) * (wide[1] - wide[0]) / (end - start)


@believes("A kernel that is partly in the window does not count", about="busy_share")
def drops_what_sticks_out(kernels, start, end):
    """The part inside the window counts."""
    return solved.busy_share([one for one in kernels if start <= one[2] and one[3] <= end], start, end)


@believes("Only kernels that start in the window count", about="busy_share")
def drops_what_started_before(kernels, start, end):
    """One that started before counts from the start of the window."""
    return solved.busy_share([one for one in kernels if start <= one[2]], start, end)


@believes("Only kernels that end in the window count", about="busy_share")
def drops_what_ends_behind(kernels, start, end):
    """One that ends later counts up to the end of the window."""
    return solved.busy_share([one for one in kernels if one[3] <= end], start, end)


@believes("The window is from the first kernel to the last", about="busy_share")
def takes_the_window_of_the_kernels(kernels, start, end):
    """It is given, and idle time before the first kernel and after the last one belongs to it."""
    cut = _cut(kernels, start, end)
    first, last = min((one[2] for one in cut), default=start), max((one[3] for one in cut), default=end)
    return solved.busy_share(cut, first, last)


@believes("A window without time has a share of 0", about="busy_share")
def takes_no_window_for_0(kernels, start, end):
    """There is no share of no time: raise ValueError."""
    return 0.0 if end <= start else solved.busy_share(kernels, start, end)


@believes("If end is before start, they are swapped", about="busy_share")
def turns_the_window_round(kernels, start, end):
    """That is the caller's mistake: raise ValueError."""
    return solved.busy_share(kernels, min(start, end), max(start, end))


@believes("Without kernels there is no share", about="busy_share")
def refuses_no_kernels(kernels, start, end):
    """Then the device is idle, and the share is 0.0."""
    if not kernels:
        raise ValueError("no kernels")
    return solved.busy_share(kernels, start, end)


@believes("A kernel from 2 to 5 runs for four ticks", about="busy_share")
def runs_one_tick_more(kernels, start, end):
    """It runs for three: at the tick 5 it is over."""
    longer = [(name, stream, first, last + 1) for name, stream, first, last in kernels]
    return solved.busy_share(longer, start, end)


@believes("The kernel that starts last ends last", about="busy_share")
def forgets_the_longer_one(kernels, start, end):
    """A short kernel may lie inside a longer one: keep the latest end so far."""
    busy, reached = 0, start
    for *_, first, last in sorted(_cut(kernels, start, end), key=lambda one: one[2:]):
        busy += max(last - max(first, reached), 0)
        reached = last
    return busy / (end - start)


@believes("Kernels are listed in the order of their starts", about="busy_share")
def sweeps_as_listed(kernels, start, end):
    """They come in any order."""
    busy, reached = 0, start
    for *_, first, last in _cut(kernels, start, end):
        busy += max(last - max(first, reached), 0)
        reached = max(last, reached)
    return busy / (end - start)


@believes("A share is a percentage", about="busy_share")
def returns_a_percentage_of_ticks(kernels, start, end):
    """It is a fraction of 1: 0.35, not 35."""
    return 100 * solved.busy_share(kernels, start, end)


@believes("The result is the busy time", about="busy_share")
def returns_ticks(kernels, start, end):
    """It is the share of the window: divide by its length."""
    return solved.busy_share(kernels, start, end) * (end - start)


@believes("The result is the share in which no kernel runs", about="busy_share")
def returns_the_idle_share(kernels, start, end):
    """That is the idle share: the busy share is 1 minus that."""
    return 1 - solved.busy_share(kernels, start, end)


@believes("The list may be sorted in place", about="busy_share")
def sorts_the_kernels(kernels, start, end):
    """It belongs to the caller: sorted(kernels) makes a new list."""
    kernels.sort(key=lambda one: one[2])
    return solved.busy_share(kernels, start, end)


@believes("On a stream, no two kernels start at the same time", about="busy_share")
def keeps_one_kernel_for_each_start(kernels, start, end):
    """They may overlap on the same stream too: stream and start are no key."""
    return solved.busy_share(list({one[1:3]: one for one in kernels}.values()), start, end)


@believes("Each kernel takes at least one tick", about="busy_share")
def runs_for_a_tick_at_least(kernels, start, end):
    """If it ends where it starts, it takes no time."""
    longer = [(name, stream, first, max(last, first + 1)) for name, stream, first, last in kernels]
    return solved.busy_share(longer, start, end)


@believes("Where an error is raised, the kernels may have been sorted", about="busy_share")
def sorts_kernels_before_it_refuses(kernels, start, end):
    """Whoever catches the error goes on with the list: check first, or sort a copy."""
    if end <= start:
        kernels.sort(key=lambda one: one[2])
    return solved.busy_share(kernels, start, end)


# exposed_time


def _split(kernels, name):
    return [one for one in kernels if one[0] == name], [one for one in kernels if one[0] != name]


def _overlap(one, other):
    return max(min(one[3], other[3]) - max(one[2], other[2]), 0)


@believes("All the time of a kernel is exposed", about="exposed_time")
def takes_all_of_it(kernels, name):
    """It is hidden while a kernel of another name runs."""
    return solved.exposed_time(_split(kernels, name)[0], name)


@believes("Two kernels of the name at the same time count twice", about="exposed_time")
def counts_twins_twice(kernels, name):
    """A tick counts once."""
    named, others = _split(kernels, name)
    return sum(solved.exposed_time([one, *others], name) for one in named)


@believes("A kernel that overlaps one of another name is not exposed", about="exposed_time")
def drops_what_overlaps(kernels, name):
    """Only the part that overlaps is hidden."""
    named, others = _split(kernels, name)
    return solved.exposed_time([one for one in named if not any(_overlap(one, other) for other in others)], name)


@believes("Only a kernel that is hidden from start to end counts as hidden", about="exposed_time")
def hides_whole_kernels_alone(kernels, name):
    """Each tick at which a kernel of another name runs is hidden."""
    named, others = _split(kernels, name)
    open_ones = [one for one in named if not any(o[2] <= one[2] and one[3] <= o[3] for o in others)]
    return solved.exposed_time(open_ones, name)


@believes("Only kernels on another stream hide", about="exposed_time")
def hides_across_streams_alone(kernels, name):
    """A kernel of another name hides on any stream."""
    named, others = _split(kernels, name)
    ticks = {
        tick
        for _, stream, start, end in named
        for tick in range(start, end)
        if not any(one[1] != stream and one[2] <= tick < one[3] for one in others)
    }
    return len(ticks)


@believes("Another kernel of the same name also hides", about="exposed_time")
def hides_behind_its_own_name(kernels, name):
    """Only kernels of other names hide."""
    ticks = range(max((end for *_, end in kernels), default=0))
    at_work = [[one[0] for one in kernels if one[2] <= tick < one[3]] for tick in ticks]
    return at_work.count([name])


@believes("A tick with two other kernels is subtracted twice", about="exposed_time")
def subtracts_each_overlap(kernels, name):
    """A tick is hidden or it is not: subtract it once."""
    named, others = _split(kernels, name)
    covered = solved.exposed_time(named, name)
    return covered - sum(
        solved.exposed_time(named, name) - solved.exposed_time([*named, other], name) for other in others
    )


@believes("The exposed time is the name's total minus that of all others", about="exposed_time")
def subtracts_totals(kernels, name):
    """Only kernels that run at the same time hide."""
    named, others = _split(kernels, name)
    covered = [solved.exposed_time([("", *one[1:]) for one in some], "") for some in (named, others)]
    return max(covered[0] - covered[1], 0)


@believes("The time between two kernels of the name is exposed", about="exposed_time")
def counts_pauses(kernels, name):
    """Only ticks at which one of them runs are exposed."""
    named, others = _split(kernels, name)
    if not named:
        return 0
    whole = (name, 0, min(one[2] for one in named), max(one[3] for one in named))
    return solved.exposed_time([whole, *others], name)


@believes("A name that does not occur raises an error", about="exposed_time")
def refuses_unknown_names(kernels, name):
    """Its time is 0."""
    if not _split(kernels, name)[0]:
        raise ValueError(name)
    return solved.exposed_time(kernels, name)


@believes("The result is a share", about="exposed_time")
def returns_a_share(kernels, name):
    """It is in ticks."""
    whole = takes_all_of_it(kernels, name)
    return solved.exposed_time(kernels, name) / whole if whole else 0.0


@believes("The result is the hidden time", about="exposed_time")
def returns_what_is_hidden(kernels, name):
    """It is the time in which only kernels of that name run."""
    return takes_all_of_it(kernels, name) - solved.exposed_time(kernels, name)


@believes("Any tick with kernels of one name is exposed", about="exposed_time")
def counts_every_name(kernels, name):
    """Only ticks of the given name count."""
    return sum(solved.exposed_time(kernels, other) for other in {one[0] for one in kernels})


@believes("A kernel still runs at its end", about="exposed_time")
def hides_one_tick_more(kernels, name):
    """It runs in [start, end): at the tick `end` it is over."""
    return solved.exposed_time([(*one[:3], one[3] + 1) for one in kernels], name)


@believes("Other kernels may be removed from the list", about="exposed_time")
def takes_the_others_out(kernels, name):
    """The list belongs to the caller: make a new one."""
    answer = solved.exposed_time(kernels, name)
    kernels[:] = [one for one in kernels if one[0] == name]
    return answer


@believes("A kernel whose name begins with the given one counts", about="exposed_time")
def asks_for_the_beginning(kernels, name):
    """reduce_scatter is not reduce: compare whole names."""
    return solved.exposed_time([(name if one[0].startswith(name) else one[0], *one[1:]) for one in kernels], name)


@believes("Each kernel takes at least one tick", about="exposed_time")
def hides_for_a_tick_at_least(kernels, name):
    """If it ends where it starts, it takes no time, and hides nothing."""
    longer = [(other, stream, start, max(end, start + 1)) for other, stream, start, end in kernels]
    return solved.exposed_time(longer, name)


@believes("A name of no letters is none", about="exposed_time")
def takes_no_letters_for_no_name(kernels, name):
    """It is a name like any other: look for kernels of it."""
    return solved.exposed_time(kernels, name) if name else 0
