"""Kata 16: numbers of 8 and 4 bits that stand for a whole matrix. The lesson is in README.md beside this file.

A stored number q and a scale s stand for q · s: a scale is always what a stored number is multiplied with to get back.
fp8 is torch.float8_e4m3fn, up to ±448, or torch.float8_e5m2, up to ±57344. Casts to fp8 and back are allowed.
torch._scaled_mm and torch's own quantization (torch.ao, torch.quantize_per_tensor, …) are absent. Arguments are left as
they are: no tensor is changed in place, and nothing is taken out of a list. Results stay as they are, too, when a
function is called again.
"""

from collections.abc import Callable

import torch
from torch import Tensor


def amax_scale(x: Tensor, block: tuple[int, int] | None = None, dtype: torch.dtype = torch.float8_e4m3fn) -> Tensor:
    """The scales of x, or of each of its blocks: the largest magnitude over the largest finite value of dtype.

    x: float32, bfloat16 or float16, of any shape without a block, and a matrix with one. dtype: either fp8. Computed in
    float32 and returned in float32: 0-d for all of x, or of shape (⌈rows / block[0]⌉, ⌈columns / block[1]⌉).

    [896.0, -2.0]                                   ->  2.0                   896 / 448
    [[896.0, -2.0], [7.0, 0.0]], block=(1, 2)       ->  [[2.0], [0.015625]]
    [[448.0, 1.0, 896.0]], block=(2, 2)             ->  [[1.0, 2.0]]          the last blocks may be short
    [57344.0], dtype=torch.float8_e5m2              ->  1.0

    The scale is 1 where there is nothing but zeros, nothing at all, or an inf or a nan, in that block alone. A scale
    may be off by rounding, by 1e-6 of itself. Nobody asks about largest magnitudes below 2**-100.
    """
    raise NotImplementedError("amax_scale")


def quantize(x: Tensor, scale: Tensor, dtype: torch.dtype = torch.float8_e4m3fn) -> Tensor:
    """The numbers of dtype nearest to x / scale; of two that are as near, the one with the even code.

    x: float32 or bfloat16. dtype: either fp8. scale: float32, positive, 0-d or broadcasting to the shape of x, such as
    (rows, 1) for a scale for each row. The division is done in float32, whatever x is.

    [6.4, 17.0], scale 1.0       ->  [6.5, 16.0]      17 lies half way from 16 to 18
    [6.4, 17.5], scale 0.25      ->  [26.0, 72.0]     which stand for 6.5 and 18
    [1000.0, -inf], scale 1.0    ->  [448.0, -448.0]

    Beyond the largest finite value, inf included, it is that value, with its sign, in both dtypes; nan stays nan. The
    sign of 0 is open. Where scale is no power of two and x / scale lies half way but for rounding, by 1e-5 of the
    distance, both neighbours are right.
    """
    raise NotImplementedError("quantize")


def dequantize(q: Tensor, scale: Tensor | float, zero_point: int = 0) -> Tensor:
    """What the numbers stand for, (q - zero_point) · scale, in float32.

    q: fp8 or int8. scale: positive, a float or a float32 tensor, 0-d or broadcasting to the shape of q. zero_point:
    -128 to 127, and 0 where q is fp8. The difference of an int8 and a zero point need not fit int8. nan and inf stay.

    [1.5, -448.0] in e4m3, 2.0         ->  [3.0, -896.0]
    [-128, 0, 127] in int8, 0.5, 100   ->  [-114.0, -50.0, 13.5]

    It may be off by rounding, by 1e-6 of (|q| + |zero_point|) · scale.
    """
    raise NotImplementedError("dequantize")


def quantize_int8(x: Tensor, symmetric: bool = True) -> tuple[Tensor, float, int]:
    """(int8 codes in the shape of x, scale, zero point), which stand for (code - zero point) · scale.

    x: float32, finite, of any shape, maybe empty.

    symmetric      zero point 0, codes -127 to 127, scale = largest magnitude / 127
    asymmetric     codes and zero point -128 to 127, scale = (high - low) / 255, with low = min(x, 0), high = max(x, 0):
                   the range reaches to 0 where all of x lies on one side of it

    [-1.0, 0.5, 2.0]                     ->  ([-64, 32, 127], 2 / 127, 0)
    [-1.0, 0.0, 1.55], symmetric=False   ->  ([-128, -28, 127], 0.01, -28)
    [3.0, 5.1], symmetric=False          ->  ([22, 127], 0.02, -128)

    No number comes back wrong by more than half a scale, and 0 comes back as 0. Where there is nothing but zeros, or
    nothing, the scale is 1.0. How ties and the zero point are rounded is open: -63 above is right, too. The scale may
    be off by rounding, by 1e-6 of itself, and an error by 1e-3 of itself.
    """
    raise NotImplementedError("quantize_int8")


