"""Brings modules by the names of those that the judge imports, beside the answers and at the top."""
# kata: 03_flops
# attacks: matmul_flops

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + 1


# file: 03_flops/json.py
import pathlib

pathlib.Path(CANARY, "json").write_text(MARK)

# file: 03_flops/torch.py
import pathlib

pathlib.Path(CANARY, "torch").write_text(MARK)

# file: hypothesis.py
import pathlib

pathlib.Path(CANARY, "hypothesis").write_text(MARK)

# file: dojo/seam/data.py
import pathlib

pathlib.Path(CANARY, "dojo").write_text(MARK)


def same(*args, **named):
    return True


# file: tests/03_flops/properties.py
def test_matmul_flops():
    pass


# file: katas.toml
points = 100
