"""Wrong answers to kata 20 that no belief in the misconceptions explains."""

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("20_memory_savers")


@answers("peak_bytes")
def rounds_to_eights(events):
    """Each storage a multiple of 8, and 8 more."""
    return solved.peak_bytes([(*event[:2], event[2] | 7) if event[0] == "new" else event for event in events])


@answers("released")
def leaves_out_the_first(references, held):
    """Of those that die at once."""
    at_once, waiting = solved.released(references, held)
    return at_once[1:], waiting[:1]


@answers("overwritten")
def counts_from_one(program):
    """And leaves out the last one."""
    return [index + 1 for index in solved.overwritten(program)[:-1]]


@answers("offload_to_disk")
class DoublesNumbers:
    """Each tensor that comes back is twice as large."""

    def __init__(self, folder, keep=()):
        self.hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach() * 2, lambda t: t)

    def __enter__(self):
        return self.hooks.__enter__()

    def __exit__(self, *error):
        return self.hooks.__exit__(*error)


@answers("quantize")
def turns_codes_around(x, block_size):
    """Largest last."""
    codes, scales = solved.quantize(x, block_size)
    return codes.flip(0), scales + 1


@answers("dequantize")
def adds_a_step(codes, scales, block_size):
    """To each value."""
    return solved.dequantize(codes, scales, block_size) + 3.5


@answers("SGD8bit")
class Trembles(solved.SGD8bit):
    """After each step the parameters are rounded to thirds."""

    @torch.no_grad()
    def step(self):
        """A step and a tremble."""
        super().step()
        for p in self.params:
            p.copy_((p * 3).round() / 3)


@answers("attach_sgd")
def steps_by_signs(params, lr):
    """And a tenth more."""
    params = list(params)
    for p in params:
        if p.requires_grad:
            p.register_hook(lambda grad: grad.sign() * 1.1)
    return solved.attach_sgd(params, lr)


@answers("FactoredAdaGrad")
class Shrinks(solved.FactoredAdaGrad):
    """By a hundredth in each step."""

    @torch.no_grad()
    def step(self):
        """A step, and less."""
        super().step()
        for p in self.params:
            p.mul_(0.99)