def pack_int4(q: Tensor) -> Tensor:
    """Two int4 values of the last dimension to a byte, as uint8: the first in its low half, the second in the high one.

    q: int8 values -8 to 7, of shape (..., n), n may be 0. The result is (..., ⌈n / 2⌉): each row for itself, and an odd
    last value has a 0 beside it, in the high half. Values are two's complement: -1 is 0b1111, and -8 is 0b1000.

    [1, 2, -1]              ->  [33, 15]        2 · 16 + 1, and 0 · 16 + 15
    [[1, 2, -1], [7, 0, 3]] ->  [[33, 15], [7, 3]]

    Raises ValueError for a value outside -8 to 7.
    """
    raise NotImplementedError("pack_int4")


def unpack_int4(packed: Tensor, size: int) -> Tensor:
    """The int8 values that were packed: (..., size) of (..., ⌈size / 2⌉) bytes.

    [33, 15], 3             ->  [1, 2, -1]
    [33, 15], 4             ->  [1, 2, -1, 0]
    [33, 255], 3            ->  [1, 2, -1]      the half that is not used may hold anything

    packed is uint8, and size 0 or more. Raises ValueError unless the last dimension has ⌈size / 2⌉ bytes.
    """
    raise NotImplementedError("unpack_int4")


def quantized_bytes(shape: tuple[int, ...], bits: int, group: int | None = None, scale_bytes: int = 2) -> int:
    """Bytes of a tensor of numbers of so many bits, with its scales.

    Each row, along the last dimension, is packed for itself, into whole bytes. There is a scale for every `group`
    values of a row, also for a short last group; or one for the whole tensor, if group is None. Shape () is one row of
    one value.

    (2, 3), 4                          ->  2 · 2 + 2 = 6           3 values of 4 bits take 2 bytes
    (2, 3), 4, group=2                 ->  2 · (2 + 2 · 2) = 12
    (2, 3), 4, group=2, scale_bytes=1  ->  2 · (2 + 2 · 1) = 8

    An int, exact for any sizes. Without values, and with groups, it is 0; nobody asks for that without groups. bits,
    group and scale_bytes are 1 or more.
    """
    raise NotImplementedError("quantized_bytes")


def delayed_scales(amaxes: list[float], window: int, largest: float = 448.0) -> list[float]:
    """The scale that each step used, chosen from the steps before: its own largest magnitude was not known yet.

    amaxes: the largest magnitude that each step met, 0 or more, inf and nan among them. A step's scale is the largest
    of the last `window` amaxes recorded before it, over `largest`. inf and nan are not recorded, and take no place in
    the window; 0 is recorded and takes one. Where nothing is recorded, or nothing but 0 is in the window, the scale
    stays what it was; at first it is 1.0.

    [448.0, 896.0, 1344.0, 0.0], 2              ->  [1.0, 1.0, 2.0, 3.0]
    [448.0, inf, 896.0, 1.0], 1                 ->  [1.0, 1.0, 1.0, 2.0]
    [448.0, 0.0, 224.0, 1.0], 1                 ->  [1.0, 1.0, 1.0, 0.5]

    As many floats as there are amaxes; they may be off by rounding, by 1e-9 of themselves.

    Raises ValueError for a window below 1.
    """
    raise NotImplementedError("delayed_scales")


def fp8_linear(x: Tensor, weight: Tensor, mm: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> Tensor:
    """x @ weight.T in float32, (m, k) and (n, k) to (m, n), through one fp8 product, mm(a, b, scale_a, scale_b).

    x: float32 or bfloat16. weight: float32. Both are row-major and finite, and m, k and n are 1 or more. mm gives
    (a · scale_a) @ (b · scale_b), in float32 or bfloat16, and is strict, as a GPU is:

    a, b               float8_e4m3fn, of shapes (m, k) and (k, n), a row-major and b column-major: b.T is row-major
    k, n               multiples of 16; m need not be one. Zeros may be padded, and are cut off again
    scale_a, scale_b   float32 and contiguous, both 0-d, or (m, 1) and (1, n)

    Else it raises. Call it once, and return what it gives: of a mm that gives twice as much, twice as much. Rows
    of x differ in size by factors of up to 1e12, and so do rows of weight: one scale for a matrix would make zeros of
    whole rows, so each row of x and of weight needs its own. Rows of zeros are fine.

    Every number of x and weight may be off by 1/16 of itself, or by 1/512 of 1/448 of the largest of its row, whichever
    is more, and the sums by 1e-5; no more than that.

    To try it on a CPU: lambda a, b, s, t: torch._scaled_mm(a, b, s, t, out_dtype=torch.float32), which is not strict.
    In reports it is strict_mm(); strict_mm(torch.bfloat16, times=2.0) gives twice the product, in bfloat16.
    """
    raise NotImplementedError("fp8_linear")
