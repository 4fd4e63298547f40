"""Failures of every kind, each on one case that was chosen, and what is printed of them at 80 columns."""

import contextlib
from types import SimpleNamespace

from dojo.answers import Answers, load
from dojo.catalog import ROOT, find
from dojo.diagnose import solution, variants, with_variant
from dojo.expect import expect, expect_each, expect_error, grades
from dojo.findings import find as finding_of
from dojo.judge import verdict
from dojo.kata import Functions, Local
from dojo.report import render
from tests import scenarios, scenarios_loading, scenarios_saving, truth, truth_training
from tests.checkpoints import straight
from tests.training import everything

KATA = find("03")
SHAPES = (((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)))


@grades("matmul_flops")
def counts(kata, shapes=SHAPES[:1]):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for a, b in shapes:
        expect(kata.matmul_flops(a, b), truth.matmul_flops("cpu", a, b), "torch counts")


@grades("matmul_flops")
def counts_many(kata):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for a, b in reversed(SHAPES):
        kata.matmul_flops(a, b)
    counts(kata)


@grades("matmul_flops")
def refuses(kata):
    """Shapes that torch.matmul does not multiply are a ValueError."""
    expect_error(ValueError, kata.matmul_flops, (2, 3), (4, 5), because="the inner sizes are 3 and 4")


def answering(answer, line=21):
    """The seam for a file in which only matmul_flops is anything but the solution, defined in this line."""
    path = KATA.source(ROOT / "katas")
    module = SimpleNamespace(**vars(solution(KATA.slug)))
    module.matmul_flops = answer
    return Local(Answers(path, module, lines={"matmul_flops": line}), KATA.forbidden)


@grades("matmul_backward")
def differentiates(kata):
    """Each gradient is a product of grad_out with the other operand, added up over every use of the operand."""
    b, grad_out = "b = torch.arange(6.0).reshape(3, 2)", "grad_out = torch.ones(1).expand(4, 2, 2)"
    for a in ("a = torch.zeros(4, 2, 3)", "a = torch.arange(24.0).reshape(4, 2, 3)", "a = torch.ones(4, 2, 3)"):
        lines = [a, b, grad_out]
        grad_b = kata.run(scenarios.matmul_backward, lines, "cpu")[1]
    expect_each({"grad_b": grad_b}, {"grad_b": truth_training.matmul_gradients(lines, "cpu")[1]}, "autograd says")


@grades("AdaGrad")
def steps(kata):
    """Each element by its own sum of squares, in place, for each parameter that has a gradient."""
    for grad in (4.0, 2.0, 0.5):
        lines = ["a = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)"]
        lines += ["optimizer = AdaGrad([a], lr=0.5, eps=0.125)"]
        lines += [f"a.grad = torch.tensor([{grad}, -1.0], dtype=torch.float64)", "optimizer.step()"] * 2
        watched = ["a", "a.grad"]
        kata.run(scenarios.program, "AdaGrad", lines, watched, "cpu")
    seen = kata.run(scenarios.program, "AdaGrad", lines, watched, "cpu")
    expect_each(seen, truth_training.program(lines, watched, "cpu"), rel=1e-10)


@grades("save_checkpoint", "load_checkpoint")
def resumes(kata):
    """Parameters, buffers, optimizer, schedule and the next random numbers are those of a run in one go."""
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    for seed in (3, 2, 1):
        seen = kata.run(scenarios_saving.resumed, lines, seed, seed - 1, 0, "here", "cpu")
    expect_each(seen, everything(straight(lines, 1, 0, "cpu")), "in one go")


@grades("load_checkpoint")
def refuses_damage(kata):
    """A CheckpointError names the file; model, optimizer, schedule and random states are as before."""
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    for place in (3 * 2**14, 2**17, 0):
        seen = kata.run(scenarios_loading.refused, lines, 1, [("flipped", place)], "cpu")
    expect_each(seen, scenarios_loading.REFUSED, "should be")


def believing(slug, name):
    """The seam for the solution with the misconception of this name, as a learner's own file."""
    kata = find(slug)
    (variant,) = (variant for variant in variants(kata.misconceptions) if variant.name == name)
    module = with_variant(kata, variant).answers.module
    return Local(Answers(kata.source(ROOT / "katas"), module, lines=dict.fromkeys(kata.functions, 21)), kata.forbidden)


def told(test, seam):
    """What is printed when this one property is run on this seam."""
    return render([finding(test, seam)], width=80, colour=False, blocks=True)


def finding(test, seam):
    """What becomes of this one property on this seam."""
    kata = find(seam.answers.path.parent.name)
    failure = None
    try:
        test(Functions(seam))
    except Exception as error:
        failure = error
    found = verdict(failure, seam)
    if found is None:
        raise failure
    total = dict.fromkeys(test.grades, 1)
    return finding_of(kata, seam, found, tree="katas", test=test, place=0, device="", total=total)


def raises(a_shape, b_shape):
    """An answer that fails before it returns."""
    return a_shape[0] // 0


def unimportable(tmp_path):
    """The seam for a file with a syntax error."""
    folder = tmp_path / KATA.slug
    folder.mkdir()
    (folder / KATA.filename).write_text("def matmul_flops(a_shape, b_shape):\n    return (1\n", encoding="utf-8")
    with contextlib.chdir(tmp_path):
        return Local(load(KATA, tmp_path, "golden.unimportable"), KATA.forbidden)


CASES = {
    "wrong": (counts, lambda tmp: answering(lambda a, b: 24)),
    "wrong_type": (counts, lambda tmp: answering(lambda a, b: 48.0)),
    "nested_type": (counts, lambda tmp: answering(lambda a, b: (48, None))),
    "foreign_type": (counts, lambda tmp: answering(lambda a, b: range(48))),
    "raised": (counts, lambda tmp: answering(raises)),
    "not_refused": (refuses, lambda tmp: answering(lambda a, b: 80)),
    "raised_another": (refuses, lambda tmp: answering(raises)),
    "to_do": (counts, lambda tmp: Local(load(KATA, ROOT / "katas", "golden.stub"), KATA.forbidden)),
    "missing": (counts, lambda tmp: Local(Answers(KATA.source(ROOT / "katas"), SimpleNamespace()), ())),
    "cannot_import": (counts, unimportable),
    "diagnosed": (counts_many, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) // 2)),
    "not_diagnosed": (counts_many, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) + 7)),
    "too_few_to_diagnose": (counts, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) // 2)),
    "tensors": (differentiates, lambda tmp: believing("04", "matmul_backward-leaves_the_broadcast_batch")),
    "program": (steps, lambda tmp: believing("05", "AdaGrad-PutsEpsInsideTheRoot")),
    "together": (resumes, lambda tmp: believing("06", "load_checkpoint-restores_torchs_numbers_alone")),
    "damaged_file": (refuses_damage, lambda tmp: believing("06", "load_checkpoint-trusts_torch_load")),
    "done": (counts, lambda tmp: answering(solution(KATA.slug).matmul_flops)),
}
