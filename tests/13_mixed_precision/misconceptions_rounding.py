"""Wrong answers that people give to kata 13 about stochastic rounding."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


def _bits(x):
    return x.view(torch.int32)


def _cut(bits):
    """Return the upper half of the bits, as bfloat16."""
    return (bits & -(2**16)).view(torch.float32).bfloat16()


def _noise(x, generator, least=0, beyond=2**16):
    return torch.randint(least, beyond, x.shape, generator=generator, dtype=torch.int32)


def _between(x):
    """Return the neighbor near 0, the one away from 0, and the chance of the latter."""
    low = _bits(x) & (2**16 - 1)
    near = _cut(_bits(x))
    away = _cut(_bits(x) + (low > 0).int() * 2**16)
    return near, away, low / 2**16


@believes("A cast is right on average", about="stochastic_round")
def nearest(x, generator):
    """It rounds the same number in the same way each time, so small updates are lost every time."""
    return x.bfloat16()


@believes("Truncation is right on average", about="stochastic_round")
def truncates(x, generator):
    """It always rounds toward 0: add 16 random bits first."""
    return _cut(_bits(x))


@believes("Rounding up makes up for what is lost", about="stochastic_round")
def always_away(x, generator):
    """Rounding away from 0 always is as wrong as never: the chance has to be (|x| − near) / (away − near)."""
    return _between(x)[1]


@believes("Each neighbor has the probability 1/2", about="stochastic_round")
def flips_a_coin(x, generator):
    """The nearer neighbor has to be more likely, or the average is wrong."""
    near, away, _ = _between(x)
    return torch.where(torch.rand(x.shape, generator=generator) < 0.5, away, near)


@believes("Each neighbor has the probability 1/2", about="stochastic_round")
def draws_a_bit(x, generator):
    """The nearer neighbor has to be more likely, or the average is wrong."""
    near, away, _ = _between(x)
    return torch.where(torch.randint(0, 2, x.shape, generator=generator) == 1, away, near)


@believes("The chance of a neighbor grows with its distance", about="stochastic_round")
def turns_the_chance_round(x, generator):
    """The nearer neighbor is more likely: the chance of going away is (|x| − near) / (away − near)."""
    near, away, chance = _between(x)
    return torch.where((torch.rand(x.shape, generator=generator) < 1 - chance) & (chance > 0), away, near)


@believes("The chance of going away from 0 is measured from the lower neighbor", about="stochastic_round")
def turns_round_below_zero(x, generator):
    """For a negative number the lower neighbor is the one away from 0: use absolute values."""
    near, away, chance = _between(x)
    chance = torch.where((x < 0) & (chance > 0), 1 - chance, chance)
    return torch.where(torch.rand(x.shape, generator=generator) < chance, away, near)


@believes("One random number is enough for all elements", about="stochastic_round")
def one_for_all(x, generator):
    """Then the errors of all elements add up: draw one for each element."""
    noise = torch.randint(0, 2**16, (), generator=generator, dtype=torch.int32)
    return _cut(_bits(x) + noise)


@believes("One random number is enough for each row", about="stochastic_round")
def one_for_a_row(x, generator):
    """Then the errors of a row add up: draw one for each element."""
    shape = (*x.shape[:-1], 1) if x.ndim > 1 else x.shape
    return _cut(_bits(x) + torch.randint(0, 2**16, shape, generator=generator, dtype=torch.int32))


@believes("One random number is enough for each column", about="stochastic_round")
def one_for_a_column(x, generator):
    """Then the errors of a column add up: draw one for each element."""
    return _cut(_bits(x) + torch.randint(0, 2**16, x.shape[-1:], generator=generator, dtype=torch.int32))


@believes("One random number is enough for two neighbors", about="stochastic_round")
def one_for_two(x, generator):
    """Then the errors of both add up: draw one for each element."""
    noise = torch.randint(0, 2**16, ((x.numel() + 1) // 2,), generator=generator, dtype=torch.int32)
    return _cut(_bits(x) + noise.repeat_interleave(2)[: x.numel()].view(x.shape))


@believes("Half of the random numbers can be used twice", about="stochastic_round")
def one_for_both_halves(x, generator):
    """Then the errors of two elements are the same and add up: draw one for each element."""
    half = torch.randint(0, 2**16, ((x.numel() + 1) // 2,), generator=generator, dtype=torch.int32)
    return _cut(_bits(x) + torch.cat([half, half.flip(0)])[: x.numel()].view(x.shape))


@believes("Random numbers come from torch's global generator", about="stochastic_round")
def draws_globally(x, generator):
    """They come from the given generator, so that the caller can draw the same numbers again."""
    return _cut(_bits(x) + torch.randint(0, 2**16, x.shape, dtype=torch.int32))


@believes("The generator is only a seed", about="stochastic_round")
def begins_anew(x, generator):
    """It continues from call to call: if it started again, each call would round in the same way."""
    return solved.stochastic_round(x, torch.Generator().manual_seed(generator.initial_seed()))


@believes("The generator is used by seeding the global one", about="stochastic_round")
def seeds_the_global_one(x, generator):
    """That changes what all other code draws: pass the generator to torch's functions."""
    torch.default_generator.manual_seed(int(torch.randint(2**31, (), generator=generator)))
    return _cut(_bits(x) + torch.randint(0, 2**16, x.shape, dtype=torch.int32))


