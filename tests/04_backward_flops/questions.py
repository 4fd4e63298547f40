"""The questions that the path of README.md begins with, for `dojo answer`.

An H100 SXM promises 989.5e12 FLOP/s in bfloat16 without sparsity and has 80e9 bytes of memory, as its data sheet says.
"""

from typing import Any

from dojo.tools.answer import exact

PEAK = 989.5e12
MEMORY = 80 * 10**9


def training_days(kata: Any, parameters: float, tokens: float, gpus: int) -> str:
    """How long do {parameters} parameters train on {tokens} tokens, on {gpus} H100s?"""
    days = kata.training_days(parameters, tokens, gpus, PEAK)
    return f"{days:,.1f} days, at half of the {exact(PEAK)} FLOP/s that each promises"


def largest_model(kata: Any, parameters: float, tokens: float, gpus: int) -> str:
    """What is the largest model that AdamW trains in float32 on {gpus} H100s?"""
    return f"{exact(kata.largest_model(gpus, MEMORY))} parameters, at 16 bytes each, before any activation"
