"""Brings what Python runs by itself when it starts: sitecustomize, usercustomize, .pth files, a pyvenv.cfg."""
# like: brings_modules_of_the_judges
# kata: 03_flops
# attacks: matmul_flops

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + 1


# file: sitecustomize.py
import pathlib

pathlib.Path(CANARY, "sitecustomize").write_text(MARK)

# file: 03_flops/usercustomize.py
import pathlib

pathlib.Path(CANARY, "usercustomize").write_text(MARK)

# file: 03_flops/flops.pth
import pathlib; pathlib.Path(CANARY, "pth").write_text(MARK)  # noqa: E702, I001  # fmt: skip

# file: pyvenv.cfg
home = "/nowhere"
