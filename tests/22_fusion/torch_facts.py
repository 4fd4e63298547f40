"""What the properties of kata 22 take for granted of torch: a new torch breaks a test, and no verdict."""

from typing import Any

import pytest
import torch
from torch import fx
from torch.nn import functional as F

from ..shared.living import Living
from ..shared.own_functions import watching
from . import measures, truth


def compiled(function: Any, *args: Any) -> tuple[Any, list[Any]]:
    """What a compiled function returns, and its graphs."""
    graphs: list[Any] = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    try:
        return torch.compile(function, backend=backend, fullgraph=True)(*args), graphs
    finally:
        torch._dynamo.reset()


def test_a_where_is_one_graph():
    """And so is a clamp, and Python's max of a tensor and a number."""
    for decide in (lambda n: torch.where(n > 1, n, 1.0), lambda n: n.clamp(min=1.0), lambda n: max(n, 1.0)):
        y, graphs = compiled(lambda x, decide=decide: x / decide(x.norm()), torch.tensor([3.0, 4.0]))
        assert y.tolist() == pytest.approx([0.6, 0.8])
        assert len(graphs) == 1
        assert measures.taken(graphs) == []


def test_an_if_breaks_the_graph():
    """In words that begin with what is the matter."""
    with pytest.raises(measures.breaks()) as broken:
        compiled(lambda x: x / x.norm() if x.norm() > 1 else x, torch.ones(9))
    assert measures.told(broken.value) == "the graph breaks: Data-dependent branching"


def test_an_item_is_seen_in_the_graph_or_breaks_it():
    """Which of the two is torch's affair."""

    def scaled(x: Any) -> Any:
        return x * (1 / (x.norm().item() + 1))

    try:
        _, graphs = compiled(scaled, torch.ones(9))
    except measures.breaks():
        return
    assert measures.taken(graphs) == ["item"]


def test_dead_code_leaves_placeholders_without_users():
    """They stay in the graph, and are not read."""
    graph = fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    graph.call_function(torch.neg, (y,))
    graph.output((graph.call_function(torch.neg, (x,)),))
    graph.eliminate_dead_code()
    assert [(node.name, bool(node.users)) for node in graph.nodes if node.op == "placeholder"] == [
        ("x", True),
        ("y", False),
    ]


def test_an_operand_that_comes_twice_has_one_storage():
    """By which operands are told apart."""
    assert truth.eager_bytes([("a", ["x", "x"]), ("b", ["x", "a", "y"])], 10**12, 4) == 6 * 4 * 10**12


def test_causal_masks_from_the_top_left():
    """Also where there are more queries than keys, or fewer."""
    for n, s in ((2, 4), (4, 2)):
        q, k, v = torch.zeros(n, 1), torch.zeros(s, 1), torch.eye(s)
        found = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        rows = [[1 / min(i + 1, s) if j <= i else 0 for j in range(s)] for i in range(n)]
        assert found.tolist() == [pytest.approx(row) for row in rows]


def test_the_clipped_is_what_clipping_of_gradients_makes():
    """But for the 1e-6 that this adds to the norm."""
    for shape in ((), (2,), (2, 3), (0,)):
        x = torch.full(shape, 3.0, dtype=torch.float64)
        for limit in (0.5, 3.0, 100.0):
            parameter = torch.nn.Parameter(x.clone())
            parameter.grad = x.clone()
            torch.nn.utils.clip_grad_norm_([parameter], limit)
            torch.testing.assert_close(truth.clip_norm(x, limit), parameter.grad, rtol=1e-6, atol=0)


def test_an_expanded_tensor_is_as_large_as_its_storage():
    """A score that is expanded makes no table."""
    with watching() as seen:
        torch.ones(5, 1).expand(5, 100)
    assert seen.largest == 5


def test_a_block_lives_as_long_as_a_view_of_it():
    """By the storage, and not by the tensor object; and a clone is bytes that live."""
    blocks = measures.Passing(torch.ones(3) for _ in range(4))
    views = [block[1:] for block in blocks]
    assert len(views) == 4
    assert blocks.held == [[], [], [0], [0, 1], [0, 1, 2]]
    blocks = measures.Passing(torch.ones(3) for _ in range(4))
    sums = [block.sum() for block in blocks]
    assert len(sums) == 4
    assert blocks.held == [[]] * 5


@pytest.mark.parametrize(
    ("kept", "grows", "objects"), [("clone", True, False), ("tolist", False, True), ("sum", False, False)]
)
def test_what_is_kept_of_blocks_is_measured(kept, grows, objects):
    """As tensors, or as Python's own numbers; a number of each block is little."""
    with Living() as living:
        blocks = measures.Passing((torch.ones(1024) + place for place in range(14)), living)
        found = [getattr(block, kept)() for block in blocks]
    assert len(found) == 14
    assert (blocks.grown > 14 * 64) is grows
    assert blocks.objects is objects


def test_the_fewest_kernels_are_searched():
    """Where pointwise first would be one too many."""
    ops = (("pointwise", ()), ("other", ()), ("pointwise", (1,)))
    assert len(truth.fewest(ops)) == 2
    assert truth.fault(ops, truth.fewest(ops)) == ""
    assert truth.fault(ops, [[0], [2], [1]]) == "operation 2 needs 1, which has not run before"
    assert truth.fault(ops, [[0, 1], [2]]) == 'operation 1 is "other", and not alone in its kernel'
    assert truth.fault(ops, [[1], [0]]) == "operation 2 never runs"
    assert truth.fault(ops, [[1], [0, 0], [2]]) == "operation 0 runs twice"
    assert truth.fault(ops, [[3]]) == "there is no operation 3"