@believes("After the noise is added, the result is cast", about="stochastic_round")
def casts_after_the_noise(x, generator):
    """A cast rounds to nearest, so numbers would go up too often: truncate the low bits instead."""
    return (_bits(x) + _noise(x, generator)).view(torch.float32).bfloat16()


@believes("The noise is from 1 to 2**16", about="stochastic_round")
def noise_from_1(x, generator):
    """2**16 carries even if there is nothing to round: the noise is from 0 to 2**16 - 1."""
    return _cut(_bits(x) + _noise(x, generator, 1, 2**16 + 1))


@believes("randint includes its upper limit", about="stochastic_round")
def noise_without_the_last(x, generator):
    """It does not, so 2**16 - 1 would never be drawn: the upper limit is 2**16."""
    return _cut(_bits(x) + _noise(x, generator, 0, 2**16 - 1))


@believes("8 random bits are enough", about="stochastic_round")
def eight_bits(x, generator):
    """16 bits are dropped, so chances are multiples of 1/65536: with 8 bits, one below 1/256 would become 0."""
    return _cut(_bits(x) + (_noise(x, generator, 0, 2**8) << 8))


@believes("Random numbers may be as narrow as the result", about="stochastic_round")
def narrow_random_numbers(x, generator):
    """In bfloat16 they would be multiples of 1/256, so smaller chances would come out too large."""
    near, away, chance = _between(x)
    return torch.where(torch.rand(x.shape, generator=generator, dtype=torch.bfloat16) < chance, away, near)


@believes("The noise is proportional to the number", about="stochastic_round")
def noise_in_proportion(x, generator):
    """The gap is the same for all numbers from 1 to 2, so noise that is proportional is too large near 2."""
    noise = 1 + torch.rand(x.shape, generator=generator) * 2**-7
    return _cut(_bits(torch.where(x == x.bfloat16(), x, x * noise)))


@believes("Neighbours are as far apart below a power of two as above it", about="stochastic_round")
def gap_of_the_nearest(x, generator):
    """Below a power of two, the gap is half as wide: measure it from the neighbor that is nearer to 0."""
    nearest = x.bfloat16()
    gap = (torch.nextafter(nearest.abs(), torch.tensor(torch.inf).bfloat16()) - nearest.abs()).float()
    off = torch.where(x.isinf(), 0.0, x - nearest.float())
    other = torch.where(off * x.sign() > 0, _between(x)[1], _between(x)[0])
    return torch.where(torch.rand(x.shape, generator=generator) < off.abs() / gap, other, nearest)


@believes("The result may stay float32", about="stochastic_round")
def stays_wide(x, generator):
    """Rounding is there to halve the bytes: return bfloat16."""
    return solved.stochastic_round(x, generator).float()


@believes("inf is between two neighbors too", about="stochastic_round")
def breaks_infinity(x, generator):
    """inf - inf is nan: a number that bfloat16 can hold stays, and inf is one of them."""
    return solved.stochastic_round(x, generator) + (x - x).bfloat16()


@believes("The next power of two is always a number", about="stochastic_round")
def overflows_at_the_top(x, generator):
    """For 2**127 and more, it is 2**128, which is inf in float32: compute the gap from the power below."""
    beyond = x.isfinite() & (x.abs() >= 2.0**127) & (x != x.bfloat16())
    return torch.where(beyond, torch.nan, solved.stochastic_round(x, generator))


@believes("Subnormal numbers become 0", about="stochastic_round")
def flushes_subnormals(x, generator):
    """bfloat16 has subnormal numbers down to 2**-133, and these have neighbors like all others."""
    return solved.stochastic_round(torch.where(x.abs() < 2.0**-126, x * 0.0, x), generator)


@believes("Numbers below the smallest one of bfloat16 become 0", about="stochastic_round")
def flushes_what_is_tiny(x, generator):
    """Such a number becomes 0 or the smallest number, by chance: on average it is not 0."""
    return solved.stochastic_round(torch.where(x.abs() < 2.0**-133, x * 0.0, x), generator)


@believes("0 has no sign", about="stochastic_round")
def drops_the_sign_of_zero(x, generator):
    """bfloat16 can hold -0.0, so it stays -0.0."""
    return solved.stochastic_round(x, generator) + torch.tensor(0.0).bfloat16()


@believes("The shape of the result does not matter", about="stochastic_round")
def flattens(x, generator):
    """The result has the shape of x."""
    return solved.stochastic_round(x.flatten(), generator)


@believes("The bits of x may be changed where they are", about="stochastic_round")
def rounds_in_place(x, generator):
    """view shares the memory: add into a new tensor."""
    return _cut(_bits(x).add_(_noise(x, generator)))
