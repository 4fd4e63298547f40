"""The seam and the comparison: what is data, what is the same, what an exception means."""

import io
import itertools
import math
from fractions import Fraction
from pickle import UnpicklingError
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from dojo.catalog import ROOT, CatalogError, find, read
from dojo.judging.expect import Mismatch, expect, expect_error, expect_floats
from dojo.judging.explain import explanations
from dojo.judging.outcomes import Outcome
from dojo.seam.data import DEPTH, Foreign, kind_of, plain, same, shown
from dojo.seam.learner_file import Answers, describe
from dojo.seam.local import Local
from dojo.seam.seam import Functions, Missing, Raised, Todo, Unreadable
from dojo.tools.hint import hints


class AlwaysEqual(int):
    """A number that claims to equal everything."""

    def __eq__(self, other):
        """Claim it."""
        return True

    def __hash__(self):
        """Needed beside __eq__."""
        return 0


def seam(**functions):
    """The local seam for a module with these functions, which this file stands for."""
    import pathlib

    module: Any = SimpleNamespace(**functions)
    return Local(Answers(pathlib.Path(__file__), module))


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (24.0, 24),
        (True, 1),
        (1, True),
        (AlwaysEqual(3), 24),
        (AlwaysEqual(5), 5),
        ([3, 1], (3, 1)),
        ((3, 1, 1), (3, 1)),
        ((), (3, 1)),
        ((3.0, 1), (3, 1)),
        (None, 0),
        ("24", 24),
        (float("nan"), 1.0),
        (10**400, 1.0),
        (True, 1.0),
        ({"a": 1}, {"b": 1}),
    ],
)
def test_what_is_alike_is_not_the_same(got, want):
    """Exact types, exact lengths, and no `__eq__` of anybody's."""
    assert not same(plain(got), want, rel=1e-12)
    with pytest.raises(Mismatch):
        expect(plain(got), want, rel=1e-12)


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (24, 24),
        ((3, (1, None)), (3, (1, None))),
        (2, 2.0),
        (1.0 + 1e-15, 1.0),
        (0, 0.0),
        ({"a": [1]}, {"a": [1]}),
        ([math.nan], [math.nan]),
    ],
)
def test_what_is_the_same(got, want):
    """An int stands for a float of its value, and a float may differ by rounding."""
    expect(plain(got), want, rel=1e-12)


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("value", [NAN, INF, -INF, 0.0, -0.0, 5e-324, [NAN, -0.0], (1, {"a": -0.0})], ids=shown)
def test_floats_are_the_same_to_the_bit(value):
    """NaN is NaN, also within lists and dicts."""
    expect_floats(plain(value), value)


@pytest.mark.parametrize(
    ("got", "want"),
    [(0.0, -0.0), (-0.0, 0.0), (0, -0.0), ([-0.0], [0.0]), (NAN, 0.0), (0.0, NAN), (INF, NAN), (1.0 + 1e-15, 1.0)],
    ids=shown,
)
def test_floats_that_differ_in_a_bit_are_not_the_same(got, want):
    """An int 0 has no sign: it is 0.0 and not -0.0."""
    expect_floats(0, 0.0)
    with pytest.raises(Mismatch):
        expect_floats(plain(got), want)


@pytest.mark.parametrize("rel", [0.0, 1e-12])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float64, torch.complex64])
def test_nan_is_nan_in_a_tensor_too(dtype, rel):
    """Where a right answer overflows, it is what torch gives; nothing else is NaN."""
    x = torch.tensor([NAN, INF, 1.0], dtype=dtype)
    expect(plain(x), x, rel=rel)
    expect_floats(plain(x), x)
    for got in ([NAN, INF, 2.0], [0.0, INF, 1.0], [NAN, NAN, 1.0], [INF, INF, 1.0]):
        with pytest.raises(Mismatch):
            expect(torch.tensor(got, dtype=dtype), x, rel=rel)


def test_a_zero_of_the_wrong_sign_is_told_beside_the_right_one():
    """Where == sees no difference, the message does."""
    with pytest.raises(Mismatch, match=r"got 0\.0, torch says -0\.0 and not 0\.0"):
        expect_floats(0.0, -0.0)
    with pytest.raises(Mismatch, match=r"torch says 1\.0$"):
        expect_floats(2.0, 1.0)


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (NAN, NAN), (1.0, NAN)], ids=shown)
def test_a_belief_answers_alike_to_the_bit(one, other):
    """NaN explains NaN, and a lost sign of zero is seen."""
    calls = []
    for answer in one, other:
        asked = seam(f=lambda answer=answer: answer)
        asked.call("f")
        calls.append(asked.calls[0])
    assert calls[0].same_outcome(calls[1]) == (shown(one) == shown(other))


