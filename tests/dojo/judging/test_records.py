"""What `--record` writes, and what becomes of it: no type is lost, and nothing but calls and results is there."""

import itertools
import json
import subprocess
import sys
from collections import Counter

import pytest
import torch

from dojo.catalog import ROOT, find
from dojo.judging import gates, records
from dojo.judging.diagnose import with_variant
from dojo.judging.explain import explanations
from dojo.seam import json_codec
from dojo.seam import json_codec as coding
from dojo.seam.data import Error, Foreign, same
from dojo.seam.seam import Call
from tests.dojo.clone import make
from tests.strength.harvest import read

VALUES: list[object] = [
    None,
    True,
    3,
    -(10**5000),
    2.5,
    float("inf"),
    "text",
    (1, [2, (3,)], {}),
    {(1, 2): [None], "name": {"inner": ()}},
    torch.bfloat16,
    torch.arange(6.0).reshape(2, 3),
    torch.tensor([1.5, -0.25], dtype=torch.bfloat16),
    torch.tensor(True),
    torch.zeros((0, 3), dtype=torch.int8),
    torch.tensor([[1 + 2j, 3j]]),
]


@pytest.mark.parametrize(("number", "kept"), [(0, 0), (1, 1), (99, 99), (100, 100), (101, 100), (200, 100), (400, 100)])
def test_as_many_calls_are_kept_as_may_be(number, kept):
    """A hundred different ones at most: the first twenty, and of the others some, evenly spread."""
    calls = [Call("f", f"f({place})", (), place, None, (place,), {}) for place in range(number)]
    found = [call["args"] for call in records.told([*calls, *calls])]
    places = [coding.decode(args)[0] for args in found]
    assert len(places) == kept
    assert places == sorted(set(places))
    assert places[:20] == [*range(kept)][:20]
    gaps = {after - place for place, after in itertools.pairwise([*places[20:], number])}
    assert max(gaps, default=0) - min(gaps, default=0) <= 1


def test_a_belief_is_compared_with_a_hundred_calls(monkeypatch):
    """All of exactly a hundred; with fewer, once it is out of the question."""
    asked = []
    monkeypatch.setattr(Call, "again", lambda call, seam: asked.append((seam, call.written)))
    calls = [Call("mfu", f"mfu({place})", (), place, None, (place,), {}) for place in range(100)]
    explanations(find("03"), "mfu", calls)
    assert max(Counter(seam for seam, _ in asked).values()) == 100


@pytest.mark.parametrize("value", VALUES, ids=[str(place) for place in range(len(VALUES))])
def test_plain_data_comes_back_as_it_was(value):
    """Through JSON, with every type: a tuple is no list, True is not 1."""
    assert same(json_codec.decode(json.loads(json.dumps(json_codec.encode(value)))), value)


def test_what_is_no_data_comes_back_by_its_name():
    """A NaN equals nothing, a foreign value and an error have no more than a name."""
    nan = json_codec.decode(json.loads(json.dumps(json_codec.encode(float("nan")))))
    assert nan != nan
    assert json_codec.decode(json_codec.encode([Foreign("range")])) == [Foreign("range")]
    error = Error("ValueError", ("ValueError", "Exception"), "a secret of the learner's", 12)
    assert json_codec.decode(json_codec.encode(error)) == Error("ValueError", (), "")
    assert "secret" not in json.dumps(json_codec.encode(error))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("no json", "JSONDecodeError"),
        ("[]", "TypeError"),
        ('{"kata": "99_none", "functions": [], "calls": []}', "99_none"),
        ('{"kata": "03_flops", "functions": ["mfoo"], "calls": []}', "mfoo"),
        ('{"kata": "03_flops", "functions": ["mfu"], "calls": [{}]}', "KeyError"),
        *(
            (
                '{"kata": "03_flops", "functions": ["mfu"], "calls": [{"function": "mfu", "call": "", "where": [], '
                f'"came": 1, "scenario": "{scenario}", "args": [], "named": {{"dict": []}}}}]}}',
                "is no scenario",
            )
            for scenario in ("os:system", "tests.01_memory.scenarios:tensors", "tests.shared.described:tensor")
        ),
    ],
    ids=["text", "list", "kata", "function", "call", "module", "name", "no scenario"],
)
def test_a_line_that_is_no_record_is_named(tmp_path, line, says):
    """By file and line; nothing that a file names is run unless it is a scenario."""
    path = tmp_path / "records"
    records.write(path, "03_flops", ["mfu"], [])
    path.write_text(path.read_text(encoding="utf-8") + line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"records:2 is no record") as caught:
        list(read(path))
    assert says in str(caught.value)


