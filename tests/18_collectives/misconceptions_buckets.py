"""Wrong answers that people give to kata 18 about gradients that travel together."""

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _buckets(sizes, indices, closes, opens=lambda held, size: False):
    """Buckets of these indices; one may begin before a gradient, or end with it."""
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
    """The backward pass makes the last one first."""
    return [[len(sizes) - 1 - index for index in bucket] for bucket in solved.gradient_buckets(sizes[::-1], cap)]


@believes("Buckets are filled forward and sent backward", about="gradient_buckets")
def reverses_the_buckets(sizes, cap):
    """They are filled in the order in which gradients come, so the first parameters may share a short one."""
    return [bucket[::-1] for bucket in begins_with_the_first(sizes, cap)[::-1]]


@believes("A bucket never holds more than cap", about="gradient_buckets")
def never_goes_beyond(sizes, cap):
    """The one that fills it may go beyond: a bucket is closed after it, not before."""
    return _buckets(sizes, _backward(sizes), lambda held: False, lambda held, size: held + size > cap)


@believes("A bucket of just cap bytes has room for one more", about="gradient_buckets")
def waits_for_more_than_cap(sizes, cap):
    """It is full with cap bytes."""
    return solved.gradient_buckets(sizes, cap + 1)


@believes("A gradient larger than a bucket travels alone", about="gradient_buckets")
def sends_large_ones_alone(sizes, cap):
    """It goes into the bucket that is open, and fills it."""
    return _buckets(sizes, _backward(sizes), lambda held: held >= cap, lambda held, size: size >= cap)


@believes("In a bucket the indices increase", about="gradient_buckets")
def sorts_each_bucket(sizes, cap):
    """They stand in the order in which gradients come."""
    return [sorted(bucket) for bucket in solved.gradient_buckets(sizes, cap)]


@believes("There is always a bucket", about="gradient_buckets")
def makes_one_of_nothing(sizes, cap):
    """Where there are no gradients there is none."""
    return solved.gradient_buckets(sizes, cap) or [[]]


@believes("After a full bucket comes another one", about="gradient_buckets")
def begins_one_too_many(sizes, cap):
    """Only if there is a gradient for it."""
    buckets = solved.gradient_buckets(sizes, cap)
    return [*buckets, []] if buckets and sum(sizes[index] for index in buckets[-1]) >= cap else buckets


@believes("Only full buckets are sent", about="gradient_buckets")
def leaves_the_last_ones(sizes, cap):
    """The last one is sent as it is: its gradients are needed too."""
    return [bucket for bucket in solved.gradient_buckets(sizes, cap) if sum(sizes[index] for index in bucket) >= cap]


@believes("A gradient of no bytes needs no bucket", about="gradient_buckets")
def leaves_empty_gradients_out(sizes, cap):
    """Each has its place, and they cost nothing."""
    found = [[index for index in bucket if sizes[index]] for bucket in solved.gradient_buckets(sizes, cap)]
    return [bucket for bucket in found if bucket]


@believes("A bucket holds the sizes of gradients", about="gradient_buckets")
def returns_bytes(sizes, cap):
    """It holds the indices of parameters."""
    return [[sizes[index] for index in bucket] for bucket in solved.gradient_buckets(sizes, cap)]


@believes("Indices count in the order in which gradients come", about="gradient_buckets")
def counts_from_the_last(sizes, cap):
    """They are those of the parameters: the first gradient is that of the last one."""
    return [[len(sizes) - 1 - index for index in bucket] for bucket in solved.gradient_buckets(sizes, cap)]


@believes("cap is a number of gradients", about="gradient_buckets")
def counts_gradients(sizes, cap):
    """It is bytes."""
    return solved.gradient_buckets([1] * len(sizes), cap)
