"""Right answers to kata 14 about the bytes that are saved, measured and predicted."""
# mypy: ignore-errors

import functools
import itertools
import math
from fractions import Fraction

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn import functional as F

from dojo.judging.diagnose import answers

# saved_bytes


@answers("saved_bytes")
def saved_by_a_list_of_storages(function, exclude=()):
    held, without = [], [tensor.untyped_storage() for tensor in exclude]

    def pack(tensor):
        storage = tensor.untyped_storage()
        if all(storage._cdata != other._cdata for other in (*held, *without)):
            held.append(storage)
        return tensor.detach()

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    return functools.reduce(lambda total, storage: total + len(storage), held, 0)


@answers("saved_bytes")
def saved_by_weak_references(function, exclude=()):
    without = {StorageWeakRef(tensor.untyped_storage()) for tensor in exclude}
    sizes = {}

    class Hooks(saved_tensors_hooks):
        def __init__(self):
            super().__init__(self.pack, self.unpack)

        def pack(self, tensor):
            sizes[StorageWeakRef(tensor.untyped_storage())] = tensor.untyped_storage().size()
            return tensor, "packed"

        def unpack(self, pair):
            return pair[0]

    with Hooks():
        function()
    return sum(size for ref, size in sizes.items() if ref not in without)


@answers("saved_bytes")
def saved_in_two_steps(function, exclude=()):
    tensors = []
    stack = torch.autograd.graph.saved_tensors_hooks(
        lambda t: tensors.append(t) or len(tensors) - 1, tensors.__getitem__
    )
    stack.__enter__()
    try:
        function()
    finally:
        stack.__exit__(None, None, None)
    ours = {t.untyped_storage()._cdata: t.untyped_storage() for t in tensors}
    for tensor in exclude:
        ours.pop(tensor.untyped_storage()._cdata, None)
    return sum(map(len, ours.values()))


@answers("saved_bytes")
def saved_by_addresses_of_what_is_held(function, exclude=()):
    without = [tensor for tensor in exclude]
    kept = {}

    def pack(tensor):
        whole = tensor.untyped_storage()
        if whole.nbytes():
            kept[whole.data_ptr()] = whole
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    addresses = {tensor.untyped_storage().data_ptr() for tensor in without}
    return sum(whole.nbytes() for address, whole in kept.items() if address not in addresses)


# op_saved_bytes


@answers("op_saved_bytes")
def op_by_measuring(op, shape, dtype=torch.float32):
    x, y = (torch.empty(shape, dtype=dtype, device="meta").requires_grad_() for _ in "xy")
    run = {
        "relu": x.relu,
        "tanh": x.tanh,
        "exp": x.exp,
        "softmax": lambda: x.softmax(-1),
        "gelu": lambda: F.gelu(x),
        "square": x.square,
        "mul": lambda: x * y,
        "layer_norm": lambda: F.layer_norm(x, (shape[-1],)),
        "max": lambda: x.max(-1),
        "masked_fill": lambda: x.masked_fill(torch.empty(shape, dtype=torch.bool, device="meta"), 0.0),
        "add": lambda: x + y,
        "scale": lambda: 2 * x,
        "sum": x.sum,
    }
    try:
        return saved_by_a_list_of_storages(run[op])
    except KeyError:
        raise ValueError(op) from None


