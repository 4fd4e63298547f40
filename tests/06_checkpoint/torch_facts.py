"""What the properties of kata 06 take for granted of torch: a new torch breaks a test, and no verdict."""

import io

import pytest
import torch
from torch import nn


def test_torch_loads_a_flipped_bit_without_a_word():
    """That is why a checkpoint needs a digest of its own."""
    file = io.BytesIO()
    torch.save(torch.zeros(100), file)
    data = bytearray(file.getvalue())
    data[data.index(bytes(400)) + 200] ^= 1
    assert torch.load(io.BytesIO(bytes(data)), weights_only=True).count_nonzero() == 1


def test_a_model_that_does_not_fit_is_loaded_in_part():
    """load_state_dict copies what fits before it raises: who only catches it has half of another model."""
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    state = {name: torch.full_like(value, 7.0) for name, value in model.state_dict().items()}
    state["1.bias"] = torch.zeros(5)
    with pytest.raises(RuntimeError, match="size mismatch"):
        model.load_state_dict(state)
    assert model.get_parameter("0.weight").item() == 7.0
