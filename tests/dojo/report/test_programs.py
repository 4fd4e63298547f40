"""What the seam does for tensors, classes and programs, and what is absent behind it."""

import pathlib
import runpy
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from dojo.catalog import find
from dojo.judging.diagnose import marked
from dojo.judging.examples import share
from dojo.judging.expect import Mismatch, expect_each, grades
from dojo.judging.outcomes import Outcome
from dojo.judging.verdict import verdict
from dojo.seam.data import Foreign, Words, kind_of, plain, same, shown
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local
from dojo.seam.scenario import runs
from dojo.seam.seam import Missing, Raised, Todo

FORBIDDEN = ("torch.autograd", "torch.func", "torch.Tensor.backward", "torch.optim.*")


def seam(*forbidden, **names):
    """The local seam for a module with these names, which this file stands for."""
    module: Any = SimpleNamespace(**names)
    return Local(Answers(pathlib.Path(__file__), module), forbidden)


def tensor(*values, **kind):
    """A tensor of these numbers."""
    return torch.tensor(values, **kind)


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (tensor(1.0), tensor(1.0, dtype=torch.float64)),
        (tensor(1.0, 2.0), tensor(1.0)),
        (tensor(1.0), torch.tensor(1.0)),
        (tensor(1.0), tensor(1.001)),
        (tensor(float("nan")), tensor(1.0)),
        (tensor(1.0), tensor(float("nan"))),
        (torch.empty(0, 2), torch.empty(0, 3)),
        (1.0, torch.tensor(1.0)),
        (torch.nn.Parameter(tensor(1.0)), tensor(1.0)),
        (tensor(1.0).to_sparse(), tensor(1.0)),
        (tensor(1.0).to("meta"), tensor(1.0)),
        ((tensor(1.0), tensor(2.0)), (tensor(2.0), tensor(1.0))),
        (torch.float32, torch.float64),
        (torch.float32, "torch.float32"),
    ],
)
def test_what_is_alike_is_not_the_same_tensor(got, want):
    """Another dtype, shape, value, subclass or layout is another answer, with a tolerance and without."""
    assert not same(plain(got), want, rel=1e-9)
    assert not same(plain(got), want)


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (torch.arange(6.0).reshape(2, 3).mT, tensor([0.0, 3.0], [1.0, 4.0], [2.0, 5.0])),
        (tensor(1.0, requires_grad=True), tensor(1.0)),
        (torch.tensor(2.0).expand(3), tensor(2.0, 2.0, 2.0)),
        (tensor(1.0 + 1e-6), tensor(1.0)),
        (tensor(1.0 + 2**-7, dtype=torch.bfloat16), tensor(1.0, dtype=torch.bfloat16)),
        ({"a": [tensor(1)]}, {"a": [tensor(1)]}),
        (torch.float32, torch.float32),
        (torch.Size([2, 3]), (2, 3)),
    ],
)
def test_what_differs_in_strides_or_rounding_is_the_same_tensor(got, want):
    """Elements count; each float has the room of a few roundings of its dtype. A torch.Size is a tuple."""
    assert same(plain(got), want, rel=1e-12)


def test_a_tensor_that_is_data_is_a_copy():
    """What the learner does to it afterwards changes no verdict."""
    made = tensor(1.0, 2.0)
    kept = plain(made)
    made.zero_()
    assert same(kept, tensor(1.0, 2.0))
    assert isinstance(plain(torch.nn.Parameter(made)), Foreign)


@pytest.mark.parametrize(
    "text",
    [
        "torch.tensor([[0.1, 2.0], [3.0, 4.0]])",
        "torch.tensor(0.1, dtype=torch.float64)",
        "torch.tensor([1.5], dtype=torch.bfloat16)",
        "torch.tensor([], dtype=torch.float32)",
        "torch.empty((2, 0), dtype=torch.float64)",
        "torch.tensor([1, 2])",
        "torch.tensor([True])",
        "{'a': (torch.tensor(1.0),)}",
        "torch.bfloat16",
    ],
)
def test_a_tensor_is_shown_as_it_would_be_typed(text):
    """The text, evaluated, is shown as the same text."""
    assert shown(eval(text)) == text


