"""The properties of kata 16: a scale uses all of the dtype's range, and what is stored comes back near enough."""

import math

import torch
from hypothesis import strategies as st
from torch import Tensor

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import is_number, same, shown

from . import scenarios, truth
from .numbers import typed
from .strategies_bytes import huge_tensors, no_int4, not_packed, packed, stored_tensors, unpacked
from .strategies_codes import exact, inexact, ranged, stored
from .strategies_products import products
from .strategies_scales import any_scaled, blocked, no_windows, steps, whole

# One division in float32, or a product with a reciprocal.
FLOAT32 = 1e-6

# What a product in bfloat16 may lose beside it, and one on a GPU, whose sums have fewer bits.
BFLOAT16, SUMS = 2**-8, 1e-3

# One example checks up to sixteen numbers at once.
HALF = one_in(2)

# There are few kinds of cases, and each is drawn often.
FEW = one_in(4)

# Whether another call follows, after which the result of the first is what it was.
AGAIN = st.booleans()


def tensor_like(answer, right, device="cpu"):
    """Return whether it is a tensor on the device, with the dtype and the shape of the right one."""
    if type(answer) is not Tensor:
        return False
    return (answer.dtype, answer.shape, answer.device.type) == (right.dtype, right.shape, device)


def near(answer, right, device):
    """Return whether it is that float32 tensor, up to a rounding."""
    numbers = right.flatten().tolist()
    if not tensor_like(answer, right, device):
        return False
    pairs = zip(answer.flatten().tolist(), numbers, strict=True)
    return all(math.isclose(got, want, rel_tol=FLOAT32, abs_tol=0.0) for got, want in pairs)


def element(name, place, shape):
    """Return how the element at that place is typed."""
    if not shape:
        return f"{name}.item()"
    index = [int(at) for at in torch.unravel_index(torch.tensor(place), shape)]
    return f"{name}{index}.item()"


def left_alone(seen, names):
    """Fail unless the tensors with these names are the same after the call as before."""
    for name, before in names.items():
        if not same(seen[name].cpu().to(before.dtype), before):
            raise Mismatch(seen[name], shown(before), "it was", before, of=name)


def unchanged(kata, function, name, code, *rest, other="", numbers="result.tolist()", device="cpu"):
    """Fail unless the function's first argument is the same after the call as before.

    other: another first argument, if any: a call with it must not change what the first call returned.
    numbers: what of that result is compared.
    """
    call = f"{function}({', '.join((name, *rest))})"
    lines, watched = [f"{name} = {code}", call], [name]
    if other:
        lines = [lines[0], f"other = {other}", f"result = {call}", f"before = {numbers}"]
        lines.append(call.replace(f"({name}", "(other", 1))
        watched += [numbers, "before"]
    before = scenarios.given_tensors(function, lines, [name])[name]
    seen = kata.run(scenarios.program, function, lines, watched, device)
    was = {name: before if device == "cpu" else before.to(device)}
    expect_each(seen, was | ({numbers: seen["before"]} if other and type(seen) is dict else {}), "it was")


def scaled(kata, case, device):
    """Compare the scales of a tensor."""
    x, named = case.tensor().to(device), {"dtype": getattr(torch, case.fp8)} if case.fp8 else {}
    answer = kata.amax_scale(x, *([case.block] if case.block else []), **named)
    right = truth.amax_scale(x.cpu(), case.block, named.get("dtype", torch.float8_e4m3fn))
    expect_that(near(answer, right, device), answer, right, "should be")


@grades("amax_scale")
@given(case=whole())
def test_amax_scale_reaches_the_largest_number_of_the_dtype(kata, device, case):
    """The scale is the largest magnitude over dtype's largest finite value, or 1 for zeros, no values, inf or nan."""
    scaled(kata, case, device)


@grades("amax_scale")
@given(case=blocked())
def test_amax_scale_of_a_block_is_its_own(kata, device, case):
    """Each block, short ones included, has a scale from its own numbers alone."""
    scaled(kata, case, device)


