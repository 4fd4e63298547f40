"""Lines of programs that several strategies of kata 13 need: numbers and tensors as code."""

from __future__ import annotations

import math
from collections.abc import Sequence


def typed(number: float) -> str:
    """A number as a program has it."""
    if math.isnan(number):
        return "math.nan"
    return ("-" if number < 0 else "") + "math.inf" if math.isinf(number) else repr(number)


def typed_tensor(numbers: Sequence[float], layout: str = "flat", dtype: str = "") -> str:
    """The code of a tensor of these numbers: flat, one number, rows, transposed, every second of others, or deep."""
    made, of = [typed(number) for number in numbers], f", dtype=torch.{dtype}" if dtype else ""
    if layout == "number":
        return f"torch.tensor({made[0]}{of})"
    flat = f"[{', '.join(made)}]"
    if layout == "flat":
        return f"torch.tensor({flat}{of})"
    if layout == "sliced":
        return f"torch.tensor([{', '.join(f'{one}, 1.0' for one in made)}]{of})[::2]"
    if layout == "deep":
        return f"torch.tensor({flat}{of}).reshape(1, 2, 1, -1)"
    half = len(made) // 2
    rows = f"[[{', '.join(made[:half])}], [{', '.join(made[half : 2 * half])}]]"
    return f"torch.tensor({rows}{of})" + (".mT" if layout == "transposed" else "")
