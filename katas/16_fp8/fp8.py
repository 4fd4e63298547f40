"""Kata 16: numbers of 8 and 4 bits that stand for a whole matrix. The lesson is in README.md beside this file.

A stored number q and a scale s stand for q · s: a scale is always what you multiply a stored number by to get back.
fp8 is torch.float8_e4m3fn, up to ±448, or torch.float8_e5m2, up to ±57344. Casts to fp8 and back are allowed.
torch._scaled_mm and torch's own quantization (torch.ao, torch.quantize_per_tensor, …) are not available. Leave the
arguments as they are: change no tensor in place, and take nothing out of a list. Results also stay as they are when a
function is called again.
"""

from collections.abc import Callable

import torch
from torch import Tensor


def amax_scale(x: Tensor, block: tuple[int, int] | None = None, dtype: torch.dtype = torch.float8_e4m3fn) -> Tensor:
    """Return the scale of x, or of each of its blocks: its largest magnitude over the largest finite value of dtype.

    x: float32, bfloat16 or float16, of any shape without a block, and a matrix with one. dtype: either fp8 dtype. The
    result is computed and returned in float32: 0-d for all of x, or of shape (⌈rows / block[0]⌉, ⌈columns / block[1]⌉).

    [896.0, -2.0]                                   ->  2.0                   896 / 448
    [[896.0, -2.0], [7.0, 0.0]], block=(1, 2)       ->  [[2.0], [0.015625]]
    [[448.0, 1.0, 896.0]], block=(2, 2)             ->  [[1.0, 2.0]]          the last blocks may be short
    [57344.0], dtype=torch.float8_e5m2              ->  1.0

    The scale is 1 if x, or the block, holds only zeros, no values at all, or an inf or a nan; other blocks are not
    affected. A scale may be off by rounding, by 1e-6 of itself. Largest magnitudes below 2**-100 are not tested.
    """
    raise NotImplementedError("amax_scale")


def quantize(x: Tensor, scale: Tensor, dtype: torch.dtype = torch.float8_e4m3fn) -> Tensor:
    """Return the numbers of dtype nearest to x / scale; of two equally near ones, the one with the even code.

    x: float32 or bfloat16, of any shape. dtype: either fp8 dtype. scale: float32, positive, 0-d or broadcastable to the
    shape of x, such as (rows, 1) for one scale per row, or (columns,) for one per column. The division is done in
    float32, whatever the dtype of x.

    [6.4, 17.0], scale 1.0       ->  [6.5, 16.0]      17 lies half way from 16 to 18
    [6.4, 17.5], scale 0.25      ->  [26.0, 72.0]     which stand for 6.5 and 18
    [1000.0, -inf], scale 1.0    ->  [448.0, -448.0]

    Anything beyond the largest finite value, inf included, becomes that value with its sign, in both dtypes. nan stays
    nan. The sign of 0 is left to you. If scale is not a power of two and x / scale is halfway between two neighbors up
    to rounding, by 1e-5 of the distance, both are right.
    """
    raise NotImplementedError("quantize")


def dequantize(q: Tensor, scale: Tensor | float, zero_point: int = 0) -> Tensor:
    """Return what the numbers stand for, (q - zero_point) · scale, in float32.

    q: fp8 or int8. scale: positive, a float or a float32 tensor, 0-d or broadcastable to the shape of q. zero_point:
    -128 to 127, and 0 if q is fp8. The difference of an int8 and a zero point may not fit in int8. nan and inf stay as
    they are.

    [1.5, -448.0] in e4m3, 2.0         ->  [3.0, -896.0]
    [-128, 0, 127] in int8, 0.5, 100   ->  [-114.0, -50.0, 13.5]

    The result may be off by rounding, by 1e-6 of (|q| + |zero_point|) · scale.
    """
    raise NotImplementedError("dequantize")


def quantize_int8(x: Tensor, symmetric: bool = True) -> tuple[Tensor, float, int]:
    """Return (int8 codes in the shape of x, scale, zero point), which stand for (code - zero point) · scale.

    x: float32, finite, of any shape. It may be empty.

    symmetric      zero point 0, codes -127 to 127, scale = largest magnitude / 127
    asymmetric     codes and zero point -128 to 127, scale = (high - low) / 255, with low = min(x, 0), high = max(x, 0):
                   the range reaches to 0 even if all of x is on one side of it

    [-1.0, 0.5, 2.0]                     ->  ([-64, 32, 127], 2 / 127, 0)
    [-1.0, 0.0, 1.55], symmetric=False   ->  ([-128, -28, 127], 0.01, -28)
    [3.0, 5.1], symmetric=False          ->  ([22, 127], 0.02, -128)

    Each number comes back with an error of at most half a scale, and 0 comes back as 0. If there are only zeros, or no
    values, the scale is 1.0. How ties and the zero point are rounded is left to you: -63 is also right above. The scale
    may be off by rounding, by 1e-6 of itself, and the largest error by 1e-3 of itself.
    """
    raise NotImplementedError("quantize_int8")


