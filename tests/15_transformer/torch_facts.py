"""What the properties of kata 15 take for granted of torch: a new torch breaks a test, and no verdict."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from . import lean, truth
from .decoder import Decoder
from .strategies_configs import REAL, config

LLAMA_3 = config(128256, 32, 4096, 32, 8, 128, 14336, True, False, 0, False)
GPT_2_XL = config(50257, 48, 1600, 25, 25, 64, 6400, False, True, 1024, True)
SMALL = [
    config(8, 2, 5, 4, 2, 3, 7, gated, bias, positions, tied)
    for gated, bias, positions, tied in ((False, True, 9, True), (True, False, 0, False), (True, True, 9, True))
]

COUNTS = {
    "GPT-2": (REAL["GPT-2"], 124_439_808),
    "GPT-2, not tied": (REAL["GPT-2"] | {"tied": False}, 163_037_184),
    "GPT-2 XL": (GPT_2_XL, 1_557_611_200),
    "GPT-3": (REAL["GPT-3"], 174_604_259_328),
    "Llama-2 7B": (REAL["Llama-2 7B"], 6_738_415_616),
    "Llama-3 8B": (LLAMA_3, 8_030_261_248),
}
"""As they were published."""


class Operands(TorchDispatchMode):
    """Keeps the two operands of each product."""

    products = (torch.ops.aten.mm, torch.ops.aten.bmm, torch.ops.aten.addmm, torch.ops.aten.baddbmm)

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Tensor] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Look at what the function multiplies."""
        if func.overloadpacket in self.products:
            self.found += args[-2:]
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("name", COUNTS)
def test_real_models_have_the_parameters_that_were_published(name):
    """This shows that the model of decoder.py is the published one."""
    known, count = COUNTS[name]
    assert sum(truth.parameters(known).values()) == count


def test_mixtral_has_the_parameters_that_were_published():
    """There are 46.7e9, and a token uses 12.9e9 of them."""
    assert truth.moe_parameters(REAL["Mixtral"], 8, 2) == (46_702_792_704, 12_879_925_248)


def test_gpt_2_costs_more_than_2_flops_for_each_parameter_and_token():
    """Its table is used twice, tied or not, and its positions and norms are free."""
    for known in (REAL["GPT-2"], REAL["GPT-2"] | {"tied": False}):
        assert sum(truth.flops(known, 1, 1024).values()) == 291_648_307_200


@pytest.mark.parametrize("known", SMALL, ids=str)
@pytest.mark.parametrize(("batch", "tokens", "cached"), [(2, 3, 0), (3, 1, 5), (2, 4, 5), (1, 0, 3)])
def test_the_lean_model_multiplies_what_the_whole_decoder_does(known, batch, tokens, cached):
    """Both have the same FLOPs, and the same bytes for matrices, for keys and values, and for the other operands."""
    model = Decoder(known, device="meta", dtype=torch.bfloat16)
    with Operands() as operands:
        _, caches = model(batch, tokens, cached)
    found = truth.storages(known, batch, tokens, cached)
    assert truth.decoder_flops(known, batch, tokens, cached) == sum(truth.flops(known, batch, tokens, cached).values())
    kinds = {p.untyped_storage()._cdata: "matrices" for p in model.parameters()}
    kinds |= {x.untyped_storage()._cdata: "cache" for pair in caches for x in pair}
    sizes = lean.nbytes((kinds.get(x.untyped_storage()._cdata, "activations"), x) for x in operands.found)
    assert sizes == {"matrices": found.matrices, "cache": found.cache, "activations": sum(found.activations.values())}


def test_the_decoder_computes_with_a_cache_what_it_computes_without():
    """On the CPU, run the last of four tokens alone, after the keys and values of the first three."""
    model = Decoder(config(8, 1, 5, 4, 2, 3, 7, True, False, 0, False))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, generator=torch.Generator().manual_seed(15))
    attention: Any = model.blocks[0].attention
    x = torch.randn(1, 4, 5, generator=torch.Generator().manual_seed(15))
    none = (torch.zeros(1, 2, 0, 3),) * 2
    whole, _ = attention(x, none)
    _, kept = attention(x[:, :3], none)
    last, _ = attention(x[:, 3:], kept)
    torch.testing.assert_close(last, whole[:, 3:])


@pytest.mark.parametrize("known", SMALL, ids=str)
def test_all_blocks_of_a_mixture_are_alike(known):
    """That is why two small models tell what a large one has, on the CPU and on meta."""
    for experts, active in ((3, 2), (1, 1), (4, 4)):
        model = Decoder(known | {"layers": 3}, (experts, active), device="meta")
        model(1, 1)[0].sum().backward()
        used = truth.numel(p for p in model.parameters() if p.grad is not None)
        counted = truth.moe_parameters(known | {"layers": 3}, experts, active)
        assert counted == (truth.numel(model.parameters()), used)


@pytest.mark.parametrize("known", SMALL, ids=str)
def test_counts_grow_with_head_dim_and_hidden_by_equal_steps(known):
    """That is why two small models tell the counts of a model that is too large even for meta."""
    for measure in (truth.block_parameters, truth.parameters, flops, storages, attention_and_mlp, mixture):
        assert truth.linear(measure, known, head_dim=2, hidden=2) == measure(known)


def flops(config):
    """Return the FLOPs of a pass."""
    return truth.flops(config, 2, 3, 5)


def storages(config):
    """Return the bytes of everything that a pass reads."""
    found = truth.storages(config, 2, 3, 5)
    return {"matrices": found.matrices, "cache": found.cache, **found.activations}


def attention_and_mlp(config):
    """Return the FLOPs of attention and of the MLP for four tokens."""
    return dict(zip(("attention", "MLP"), truth.attention_and_mlp(config, 4), strict=True))


def mixture(config):
    """Return the parameters of a mixture of three experts."""
    return dict(zip(("every", "used"), truth.moe_parameters(config, 3, 2), strict=True))


def test_a_prefill_costs_as_much_as_its_last_token_again_and_again():
    """A causal mask saves nothing."""
    for known in SMALL:
        whole, last = (sum(truth.flops(known, 2, *some).values()) for some in ((4, 0), (1, 3)))
        assert whole == 4 * last


def test_attention_grows_with_the_square_of_the_tokens():
    """The MLP grows with the tokens, so the cost of one token tells the cost of many."""
    for known in SMALL:
        one, many = (truth.attention_and_mlp(known, tokens) for tokens in (1, 7))
        assert many == (49 * one[0], 7 * one[1])


def test_figures_of_the_lesson():
    """Crossovers, caches and intensities of the models that it names."""
    names = ("GPT-2", "GPT-3", "Llama-2 7B")
    crossovers = [truth.crossover_tokens(REAL[name]) for name in names] + [truth.crossover_tokens(LLAMA_3)]
    assert crossovers == [3073, 49153, 16513, 21505]
    assert truth.storages(REAL["Llama-2 7B"], 1, 4096).cache == 2 * 1024**3
    assert truth.storages(LLAMA_3, 1, 8192).cache == 1024**3
    runs = ((1, 8192, 0), (1, 1, 8191), (64, 1, 8191), (64, 1, 0))
    assert [round(truth.intensity(LLAMA_3, *run), 1) for run in runs] == [9832.8, 1.2, 14.8, 64.0]
