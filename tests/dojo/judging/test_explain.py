"""What explains a learner's answers: several telling calls, whatever else is wrong too, or nothing."""

import contextlib
import itertools
import math
import random

import pytest

from benchmarks import diagnosis as measured
from dojo.catalog import find
from dojo.judging.diagnose import Variant, combined, solution, variants, with_variant
from dojo.judging.explain import explanations
from dojo.judging.findings import Finding, diagnosis
from dojo.judging.kinds import kinds_in, loose
from dojo.judging.naming import named
from dojo.judging.property import properties as asking
from dojo.judging.replay import Replayed
from dojo.judging.verdict import Verdict
from dojo.seam.scenario import runs
from dojo.seam.seam import Stopped
from tests.dojo.judging.variants import is_dear

KATA = find("03")
BELIEFS = {
    variant.answer.__name__: variant
    for variant in variants(KATA.slug, "misconceptions")
    if variant.about == "matmul_flops"
}
HALF, BATCHES = BELIEFS["counts_multiply_adds"], BELIEFS["multiplies_both_batches"]
SHAPES = [((m, k), (k, n)) for m, k, n in ((2, 3, 4), (3, 2, 5), (4, 5, 2), (5, 4, 3))]
WITH_A_BATCH = [((3, *a), (3, *b)) for a, b in SHAPES]
EMPTY = [((0, k), (k, 2)) for k in (2, 3, 4)]


def asked(answer, cases):
    """What the seam records of an answer to matmul_flops."""
    answer.__module__ = HALF.answer.__module__
    seam = with_variant(KATA, Variant("matmul_flops", answer))
    for case in cases:
        with contextlib.suppress(Stopped):
            seam.call("matmul_flops", *case)
    return list(seam.calls)


def told(answer, *properties):
    """The names of the beliefs that explain an answer to these cases."""
    found = [explanations(KATA, "matmul_flops", asked(answer, cases)) for cases in properties]
    words = [belief for belief, _ in named([fits for fits in found if fits is not None])]
    return [name for word in words for name, variant in BELIEFS.items() if variant.belief == word]


def test_an_accepted_answer_beside_a_slip_hides_no_belief():
    """It may be the slip's, and neither the solution's nor the belief's: several answers may be right."""

    def slips(a, b):
        return HALF.answer(a, b) + 7 * (1 in a + b)

    calls = asked(slips, [*SHAPES, *(((1, k), (k, 2)) for k in (2, 3, 4))])
    accepted = [call for call in calls if 1 in call.args[0]]
    assert len(accepted) == 3
    (fit,) = (
        fit
        for fit in explanations(KATA, "matmul_flops", calls, accepted=accepted) or []
        if fit["beliefs"] == [[HALF.belief, HALF.advice]]
    )
    assert fit["telling"]["1"] == len(SHAPES)


def test_numbers_of_a_program_are_alike_whatever_their_type():
    """A float that is watched is nearly the int that it should be, as one that is returned is."""
    assert repr(loose({"bytes": 4, "sizes": (2, 3)})) == "{'bytes': 4.0, 'sizes': [2.0, 3.0]}"


def test_a_belief_shows_through_a_slip():
    """Of empty inputs nothing is concluded; of two kinds that are off, and of one call, neither."""

    def slips(a, b):
        return 7 if 0 in a + b else HALF.answer(a, b)

    assert told(slips, SHAPES + EMPTY) == ["counts_multiply_adds"]
    assert told(lambda a, b: slips(a, b) + (5 in a + b), [*SHAPES, ((7, 7), (7, 7)), ((7, 8), (8, 7)), *EMPTY]) == []
    assert told(slips, SHAPES[:1] + EMPTY) == []


