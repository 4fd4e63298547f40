"""The properties of kata 06: a run that is saved and loaded continues bit for bit, and nothing is lost on the way."""

import functools

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from dojo.judging.examples import Shrinking, given, one_in, run_state_machine
from dojo.judging.expect import Mismatch, expect_each, expect_that, grades
from dojo.seam.data import Words, shown

from . import programs_finding as finding
from . import programs_loading as loading
from . import programs_saving as saving
from .scenarios import NAME, OLDER, told_path
from .strategies import (
    PLACES,
    damages,
    evils,
    faults,
    flips,
    folders,
    kills,
    numbers,
    pairs,
    runs,
    seeds,
    settings,
    sizes,
    steps,
    thens,
)
from .training import everything
from .training import straight as run_straight

# A property here trains models, writes files and starts processes: some 50 ms an example in a jail. Each example
# looks at everything there is to see of a run, or at many files.
FEW = one_in(5)


@functools.lru_cache(maxsize=1000)
def _straight(lines, seed, steps, device, by_hand, after):
    return everything(run_straight(list(lines), seed, steps, device, by_hand=by_hand, after=after))


def straight(lines, seed, steps, device="cpu", by_hand=(), after=0):
    """Return everything there is to see of a run that took its steps in one go, settings changed after some."""
    return _straight(tuple(lines), seed, steps, device, by_hand, after)


@grades("save_checkpoint", "load_checkpoint")
@FEW
@given(
    lines=runs(),
    seed=seeds(),
    before=steps(5),
    after=steps(4),
    numbers=numbers(),
    forked=st.booleans(),
    by_hand=settings(),
)
def test_a_resumed_run_goes_on_to_the_bit(kata, device, lines, seed, before, after, numbers, forked, by_hand):
    """A resumed run has the parameters, buffers, optimizer, schedule and next random numbers of an unbroken run."""
    seen = kata.run(saving.resumed, lines, seed, before, after, numbers, device, forked, by_hand)
    expect_each(seen, {"the step that was returned": before if numbers[1] is None else numbers[1]}, "should be")
    expect_each(seen, {"os.listdir()": [NAME]}, "should be")
    as_in(seen, straight(lines, seed, before + after, device, by_hand, before), "in one go")


def as_in(seen, want, says):
    """Fail unless a run is as it should be, with nothing extra in its states."""
    expect_each(seen, want, says)
    for name in seen.keys() - want.keys():
        if name.startswith(("model", "optimizer", "scheduler", "gradients")):
            raise Mismatch(seen[name], "not there", says, of=name)


@grades("save_checkpoint")
@FEW
@given(lines=runs(), seed=seeds(), steps=steps(4))
def test_saving_changes_nothing(kata, device, lines, seed, steps):
    """Saving leaves model, gradients, optimizer, schedule, random states and other files as they were.

    It writes one file. If the path is a folder, it raises and writes none.
    """
    seen = kata.run(saving.saved, lines, seed, steps, device)
    files = sorted(["folder", NAME, *saving.NEIGHBOURS, *OLDER])
    right = {"os.listdir()": files, saving.CHANGED: [], saving.INTO_A_FOLDER: Words("raises")}
    expect_each(seen, right, "should be")


@grades("save_checkpoint")
@one_in(10)  # all moments of a save in each
@given(lines=runs(), seed=seeds())
def test_at_every_moment_of_a_save_the_checkpoint_is_whole(kata, lines, seed):
    """At every moment of a save, the file is the old checkpoint, if there was one, or the new one, whole."""
    right: dict[str, object] = {saving.WATCHED_FIRST: Words("is not there, then whole")}
    right |= {saving.WATCHED: Words("is whole")}
    expect_each(kata.run(saving.saved_and_watched, lines, seed), right, "should be")


