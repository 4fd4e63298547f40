"""What a call has done to its arguments is found out by who lent them, whatever the one who borrowed them says."""

import json
import os
import pickle
from mmap import mmap
from types import SimpleNamespace

import pytest
import torch

from dojo.grade.inside.lending import SIZE, Lender, borrowed
from dojo.grade.inside.wire import HEAD, BadFrame
from dojo.grade.inside.worker import Host
from dojo.seam.data import plain, same
from dojo.seam.scenario import calls
from dojo.seam.seam import Broken


class Tensor(torch.Tensor):
    """A kind of tensor that no argument is of."""


DONE = {
    "nothing": lambda a: None,
    "a copy takes its place": lambda a: setattr(a, "data", a.data.clone()),
    "it would record": lambda a: a.requires_grad_(),
    "elements": lambda a: a.mul_(2),
    "elements that no view shows": lambda a: a.as_strided((1,), (1,), 0).zero_(),
    "dimensions": lambda a: a.transpose_(-2, -1),
    "one more dimension": lambda a: a.unsqueeze_(0),
    "fewer elements": lambda a: a.resize_(1),
    "others take its place": lambda a: setattr(a, "data", a.data * 2),
    "another storage": lambda a: a.set_(torch.ones(3, 2)),
    "another tensor": lambda a: torch.utils.swap_tensors(a, torch.ones(7)),
    "another dtype": lambda a: setattr(a, "data", a.data.double()),
    "another class": lambda a: setattr(a, "__class__", Tensor),
}


def arguments():
    """A tensor whose storage holds more than it shows, an expanded one, and an empty one."""
    return torch.arange(1.0, 13.0).reshape(3, 4)[1:, ::2], torch.ones(1, 2).expand(2, 2), torch.empty(0, 3)


def scenario(module):
    """Whatever has become of them."""
    made = arguments()
    module.f(*made)
    return made


def lent(f, told=lambda said: said):
    """What the lender returns of the scenario; `told` has what the borrower says, and may say something else."""
    memory = mmap(-1, SIZE)
    module = SimpleNamespace(f=f)
    lender = Lender(memory, lambda name, layouts: told(plain(borrowed(memory, name)(module, layouts))))
    return lender.left(scenario(lender))


@pytest.mark.parametrize("done", DONE.values(), ids=DONE)
def test_arguments_are_left_as_by_a_call_in_this_process(done):
    """Their elements, and what else the one who called can see of them."""

    def f(a, b, c):
        done(a)

    assert same(lent(f), plain(scenario(SimpleNamespace(f=f))), 0.0)


def test_elements_that_were_changed_are_seen_whatever_is_said_of_them():
    """The memory says more than the process that wrote to it."""

    def f(a, b, c):
        a.zero_()

    for told in (lambda said: [None] * 3, lambda said: [tensor.clone() for tensor in arguments()]):
        assert lent(f, told)[0].count_nonzero() == 0


@pytest.mark.parametrize("said", [None, [], [None] * 2, (None, None, None), {"0": None}])
def test_what_says_nothing_of_each_argument_is_refused(said):
    """It is no answer."""
    with pytest.raises(BadFrame, match="each tensor"):
        lent(lambda a, b, c: None, lambda _: said)


def test_more_than_can_be_lent_is_the_scenarios_fault():
    """The process that lends goes on, and says how much it can."""
    large = torch.empty(SIZE // 4 + 1)
    with pytest.raises(Broken, match=f"can lend {SIZE} bytes of tensors, and these are more"):
        Lender(mmap(-1, SIZE), lambda name, layouts: [None]).f(large)
    Lender(mmap(-1, SIZE), lambda name, layouts: [None]).f(large[:-1].clone())


def test_plain_data_goes_along_with_what_is_lent():
    """By value, in its place; only the tensors come back."""
    seen = []

    def f(a, name, sizes, b):
        seen.append((name, sizes, b.tolist()))
        a.zero_()
        sizes["changed"] = 1

    memory, sizes = mmap(-1, SIZE), {"n": 2}
    a, b = torch.ones(2), torch.arange(3.0)
    ask = borrowed(memory, "f")
    lender = Lender(memory, lambda _, given: plain(ask(SimpleNamespace(f=f), pickle.loads(pickle.dumps(given)))))
    lender.f(a, "text", sizes, b)
    assert same(lender.left((a, b)), (torch.zeros(2), torch.arange(3.0)))
    assert seen[0][0] == "text"
    assert (sizes, seen[0][2]) == ({"n": 2}, [0.0, 1.0, 2.0])


def test_a_template_may_have_the_name_of_the_function_filled_in():
    """Then one scenario calls any function of a kata."""

    @calls("{0}({1}); x", setup=lambda name, given: [f"# {name}"])
    def scenario(module, name, given):
        """Nothing."""

    assert scenario.typed("f", "x, {'a': 2}") == ("f", "f(x, {'a': 2}); x", ("# f",))


def test_a_scenario_declares_that_it_returns_its_arguments():
    """Its name says nothing."""

    def f_arguments(module):
        """Nothing."""

    assert not calls("f()")(f_arguments).returns_arguments
    assert calls("f()", returns_arguments=True)(f_arguments).returns_arguments


@pytest.mark.parametrize(
    "changes",
    [{"id": "b"}, {"kind": "loaded"}, {"value": {"error": "ValueError"}}, {"more": 1}],
    ids=["another's id", "another kind", "an error for a value", "another field"],
)
def test_the_host_refuses_what_answers_nothing_that_it_has_asked(changes):
    """It says so to the judge, and ends the process that it came from; an answer to its question goes on."""
    told = []

    class Hosting(Host):
        """A host whose learner's process says one thing."""

        def __init__(self, message):
            self.message = json.dumps({"id": "a", "kind": "value", "value": [None], **message}).encode()
            self.memory, self.answers = mmap(-1, SIZE), os.open(os.devnull, os.O_WRONLY)

        def exchange(self, data):
            return HEAD.pack(len(self.message), 0) + self.message

        def refuse(self, key, error):
            told.append(str(error))

    def doubled(module, a):
        module.f(a)
        return (a,)

    questions: list[dict[str, object]] = [{}, changes]
    for message in questions:
        host = Hosting(message)
        host.look_on("a", "f", ("f",), doubled, (torch.ones(2),))
        os.close(host.answers)
    assert len(told) == 1