@pytest.mark.parametrize(("as_solved", "holds", "is_named"), [(0, True, True), (0, False, False), (1, True, False)])
def test_where_a_property_holds_for_a_belief_too_other_right_answers_do_not_rule_it_out(as_solved, holds, is_named):
    """Unless the learner answers as the solution does where the belief does not."""
    told = explanations(KATA, "matmul_flops", asked(HALF.answer, SHAPES)) or []
    right = [solution(KATA.slug).matmul_flops(*case) for case in SHAPES[:as_solved]]
    also_right = iter([*right, *range(7, 7 + len(SHAPES))])
    calls = asked(lambda *_: next(also_right), SHAPES)
    found = explanations(KATA, "matmul_flops", calls, earlier=[told], holds=lambda belief: holds)
    assert (named([told, found or []]) != []) is is_named


def test_a_property_that_held_is_run_on_telling_beliefs_alone():
    """It takes as long as the property, and another belief would not be named anyway."""
    told = explanations(KATA, "matmul_flops", asked(HALF.answer, SHAPES)) or []
    other_right = iter(range(7, 7 + len(SHAPES)))
    calls, run_on = asked(lambda *_: next(other_right), SHAPES), set[str]()

    def holds(variant):
        run_on.add(variant.belief)
        return False

    explanations(KATA, "matmul_flops", calls, earlier=[told], holds=holds)
    assert run_on == {belief for fit in told if any(fit["telling"].values()) for belief, _ in fit["beliefs"]} != set()
    assert run_on < {belief for fit in told for belief, _ in fit["beliefs"]}


def test_a_float_for_an_int_hides_no_belief():
    """The number is the belief's."""
    assert told(lambda a, b: float(HALF.answer(a, b)), SHAPES) == ["counts_multiply_adds"]


@pytest.mark.parametrize(("off", "words"), [(1e-9, ["MFU is a percentage"]), (1e-4, [])])
def test_a_belief_shows_where_floats_are_rounded_otherwise(off, words):
    """As far as the properties allow it; a further difference is another mistake."""
    (percent,) = (variant for variant in variants(KATA.slug, "misconceptions") if variant.name == "mfu-returns_percent")

    def learners(*args):
        return percent.answer(*args) * (1 + off)

    learners.__module__ = percent.answer.__module__
    seam = with_variant(KATA, Variant("mfu", learners))
    for flops in (3e15, 5e15, 7e15, 9e15):
        seam.call("mfu", flops, 10.0, 1e15)
    assert [belief for belief, _ in named([explanations(KATA, "mfu", seam.calls) or []])] == words


def test_right_answers_are_no_evidence():
    """A belief may give them as well, where several answers are right."""
    calls = asked(HALF.answer, SHAPES)
    assert [belief for belief, _ in named([explanations(KATA, "matmul_flops", calls) or []])] == [HALF.belief]
    assert named([explanations(KATA, "matmul_flops", calls, accepted=calls) or []]) == []


def beside(number, name, slip, cases):
    """Whether a belief is named beside a slip, which is given what the believer answers, and the arguments."""
    kata = find(number)
    (belief,) = (variant for variant in variants(kata.slug, "misconceptions") if variant.name == name)

    def slips(*args):
        return slip(belief.answer(*args), args)

    slips.__module__ = belief.answer.__module__
    seam = with_variant(kata, Variant(belief.about, slips))
    for case in cases:
        with contextlib.suppress(Stopped):
            seam.call(belief.about, *case)
    fits = explanations(kata, belief.about, seam.calls)
    assert fits is not None
    words = [word for word, _ in named([fits])]
    assert words in ([], [belief.belief])
    return bool(words)


KEPT = [((size, 3), (3, 1), (size, -1)) for size in (2, 4, 5)]
OF_NOTHING = [((0,), (stride,), (0,)) for stride in (2, 3, 4)]


