"""Kata 15: what a language model costs, to train and to serve. The lesson is in README.md beside this file.

Plain integers and floats: this kata is solved without torch. A multiply is one FLOP and an add is one. Biases, norms,
softmax, rotary turns, activation functions and look-ups in a table are free, as torch's counter has it.

The model is: token table (and positions), blocks, one norm, head. A block is: norm, q, k and v, attention, o, add;
norm, MLP, add. Counts are exact integers however large, beyond 2**100 too, and no size is refused for that. A float may
be off by rounding, by 1e-12 of itself, and where a float is promised, an int of that value will do.
"""

from typing import TypedDict


class Config(TypedDict):
    """A model, described by its sizes; it is given, and all keys are there, in any order. No config contradicts itself.

    Sizes are 1 or more, but that layers and positions may be 0. No function changes the config that it is given.
    """

    vocab: int
    """Tokens of the vocabulary: the token table is (vocab, width), the head width -> vocab without bias."""
    layers: int
    """Blocks."""
    width: int
    """Numbers of a token between the blocks."""
    heads: int
    """Heads of the queries: q is width -> heads · head_dim, and o is heads · head_dim -> width."""
    kv_heads: int
    """Heads of keys and values, which divide heads: k and v are width -> kv_heads · head_dim each."""
    head_dim: int
    """Numbers of a head; heads · head_dim need not be width."""
    hidden: int
    """Inner width of the MLP, any number."""
    gated: bool
    """The MLP has two matrices width -> hidden, one of them the gate, and one hidden -> width; else one and one."""
    bias: bool
    """Each of q, k, v, o and the MLP's matrices has a bias for each output, and each norm, the last one too, has
    `width` biases beside its `width` weights. Else none of them has."""
    positions: int
    """Rows of a learned table (positions, width); 0 where positions are rotary, and cost nothing."""
    tied: bool
    """The head is the token table, used twice."""


def block_parameters(config: Config) -> int:
    """Parameters of one block: its matrices, its two norms, and all of their biases. `layers` makes no difference.

    width 8, 2 heads of 4, 2 kv_heads, hidden 32, no gate, no bias   ->  4 · 8 · 8 + 2 · 8 · 32 + 2 · 8 = 784
    with bias                                                        ->  784 + 4 · 8 + (32 + 8) + 2 · 8 = 872
    """
    raise NotImplementedError("block_parameters")


def parameters(config: Config) -> int:
    """Parameters of the model: tables, blocks, the last norm, head. A tied table counts once.

    one block as above, vocab 10, no bias, 0 positions, tied         ->  10 · 8 + 784 + 8 = 872
    not tied                                                         ->  872 + 8 · 10

    Without layers, tables, norm and head are left.
    """
    raise NotImplementedError("parameters")


def forward_flops(config: Config, batch: int, tokens: int, cached: int = 0) -> int:
    """FLOPs of a forward pass: `tokens` new tokens for each of `batch` sequences, of which `cached` lie in the cache.

    Prefill is cached = 0, and decoding is tokens = 1. The head gives logits for every new token. All query heads
    compute, whatever kv_heads is, and each new token meets all cached + tokens: a causal mask saves nothing.

    that model, batch 1, tokens 4                ->  2 · 4 · 768 + 4 · 4 · 4 · 8 + 2 · 4 · 80 = 7296
    tokens 1, cached 3                           ->  a quarter of it

    batch, tokens and cached may be 0: without sequences or new tokens it is 0, without layers the head is left.

    Raises ValueError where cached + tokens are more than the learned positions, if there are any.
    (Where batch or tokens is 0, nobody asks for that.)
    """
    raise NotImplementedError("forward_flops")


def crossover_tokens(config: Config) -> int:
    """The fewest tokens, without a cache, for which attention costs more FLOPs than the MLP of the same block.

    Attention is its two products alone, q · k and weights · v; the projections q, k, v and o belong to neither side. As
    much is not more. At least 1. `layers` makes no difference, and tokens may go beyond positions. They may be beyond
    2**100, and the answer comes at once.

    width 8, 2 heads of 4, hidden 32, no gate    ->  33: at 32 tokens both cost 32768
    """
    raise NotImplementedError("crossover_tokens")


def kv_cache_bytes(config: Config, batch: int, tokens: int, bytes_per_value: int = 2) -> int:
    """Bytes of the keys and values of all layers, for `tokens` tokens of each of `batch` sequences.

    batch and tokens may be 0. There are no more tokens than learned positions.
    """
    raise NotImplementedError("kv_cache_bytes")


def intensity(config: Config, batch: int, tokens: int, cached: int = 0, bytes_per_value: int = 2) -> float:
    """FLOPs of that forward pass for each byte that its products have to load, in FLOP/byte.

    These are bytes_per_value for each number in the matrices of the blocks and in the head's, tied or not, once however
    large the batch; and in the keys and values of the cached + tokens tokens of each sequence, once. Nothing else is
    moved: no activations, token table for its own sake, positions, biases or norms.

    batch and tokens are 1 or more. There are no more tokens than learned positions.
    """
    raise NotImplementedError("intensity")


def training_bytes(config: Config, batch: int, tokens: int, bytes_per_param: int = 16, bytes_per_value: int = 2) -> int:
    """Bytes of a training step: bytes_per_param for each parameter, and the activations that products need to go back.

    bytes_per_param holds weight, gradient and Adam's states. bytes_per_value is that of each number that a product
    reads and that is no parameter; what several products read is kept once. Of each token, in each block: the norm's
    result before q, k and v; q, k and v; the softmaxed weights, heads · tokens; attention's result before o; the second
    norm's result; and what the MLP's last matrix reads, hidden, gated or not. Of each token once: the last norm's
    result before the head.

    batch and tokens may be 0, and leave the parameters. There are no more tokens than learned positions.
    """
    raise NotImplementedError("training_bytes")


def moe_parameters(config: Config, experts: int, active: int) -> tuple[int, int]:
    """Parameters of a mixture of experts: (all of them, those that one token uses).

    The MLP of each block becomes `experts` MLPs like it, with biases where it has them, and a router width -> experts
    without bias, for one expert too. A token uses `active` of the MLPs in each block, and everything else wholly:
    tables, norms, attention, router, head.

    Raises ValueError unless 1 <= active <= experts.
    """
    raise NotImplementedError("moe_parameters")


def compute_optimal(flops: float, tokens_per_param: float = 20.0) -> tuple[float, float]:
    """(N, D): parameters and tokens with 6 · N · D = flops and D = tokens_per_param · N.

    compute_optimal(12000.0, 5.0)    ->  (20.0, 100.0)

    Raises ValueError for flops or tokens_per_param that are 0 or less.
    """
    raise NotImplementedError("compute_optimal")
