"""`dojo measure`: what is counted and divided, by a clock that is made up; how long anything takes is never asked."""

import itertools
import math

import pytest
import torch
from rich.console import Console
from torch.utils.flop_counter import FlopCounterMode
from typer.testing import CliRunner

from dojo import measure
from dojo.cli import app
from dojo.measure import Rate, Roofline, Sizes, Work, engineering, rate, rooflines, run, show, works

SMALL = Sizes(4, 96, (torch.float32,))


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(measure, "SIZES", {"cpu": SMALL})


def ticking(step=1.0):
    """A clock that goes on by this at each look."""
    return map(float, itertools.count(0, step)).__next__


def rates(product, copy, chain):
    """A roofline of these seconds, of works of 1e12 FLOPs and 1e9 bytes."""
    named = zip(("product", "copy", "chain"), (product, copy, chain), strict=True)
    made = [Rate(Work(name, int, 10**12, 10**9), seconds) for name, seconds in named]
    return Roofline("cpu, float32: 2 threads", *made)


def test_work_counts_its_flops_and_the_bytes_that_it_has_to_move():
    """By hand: 2 · 4³, and three matrices of 16 float32; 24 numbers of 96 bytes, read and written, eight times."""
    found = [(work.name, work.flops, work.nbytes) for work in works("cpu", torch.float32, SMALL)]
    assert found == [("product", 128, 192), ("copy", 0, 192), ("chain", 8 * 24, 8 * 192)]


def test_work_counts_its_flops_as_torch_does():
    """The product is what torch's counter sees of it, and nothing else is a product."""
    for work in works("cpu", torch.float32, SMALL):
        with FlopCounterMode(display=False) as counter:
            work.run()
        assert counter.get_total_flops() == (work.flops if work.name == "product" else 0)


def test_a_rate_is_a_median_by_the_clock_that_is_given():
    """Each look takes as long, so each run does; the first one does not count."""
    runs = []
    found = rate(Work("work", lambda: runs.append(0), 6, 3), ticking(2.0))
    assert found.seconds == 2.0
    assert (found.flops, found.nbytes, found.flops_per_byte) == (3.0, 1.5, 2.0)
    assert len(runs) > 1


def test_the_ridge_is_flops_of_the_product_over_bytes_of_the_copy():
    """1e12 FLOPs in 2 s over 1e9 bytes in 0.5 s."""
    assert rates(2.0, 0.5, 1.0).ridge == 0.5e12 / 2e9


def test_each_device_and_dtype_has_a_roofline(monkeypatch):
    """CUDA where there is one alone."""
    monkeypatch.setattr(measure, "SIZES", {"cpu": Sizes(4, 96, (torch.float32, torch.float64)), "cuda": SMALL})
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    found = list(rooflines(ticking()))
    assert [one.title.partition(":")[0] for one in found] == ["cpu, float32", "cpu, float64"]
    assert all(one.product.seconds == one.copy.seconds == one.chain.seconds == 1.0 for one in found)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (0.125, "0.125"),
        (0.0109, "0.0109"),
        (0.00994, "9.94e-3"),
        (0.09996, "0.1"),
        (1, "1"),
        (170.67, "171"),
        (999.6, "1e3"),
        (67.5e12, "67.5e12"),
        (1.234e10, "12.3e9"),
        (9.99999e8, "1e9"),
        (3.2e-6, "3.2e-6"),
    ],
)
def test_numbers_have_three_digits_and_exponents_of_engineers(number, text):
    """The same number, to half of its third digit."""
    assert engineering(number) == text
    assert math.isclose(float(text), number, rel_tol=5e-3)


def test_a_roofline_is_printed_in_80_columns(capsys):
    """A row for each work; the ridge and the chain are divisions that can be checked."""
    console = Console(highlight=False, width=80)
    show(console, rates(2.0, 0.5, 8.0))
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "cpu, float32: 2 threads",
        "                    seconds      FLOP/s     bytes/s   FLOP/byte",
        "  product                 2       500e9       500e6         1e3",
        "  copy                  0.5        2e12         2e9         1e3",
        "  chain                   8       125e9       125e6         1e3",
        "  ridge         250 FLOP/byte = 500e9 / 2e9",
        "  the chain has 0.25 of the product's FLOP/s, 0.0625 of the copy's bytes/s",
    ]


def test_the_command_prints_all_and_says_what_was_run(capsys):
    """In 80 columns, the works once more at the end."""
    run(Console(highlight=False, width=80), ticking())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("cpu, float32: ")
    assert [line.split()[0] for line in lines[-3:]] == ["product", "copy", "chain"]
    assert max(map(len, lines)) <= 80


def test_dojo_measure_is_that_command(monkeypatch):
    """By a clock that ticks."""
    monkeypatch.setattr(measure, "run", lambda console: console.print("measured"))
    assert CliRunner().invoke(app, ["measure"]).output == "measured\n"
