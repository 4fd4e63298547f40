"""The properties of kata 02: views are those of torch, judged by the elements that they address."""

import functools
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from dojo.judging.examples import given, run_state_machine
from dojo.judging.expect import Mismatch, expect, expect_error, grades
from dojo.seam.data import same, shown

from ..shared.errors import count
from ..shared.shapes import OFTEN_PLAIN, shapes, sizes
from . import pictures, truth
from .strategies_elements import elements, indices, misfitting_indices, no_elements
from .strategies_pairs import view_pairs
from .strategies_parts import (
    backward_slices,
    bounds,
    dims,
    refused_selections,
    refused_transpositions,
    selections,
    slices,
    slices_of_no_dimension,
    transpositions,
)
from .strategies_reshapes import expansions, odd_reshapes, refused_expansions, reshaped, reshapes
from .strategies_views import fresh_shapes, nearly_contiguous, strided

SHAPE_AND_STRIDES = slice(2)


def expect_view(answer, x, parts=slice(None)):
    """Fail unless the answer, these `parts` of (shape, strides, offset), addresses the same elements as the tensor x.

    The stride of a dimension of size 1 is never used, nor are the strides and the offset of a view without elements.
    """
    want: Any = truth.described(x)[parts]
    if not same(settled(answer, want, x), want):
        yours = (*answer, 0)[:3] if type(answer) is tuple else answer  # if no offset is wanted, 0 will do
        raise mismatch(answer, want, x, yours, (*want, 0)[:3])


def expect_strides(answer, x):
    """Fail unless these are the strides of x, wherever a stride is used."""
    if not same(settled_strides(answer, x), x.stride()):
        shape = tuple(x.shape)
        raise mismatch(answer, x.stride(), x, (shape, answer, 0), (shape, x.stride(), 0))


def mismatch(answer, want, x, *both):
    """Return the mismatch of an answer that is wrong for the tensor x, with a drawing of both views."""
    drawn = zip(("yours", "torch's"), both, strict=True)
    return Mismatch(answer, shown(want), says(x), want, draw=lambda: pictures.views(*drawn))


def says(x):
    """Return who says what is right for the tensor x: if a stride is never used, other ones are right too."""
    return "torch says" if all(used(x)) else "for example"


def used(x):
    """Return for each stride of the tensor x whether it is used."""
    return [size > 1 and x.numel() > 0 for size in x.shape]


def settled(view, want, x):
    """Return the view with torch's numbers wherever they are never used, if it has the form of the wanted one."""
    if type(view) is not tuple or len(view) != len(want):
        return view
    shape, strides, *offset = view
    if x.numel() == 0 and all(type(number) is int for number in offset):
        offset = want[2:]
    return (shape, settled_strides(strides, x), *offset)


def settled_strides(strides, x):
    """Return the strides with torch's own wherever a stride is never used."""
    if type(strides) is not tuple or len(strides) != x.ndim or any(type(stride) is not int for stride in strides):
        return strides
    return tuple(mine if use else own for mine, own, use in zip(strides, x.stride(), used(x), strict=True))


def told(value, default):
    """Return the argument, or nothing if it is the default, so that the default is tested too."""
    return () if value == default else (value,)


@grades("contiguous_strides")
@given(shape=fresh_shapes())
def test_contiguous_strides_are_those_of_a_fresh_tensor(kata, shape):
    """Each stride is the number of elements to its right. A size of 0 counts as 1."""
    x = torch.empty(shape, dtype=torch.uint8, device="meta")
    answer = kata.contiguous_strides(shape)
    both = [("yours", (shape, answer, 0)), ("torch's", (shape, x.stride(), 0))]
    expect(answer, x.stride(), draw=lambda: pictures.views(*both))


@grades("storage_index")
@given(case=indices())
def test_storage_index_is_where_torch_reads(kata, case):
    """The result is the place in the storage that torch reads for this index. The default offset is 0."""
    index, view = case
    _, strides, offset = view
    answer, place = kata.storage_index(index, strides, *told(offset, 0)), truth.place(index, view)
    expect(answer, place, "torch reads", draw=lambda: pictures.reads(answer, place))