def test_plain_data_is_copied_and_all_else_is_named_only():
    """Numbers of other types, foreign objects and lists without end become the name of their type."""
    inner = [1, 2]
    copied = plain((inner, {"k": 1.5}))
    inner.append(3)
    assert copied == ([1, 2], {"k": 1.5})
    assert plain(AlwaysEqual(3)) == Foreign(f"{__name__}.AlwaysEqual")
    assert plain(range(3)) == Foreign("range")
    endless: list[object] = []
    endless.append(endless)
    found: Any = plain(endless)
    for _ in range(DEPTH):
        found = found[0]
    assert isinstance(found, Foreign)


def test_values_are_shown_as_they_are_typed_and_never_too_long():
    """A huge number is told by its size, since Python refuses to write it."""
    assert shown((1,)) == "(1,)"
    assert shown([float("-inf"), -0.0]) == "[float('-inf'), -0.0]"
    assert shown([[2.5] * 300, [0] * 8]) == "[[2.5] * 300, [0, 0, 0, 0, 0, 0, 0, 0]]"
    assert shown([0.0] * 8 + [-0.0]) == f"[{'0.0, ' * 8}-0.0]"
    assert shown(10**5000) == "an integer of 16,610 bits"
    assert shown((10**5000,)) == "numbers too long to write"
    assert len(shown(tuple(range(1000)))) < 450
    assert kind_of((1, 2)) == "a tuple of ints"
    assert kind_of((1, 2.0)) == "a tuple of float and int"
    assert kind_of(Foreign("numpy.int64")) == "a numpy.int64"
    assert kind_of(None) == "None"


def test_arguments_cannot_be_changed_under_the_judge():
    """The learner's code gets copies."""
    given = ([1, 2],)
    seam(f=lambda xs: xs.clear()).call("f", *given)
    assert given == ([1, 2],)


def raise_it(error):
    """Raise it, from a line of this file."""
    raise error


def stub():
    """A stub."""
    raise NotImplementedError("stub")


def test_what_an_exception_means():
    """A stub's own raise is to do; the same error out of a library is a failure like others; sys.exit too."""
    import torch

    with pytest.raises(Todo) as todo:
        seam(f=stub).call("f")
    assert (todo.value.function, todo.value.stub) == ("f", "stub")
    int4: torch.dtype = vars(torch)["int4"]
    with pytest.raises(Raised, match="NotImplementedError"):
        seam(f=lambda: torch.empty(2, dtype=int4).clone()).call("f")
    with pytest.raises(Raised, match="SystemExit: 3"):
        seam(f=lambda: raise_it(SystemExit(3))).call("f")
    with pytest.raises(Missing):
        seam().call("f")
    with pytest.raises(Unreadable, match="one line"):
        Local(Answers(ROOT / "nowhere.py", None, "one line")).call("f")
    with pytest.raises(KeyboardInterrupt):
        seam(f=lambda: raise_it(KeyboardInterrupt())).call("f")


def test_an_error_is_known_by_its_class_or_a_subclass():
    """UnicodeError is a ValueError; a KeyError is not."""
    expect_error(ValueError, Functions(seam(f=lambda: raise_it(UnicodeError()))).f, because="it is")
    for wrong in (lambda: raise_it(KeyError()), lambda: 3):
        with pytest.raises(Mismatch):
            expect_error(ValueError, Functions(seam(f=wrong)).f, because="it is not")


def test_a_warning_of_the_learners_is_no_failure():
    """The run's filter makes warnings errors; a right answer may warn."""
    import warnings

    assert seam(f=lambda: warnings.warn("old", DeprecationWarning, stacklevel=1) or 3).call("f") == 3


@pytest.mark.parametrize(
    "shortcut",
    [
        "import torch",
        "from torch import nn",
        "from torch.nn import functional",
        "__import__('torch')",
        "import importlib; importlib.import_module('torch.nn')",
        "from importlib import import_module; import_module('torch')",
        "import sys; sys.modules['torch']",
    ],
)
def test_a_forbidden_module_is_absent_however_it_is_asked_for(shortcut):
    """And it is there again for the judge afterwards."""
    import sys

    scope: dict[str, Any] = {}
    exec(f"def f():\n    {shortcut}\n    return 3", scope)
    judged = seam(f=scope["f"])
    judged.forbidden = ("torch",)
    with pytest.raises(Raised):
        judged.call("f")
    assert "torch" in sys.modules
    judged.forbidden = ()
    assert judged.call("f") == 3


def test_the_record_is_bounded_and_holds_what_came():
    """The last 400 calls."""
    judged = seam(f=lambda n: n * 2)
    for n in range(500):
        judged.call("f", n)
    assert len(judged.calls) == 400
    assert (judged.calls[-1].written, judged.calls[-1].outcome) == ("f(499)", 998)


def test_fewer_than_three_different_calls_explain_nothing():
    """However often they are made."""
    kata = find("03")
    module: Any = SimpleNamespace(mfu=lambda *a: None)
    judged = Local(Answers(ROOT / "x.py", module))
    for _ in range(5):
        judged.call("mfu", 1, 2, 3)
        judged.call("mfu", 1, 2, 4)
    assert explanations(kata, "mfu", judged.calls) is None


