"""What torch says about the cases of kata 22: counted where it runs, searched, or computed in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, fx
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

DTYPES = {1: torch.int8, 2: torch.bfloat16, 4: torch.float32, 8: torch.float64, 16: torch.complex128}

OPERATIONS: dict[int, Any] = {1: torch.neg, 2: torch.add, 3: torch.addcmul}
"""One for each number of inputs."""

Program = Sequence[tuple[str, Sequence[str]]]
Ops = tuple[tuple[str, tuple[int, ...]], ...]


class Traffic(TorchDispatchMode):
    """Counts the bytes of the distinct tensors that operations are given, and of those that they make."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Import no compiler, which takes a second."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation, and count."""
        made = func(*args, **(kwargs or {}))
        read = {x.untyped_storage()._cdata: x.nbytes for x in tree_iter((args, kwargs)) if isinstance(x, Tensor)}
        self.bytes += sum(read.values()) + made.nbytes
        return made


def eager_bytes(program: Program, numel: int, itemsize: int) -> int:
    """Run each operation on tensors of one element: so many elements cost so many times as much."""
    there: dict[str, Tensor] = {}
    traffic = Traffic()
    for name, inputs in program:
        given = [there.setdefault(one, torch.ones(1, dtype=DTYPES[itemsize])) for one in inputs]
        with traffic:
            there[name] = OPERATIONS[len(given)](*given)
    return traffic.bytes * numel


def fused_bytes(program: Program, outputs: Sequence[str], numel: int, itemsize: int) -> int:
    """What torch.fx leaves of the program once dead code is gone: placeholders that are used, and outputs."""
    graph = fx.Graph()
    nodes: dict[str, fx.Node] = {}
    for one in dict.fromkeys(x for _, inputs in program for x in inputs):
        if one not in {name for name, _ in program}:
            nodes[one] = graph.placeholder(one)
    for name, inputs in program:
        nodes[name] = graph.call_function(OPERATIONS[len(inputs)], tuple(nodes[one] for one in inputs))
    graph.output(tuple(nodes[name] for name in outputs))
    graph.eliminate_dead_code()
    read = [node for node in graph.nodes if node.op == "placeholder" and node.users]
    written = {node for node in graph.nodes if any(user.op == "output" for user in node.users)}
    return (len(read) + len(written)) * torch.empty(numel, dtype=DTYPES[itemsize], device="meta").nbytes


def fewest(ops: Ops) -> list[list[int]]:
    """The first of the shortest lists of kernels, of all that there are."""
    done: dict[frozenset[int], list[list[int]]] = {frozenset(): []}
    while not (whole := [kernels for there, kernels in done.items() if len(there) == len(ops)]):
        after: dict[frozenset[int], list[list[int]]] = {}
        for there, kernels in done.items():
            for kernel in _next(ops, there):
                after.setdefault(there.union(kernel), [*kernels, kernel])
        done = after
    return whole[0]


def _next(ops: Ops, done: frozenset[int]) -> list[list[int]]:
    """Every kernel that may come next: one that is other, or any pointwise operations that need no one else."""
    left = [number for number in range(len(ops)) if number not in done]
    found = [[number] for number in left if ops[number][0] == "other" and done.issuperset(ops[number][1])]
    kernels: list[list[int]] = [[]]
    for number in left:
        if ops[number][0] == "pointwise":
            kernels += [[*one, number] for one in kernels if done.union(one).issuperset(ops[number][1])]
    return found + kernels[1:]


def fault(ops: Ops, kernels: Sequence[Sequence[int]]) -> str:
    """What is wrong with these kernels, whatever their number, in words; "" where nothing is."""
    done: set[int] = set()
    for kernel in kernels:
        for number in kernel:
            if number not in range(len(ops)):
                return f"there is no operation {number}"
            if number in done:
                return f"operation {number} runs twice"
            if ops[number][0] == "other" and len(kernel) > 1:
                return f'operation {number} is "other", and not alone in its kernel'
            if missing := [need for need in ops[number][1] if need not in done]:
                return f"operation {number} needs {missing[0]}, which has not run before"
            done.add(number)
    lost = [number for number in range(len(ops)) if number not in done]
    return f"operation {lost[0]} never runs" if lost else ""


def tiled_matmul_bytes(m: int, k: int, n: int, block_m: int, block_n: int, itemsize: int) -> int:
    """The bytes of the slices that each tile takes."""
    a, b, c = (torch.empty(shape, dtype=DTYPES[itemsize], device="meta") for shape in ((m, k), (k, n), (m, n)))
    return sum(
        a[rows].nbytes + b[:, columns].nbytes + c[rows, columns].nbytes
        for rows in _slices(m, block_m)
        for columns in _slices(n, block_n)
    )


def _slices(size: int, block: int) -> Iterator[slice]:
    return (slice(start, start + block) for start in range(0, size, block))


def attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """Torch's own, in one go."""
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal)


def attention_flops(shapes: Sequence[Sequence[int]], block: int, causal: bool) -> int:
    """The FLOPs of all blocks that are not wholly hidden, by looking at a mask."""
    *lead, n, d = shapes[0]
    s, e = shapes[2][-2:]
    seen = torch.ones(n, s).tril() if causal else torch.ones(n, s)
    tiles = [seen[rows, columns] for rows in _slices(n, block) for columns in _slices(s, block)]
    return sum(2 * torch.Size(lead).numel() * tile.numel() * (d + e) for tile in tiles if tile.any())


def clip_norm(x: Tensor, limit: float) -> Tensor:
    """In the direction of x, which torch finds, as long as it may be."""
    exact = x.double()
    if torch.linalg.vector_norm(exact) <= limit:
        return x
    return (F.normalize(exact.flatten(), dim=0) * limit).reshape(x.shape).to(x.dtype)