def test_a_belief_shows_in_what_it_refuses_beside_any_slip():
    """No slip in what is answered takes that away; a learner who refuses more may refuse it for another reason."""

    def at_0(came, args):
        return (7,) if 0 in args[0] else came

    def refuses_0(came, args):
        if 0 in args[0]:
            raise ValueError
        return came

    name = "expand_strides-refuses_minus_one"
    assert beside("02", name, at_0, KEPT + OF_NOTHING)
    assert beside("02", name, at_0, [((0, *a), (9, *b), (0, *c)) for a, b, c in KEPT] + OF_NOTHING)
    assert not beside("02", name, refuses_0, KEPT + OF_NOTHING)


@pytest.mark.parametrize(("calls", "is_named"), [(9, True), (8, False)])
def test_a_slip_mends_half_of_what_is_true_or_false(calls, is_named):
    """So nine calls are needed, and where the slip makes an answer right, that is chance."""
    gaps = [((2, size), (2 * size + 1, 2)) for size in range(3, 3 + calls)]
    edges = [((2, 2), (2, 0)), ((0,), (5,))]

    def flips(came, args):
        return came != (0 in (*args[0], *args[1]))

    assert beside("02", "is_contiguous-asks_only_for_falling_strides", flips, gaps + edges) == is_named


def test_a_large_count_shows_a_belief_beside_a_float():
    """As floats, what is believed and what is right would be alike."""
    large = [(prime * 10**8 + 1, prime * 10**8 + 3, prime * 10**8 + 7) for prime in (3, 5, 7)]

    def as_a_float(came, args):
        return float(came) if came < 2**53 else came

    assert beside("04", "linear_backward_flops-counts_in_a_float", as_a_float, [(2, 3, 4), (5, 3, 2), *large])


def test_a_belief_shows_beside_a_slip_where_it_answers_0():
    """Where 0 is right and the belief says otherwise, it tells."""
    beyond = [((0, size), (size, 1), offset) for size, offset in ((2, 3), (3, 4), (4, 5))]
    at_the_start = [((0, size), (size, 1)) for size in (2, 3, 4)]
    name = "storage_size-gives_the_empty_its_offset"
    assert beside("02", name, lambda came, args: came or 7, beyond + at_the_start)


def test_who_refuses_what_is_to_be_refused_does_not_believe_otherwise(monkeypatch):
    """The larger size wins where one is 1, and of all other sizes that differ none does."""
    about = "elementwise_flops"
    beliefs = {one.name: one for one in variants(KATA.slug, "misconceptions") if one.about == about}
    monkeypatch.setattr("dojo.judging.explain.variants", lambda *_: [beliefs[f"{about}-lets_the_larger_size_win"]])
    stretched = [((1,), (0,)), ((2, 1), (2, 0)), ((0, 3), (1, 3))]
    refused = [((2, 1), (3, 0)), ((1, 4), (0, 5)), ((2,), (3,))]
    evidence = []
    for cases in (stretched, refused):
        seam = with_variant(KATA, beliefs[f"{about}-stretches_0_to_1"])
        for shapes in cases:
            with contextlib.suppress(Stopped):
                seam.call(about, *shapes)
        evidence.append(explanations(KATA, about, seam.calls) or [])
    assert named(evidence[:1]) != []
    assert named(evidence) == []


def test_two_beliefs_are_named_together():
    """Where one lies on top of the other, and where each has calls of its own."""
    both = combined(KATA, HALF, BATCHES).answer
    assert told(both, SHAPES + WITH_A_BATCH) == ["counts_multiply_adds", "multiplies_both_batches"]
    unchecked = combined(KATA, HALF, BELIEFS["trusts_the_inner_sizes"]).answer
    refused = [((2, 3), (4, n)) for n in (2, 5, 7)]
    assert told(unchecked, SHAPES, refused) == ["counts_multiply_adds", "trusts_the_inner_sizes"]


