"""What a jail may say: each kind of message has its fields, each field its type, and each request its answers."""

import functools
import json
from typing import Any

import pytest
import torch

from dojo.catalog import find
from dojo.grade.inside.learner import outcome
from dojo.grade.inside.loading import compiled, loaded, told
from dojo.grade.inside.messages import ANSWERS, FIELDS, LINE, MANY, NAME, answer_to
from dojo.grade.inside.wire import BadFrame
from dojo.seam.json_codec import encode
from dojo.seam.local import Local
from tests.dojo.grade.frames import framed

WELL: dict[str, dict[str, Any]] = {
    "done": {},
    "died": {"status": -9},
    "unreadable": {"message": "no frame"},
    "loaded": {"trouble": "", "lines": {"f": 3}, "stubs": ["f"], "names": ["f", "g"]},
    "value": {"value": [1, 2.5]},
    "error": {"name": "ValueError", "bases": ["ValueError", "object"], "message": "no", "line": None},
    "todo": {"function": "f", "stub": "g", "message": "to do", "line": 3},
    "missing": {"function": "f"},
    "broken": {"message": "it fails"},
    "batch": {},
}
LEFT: dict[str, Any] = {"value": 1, "files": {"a": None}, "moments": 2, "seen": [[None, True]]}
WELL["part"] = {"ended": {"kind": "value"}, "value": LEFT}
NO_FILES: list[Any] = [None, [], {1: None}, {"a": ""}, {"a": torch.ones(2)}, {"a": torch.ones(2, 2, dtype=torch.uint8)}]
NO_MOMENTS: list[Any] = [None, True, -1, 1.0, 2**31, 10**400]
NO_LOOKS: list[Any] = [None, {}, [None], [[None]], [[None, 1]], [[1, True]]]
NO_TEXT: list[Any] = [None, 1, [], {}, "x" * (LINE + 1)]
NO_NAMES: list[Any] = [None, "f", {"f": 1}, [1], [["f"]], ["f"] * (MANY + 1), ["x" * (LINE + 1)]]
NO_LINES: list[Any] = [None, [], {"f": True}, {"f": 1.0}, {"f": -1}, {"f": 2**31}, {"f": 10**400}, {"f": None}]
NO_LINE: list[Any] = ["1", True, 1.5, -1, 2**31, 10**400]
NO_STATUS: list[Any] = [None, True, 1.0, "1", 256, -65, 10**400]
ODD: dict[str, dict[str, list[Any]]] = {
    "done": {"value": [0, "", []]},
    "died": {"status": NO_STATUS, "value": [1]},
    "unreadable": {"message": NO_TEXT},
    "loaded": {"trouble": NO_TEXT, "lines": NO_LINES, "stubs": NO_NAMES, "names": NO_NAMES, "value": [1]},
    "value": {"value": [{"error": "ValueError"}]},
    "error": {"name": NO_TEXT, "bases": NO_NAMES, "message": NO_TEXT, "line": NO_LINE, "value": [1]},
    "todo": {"function": NO_TEXT, "stub": NO_TEXT, "message": NO_TEXT, "line": NO_LINE, "value": [1]},
    "batch": {"value": [1, []]},
    "missing": {"function": NO_TEXT},
    "broken": {"message": NO_TEXT},
    "part": {
        "ended": [
            *(None, "killed", {}, {"kind": None}, {"kind": []}, {"kind": "part"}, {"kind": "done"}),
            *({"kind": "value", "value": 1}, {"kind": "killed", "status": 9}, {"kind": "missing", "function": 1}),
            {"kind": "todo", "function": "f", "stub": "g"},
        ],
        "value": [
            *(None, 1, [], {}, LEFT | {"more": 1}, {name: LEFT[name] for name in ("value", "files", "moments")}),
            *(LEFT | {"files": value} for value in NO_FILES),
            *(LEFT | {"moments": value} for value in NO_MOMENTS),
            *(LEFT | {"seen": value} for value in NO_LOOKS),
        ],
    },
}
CASES = [(kind, name, value) for kind, fields in ODD.items() for name, values in fields.items() for value in values]


