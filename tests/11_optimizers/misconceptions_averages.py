"""Wrong answers that people give to kata 11 about averages."""
# mypy: ignore-errors

from dojo.judging.diagnose import believes, solution

solved = solution("11_optimizers")


def _checked(beta):
    if not 0 <= beta < 1:
        raise ValueError(beta)


def _averaged(values, beta, begin=0.0):
    averages = []
    m = begin
    for value in values:
        m = beta * m + (1 - beta) * value
        averages.append(m)
    return averages


@believes("The average begins with the first value", about="running_average")
def begins_with_the_first_value(values, beta, corrected=True):
    """It begins at 0, so that each new value counts 1 − beta, the first one too. The correction makes up for the 0."""
    _checked(beta)
    averages = _averaged(values, beta, values[0] if values else 0.0)
    return [m / 1 for m in averages]


@believes("The average begins with the first value", about="running_average")
def corrects_what_begins_with_the_first_value(values, beta, corrected=True):
    """It begins at 0, so that each new value counts 1 − beta, the first one too. The correction makes up for the 0."""
    _checked(beta)
    averages = _averaged(values, beta, values[0] if values else 0.0)
    weights = _averaged([1.0] * len(values), beta)
    return [m / weight if corrected else m / 1 for m, weight in zip(averages, weights, strict=True)]


@believes("Beta is the weight of the new value", about="running_average")
def weighs_the_new_value_by_beta(values, beta, corrected=True):
    """Beta is what stays of the old average; the new value gets the rest, 1 − beta."""
    _checked(beta)
    m = weight = 0.0
    averages = []
    for value in values:
        m = (1 - beta) * m + beta * value
        weight = (1 - beta) * weight + beta
        averages.append((m / weight if weight else 0.0) if corrected else m)
    return averages


@believes("An exponential average needs no correction", about="running_average")
def never_corrects(values, beta, corrected=True):
    """It begins at 0, and with a beta of 0.9 the first value counts a tenth. Corrected, m is divided by its weights."""
    return solved.running_average(values, beta, False)


@believes("An average is always corrected", about="running_average")
def always_corrects(values, beta, corrected=True):
    """corrected=False asks for m itself, as RMSProp uses it."""
    return solved.running_average(values, beta, True)


@believes("The first value needs no correction, and t counts from there", about="running_average")
def counts_from_zero(values, beta, corrected=True):
    """The first average needs it most: only 1 − beta of the value is in it. t is 1 there, not 0."""
    _checked(beta)
    averages = _averaged(values, beta)
    return [m / (1 - beta**t) if corrected and t and beta else m for t, m in enumerate(averages)]


@believes("The correction is the same for every value", about="running_average")
def divides_by_one_minus_beta(values, beta, corrected=True):
    """1 − beta is the sum of the weights after one value. After t values it is 1 − betaᵗ, which nears 1."""
    _checked(beta)
    return [m / (1 - beta if corrected else 1) for m in _averaged(values, beta)]


@believes("The next average goes on from the corrected one", about="running_average")
def feeds_the_corrected_one_back(values, beta, corrected=True):
    """m goes on uncorrected. The corrected value is only what is returned."""
    _checked(beta)
    m = 0.0
    averages = []
    for t, value in enumerate(values, 1):
        m = beta * m + (1 - beta) * value
        if corrected:
            m /= 1 - beta**t
        averages.append(m)
    return averages


@believes("Only the last average is asked for", about="running_average")
def returns_the_last_alone(values, beta, corrected=True):
    """The result has one average for each value."""
    return solved.running_average(values, beta, corrected)[-1:]


@believes("All values weigh the same", about="running_average")
def takes_the_mean(values, beta, corrected=True):
    """Earlier values count less: each value that comes later multiplies their weight by beta."""
    _checked(beta)
    return [sum(values[: t + 1]) / (t + 1) for t in range(len(values))]


@believes("The new value is added whole", about="running_average")
def adds_the_whole_value(values, beta, corrected=True):
    """Then it is a sum, as in SGD's momentum. In an average the new value counts 1 − beta."""
    _checked(beta)
    m = 0.0
    averages = []
    for t, value in enumerate(values, 1):
        m = beta * m + value
        averages.append(m / (1 - beta**t) if corrected else m)
    return averages


@believes("The correction divides by the power of beta", about="running_average")
def divides_by_the_power(values, beta, corrected=True):
    """betaᵗ is the weight that is left of the 0 at the beginning. The weights of the values add up to 1 − betaᵗ."""
    _checked(beta)
    return [m / beta**t if corrected and beta else m for t, m in enumerate(_averaged(values, beta), 1)]


@believes("Any beta makes an average", about="running_average")
def accepts_any_beta(values, beta, corrected=True):
    """With 1 nothing new counts, and beyond it old values grow: such a beta is refused with a ValueError."""
    m = weight = 0.0
    averages = []
    for value in values:
        m, weight = beta * m + (1 - beta) * value, beta * weight + (1 - beta)
        averages.append(m / weight if corrected and weight else m)
    return averages


@believes("A beta of 1 is the slowest average", about="running_average")
def accepts_a_beta_of_1(values, beta, corrected=True):
    """With 1 nothing new ever counts, and there are no weights to divide by. It is refused with a ValueError."""
    return [0.0] * len(values) if beta == 1 else solved.running_average(values, beta, corrected)


@believes("A beta of 0 is not allowed", about="running_average")
def refuses_a_beta_of_0(values, beta, corrected=True):
    """With 0 everything old is forgotten, and the values come back as they are. That is allowed."""
    if beta == 0:
        raise ValueError(beta)
    return solved.running_average(values, beta, corrected)


@believes("There is at least one value", about="running_average")
def asks_for_a_first_value(values, beta, corrected=True):
    """No values have no averages: the result is an empty list."""
    _ = values[0]
    return solved.running_average(values, beta, corrected)


@believes("There is at least one value", about="running_average")
def refuses_no_values(values, beta, corrected=True):
    """No values have no averages: the result is an empty list."""
    if not values:
        raise ValueError(values)
    return solved.running_average(values, beta, corrected)


@believes("Without values, beta does not matter", about="running_average")
def looks_at_values_first(values, beta, corrected=True):
    """A beta of 2 is refused in any call: check it before you look at the values."""
    return solved.running_average(values, beta, corrected) if values else []
