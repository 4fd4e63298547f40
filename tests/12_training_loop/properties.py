"""The properties of kata 12: each part of a training loop does what torch's own parts do, and the loop in their order.

The numbers of models and data are drawn from torch's generator. Two right orders of summation of a few float64 numbers
differ by some 1e-15 of them; a few steps, of AdamW too, make no more than 1e-12 of that.
"""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import Words, is_number, shown
from dojo.seam.seam import Raised

from . import scenarios, truth
from .strategies_accumulation import accumulations, alternates, as_split, refused_accumulations
from .strategies_counts import SOURCES, counted_models, refused_seeds, seeded_programs
from .strategies_evaluation import empty_evaluations, evaluations, failing_evaluations
from .strategies_gradients import gradients, refused_norms
from .strategies_losses import FLOAT32, FLOAT64, logits, refused_targets, refused_texts, texts
from .strategies_schedules import refused_schedules, schedules
from .strategies_training import micro_trainings, moded_trainings, spoiled_trainings, trainings
from .typed import GRADIENTS, MODES, SEEN

REL = 1e-9

# A model is made, run and trained twice, by the learner's function and by torch's parts; or six generators are seeded.
HALF = one_in(2)

# There are few kinds of them, and each is drawn often.
FEW = one_in(4)


def run(kata, function, program, device, rel=REL):
    """Run a program with the learner's function, and compare what it leaves with what torch's own parts leave."""
    lines, watched = program
    right = truth.program(function, lines, watched, device)
    expect_each(kata.run(scenarios.program, function, lines, watched, device), right, rel=rel)


def suppressed(program):
    """Return the program so that it goes on if its last line raises a ValueError."""
    lines, watched = program
    return [*lines[:-1], "with contextlib.suppress(ValueError):", f"    {lines[-1]}"], watched


def refuses(kata, function, lines, device, because):
    """Fail unless the program raises a ValueError."""
    expect_error(ValueError, kata.run, scenarios.program, function, lines, [], device, because=because)


@grades("seed_everything")
@HALF
@given(program=seeded_programs())
def test_seed_everything_seeds_all_three(kata, device, program):
    """random, numpy and torch each continue as after their own seeding, whatever was drawn before."""
    lines, watched = program
    cuda = ['torch.rand(2, device="cuda").cpu()'] if device.startswith("cuda") else []
    run(kata, "seed_everything", (lines, [*watched, *cuda]), device, 0.0)


@grades("seed_everything")
@FEW
@given(seed=refused_seeds())
def test_seed_everything_refuses_what_numpy_does_not_take(kata, seed):
    """A seed below 0 or above 2**32 - 1 raises a ValueError."""
    expect_error(ValueError, kata.seed_everything, seed, because="numpy takes 0 to 2**32 - 1")


@grades("seed_everything")
@FEW
@given(seed=refused_seeds())
def test_seed_everything_moves_nothing_that_it_refuses(kata, seed):
    """If the seed is refused, random, numpy and torch each continue as if it had not been tried."""
    lines = ["torch.manual_seed(1), np.random.seed(2), random.seed(3)"]
    lines += ["with contextlib.suppress(ValueError):", f"    seed_everything({seed})"]
    run(kata, "seed_everything", (lines, SOURCES), "cpu", 0.0)


@grades("count_parameters")
@given(program=counted_models())
def test_count_parameters_counts_each_once(kata, device, program):
    """Each parameter counts once, of any shape, trained or not. Buffers do not count, and the model does not change."""
    run(kata, "count_parameters", program, device)


@grades("cross_entropy")
@given(case=logits(FLOAT64))
def test_cross_entropy_is_torchs(kata, device, case):
    """The result is the mean of -log p(target) over the rows that are not ignored, and its gradient is right.

    Neither argument changes.
    """
    run(kata, "cross_entropy", (case.lines, case.watched), device, 1e-10)


