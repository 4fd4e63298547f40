"""Wrong answers that people give to kata 16 about scales that are chosen before."""
# mypy: ignore-errors

import math

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _told(amaxes, window, largest, scale_of, records=math.isfinite):
    """Return the scale of each step, by a function of what was recorded and of the last scale."""
    if window < 1:
        raise ValueError(window)
    recorded, used, scale = [], [], 1.0
    for amax in amaxes:
        scale = scale_of(recorded, scale)
        used.append(scale)
        if records(amax):
            recorded.append(amax)
    return used


@believes("A step's scale uses its own amax", about="delayed_scales")
def of_its_own(amaxes, window, largest=448.0):
    """It is not known yet: the scale comes from the steps before."""
    return solved.delayed_scales([*amaxes, 1.0], window, largest)[1:]


@believes("The first step's scale uses its own amax", about="delayed_scales")
def first_of_its_own(amaxes, window, largest=448.0):
    """Nothing is recorded before the first step: its scale is 1.0."""
    used = solved.delayed_scales(amaxes, window, largest)
    if amaxes and math.isfinite(amaxes[0]) and amaxes[0] > 0:
        used[0] = amaxes[0] / largest
    return used


@believes("The step before decides the scale", about="delayed_scales")
def of_the_last_step(amaxes, window, largest=448.0):
    """The largest amax of the window does, so that one small step does not lower the scale."""
    solved.delayed_scales([], window)
    return solved.delayed_scales(amaxes, 1, largest)


@believes("All steps so far decide the scale", about="delayed_scales")
def of_all_steps(amaxes, window, largest=448.0):
    """Steps before the window do not count, or one outlier would count forever."""
    solved.delayed_scales([], window)
    return solved.delayed_scales(amaxes, len(amaxes) + 1, largest)


@believes("The mean of the window decides the scale", about="delayed_scales")
def of_the_average(amaxes, window, largest=448.0):
    """The largest does: with the mean, larger steps would saturate."""

    def scale_of(recorded, scale):
        recent = recorded[-window:]
        return sum(recent) / len(recent) / largest if any(recent) else scale

    return _told(amaxes, window, largest, scale_of)


@believes("A window of n holds n + 1 steps", about="delayed_scales")
def one_step_more(amaxes, window, largest=448.0):
    """It holds the last n amaxes recorded before this step."""
    solved.delayed_scales([], window)
    return solved.delayed_scales(amaxes, window + 1, largest)


@believes("The step itself takes a place in the window", about="delayed_scales")
def one_step_less(amaxes, window, largest=448.0):
    """It is not recorded yet: the window holds `window` earlier steps."""
    solved.delayed_scales([], window)
    return solved.delayed_scales(amaxes, max(window - 1, 1), largest)


@believes("inf and nan take a place in the window", about="delayed_scales")
def bad_steps_take_a_place(amaxes, window, largest=448.0):
    """They are not recorded, so the window reaches further back."""

    def scale_of(recorded, scale):
        return max((amax for amax in recorded[-window:] if math.isfinite(amax)), default=0.0) / largest or scale

    return _told(amaxes, window, largest, scale_of, lambda _: True)


@believes("inf is recorded", about="delayed_scales")
def records_inf(amaxes, window, largest=448.0):
    """A scale of inf would make everything 0: it is not recorded."""

    def scale_of(recorded, scale):
        return max(recorded[-window:], default=0.0) / largest or scale

    return _told(amaxes, window, largest, scale_of, lambda amax: not math.isnan(amax))


@believes("nan is recorded", about="delayed_scales")
def records_nan(amaxes, window, largest=448.0):
    """It is not, and neither is inf."""

    def scale_of(recorded, scale):
        recent = recorded[-window:]
        return math.nan if any(map(math.isnan, recent)) else max(recent, default=0.0) / largest or scale

    return _told(amaxes, window, largest, scale_of, lambda amax: amax != math.inf)


@believes("An amax beyond float32 is inf", about="delayed_scales")
def leaves_out_what_float32_has_not(amaxes, window, largest=448.0):
    """amaxes are Python floats, which reach 1.8e308: ask with math.isfinite."""
    finite = [amax if amax < 2.0**128 else math.inf for amax in amaxes]
    return solved.delayed_scales(finite, window, largest)


@believes("An amax too small for float32 is 0", about="delayed_scales")
def takes_for_0_what_float32_has_not(amaxes, window, largest=448.0):
    """amaxes are Python floats, which reach down to 5e-324: only 0.0 is 0."""
    return solved.delayed_scales([0.0 if amax < 2.0**-149 else amax for amax in amaxes], window, largest)


