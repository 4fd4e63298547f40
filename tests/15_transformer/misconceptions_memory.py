"""Wrong answers that people give to kata 15 by remembering the results of earlier calls."""

from typing import Any

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")

_known: dict[tuple[Any, ...], Any] = {}


def _once(name, without, config, *sizes):
    """Compute once for all calls that differ only in these keys of the config."""
    key = (name, *sorted((key, value) for key, value in config.items() if key not in without), *sizes)
    if key not in _known:
        _known[key] = getattr(solved, name)(config, *sizes)
    return _known[key]


@believes("A result may be remembered by a few of the sizes", about="block_parameters")
def remembers_blocks_with_biases_or_not(config):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("block_parameters", ("bias",), config)


@believes("A result may be remembered by a few of the sizes", about="parameters")
def remembers_models_tied_or_not(config):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("parameters", ("tied",), config)


@believes("A result may be remembered by a few of the sizes", about="forward_flops")
def remembers_passes_of_any_vocabulary(config, batch, tokens, cached=0):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("forward_flops", ("vocab",), config, batch, tokens, cached)


@believes("A result may be remembered by a few of the sizes", about="crossover_tokens")
def remembers_crossings_gated_or_not(config):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("crossover_tokens", ("gated",), config)


@believes("A result may be remembered by a few of the sizes", about="kv_cache_bytes")
def remembers_caches_of_any_head_dim(config, batch, tokens, bytes_per_value=2):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("kv_cache_bytes", ("head_dim",), config, batch, tokens, bytes_per_value)


@believes("A result may be remembered by a few of the sizes", about="intensity")
def remembers_intensities_of_any_hidden(config, batch, tokens, cached=0, bytes_per_value=2):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("intensity", ("hidden",), config, batch, tokens, cached, bytes_per_value)


@believes("A result may be remembered by a few of the sizes", about="training_bytes")
def remembers_steps_of_any_kv_heads(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("training_bytes", ("kv_heads",), config, batch, tokens, bytes_per_param, bytes_per_value)


@believes("A result may be remembered by a few of the sizes", about="moe_parameters")
def remembers_mixtures_of_any_width(config, experts, active):
    """Two models may differ in something else: every key of the config that counts belongs to what is looked up."""
    return _once("moe_parameters", ("width",), config, experts, active)
