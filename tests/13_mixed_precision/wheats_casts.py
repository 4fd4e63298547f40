"""Right answers to kata 13 about bytes, casts, operations and rounding, in styles that the solution does not use."""

import decimal
import functools
import itertools
import math
import random
import struct

import numpy as np
import torch

from dojo.judging.diagnose import answers, solution

solved = solution("13_mixed_precision")

# training_bytes


@answers("training_bytes")
def bytes_by_dtypes(num_params, recipe, states=2):
    wide, narrow = torch.float32, torch.bfloat16
    try:
        weight, gradient, master, state = {
            "float32": (wide, wide, None, wide),
            "bfloat16": (narrow, narrow, None, narrow),
            "autocast": (wide, wide, None, wide),
            "master": (narrow, narrow, wide, wide),
        }[recipe]
    except KeyError:
        raise ValueError(recipe) from None
    if min(num_params, states) < 0:
        raise ValueError("below 0")
    kept = [weight, gradient, master] + [state] * states
    return sum(dtype.itemsize for dtype in kept if dtype) * num_params


@answers("training_bytes")
def bytes_by_cases(num_params, recipe, states=2):
    if num_params < 0:
        raise ValueError
    if states < 0:
        raise ValueError
    match recipe:
        case "float32" | "autocast":
            each = 4 + 4 + 4 * states
        case "bfloat16":
            each = 2 * (2 + states)
        case "master":
            each = 2 + 2 + 4 * (1 + states)
        case _:
            raise ValueError
    return each * num_params


@answers("training_bytes")
def bytes_by_decimals(num_params, recipe, states=2):
    widths = {"float32": "448", "bfloat16": "224", "autocast": "448", "master": "844"}
    if recipe not in tuple(widths) or not (num_params >= 0 <= states):
        raise ValueError(f"what is {recipe!r}?")
    rest = {"float32": "08", "bfloat16": "04", "autocast": "08", "master": "08"}[recipe]
    state = 2 if widths[recipe].startswith("2") else 4
    with decimal.localcontext(prec=60):
        return int(decimal.Decimal(num_params) * (int(rest) + state * states))


# lost_gradients


@answers("lost_gradients")
def lost_by_boundaries(grads, dtype=torch.float16, scale=1.0):
    info = torch.finfo(dtype)
    least = info.smallest_normal * info.eps
    beyond = info.max + info.max * info.eps / (2 - info.eps) / 2
    size = (grads * scale).abs().double()
    zeros = ((size <= least / 2) & (grads != 0)).sum().item()
    return zeros, ((size >= beyond) & grads.isfinite()).sum().item()


@answers("lost_gradients")
def lost_one_by_one(grads, dtype=torch.float16, scale=1.0):
    zeros = infinities = 0
    for before, after in zip(
        grads.flatten().tolist(), grads.mul(scale).type(dtype).float().flatten().tolist(), strict=True
    ):
        zeros += before != 0 == after
        infinities += math.isfinite(before) and not math.isfinite(after)
    return zeros, infinities


@answers("lost_gradients")
def lost_by_indices(grads, dtype=torch.float16, scale=1.0):
    stored = torch.empty(grads.shape, dtype=dtype, device=grads.device)
    stored.copy_(grads.clone().mul_(scale))
    were = set(grads.flatten().nonzero().flatten().tolist())
    are = set(stored.flatten().nonzero().flatten().tolist())
    finite = [int(x.isfinite().sum()) for x in (grads, stored)]
    return len(were - are), finite[0] - finite[1]


# largest_scale


@answers("largest_scale")
def scale_by_doubling(grads):
    if grads.numel() == 0 or not grads.isfinite().all() or not grads.count_nonzero():
        raise ValueError("nothing to scale")

    def fits(scale):
        return bool((grads * scale).to(torch.float16).isfinite().all())

    scale = 1.0
    while not fits(scale):
        scale /= 2
    while fits(scale * 2):
        scale *= 2
    return scale


@answers("largest_scale")
def scale_by_exponents(grads):
    sizes = [abs(x) for x in grads.reshape(-1).tolist()]
    if any(math.isnan(x) or math.isinf(x) for x in sizes) or sum(sizes) == 0:
        raise ValueError
    return math.ldexp(
        1.0, min(e for x in sizes if x for e in [next(e for e in range(140, -125, -1) if x < 65520 / 2.0**e)])
    )


@answers("largest_scale")
def scale_by_logarithms(grads):
    largest = float(grads.norm(math.inf)) if grads.numel() else 0
    if not largest or largest != largest or largest == math.inf:
        raise ValueError("has no largest scale")
    guess = math.floor(math.log2(65520) - math.log2(largest)) + 2
    return next(2.0**power for power in itertools.count(guess, -1) if largest * 2.0**power < 65520)


# autocast_dtype