@grades("save_checkpoint")
@one_in(6)
@given(lines=runs(), seed=seeds(), fault=faults())
def test_a_save_that_fails_leaves_the_checkpoint_that_was_there(kata, lines, seed, fault):
    """At every moment the file is the old checkpoint or the new one, whole. A save that raises leaves no other file."""
    seen = kata.run(saving.saved_in_vain, lines, seed, *fault)
    returns = Words("load_checkpoint returns 1, or 2 where the save came through")
    expect_that(isinstance(seen, dict), seen, returns, "should be")
    became, old = seen["the save"], seen["the old one"]
    if became != "killed":
        came = Words(f"the second save {became}, and {NAME} is {'still' if old else 'no longer'} the old one")
        right = Words(f"the second save raised, and {NAME} is still the old one")
        expect_that(old == (became == "raised"), came, right, "for example" if old else "should be")
    model = {name: want for name, want in straight(lines, seed, 1 if old else 2).items() if name.startswith("model")}
    expect_each(seen, model, f"at step {1 if old else 2}")
    if became != "killed":
        expect_each(seen, {"os.listdir()": [NAME]}, "should be")


def goes_right(seen):
    """Fail unless whole files were loaded and all others were refused."""
    right = {name: Words(text) if isinstance(text, str) else text for name, text in seen["right"].items()}
    expect_each(seen["seen"], right, "should be")


@grades("load_checkpoint")
@one_in(8)
@given(lines=sizes(), seed=seeds(), number=flips())
def test_loading_refuses_a_file_with_any_one_bit_flipped(kata, device, lines, seed, number):
    """A damaged file raises a CheckpointError that names it, and nothing changes. A whole file is loaded."""
    goes_right(kata.run(loading.flipped_in_turn, lines, seed, number, device))


@grades("load_checkpoint")
@one_in(8)
@given(lines=runs(), seed=seeds(), cases=damages())
def test_loading_refuses_what_is_no_whole_checkpoint(kata, device, lines, seed, cases):
    """A whole checkpoint is loaded. Any other file raises a CheckpointError that names it, and nothing changes."""
    goes_right(kata.run(loading.damaged_or_whole, lines, seed, cases, device))


@grades("load_checkpoint")
@one_in(8)
@given(lines=runs(True), seed=seeds(), cases=evils())
def test_loading_runs_nothing(kata, device, lines, seed, cases):
    """A file that would run code raises a CheckpointError, and its code is not run. A whole checkpoint is loaded."""
    goes_right(kata.run(loading.evil_or_whole, lines, seed, cases, device))


@grades("load_checkpoint")
@one_in(20)  # each has all ways not to fit
@given(pairs=pairs(), seed=seeds())
def test_loading_refuses_the_checkpoint_of_another_run(kata, device, pairs, seed):
    """Other names, shapes or parameter groups, or a missing schedule, raise a CheckpointError, and nothing changes."""
    goes_right(kata.run(loading.another_run_or_the_same, pairs, seed, device))


@grades("latest_checkpoint")
@one_in(3)
@given(lines=runs(), seed=seeds(), entries=folders(), as_text=st.booleans(), then=thens())
def test_the_latest_checkpoint_is_the_whole_one_with_the_highest_step(kata, lines, seed, entries, as_text, then):
    """The step in the file counts, not the name or the date.

    Anything that is not a whole checkpoint is skipped, and nothing changes.
    """
    seen = kata.run(finding.latest, lines, seed, entries, as_text, then)
    changes, second = finding.again(entries, then)
    finds(seen, "latest_checkpoint", entries, next(iter(finding.wholes(entries)), None))
    if changes:
        finds(seen, "the second look", entries, second)
    expect_each(seen, {"the code in an evil file": Words("was not run")}, "should be")
    expect_each(seen, {"changed by latest_checkpoint": [], "files that came, went or changed": []}, "should be")


def finds(seen, look, entries, latest):
    """Fail unless a look found the latest checkpoint, or a file of which it is open whether it is one."""
    found = [f"returns {name and told_path(name)}" for name in (latest, *finding.doubtful(entries, latest))]
    if not isinstance(seen, dict) or seen.get(look) not in found:
        expect_each(seen, {look: Words(found[0])}, "should be")