@grades("cross_entropy", stays="the dtype that most training runs in; a wrong one there is mostly wrong in float64 too")
@HALF
@given(case=logits(FLOAT32))
def test_cross_entropy_keeps_float32(kata, device, case):
    """Loss and gradient have the dtype of the logits, and are right even where exp overflows in float32."""
    run(kata, "cross_entropy", (case.lines, case.watched), device, 1e-5)


@grades("cross_entropy")
@HALF
@given(shapes=refused_targets())
def test_cross_entropy_refuses_targets_that_do_not_fit(kata, device, shapes):
    """Targets whose shape is not logits.shape[:-1] raise a ValueError; nothing broadcasts."""
    made = f"torch.zeros({shapes[0]}, dtype=torch.float64), torch.zeros({shapes[1]}, dtype=torch.int64)"
    refuses(kata, "cross_entropy", [f"loss = cross_entropy({made})"], device, f"{shapes[1]} is not {shapes[0]}[:-1]")


@grades("perplexity")
@given(text=texts())
def test_perplexity_is_that_of_all_tokens_at_once(kata, text):
    """How the text is split into batches does not matter. A result that no float holds is inf; a nan loss gives nan."""
    expect(kata.perplexity(truth.losses(text), text.tokens), truth.perplexity(text), rel=REL)


@grades("perplexity")
@FEW
@given(case=refused_texts())
def test_perplexity_refuses_what_has_no_mean(kata, case):
    """No tokens at all, a negative number of tokens, or lists of different lengths raise a ValueError."""
    expect_error(ValueError, kata.perplexity, case.losses, case.tokens, because=case.because)


@grades("learning_rate")
@given(case=schedules())
def test_learning_rate_is_that_of_torchs_schedules(kata, case):
    """The rate goes up in a line to max_lr, down along a cosine to min_lr, and stays there."""
    for step in case.steps:
        answer = kata.learning_rate(step, *case.settings, **case.named)
        right = truth.learning_rate(step, case.max_lr, case.warmup_steps, case.total_steps, case.least)
        # Of max_lr: at the end of a cosine to 0 a rounding is all that is left.
        if not is_number(answer) or not abs(answer - right) <= REL * case.max_lr:
            raise Mismatch(answer, shown(right), "torch says" if step <= case.total_steps else "should be", right)


@grades("learning_rate")
@FEW
@given(case=refused_schedules())
def test_learning_rate_refuses_what_is_no_schedule(kata, case):
    """A ValueError is raised unless 0 <= warmup_steps < total_steps and step >= 0."""
    arguments, because = case
    expect_error(ValueError, kata.learning_rate, *arguments, because=because)


@grades("clip_gradients")
@given(case=gradients())
def test_clip_gradients_shortens_them_together(kata, device, case):
    """All gradients are multiplied by one factor, in place. The result is their norm before that."""
    run(kata, "clip_gradients", (case.lines, case.watched), device)


@grades("clip_gradients")
@FEW
@given(program=refused_norms())
def test_clip_gradients_refuses_a_negative_norm(kata, device, program):
    """A negative max_norm raises a ValueError."""
    refuses(kata, "clip_gradients", program[0], device, "max_norm is negative")


@grades("clip_gradients")
@FEW
@given(program=refused_norms())
def test_clip_gradients_changes_nothing_that_it_refuses(kata, device, program):
    """If max_norm is refused, each gradient is as if it had not been tried."""
    run(kata, "clip_gradients", suppressed(program), device, 0.0)


@grades("accumulate_gradients")
@HALF
@given(case=accumulations("modes"))
def test_accumulate_gradients_leaves_those_of_the_whole_batch(kata, device, case):
    """The gradients are those of one backward of the whole batch, and None for an unused or frozen parameter.

    Every module stays in its mode, also while rows go through model(...). Inputs and targets do not change.
    """
    watched = ["loss", GRADIENTS, MODES, SEEN, "x.requires_grad", "x", "y"]
    run(kata, "accumulate_gradients", (case.lines, watched), device)


