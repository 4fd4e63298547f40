"""Wrong answers that people give to kata 14 about chains of layers, and segments of them."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# peak_activations


def _checked(num_layers, segment):
    """The number of segments, of which the last may be shorter."""
    solved.peak_activations(num_layers, segment)
    return math.ceil(num_layers / segment)


@believes("The data is one of the results", about="peak_activations")
def counts_the_data_of_the_chain(num_layers, segment):
    """No layer has made it: the first segment's input does not count."""
    return solved.peak_activations(num_layers, segment) + (num_layers > 0)


@believes("Every segment has an input that counts, and a whole length", about="peak_activations")
def counts_each_segments_input(num_layers, segment):
    """The first segment's input is the data, which does not count."""
    return min(_checked(num_layers, segment) + segment, num_layers)


@believes("A shorter last segment is as long as the others", about="peak_activations")
def fills_the_last_segment(num_layers, segment):
    """While it is recomputed it has fewer results; while the one before it is, its input is gone: 10 in fives is 6."""
    count = _checked(num_layers, segment)
    return count - 1 + min(segment, num_layers) if count else 0


@believes("Only the inputs of segments are there", about="peak_activations")
def counts_inputs_alone(num_layers, segment):
    """In the backward a segment's own results are there as well."""
    return max(_checked(num_layers, segment) - 1, min(num_layers, 1))


@believes("As many results are there as there are segments", about="peak_activations")
def counts_segments(num_layers, segment):
    """So it is after the forward; in the backward a segment is recomputed, and its results are there as well."""
    return _checked(num_layers, segment)


@believes("One segment is there at a time", about="peak_activations")
def counts_one_segment(num_layers, segment):
    """And the inputs of those before it, which wait for their turn."""
    _checked(num_layers, segment)
    return min(segment, num_layers)


@believes("Checkpoints change the time, not the peak", about="peak_activations")
def counts_every_layer(num_layers, segment):
    """After the forward only the inputs of segments are there."""
    _checked(num_layers, segment)
    return num_layers


@believes("A segment is full, however few layers there are", about="peak_activations")
def never_clamps(num_layers, segment):
    """There are no more results than layers."""
    _checked(num_layers, segment)
    return max(num_layers // segment - 1, 0) + segment if num_layers else 0


@believes("segment is the number of segments", about="peak_activations")
def takes_a_number_of_segments(num_layers, segment):
    """It is how many layers each has."""
    _checked(num_layers, segment)
    return solved.peak_activations(num_layers, math.ceil(num_layers / segment)) if num_layers else 0


@believes("What is recomputed is there beside what was computed first", about="peak_activations")
def keeps_both_runs(num_layers, segment):
    """Of the first run the results inside a segment are gone."""
    return min(solved.peak_activations(num_layers, segment) + min(segment, num_layers), 2 * num_layers)


@believes("The last segment decides", about="peak_activations")
def looks_at_the_last_segment(num_layers, segment):
    """Where it is shorter, the one before it has more results."""
    count = _checked(num_layers, segment)
    return count - 1 + num_layers - (count - 1) * segment if count else 0


@believes("The first segment decides, since all of its results are there", about="peak_activations")
def looks_at_all_but_the_last(num_layers, segment):
    """When the first one is recomputed no other input is left. The largest sum counts."""
    count = _checked(num_layers, segment)
    return max(count - 2, 0) + min(segment, num_layers) if num_layers else 0


@believes("A chain has a layer at least", about="peak_activations")
def refuses_no_layers(num_layers, segment):
    """Of no layers there are 0 results."""
    if num_layers == 0:
        raise ValueError("no layers")
    return solved.peak_activations(num_layers, segment)


@believes("A segment of 0 means that nothing is recomputed", about="peak_activations")
def takes_0_for_none(num_layers, segment):
    """ValueError says that there is no such segment; a segment of num_layers is the whole chain."""
    return num_layers if segment == 0 and num_layers >= 0 else solved.peak_activations(num_layers, segment)


@believes("Fewer than no layers are none", about="peak_activations")
def takes_negatives_for_none(num_layers, segment):
    """ValueError says that there is no such chain."""
    return solved.peak_activations(max(num_layers, 0), segment)


# best_segment


@believes("The best segment is the root, rounded down", about="best_segment")
def rounds_down(num_layers):
    """8 layers in twos have a peak of 5, in threes of 4: round up."""
    solved.best_segment(num_layers)
    return math.isqrt(num_layers)


@believes("Two halves are best", about="best_segment")
def halves(num_layers):
    """Half of the results are still there. The sum of inputs and results is smallest near the root."""
    solved.best_segment(num_layers)
    return max(num_layers // 2, 1)


@believes("The shorter the segments, the less is there", about="best_segment")
def takes_single_layers(num_layers):
    """Then every result is the input of a segment, and is kept."""
    solved.best_segment(num_layers)
    return 1


@believes("The longer the segment, the less is there", about="best_segment")
def takes_the_whole_chain(num_layers):
    """When the whole chain is recomputed, all of its results are there."""
    solved.best_segment(num_layers)
    return num_layers


@believes("The best segment is the root of 2 n", about="best_segment")
def doubles_under_the_root(num_layers):
    """The inputs are n / s and the results s: the sum is smallest where both are √n."""
    solved.best_segment(num_layers)
    return min(math.isqrt(2 * num_layers) + 1, num_layers)


@believes("The best segment is the logarithm of n", about="best_segment")
def takes_the_logarithm(num_layers):
    """With segments of segments one comes to that; here it is n / s + s that has to be small."""
    solved.best_segment(num_layers)
    return max(num_layers.bit_length() - 1, 1)


@believes("All segments have to be of one length", about="best_segment")
def divides_the_chain(num_layers):
    """The last one may be shorter: of 13 layers, no segment but 1 and 13 divides them."""
    solved.best_segment(num_layers)
    if num_layers > 10**4:
        return math.isqrt(num_layers - 1) + 1
    return min((s for s in range(1, num_layers + 1) if num_layers % s == 0), key=lambda s: s + num_layers // s)


@believes("What is asked for is the smallest peak", about="best_segment")
def returns_the_peak(num_layers):
    """It is the segment that has it."""
    return solved.peak_activations(num_layers, solved.best_segment(num_layers))


@believes("A root is a float", about="best_segment")
def returns_a_float(num_layers):
    """A segment has a whole number of layers: an int."""
    solved.best_segment(num_layers)
    return math.sqrt(num_layers)


@believes("A segment has two layers at least", about="best_segment")
def takes_two_at_least(num_layers):
    """Of one layer it has one: no segment is longer than the chain."""
    return max(solved.best_segment(num_layers), 2)


@believes("No layers have a segment of 1", about="best_segment")
def takes_no_layers(num_layers):
    """ValueError says that there is nothing to cut."""
    return solved.best_segment(max(num_layers, 1))