@grades("storage_index")
@given(case=misfitting_indices())
def test_storage_index_refuses_an_index_of_another_rank(kata, case):
    """An index that does not have the length of strides raises a ValueError."""
    index, strides, offset = case
    because = f"{count(len(index), 'number')} in the index, and {count(len(strides), 'stride')}"
    expect_error(ValueError, kata.storage_index, index, strides, *told(offset, 0), because=because)


@grades("unravel_index")
@given(case=elements())
def test_unravel_index_is_where_the_element_stands(kata, case):
    """Elements are counted row by row: the last dimension varies fastest."""
    expect(kata.unravel_index(*case), truth.unravel_index(*case))


@grades("unravel_index")
@given(case=no_elements())
def test_unravel_index_refuses_what_is_no_element(kata, case):
    """A flat that is negative, or not less than the number of elements, raises an IndexError."""
    _, shape = case
    because = f"{shape} has {count(torch.Size(shape).numel(), 'element')}"
    expect_error(IndexError, kata.unravel_index, *case, because=because)


@grades("storage_size")
@given(view=strided(twists=(*OFTEN_PLAIN, "zeros")))
def test_storage_size_is_the_smallest_that_torch_takes(kata, view):
    """The storage ends with the last element that the view shows. The default offset is 0."""
    shape, strides, offset = view
    answer, size = kata.storage_size(shape, strides, *told(offset, 0)), truth.smallest_storage(view)
    expect(answer, size, "torch needs", draw=lambda: pictures.extents(view, answer, size))


@grades("is_contiguous")
@given(view=nearly_contiguous())
def test_is_contiguous_as_torch_says(kata, view):
    """Elements of a contiguous view lie side by side in row-major order. Strides that are never used do not matter."""
    shape, strides = view
    right = truth.metadata(shape, strides).is_contiguous()
    expect(kata.is_contiguous(shape, strides), right, draw=lambda: pictures.views(("the view", (*view, 0))))


@grades("transpose")
@given(case=transpositions())
def test_transpose_swaps_as_torch_does(kata, case):
    """The two dimensions swap their sizes and their strides. Nothing moves in the storage."""
    shape, strides, *pair = case
    expect_view(kata.transpose(*case), truth.metadata(shape, strides).transpose(*pair), SHAPE_AND_STRIDES)


@grades("transpose")
@given(case=refused_transpositions())
def test_transpose_refuses_a_dimension_that_is_none(kata, case):
    """A dimension outside the range -rank to rank - 1 raises an IndexError."""
    shape, strides, *pair = case
    because = truth.refusal(truth.metadata(shape, strides).transpose, *pair)
    expect_error(IndexError, kata.transpose, *case, because=because)


@grades("select")
@given(case=selections())
def test_select_addresses_what_torch_selects(kata, case):
    """The offset grows by index · stride, and the dimension is dropped."""
    *view, dim, index = case
    expect_view(kata.select(*case), truth.metadata(*view).select(dim, index))


@grades("select")
@given(cases=st.tuples(*map(refused_selections, ["dimension", "index"])))
def test_select_refuses_a_dimension_or_an_index_that_is_none(kata, cases):
    """A dimension outside -rank to rank - 1, or an index outside -size to size - 1, raises an IndexError."""
    for case in cases:
        *view, dim, index = case
        because = truth.refusal(truth.metadata(*view).select, dim, index)
        expect_error(IndexError, kata.select, *case, because=because)


@grades("slice_dim")
@given(case=slices())
def test_slice_dim_addresses_what_torch_slices(kata, case):
    """The offset moves to the start, and the stride is multiplied by step. The default step is 1."""
    *view, dim, start, stop, step = case
    answer = kata.slice_dim(*view, dim, start, stop, *told(step, 1))
    expect_view(answer, truth.sliced(truth.metadata(*view), dim, start, stop, step))