@answers("op_saved_bytes")
def op_by_matching(op, shape, dtype=torch.float32):
    n = functools.reduce(lambda a, b: a * b, shape, 1)
    size = torch.finfo(dtype).bits // 8
    match op:
        case "add" | "scale" | "sum":
            return 0
        case "relu" | "tanh" | "exp" | "softmax" | "gelu" | "square":
            return n * size
        case "mul":
            return n * size + n * size
        case "masked_fill":
            return n
        case "max":
            return 8 * (n // shape[-1])
        case "layer_norm":
            return size * (n + 2 * n // shape[-1])
    raise ValueError(f"no such op: {op}")


@answers("op_saved_bytes")
def op_by_a_table_of_factors(op, shape, dtype=torch.float32):
    table = "add 0 scale 0 sum 0 relu 1 tanh 1 exp 1 softmax 1 gelu 1 square 1 layer_norm 1 mul 2 max 0 masked_fill 0"
    words = table.split()
    factors = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    if op not in factors.keys():
        raise ValueError("unknown operation")
    x = torch.empty(shape, dtype=dtype, device="meta")
    total = factors[op] * x.nbytes
    if op == "masked_fill":
        total += x.numel()
    elif op == "max":
        total += x[..., 0].numel() * 8
    elif op == "layer_norm":
        total += 2 * x[..., 0].nbytes
    return total


# mlp_saved_bytes


@answers("mlp_saved_bytes")
def mlp_by_a_real_model(batch, dims, activation="relu", bytes_per_value=4):
    dtype = {2: torch.bfloat16, 4: torch.float32, 8: torch.float64}[bytes_per_value]
    kinds = {"none": nn.Identity, "relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU, "silu": nn.SiLU}
    if activation not in kinds:
        raise ValueError(activation)
    x = torch.empty(batch, dims[0], dtype=dtype, device="meta")
    weights = [torch.empty(b, a, dtype=dtype, device="meta").requires_grad_() for a, b in itertools.pairwise(dims)]

    def run():
        h = x
        for place, weight in enumerate(weights):
            h = F.linear(h if place == 0 else kinds[activation]()(h), weight)

    return saved_by_a_list_of_storages(run, [x, *weights])


@answers("mlp_saved_bytes")
def mlp_by_a_loop(batch, dims, activation="relu", bytes_per_value=4):
    tensors = 0
    if activation in ("gelu", "silu"):
        tensors = 2
    elif activation in ("none", "relu", "tanh"):
        tensors = 1
    if not tensors:
        raise ValueError(f"activation {activation}")
    total = 0
    for place, width in enumerate(dims):
        if place != 0 and place != len(dims) - 1:
            for _ in range(tensors):
                total += batch * width * bytes_per_value
    return total


@answers("mlp_saved_bytes")
def mlp_by_recursion(batch, dims, activation="relu", bytes_per_value=4):
    twice = ["none", "relu", "tanh", "gelu", "silu"].index(activation) > 2
    if len(dims) <= 2:
        return 0
    first, second, *others = dims
    rest = mlp_by_recursion(batch, (second, *others), activation, bytes_per_value)
    return rest + (second * batch * bytes_per_value << twice)


# attention_saved_bytes


@answers("attention_saved_bytes")
def attention_by_measuring(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    dtype = torch.bfloat16 if bytes_per_value == 2 else torch.float32
    place = "cpu" if fused else "meta"
    q = torch.zeros(batch, heads, q_len, head_dim, dtype=dtype, device=place, requires_grad=True)
    k, v = (torch.zeros(batch, heads, kv_len, head_dim, dtype=dtype, device=place, requires_grad=True) for _ in "kv")
    if fused:
        return saved_by_a_list_of_storages(lambda: F.scaled_dot_product_attention(q, k, v))
    return saved_by_a_list_of_storages(lambda: torch.softmax(q @ k.mT / math.sqrt(head_dim), -1) @ v)


@answers("attention_saved_bytes")
def attention_by_named_parts(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    parts = {"q": (q_len, head_dim), "k": (kv_len, head_dim), "v": (kv_len, head_dim)}
    parts |= {"result": (q_len, head_dim)} if fused else {"weights": (q_len, kv_len)}
    total = sum(rows * columns for rows, columns in parts.values()) * bytes_per_value
    if fused:
        total += 4 * q_len
    return total * heads * batch


@answers("attention_saved_bytes")
def attention_by_fractions(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    count = batch * heads
    tokens = q_len + 2 * kv_len
    more = q_len * (head_dim + Fraction(4, bytes_per_value)) if fused else q_len * kv_len
    return int(count * bytes_per_value * (tokens * head_dim + more))
