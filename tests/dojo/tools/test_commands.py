"""What the commands do, each run as a process on a copy of the clone."""

import os

import pytest

from dojo.catalog import katas
from tests.dojo.clone import make

FLOPS = "03_flops"


@pytest.fixture
def clone(tmp_path):
    """A copy of this clone that a test may spoil."""
    return make(tmp_path)


def test_gate_3_untouched_stubs_are_to_do_and_nothing_passes_unsolved(clone):
    """Every function of every kata is one calm line, nothing is a failure or a traceback, and the status is 1."""
    ran = clone.pytest("katas")
    assert ran.status == 1
    for kata in katas().values():
        for function in kata.functions:
            assert ran.line_of(function) == "to do"
    assert " passed" not in ran.out
    assert "Traceback" not in ran.out
    assert "you called" not in ran.out


def test_one_file_alone_can_be_named(clone):
    """`pytest katas/03_flops/flops.py` and one property of it."""
    ran = clone.pytest(f"katas/{FLOPS}/flops.py")
    assert ran.status == 1
    assert ran.line_of("mfu") == "to do"
    one = clone.pytest(f"katas/{FLOPS}/flops.py::test_mfu_refuses_a_time_or_a_peak_that_is_none")
    assert one.status == 1
    assert "1 to do" in one.out
    assert one.line_of("linear_flops") == "not run"


def test_each_mistake_gets_one_clear_line_and_the_others_their_verdicts(clone):
    """A print, sys.exit, endless recursion, a missing function, a forbidden module, a wrong type: all in one file."""
    clone.solve(FLOPS)
    clone.spoil(FLOPS, "    return 2 * prod(x_shape)", "    print('rows', x_shape)\n    return prod(x_shape)")
    clone.spoil(FLOPS, "    return prod(_broadcast(*shapes))", "    import sys; sys.exit(3)")
    clone.spoil(FLOPS, "    return 2 * prod(sizes.values())", "    return 2.0 * prod(sizes.values())")
    clone.spoil(FLOPS, "def mlp_flops", "def my_mlp_flops")
    clone.spoil(
        FLOPS,
        "    return 2 * (2 * batch",
        "    return attention_flops(batch, heads, q_len, kv_len, head_dim)\n    (2 * batch",
    )
    clone.spoil(FLOPS, "    return max(", "    from torch.nn import functional\n    return max(")
    clone.spoil(FLOPS, '    """Achieved FLOP/s over promised FLOP/s."""', "    raise NotImplementedError")
    ran = clone.pytest(f"katas/{FLOPS}")
    assert ran.status == 1
    assert ran.line_of("matmul_flops") == "done"
    assert ran.line_of("arithmetic_intensity") == "done"
    assert ran.line_of("mlp_flops").split(None, 1) == ["wrong", "flops.py has no mlp_flops"]
    assert ran.line_of("mfu") == "to do"
    assert "you called    linear_flops((2,), 5)\n  it returned   10\n" in ran.block_of("03_flops · linear_flops")
    assert "it printed    'rows (2" in ran.block_of("03_flops · linear_flops")
    assert "it raised     SystemExit: it ends the program" in ran.block_of("03_flops · elementwise_flops")
    assert ".0, a float\n  a loop counts" in ran.block_of("03_flops · einsum_flops")
    assert "it raised     RecursionError: it calls itself without end" in ran.block_of("03_flops · attention_flops")
    assert "Forbidden: this kata is solved without torch" in ran.block_of("03_flops · roofline_seconds")
    assert "dojo hint 03 linear_flops" in ran.block_of("03_flops · linear_flops")

    again = clone.pytest(f"katas/{FLOPS}", "--lf", "-q", "-k", "matmul or linear")
    assert again.status == 1
    assert "passed" not in again.out
    assert again.line_of("matmul_flops") == "not run"

    first = clone.pytest(f"katas/{FLOPS}", "-x", "-q")
    assert first.status == 1
    assert "1 wrong" in first.out

    theirs = clone.pytest(f"katas/{FLOPS}", "--tb=short", "-k", "einsum", "-q")
    assert theirs.status == 1
    assert "FAILURES" in theirs.out
    assert "dojo.judging.expect.Mismatch" in theirs.out


def test_a_selection_is_never_called_done(clone):
    """With -k a function whose properties were not all run is said to hold so far; the status is that of what ran."""
    clone.solve(FLOPS)
    ran = clone.pytest(f"katas/{FLOPS}", "-k", "test_mfu_refuses")
    assert ran.status == 0
    assert ran.line_of("mfu") == "so far   1 of its 2 properties were run and held"
    assert ran.line_of("matmul_flops") == "not run"


def test_files_that_cannot_be_read_or_run_are_one_line_each(clone):
    """A missing file, a syntax error, sys.exit at the top: one line each, in two processes as in one."""
    clone.answers("01_memory").unlink()
    clone.solve("02_strides")
    clone.spoil("02_strides", "def select(", "def select(:")
    clone.answers(FLOPS).write_text("import sys\n\nsys.exit('bye')\n", encoding="utf-8")
    ran = clone.pytest("katas/01_memory", "katas/02_strides", f"katas/{FLOPS}", "-n", "2")
    assert ran.status == 1
    assert "cannot import katas/01_memory/memory.py  is missing" in ran.out
    assert "cannot import katas/02_strides/strides.py:" in ran.out
    assert "SyntaxError: invalid syntax" in ran.out
    assert "cannot import katas/03_flops/flops.py:3  SystemExit: bye" in ran.out
    assert "Traceback" not in ran.out
    assert ran.line_of("transpose") == ran.line_of("mfu") == ran.line_of("packed_bytes") == "not run"