@answers("autocast_dtype")
def dtype_by_trying(op, *dtypes, lower=torch.bfloat16):
    functional = torch.nn.functional
    calls = {
        **{name: getattr(torch, name) for name in ("matmul", "add", "mul", "prod", "relu", "exp", "sum", "mean")},
        **{name: getattr(functional, name) for name in ("linear", "mse_loss", "gelu")},
        "cat": lambda *parts: torch.cat(parts),
        "softmax": functools.partial(torch.softmax, dim=-1),
        "layer_norm": functools.partial(functional.layer_norm, normalized_shape=(2,)),
        "cross_entropy": functools.partial(functional.cross_entropy, target=torch.tensor([0, 1])),
    }
    if op not in calls:
        raise ValueError(op)
    try:
        with torch.autocast("cpu", dtype=lower):
            return calls[op](*(torch.ones(2, 2, dtype=dtype) for dtype in dtypes)).dtype
    except RuntimeError as error:
        raise ValueError(f"torch refuses {op} of {dtypes}") from error


@answers("autocast_dtype")
def dtype_by_cases(op, *dtypes, lower=torch.bfloat16):
    doubles = sum(dtype is torch.float64 for dtype in dtypes)
    if op in ("matmul", "linear"):
        if doubles == 0:
            return lower
        if doubles == len(dtypes):
            return torch.float64
        raise ValueError("float64 is not cast")
    if op in ("prod", "mse_loss", "cross_entropy"):
        return torch.double if doubles else torch.float
    if op in ("add", "mul", "cat", "relu", "gelu", "softmax", "layer_norm", "exp", "sum", "mean"):
        return functools.reduce(torch.promote_types, dtypes)
    raise ValueError(f"{op} is on no list")


@answers("autocast_dtype")
def dtype_by_widths(op, *dtypes, lower=torch.bfloat16):
    kind = "".join(
        letter
        for letter, names in {
            "p": "matmul linear",
            "w": "mse_loss cross_entropy prod",
            "c": "add mul cat relu gelu softmax layer_norm exp sum mean",
        }.items()
        if op in names.split()
    )
    if not kind:
        raise ValueError
    width = max(dtype.itemsize for dtype in dtypes)
    if width == 8:
        if kind == "p" and len({*dtypes}) > 1:
            raise ValueError
        return torch.float64
    if kind == "p":
        return lower
    return torch.float32 if kind == "w" or width == 4 or len({*dtypes}) > 1 else dtypes[0]


# stochastic_round


@answers("stochastic_round")
def round_by_a_comparison(x, generator):
    bits = x.view(torch.int32)
    low = torch.bitwise_and(bits, 0xFFFF)
    up = torch.randint(0, 65536, x.shape, generator=generator) < low
    return (((bits >> 16) + up.int()) << 16).view(torch.float32).to(torch.bfloat16)


@answers("stochastic_round")
def round_in_double(x, generator):
    size = x.abs().double()
    exponent = size.log2().floor().clamp(min=-126, max=127).nan_to_num(neginf=-126)
    # log2 may be off by one at a power of two; frexp is not.
    _, exact = torch.frexp(x.abs())
    exponent = torch.where(x.isfinite() & (x.abs() >= 2.0**-126), (exact - 1).double(), exponent)
    gap = torch.exp2(exponent - 7)
    down = torch.floor(size / gap)
    chance = size / gap - down
    drawn = torch.rand(x.shape, generator=generator, dtype=torch.float64)
    rounded = ((down + (drawn < chance).double()) * gap).copysign(x.double())
    return torch.where(x.isinf(), x.double(), rounded).bfloat16()


@answers("stochastic_round")
def round_by_numpy(x, generator):
    seed = int(torch.randint(0, 2**62, (), generator=generator))
    numbers = np.ascontiguousarray(x.numpy()).view(np.uint32).reshape(x.shape).astype(np.uint64)
    noise = np.random.default_rng(seed).integers(0, 2**16, size=x.shape, dtype=np.uint64)
    cut = ((numbers + noise) >> np.uint64(16)).astype(np.uint16)
    return torch.from_numpy(np.asarray(cut).view(np.int16).reshape(x.shape).copy()).view(torch.bfloat16)


@answers("stochastic_round")
def round_one_by_one(x, generator):
    drawn = random.Random(torch.randint(2**60, (1,), generator=generator).item())
    found = []
    for number in x.flatten().tolist():
        (bits,) = struct.unpack("!I", struct.pack("!f", number))
        upper, lower = divmod(bits, 65536)
        found.append((upper + (drawn.randrange(65536) < lower)) * 65536)
    words = struct.pack(f"{len(found)}I", *found)
    flat = torch.frombuffer(bytearray(words), dtype=torch.float32) if found else torch.empty(0)
    return flat.reshape(x.shape).bfloat16()


@answers("stochastic_round")
def round_from_the_nearest(x, generator):
    nearest = x.bfloat16()
    off = x - nearest.float()
    towards = torch.where(off > 0, math.inf, -math.inf).bfloat16()
    other = torch.nextafter(nearest, towards)
    chance = (off / (other.float() - nearest.float())).nan_to_num(0.0)
    return torch.where(torch.rand(x.shape, generator=generator) < chance, other, nearest)


@answers("stochastic_round")
def round_by_bernoulli(x, generator):
    held = x == x.bfloat16()
    bits = torch.where(held, 0.0, x).contiguous().view(torch.int32).long()
    up = torch.bernoulli((bits % 65536).double() / 65536, generator=generator).long()
    cut = ((bits >> 16) + up << 16).to(torch.int32).view(torch.float32).reshape(x.shape)
    return torch.where(held, x, cut).bfloat16()
