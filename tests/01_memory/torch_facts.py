"""What the properties of kata 01 take for granted of torch: a new torch breaks a test, and no verdict."""

import torch

from . import truth
from .strategies_tensors import dtypes


def test_a_storage_of_meta_or_of_nothing_has_no_address():
    """So a data pointer does not tell storages apart."""
    assert torch.empty(3, device="meta").untyped_storage().data_ptr() == 0
    assert torch.empty(0).untyped_storage().data_ptr() == 0
    assert torch.empty(3, device="meta").untyped_storage().nbytes() == 12


def test_the_dtypes_drawn_are_all_that_torch_allocates():
    """Complex, bool, float8 and the unsigned integers among those that can be copied; int4 among those that cannot."""
    names = {str(dtype).removeprefix("torch.") for dtype in dtypes(can_copy=True)}
    assert {"float32", "bool", "complex32", "complex128", "float8_e4m3fn", "float8_e8m0fnu", "bfloat16"} <= names
    assert {"uint8", "uint16", "uint32", "uint64", "int64", "float4_e2m1fn_x2"} <= names
    assert {str(dtype).removeprefix("torch.") for dtype in dtypes(can_copy=False)} >= {"int4", "uint1"}
    int4: torch.dtype = vars(torch)["int4"]
    assert torch.empty(3, dtype=int4, device="meta").clone().untyped_storage().nbytes() == 3


def test_model_bytes_counts_addresses():
    """4 · (2 · 3 + 3) for a layer, counted once under however many names."""
    assert truth.model_bytes(["model = nn.Linear(2, 3)"]) == 36
    assert truth.model_bytes(["model = nn.Sequential(nn.Linear(2, 3))", "model.append(model[0])"]) == 36
    assert truth.model_bytes(["model = nn.BatchNorm1d(3)"]) == 4 * 3 * 4 + 8