@believes("inf or nan empties the window", about="delayed_scales")
def bad_steps_empty_the_window(amaxes, window, largest=448.0):
    """It is left out, and what was recorded before stays."""
    if window < 1:
        raise ValueError(window)
    recorded, used, scale = [], [], 1.0
    for amax in amaxes:
        scale = max(recorded[-window:], default=0.0) / largest or scale
        used.append(scale)
        recorded = [*recorded, amax] if math.isfinite(amax) else []
    return used


@believes("After inf or nan the scale changes, as in loss scaling", about="delayed_scales")
def backs_off(amaxes, window, largest=448.0):
    """Such an amax is not recorded: the window decides as before."""
    used = solved.delayed_scales(amaxes, window, largest)
    pairs = zip([0.0, *amaxes], used, strict=False)
    return [scale if math.isfinite(before) else scale * 2 for before, scale in pairs]


@believes("A 0 is not recorded", about="delayed_scales")
def leaves_zeros_out(amaxes, window, largest=448.0):
    """It is recorded, and takes a place in the window."""

    def scale_of(recorded, scale):
        return max(recorded[-window:], default=0.0) / largest or scale

    return _told(amaxes, window, largest, scale_of, lambda amax: amax > 0 and math.isfinite(amax))


@believes("A window of zeros sets the scale back to 1", about="delayed_scales")
def zeros_set_back(amaxes, window, largest=448.0):
    """The scale stays what it was."""
    return _told(amaxes, window, largest, lambda recorded, _: max(recorded[-window:], default=0.0) / largest or 1.0)


@believes("A window of zeros gives a scale of 0", about="delayed_scales")
def zeros_make_0(amaxes, window, largest=448.0):
    """Nothing can be divided by 0: the scale stays what it was."""
    return _told(
        amaxes,
        window,
        largest,
        lambda recorded, scale: max(recorded[-window:]) / largest if recorded else scale,
    )


@believes("The first scale is 0", about="delayed_scales")
def begins_at_0(amaxes, window, largest=448.0):
    """It is 1.0, until something is recorded."""
    if window < 1:
        raise ValueError(window)
    begun = [any(0 < amax < math.inf for amax in amaxes[:step]) for step in range(len(amaxes))]
    used = solved.delayed_scales(amaxes, window, largest)
    return [scale if has else 0.0 for scale, has in zip(used, begun, strict=True)]


@believes("A scale is largest / amax", about="delayed_scales")
def inverse_scales(amaxes, window, largest=448.0):
    """A stored number is multiplied by its scale to get it back: amax / largest."""
    return [1 / scale for scale in solved.delayed_scales(amaxes, window, largest)]


@believes("largest is always 448", about="delayed_scales")
def always_448(amaxes, window, largest=448.0):
    """448 is only its default."""
    return solved.delayed_scales(amaxes, window)


@believes("A scale never falls", about="delayed_scales")
def never_falls(amaxes, window, largest=448.0):
    """It falls when a large amax has left the window; otherwise small numbers would stay 0."""

    def scale_of(recorded, scale):
        return max(scale if recorded else 0.0, max(recorded[-window:], default=0.0) / largest) or 1.0

    return _told(amaxes, window, largest, scale_of)


@believes("The result also has a scale for the next step", about="delayed_scales")
def one_scale_more(amaxes, window, largest=448.0):
    """There are as many scales as amaxes."""
    return solved.delayed_scales([*amaxes, 0.0], window, largest)


@believes("A window of 0 is allowed", about="delayed_scales")
def takes_a_window_of_0(amaxes, window, largest=448.0):
    """There would be no steps to choose from: raise ValueError."""
    return [1.0] * len(amaxes) if window == 0 else solved.delayed_scales(amaxes, window, largest)


@believes("The sign of window does not matter", about="delayed_scales")
def takes_negative_windows(amaxes, window, largest=448.0):
    """A window below 1 is a mistake: raise ValueError."""
    return solved.delayed_scales(amaxes, window if window == 0 else abs(window), largest)


@believes("Without amaxes, window need not be checked", about="delayed_scales")
def looks_late_at_the_window(amaxes, window, largest=448.0):
    """A window below 1 is a mistake in any case: raise ValueError."""
    return solved.delayed_scales(amaxes, window, largest) if amaxes else []


@believes("amaxes may be emptied", about="delayed_scales")
def uses_up_amaxes(amaxes, window, largest=448.0):
    """The list belongs to the caller: iterate over it, and take nothing out."""
    scales = solved.delayed_scales(amaxes, window, largest)
    amaxes.clear()
    return scales
