"""Wrong answers that people give to kata 18 about gradients that travel together."""

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _buckets(sizes, indices, closes, opens=lambda held, size: False):
    """Put these indices into buckets; one may begin before a gradient, or end with it."""
    buckets: list[list[int]] = []
    held, is_open = 0, False
    for index in indices:
        if not is_open or opens(held, sizes[index]):
            buckets.append([])
            held, is_open = 0, True
        buckets[-1].append(index)
        held += sizes[index]
        is_open = not closes(held)
    return buckets


def _backward(sizes):
    return range(len(sizes) - 1, -1, -1)


@believes("Gradients come in the order of the parameters", about="gradient_buckets")
def begins_with_the_first(sizes, cap):
    """The backward pass computes the last parameter's gradient first."""
    return [[len(sizes) - 1 - index for index in bucket] for bucket in solved.gradient_buckets(sizes[::-1], cap)]


@believes("Buckets are filled from the first parameter, and then reversed", about="gradient_buckets")
def reverses_the_buckets(sizes, cap):
    """They are filled from the last parameter, so the first parameters may be in the short bucket."""
    return [bucket[::-1] for bucket in begins_with_the_first(sizes, cap)[::-1]]


@believes("A bucket never holds more than cap", about="gradient_buckets")
def never_goes_beyond(sizes, cap):
    """It is closed after the gradient that brings it to cap bytes or more."""
    return _buckets(sizes, _backward(sizes), lambda held: False, lambda held, size: held + size > cap)


@believes("A bucket of exactly cap bytes is still open", about="gradient_buckets")
def waits_for_more_than_cap(sizes, cap):
    """It is full, and closed."""
    return solved.gradient_buckets(sizes, cap + 1)


@believes("A gradient of cap bytes or more has a bucket to itself", about="gradient_buckets")
def sends_large_ones_alone(sizes, cap):
    """It goes into the open bucket, and fills it."""
    return _buckets(sizes, _backward(sizes), lambda held: held >= cap, lambda held, size: size >= cap)


@believes("The indices in a bucket increase", about="gradient_buckets")
def sorts_each_bucket(sizes, cap):
    """They are in the order in which gradients come."""
    return [sorted(bucket) for bucket in solved.gradient_buckets(sizes, cap)]


@believes("There is at least one bucket", about="gradient_buckets")
def makes_one_of_nothing(sizes, cap):
    """Without gradients there is none."""
    return solved.gradient_buckets(sizes, cap) or [[]]


@believes("After a full bucket there is always another one", about="gradient_buckets")
def begins_one_too_many(sizes, cap):
    """There is one only if a gradient is left for it."""
    buckets = solved.gradient_buckets(sizes, cap)
    return [*buckets, []] if buckets and sum(sizes[index] for index in buckets[-1]) >= cap else buckets


@believes("A last bucket that is not full is left out", about="gradient_buckets")
def leaves_the_last_ones(sizes, cap):
    """Its gradients have to travel too."""
    return [bucket for bucket in solved.gradient_buckets(sizes, cap) if sum(sizes[index] for index in bucket) >= cap]


@believes("Gradients of 0 bytes are left out", about="gradient_buckets")
def leaves_empty_gradients_out(sizes, cap):
    """Each index is in a bucket."""
    found = [[index for index in bucket if sizes[index]] for bucket in solved.gradient_buckets(sizes, cap)]
    return [bucket for bucket in found if bucket]


@believes("A bucket lists the sizes", about="gradient_buckets")
def returns_bytes(sizes, cap):
    """It lists the indices of the parameters."""
    return [[sizes[index] for index in bucket] for bucket in solved.gradient_buckets(sizes, cap)]


@believes("Indices count from the last parameter", about="gradient_buckets")
def counts_from_the_last(sizes, cap):
    """They are those of the parameters in sizes."""
    return [[len(sizes) - 1 - index for index in bucket] for bucket in solved.gradient_buckets(sizes, cap)]


@believes("cap is a number of gradients", about="gradient_buckets")
def counts_gradients(sizes, cap):
    """It is a number of bytes."""
    return solved.gradient_buckets([1] * len(sizes), cap)


@believes("The first bucket is full at 1 MiB", about="gradient_buckets")
def begins_with_a_small_one(sizes, cap):
    """DistributedDataParallel has such a small first bucket by default; here each one is full at cap bytes."""
    first, *_ = solved.gradient_buckets(sizes, min(cap, 2**20)) or [[]]
    rest = solved.gradient_buckets(sizes[: len(sizes) - len(first)], cap)
    return [first, *rest] if first else rest


@believes("What a bucket holds can be counted in shares of cap", about="gradient_buckets")
def counts_shares(sizes, cap):
    """In floats six sixths add up to less than 1: add up whole bytes."""
    buckets: list[list[int]] = []
    share = 1.0
    for index in _backward(sizes):
        if share >= 1:
            buckets.append([])
            share = 0.0
        buckets[-1].append(index)
        share += sizes[index] / cap
    return buckets


@believes("The caller's sizes may be used up", about="gradient_buckets")
def takes_sizes_out(sizes, cap):
    """The caller still needs them: pop from a copy, or go through the indices."""
    buckets: list[list[int]] = []
    held = cap
    while sizes:
        if held >= cap:
            buckets.append([])
            held = 0
        held += sizes.pop()
        buckets[-1].append(len(sizes))
    return buckets


@believes("The caller's sizes may be reversed in place", about="gradient_buckets")
def turns_sizes_around(sizes, cap):
    """The caller still needs them in their order: use reversed(sizes) or sizes[::-1]."""
    sizes.reverse()
    return solved.gradient_buckets(sizes[::-1], cap)