def understood(kind, request="", **changes):
    """A message of this kind as the judge understands it, where these fields are others."""
    message = {"id": "a", "kind": kind, "value": None, **WELL[kind], **changes}
    asked = request or next(asked for asked, kinds in ANSWERS.items() if kind in kinds)
    if kind == "part":
        return answer_to(asked, *framed(message, message.pop("value")))
    return answer_to(asked, json.dumps(message).encode(), b"")


@pytest.mark.parametrize("kind", FIELDS)
def test_a_message_as_it_should_be_is_understood(kind):
    """Each kind has a request that it answers."""
    assert understood(kind) == {"id": "a", "kind": kind, "value": None, **WELL[kind]}


@pytest.mark.parametrize(("kind", "name", "value"), CASES, ids=range(len(CASES)))
def test_a_field_of_another_type_is_refused(kind, name, value):
    """And one that is larger than its bound."""
    with pytest.raises(BadFrame, match=f"^'{kind}' with an odd '{name}'$"):
        understood(kind, **{name: value})


@pytest.mark.parametrize("kind", FIELDS)
def test_a_message_has_its_fields_and_no_other(kind):
    """One less, and one more."""
    with pytest.raises(BadFrame, match=r"^other fields"):
        understood(kind, more=1)
    for name in ("id", *WELL[kind].keys() - {"value"}):
        message = {"id": "a", "kind": kind, "value": None, **WELL[kind]}
        message["value"] = encode(message["value"])
        del message[name]
        asked = next(asked for asked, kinds in ANSWERS.items() if kind in kinds)
        with pytest.raises(BadFrame, match=r"^other fields"):
            answer_to(asked, json.dumps(message).encode(), b"")


@pytest.mark.parametrize("request_", ANSWERS)
def test_a_request_has_its_answers_and_no_other(request_):
    """A value is none to the question what the file holds."""
    for kind in FIELDS:
        if kind in ANSWERS[request_]:
            assert understood(kind, request_)["kind"] == kind
        else:
            with pytest.raises(BadFrame, match=r"^no kind of answer"):
                understood(kind, request_)


@pytest.mark.parametrize("kind", [None, 1, True, [], {}, "", "Value", "lend"])
def test_a_kind_that_is_none_is_refused(kind):
    """Whatever stands there."""
    with pytest.raises(BadFrame, match=r"^no kind of answer"):
        answer_to("ask", json.dumps({"id": "a", "kind": kind, "value": 1}).encode(), b"")


def test_names_of_any_length_are_within_the_bounds():
    """Whoever answers rightly, and calls an exception or a function as nobody would, is understood all the same."""
    kata, long = find("01"), "x" * 5000
    source = f"""
class {long}(ValueError):
    pass

def {long}_todo():
    raise NotImplementedError

def get_memory_usage(tensor):
    raise {long}("y" * 5000)

def get_storage_usage(tensors):
    return {long}_todo()

def get_model_memory(layers):
    bases = ValueError
    for number in range(2000):
        bases = type(str(number), (bases,), {{}})
    raise bases

{"".join(f"def f{number}(): raise NotImplementedError" + chr(10) for number in range(2000))}
"""
    file = loaded(kata, compiled(kata, source.encode()))
    said = answer_to("open", *framed({"id": "a", "kind": "loaded", **told(kata, file)}, None))
    assert said["names"] == ["get_memory_usage", "get_storage_usage", "get_model_memory"]
    assert said["stubs"] == []
    for name in said["names"]:
        message, value = outcome(functools.partial(Local(file)._outcome, name, (name,), None, (1,), {}))
        said = answer_to("ask", *framed({"id": "a", **message}, value))
        if name == "get_memory_usage":
            assert said["name"] == f"{'x' * NAME}"
            assert "ValueError" in said["bases"]
            assert len(said["message"]) == LINE
        assert said["kind"] == ("todo" if name == "get_storage_usage" else "error")