@pytest.mark.parametrize("name", ["01-get_storage_usage", "03-matmul_flops", "05-AdaGrad", "06-load_checkpoint"])
def test_what_was_recorded_is_explained_like_the_calls_themselves(tmp_path, name):
    """A record holds all that the diagnosis needs: plain calls, scenarios, programs."""
    number, about = name.split("-")
    kata = find(number)
    variant = next(variant for variant in gates.misconceptions(kata) if variant.about == about)
    for test in gates.properties(kata, about)[:2]:
        seam = with_variant(kata, variant)
        gates.ask(test, seam, seed=0, examples=10)
        before = explanations(kata, about, seam.calls)
        path = tmp_path / test.__name__
        records.write(path, kata.slug, [about], records.told(seam.calls))
        (record,) = read(path)
        assert record.kata == kata.slug
        assert record.functions == (about,)
        after = explanations(kata, about, record.calls)
        assert words(after) == words(before)
        assert before is None or any([variant.belief, variant.advice] in fit["beliefs"] for fit in before)


def words(fits):
    """The beliefs of each explanation: how often one call was made is not recorded."""
    return fits and [fit["beliefs"] for fit in fits]


def test_a_wrong_answer_is_harvested(tmp_path):
    """Only one that nobody foresaw is recorded; a skeleton shows what it did; filled in, the record is explained."""
    clone = make(tmp_path)
    clone.solve("03_flops")
    clone.spoil("03_flops", "    return 2 * prod(x_shape)", "    return 3 * prod(x_shape)")
    clone.spoil(
        "03_flops", "    return prod(_broadcast(*shapes))", "    _broadcast(*shapes)\n    return sum(map(prod, shapes))"
    )
    for workers in ("0", "2"):
        ran = clone.pytest("katas/03_flops", "--record", "found.jsonl", "-k", "linear or elementwise", "-n", workers)
        assert "added to found.jsonl: 1 wrong" in ran.out
    text = (clone.root / "found.jsonl").read_text(encoding="utf-8")
    assert len(text.splitlines()) == 2
    assert str(clone.root) not in text
    skeleton = harvested(clone)
    assert skeleton.count("@believes") == 1  # one mistake, made twice
    assert "elementwise" not in skeleton
    assert "# linear_flops((1,), 1)\n    #     gives 3, and 2 is right" in skeleton
    filled = skeleton.replace(
        "return solved.linear_flops(x_shape, out_features)", "return 3 * prod(x_shape) * out_features"
    )
    with (clone.root / "tests" / "03_flops" / "misconceptions.py").open("a", encoding="utf-8") as file:
        file.write(filled)
    assert "03_flops · linear_flops: 'what they believe, in one sentence' explains it by now" in harvested(clone)


def harvested(clone):
    """What the command prints for found.jsonl."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.strength.harvest", "found.jsonl"]
    done = subprocess.run(command, cwd=clone.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_harvest_says_what_it_wants(tmp_path):
    """No file, or one that holds no records, is one line."""
    command = [sys.executable, "-m", "tests.strength.harvest"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    (tmp_path / "file").write_text("{}\n", encoding="utf-8")
    done = subprocess.run([*command, str(tmp_path / "file")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.endswith("file:1 is no record: KeyError: 'kata'\n")
