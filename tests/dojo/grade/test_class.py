"""`dojo class`: what a folder of results says of a class, how the page looks, and that it gives nobody away."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from dojo.catalog import ROOT, find
from dojo.cli import app, main
from dojo.grade import class_page
from dojo.grade.class_page import CLASS_STYLE, page
from dojo.grade.formats import FORMATS
from dojo.grade.grading import grade
from dojo.grade.jail.limits import Limits
from dojo.grade.jails import Jails
from dojo.grade.result import Belief, FunctionResult, KataResult, Result, read
from dojo.grade.result_files import Results
from dojo.grade.tally import Tally
from dojo.judging.diagnose import variants
from tests.dojo.grade.handed_in import handed_in, solution, variant_source
from tests.dojo.report import chromium
from tests.dojo.report.test_page import HOSTILE, Reader, needs_chromium

FLOPS, MEMORY = find("03"), find("01")
BELIEF = Belief("A multiply-add is one FLOP", "A multiply and an add are two operations.", True)
ASKED = (("you called", "f((2, 3))"), ("it returned", "24"), ("torch counts", "48"), ("the rule", "Each counts."))
CALL = {"function": "f", "call": "f(1)", "where": [], "came": 1, "scenario": None, "args": [1], "named": {"dict": []}}
RECORD = {"kata": FLOPS.slug, "functions": ["f"], "calls": [CALL]}
DONE = FunctionResult("f", "F", 1, "done")
EXPLAINED = replace(DONE, status="wrong", report=("x",), beliefs=(BELIEF,), example=ASKED)
UNEXPLAINED = replace(DONE, status="wrong", report=("x",), example=ASKED, record=RECORD)
TO_DO, NOT_RUN, SILENT = (replace(DONE, status=status) for status in ("to do", "not run", "wrong"))


def result(name, *functions, kata=FLOPS):
    """The result of a submission on these functions of a kata."""
    return Result(name, "userns", "cpu", "0", "2", "3", (KataResult(kata.slug, kata.title, functions),))


def named(*functions):
    """Functions called f, g, h and so on."""
    return [replace(one, name="fghij"[place]) for place, one in enumerate(functions)]


def read_page(results, names=False):
    """The page on these results."""
    return Reader(page(Tally(results), "today", names=names))


def section(read, number):
    """The text of one section of the page."""
    text = "\n".join(read.texts)
    titles = [f"\n{title}\n" for title in class_page.SECTIONS]
    return text.rpartition(titles[number])[2].partition(titles[number + 1] if number < 3 else "\0")[0]


def written(folder, results):
    """The folder with these results in it."""
    kept = Results(folder, [one.submission for one in results])
    for one in results:
        kept.keep(one.submission, "key", one)
    return folder


def asked(*arguments):
    """What the command does."""
    return CliRunner().invoke(app, ["class", *map(str, arguments)])


FOREIGN = """
class AnnSmith(ValueError):
    pass

def matmul_flops(a_shape, b_shape):
    return ["ann was here", 24, AnnSmith()]

def linear_flops(x_shape, out_features):
    raise AnnSmith("ann was here")

def mfu(flops, seconds, peak_flops):
    print("ann was here")
    return float("nan")
