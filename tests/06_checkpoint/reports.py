"""Failures of kata 06 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from dojo.judging.expect import expect_each, grades
from tests.dojo.report.reported import believing, of

from . import programs_loading as loading
from . import programs_saving as saving
from . import properties
from .training import everything, straight

KATA = find("06")


@grades("save_checkpoint", "load_checkpoint")
def resumes(kata):
    """Parameters, buffers, optimizer, schedule and the next random numbers are those of a run in one go."""
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)"]
    lines += ["scheduler = StepLR(optimizer, step_size=2)"]
    for seed in (3, 2, 1):
        seen = kata.run(saving.resumed, lines, seed, seed, 0, (None, None), "cpu", False, ())
    expect_each(seen, everything(straight(lines, 1, 1, "cpu")), "in one go")


@grades("load_checkpoint")
def refuses_damage(kata):
    """A damaged file raises a CheckpointError that names it, and nothing changes. A whole file is loaded."""
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    for place in (3 * 2**14, 2**17, 0):
        seen = kata.run(loading.damaged_or_whole, lines, 1, [("flipped", place)], "cpu")
    properties.goes_right(seen)


PLAIN = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]

CASES = {
    "hidden_error": (
        of(
            properties.test_a_save_that_fails_leaves_the_checkpoint_that_was_there,
            lines=PLAIN,
            seed=1,
            fault=("unpicklable", 0),
        ),
        lambda tmp: believing(KATA, "save_checkpoint-hides_the_error"),
    ),
    "watched": (
        of(properties.test_at_every_moment_of_a_save_the_checkpoint_is_whole, lines=PLAIN, seed=1),
        lambda tmp: believing(KATA, "save_checkpoint-removes_the_old_one_first"),
    ),
    "changed": (
        of(properties.test_saving_changes_nothing, lines=PLAIN, seed=1, steps=0),
        lambda tmp: believing(KATA, "save_checkpoint-turns_training_off"),
    ),
    "silent_about_the_file": (
        of(properties.test_loading_refuses_what_is_no_whole_checkpoint, lines=PLAIN, seed=1, cases=[("empty", 0)]),
        lambda tmp: believing(KATA, "load_checkpoint-does_not_name_the_file"),
    ),
    "latest": (
        of(
            properties.test_the_latest_checkpoint_is_the_whole_one_with_the_highest_step,
            lines=PLAIN,
            seed=1,
            entries=[("step_9.pt", "whole", 9), ("step_10.pt", "whole", 10)],
            as_text=False,
            then="",
        ),
        lambda tmp: believing(KATA, "latest_checkpoint-sorts_by_name"),
    ),
    "together": (resumes, lambda tmp: believing(KATA, "load_checkpoint-leaves_the_schedule_at_the_start")),
    "damaged_file": (refuses_damage, lambda tmp: believing(KATA, "load_checkpoint-trusts_torch_load")),
}
