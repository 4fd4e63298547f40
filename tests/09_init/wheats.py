"""Right answers to kata 09 in styles that the solution does not use."""

import functools
import math
import operator
import random
from fractions import Fraction

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from dojo.judging.diagnose import answers

# fans


@answers("fans")
def fans_by_the_numbers_of_a_tensor(shape):
    if len(shape) < 2:
        raise ValueError("no weight")
    weight = torch.empty(shape, device="meta")
    return weight[0].numel(), weight.transpose(0, 1)[0].numel()


@answers("fans")
def fans_by_dividing_the_whole(shape):
    try:
        out, into = shape[0], shape[1]
    except IndexError:
        raise ValueError(f"{shape} has fewer than two dimensions") from None
    whole = functools.reduce(operator.mul, shape)
    return whole // out, whole // into


@answers("fans")
def fans_by_a_loop(shape):
    sizes = list(shape)
    if len(sizes) in (0, 1):
        raise ValueError
    fan_out = sizes.pop(0)
    fan_in = sizes.pop(0)
    while sizes:
        size = sizes.pop()
        fan_in *= size
        fan_out *= size
    return (fan_in, fan_out)


# init_std


@answers("init_std")
def init_std_by_powers(shape, scheme):
    if len(shape) < 2:
        raise ValueError
    k = int(np.prod(shape[2:], dtype=np.int64))
    match scheme:
        case "scaled":
            return (shape[1] * k) ** -0.5
        case "xavier":
            return ((shape[0] + shape[1]) * k / 2) ** -0.5
        case "kaiming":
            return (shape[1] * k / 2) ** -0.5
    raise ValueError(scheme)


@answers("init_std")
def init_std_by_tensors(shape, scheme):
    gain = {"scaled": 1.0, "xavier": 1.0, "kaiming": 2.0}.get(scheme)
    if gain is None or len(shape) < 2:
        raise ValueError(shape, scheme)
    k = math.prod(shape[2:])
    fans = torch.tensor([shape[1] * k, shape[0] * k], dtype=torch.float64)
    mean = fans.mean() if scheme == "xavier" else fans[0]
    return (gain / mean).sqrt().item()


@answers("init_std")
def init_std_by_fractions(shape, scheme):
    class NoScheme(ValueError):
        pass

    if not shape[1:]:
        raise NoScheme("too few dimensions")
    fan_in, fan_out = Fraction(math.prod(shape[1:])), Fraction(math.prod(shape)) / shape[1]
    try:
        variance = {"scaled": 1 / fan_in, "xavier": 2 / (fan_in + fan_out), "kaiming": 2 / fan_in}[scheme]
    except KeyError:
        raise NoScheme(scheme)
    return math.exp(0.5 * (math.log(variance.numerator) - math.log(variance.denominator)))


# uniform_bound


@answers("uniform_bound")
def uniform_bound_by_its_variance(std):
    return math.sqrt(3 * std * std)


@answers("uniform_bound")
def uniform_bound_by_the_width(std):
    return 12**0.5 * std / 2


@answers("uniform_bound")
def uniform_bound_by_a_tensor(std):
    return float(torch.tensor(std, dtype=torch.float64) / torch.tensor(1 / 3, dtype=torch.float64).sqrt())


# truncated_std


@answers("truncated_std")
def truncated_std_by_trapezoids(cut):
    if not cut > 0:
        raise ValueError(cut)
    x = np.linspace(0, cut, 10_001)
    weights = np.exp(-(x**2) / 2)
    weights[[0, -1]] /= 2
    return math.sqrt((weights * x**2).sum() / weights.sum())


@answers("truncated_std")
def truncated_std_by_torch(cut):
    if cut <= 0:
        raise ValueError("nothing is kept")
    x = torch.linspace(-cut, cut, 40_001, dtype=torch.float64)
    p = torch.distributions.Normal(torch.zeros((), dtype=torch.float64), 1.0).log_prob(x).exp()
    return (torch.trapezoid(x * x * p, x) / torch.trapezoid(p, x)).sqrt().item()


@answers("truncated_std")
def truncated_std_by_a_series(cut):
    if cut <= 0.0:
        raise ValueError("a cut has to be positive")
    if cut > 5:
        kept = 1 - math.erfc(cut / math.sqrt(2))
        return math.sqrt(1 - cut * math.exp(-(cut**2) / 2) * math.sqrt(2 / math.pi) / kept)
    mass = square = 0.0
    term, n = cut, 0  # of the integral of exp(-x²/2), power by power
    while abs(term) > 1e-18 or n < 40:
        mass += term / (2 * n + 1)
        square += term * cut * cut / (2 * n + 3)
        n += 1
        term *= -cut * cut / (2 * n)
    return math.sqrt(square / mass)