@grades("amax_scale")
@HALF
@given(case=any_scaled(), again=AGAIN)
def test_amax_scale_leaves_x_as_it_is(kata, device, case, again):
    """x is not changed, and another call does not change the result."""
    unchanged(kata, "amax_scale", "x", case.code(), str(case.block), other="x / 2" if again else "", device=device)


def quantizes(kata, case, device):
    """Compare what a program's numbers become, one after another."""
    watched = ["q.dtype", "q.float()", "x", "scale"]
    seen = kata.run(scenarios.program, "quantize", case.lines, watched, device)
    names = scenarios.given_tensors("quantize", case.lines, ["x", "scale"])
    dtype = getattr(torch, case.fp8 or "float8_e4m3fn")
    numbers, right, first = truth.nearest(names["x"], names["scale"], dtype)
    if type(seen) is not dict:
        raise Mismatch(seen, f"q.dtype = {dtype}", "should be")
    if not same(seen["q.dtype"], dtype):
        raise Mismatch(seen["q.dtype"], f"{dtype}", "should be", dtype, of="q.dtype")
    got = seen["q.float()"]
    if not tensor_like(got, first.float(), device):
        raise Mismatch(
            got, f"a float32 tensor of shape {tuple(first.shape)}", "should be", first.float(), of="q.float()"
        )
    got = got.cpu()
    fits = (right & (got.double().unsqueeze(-1) == numbers)).any(-1)
    fits = torch.where(first.isnan(), got.isnan(), fits).flatten()
    if not fits.all():
        place = int((~fits).nonzero()[0])
        want = first.flatten()[place].item()
        of = element("q.float()", place, tuple(first.shape))
        raise Mismatch(got.flatten()[place].item(), f"{want}", "nearest is", want, of=of)
    left_alone(seen, names)


@grades("quantize")
@given(case=exact())
def test_quantize_gives_the_nearest_number(kata, device, case):
    """The result is the nearest number. Ties go to the even code, values beyond the largest saturate, and nan stays."""
    quantizes(kata, case, device)


@grades("quantize")
@HALF
@given(case=inexact())
def test_quantize_divides_in_float32(kata, device, case):
    """x / scale is computed in float32, for any dtype of x and any scale."""
    quantizes(kata, case, device)


@grades("dequantize")
@given(case=stored())
def test_dequantize_gives_what_the_numbers_stand_for(kata, device, case):
    """The result is (q - zero_point) · scale in float32; the difference may not fit in int8."""
    seen = kata.run(scenarios.program, "dequantize", case.lines, ["y", "q.float()", "scale"], device)
    names = scenarios.given_tensors("dequantize", case.lines, ["q", "scale"])
    q, scale, zero_point = names["q"], names["scale"], case.zero_point or 0
    right = truth.dequantize(q, scale, zero_point)
    got = seen["y"] if type(seen) is dict else seen
    if not tensor_like(got, right, device):
        raise Mismatch(got, f"a float32 tensor of shape {tuple(right.shape)}", "should be", right, of="y")
    # q · scale - zero_point · scale is also right, and is rounded if both are large.
    room = FLOAT32 * (q.float().abs().nan_to_num(0.0, 0.0, 0.0) + abs(zero_point)) * scale
    got = got.cpu()
    wrong = ~((got == right) | ((got - right).abs() <= room) | (got.isnan() & right.isnan())).flatten()
    if wrong.any():
        place = int(wrong.nonzero()[0])
        want, of = right.flatten()[place].item(), element("y", place, tuple(right.shape))
        raise Mismatch(got.flatten()[place].item(), f"{want}", "should be", want, of=of)
    left_alone(seen, {"q.float()": q.float()} | ({"scale": scale} if type(scale) is Tensor else {}))


