"""Wrong answers that people give to kata 12 about schedules."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# learning_rate


def _check(step, warmup_steps, total_steps):
    if not 0 <= warmup_steps < total_steps or step < 0:
        raise ValueError(step)


def _cosine(done, max_lr, min_lr):
    return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * done)) / 2


def _done(step, warmup_steps, total_steps):
    return min(1.0, (step - warmup_steps) / (total_steps - warmup_steps))


@believes("The warm-up begins at 0", about="learning_rate")
def begins_at_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """A step with a rate of 0 is wasted: step 0 has max_lr / warmup_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * step / warmup_steps
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("The first step after the warm-up reaches max_lr", about="learning_rate")
def warms_up_one_step_longer(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The last step of the warm-up, warmup_steps - 1, has max_lr: the rate is max_lr · (step + 1) / warmup_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / (warmup_steps + 1)
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("The warm-up begins at min_lr", about="learning_rate")
def warms_up_from_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """min_lr is where the cosine ends; the warm-up starts at max_lr / warmup_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return min_lr + (max_lr - min_lr) * (step + 1) / warmup_steps
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("No rate is below min_lr, not even in the warm-up", about="learning_rate")
def holds_the_warm_up_above_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The first steps may be below min_lr; only the cosine ends there."""
    return max(min_lr, solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr))


@believes("The warm-up is a cosine, too", about="learning_rate")
def warms_up_by_a_cosine(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The warm-up is a straight line."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (1 - math.cos(math.pi * (step + 1) / warmup_steps)) / 2
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("At step warmup_steps the cosine has already begun to fall", about="learning_rate")
def is_one_step_ahead(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Step warmup_steps still has max_lr: the cosine starts there."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(_done(step + 1, warmup_steps, total_steps), max_lr, min_lr)


@believes("The cosine spans all steps, and the warm-up replaces its beginning", about="learning_rate")
def runs_the_cosine_from_step_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It spans the steps from warmup_steps to total_steps, so that it starts at max_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(_done(step, 0, total_steps), max_lr, min_lr)


@believes("total_steps does not include the warm-up", about="learning_rate")
def counts_after_the_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It does: the cosine has total_steps - warmup_steps."""
    _check(step, warmup_steps, total_steps)
    return solved.learning_rate(step, max_lr, warmup_steps, warmup_steps + total_steps, min_lr)


@believes("The last step has min_lr", about="learning_rate")
def ends_one_step_early(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Counted from 0 the last step is total_steps - 1; the cosine gets to min_lr at total_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(min(1.0, (step - warmup_steps) / max(1, total_steps - warmup_steps - 1)), max_lr, min_lr)


@believes("After total_steps the cosine goes on", about="learning_rate")
def rises_again(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It would rise again: from total_steps on the rate is min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine((step - warmup_steps) / (total_steps - warmup_steps), max_lr, min_lr)


@believes("After total_steps the rate is 0", about="learning_rate")
def ends_at_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The rate stays at min_lr."""
    rate = solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)
    return 0.0 if step >= total_steps else rate


@believes("After total_steps there is no rate", about="learning_rate")
def refuses_later_steps(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """A run may go on: the rate stays at min_lr."""
    if step >= total_steps:
        raise ValueError(step)
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)


@believes("min_lr is added to the whole cosine", about="learning_rate")
def adds_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Then it would start above max_lr: the height of the cosine is max_lr - min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return min_lr + _cosine(_done(step, warmup_steps, total_steps), max_lr, 0.0)


@believes("The cosine goes to 0, and min_lr cuts it off", about="learning_rate")
def cuts_off_at_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Then the rate would be flat long before the end: the whole cosine lies between max_lr and min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return max(min_lr, _cosine(_done(step, warmup_steps, total_steps), max_lr, 0.0))


@believes("min_lr is a fraction of max_lr", about="learning_rate")
def takes_the_floor_for_a_share(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """min_lr is a rate itself, as max_lr is."""
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, max_lr * min_lr)


@believes("A schedule ends at 0, whatever min_lr is", about="learning_rate")
def has_no_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The cosine ends at min_lr."""
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps)


@believes("The decay is linear", about="learning_rate")
def decays_in_a_line(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It is half a cosine: flat at both ends, and steepest in the middle."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return max_lr + (min_lr - max_lr) * _done(step, warmup_steps, total_steps)


@believes("The decay is a quarter of a cosine period, from 1 to 0", about="learning_rate")
def takes_a_quarter(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It is half a period, from 1 to -1, shifted and scaled to go from max_lr to min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return min_lr + (max_lr - min_lr) * math.cos(math.pi / 2 * _done(step, warmup_steps, total_steps))


@believes("math.cos takes degrees", about="learning_rate")
def counts_in_degrees(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It takes radians: half a turn is π."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return min_lr + (max_lr - min_lr) * (1 + math.cos(180 * _done(step, warmup_steps, total_steps))) / 2


@believes("A schedule may be warm-up only", about="learning_rate")
def takes_nothing_but_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """At least one step has to be left for the cosine: raise ValueError unless warmup_steps < total_steps."""
    if 0 <= step < warmup_steps == total_steps:
        return max_lr * (step + 1) / warmup_steps
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)


@believes("For settings that do not fit, a ZeroDivisionError will do", about="learning_rate")
def divides_by_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """`except ValueError` does not catch it, and within the warm-up nothing is raised at all: check first."""
    if not 0 <= warmup_steps <= total_steps or step < 0:
        raise ValueError(step)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("There is always a warm-up", about="learning_rate")
def divides_by_the_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """warmup_steps may be 0: then step 0 has max_lr."""
    if warmup_steps == 0 and total_steps > 0:
        raise ZeroDivisionError
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)


@believes("A negative step is as good as step 0", about="learning_rate")
def takes_negative_steps(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """There is no such step: raise ValueError."""
    return solved.learning_rate(max(step, 0), max_lr, warmup_steps, total_steps, min_lr)


@believes("A negative warmup_steps means no warm-up", about="learning_rate")
def takes_a_negative_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It is a mistake in the settings: raise ValueError."""
    return solved.learning_rate(step, max_lr, max(warmup_steps, 0), total_steps, min_lr)
