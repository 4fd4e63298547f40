"""Which beliefs are named, of what explains the properties that failed."""

import pytest

from dojo.judging.findings import Finding, diagnosis
from dojo.judging.naming import named


def fit(words, telling, shown=False):
    """What beliefs of one word explain."""
    return {"beliefs": [[word, f"no {word}"] for word in words.split()], "telling": telling, "shown": shown}


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ([], ""),
        ([[]], ""),
        ([[fit("a", {"": 2})]], "a"),
        ([[fit("a", {"": 1})]], ""),
        ([[fit("a", {"": 2}), fit("b", {"": 2})]], ""),
        ([[fit("a", {"": 2}), fit("b", {"": 2})], [fit("a", {"": 0})]], "a"),
        ([[fit("a", {"": 2})], []], ""),
        ([[fit("a", {"0": 3})]], "a"),
        ([[fit("a", {"0": 2})]], ""),
        ([[fit("a", {"0": 3}), fit("b", {"1": 3})]], ""),
        ([[fit("a", {"0": 3}), fit("b", {"1": 4})]], "b"),
        ([[fit("a", {"0": 3})], [fit("a", {"1": 3})]], ""),
        ([[fit("a", {"0": 3})], [fit("a", {"": 3})]], "a"),
        ([[fit("a", {"0": 3})], [fit("a", {"refused": 0, "1": 3})]], "a"),
        ([[fit("a", {"0": 3})], [fit("a", {"1": 3})], [fit("a", {"refused": 3})]], ""),
        ([[fit("a", {"": 1})], [fit("a", {"refused": 3})]], "a"),
        ([[fit(word, {"amount": 3}) for word in "abc"], [fit("a", {"refused": 0})]], ""),
        ([[fit("a", {"0": 9}), fit("b", {"": 2})]], "b"),
        ([[fit(word, {"amount": 3}) for word in "abc"], [fit("a", {"": 0})]], "a"),
        ([[fit(word, {"amount": 2}) for word in "abc"], [fit("a", {"": 0})]], ""),
        ([[fit(word, {"amount": 3}) for word in "abc"], [fit("a", {"": 0}), fit("b", {"": 0})]], ""),
        ([[fit("a", {"amount": 4}), fit("b", {"amount": 3}), fit("c", {"amount": 3})]], ""),
        ([[fit("a", {"amount": 4}), fit("b", {"amount": 4})], [fit("a", {"": 0})]], ""),
        ([[fit("a", {"amount": 9}), fit("b", {"": 2}), fit("c", {"amount": 9}), fit("d", {"amount": 9})]], "b"),
        ([[fit("a b", {"": 2}), fit("a", {"0": 9}), fit("b", {})]], "a b"),
        ([[fit("a b", {"": 1}), fit("a", {"0": 2})]], ""),
        ([[fit("a b", {"": 2}), fit("a c", {"": 2})]], "a"),
        ([[fit("a", {"": 2}), fit("b", {})], [fit("a", {}), fit("b", {"": 2})]], "a b"),
        ([[fit("a", {"": 2}), fit("b", {})], [fit("b", {"": 2})]], ""),
        ([[fit("a b", {"": 2}), fit("b", {}, shown=True), fit("a", {})]], "b a"),
        ([[fit("a b", {"": 3})], [fit("a", {"refused": 0}), fit("b", {"refused": 0})]], "a b"),
        ([[fit("a b", {"": 2})], [fit("a", {"refused": 0}), fit("b", {"refused": 0})]], ""),
        ([[fit("a b", {"": 3})], [fit("a", {"0": 0}), fit("b", {"0": 0})]], "a b"),
        ([[fit("a b", {"0": 3})], [fit("a", {"1": 0}), fit("b", {"1": 0})]], ""),
        ([[fit("a b", {"0": 3}), fit("a c", {"1": 4})]], "a"),
        ([[fit("a b", {"": 3})], [fit("a", {"refused": 0})]], ""),
        ([[fit("a b", {"": 3}), fit("a c", {"": 3})], [fit(word, {"refused": 0}) for word in "abc"]], "a"),
        ([[fit("a b", {"": 3}), fit("c", {"0": 3})], [fit(word, {"refused": 0}) for word in "abc"]], "c"),
    ],
)
def test_what_is_named(evidence, words):
    """One that explains all, else two, else one beside a slip, or two beside one; nothing to guess."""
    assert [belief for belief, _ in named(evidence)] == words.split()


def finding(place, functions, blamed, fits, outcome="wrong"):
    """What became of a property of two functions of 06."""
    total = dict.fromkeys(functions, 1)
    return Finding("06_checkpoint", "katas", "test", place, "", functions, total, outcome, blamed, fits=fits)


def test_a_belief_about_another_function_has_to_explain_that_one_too():
    """Of what failed together, the belief may be about either."""
    story = finding(1, ["save", "load"], "", [fit("a", {"": 2})])
    assert [belief for belief, _ in diagnosis(["load"], [story])] == ["a"]
    assert diagnosis(["load"], [finding(0, ["save"], "save", []), story]) == []
    assert diagnosis(["load"], [finding(0, ["save"], "save", [fit("a", {"": 2})]), story]) != []
    assert diagnosis(["load"], [finding(0, ["latest"], "latest", []), story]) != []