def test_the_kind_of_a_tensor_in_words():
    """Its dtype and its shape."""
    assert kind_of(torch.empty(2, 3)) == "a float32 tensor of shape (2, 3)"
    assert kind_of(torch.tensor(1)) == "an int64 tensor of shape ()"


SHORTCUTS = {
    "a.sum().backward()": "torch.Tensor.backward",
    "torch.Tensor.backward(a.sum())": "torch.Tensor.backward",
    "torch.autograd.grad(a.sum(), a)": "torch.autograd",
    "torch.autograd.backward(a.sum())": "torch.autograd",
    "torch.autograd.functional.vjp(torch.sum, a)": "torch.autograd",
    "torch.func.grad(torch.sum)(a)": "torch.func",
    "exec('import torch.autograd')": "torch.autograd",
    "exec('from torch import autograd')": "torch.autograd",
    "exec('from torch.autograd import grad')": "torch.autograd",
    "__import__('importlib').import_module('torch.func')": "torch.func",
    "torch.optim.SGD([a], lr=0.1)": "torch.optim.SGD",
    "__import__('sys').modules['torch.optim.sgd'].SGD([a], lr=0.1)": "torch.optim.sgd.SGD",
    "__import__('sys').modules['torch.optim.sgd'].sgd([a], [a], [None])": "torch.optim.sgd.sgd",
    "exec('class Mine(torch.optim.SGD): pass')": "torch.optim.SGD",
    "torch.optim.SGD.step": "torch.optim.SGD",
    "exec('from torch.optim.sgd import SGD')": "torch.optim.sgd",
    "torch._fused_sgd_([a], [a], [])": "torch._fused_sgd_",
}


@pytest.mark.parametrize("shortcut", SHORTCUTS)
def test_a_shortcut_is_absent_and_says_so(shortcut):
    """However it is spelled; and it is there again for the judge afterwards."""
    real = torch.optim.SGD, torch.autograd.grad, torch.Tensor.backward, torch.func.grad

    def answer():
        a = torch.ones(2, requires_grad=True)
        return eval(shortcut, {"torch": torch, "a": a})

    with pytest.raises(Raised) as raised:
        seam(*FORBIDDEN, f=answer).call("f")
    assert raised.value.error.name == "Forbidden"
    assert SHORTCUTS[shortcut] in raised.value.error.message
    assert (torch.optim.SGD, torch.autograd.grad, torch.Tensor.backward, torch.func.grad) == real
    a = torch.ones(2, requires_grad=True)
    a.sum().backward()
    assert a.grad is not None


def test_what_is_beside_a_shortcut_is_there():
    """The base class of optimizers, no_grad, isinstance, and whatever torch imports for itself."""

    def answer():
        from torch.optim import Optimizer

        with torch.no_grad():
            made = Optimizer([torch.ones(2, requires_grad=True)], {"lr": 0.1})
        return isinstance(made, torch.optim.SGD), torch.einsum("i,i->", torch.ones(2), torch.ones(2))

    assert same(seam(*FORBIDDEN, f=answer).call("f"), (False, torch.tensor(2.0)))


def test_a_tensor_can_be_printed_where_autograd_is_absent():
    """Its repr asks for a part of autograd: who looks at what it has computed has used no shortcut."""
    forbidden = find("04_backward_flops").forbidden
    assert seam(*forbidden, f=lambda: repr(torch.ones(2))).call("f") == "tensor([1., 1.])"


@runs(lambda lines: ("Half", lines), uses=("Half", "helper"))
def halve(module, lines):
    """A program of a class and a function."""
    scope = {"Half": module.Half, "helper": module.helper}
    exec("\n".join(lines), scope)
    return {"x": scope["x"]}


LINES = ["x = Half(3).value", "helper()"]


class Half:
    """A class that is solved."""

    def __init__(self, number):
        self.value = number / 2


class Stub:
    """A class that is still a stub."""

    def __init__(self, number):
        raise NotImplementedError("Half")


def stub():
    """A function that is still a stub."""
    raise NotImplementedError("helper")


