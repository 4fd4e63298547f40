"""The wire: what goes in comes out with its type, and whatever else comes is refused."""

import json
import pickle
import struct

import pytest
import torch
from safetensors.torch import save

from dojo.grade.inside import wire
from dojo.seam.data import Foreign, kind_of, same, shown
from dojo.seam.json_codec import decode, encode, strict_json
from tests.dojo.grade.frames import framed

VALUES = [
    (1, [2.5, {"a": (None, True)}], {}, {(1, 2): "text"}),
    -(10**5000),
    [float("inf"), float("-inf"), float("nan"), -0.0, 0.0, 5e-324, -1.7976931348623157e308],
    Foreign("range"),
    torch.float8_e4m3fn,
    torch.arange(6.0, dtype=torch.bfloat16).reshape(2, 3),
    [torch.tensor(3), torch.empty(0, 2), torch.tensor([1 + 2j])],
    {"tuple": [1, 2]},
    {"tensor": ["0", "cpu"]},
]


def over_the_wire(message, value):
    """What the judge understands of an answer."""
    return wire.understood(*framed(message, value))


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_plain_data_keeps_its_types(value):
    """A dict that looks like a type's name stays a dict."""
    told = over_the_wire({"id": "a"}, value)
    assert told["id"] == "a"
    assert same(told["value"], value, bits=True) or value == told["value"]


def _kept(x):
    """What a call can tell about a tensor."""
    layout = x.dtype, x.shape, x.stride(), x.untyped_storage().nbytes()
    flags = type(x), x.requires_grad, x.is_conj(), x.is_neg(), vars(x)
    return layout, flags, x.detach().resolve_conj().resolve_neg().contiguous().view(-1).tolist()


WHOLE = torch.arange(6.0).reshape(2, 3)
SENT = {
    "whole": WHOLE,
    "empty": torch.empty(2, 0),
    "one number": torch.tensor(-0.0),
    "bool": torch.tensor([True, False]),
    "float8": WHOLE.to(torch.float8_e5m2),
    "bfloat16": WHOLE.bfloat16(),
    "complex": torch.tensor([1 + 2j], dtype=torch.complex128),
    "with requires_grad": WHOLE.clone().requires_grad_(),
    "a slice": WHOLE[1:],
    "transposed": WHOLE.T,
    "expanded": torch.ones(1).expand(3),
    "conjugated": torch.tensor([1 + 2j]).conj(),
    "negated": torch._neg_view(WHOLE),
    "a parameter": torch.nn.Parameter(WHOLE.clone()),
    "with an attribute": WHOLE.clone(),
}
SENT["with an attribute"].group = "decayed"  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", SENT.values(), ids=SENT)
def test_a_tensor_goes_to_the_jail_as_it_is(value):
    """Whichever way it is packed."""
    *_, first, second = wire.opened(wire.frame(("id", "ask", value, value)))
    assert _kept(first) == _kept(value)
    assert first is second
    assert first.untyped_storage().data_ptr() % 64 == 0  # as torch allocates


def test_a_tensor_without_a_graph_goes_as_its_bytes():
    """As torch packs it, its storage alone takes more."""
    assert len(wire.pickled(WHOLE)) < 24 + 150 < len(pickle.dumps(WHOLE))


@pytest.mark.parametrize(
    "value",
    [torch.zeros(2, dtype=torch.complex128), "x" * (wire.MESSAGE + 1), torch.zeros([1] * 65)],
    ids=["dtype", "long", "rank"],
)
def test_what_cannot_be_sent_is_told_as_foreign(value):
    """The answer is wrong all the same, and the process goes on."""
    assert isinstance(over_the_wire({}, value)["value"], Foreign)


@pytest.mark.parametrize(
    "text",
    [
        '{"value": NaN}',
        '{"value": Infinity}',
        '{"value": 1e999}',
        '{"id": 1, "id": 2}',
        '{"value": {"int": "0x' + "f" * 2**19 + '"}}',
        '{"value": {"int": "12"}}',
        '{"value": {"float": "1.5"}}',
        '{"value": {"tuple": 1}}',
        '{"value": {"tuple": [1], "list": [1]}}',
        '{"value": {"dict": [[1, 2], [1, 3]]}}',
        '{"value": {"dict": [[[1], 2]]}}',
        '{"value": {"dict": [[1]]}}',
        '{"value": {"pickle": "gASVAAAA"}}',
        '{"value": {"dtype": "torch.Tensor"}}',
        '{"value": {"tensor": ["0", "cpu"]}}',
        '{"value": ' + '{"tuple": [' * 50 + "]}" * 50 + "}",
        "[" * 100_000,
        "1" * 10_000,
        "[]",
        "",
        '{"value": 1} x',
    ],
    ids=range(21),
)
def test_a_message_that_is_none_is_refused(text):
    """With a BadFrame, whatever is wrong with it."""
    with pytest.raises(wire.BadFrame):
        wire.understood(text.encode(), b"")


@pytest.mark.parametrize("data", [b"\xff", b"\0" * 8, b"\xff" * 8 + b"{}", (2).to_bytes(8, "little") + b"{}x"])
def test_tensors_that_are_none_are_refused(data):
    """safetensors says what is no file of it."""
    with pytest.raises(wire.BadFrame):
        wire.understood(b'{"value": {"tensor": ["0", "cpu"]}}', data)


def header(entries, data=b""):
    """Tensors of which the header says this."""
    told = entries if isinstance(entries, bytes) else json.dumps(entries).encode()
    return struct.pack("<Q", len(told)) + told + data


def entry(shape, size=0, dtype="F32", **more):
    """A header for one tensor."""
    return {"0": {"dtype": dtype, "shape": shape, "data_offsets": [0, size], **more}}