# truncated_normal


@answers("truncated_normal")
def truncated_normal_by_the_inverse(shape, std, cut, generator=None):
    if std < 0 or cut <= 0:
        raise ValueError(std, cut)
    half = math.erf(cut / math.sqrt(2))
    u = torch.rand(shape, generator=generator, dtype=torch.float64) * 2 - 1
    return (torch.erfinv(u * half) * (math.sqrt(2) * std)).clamp(-cut * std, cut * std).to(torch.float32)


@answers("truncated_normal")
def truncated_normal_by_half_the_bits(shape, std, cut, generator=None):
    # as torch did it until it drew again: float32 throughout, and clamped for the rounding
    if not (std >= 0 and cut > 0):
        raise ValueError("std or cut")
    low = (1 + math.erf(-cut / math.sqrt(2))) / 2
    x = torch.empty(shape).uniform_(2 * low - 1, 1 - 2 * low, generator=generator)
    return x.erfinv_().mul_(math.sqrt(2)).clamp_(min=-cut, max=cut).mul_(std)


@answers("truncated_normal")
def truncated_normal_by_where(shape, std, cut, generator=None):
    if std < 0:
        raise ValueError("a negative standard deviation")
    if cut <= 0:
        raise ValueError("a cut that keeps nothing")
    x = torch.full(shape, math.inf)
    while True:
        beyond = x.abs() > cut
        if not beyond.any():
            return x.mul(std)
        x = torch.where(beyond, torch.empty_like(x).normal_(generator=generator), x)


@answers("truncated_normal")
def truncated_normal_by_more_than_enough(shape, std, cut, generator=None):
    if min(std, 0) < 0 or max(cut, 0) == 0:
        raise ValueError((std, cut))
    wanted = math.prod(shape)
    kept = torch.empty(0, dtype=torch.float64)
    while kept.numel() < wanted:
        more = torch.randn(2 * wanted + 16, generator=generator, dtype=torch.float64)
        kept = torch.cat([kept, more[(more >= -cut) & (more <= cut)]])
    return (kept[:wanted] * std).float().view(shape)


@answers("truncated_normal")
def truncated_normal_by_rejecting_uniform_numbers(shape, std, cut, generator=None):
    if std < 0 or cut <= 0:
        raise ValueError
    flat = torch.empty(math.prod(shape), dtype=torch.double)
    missing = torch.arange(flat.numel())
    while missing.numel():
        x = (torch.rand(len(missing), generator=generator, dtype=torch.double) - 0.5) * 2 * cut
        taken = torch.rand(len(missing), generator=generator) < torch.exp(-x * x / 2)
        flat[missing[taken]] = x[taken]
        missing = missing[~taken]
    return (flat.reshape(shape) * std).float()


@answers("truncated_normal")
def truncated_normal_by_a_seed_for_numpy(shape, std, cut, generator=None):
    if std < 0 or cut <= 0:
        raise ValueError
    own = np.random.Generator(np.random.PCG64(torch.randint(2**63 - 1, (2,), generator=generator).tolist()))
    x = own.normal(size=shape)
    while np.any(beyond := np.abs(x) > cut):
        x = np.where(beyond, own.normal(size=shape), x)
    return torch.tensor(std * x, dtype=torch.float32)


@answers("truncated_normal")
def truncated_normal_one_by_one(shape, std, cut, generator=None):
    if std < 0 or cut <= 0:
        raise ValueError(f"{std}, {cut}")
    own = random.Random(int(torch.randint(2**62, (1,), generator=generator)))

    def one():
        while abs(number := own.gauss(0.0, 1.0)) > cut:
            pass
        return number * std

    return torch.tensor([one() for _ in range(math.prod(shape))], dtype=torch.float32).reshape(shape)


@answers("truncated_normal")
def truncated_normal_in_the_global_state(shape, std, cut, generator=None):
    if std < 0 or cut <= 0:
        raise ValueError
    with torch.random.fork_rng(devices=[], enabled=generator is not None):
        if generator is not None:
            torch.set_rng_state(generator.get_state())
        x = torch.normal(0.0, 1.0, size=shape)
        while len(places := (x.abs() > cut).nonzero()):
            x[tuple(places.T)] = torch.normal(0.0, 1.0, size=(len(places),))
        if generator is not None:
            generator.set_state(torch.get_rng_state())
    return std * x


# output_std