def test_two_beliefs_are_named_though_they_cancel_out_somewhere():
    """With one input the adds of the bias are as many as half of the products."""
    half, bias = (
        next(one for one in variants(KATA.slug, "misconceptions") if one.name == f"linear_flops-{name}")
        for name in ("counts_multiply_adds_of_a_layer", "counts_the_bias")
    )
    seam = with_variant(KATA, combined(KATA, bias, half))
    for case in [((5, 1), 2), ((1,), 3), ((5, 2), 3), ((3, 4), 2), ((2, 3), 5)]:
        seam.call("linear_flops", *case)
    words = [belief for belief, _ in named([explanations(KATA, "linear_flops", seam.calls) or []])]
    assert words == [bias.belief, half.belief]


def test_a_belief_shows_where_vectors_fail_and_nothing_is_refused():
    """Both come of an answer that was made for matrices."""

    def for_matrices(a, b):
        return 2 * a[-2] * a[-1] * b[-1]

    refused = [((2, 3), (4, n)) for n in (2, 5, 7)]
    vectors = [((2, 3), (3,)), ((3,), (3, 4)), ((5,), (5,))]
    assert told(for_matrices, [*SHAPES, *WITH_A_BATCH, *vectors], refused) == ["counts_one_product"]


@pytest.mark.parametrize(("others", "again"), [(2, 1), (3, 0)])
def test_a_dear_program_is_run_again_only_where_other_calls_are_too_few(others, again):
    """Three different calls are enough."""
    ran = []

    @runs(lambda a, b: ("matmul_flops", [f"print(matmul_flops({a}, {b}))"]), dear=True)
    def program(module, a, b):
        ran.append(module)
        return module.matmul_flops(a, b)

    seam = with_variant(KATA, HALF)
    seam.run(program, *SHAPES[0])
    for case in SHAPES[:others]:
        seam.call("matmul_flops", *case)
    ran.clear()
    fits = explanations(KATA, "matmul_flops", list(seam.calls))
    assert fits is not None
    assert [belief for belief, _ in named([fits])] == [HALF.belief]
    assert bool(ran) == again


def test_a_belief_that_what_is_right_contradicts_is_not_named():
    """The learner halves one size alone."""
    assert told(lambda a, b: HALF.answer(a, b) * (1 if a[0] == 2 else 2), SHAPES + WITH_A_BATCH) == []


def judged(answer, *properties):
    """The beliefs that are named where properties, in this order, have these outcomes and ask these cases."""
    findings: list[Finding] = []
    for (outcome, cases), property in zip(properties, asking(KATA, ("cpu",), "matmul_flops"), strict=False):
        seam = with_variant(KATA, HALF)
        seam.calls.extend(asked(answer, cases))
        verdict = Verdict(outcome, function="matmul_flops" if outcome == "wrong" else "")
        findings.append(Finding.of(property, seam, verdict, tree="katas", earlier=findings))
    return [belief for belief, _ in diagnosis(["matmul_flops"], findings)]


def test_what_held_before_counts_against_a_belief():
    """The learner halves batches alone, and the property that draws none comes first."""

    def halves_batches(a, b):
        return HALF.answer(a, b) * (1 if len(a) == 3 else 2)

    assert judged(halves_batches, ("wrong", WITH_A_BATCH)) == [HALF.belief]
    assert judged(halves_batches, ("held", SHAPES), ("wrong", WITH_A_BATCH)) == []
    assert judged(halves_batches, ("held", WITH_A_BATCH[:1]), ("wrong", WITH_A_BATCH)) == [HALF.belief]


def test_what_may_be_the_slip_in_one_property_is_a_belief_that_others_show():
    """Where empty inputs are off, a single call with a 1 tells nothing; nor does it hide what others tell."""

    def slips(a, b):
        return 7 if 0 in a + b else HALF.answer(a, b)

    beside_a_slip = [((1, 7), (7, 1)), *EMPTY]
    assert judged(slips, ("wrong", beside_a_slip)) == []
    assert judged(slips, ("wrong", SHAPES), ("wrong", beside_a_slip)) == [HALF.belief]