@grades("latest_checkpoint", stays="the only one that meets what a real crash leaves behind")
@one_in(12)
@given(lines=runs(), seed=seeds(), fault=st.one_of(kills(), faults()))
def test_the_latest_checkpoint_is_found_after_a_save_that_failed(kata, lines, seed, fault):
    """After a save that failed or was killed, the old or the new checkpoint is found. A partial one is skipped."""
    seen = kata.run(finding.latest_of_what_is_left, lines, seed, *fault)
    # A process killed just before the rename leaves a second whole checkpoint, the latest, under another name.
    killed = isinstance(seen, dict) and seen["the save"] == "killed"
    if not killed or seen["latest_checkpoint"] == "returns None":
        expect_each(seen, {"latest_checkpoint": Words(f"returns {told_path(NAME)}")}, "should be")


class Story(RuleBasedStateMachine):
    """A run that is saved, damaged, killed and resumed, compared at the end with one that never stopped."""

    def __init__(self, kata, shrinking):
        super().__init__()
        self.kata = kata
        self.shrinking = shrinking
        self.events = []
        self.whole = set()

    @initialize(lines=runs(), seed=seeds())
    def begin(self, lines, seed):
        """Make a run."""
        self.lines, self.seed = lines, seed

    @rule(steps=st.integers(1, 3))
    def train(self, steps):
        """Continue training."""
        self.events.append(("train", "", steps))

    @rule(name=st.sampled_from("ab"))
    def save(self, name):
        """Save without a fault."""
        self.events.append(("save", name, 0))
        self.whole.add(name)

    @rule(name=st.sampled_from("ab"), fault=faults())
    def save_with_a_fault(self, name, fault):
        """Save with a fault. A process that was killed has to start again."""
        self.events.append((fault[0], name, fault[1]))
        if fault[0].startswith("killed"):
            self.resume(name)

    @precondition(lambda self: self.whole)
    @rule(place=PLACES)
    def damage(self, place):
        """Flip a bit of a file that was whole."""
        name = min(self.whole)
        self.whole.remove(name)
        self.events.append(("flipped", name, place))

    @rule(name=st.sampled_from("ab"))
    def resume(self, name):
        """Make everything anew, and resume from a checkpoint."""
        self.events.append(("resume", name, 0))

    def teardown(self):
        """Run the story, and compare what became of it."""
        if self.events:
            with self.shrinking.asking((self.lines, self.seed, self.events)) as asks:
                if asks:
                    seen = self.kata.run(saving.story, self.lines, self.seed, self.events)
                    compare(seen, self.lines, self.seed, self.events)


def compare(seen, lines, seed, events):
    """Fail unless each resume finds what was saved or a CheckpointError, and everything is as in an unbroken run."""
    seen = iter(seen)
    resumed: list[str] = []
    often = {name for what, name, _ in events if what == "resume" and events.count((what, name, 0)) > 1}
    step: int | None = 0
    files: dict[str, set[int | None]] = {"a": {None}, "b": {None}}  # steps that it may hold, None: no whole checkpoint
    for what, name, number in events:
        if what == "train":
            step += number
        elif what == "save":
            files[name] = {step}
        elif what == "flipped":
            files[name] = {None}
        elif what == "resume":
            at = next(seen)
            resumed.append(name)
            call = f"call {resumed.count(name)} of " * (name in often) + f'load_checkpoint("{name}")'
            step = at["load_checkpoint"]
            if step == "raises CheckpointError":
                step = None
            if type(step) not in (int, type(None)) or step not in files[name]:
                right = " or ".join(loading.REFUSED if may is None else f"returns {may}" for may in files[name])
                raised = str(at["load_checkpoint"]).startswith("raises ")
                came = at["load_checkpoint"] if raised else f"returns {shown(at['load_checkpoint'])}"
                raise Mismatch(Words(f"{call} {came}"), f"{call} {right}", "should be")
            files[name] = {step}
            if step is not None:
                as_in(at, straight(lines, seed, step), f"at step {step}")
            step = step or 0
        else:
            became = next(seen)["the save"]
            files[name] = {"raised": files[name], "returned": {step}}.get(became, files[name] | {step})


@grades("save_checkpoint", "load_checkpoint")
def test_a_story_of_crashes_ends_like_a_run_that_never_stopped(kata):
    """Whatever saves, damage, kills and resumes come in between, the run ends like one that never stopped."""
    # An example is a story of up to seven events, each as expensive as an example of the other properties.
    shrinking = Shrinking()
    run_state_machine(lambda: Story(kata, shrinking), one_in=8, steps=7)
