"""What a function answers rests on those of its file that it calls: on their mistakes, and on what is left to them."""

import textwrap
from dataclasses import replace

import pytest

from dojo.catalog import ROOT, find
from dojo.judging import helpers, replay
from dojo.judging.diagnose import solution
from dojo.judging.evidence import gather
from dojo.judging.explain import explanations
from dojo.judging.findings import Finding, diagnosis, settled
from dojo.judging.helpers import because, called, lent
from dojo.judging.profiles import quick
from dojo.judging.property import properties
from dojo.judging.verdict import run
from dojo.seam.local import for_file
from dojo.seam.seam import Call

KATA = find("10")
SOLVED = KATA.source(ROOT / "solutions").read_text(encoding="utf-8")
SHUFFLE = "return np.random.default_rng([seed, epoch]).permutation(num_windows).tolist()  # type: ignore[no-any-return]"
OTHER_SHUFFLE = """import random
    order = [*range(num_windows)]
    random.Random(f"{seed} {epoch}").shuffle(order)
    return order"""
SHARD = "return order[rank : len(order) // world_size * world_size : world_size]"
BLOCK = "return order[rank * (n := len(order) // world_size) : rank * n + n]"
EVERY_EPOCH = "epoch_order(self.num_windows, self.seed, self.epoch)"


def seam_of(folder, text):
    """The seam of a learner's file."""
    path = KATA.source(folder)
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return for_file(KATA, folder, "learners_helpers")


def judged(folder, function, *changes):
    """The findings of a function's properties, up to the first that fails, in the solution with changes."""
    text = SOLVED
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    seam = seam_of(folder, text)
    findings: list[Finding] = []
    for property in properties(KATA, ("cpu",), function):
        verdict = run(property.test, seam, device="cpu", seed=0, profile=quick(30))
        gather(property.test, seam, "cpu", verdict)
        findings.append(Finding.of(property, seam, verdict, tree="katas", earlier=findings))
        if verdict.outcome == "wrong":
            break
    return findings


def reasons(findings):
    """What the reports say after `because`."""
    return [line for finding in settled(findings) for label, line in finding.lines if label == "because"]


def test_a_report_names_the_wrong_function_that_is_called(tmp_path):
    """The loader is right but for the shard that it takes; the solution is itself again afterwards."""
    findings = judged(tmp_path, "Loader", (SHARD, BLOCK), (SHUFFLE, OTHER_SHUFFLE))
    assert reasons(findings) == []  # each rank takes its own block: the loader itself is right
    findings = judged(tmp_path / "wrong", "Loader", (SHARD, "return order"))
    assert findings[-1].outcome == "wrong"
    assert reasons(findings) == ["shard, which it calls, is wrong: mend that first"]
    assert diagnosis(["Loader"], findings) == []


def test_one_of_several_is_said_to_be_wrong_where_both_show(tmp_path):
    """Nothing says that an order which differs from the solution's is a right one."""
    findings = judged(tmp_path, "Loader", (SHARD, "return order"), (SHUFFLE, OTHER_SHUFFLE))
    assert reasons(findings) == ["epoch_order or shard, which it calls, is wrong: mend that first"]


def test_a_function_that_is_done_may_be_to_blame(tmp_path):
    """What it is called with may be none of what its own properties draw."""
    findings = judged(tmp_path, "Loader", (SHARD, "return order"))
    names = [one.name for one in properties(KATA, ("cpu",), "shard")]
    one = replace(findings[-1], functions=["shard"], outcome="held", total={"shard": len(names)}, because=[])
    done = [replace(one, property=name) for name in names]
    assert reasons([*findings, *done])[0] == "shard, which it calls, is to blame, though its own properties hold"
    assert reasons([*findings, *done[1:]])[0] == "shard, which it calls, is wrong: mend that first"


def test_what_is_left_to_a_helper_hides_no_belief(tmp_path):
    """The order of a seed is left to epoch_order; the belief is about the loader alone."""
    mistake = (EVERY_EPOCH, "epoch_order(self.num_windows, self.seed, 0)")
    findings = judged(tmp_path, "Loader", (SHUFFLE, OTHER_SHUFFLE), mistake)
    assert [belief for belief, _ in diagnosis(["Loader"], findings)] == ["One shuffled order is used in every epoch"]
    assert reasons(findings) == []


CALLING = """
    import functools
    from json import dumps as token_dtype

    def epoch_order(num_windows, seed, epoch):
        raise NotImplementedError("epoch_order")

    @functools.cache
    def shard(order, rank, world_size):
        return order

    def get_batch(*args):
        return "called by a function of a base class"

    def open_tokens(path, vocab_size):
        return token_dtype(path)

    def write_tokens(path, tokens, vocab_size):
        return write_tokens and tokens.prefetch()

    def prefetch(batches):
        return batches

    def between():
        return [open_tokens(path, 2) for path in ()]

    class Base:
        @staticmethod
        def first():
            return get_batch()

    class Loader(Base):
        @property
        def here(self):
            return between()

        def __next__(self):
            return shard((), 0, 1), epoch_order(1, 0, 0), Loader
"""


def test_helpers_are_the_functions_of_the_file_that_are_called(tmp_path):
    """By a method, a property, or a function between; not stubs, imports, methods of that name, or the function."""
    seam = seam_of(tmp_path, textwrap.dedent(CALLING))
    assert [*called(KATA, "Loader", seam)] == ["open_tokens", "get_batch", "shard"]
    assert [*called(KATA, "open_tokens", seam)] == []
    assert [*called(KATA, "write_tokens", seam)] == ["prefetch"]
    assert [*called(KATA, "document_mask", seam)] == []
    assert called(KATA, "", seam) == {}


def test_a_helper_that_does_not_end_ends_no_report(tmp_path, monkeypatch):
    """It is stopped, and nothing is said."""
    monkeypatch.setattr(helpers, "SECONDS", 0.1)
    monkeypatch.setattr(replay, "SECONDS", 0.1)

    def epoch_order(num_windows, seed, epoch):
        while True:
            pass

    findings = judged(tmp_path, "Loader", (SHARD, "return order"))
    assert findings[-1].outcome == "wrong"
    seam = seam_of(tmp_path / "again", SOLVED.replace(SHARD, "return order"))
    test = properties(KATA, ("cpu",), "Loader")[0].test
    verdict = run(test, seam, device="cpu", seed=0, profile=quick(10))
    assert verdict.call is not None
    assert because(KATA, verdict.call, {"epoch_order": epoch_order}) == []
    assert lent(KATA, {"epoch_order": epoch_order})(explanations)(KATA, "Loader", [verdict.call, *seam.calls]) is None


@pytest.mark.parametrize("call", [None, Call("shard", "", (), [0], None, ([0, 1], 0, 1), {})])
def test_without_helpers_nothing_is_because_of_them(call):
    """Neither without an example, nor for a function that calls none."""
    assert because(KATA, call, {}) == []


def test_an_answer_that_is_right_is_because_of_no_helper():
    """Something else of the example failed, such as a comparison with another call."""
    right = Call("shard", "shard([0, 1], 0, 2)", (), [0], None, ([0, 1], 0, 2), {})
    assert because(KATA, right, {"token_dtype": solution(KATA.slug).token_dtype}) == []