@grades("quantize_int8")
@given(case=ranged())
def test_quantize_int8_comes_back_within_half_a_scale(kata, device, case):
    """Each number comes back within half a scale, and 0 as 0. Scale, codes and zero point follow from the range."""
    x = case.tensor().to(device)
    answer = kata.quantize_int8(x, *([] if case.symmetric is None else [case.symmetric]))
    symmetric = case.symmetric is not False
    expect_that(
        _comes_back(answer, case.tensor(), symmetric, device), answer, truth.rounded_int8(case.tensor(), symmetric)
    )


def _comes_back(answer, x, symmetric, device):
    if type(answer) is not tuple or len(answer) != 3:
        return False
    codes, scale, zero_point = answer
    if not tensor_like(codes, x.to(torch.int8), device) or not is_number(scale) or type(zero_point) is not int:
        return False
    least = -127 if symmetric else -128
    allowed = zero_point == 0 if symmetric else -128 <= zero_point <= 127
    if not allowed or not math.isclose(scale, truth.scale_int8(x, symmetric), rel_tol=FLOAT32):
        return False
    differences = codes.cpu().double() - zero_point
    # An answer that divides in float32 rounds the other way near half a scale.
    comes_back = ((differences * scale - x).abs() <= scale * 0.5 * (1 + 1e-3)).all()
    return bool(comes_back and (differences[x == 0] == 0).all() and (codes >= least).all())


@grades("quantize_int8")
@FEW
@given(case=ranged(), again=AGAIN)
def test_quantize_int8_leaves_x_as_it_is(kata, device, case, again):
    """x is not changed, and another call does not change the codes."""
    rest = [] if case.symmetric is None else [str(case.symmetric)]
    others = {"other": "-x", "numbers": "result[0].tolist()"} if again else {}
    unchanged(kata, "quantize_int8", "x", case.code(), *rest, device=device, **others)


@grades("pack_int4")
@given(case=unpacked())
def test_pack_int4_puts_two_values_into_a_byte(kata, device, case):
    """The first value of each pair is in the low half of its byte, and each row is packed separately."""
    q = case.tensor()
    expect(kata.pack_int4(q.to(device)), truth.pack_int4(q).to(device), "should be")


@grades("pack_int4")
@HALF
@given(case=no_int4())
def test_pack_int4_refuses_what_four_bits_do_not_hold(kata, device, case):
    """A value outside -8 to 7 raises a ValueError."""
    expect_error(ValueError, kata.pack_int4, case.tensor().to(device), because="four bits hold -8 to 7")


@grades("pack_int4")
@FEW
@given(case=unpacked(), again=AGAIN)
def test_pack_int4_leaves_q_as_it_is(kata, device, case, again):
    """q is not changed, and another call does not change the bytes."""
    unchanged(kata, "pack_int4", "q", case.code(), other="-1 - q" if again else "", device=device)


@grades("unpack_int4")
@given(case=packed())
def test_unpack_int4_gives_the_values_back(kata, device, case):
    """The first size values of each row come back, whatever an unused half holds."""
    bytes_ = case.tensor()
    expect(kata.unpack_int4(bytes_.to(device), case.size), truth.unpack_int4(bytes_, case.size).to(device), "should be")


@grades("unpack_int4")
@HALF
@given(case=not_packed())
def test_unpack_int4_refuses_another_number_of_bytes(kata, device, case):
    """A ValueError is raised unless each row has ⌈size / 2⌉ bytes."""
    because = f"{case.size} values take {-(-case.size // 2)} bytes, and there are {case.shape[-1]}"
    expect_error(ValueError, kata.unpack_int4, case.tensor().to(device), case.size, because=because)


@grades("unpack_int4")
@FEW
@given(case=packed(), again=AGAIN)
def test_unpack_int4_leaves_its_bytes_as_they_are(kata, device, case, again):
    """packed is not changed, and another call does not change the values."""
    other = "255 - packed" if again else ""
    unchanged(kata, "unpack_int4", "packed", case.code(), str(case.size), other=other, device=device)