@answers("output_std")
def output_std_by_a_loop(dims, stds):
    if len(dims) != len(stds) + 1:
        raise ValueError
    variance = 1.0
    for n, s in zip(dims, stds):
        variance = n * s * s * variance
    return math.sqrt(variance)


@answers("output_std")
def output_std_by_numpy(dims, stds):
    widths = np.asarray(dims[:-1], dtype=float)
    factors = np.asarray(stds, dtype=float)
    if widths.shape != factors.shape:
        raise ValueError("one for each layer")
    return float(np.prod(np.sqrt(widths) * factors))


@answers("output_std")
def output_std_by_recursion(dims, stds):
    if len(dims) - 1 != len(stds):
        raise ValueError(dims, stds)
    if not stds:
        return 1
    return output_std_by_recursion(dims[:-1], stds[:-1]) * stds[-1] * dims[-2] ** 0.5


# Linear


def _numbers(out, into, generator):
    return truncated_normal_by_where((out, into), into**-0.5, 3.0, generator)


@answers("Linear")
class LinearByTheFunctional(nn.Module):
    def __init__(self, in_features, out_features, generator=None):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.empty(out_features, in_features)))
        with torch.no_grad():
            self.weight.copy_(_numbers(out_features, in_features, generator))

    def forward(self, x):
        return F.linear(x, self.weight)


@answers("Linear")
class LinearByEinsum(nn.Module):
    def __init__(self, in_features, out_features, generator=None):
        nn.Module.__init__(self)
        self.in_features, self.out_features = in_features, out_features
        weight = truncated_normal_by_the_inverse((in_features, out_features), 1.0, 3.0, generator)
        self.weight = torch.nn.Parameter(weight.T / math.sqrt(in_features))

    def forward(self, x):
        return torch.einsum("...i,oi->...o", x, self.weight)

    def extra_repr(self):
        return f"{self.in_features} -> {self.out_features}"


@answers("Linear")
class LinearBySums(nn.Module):
    def __init__(self, in_features, out_features, generator=None):
        super().__init__()
        rows = [truncated_normal_by_where((in_features,), in_features**-0.5, 3, generator) for _ in range(out_features)]
        self._parameters["weight"] = nn.Parameter(torch.stack(rows))

    def forward(self, x):
        return (x.unsqueeze(-2) * self.weight).sum(dim=-1)


@answers("Linear")
class LinearByAConvolution(nn.Module):
    def __init__(self, in_features, out_features, generator=None):
        super().__init__()
        self.weight = nn.Parameter(_numbers(out_features, in_features, generator=generator), requires_grad=True)

    def forward(self, x):
        rows = x.reshape(x[..., 0].numel(), x.shape[-1], 1)
        return F.conv1d(rows, self.weight[..., None]).reshape(*x.shape[:-1], len(self.weight))


# Cruncher


class Layer(nn.Module):
    def __init__(self, into, out, generator):
        super().__init__()
        self.weight = nn.Parameter(_numbers(out, into, generator))

    def forward(self, x):
        return F.linear(x, self.weight)


@answers("Cruncher")
class CruncherBySequential(nn.Module):
    def __init__(self, dim, num_layers, generator=None):
        super().__init__()
        self.layers = nn.Sequential(*[Layer(dim, dim, generator) for _ in range(num_layers)])
        self.final = Layer(dim, 1, generator)

    def forward(self, x):
        return self.final(self.layers(x))[..., 0]


@answers("Cruncher")
class CruncherByNames(nn.Module):
    def __init__(self, dim, num_layers, generator=None):
        super().__init__()
        self.final = Layer(dim, 1, generator)
        self.layers = nn.ModuleDict()
        for place in reversed(range(num_layers)):
            self.layers[str(place)] = Layer(dim, dim, generator)
        self.depth = num_layers

    def forward(self, x):
        for place in range(self.depth):
            x = self.layers[str(place)](x)
        return self.final(x).flatten(-2) if x.ndim > 1 else self.final(x).reshape(())


@answers("Cruncher")
class CruncherByOneProduct(nn.Module):
    def __init__(self, dim, num_layers, generator=None):
        super().__init__()
        self.layers = nn.ModuleList()
        while len(self.layers) < num_layers:
            self.layers.append(Layer(dim, dim, generator))
        self.final = Layer(dim, 1, generator)

    def forward(self, x):
        # from the last layer to the first, and x at the end: (1, dim) times (dim, dim) is cheap
        row = self.final.weight
        for layer in reversed(self.layers):
            row = row @ layer.weight
        return x @ row[0]
