"""Kata 15: what a language model costs, to train and to serve. The lesson is in README.md beside this file.

This kata is solved without torch, in plain integers and floats. A multiply is one FLOP and an add is one. Biases,
norms, softmax, rotary embeddings, activation functions and table lookups are free, as in torch's counter.

The model is: token table (and positions), blocks, one norm, head. A block is: norm, q, k and v, attention, o, add;
norm, MLP, add. Counts are exact integers, however large, even beyond 2**100, and no size is refused for being large. A
float may be off by rounding, by 1e-12 of itself, and where a float is promised, an int of that value is fine.
A result depends only on the arguments of its call, not on earlier calls.
"""

from typing import TypedDict


class Config(TypedDict):
    """A model, described by its sizes. It is given with all keys, in any order, and never contradicts itself.

    Sizes are 1 or more, except that layers and positions may be 0. No function changes the config that it is given, and
    none leaves it changed when it raises an error.
    """

    vocab: int
    """Tokens in the vocabulary: the token table is (vocab, width), and the head is width -> vocab without bias."""
    layers: int
    """Number of blocks."""
    width: int
    """Numbers per token between the blocks."""
    heads: int
    """Query heads: q is width -> heads · head_dim, and o is heads · head_dim -> width."""
    kv_heads: int
    """Key and value heads, a divisor of heads: k and v are each width -> kv_heads · head_dim."""
    head_dim: int
    """Numbers per head; heads · head_dim need not be width."""
    hidden: int
    """Inner width of the MLP, any number."""
    gated: bool
    """If True, the MLP has two matrices width -> hidden, one being the gate, and one hidden -> width; else one each."""
    bias: bool
    """If True, each of q, k, v, o and the MLP's matrices has a bias for each output, and each norm, including the last
    one, has `width` biases in addition to its `width` weights. Else there are no biases."""
    positions: int
    """Rows of a learned table (positions, width); 0 if positions are rotary, which cost nothing."""
    tied: bool
    """If True, the head is the token table, which is used twice."""


def block_parameters(config: Config) -> int:
    """Return the number of parameters of one block: its matrices, its two norms, and all of their biases.

    `layers` makes no difference.

    width 8, 2 heads of 4, 2 kv_heads, hidden 32, no gate, no bias   ->  4 · 8 · 8 + 2 · 8 · 32 + 2 · 8 = 784
    with bias                                                        ->  784 + 4 · 8 + (32 + 8) + 2 · 8 = 872
    """
    raise NotImplementedError("block_parameters")


def parameters(config: Config) -> int:
    """Return the number of parameters of the model: tables, blocks, the last norm, head. A tied table counts once.

    one block as above, vocab 10, no bias, 0 positions, tied         ->  10 · 8 + 784 + 8 = 872
    not tied                                                         ->  872 + 8 · 10

    Without layers, the tables, the norm and the head are left.
    """
    raise NotImplementedError("parameters")


def forward_flops(config: Config, batch: int, tokens: int, cached: int = 0) -> int:
    """Return the FLOPs of a forward pass of `batch` sequences, each with `tokens` new and `cached` cached tokens.

    Prefill has cached = 0, and decoding has tokens = 1. The head computes logits for every new token. All query heads
    compute, whatever kv_heads is, and each new token attends to all cached + tokens: a causal mask saves nothing.

    that model, batch 1, tokens 4                ->  2 · 4 · 768 + 4 · 4 · 4 · 8 + 2 · 4 · 80 = 7296
    tokens 1, cached 3                           ->  a quarter of that

    batch, tokens and cached may be 0: without sequences or new tokens the result is 0. Without layers, the head is
    left.

    Raises ValueError if cached + tokens is more than the learned positions, if there are any.
    (This is not tested if batch or tokens is 0.)
    """
    raise NotImplementedError("forward_flops")


def crossover_tokens(config: Config) -> int:
    """Return the fewest tokens, without a cache, for which attention costs more FLOPs than the MLP of the same block.

    Attention is only its two products, q · k and weights · v; the projections q, k, v and o belong to neither side.
    An equal cost is not more. The result is at least 1. `layers` makes no difference, and the result may exceed
    positions. It may even exceed 2**100, and the answer comes at once.

    width 8, 2 heads of 4, hidden 32, no gate    ->  33: at 32 tokens both cost 32768
    """
    raise NotImplementedError("crossover_tokens")


def kv_cache_bytes(config: Config, batch: int, tokens: int, bytes_per_value: int = 2) -> int:
    """Return the bytes of the keys and values of all layers, for `tokens` tokens of each of `batch` sequences.

    batch and tokens may be 0. There are no more tokens than learned positions.
    """
    raise NotImplementedError("kv_cache_bytes")


def intensity(config: Config, batch: int, tokens: int, cached: int = 0, bytes_per_value: int = 2) -> float:
    """Return the FLOPs of that forward pass for each byte that its products have to load, in FLOP/byte.

    Each number takes bytes_per_value bytes. The products load the matrices of the blocks and of the head, tied or not,
    once, however large the batch; and the keys and values of the cached + tokens tokens of each sequence, once. Nothing
    else is moved: no activations, no token table for its own sake, no positions, biases or norms.

    batch and tokens are 1 or more. There are no more tokens than learned positions.
    """
    raise NotImplementedError("intensity")


def training_bytes(config: Config, batch: int, tokens: int, bytes_per_param: int = 16, bytes_per_value: int = 2) -> int:
    """Return the bytes of a training step: its parameters, and the activations that products need to go backward.

    Each parameter takes bytes_per_param, for weight, gradient and Adam's states. Each number that a product reads and
    that is not a parameter takes bytes_per_value; what several products read is kept once. For each token, in each
    block: the norm's result before q, k and v; q, k and v; the softmaxed weights, heads · tokens; attention's result
    before o; the second norm's result; and what the MLP's last matrix reads, hidden, gated or not. Once for each token:
    the last norm's result before the head.

    batch and tokens may be 0, which leaves the parameters. There are no more tokens than learned positions.
    """
    raise NotImplementedError("training_bytes")


def moe_parameters(config: Config, experts: int, active: int) -> tuple[int, int]:
    """Return the numbers of parameters of a mixture of experts: (all of them, those that one token uses).

    The MLP of each block becomes `experts` MLPs like it, with biases if it has them, and a router width -> experts
    without bias, even for one expert. A token uses `active` of the MLPs in each block, and everything else in full:
    tables, norms, attention, router, head.

    Raises ValueError unless 1 <= active <= experts.
    """
    raise NotImplementedError("moe_parameters")


def compute_optimal(flops: float, tokens_per_param: float = 20.0) -> tuple[float, float]:
    """Return (N, D): parameters and tokens with 6 · N · D = flops and D = tokens_per_param · N.

    compute_optimal(12000.0, 5.0)    ->  (20.0, 100.0)

    Raises ValueError if flops or tokens_per_param is 0 or less. Any number above 0 has an answer, even 1e-18, and
    either may be an int.
    """
    raise NotImplementedError("compute_optimal")
