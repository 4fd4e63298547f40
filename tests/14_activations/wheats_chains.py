"""Right answers to kata 14 about chains of layers, segments, and what recomputing costs."""
# mypy: ignore-errors

import math
from collections import Counter

from dojo.judging.diagnose import answers

# peak_activations


@answers("peak_activations")
def peak_by_segments(num_layers, segment):
    if segment < 1 or num_layers < 0:
        raise ValueError("no such chain")
    count = -(-num_layers // segment)
    return max((place + min(segment, num_layers - place * segment) for place in range(count)), default=0)


@answers("peak_activations")
def peak_by_simulation(num_layers, segment):
    if not (num_layers >= 0 and segment > 0):
        raise ValueError
    there, most = set(), 0
    starts = list(range(0, num_layers, segment))
    for place in range(num_layers):
        there.add(place)
        most = max(most, len(there))
        if place % segment:
            there.discard(place - 1)
    there.discard(num_layers - 1)
    for start in reversed(starts):
        for place in range(start, min(start + segment, num_layers)):
            there.add(place)
            most = max(most, len(there))
        there -= {place for place in there if place >= start - 1}
        there |= {start - 1} if start else set()
    return most


@answers("peak_activations")
def peak_by_cases(num_layers, segment):
    if segment < 1:
        raise ValueError(f"segment {segment}")
    if num_layers < 0:
        raise ValueError(f"num_layers {num_layers}")
    if segment >= num_layers:
        return num_layers
    return segment + num_layers // segment - 1


# best_segment


@answers("best_segment")
def best_by_looking_around(num_layers):
    if num_layers < 1:
        raise ValueError
    near = math.isqrt(num_layers)
    candidates = [s for s in range(near - 3, near + 4) if 1 <= s <= num_layers]
    return sorted(candidates, key=lambda s: (peak_by_cases(num_layers, s), -s))[0]


@answers("best_segment")
def best_by_rounding_the_root(num_layers):
    if num_layers <= 0:
        raise ValueError("no layers")
    return round(num_layers**0.5)


@answers("best_segment")
def best_by_bisection(num_layers):
    assert isinstance(num_layers, int)
    if num_layers < 1:
        raise ValueError
    low, high = 0, num_layers
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle * middle >= num_layers else (middle, high)
    return high


# checkpointed_step_flops


@answers("checkpointed_step_flops")
def flops_by_products(batch, dims, recomputed=()):
    count = len(dims) - 1
    again = [False] * count
    for index in recomputed:
        if index < 0 or index >= count:
            raise ValueError(index)
        again[index] = True
    total = 0
    for place in range(count):
        product = 2 * batch * dims[place] * dims[place + 1]
        total += product  # forward
        total += product  # weight
        if place > 0:
            total += product  # input
        if again[place]:
            total += product
    return total


@answers("checkpointed_step_flops")
def flops_by_counting(batch, dims, recomputed=()):
    layers = range(len(dims) - 1)
    if set(recomputed) - set(layers):
        raise ValueError(f"{recomputed}")
    runs = Counter({layer: 3 if layer else 2 for layer in layers})
    runs.update(set(recomputed))
    return sum(2 * batch * dims[layer] * dims[layer + 1] * times for layer, times in runs.items())


@answers("checkpointed_step_flops")
def flops_by_passes(batch, dims, recomputed=()):
    pairs = list(zip(dims[:-1], dims[1:], strict=True))
    try:
        again = sum(pairs[i][0] * pairs[i][1] for i in {*map(range(len(pairs)).__getitem__, map(_checked, recomputed))})
    except IndexError:
        raise ValueError("no such layer") from None
    forward = sum(a * b for a, b in pairs)
    data = dims[0] * dims[1] if pairs else 0
    return 2 * batch * (forward + 2 * forward - data + again)


def _checked(index):
    if index < 0:
        raise ValueError(index)
    return index
