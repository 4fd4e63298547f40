"""Wrong answers to kata 13 that no belief in the misconceptions explains."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("13_mixed_precision")


@answers("training_bytes")
def in_pages(num_params, recipe, states=2):
    """Round the bytes up to whole pages."""
    return -(-solved.training_bytes(num_params, recipe, states) // 4096) * 4096


@answers("lost_gradients")
def every_second(grads, dtype=torch.float16, scale=1.0):
    """Count only every second gradient."""
    return solved.lost_gradients(grads.flatten()[::2], dtype, scale)


@answers("largest_scale")
def the_square(grads):
    """Use the squares plus the absolute values."""
    return solved.largest_scale(grads.square() + grads.abs())


@answers("autocast_dtype")
def long_names_are_narrow(op, *dtypes, lower=torch.bfloat16):
    """Make operations narrow if their name has an underscore."""
    right = solved.autocast_dtype(op, *dtypes, lower=lower)
    return lower if "_" in op else right


@answers("LossScaler")
class GrowsTwice(solved.LossScaler):
    """Grow by twice the factor at every third growth."""

    grown = 0

    def update(self):
        """Adapt."""
        before = self._scale
        super().update()
        if self._scale > before:
            self.grown += 1
            self._scale *= 2.0 if self.grown % 3 == 2 else 1.0


@answers("MasterWeights")
class ThreeQuartersOfAGradient(solved.MasterWeights):
    """Use three quarters of each gradient."""

    def step(self):
        """Step."""
        for p in self._params:
            if p.grad is not None:
                p.grad.mul_(0.75)
        super().step()


@answers("stochastic_round")
def squares_the_chance(x, generator):
    """Round away from 0 less often than right."""
    once, again = solved.stochastic_round(x, generator), solved.stochastic_round(x, generator)
    return torch.where(once.abs() < again.abs(), once, again)


@answers("mixed_step")
def halves_the_norm(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Clip to half of max_norm, and to 2 at most."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, min(max_norm / 2, 2.0), scheduler)


@answers("autocast_dtype")
def narrow_cat(op, *dtypes, lower=torch.bfloat16):
    """Make only cat narrow, in too few calls to identify the belief."""
    right = solved.autocast_dtype(op, *dtypes, lower=lower)
    return lower if op == "cat" and right != torch.float64 else right


@answers("LossScaler")
class GrowsTwiceAsOften(solved.LossScaler):
    """Grow after half of the default interval; the program that shows it is drawn once in a run."""

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=1000):
        super().__init__(init_scale, growth_factor, backoff_factor, growth_interval)


@answers("stochastic_round")
def mirrored_pairs(x, generator):
    """Round one of two numbers half way between their neighbors up, and the other down."""
    noise = torch.randint(0, 2**16, ((x.numel() + 1) // 2,), generator=generator, dtype=torch.int32)
    noise = torch.cat([noise, 2**16 - 1 - noise])[: x.numel()].view(x.shape)
    return ((x.view(torch.int32) + noise) & -(2**16)).view(torch.float32).bfloat16()