@grades("quantized_bytes")
@given(case=stored_tensors())
def test_quantized_bytes_are_those_of_packed_rows_and_their_scales(kata, case):
    """Each row is packed into whole bytes, and each group of a row, short ones included, has a scale."""
    right = truth.quantized_bytes(
        case.shape, case.bits, case.group, 2 if case.scale_bytes is None else case.scale_bytes
    )
    expect(kata.quantized_bytes(*case.arguments()), right, "there are")


@grades("quantized_bytes", stays="an answer that computes in floats is right for small sizes")
@FEW
@given(case=huge_tensors())
def test_quantized_bytes_are_exact_for_huge_tensors(kata, case):
    """The result is an exact int, for any sizes."""
    # The one scale of a tensor in no groups stays one.
    alone = 0 if case.small.group else case.small.scale_bytes
    right = (truth.quantized_bytes(*case.small) - alone) * case.rows * case.values + alone
    expect(kata.quantized_bytes(*case.huge().arguments()), right, "there are")


@grades("delayed_scales")
@given(case=steps())
def test_delayed_scales_come_from_the_steps_before(kata, case):
    """The scale is the largest amax in the window over largest. If nothing is recorded there, or only 0, it stays."""
    right = truth.delayed_scales(case.amaxes, case.window, 448.0 if case.largest is None else case.largest)
    expect(kata.delayed_scales(*case.arguments()), right, "should be", rel=1e-9)


@grades("delayed_scales")
@FEW
@given(case=steps(), again=AGAIN)
def test_delayed_scales_leaves_amaxes_as_they_are(kata, case, again):
    """amaxes is not changed, and another call does not change the scales."""
    amaxes, *rest = case.arguments()
    others = {"other": "[2.0 * amax for amax in amaxes]", "numbers": "[*result]"} if again else {}
    unchanged(kata, "delayed_scales", "amaxes", f"[{', '.join(map(typed, amaxes))}]", *map(str, rest), **others)


@grades("delayed_scales")
@FEW
@given(case=no_windows())
def test_delayed_scales_refuses_a_window_without_steps(kata, case):
    """A window below 1 raises a ValueError, even without amaxes."""
    expect_error(ValueError, kata.delayed_scales, *case.arguments(), because="a window has a step or more")


@grades("fp8_linear")
@given(case=products())
def test_fp8_linear_is_as_near_as_fp8_is(kata, device, case):
    """The result is that of one call of mm, which is strict, with one scale per row of x and of weight."""
    seen = kata.run(scenarios.program, "fp8_linear", case.lines, ["result", "x", "weight"], device)
    x, weight = truth.operands(case.lines, device)
    right, bound = (times * case.times for times in truth.product(x, weight))
    bound = bound.abs()
    if device == "cuda" or any("mm = strict_mm(torch.bfloat16" in line for line in case.lines):
        bound += BFLOAT16 * (right.abs() + bound)
    if device == "cuda":
        bound += SUMS * abs(case.times) * (x.abs() @ weight.abs().T)
    result = seen["result"] if type(seen) is dict else seen
    if not tensor_like(result, right.float(), device):
        want = f"a float32 tensor of shape {tuple(right.shape)}"
        raise Mismatch(result, want, "should be", right.float(), of="result")
    wrong = ~((result.cpu() - right).abs() <= bound).flatten()
    if wrong.any():
        place = int(wrong.nonzero()[0])
        want, room = right.flatten()[place].item(), bound.flatten()[place].item()
        of = element("result", place, tuple(right.shape))
        raise Mismatch(
            result.flatten()[place].item(), f"{want:.6g}, or {room:.3g} more or less", "should be", want, of=of
        )
    left_alone(seen, {"x": x, "weight": weight})
    if not same(seen[scenarios.CALLS], case.calls):
        raise Mismatch(seen[scenarios.CALLS], str(case.calls), "should be", case.calls, of=scenarios.CALLS)
