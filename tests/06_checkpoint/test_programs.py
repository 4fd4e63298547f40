"""The programs of kata 06 as a report shows them at 80 columns, and what is said where nothing was saved."""

import inspect
from pathlib import Path

import pytest
import torch

from dojo.catalog import find
from dojo.judging.diagnose import solution
from dojo.seam.learner_file import compile_source, run
from dojo.seam.local import Local
from dojo.seam.seam import Functions, Raised, Todo
from tests.dojo.report.reported import handing_in

from . import programs_finding as finding
from . import programs_loading as loading
from . import programs_saving as saving
from .checkpoints import states
from .damage import DAMAGE, told_damage

COLUMNS = 64
"""What a report at 80 columns leaves for a line of a program."""
LATE = 999_999
"""A place of many digits."""


def test_no_comment_is_broken():
    """The rest of it would be code to whoever pastes the program."""
    cases = [(kind, LATE) for kind in DAMAGE]
    run = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    programs = [
        saving.saved.typed(run, 1, 2, "cpu"),
        saving.saved_and_watched.typed(run, 1),
        *(saving.saved_in_vain.typed(run, 1, fault, LATE) for fault in saving.FAULTS),
        saving.resumed.typed(run, 1, 2, 3, (300, 300), "cpu", True, ("lr",)),
        saving.story.typed(run, 1, [("flipped", "a", LATE), ("resume", "a", 0)]),
        loading.damaged_or_whole.typed(run, 1, cases, "cpu"),
        loading.flipped_in_turn.typed(run, 1, LATE, "cpu"),
        loading.evil_or_whole.typed(run, 1, [(kind, 0) for kind in loading.EVIL], "cpu"),
        loading.another_run_or_the_same.typed([(kind, run, run) for kind in loading.FITS], 1, "cpu"),
        *(
            finding.latest.typed(run, 1, [("checkpoint-100", "whole", 9), ("a", what, 100)], True, then)
            for what in finding.ENTRIES
            for then in ("", *finding.THEN)
        ),
    ]
    comments = [line for _, program, _ in programs for line in program.split("\n") if "#" in line]
    assert len(comments) > 2 * len(saving.FAULTS) + len(DAMAGE)
    assert [line for line in comments if len(line) > COLUMNS] == []
    assert told_damage("a", "flipped", 0) == "the first bit of a is flipped"


@pytest.mark.parametrize(
    ("save", "error"),
    [
        (lambda path, *_: None, "FileNotFoundError: save_checkpoint has left no file of that name"),
        (lambda path, *_: int("no"), "ValueError: invalid literal for int() with base 10: 'no'"),
    ],
    ids=["nothing", "an error"],
)
def test_where_nothing_was_saved_save_checkpoint_is_told_why(save, error):
    """In a program about another function, too."""
    run = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    with pytest.raises(Todo) as failed:
        Functions(handing_in(find("06"), save_checkpoint=save)).run(
            loading.damaged_or_whole, run, 1, [("empty", 0)], "cpu"
        )
    assert (failed.value.stub, str(failed.value.error)) == ("save_checkpoint", error)


@pytest.mark.parametrize(
    ("restored", "told"),
    [
        (lambda gradient: gradient, "are those of the saved run"),
        (torch.zeros_like, "are not those of the saved run"),
        (lambda gradient: None, "are not those of the saved run"),
    ],
    ids=["restored", "zeros", "none"],
)
def test_gradients_that_come_from_the_file_are_seen(restored, told):
    """The file is to hold none; whether a load leaves those of the model alone is open."""

    def save(path, model, optimizer, step, scheduler=None):
        gradients = {name: p.grad for name, p in model.named_parameters()}
        torch.save({"model": model.state_dict(), "gradients": gradients, "step": step}, path)

    def load(path, model, optimizer, scheduler=None):
        held = torch.load(path)
        model.load_state_dict(held["model"])
        for name, p in model.named_parameters():
            p.grad = restored(held["gradients"][name])
        return held["step"]

    run = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    functions = Functions(handing_in(find("06"), save_checkpoint=save, load_checkpoint=load))
    seen = functions.run(loading.damaged_or_whole, run, 1, [("whole", 0)], "cpu")
    assert states(seen, "seen")['the gradients after load_checkpoint("0.ckpt")'] == told


def test_a_digest_by_hash_does_not_hold_in_another_process():
    """Python seeds the hash of bytes in each process."""
    kata = find("06")
    digest, by_hash = "hashlib.sha256(content).digest()", "hash(content).to_bytes(32, 'big', signed=True)"
    sources = [inspect.getsource(solution(kata.slug)).replace(digest, made) for made in (digest, by_hash)]
    files = [compile_source(kata.source(Path()), source.encode()) for source in sources]
    right, wrong = [Functions(Local(run(file, kata, "submission.hashed"))) for file in files]
    lines = ["model = nn.Linear(3, 1)", "optimizer = SGD(model.parameters(), lr=0.1)", "scheduler = None"]
    asked = saving.resumed, lines, 1, 4, 1, (None, None), "cpu", False, ()
    resumed = right.run(*asked)
    assert isinstance(resumed, dict)
    assert resumed["the step that was returned"] == 4
    with pytest.raises(Raised, match="is no whole checkpoint"):
        wrong.run(*asked)