def test_what_agrees_at_one_edge_alone_is_no_belief():
    """New dimensions of stride 1: of a view of one element, that of a whole tensor, and elsewhere not."""

    def strides_of_one(shape, strides, new_shape):
        return (1,) * (len(new_shape) - len(shape)) + strides

    strides_of_one.__module__ = HALF.answer.__module__
    strided = find("02")
    seam = with_variant(strided, Variant("expand_strides", strides_of_one))
    for size in (2, 3, 4, 5):
        seam.call("expand_strides", (), (), (7, size))
        seam.call("expand_strides", (size, 1), (1, 1), (7, size, 1))
    fits = explanations(strided, "expand_strides", seam.calls)
    assert fits is not None
    assert named([fits]) == []


def test_a_folder_says_nothing_of_a_call():
    """It has another name in each run, and the words of a pattern have not."""
    assert list(kinds_in(["/tmp/dojo-1ab2", "rows cols -> cols"])) == ["rows", "cols", "cols"]


def test_what_a_believer_gets_wrong_is_asked_only_where_nothing_explains_it_alone(monkeypatch):
    """It is needed for two beliefs together, and programs are dear."""
    asked_of = list[tuple[Variant, Variant]]()

    def possible(self, pairs):
        asked_of.extend(pairs)
        return []

    monkeypatch.setattr(Replayed, "possible", possible)
    assert told(HALF.answer, SHAPES) == ["counts_multiply_adds"]
    assert not asked_of
    assert told(lambda a, b: HALF.answer(a, b) + 1, SHAPES) == []
    assert asked_of


@pytest.mark.parametrize(
    ("kind", "name"),
    [("an empty input", "epoch_order-turns_the_order"), ("a missing check", "Loader-KeepsTheOrderInTheState")],
)
def test_a_slip_hides_no_belief_in_a_program(kind, name):
    """Programs of epoch_order call it with epoch 0 among others; those in parts are replayed as often as others."""
    (mistake,) = [one for one in measured.slips(find("10")) if (one.kind, one.made_of[0].name) == (kind, name)]
    assert measured.judged(find("10"), mistake).named == mistake.beliefs


LISTS = [([], {"()", "0"}), ([5], {"1"}), ([5, 0], {"0 as data"}), ([(5, 0)], {"1", "0"}), ((5,), {"(n,)"})]


@pytest.mark.parametrize(("value", "kinds"), LISTS)
def test_a_list_of_none_or_one_is_a_kind_of_its_own(value, kinds):
    """A list's length is a size of the input, too, and a number in it is not."""
    assert set(kinds_in(value)) == kinds


def test_the_slip_of_an_int_for_a_float_raises_nothing():
    """What no int can be stays as it is: an error would be another mistake."""
    slip = measured.SLIPS["an int for a float"](lambda x: x)
    assert repr([slip(x) for x in (2.0, 2.5, math.inf, math.nan, 3)]) == "[2, 2.5, inf, nan, 3.0]"


@pytest.mark.parametrize(("kind", "few", "least"), [("slips", 3, 0.9), ("pairs", 2, 0.7)])
def test_as_many_mistakes_are_named_as_the_table_says(slug, kind, few, least, long):
    """A share of those that benchmarks.diagnosis measures, and none by a belief that is not there.

    The share of pairs says something of forty, not of two.
    """
    kata = find(slug)
    if is_dear(kata) and not long:
        pytest.skip("its programs are dear: --long asks it")
    wanted = 40 if long else few
    mistakes = list(getattr(measured, kind)(kata))
    judged = ((mistake, measured.judged(kata, mistake)) for mistake in random.Random(0).sample(mistakes, len(mistakes)))
    found = list(itertools.islice(((mistake, result.named) for mistake, result in judged if result.counts), wanted))
    assert found or len(mistakes) < 20  # of a function or two, none may count
    assert [mistake for mistake, names in found if mistake.is_wrong(names)] == []
    if long or kind == "slips":
        assert sum(mistake.is_right(names) for mistake, names in found) >= least * len(found) - 1