@grades("slice_dim")
@given(case=backward_slices())
def test_slice_dim_refuses_a_step_below_1(kata, case):
    """A step below 1 raises a ValueError."""
    *view, dim, start, stop, step = case
    because = truth.refusal(truth.sliced, truth.metadata(*view), dim, start, stop, step)
    expect_error(ValueError, kata.slice_dim, *case, because=because)


@grades("slice_dim")
@given(case=slices_of_no_dimension())
def test_slice_dim_refuses_a_dimension_that_is_none(kata, case):
    """A dimension outside the range -rank to rank - 1 raises an IndexError."""
    *view, dim, start, stop, step = case
    because = truth.refusal(truth.sliced, truth.metadata(*view), dim, start, stop, step)
    expect_error(IndexError, kata.slice_dim, *view, dim, start, stop, *told(step, 1), because=because)


@grades("expand_strides")
@given(case=expansions())
def test_expand_strides_are_those_of_torch(kata, case):
    """A repeated dimension has stride 0: every index finds the same element."""
    shape, strides, new_shape = case
    expect_strides(kata.expand_strides(*case), truth.metadata(shape, strides).expand(new_shape))


@grades("expand_strides")
@given(cases=st.tuples(*map(refused_expansions, ["fewer", "size", "new"])))
def test_expand_strides_refuses_what_torch_refuses(kata, cases):
    """Fewer dimensions, a size other than 1 that changes, or a new size below 0 raises a ValueError."""
    for case in cases:
        shape, strides, new_shape = case
        because = truth.refusal(truth.metadata(shape, strides).expand, new_shape)
        expect_error(ValueError, kata.expand_strides, *case, because=because)


@grades("view_strides")
@given(cases=st.tuples(reshapes(), odd_reshapes()))
def test_view_strides_are_those_of_torch_or_none(kata, cases):
    """The strides show the same elements in the same order, without a copy. If no strides can, the result is None."""
    for case in cases:
        shape, strides, new_shape = case
        x = truth.viewed_as(truth.metadata(shape, strides), new_shape)
        answer = kata.view_strides(*case)
        if x is None or answer is None:
            right = None if x is None else x.stride()
            named = {"the view": (shape, strides, 0), "yours": (new_shape, answer, 0), "torch's": (new_shape, right, 0)}
            draw = functools.partial(pictures.views, *named.items())
            expect(answer, right, "torch says" if x is None else says(x), draw=draw)
        else:
            expect_strides(answer, x)


@grades("overlaps")
@given(case=view_pairs())
def test_overlaps_is_whether_a_write_through_one_shows_through_the_other(kata, case):
    """Two views overlap if they share an element. It is not enough that their ranges meet."""
    draw = functools.partial(pictures.views, *zip(("a", "b"), case, strict=True))
    expect(kata.overlaps(*case), truth.share_an_element(*case), "NumPy says", draw=draw)


CAN = {
    "transpose": lambda x: x.ndim > 0,
    "select": lambda x: x.ndim > 0 and x.numel() > 0,
    "slice_dim": lambda x: x.ndim > 0,
    "expand_strides": lambda x: x.ndim < 4,
    "view_strides": lambda x: True,
}
"""Whether a function can make a view of a tensor."""


def at_its_turn(name):
    """Return the precondition of a step: a step of the judged function comes before each other one, if it can."""
    return precondition(
        lambda self: CAN[name](self.x) and (name == self.judged or not self.due or not CAN[self.judged](self.x))
    )