def test_a_program_is_one_call_that_is_told_line_by_line():
    """And its wrong value under the name that shows it."""
    judged = seam(Half=Half, helper=int)
    assert judged.run(halve, LINES) == {"x": 1.5}
    assert judged.calls[-1].written == "x = Half(3).value\nhelper()"
    with pytest.raises(Mismatch) as failed:
        expect_each({"x": 1.5, "y": 2}, {"y": 2, "x": 1})
    assert (failed.value.of, failed.value.got) == ("x", 1.5)
    with pytest.raises(Mismatch) as failed:
        expect_each({}, {"x": 1})
    assert (failed.value.of, failed.value.got) == ("x", Words("not there"))


def test_words_are_shown_without_quotes():
    """What came as well, if it is a text, and both behind their name."""
    for came, told in (("raises it", "f raises it"), (None, "f = None"), (3, "f = 3")):
        with pytest.raises(Mismatch) as failed:
            expect_each({"f": came}, {"f": Words("returns 3")})
        assert (shown(failed.value.got), failed.value.want, failed.value.of) == (told, "f returns 3", "")
    expect_each({"f": "returns 3"}, {"f": Words("returns 3")})


def test_a_stub_inside_a_program_is_the_one_to_do():
    """Its class, or the other function that the program uses; one that is not there is missing."""
    with pytest.raises(Todo) as todo:
        seam(Half=Stub, helper=int).run(halve, LINES)
    assert (todo.value.function, todo.value.stub) == ("Half", "Stub")
    with pytest.raises(Todo) as todo:
        seam(Half=Half, helper=stub).run(halve, LINES)
    assert todo.value.stub == "stub"
    with pytest.raises(Missing):
        seam(Half=Half).run(halve, LINES)


def test_what_answers_together_is_blamed_together():
    """A program about no single function blames all that its property judges."""

    @grades("save", "load")
    def property_(kata):
        """Nothing."""

    @runs(lambda: ("", ["save()", "load()"]), uses=("save", "load"))
    def both(module):
        return module.save() + module.load()

    judged = seam(save=lambda: 1, load=lambda: 1 // 0)
    with pytest.raises(Raised) as raised:
        judged.run(both)
    found = verdict(raised.value, judged)
    assert found is not None
    assert (found.outcome, found.function) == (Outcome.WRONG, "")
    waiting = seam(save=lambda: 1, load=stub)
    with pytest.raises(Todo) as todo:
        waiting.run(both)
    found = verdict(todo.value, waiting)
    assert found is not None
    assert found.outcome == Outcome.TO_DO


def test_a_scenario_can_say_that_it_waits_for_another_function():
    """Then the function that it is about is not blamed."""

    @grades("load")
    def property_(kata):
        """Nothing."""

    @runs(lambda: ("load", ["load()"]), uses=("save", "load"))
    def loads(module):
        if module.save() is None:
            raise Todo("save", "save")
        return module.load()

    judged = seam(save=lambda: None, load=lambda: 1)
    with pytest.raises(Todo) as todo:
        judged.run(loads)
    found = verdict(todo.value, judged)
    assert found is not None
    assert (found.outcome, found.function) == (Outcome.TO_DO, "save")


def test_a_dear_property_draws_a_share_of_the_profile():
    """Of the profile that is loaded, so that deep is ten times as deep there too."""
    from hypothesis import settings

    assert settings.default is not None
    assert share(settings.default, 4) == settings.default.max_examples // 4
    assert share(settings.default, 10**9) == 1


def test_a_class_that_builds_on_a_marked_one_is_not_marked_itself(tmp_path):
    """It may be a part of other wrong answers."""
    path = tmp_path / "marked.py"
    path.write_text(
        "from dojo.judging.diagnose import answers\n\n@answers('SGD')\nclass One: pass\n\nclass Part(One): pass\n",
        encoding="utf-8",
    )
    module: Any = SimpleNamespace(**runpy.run_path(str(path)))
    assert [variant.name for variant in marked(module)] == ["SGD-One"]


def test_arguments_can_be_named():
    """And the call is told as it would be typed."""
    judged = seam(f=lambda a, b=1: a - b)
    assert judged.call("f", 5, b=2) == 3
    assert judged.calls[-1].written == "f(5, b=2)"
