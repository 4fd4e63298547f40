"""Failures of kata 06 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from dojo.judging.expect import expect_each, grades
from tests.dojo.report.reported import believing

from . import programs_loading as loading
from . import programs_saving as saving
from .training import everything, straight

KATA = find("06")


@grades("save_checkpoint", "load_checkpoint")
def resumes(kata):
    """Parameters, buffers, optimizer, schedule and the next random numbers are those of a run in one go."""
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)"]
    lines += ["scheduler = StepLR(optimizer, step_size=2)"]
    for seed in (3, 2, 1):
        seen = kata.run(saving.resumed, lines, seed, seed, 0, "cpu", "here")
    expect_each(seen, everything(straight(lines, 1, 1, "cpu")), "in one go")


@grades("load_checkpoint")
def refuses_damage(kata):
    """A CheckpointError names the file, and all is as before; a file that is whole is loaded."""
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    for place in (3 * 2**14, 2**17, 0):
        seen = kata.run(loading.damaged_or_whole, lines, 1, [("flipped", place)], "cpu")
    expect_each(seen, loading.right(seen), "should be")


CASES = {
    "together": (resumes, lambda tmp: believing(KATA, "load_checkpoint-leaves_the_schedule_at_the_start")),
    "damaged_file": (refuses_damage, lambda tmp: believing(KATA, "load_checkpoint-trusts_torch_load")),
}
