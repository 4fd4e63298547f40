"""What leaves the grader: each format holds what its reader demands, and nothing that a submission said acts in it."""

import json
import re
from dataclasses import replace
from datetime import datetime
from html import unescape
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from dojo.files import write_whole
from dojo.grade.formats import FORMATS, markdown, prairielearn
from dojo.grade.result import FunctionResult, KataResult, Result, read
from dojo.report import sanitize
from tests.dojo.report.texts import TEXTS

REPORT = (
    "03_flops · matmul_flops",
    "  you called    matmul_flops((2, 3), (3, 4))",
    "  it returned   24",
    "  torch counts  48",
)
GRADED = Result(
    submission="alex.zip",
    isolation="userns",
    device="cpu",
    dojo="0.1.0",
    torch="2.13.0",
    python="3.12.1",
    katas=(
        KataResult(
            slug="03_flops",
            title="Count the FLOPs",
            functions=(
                FunctionResult("linear_flops", "FLOPs of a linear layer", 1, "done", held=2, total=2),
                FunctionResult("matmul_flops", "FLOPs of a product", 2, "wrong", report=REPORT, held=1, total=3),
                FunctionResult("mfu", "Model FLOPs utilization", 1, "to do", total=2),
            ),
            printed="'hello' (3 lines)",
        ),
        KataResult(
            slug="05_adagrad",
            title="AdaGrad",
            functions=(FunctionResult("SGD", "SGD", 2, "not run", total=4),),
            trouble="05_adagrad/adagrad.py:2  SyntaxError: '(' was never closed",
            notes=("torch.py: only adagrad.py counts",),
        ),
    ),
    notes=("README.md was not read",),
    times={"began": "2030-01-02T03:04:05+00:00", "seconds": 12.5},
)
FUNCTIONS = [(kata, function) for kata in GRADED.katas for function in kata.functions]


def hostile(text):
    """The result of a submission that puts this text wherever it can."""
    function = FunctionResult("matmul_flops", "FLOPs", 2, "wrong", text, ("  it returned", text, text), 0, 3)
    kata = KataResult("03_flops", "Count the FLOPs", (function,), text, (text, text), text)
    return replace(GRADED, submission=text, notes=(text,), katas=(kata,))


def told(name, result=GRADED):
    """What a format says of a result."""
    return FORMATS[name].text(result)


def strictly(text):
    """JSON as a strict reader takes it: no literal that JSON lacks, no key twice, nothing but ASCII."""

    def no_key_twice(pairs):
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def no_constant(word):
        raise AssertionError(word)

    assert text.isascii()
    read_back = json.loads(text, object_pairs_hook=no_key_twice, parse_constant=no_constant)
    json.dumps(read_back, ensure_ascii=False).encode()  # fails on half of a surrogate pair, which many readers refuse
    return read_back


@settings(max_examples=300)
@given(text=TEXTS)
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_that_a_submission_says_acts_in_a_terminal_or_a_log(name, text):
    """No control, no bidi override, no tag, no surrogate; no line that GitHub's runner takes for a command."""
    out = told(name, hostile(text))
    out.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufe0f]", out)
    assert not any(0xE0000 <= ord(sign) <= 0xE0FFF for sign in out)
    assert not any(line.lstrip().startswith("::") for line in out.splitlines())
    assert "##[" not in out


@given(text=TEXTS)
@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.filename.endswith(".json")])
def test_every_json_is_strict_and_holds_no_html(name, text):
    """A page that holds it whole, as a script's data, is not left by any text in it."""
    out = told(name, hostile(text))
    strictly(out)
    assert not set("<>&") & set(out)


@given(text=TEXTS)
def test_the_result_file_can_be_read_again(tmp_path_factory, text):
    """What was written is read as the same result with clean texts; writing that once more changes nothing."""
    path = tmp_path_factory.getbasetemp() / "result.json"
    write_whole(path, told("json", hostile(text)))
    back = read(path)
    assert back.submission == sanitize.line(text)
    assert back.katas[0].functions[0].report == sanitize.lines(("  it returned", text, text))
    assert (back.score, back.points, back.times) == (0, 2, GRADED.times)
    assert told("json", back) == path.read_text(encoding="utf-8")


@given(text=TEXTS)
def test_the_xml_says_what_the_clean_text_says(text):
    """References and entities read as the signs that they stand for, and nothing in the text is markup."""
    top = ElementTree.fromstring(told("junit", hostile(text)))
    (failure,) = top.iter("failure")
    clean = sanitize.line(text)
    expected = [part for part in (clean, clean) if part] + ["  it returned", clean, clean]
    assert failure.text is not None
    assert failure.text.split("\n") == expected
    assert {child.tag for child in top.iter()} == {
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "system-out",
    }  # fmt: skip


