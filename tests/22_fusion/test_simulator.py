"""The simulator of kata 22: what it counts, what it refuses, and what it leaves undefined."""

import pytest
import torch

from .simulator import Language, Outside, Pointer, launch

X = torch.arange(1.0, 6.0)


def ran(kernel, grid=(1,), size=5, **read):
    """A grid of programs over x, of five numbers, and a result."""
    return launch(lambda tl, x, out: kernel(tl, x, out), grid, {"x": read.get("x", X), "out": size})


def test_what_is_loaded_and_stored_is_counted():
    """By the mask, and by the place."""

    def kernel(tl, x, out):
        places = tl.program_id(0) * 4 + tl.arange(0, 4)
        inside = places < 5
        tl.store(out + places, tl.load(x + places, inside) * 2, inside)

    run = ran(kernel, (3,))
    assert run.result.tolist() == [2, 4, 6, 8, 10]
    assert run.loads == {"x": 5, "out": 0}
    assert run.stores == [1] * 5
    assert run.most == 4
    assert [work.stores for work in run.works] == [[0, 1, 2, 3], [4], []]


def test_what_is_masked_is_undefined_or_other():
    """NaN, a number, or a tensor that broadcasts."""

    def kernel(tl, x, out):
        places = tl.arange(0, 2)
        assert tl.load(x + places, places < 1).isnan().tolist() == [False, True]
        assert tl.load(x + places, places < 1, 7).tolist() == [1, 7]
        assert tl.load(x + places, places < 1, other=torch.tensor([[8], [9]])).tolist() == [[1, 8], [1, 9]]
        assert tl.load(x + 3, False).isnan().item()
        assert tl.load(x + 3, True, 0).item() == 4

    assert ran(kernel).loads["x"] == 5  # four of one row or two, and one


def test_what_is_never_stored_is_undefined():
    """NaN, and stored 0 times."""
    run = ran(lambda tl, x, out: tl.store(out + 1, 3))
    assert run.result.isnan().tolist() == [True, False, True, True, True]
    assert run.stores == [0, 1, 0, 0, 0]


def test_a_number_that_is_stored_again_is_counted_again():
    """By one store, by two, and by two programs."""

    def kernel(tl, x, out):
        tl.store(out + torch.tensor([0, 0, 1]), 1.0)
        tl.store(out + 1, 2.0)

    assert ran(kernel, (2,)).stores == [4, 4, 0, 0, 0]


@pytest.mark.parametrize("place", [-1, 5, 100])
@pytest.mark.parametrize("verb", ["load", "store"])
def test_an_address_outside_is_refused(verb, place):
    """Before the first number, behind the last one, and far from it; and not if it is masked."""

    def kernel(tl, x, out, mask=None):
        if verb == "load":
            tl.load(x + place, mask)
        else:
            tl.store(out + place, 1.0, mask)

    name = "x" if verb == "load" else "out"
    with pytest.raises(Outside, match=rf"program \(0\) {verb}s at {name} \+ {place}, where {name} has 5 numbers"):
        ran(kernel)
    ran(lambda tl, x, out: kernel(tl, x, out, False))


def test_all_addresses_outside_are_told():
    """Up to a few, with the program."""
    with pytest.raises(Outside, match=r"program \(0, 1\) loads at x \+ 5, x \+ 6, x \+ 7, x \+ 8 and 7 more"):
        ran(
            lambda tl, x, out: tl.load(x + tl.program_id(1) * tl.arange(0, 16)),
            (1, 2),
        )


def test_what_is_read_is_not_stored_to():
    """But where nothing gets through the mask."""
    with pytest.raises(ValueError, match="x is only read"):
        ran(lambda tl, x, out: tl.store(x + 1, 2.0))
    ran(lambda tl, x, out: tl.store(x + 1, 2.0, False))
    assert X.tolist() == [1, 2, 3, 4, 5]


def test_pointers_add_integers_of_any_shape():
    """From both sides, one after the other, and broadcast."""

    def kernel(tl, x, out):
        rows, columns = tl.arange(0, 2)[:, None], tl.arange(0, 2)[None, :]
        for pointer in (x + rows * 3 + columns, rows * 3 + (columns + x), x + (rows * 3 + columns)):
            assert tl.load(pointer).tolist() == [[1, 2], [4, 5]]
        moved = x
        moved += 1
        assert tl.load(1 + moved).item() == 3
        assert tl.load(x).item() == 1
        tl.store(out + rows * 3 + columns, columns)

    assert ran(kernel).stores == [1, 1, 0, 1, 1]


@pytest.mark.parametrize("wrong", [1.0, "1", None, torch.tensor(1.0), torch.tensor(True)])
def test_an_address_is_an_integer(wrong):
    """A float, a text and a bool tensor are none."""
    with pytest.raises(TypeError):
        Pointer("x", 0) + wrong


def test_what_is_no_pointer_is_not_loaded():
    """A tensor has no address."""
    with pytest.raises(TypeError, match="takes a pointer, got Tensor"):
        ran(lambda tl, x, out: tl.load(tl.arange(0, 2)))


@pytest.mark.parametrize("count", [0, 3, 5, 6, 7, -1])
def test_arange_is_a_power_of_two_long(count):
    """From wherever it begins."""
    with pytest.raises(ValueError, match="no power of two"):
        Language.arange(2, 2 + count)


@pytest.mark.parametrize("count", [1, 2, 4, 8, 32])
def test_arange_counts_up(count):
    """Up to the end, which is not among them."""
    assert Language.arange(3, 3 + count).tolist() == list(range(3, 3 + count))


def test_a_grid_has_three_axes():
    """Of which those that are not named have one program."""
    found = []

    def kernel(tl, x, out):
        found.append([(tl.program_id(axis), tl.num_programs(axis)) for axis in range(3)])
        with pytest.raises(ValueError, match="3"):
            tl.program_id(3)

    ran(kernel, (2, 3))
    assert found[0] == [(0, 2), (0, 3), (0, 1)]
    assert found[-1] == [(1, 2), (2, 3), (0, 1)]
    assert len(found) == 6


def test_the_rest_of_the_language():
    """Zeros, products and quotients."""
    assert Language.zeros((2, 3)).tolist() == [[0.0] * 3] * 2
    assert Language.zeros(2).tolist() == [0.0] * 2
    assert Language.dot(torch.ones(2, 3), torch.ones(3, 1)).tolist() == [[3.0]] * 2
    with pytest.raises(ValueError, match="two matrices"):
        Language.dot(torch.ones(2), torch.ones(2))
    assert [Language.cdiv(a, 4) for a in (1, 4, 5, 8)] == [1, 1, 2, 2]


def test_masks_may_be_wider_than_addresses():
    """Then each number is loaded as often as the mask says."""

    def kernel(tl, x, out):
        mask = torch.tensor([[True, False], [True, True]])
        assert tl.load(x + tl.arange(0, 2), mask, 0).tolist() == [[1, 0], [1, 2]]

    assert ran(kernel).loads["x"] == 3