@grades("accumulate_gradients")
@HALF
@given(case=accumulations("rows"))
def test_accumulate_gradients_holds_one_micro_batch_at_a_time(kata, device, case):
    """At most micro_batch rows go forward, and then backward, before the next ones do.

    Each row goes once through model(...), not model.forward(...), and no graph is kept for later.
    """
    goes_in_parts(kata, "accumulate_gradients", case, device)


def goes_in_parts(kata, function, case, device):
    """Fail unless each row goes through the model once, never more than micro_batch at a time, and no graph stays."""
    values = kata.run(scenarios.program, function, case.lines, ["seen"], device)
    seen = values["seen"] if type(values) is dict else values
    rows = sum(event for event in seen if event != "backward") if alternates(seen, case.micro_batch) else -1
    if rows != case.rows * case.batches:
        right = as_split(case.rows, case.micro_batch) * case.batches
        raise Mismatch(seen, shown(right), "for example", of="seen")


@grades("accumulate_gradients")
@FEW
@given(case=refused_accumulations())
def test_accumulate_gradients_refuses_what_has_no_rows(kata, device, case):
    """No rows, or a micro_batch below 1, raise a ValueError."""
    (lines, _), because = case
    refuses(kata, "accumulate_gradients", lines, device, because)


@grades("accumulate_gradients")
@FEW
@given(case=refused_accumulations())
def test_accumulate_gradients_changes_nothing_that_it_refuses(kata, device, case):
    """If the call is refused, each gradient is as if it had not been tried."""
    run(kata, "accumulate_gradients", suppressed(case[0]), device, 0.0)


@grades("evaluate")
@HALF
@given(program=evaluations())
def test_evaluate_is_the_mean_over_rows_and_changes_nothing(kata, device, program):
    """The model runs in eval mode and without gradients.

    Afterwards modes, gradients, buffers and random states are as before.
    """
    run(kata, "evaluate", program, device)


@grades("evaluate")
@HALF
@given(program=failing_evaluations())
def test_evaluate_changes_nothing_if_it_raises(kata, device, program):
    """Each module is in its earlier mode, and the caller gets the error of the model, of loss_of or of the batches."""
    run(kata, "evaluate", program, device)


@grades("evaluate")
@FEW
@given(lines=empty_evaluations())
def test_evaluate_refuses_no_batches(kata, device, lines):
    """No batches raise a ValueError, because there is no mean."""
    refuses(kata, "evaluate", lines, device, "there are no batches")


@grades("train")
@HALF
@given(program=trainings())
def test_train_takes_the_steps_of_a_plain_loop(kata, device, program):
    """Losses, parameters, optimizer states and learning rates are those of a plain loop with these parts in order."""
    run(kata, "train", program, device)


@grades("train")
@HALF
@given(program=moded_trainings())
def test_train_runs_every_module_in_training_mode(kata, device, program):
    """Every module is in training mode before each forward, whatever the batches did; each row goes through once."""
    run(kata, "train", program, device)


@grades("train")
@FEW
@given(case=micro_trainings())
def test_train_holds_one_micro_batch_at_a_time(kata, device, case):
    """At most micro_batch rows go forward, and then backward, before the next ones do.

    Each row goes once through model(...), not model.forward(...), and no graph is kept for later.
    """
    goes_in_parts(kata, "train", case, device)


@grades("train")
@HALF
@given(case=spoiled_trainings())
def test_train_stops_before_what_is_not_finite(kata, device, case):
    """A FloatingPointError names the step; parameters, optimizer and schedule are as the previous step left them."""
    due = f"FloatingPointError: the loss or the norm of step {case.step} is not finite"
    try:
        values = kata.run(scenarios.program, "train", case.lines, case.watched, device)
    except Raised as raised:
        raise Mismatch(raised.error, due, "should raise") from None
    named = values.get("named") if type(values) is dict else values
    if named is None:
        raise Mismatch(Words("no FloatingPointError was raised"), due, "should raise")
    if type(named) is not list or f"step {case.step}" not in named:
        raise Mismatch(named, shown([f"step {case.step}"]), "for example", of="named")
    expect_each(values, truth.program("train", case.lines, case.watched, device) | {"named": named}, rel=REL)