HEADERS = {
    "strides beyond int64": header(entry([0, 2**62, 2**62])),
    "a size beyond int64": header(entry([2**63, 0])),
    "a size beyond uint64": header(entry([2**64, 0])),
    "a product beyond int64": header(entry([2**32, 2**32])),
    "65 dimensions": header(entry([1] * 65, 4), bytes(4)),
    "thousands of dimensions": header(entry([1] * 9000, 4), bytes(4)),
    "no bool": header(entry([1], 1, "BOOL"), b"\2"),
    "a negative size": header(entry([-1])),
    "a size that is a bool": header(entry([True], 4), bytes(4)),
    "a size that is a float": header(entry([1.0], 4), bytes(4)),
    "a shape that is none": header(entry(None)),
    "an entry that is none": header({"0": None}),
    "another field": header(entry([1], 4, more=1), bytes(4)),
    "metadata": header({"__metadata__": {"a": "b"}, **entry([1], 4)}, bytes(4)),
    "no object": header([]),
    "a key twice": header(json.dumps(entry([1], 4)).replace("}}", '},"0":0}').encode(), bytes(4)),
    "a type of half bytes": header(entry([2], 1, "F4"), bytes(1)),
    "an unknown type": header(entry([1], 4, "X9"), bytes(4)),
    "nested": header(b"[" * 10_000),
    "a long header": header(json.dumps(entry([1], 4)).encode() + b" " * wire.MESSAGE, bytes(4)),
    "a header longer than all": struct.pack("<Q", 2**64 - 1) + b"{}",
}


@pytest.mark.parametrize("tensors", HEADERS.values(), ids=HEADERS)
def test_a_header_that_torch_cannot_take_is_refused(tensors):
    """Before torch is asked; also where the message needs no tensor."""
    for message in (b'{"value": {"tensor": ["0", "cpu"]}}', b"{}"):
        with pytest.raises(wire.BadFrame, match=r"^no tensors: "):
            wire.understood(message, tensors)


def test_the_largest_ranks_and_sizes_are_read():
    """A bound turns nothing away that torch can make."""
    for shape in ([1] * 64, [0, 2**62], [2, 0, 2**61]):
        told = wire.understood(b'{"value": {"tensor": ["0", "cpu"]}}', save({"0": torch.empty(shape)}))
        assert list(told["value"].shape) == shape


def test_a_tensor_is_named_once():
    """A message of 4 MiB could name a large one 150,000 times, and all of them would be looked at."""
    tensors = save({"0": torch.zeros(1)})
    with pytest.raises(wire.BadFrame, match="a tensor that is not there"):
        wire.understood(b'{"value": [{"tensor": ["0", "cpu"]}, {"tensor": ["0", "cpu"]}]}', tensors)


def test_a_message_that_is_no_text_is_refused():
    """UTF-8 alone is read."""
    with pytest.raises(wire.BadFrame):
        wire.understood(b"\xff\xfe", b"")


def test_a_frame_that_is_too_long_is_not_read():
    """Its head says so."""
    with pytest.raises(wire.BadFrame, match="more than a frame may have"):
        wire.lengths(wire.HEAD.pack(wire.MESSAGE + 1, 0))
    assert wire.lengths(wire.HEAD.pack(3, 4)) == (3, 4)


def test_strict_json_reads_what_json_writes():
    """Nothing that is right is refused."""
    value = {"a": [1, 2.5, None, True, "ü\ud800"]}
    assert strict_json(json.dumps(value).encode()) == value
    assert same(decode(encode((1, 2.5))), (1, 2.5))


def test_a_dict_whose_keys_have_one_hash_is_refused_unbuilt():
    """Each of them would be compared with all that came before it: of 90,000, for a minute."""
    pairs = [[{"int": hex((2**61 - 1) * number)}, 0] for number in range(10, 90_010)]
    with pytest.raises(ValueError, match="'dict' is not a kind of value, or its contents are invalid"):
        decode({"dict": pairs})
    assert len(decode({"dict": pairs[:1000]})) == 1000


def test_a_tensor_on_a_device_that_is_not_there_is_refused(monkeypatch):
    """It says so of itself, and nobody looked."""
    real = torch.Tensor.to

    def to(tensor, device):
        if device == "cuda":
            raise AssertionError("Torch not compiled with CUDA enabled")
        return real(tensor, device)

    monkeypatch.setattr(torch.Tensor, "to", to)  # whether this machine has one or not
    with pytest.raises(wire.BadFrame, match="a tensor on cuda, which is not there"):
        wire.understood(b'{"value": {"tensor": ["0", "cuda"]}}', save({"0": torch.zeros(1)}))


def test_a_large_tensor_is_not_written_out():
    """Sixteen million numbers would take minutes and gigabytes, of which a report shows a line."""
    assert shown(torch.zeros(2**24, dtype=torch.bool)) == "<a bool tensor of shape (16777216,)>"
    assert shown(torch.zeros(100)).startswith("torch.tensor([0.0, 0.0")


def test_many_tensors_are_not_written_out():
    """Together they are as long as a large one."""
    assert shown([torch.zeros(6000)] * 2) == f"[{', '.join(['<a float32 tensor of shape (6000,)>'] * 2)}]"
    assert shown({1: torch.zeros(6000), 2: (torch.zeros(4000),)}).startswith("{1: torch.tensor([0.0, ")


def test_a_class_without_a_name_is_shown():
    """Python lets a class be called "", and no name makes a line longer than a value may be."""
    assert shown([Foreign("")]) == "[<a >]"
    assert len(shown(Foreign("x" * 10**6))) == len(shown((Foreign("x" * 10**6),)).partition("…")[0]) == 400
    assert len(kind_of(tuple(Foreign(str(number)) for number in range(10_000)))) == 400