def test_files_lying_about_in_a_kata_folder_are_not_read(clone):
    """Neither a conftest.py nor a torch.py nor a .pyc has any effect, also with the folder on Python's path."""
    clone.solve(FLOPS)
    folder = clone.answers(FLOPS).parent
    for name in ("conftest.py", "torch.py", "test_mine.py"):
        (folder / name).write_text("raise SystemExit('this was run')\n", encoding="utf-8")
    (folder / "flops.pyc").write_bytes(b"no code")
    ran = clone.pytest(".", folder=folder, module=True)
    assert ran.status == 0, ran.out
    assert ran.line_of("matmul_flops") == "done"
    assert "this was run" not in ran.out
    for name in ("conftest.py", "torch.py", "flops.pyc"):
        assert f"not read      {name}: only flops.py counts" in ran.out


def test_an_edit_within_the_same_second_is_seen(clone):
    """A stale .pyc never stands for the source: same size, same time, other answer."""
    clone.solve(FLOPS)
    path = clone.answers(FLOPS)
    assert clone.pytest(f"katas/{FLOPS}", "-q", "-k", "linear").status == 0
    stamp = path.stat()
    clone.spoil(FLOPS, "2 * prod(x_shape) * out", "3 * prod(x_shape) * out")

    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert clone.pytest(f"katas/{FLOPS}", "-q", "-k", "linear").status == 1


def test_the_clone_can_be_judged_from_another_folder_and_with_another_rootdir(clone, tmp_path):
    """Where one stands, and what pytest takes for its root, change nothing."""
    clone.solve(FLOPS)
    place = str(clone.answers(FLOPS).parent)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for arguments in ([place], [f"--rootdir={elsewhere}", place]):
        ran = clone.pytest(*arguments, "-k", "mfu", folder=elsewhere)
        assert ran.status == 0, ran.out
        assert ran.line_of("mfu") == "done"


def test_a_submission_is_judged_by_the_properties_of_this_clone(clone, tmp_path):
    """Also where the submission is a clone itself, whose properties and solutions are its own."""
    (tmp_path / "other").mkdir()
    other = make(tmp_path / "other")
    other.solve(FLOPS)
    other.spoil(FLOPS, "    return flops / seconds / peak_flops", "    return flops / seconds / peak_flops / 2")
    hollow = "from dojo.judging.expect import grades\n\n@grades('mfu')\ndef test_mfu(kata):\n    pass\n"
    (other.root / "tests" / "03_flops" / "properties.py").write_text(hollow, encoding="utf-8")
    ran = clone.pytest(f"katas/{FLOPS}", "--submission", str(other.root / "katas"))
    assert ran.status == 1
    assert ran.line_of("matmul_flops") == "done"
    assert ran.line_of("mfu") == "wrong"
    assert str(other.answers(FLOPS)).replace(" ", "") in "".join(ran.out.split())  # the path may be wrapped


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["katas", "--submission", "nowhere"], "--submission must be a folder, got nowhere"),
        (["katas", "--submission", "dojo"], "--submission must contain at least one of 01_memory, "),
        (["solutions", "--submission=katas"], "--submission must follow what to judge"),
        (["katas", "--device", "tpu"], "invalid choice: 'tpu'"),
    ],
    ids=["no folder", "another folder", "nothing to judge", "no such device"],
)
def test_options_that_make_no_sense_say_so(clone, arguments, message):
    """One line, and pytest's status for wrong usage."""
    ran = clone.pytest(*arguments)
    assert ran.status == 4
    assert message in ran.out
    assert "Traceback" not in ran.out


def test_a_record_needs_a_folder(clone):
    """A wrong FILE is told before anything runs."""
    ran = clone.pytest(f"katas/{FLOPS}", "--record", "no/such/folder/file")
    assert ran.status == 4
    assert "--record must be a file in an existing folder, got no/such/folder/file" in ran.out


def test_a_second_run_of_the_same_mistake_is_told_the_same(clone):
    """The example is remembered, and the belief is named again."""
    clone.solve(FLOPS)
    clone.spoil(FLOPS, "    return 2 * prod(_broadcast(tuple(a_batch)", "    return prod(_broadcast(tuple(a_batch)")
    first, second = (clone.pytest(f"katas/{FLOPS}", "-k", "matmul").block_of(f"{FLOPS} · matmul_flops") for _ in "12")
    assert "A multiply-add is one FLOP" in first
    assert first == second


WARNED = """
import warnings
import pytest

class Device:
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self):
        warnings.warn("there was no current context")

print("status", +pytest.main(["-q", "-k", "decode", "solutions/07_floats"], plugins=[Device()]))
"""


def test_what_torch_warns_of_is_no_failure(clone):
    """Some devices warn of themselves at their first use: nothing that an answer did, and nothing to read about."""
    ran = clone.python("-c", WARNED)
    assert "status 0" in ran.out, ran.out
    assert "context" not in ran.out
