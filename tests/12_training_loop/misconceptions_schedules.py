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


@believes("The warm-up reaches max_lr one step after its end", about="learning_rate")
def warms_up_one_step_longer(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Its last step, warmup_steps - 1, has max_lr: (step + 1) / warmup_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / (warmup_steps + 1)
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("The warm-up begins at min_lr", about="learning_rate")
def warms_up_from_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """min_lr is where the cosine ends; the line goes up from 0, whose first step is max_lr / warmup_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return min_lr + (max_lr - min_lr) * (step + 1) / warmup_steps
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("No rate is below min_lr, the warm-up's neither", about="learning_rate")
def holds_the_warm_up_above_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The first steps may be below it; only the cosine ends there."""
    return max(min_lr, solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr))


@believes("The cosine warms up as well as it cools down", about="learning_rate")
def warms_up_by_a_cosine(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The warm-up is a straight line."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (1 - math.cos(math.pi * (step + 1) / warmup_steps)) / 2
    return _cosine(_done(step, warmup_steps, total_steps), max_lr, min_lr)


@believes("The cosine comes one step after the warm-up's end", about="learning_rate")
def is_one_step_ahead(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It begins at max_lr once more: step warmup_steps has gone none of its way."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(_done(step + 1, warmup_steps, total_steps), max_lr, min_lr)


@believes("The cosine goes over all steps, and the warm-up covers its beginning", about="learning_rate")
def runs_the_cosine_from_step_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It would begin in the middle: it goes from warmup_steps to total_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(_done(step, 0, total_steps), max_lr, min_lr)


@believes("total_steps are counted after the warm-up", about="learning_rate")
def counts_after_the_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The warm-up is a part of them: the cosine has total_steps - warmup_steps."""
    _check(step, warmup_steps, total_steps)
    return solved.learning_rate(step, max_lr, warmup_steps, warmup_steps + total_steps, min_lr)


@believes("The last step has min_lr", about="learning_rate")
def ends_one_step_early(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Counted from 0 the last step is total_steps - 1; the cosine gets to min_lr at total_steps."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine(min(1.0, (step - warmup_steps) / max(1, total_steps - warmup_steps - 1)), max_lr, min_lr)


@believes("Nobody asks for steps after the last", about="learning_rate")
def rises_again(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """A cosine comes back up, and torch's schedule with it: from total_steps on it is min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return _cosine((step - warmup_steps) / (total_steps - warmup_steps), max_lr, min_lr)


@believes("After the last step the rate is 0", about="learning_rate")
def ends_at_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It stays min_lr."""
    rate = solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)
    return 0.0 if step >= total_steps else rate


@believes("After the last step there is no rate", about="learning_rate")
def refuses_later_steps(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """A run may go on: the rate stays min_lr."""
    if step >= total_steps:
        raise ValueError(step)
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)


@believes("min_lr is added to the whole cosine", about="learning_rate")
def adds_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It would begin above max_lr: its height is max_lr - min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return min_lr + _cosine(_done(step, warmup_steps, total_steps), max_lr, 0.0)


@believes("The cosine goes to 0, and min_lr cuts it off", about="learning_rate")
def cuts_off_at_the_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It would be flat long before the end: the whole cosine lies between max_lr and min_lr."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return max(min_lr, _cosine(_done(step, warmup_steps, total_steps), max_lr, 0.0))


@believes("min_lr is a share of max_lr", about="learning_rate")
def takes_the_floor_for_a_share(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It is a rate, as max_lr is."""
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, max_lr * min_lr)


@believes("A schedule ends at 0, whatever min_lr is", about="learning_rate")
def has_no_floor(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """The cosine ends at min_lr."""
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps)


@believes("A decay is linear", about="learning_rate")
def decays_in_a_line(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It is half a cosine: flat at both ends, and steepest in the middle."""
    _check(step, warmup_steps, total_steps)
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    return max_lr + (min_lr - max_lr) * _done(step, warmup_steps, total_steps)


@believes("A quarter of the cosine goes from 1 to 0", about="learning_rate")
def takes_a_quarter(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It does, and ends in its steepest place; the schedule takes the half from 1 to -1, raised and halved."""
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


@believes("A schedule may be all warm-up", about="learning_rate")
def takes_nothing_but_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """At least one step has to be left for the cosine: raise ValueError unless warmup_steps < total_steps."""
    if 0 <= step < warmup_steps == total_steps:
        return max_lr * (step + 1) / warmup_steps
    return solved.learning_rate(step, max_lr, warmup_steps, total_steps, min_lr)


@believes("Division by 0 says enough of settings that do not fit", about="learning_rate")
def divides_by_0(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Who catches a ValueError catches no ZeroDivisionError, and within the warm-up nothing is raised: check first."""
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


@believes("A step before the first is as good as the first", about="learning_rate")
def takes_negative_steps(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """Nothing is trained there: raise ValueError."""
    return solved.learning_rate(max(step, 0), max_lr, warmup_steps, total_steps, min_lr)


@believes("A negative warm-up is none", about="learning_rate")
def takes_a_negative_warm_up(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    """It is a mistake in the settings: raise ValueError."""
    return solved.learning_rate(step, max_lr, max(warmup_steps, 0), total_steps, min_lr)