class Chain(RuleBasedStateMachine):
    """A real tensor and its metadata, side by side through a chain of views.

    The steps of one function are the learner's, and all others are torch's own: no function is judged by another one.
    """

    def __init__(self, kata, judged):
        super().__init__()
        self.kata = kata
        self.judged = judged
        self.due = True

    @initialize(shape=shapes(3, 4))
    def begin(self, shape):
        """Begin with a fresh tensor that the judged function can make a view of."""
        x, usual = (truth.STORAGE[: torch.Size(sizes).numel()].view(sizes) for sizes in (shape, (2, 3)))
        self.x = x if CAN[self.judged](x) else usual
        self.view = truth.described(self.x)

    def follow(self, name, x, *arguments):
        """Move on to this tensor, with the learner's own numbers if it is a step of the judged function."""
        shape, strides, offset = self.view
        self.x, self.view, self.due = x, truth.described(x), name != self.judged
        if self.due:
            return
        ask = getattr(self.kata, name)
        if name in ("select", "slice_dim"):
            self.view = ask(shape, strides, offset, *arguments)
            expect_view(self.view, x)
        elif name == "transpose":
            answer = ask(shape, strides, *arguments)
            expect_view(answer, x, SHAPE_AND_STRIDES)
            self.view = *answer, offset
        else:
            answer = ask(shape, strides, *arguments)
            expect_strides(answer, x)
            self.view = tuple(x.shape), answer, offset

    @rule(data=st.data())
    @at_its_turn("transpose")
    def transpose(self, data):
        """Swap two dimensions."""
        dim0, dim1 = data.draw(dims(self.x.ndim)), data.draw(dims(self.x.ndim))
        self.follow("transpose", self.x.transpose(dim0, dim1), dim0, dim1)

    @rule(data=st.data())
    @at_its_turn("select")
    def select(self, data):
        """Take one index of a dimension."""
        dim = data.draw(dims(self.x.ndim))
        index = data.draw(dims(self.x.shape[dim]))
        self.follow("select", self.x.select(dim, index), dim, index)

    @rule(data=st.data(), step=st.integers(1, 3))
    @at_its_turn("slice_dim")
    def slice(self, data, step):
        """Take a slice of a dimension."""
        dim = data.draw(dims(self.x.ndim))
        start, stop = data.draw(bounds(self.x.shape[dim])), data.draw(bounds(self.x.shape[dim]))
        self.follow("slice_dim", truth.sliced(self.x, dim, start, stop, step), dim, start, stop, step)

    @rule(data=st.data(), added=sizes(3))
    @at_its_turn("expand_strides")
    def expand(self, data, added):
        """Repeat dimensions of size 1, and add a new one."""
        shape = (added, *(data.draw(sizes(3)) if size == 1 else size for size in self.x.shape))
        self.follow("expand_strides", self.x.expand(shape), shape)

    @rule(data=st.data())
    @at_its_turn("view_strides")
    def reshape(self, data):
        """View it in another shape, if that is possible."""
        shape = reshaped(data.draw, tuple(self.x.shape))
        x = truth.viewed_as(self.x, shape)
        if x is not None:
            self.follow("view_strides", x, shape)
        elif self.judged == "view_strides":
            expect(self.kata.view_strides(*self.view[:2], shape), None)
            self.due = False


STAYS = "the only one that feeds an answer's own views back into it, many steps long"


def run_chains(kata, judged):
    """Run the chains of one function: a fifth of all chains, since there are five functions."""
    run_state_machine(lambda: Chain(kata, judged), one_in=5)


@grades("transpose", stays=STAYS)
def test_transpose_stays_beside_the_real_tensor_in_a_chain_of_views(kata):
    """After any chain of views, shape and strides still address the elements that the real tensor shows."""
    run_chains(kata, "transpose")


@grades("select", stays=STAYS)
def test_select_stays_beside_the_real_tensor_in_a_chain_of_views(kata):
    """After any chain of views, shape, strides and offset still address the elements that the real tensor shows."""
    run_chains(kata, "select")


@grades("slice_dim", stays=STAYS)
def test_slice_dim_stays_beside_the_real_tensor_in_a_chain_of_views(kata):
    """After any chain of views, shape, strides and offset still address the elements that the real tensor shows."""
    run_chains(kata, "slice_dim")


@grades("expand_strides", stays=STAYS)
def test_expand_strides_stays_beside_the_real_tensor_in_a_chain_of_views(kata):
    """After any chain of views, the strides still address the elements that the real tensor shows."""
    run_chains(kata, "expand_strides")


@grades("view_strides", stays=STAYS)
def test_view_strides_stays_beside_the_real_tensor_in_a_chain_of_views(kata):
    """After any chain of views, the strides still address what the real tensor shows. If none can, None is right."""
    run_chains(kata, "view_strides")