def pack_int4(q: Tensor) -> Tensor:
    """Pack pairs of int4 values along the last dimension into uint8: the first in the low half, the second in the high.

    q: int8 values -8 to 7, of shape (..., n); n may be 0. The result has shape (..., ⌈n / 2⌉). Each row is packed
    separately, and an odd last value has a 0 beside it, in the high half. Values are in two's complement: -1 is 0b1111,
    and -8 is 0b1000.

    [1, 2, -1]              ->  [33, 15]        2 · 16 + 1, and 0 · 16 + 15
    [[1, 2, -1], [7, 0, 3]] ->  [[33, 15], [7, 3]]

    Raises ValueError for a value outside -8 to 7.
    """
    raise NotImplementedError("pack_int4")


def unpack_int4(packed: Tensor, size: int) -> Tensor:
    """Return the int8 values that were packed: shape (..., size) from (..., ⌈size / 2⌉) bytes.

    [33, 15], 3             ->  [1, 2, -1]
    [33, 15], 4             ->  [1, 2, -1, 0]
    [33, 255], 3            ->  [1, 2, -1]      the half that is not used may hold anything

    packed is uint8, and size is 0 or more. Raises ValueError unless the last dimension has ⌈size / 2⌉ bytes.
    """
    raise NotImplementedError("unpack_int4")


def quantized_bytes(shape: tuple[int, ...], bits: int, group: int | None = None, scale_bytes: int = 2) -> int:
    """Return how many bytes a tensor of numbers of `bits` bits takes, with its scales.

    Each row, along the last dimension, is packed separately into whole bytes. There is one scale for every `group`
    values of a row, including a short last group, or one for the whole tensor if group is None. Shape () is one row of
    one value.

    (2, 3), 4                          ->  2 · 2 + 2 = 6           3 values of 4 bits take 2 bytes
    (2, 3), 4, group=2                 ->  2 · (2 + 2 · 2) = 12
    (2, 3), 4, group=2, scale_bytes=1  ->  2 · (2 + 2 · 1) = 8

    The result is an int, exact for any sizes. Without values it is 0 if there are groups; without groups, this case is
    not tested. scale_bytes is the bytes of one scale. bits, group and scale_bytes are 1 or more.
    """
    raise NotImplementedError("quantized_bytes")


def delayed_scales(amaxes: list[float], window: int, largest: float = 448.0) -> list[float]:
    """Return the scale that each step used, chosen from the steps before: its own largest magnitude was not known yet.

    amaxes: the largest magnitude of each step, 0 or more; inf and nan may occur. They are Python floats, which may be
    too large or too small for float32, such as 1e45 or 1e-50. A step's scale is the largest of the last `window` amaxes
    recorded before it, over `largest`. inf and nan are not recorded, and take no place in the window; 0 is recorded and
    takes one. If nothing is recorded, or the window holds only zeros, the scale stays what it was; at first it is 1.0.

    [448.0, 896.0, 1344.0, 0.0], 2              ->  [1.0, 1.0, 2.0, 3.0]
    [448.0, inf, 896.0, 1.0], 1                 ->  [1.0, 1.0, 1.0, 2.0]
    [448.0, 0.0, 224.0, 1.0], 1                 ->  [1.0, 1.0, 1.0, 0.5]

    The result has one float per amax. Each may be off by rounding, by 1e-9 of itself.

    Raises ValueError for a window below 1.
    """
    raise NotImplementedError("delayed_scales")


def fp8_linear(x: Tensor, weight: Tensor, mm: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> Tensor:
    """Return x @ weight.T in float32, (m, k) and (n, k) to (m, n), by one fp8 product, mm(a, b, scale_a, scale_b).

    x: float32 or bfloat16. weight: float32. Both are row-major and finite, and m, k and n are 1 or more. mm returns
    (a · scale_a) @ (b · scale_b), in float32 or bfloat16, and is as strict as a GPU:

    a, b               float8_e4m3fn, of shapes (m, k) and (k, n), a row-major and b column-major: b.T is row-major
    k, n               multiples of 16; m need not be one. You may pad with zeros, and cut them off again
    scale_a, scale_b   float32 and contiguous, both 0-d, or (m, 1) and (1, n)

    Otherwise it raises. Call it once, and return what it gives: if mm gives twice the product, return twice the
    product. Rows of x differ in size by factors of up to 1e12, and so do rows of weight. One scale for a matrix would
    turn whole rows into zeros, so each row of x and of weight needs its own. Rows of zeros are fine.

    Each number of x and weight may be off by 1/16 of itself, or by 1/512 of 1/448 of the largest in its row, whichever
    is more, and each sum by 1e-5 of that of its magnitudes, |x| @ |weight|.T, but no more than that.

    To try it on a CPU, use lambda a, b, s, t: torch._scaled_mm(a, b, s, t, out_dtype=torch.float32), which is not
    strict. In reports mm is strict_mm(); strict_mm(torch.bfloat16, times=2.0) gives twice the product, in bfloat16.
    """
    raise NotImplementedError("fp8_linear")