"""


def test_a_graded_class(isolation, examples, tmp_path):
    """The belief of a misconception, the record of what nobody foresaw once for two, and nothing of who it was."""
    examples(20)
    beliefs, unmatched = (variants(FLOPS.slug, part) for part in ("misconceptions", "unmatched"))
    sources = {
        "believer": variant_source(FLOPS, beliefs[0]),
        "one": variant_source(FLOPS, unmatched[0]),
        "zoe": variant_source(FLOPS, unmatched[0]),
        "ann": solution(FLOPS) + FOREIGN,
    }
    jails = Jails(isolation, Limits(seconds=120), "cpu", [FLOPS])
    graded = [
        grade(handed_in(FLOPS, source, name), katas=[FLOPS], seed="secret", level=isolation, jails=jails)
        for name, source in sources.items()
    ]
    written(tmp_path / "out", graded)
    path = tmp_path / "out" / "ann.json"
    assert FORMATS["json"].text(read(path)) == path.read_text(encoding="utf-8")
    done = asked(tmp_path / "out", "--record", tmp_path / "found")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("4 results, 1 belief named, 4 mistakes unexplained\n  written  ")
    text = (tmp_path / "out" / "class.html").read_text(encoding="utf-8")
    told = Reader(text)
    believed, unforeseen = section(told, 1), section(told, 3)
    assert beliefs[0].belief in believed
    assert beliefs[0].advice in believed
    assert "1 of 4" in believed
    assert believed.count("torch counts") == 1
    assert unforeseen.index("2 of 4") < unforeseen.index("1 of 4")
    assert "it returned\n['…', 24, <a value of a type of its own>]" in unforeseen
    assert "it raised\nValueError\n" in unforeseen
    recorded = (tmp_path / "found").read_text(encoding="utf-8")
    assert len(recorded.splitlines()) == 4
    for name in ("believer", "zoe", "AnnSmith"):
        assert name not in text
        assert name not in recorded
    assert "was here" not in text
    harvest = [sys.executable, "-W", "ignore", "-m", "tests.strength.harvest", str(tmp_path / "found")]
    made = subprocess.run(harvest, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert made.stdout.count("@believes") == 4


def test_each_function_has_its_counts():
    """Of those who were graded on its kata; one whom nothing is known of counts as not run."""
    other = result("d", replace(DONE, name="m"), kata=MEMORY)
    read = read_page([result("a", *named(DONE, TO_DO)), result("b", *named(EXPLAINED, NOT_RUN)), other])
    text = section(read, 0)
    assert "2 graded" in text
    assert "1 graded" in text
    assert re.findall(r"\n(\w)\nF\n(.*)", text) == [
        ("m", "1 done"),
        ("f", "1 done, 1 wrong"),
        ("g", "1 to do, 1 not run"),
    ]
    assert "3 submissions, 3 functions: 40% done, 20% wrong, 20% to do, 20% not run" in read.text
    parts = [given for _, given in read.elements if given.get("class", "").startswith("part ")][4:]
    assert [given["width"] for given in parts] == ["100%", "50%", "50%", "50%", "50%"]
    assert [given["x"] for given in parts] == ["0%", "0%", "50%", "0%", "50%"]


def test_a_belief_is_counted_once_for_each_who_holds_it():
    """Whatever functions show it, the most common first; its example is the most common one that shows it."""
    rare = replace(EXPLAINED, example=(("you called", "rare()"),))
    hidden = replace(EXPLAINED, example=(("you called", "hidden()"),), beliefs=(replace(BELIEF, shown=False),))
    other = replace(EXPLAINED, beliefs=(replace(BELIEF, belief="A dearer one", advice="It is so."),))
    results = [result("a", *named(EXPLAINED, EXPLAINED)), result("b", rare), result("c", other)]
    results += [result("def"[place], hidden) for place in range(3)]
    text = section(read_page(results), 1)
    assert re.findall(r"(\d of \d)\n · 03_flops · (.*)", text) == [("5 of 6", "f, g"), ("1 of 6", "f")]
    assert text.index(BELIEF.belief) < text.index("A dearer one")
    assert text.count("called\nf((2, 3))\nit returned\n24\ntorch counts\n48") == 2
    assert "rare()" not in text
    assert "hidden()" not in text
    assert "you called" not in text


def test_the_function_that_splits_the_class_comes_first():
    """Where most are on the smaller side, of those who tried; with what they have done elsewhere."""
    results = [result("abcd"[place], *named(DONE, DONE, TO_DO)) for place in range(2)]
    results += [result("c", *named(EXPLAINED, EXPLAINED, TO_DO)), result("d", *named(EXPLAINED, DONE, TO_DO))]
    text = section(read_page(results), 2)
    assert text.index("2 have it done, 2 have it wrong.") < text.index("3 have it done, 1 have it wrong.")
    assert "Of all other functions, the former have 50% done, the latter 25%." in text
    assert text.count("have it done") == 2


def test_wrong_answers_are_grouped_by_equal_records(tmp_path):
    """One that differs in what came is another one; what is wrong without an example is only counted."""
    other = replace(UNEXPLAINED, record={**RECORD, "calls": [{**CALL, "came": 2}]})
    results = [result("abc"[place], UNEXPLAINED) for place in range(3)] + [result("d", other), result("e", SILENT)]
    text = section(read_page(results), 3)
    assert re.findall(r"(\d of \d)\n · 03_flops, (.*)", text) == [
        ("3 of 5", "1 call recorded"),
        ("1 of 5", "1 call recorded"),
    ]
    assert "03_flops · f: 1" in text
    written(tmp_path / "out", results)
    (tmp_path / "found").write_text("mine\n", encoding="utf-8")
    for _ in range(2):  # the second time adds nothing
        assert asked(tmp_path / "out", "--record", tmp_path / "found").exit_code == 0
    mine, *records = (tmp_path / "found").read_text(encoding="utf-8").splitlines()
    assert mine == "mine"
    assert [json.loads(line)["calls"][0]["came"] for line in records] == [1, 2]


def test_functions_that_are_wrong_together_are_one_mistake():
    """Their record is with the first of them; without one, each is told alone."""
    first = replace(UNEXPLAINED, record={**RECORD, "functions": ["f", "g"]})
    second, alone = (replace(UNEXPLAINED, record={}) for _ in range(2))
    text = section(read_page([result("a", *named(first, second, alone))]), 3)
    assert re.findall(r"(.*)\n1 of 1\n · (.*)", text) == [("f, g", "03_flops, 1 call recorded"), ("h", "03_flops")]


def test_nobody_is_named_unless_asked():
    """Neither whom a belief is of, nor who is on which side of a split."""
    every = [DONE, EXPLAINED, UNEXPLAINED, TO_DO, NOT_RUN, SILENT]
    results = [result(f"student {place}", one) for place, one in enumerate(every)]
    assert "student" not in read_page(results).text
    text = read_page(results, names=True)
    assert section(text, 0).count("student") == 5  # who has it done is told by who has not
    assert "who\nstudent 1" in section(text, 1)
    assert "done\nstudent 0\nwrong\nstudent 1\nstudent 2\nstudent 5" in section(text, 2)
    assert "who\nstudent 2" in section(text, 3)
    assert "03_flops · f: 1\nwho\nstudent 5" in section(text, 3)


@pytest.mark.parametrize(
    ("results", "says"),
    [
        ([result("a", DONE)], ["1 submission, 1 function: 100% done", "No belief was named.", "No function does"]),
        (
            [result("a", TO_DO), result("b", NOT_RUN)],
            ["50% to do, 50% not run", "1 to do, 1 not run", "No function does"],
        ),
        ([result("a", DONE), result("b", EXPLAINED)], ["1 have it done, 1 have it wrong.\n"]),
        (
            [result("a", DONE), replace(result("b", DONE), isolation="basic"), replace(result("c", DONE), torch="9")],
            [
                "1 × isolation basic, cpu, torch-dojo 0, torch 2, Python 3",
                "1 × isolation userns, cpu, torch-dojo 0, torch 9",
            ],
        ),
        ([result("a")], ["1 submission, 0 functions"]),
    ],
    ids=["one student", "nobody has begun", "one function", "several levels", "nothing graded"],
)
def test_any_class_has_a_page(results, says):
    """Each section says something."""
    text = read_page(results).text
    assert [one for one in says if one not in text] == []


def test_a_class_of_three_hundred_is_a_page_of_some_size():
    """However many mistakes there are; the most common ones are shown."""
    unlike = [replace(UNEXPLAINED, record={**RECORD, "calls": [{**CALL, "came": place}]}) for place in range(300)]
    results = [result(f"student {place}", *named(EXPLAINED, one)) for place, one in enumerate(unlike)]
    text = page(Tally(results), "today", names=False)
    assert "300 of 300" in text
    assert "… and 280 more, each of 1 at most" in text
    assert len(text) < 10**5


def hostile():
    """Results whose every text that a submission can influence is hostile."""
    spoken = replace(
        UNEXPLAINED,
        example=(("you called", HOSTILE), ("it returned", HOSTILE)),
        record={**RECORD, "calls": [{**CALL, "came": HOSTILE}]},
    )
    believed = replace(EXPLAINED, example=spoken.example)
    return [result(HOSTILE, *named(spoken, believed, DONE)), result("x" * 300, *named(SILENT, DONE, EXPLAINED))]


def test_what_is_shown_is_never_markup(tmp_path):
    """Names and answers stand there as text, without what cannot be seen; nothing is loaded, and nothing runs."""
    plain = read_page(
        [result("a", *named(UNEXPLAINED, EXPLAINED, DONE)), result("b", *named(SILENT, DONE, EXPLAINED))], True
    )
    text = page(Tally(hostile()), "today", names=True)
    read = Reader(text)
    assert set(read.tags) <= set(plain.tags)
    assert "<script>parent.run = true</script>" in read.text
    assert not re.search("[\x00\x1b\u202e\ud800]", text)
    assert not {"script", "img", "link", "iframe", "object"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "style")]
    assert {value for name, value in read.attributes if name == "href"} <= {
        f"#{v}" for n, v in read.attributes if n == "id"
    }
    assert set(re.findall(r"url\((.*?)\)", CLASS_STYLE.read_text(encoding="utf-8"))) == {"#stripes", "#dots"}
    folder = written(tmp_path / "out", hostile())
    (folder / "\u202e::error::.json").write_text("{", encoding="utf-8")
    done = asked(folder, "--names", "--record", tmp_path / "found")
    assert done.exit_code == 1
    assert not re.search("[\x00\x1b\u202e\ud800]|^\\s*::", done.output, re.MULTILINE)


def test_a_result_that_cannot_be_read_is_left_out_and_told(tmp_path):
    """With status 1: of an older dojo, for one. What the grader keeps beside the results is none."""
    folder = written(tmp_path / "out", [result("ann", DONE), result("bob", DONE)])
    path = folder / "bob.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"version": 2', '"version": 1'), encoding="utf-8")
    done = asked(folder)
    assert done.exit_code == 1
    assert "1 result, 0 beliefs" in done.output
    assert f"  left out {path} holds no result: version 1, and this dojo reads 2" in done.output
    assert "1 submission," in (folder / "class.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none"], "dojo: none is no folder of results; dojo grade-all writes one"),
        (["empty"], "dojo: empty should hold results of dojo grade-all, and holds none"),
        (
            ["odd"],
            "dojo: odd should hold results of dojo grade-all, and holds 1 that cannot be read: odd/a.json",
        ),
        (["full", "--record", "empty"], "dojo: --record must be a file in an existing folder, got empty"),
        (["full", "--record", "no/file"], "dojo: --record must be a file in an existing folder, got no/file"),
        (["taken"], "dojo: taken/class.html cannot be written: Is a directory"),
        (["full", "--record", "binary"], "dojo: binary cannot be written: 'utf-8' codec"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    """With status 2."""
    monkeypatch.chdir(tmp_path)
    for name in ("empty", "odd"):
        (tmp_path / name).mkdir()
    (tmp_path / "odd" / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\xff")
    written(tmp_path / "full", [result("ann", DONE)])
    written(tmp_path / "taken", [result("ann", DONE)])
    (tmp_path / "taken" / "class.html").mkdir()
    monkeypatch.setattr(sys, "argv", ["dojo", "class", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert told.err.startswith(said)
    assert told.err.count("\n") == 1


def test_a_submission_called_class_leaves_the_page_alone(tmp_path):
    """Its feedback may be a page as well."""
    assert Results(tmp_path, ["class"]).path("class").name != "class.json"


@needs_chromium
@pytest.mark.parametrize("scheme", [chromium.LIGHT, chromium.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_browser_shows_the_page(tmp_path, width, scheme, long):
    """Nothing sticks out, all text stands out from its paper, nothing runs. In the plain form the phone is dark."""
    if not long and (width == 360) != (scheme == chromium.DARK):
        pytest.skip("the dark phone and the light desk stand for it: in the long form")
    every = [DONE, EXPLAINED, UNEXPLAINED, TO_DO, NOT_RUN, SILENT]
    whole = [result(f"student {place}", *named(one, DONE)) for place, one in enumerate(every)]
    told = chromium.measured(
        tmp_path,
        [page(Tally(one), "today", names=names) for one in (whole, hostile()) for names in (False, True)],
        width,
        scheme,
    )
    assert len(told) == 4
    for one in told:
        assert one["scroll"] <= one["inner"] == width
        assert one["contrast"] >= 4.5
        assert one["run"] is False