@pytest.mark.parametrize("word", ["3", "03", "flops", "03_flops"])
def test_a_kata_is_found_by_any_of_its_names(word):
    """As a learner would type it."""
    assert find(word).slug == "03_flops"


def test_a_kata_that_is_none_is_an_error_that_lists_them():
    """One line, with every name."""
    with pytest.raises(CatalogError, match="unknown kata '99': expected one of 01_memory, 02_strides, "):
        find("99")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "is not valid TOML"),
        ("title = 'x'", "has no entry 'functions'"),
        ("[functions.f]\n", "no entry 'title'"),
        ("title = 'x'\n[functions]", "no entry 'question'"),
        ("title = 'x'\nfunctions = 3", "the wrong type"),
        ("title = 'x'\n[functions.f]\ntitle = 'f'\npoints = 1\nhints = 3", "the wrong type"),
    ],
)
def test_a_kata_toml_that_cannot_be_used_says_so(tmp_path, text, message):
    """With its path."""
    path = tmp_path / "kata.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError, match=message):
        read(path)


def test_hints_come_one_at_a_time_and_survive_a_spoiled_count(tmp_path):
    """One more each time, none more with --again, all three at the end."""
    kata, counts = find("03"), tmp_path / ".dojo" / "hints.json"
    of = [hint[:40] for hint in kata.functions["mfu"].hints]
    assert "none shown yet" in hints(kata, "mfu", True, counts)
    assert of[0] in hints(kata, "mfu", False, counts)
    assert of[1] not in hints(kata, "mfu", True, counts)
    assert of[1] in hints(kata, "mfu", False, counts)
    counts.write_text("no json", encoding="utf-8")
    assert of[1] not in hints(kata, "mfu", False, counts)
    for _ in range(5):
        everything = hints(kata, "mfu", False, counts)
    assert all(hint in everything for hint in of)
    assert "dojo hint 03 mfu" in hints(kata, None, False, counts)
    with pytest.raises(CatalogError, match="has no function 'mfv'"):
        hints(kata, "mfv", False, counts)


def test_a_property_that_fails_in_two_ways_is_told_by_one_of_them():
    """Wrong for some inputs and raising for others: the call that is shown is the one that the result belongs to."""
    from hypothesis import settings
    from hypothesis import strategies as st

    from dojo.judging.examples import given
    from dojo.judging.expect import grades
    from dojo.judging.profiles import register
    from dojo.judging.verdict import run

    register()
    judged = seam(f=lambda n: n + 1 if n % 2 else n // 0)

    @grades("f")
    @given(n=st.integers(0, 100))
    def property_(kata, n):
        """The number itself."""
        expect(kata.f(n), n)

    found = run(property_, judged, device="cpu", seed=0, profile=settings(settings.default, database=None))
    assert (found.outcome, found.function) == (Outcome.WRONG, "f")
    assert found.call is not None
    assert found.got == found.call.outcome


def test_an_answer_that_changes_its_mind_is_told_so():
    """The same call twice with two results is wrong, whatever they are."""
    from hypothesis import settings
    from hypothesis import strategies as st

    from dojo.judging.examples import given
    from dojo.judging.expect import grades
    from dojo.judging.verdict import run

    turns = itertools.count()
    judged = seam(f=lambda n: next(turns) % 3)

    @grades("f")
    @given(n=st.integers(0, 3))
    def property_(kata, n):
        """Nothing."""
        expect(kata.f(n), 0)

    found = run(property_, judged, device="cpu", seed=0, profile=settings(settings.default, database=None))
    assert (found.outcome, found.function) == (Outcome.WRONG, "f")


class Liar(type):
    """A class of classes that tells of others than they have."""

    __mro__ = property(lambda cls: (cls, ValueError, Exception, BaseException, object))
    __name__ = property(lambda cls: "ValueError")


def test_an_error_is_told_by_the_classes_that_python_keeps():
    """A class of classes may tell of others, and anybody may call a class ValueError."""
    liar = describe(Liar("Odd", (KeyError,), {})("text"), None)
    assert (liar.name, liar.bases[:2]) == ("Odd", ("Odd", "KeyError"))
    namesake = describe(type("ValueError", (Exception,), {})("text"), None)
    assert namesake.bases == ("your own ValueError", "Exception", "BaseException", "object")


def test_a_file_that_torch_does_not_load_is_told_by_the_reason():
    """What torch says begins with advice that no learner should take, and the reason comes lines later."""
    file = io.BytesIO()
    torch.save(Fraction(1, 2), file)
    file.seek(0)
    with pytest.raises(UnpicklingError) as raised:
        torch.load(file, weights_only=True)
    reason = "Unsupported global: GLOBAL fractions.Fraction was not an allowed global by default."
    assert describe(raised.value, None).message == reason