@settings(max_examples=300)
@given(text=TEXTS)
def test_no_text_leaves_its_block_or_span_of_markdown(text):
    """Headings, the table and blocks of code are all there is, with the words of the grader alone outside of code."""
    tokens = MarkdownIt("commonmark").enable("table").parse(told("markdown", hostile(text)))
    fences = [token.content for token in tokens if token.type == "fence"]
    assert len(fences) == 3
    assert fences[2].split("\n")[-4:-1] == ["  it returned", *[sanitize.for_log(sanitize.line(text))] * 2]
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert kinds == {"heading", "paragraph", "inline", "fence", "table", "thead", "tbody", "tr", "th", "td"}
    inside = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inside} == {"text", "code_inline"}
    words = " ".join(child.content for child in inside if child.type == "text")
    ours = [
        "of",
        "points",
        "isolation",
        "device",
        "by",
        "torch",
        "dojo",
        "Python",
        "kata",
        "function",
        "status",
        "wrong",
    ]
    assert set(re.findall(r"[a-zA-Z]+", words)) <= set(ours)
    cells = [token for token in tokens if token.type == "td_open"]
    assert len(cells) == 4


def test_the_grade_and_the_report_are_in_every_format():
    """Each failed function carries the report that a learner would see, word for word."""
    for name in FORMATS:
        out = told(name)
        text = "\n".join(ElementTree.fromstring(out).itertext()) if name == "junit" else unescape(out)
        joined = text if name in ("junit", "markdown", "html") else "\n".join(_strings(strictly(out)))
        assert "\n".join(REPORT) in joined, name
        assert "SyntaxError: '(' was never closed" in joined, name


