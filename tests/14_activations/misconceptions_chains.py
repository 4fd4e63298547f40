"""Wrong answers that people give to kata 14 about chains of layers, and segments of them."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# peak_activations


def _checked(num_layers, segment):
    """Return the number of segments; the last one may be shorter."""
    solved.peak_activations(num_layers, segment)
    return -(-num_layers // segment)


@believes("The data is one of the results", about="peak_activations")
def counts_the_data_of_the_chain(num_layers, segment):
    """The data is not the result of a layer: the first segment's input does not count."""
    return solved.peak_activations(num_layers, segment) + (num_layers > 0)


@believes("The input of every segment counts", about="peak_activations")
def counts_each_segments_input(num_layers, segment):
    """The first segment's input is the data, which does not count."""
    return min(_checked(num_layers, segment) + segment, num_layers)


@believes("A shorter last segment is as long as the others", about="peak_activations")
def fills_the_last_segment(num_layers, segment):
    """When the shorter one is recomputed, fewer results exist.

    When the one before it is, the shorter one's input is gone: (5, 2) -> 3.
    """
    count = _checked(num_layers, segment)
    return count - 1 + min(segment, num_layers) if count else 0


@believes("Only the inputs of segments are held", about="peak_activations")
def counts_inputs_alone(num_layers, segment):
    """In the backward, the results of the segment that is recomputed are held too."""
    return max(_checked(num_layers, segment) - 1, min(num_layers, 1))


@believes("As many results are held as there are segments", about="peak_activations")
def counts_segments(num_layers, segment):
    """In the backward, a segment is recomputed, and its results are held besides the inputs."""
    return _checked(num_layers, segment)


@believes("Only the results of one segment are held", about="peak_activations")
def counts_one_segment(num_layers, segment):
    """The inputs of the segments before it are also held, until the backward reaches them."""
    _checked(num_layers, segment)
    return min(segment, num_layers)


@believes("Checkpoints change the time, not the peak", about="peak_activations")
def counts_every_layer(num_layers, segment):
    """Between forward and backward only the inputs of segments are held, and one segment is recomputed at a time."""
    _checked(num_layers, segment)
    return num_layers


@believes("A segment has its full length, however few layers there are", about="peak_activations")
def never_clamps(num_layers, segment):
    """There are no more results than layers: a longer segment covers the whole chain."""
    _checked(num_layers, segment)
    return max(num_layers // segment - 1, 0) + segment if num_layers else 0


@believes("segment is the number of segments", about="peak_activations")
def takes_a_number_of_segments(num_layers, segment):
    """It is the number of layers in each segment."""
    count = _checked(num_layers, segment)
    return solved.peak_activations(num_layers, count) if num_layers else 0


@believes("Recomputed results are held besides those of the forward", about="peak_activations")
def keeps_both_runs(num_layers, segment):
    """Those of the forward inside a segment are dropped before it is recomputed."""
    return min(solved.peak_activations(num_layers, segment) + min(segment, num_layers), 2 * num_layers)


@believes("The peak is in the last segment", about="peak_activations")
def looks_at_the_last_segment(num_layers, segment):
    """If the last segment is shorter, the one before it may hold more."""
    count = _checked(num_layers, segment)
    return count - 1 + num_layers - (count - 1) * segment if count else 0


@believes("The peak is in the first segment", about="peak_activations")
def looks_at_all_but_the_last(num_layers, segment):
    """When the first segment is recomputed, no other input is held: take the largest sum over all segments."""
    count = _checked(num_layers, segment)
    return max(count - 2, 0) + min(segment, num_layers) if num_layers else 0


@believes("A chain has at least one layer", about="peak_activations")
def refuses_no_layers(num_layers, segment):
    """num_layers may be 0, and then the peak is 0."""
    if num_layers == 0:
        raise ValueError("no layers")
    return solved.peak_activations(num_layers, segment)


@believes("A segment of 0 means that nothing is recomputed", about="peak_activations")
def takes_0_for_none(num_layers, segment):
    """There is no such segment: raise ValueError."""
    return num_layers if segment == 0 and num_layers >= 0 else solved.peak_activations(num_layers, segment)


@believes("A negative num_layers means no layers", about="peak_activations")
def takes_negatives_for_none(num_layers, segment):
    """There is no such chain: raise ValueError."""
    return solved.peak_activations(max(num_layers, 0), segment)


# best_segment


@believes("The best segment is √n, rounded down", about="best_segment")
def rounds_down(num_layers):
    """For 8 layers, segments of 2 have a peak of 5, and segments of 3 a peak of 4: round up."""
    solved.best_segment(num_layers)
    return math.isqrt(num_layers)


@believes("Two segments are best", about="best_segment")
def halves(num_layers):
    """Then half of the results are held at once. The sum of inputs and results is smallest for segments near √n."""
    solved.best_segment(num_layers)
    return max(num_layers // 2, 1)


@believes("The shorter the segments, the fewer results are held", about="best_segment")
def takes_single_layers(num_layers):
    """With segments of one layer, every result is the input of a segment, and is kept."""
    solved.best_segment(num_layers)
    return 1


@believes("The longer the segments, the fewer results are held", about="best_segment")
def takes_the_whole_chain(num_layers):
    """When the whole chain is one segment, all of its results are held in the backward."""
    solved.best_segment(num_layers)
    return num_layers


@believes("The best segment is √(2n)", about="best_segment")
def doubles_under_the_root(num_layers):
    """There are n / s inputs and s results: their sum is smallest when both are √n."""
    solved.best_segment(num_layers)
    return min(math.isqrt(2 * num_layers) + 1, num_layers)


@believes("The best segment is the logarithm of n", about="best_segment")
def takes_the_logarithm(num_layers):
    """Nested checkpoints lead to that; here n / s + s has to be small."""
    solved.best_segment(num_layers)
    return max(num_layers.bit_length() - 1, 1)


@believes("All segments have to have the same length", about="best_segment")
def divides_the_chain(num_layers):
    """The last one may be shorter: 13 is divisible only by 1 and 13, and neither is a good segment."""
    solved.best_segment(num_layers)
    return next(s for s in range(math.isqrt(num_layers), 0, -1) if num_layers % s == 0)


@believes("The result is the smallest peak", about="best_segment")
def returns_the_peak(num_layers):
    """The result is the segment that has the smallest peak."""
    return solved.peak_activations(num_layers, solved.best_segment(num_layers))


@believes("The segment may be a float", about="best_segment")
def returns_a_float(num_layers):
    """A segment is a whole number of layers: return an int."""
    solved.best_segment(num_layers)
    return math.sqrt(num_layers)


@believes("A segment has at least two layers", about="best_segment")
def takes_two_at_least(num_layers):
    """For a chain of one layer it is 1: no segment is longer than the chain."""
    return max(solved.best_segment(num_layers), 2)


@believes("Without layers, the segment is 1", about="best_segment")
def takes_no_layers(num_layers):
    """There is nothing to cut: raise ValueError."""
    return solved.best_segment(max(num_layers, 1))
