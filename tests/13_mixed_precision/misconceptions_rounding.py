"""Wrong answers that people give to kata 13 about stochastic rounding."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


def _bits(x):
    return x.view(torch.int32)


def _cut(bits):
    """The upper half of the bits, as bfloat16."""
    return (bits & -(2**16)).view(torch.float32).bfloat16()


def _noise(x, generator, least=0, beyond=2**16):
    return torch.randint(least, beyond, x.shape, generator=generator, dtype=torch.int32)


def _between(x):
    """The neighbour near to 0, the one away from it, and the chance of the latter."""
    low = _bits(x) & (2**16 - 1)
    near = _cut(_bits(x))
    away = _cut(_bits(x) + (low > 0).int() * 2**16)
    return near, away, low / 2**16


@believes("A cast is right on average", about="stochastic_round")
def nearest(x, generator):
    """It rounds the same number the same way each time: small updates are lost each time."""
    return x.bfloat16()


@believes("What is cut off is right on average", about="stochastic_round")
def truncates(x, generator):
    """It is always towards 0: add 16 random bits first."""
    return _cut(_bits(x))


@believes("What is lost is made up for by rounding up", about="stochastic_round")
def always_away(x, generator):
    """It is always away from 0: so only by chance, as often as the number lies far on the way."""
    return _between(x)[1]


@believes("Up or down is the flip of a coin", about="stochastic_round")
def flips_a_coin(x, generator):
    """The nearer neighbour has to be the likelier one, or the average is wrong."""
    near, away, _ = _between(x)
    return torch.where(torch.rand(x.shape, generator=generator) < 0.5, away, near)


@believes("The farther a neighbour is the likelier", about="stochastic_round")
def turns_the_chance_round(x, generator):
    """The nearer one is: the chance to go away is the part of the way that is done."""
    near, away, chance = _between(x)
    return torch.where((torch.rand(x.shape, generator=generator) < 1 - chance) & (chance > 0), away, near)


@believes("The chance to go up is that of the distance from below, for negative numbers too", about="stochastic_round")
def turns_round_below_zero(x, generator):
    """Below 0 the neighbour below is the one away from 0: take the sizes."""
    near, away, chance = _between(x)
    chance = torch.where((x < 0) & (chance > 0), 1 - chance, chance)
    return torch.where(torch.rand(x.shape, generator=generator) < chance, away, near)


@believes("One random number decides for all", about="stochastic_round")
def one_for_all(x, generator):
    """Then the errors of all elements add up: each is drawn by itself."""
    noise = torch.randint(0, 2**16, (), generator=generator, dtype=torch.int32)
    return _cut(_bits(x) + noise)


@believes("One random number decides for each row", about="stochastic_round")
def one_for_a_row(x, generator):
    """Then the errors of a row add up: each element is drawn by itself."""
    shape = (*x.shape[:-1], 1) if x.ndim > 1 else x.shape
    return _cut(_bits(x) + torch.randint(0, 2**16, shape, generator=generator, dtype=torch.int32))


@believes("One random number decides for each column", about="stochastic_round")
def one_for_a_column(x, generator):
    """Then the errors of a column add up: each element is drawn by itself."""
    return _cut(_bits(x) + torch.randint(0, 2**16, x.shape[-1:], generator=generator, dtype=torch.int32))


@believes("Random numbers come from torch's global generator", about="stochastic_round")
def draws_globally(x, generator):
    """They come from the one that is given: whoever gives it wants to draw the same again."""
    return _cut(_bits(x) + torch.randint(0, 2**16, x.shape, dtype=torch.int32))


@believes("A generator is a seed", about="stochastic_round")
def begins_anew(x, generator):
    """It goes on from call to call: begun anew, each call would round in the same way."""
    return solved.stochastic_round(x, torch.Generator().manual_seed(generator.initial_seed()))


@believes("A generator is used by seeding the global one", about="stochastic_round")
def seeds_the_global_one(x, generator):
    """Then whatever else draws from it draws something else: hand the generator on."""
    torch.default_generator.manual_seed(int(torch.randint(2**31, (), generator=generator)))
    return _cut(_bits(x) + torch.randint(0, 2**16, x.shape, dtype=torch.int32))


@believes("After the noise comes a cast", about="stochastic_round")
def casts_after_the_noise(x, generator):
    """A cast rounds up from a half on, so it would go up too often by a half: cut the places off."""
    return (_bits(x) + _noise(x, generator)).view(torch.float32).bfloat16()


@believes("Noise is from 1 to 2**16", about="stochastic_round")
def noise_from_1(x, generator):
    """2**16 carries even where nothing is to be rounded: from 0 to 2**16 - 1."""
    return _cut(_bits(x) + _noise(x, generator, 1, 2**16 + 1))


@believes("8 random bits will do", about="stochastic_round")
def eight_bits(x, generator):
    """16 bits are cut off: a chance below 1/256 would be none."""
    return _cut(_bits(x) + (_noise(x, generator, 0, 2**8) << 8))


@believes("Random numbers may be as narrow as the result", about="stochastic_round")
def narrow_random_numbers(x, generator):
    """They are multiples of 1/256 in bfloat16: a smaller chance becomes as large as that."""
    near, away, chance = _between(x)
    return torch.where(torch.rand(x.shape, generator=generator, dtype=torch.bfloat16) < chance, away, near)


@believes("Noise is added in proportion to the number", about="stochastic_round")
def noise_in_proportion(x, generator):
    """Neighbours from 1 to 2 are all as far apart: noise in proportion is too large near 2, and none at 0."""
    noise = 1 + torch.rand(x.shape, generator=generator) * 2**-7
    return _cut(_bits(torch.where(x == x.bfloat16(), x, x * noise)))


@believes("Neighbours are as far apart below a power of two as above it", about="stochastic_round")
def gap_of_the_nearest(x, generator):
    """Below it they are half as far apart: measure from the neighbour near to 0."""
    nearest = x.bfloat16()
    gap = (torch.nextafter(nearest.abs(), torch.tensor(torch.inf).bfloat16()) - nearest.abs()).float()
    off = torch.where(x.isinf(), 0.0, x - nearest.float())
    other = torch.where(off * x.sign() > 0, _between(x)[1], _between(x)[0])
    return torch.where(torch.rand(x.shape, generator=generator) < off.abs() / gap, other, nearest)


@believes("The result may be float32 that is rounded", about="stochastic_round")
def stays_wide(x, generator):
    """Half of the bytes are the point: return bfloat16."""
    return solved.stochastic_round(x, generator).float()


@believes("inf lies between two neighbours as well", about="stochastic_round")
def breaks_infinity(x, generator):
    """inf - inf is nan: what bfloat16 holds stays."""
    return solved.stochastic_round(x, generator) + (x - x).bfloat16()


@believes("Subnormal numbers are 0", about="stochastic_round")
def flushes_subnormals(x, generator):
    """bfloat16 has them down to 2**-133, and they have neighbours like others."""
    return solved.stochastic_round(torch.where(x.abs() < 2.0**-126, x * 0.0, x), generator)


@believes("What is below the least number of bfloat16 is 0", about="stochastic_round")
def flushes_what_is_tiny(x, generator):
    """It lies between 0 and that number, and becomes either: on average it is not 0."""
    return solved.stochastic_round(torch.where(x.abs() < 2.0**-133, x * 0.0, x), generator)


@believes("0 has no sign", about="stochastic_round")
def drops_the_sign_of_zero(x, generator):
    """-0.0 is a number of bfloat16, and stays what it is."""
    return solved.stochastic_round(x, generator) + torch.tensor(0.0).bfloat16()


@believes("A vector is as good as any shape", about="stochastic_round")
def flattens(x, generator):
    """The result has the shape of x."""
    return solved.stochastic_round(x.flatten(), generator)


@believes("The bits of x may be changed where they are", about="stochastic_round")
def rounds_in_place(x, generator):
    """view shows the same memory: add into a new tensor."""
    return _cut(_bits(x).add_(_noise(x, generator)))