def _strings(value):
    """The texts of a JSON value; a list of texts as its lines."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def test_gradescope_gets_what_its_specification_asks():
    """A score, and for each function a test with its share of it; texts are of the format that Gradescope escapes."""
    results = strictly(told("gradescope"))
    assert results["score"] == 1
    assert type(results["score"]) in (int, float)
    assert results["output_format"] == results["test_output_format"] == results["test_name_format"] == "text"
    assert {results["visibility"], results["stdout_visibility"]} <= {"visible", "hidden"}
    assert len(results["tests"]) == len(FUNCTIONS)
    for test, (kata, function) in zip(results["tests"], FUNCTIONS, strict=True):
        assert test["name"].startswith(f"{kata.slug} {function.name}")
        assert (test["score"], test["max_score"]) == (function.score, function.points)
        assert test["status"] == ("passed" if function.status == "done" else "failed")
        assert test["output_format"] == test["name_format"] == "text"
        assert test["visibility"] == "visible"
        assert isinstance(test["output"], str)
        assert all(isinstance(tag, str) for tag in test["tags"])
    assert sum(test["score"] for test in results["tests"]) == results["score"]


def test_prairielearn_gets_a_share_of_the_points():
    """The score lies in [0, 1], and the points of the tests add up to it."""
    results = strictly(told("prairielearn"))
    assert results["gradable"] is True
    assert results["score"] == 1 / 6
    assert [(test["points"], test["max_points"]) for test in results["tests"]] == [(1, 1), (0, 2), (0, 1), (0, 2)]
    assert all(isinstance(test[key], str) for test in results["tests"] for key in ("name", "description", "output"))
    assert strictly(told("prairielearn", replace(GRADED, katas=())))["score"] == 0
    everything = replace(GRADED, katas=(replace(GRADED.katas[0], functions=GRADED.katas[0].functions[:1]),))
    assert strictly(told("prairielearn", everything))["score"] == 1


def test_classroom50_gets_what_its_schema_asks(monkeypatch):
    """The required keys and no other, in their forms; who handed in what, as its runner says."""
    for variable in ("CLASSROOM", "ASSIGNMENT", "OWNER", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "REVIEW_URL"):
        monkeypatch.setenv(variable, f"submit/{variable}")
    monkeypatch.setenv("ASSIGNMENT_TYPE", "group")
    results = strictly(told("classroom50"))
    assert set(results) == {
        "schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review",
        "datetime", "score", "max-score", "tests",
    }  # fmt: skip
    assert results["schema"] == "classroom50/result/v1"
    assert (results["classroom"], results["submission"]) == ("submit/CLASSROOM", "submit/SUBMISSION_TAG")
    assert results["assignment_type"] == "group"
    assert results["datetime"] == "2030-01-02T03:04:05Z"
    assert (results["score"], results["max-score"]) == (1, 6)
    for test, (_, function) in zip(results["tests"], FUNCTIONS, strict=True):
        assert test["passed"] is (function.status == "done")
        assert (test["score"], test["max-score"]) == (function.score, function.points)
        assert test["test-name"]


def test_classroom50_elsewhere_says_that_nobody_is_known(monkeypatch):
    """Without its runner the file still has the form that the schema asks."""
    for variable in ("CLASSROOM", "ASSIGNMENT", "OWNER", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "REVIEW_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("ASSIGNMENT_TYPE", raising=False)
    results = strictly(told("classroom50", replace(GRADED, times={})))
    assert results["owner"] == results["classroom"] == "unknown"
    assert results["submission"] == "submit/unknown"
    assert results["assignment_type"] == "individual"
    datetime.strptime(results["datetime"], "%Y-%m-%dT%H:%M:%SZ")


def test_junit_counts_nothing_as_passed_that_is_not_done():
    """A suite for each kata, a case for each function, a failure for each that is wrong, to do or was not run."""
    top = ElementTree.fromstring(told("junit"))
    assert top.tag == "testsuites"
    assert (top.get("tests"), top.get("failures"), top.get("errors"), top.get("skipped")) == ("4", "3", "0", "0")
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in top] == [
        ("03_flops", "3", "2"),
        ("05_adagrad", "1", "1"),
    ]
    cases = {case.get("name"): case.find("failure") for case in top.iter("testcase")}
    assert list(cases) == [function.name for _, function in FUNCTIONS]
    assert cases["linear_flops"] is None
    failed = {name: failure for name, failure in cases.items() if failure is not None}
    assert failed["matmul_flops"].text == "\n".join(REPORT)
    assert (failed["mfu"].get("type"), failed["mfu"].get("message")) == ("to do", "still to do")
    assert failed["SGD"].get("type") == "not run"
    assert "SyntaxError" in failed["SGD"].get("message", "")


def test_the_markdown_is_this_to_the_letter():
    """The score, the table, and a block for each file and function there is something to say of."""
    functions = replace(GRADED.katas[0], functions=GRADED.katas[0].functions[:2])
    assert told("markdown", replace(GRADED, katas=(functions, GRADED.katas[1]))) == (
        "# 1 of 5 points\n\n"
        "`alex.zip`, isolation `userns`, device `cpu`, by torch-dojo `0.1.0`, torch `2.13.0`, Python `3.12.1`\n\n"
        "```text\nREADME.md was not read\n```\n\n"
        "| kata | function | points | status |\n"
        "| --- | --- | ---: | --- |\n"
        "| `03_flops` | `linear_flops` | 1 of 1 | done |\n"
        "| `03_flops` | `matmul_flops` | 0 of 2 | wrong |\n"
        "| `05_adagrad` | `SGD` | 0 of 2 | not run |\n\n"
        "## `03_flops`\n\n```text\nprinted 'hello' (3 lines)\n```\n\n"
        "### `03_flops` `matmul_flops`\n\n```text\n" + "\n".join(REPORT) + "\n```\n\n"
        "## `05_adagrad`\n\n```text\n05_adagrad/adagrad.py:2  SyntaxError: '(' was never closed\n"
        "torch.py: only adagrad.py counts\n```\n"
    )


def test_a_flood_of_reports_stays_below_what_each_platform_takes():
    """Where the reports are too much, the scores are told without them."""
    report = ("\U0001f600" * sanitize.LINE,) * sanitize.LINES
    functions = tuple(FunctionResult(f"f{i}", "F", 1, "wrong", report=report, total=1) for i in range(40))
    flood = replace(GRADED, katas=(replace(GRADED.katas[0], functions=functions),))
    grade = told("markdown", flood)
    assert len(grade.encode()) <= markdown.MOST
    assert "| `f39` | 0 of 1 | wrong |" in grade
    results = told("prairielearn", flood)
    assert len(results) <= prairielearn.MOST
    assert len(strictly(results)["tests"]) == 40


def test_a_report_is_bounded_as_a_whole():
    """A report of very many lines keeps the first ones."""
    function = FunctionResult("f", "F", 1, "wrong", report=("x",) * 10**4)
    long = replace(GRADED, katas=(replace(GRADED.katas[0], functions=(function,)),))
    report = strictly(told("json", long))["katas"][0]["functions"][0]["report"]
    assert (len(report), report[0]) == (sanitize.LINES, "x")


def test_each_format_has_a_file_of_its_own():
    """All of them can be written into one folder."""
    assert len({form.filename for form in FORMATS.values()}) == len(FORMATS)
