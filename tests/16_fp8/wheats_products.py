"""Right answers to kata 16 about a product in fp8, in styles that the solution does not use."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import answers

F8 = torch.float8_e4m3fn


def _codes(z, scale):
    return torch.clamp(z / scale, -448.0, 448.0).to(F8)


def _scale(z):
    largest = z.abs().amax(dim=1, keepdim=True) / 448.0
    return torch.where(largest > 0, largest, torch.ones_like(largest))


@answers("fp8_linear")
def by_copies(x, weight, mm):
    (m, k), n = x.shape, weight.shape[0]
    wide, tall = 16 * math.ceil(k / 16), 16 * math.ceil(n / 16)
    a, b = torch.zeros(m, wide, device=x.device), torch.zeros(tall, wide, device=x.device)
    a[:m, :k], b[:n, :k] = x, weight
    scale_a, scale_b = _scale(a), _scale(b)
    return mm(_codes(a, scale_a), _codes(b, scale_b).t(), scale_a, scale_b.reshape(1, -1)).to(torch.float32)[:, :n]


@answers("fp8_linear")
def with_scales_outside(x, weight, mm):
    def ready(z, rows):
        scale = torch.exp2(torch.ceil(torch.log2(_scale(z.float()))))
        filled = torch.nn.functional.pad(z.float() / scale, (0, -z.shape[1] % 16, 0, rows - len(z)))
        return filled.clamp(-448, 448).to(F8), scale

    (a, scale_a), (b, scale_b) = ready(x, len(x)), ready(weight, -(-len(weight) // 16) * 16)
    one = torch.tensor(1.0, device=x.device)
    product = mm(a, b.T, one, one).float()[:, : len(weight)]
    return product * scale_a * scale_b.T


@answers("fp8_linear")
def the_other_way_round(x, weight, mm):
    """weight @ x.T, transposed: then the rows of x are those that are filled up."""
    m, k = x.shape
    more = -k % 16
    a = torch.cat([weight, weight.new_zeros(len(weight), more)], 1)
    b = torch.cat([x.float(), torch.zeros(m, more, device=x.device)], 1)
    b = torch.cat([b, torch.zeros(-m % 16, k + more, device=x.device)], 0)
    scale_a, scale_b = _scale(a), _scale(b)
    product = mm(_codes(a, scale_a), _codes(b, scale_b).T, scale_a, scale_b.T.contiguous())
    return product.T[:m].float().contiguous()


@answers("fp8_linear")
def filled_up_as_codes(x, weight, mm):
    scale_a, scale_b = _scale(x.float()), _scale(weight)
    k, n = x.shape[1], len(weight)
    a = torch.zeros(len(x), -(-k // 16) * 16, dtype=torch.uint8, device=x.device)
    b = torch.zeros(-(-n // 16) * 16, a.shape[1], dtype=torch.uint8, device=x.device)
    a[:, :k] = _codes(x.float(), scale_a).view(torch.uint8)
    b[:n, :k] = _codes(weight, scale_b).view(torch.uint8)
    columns = torch.ones(1, len(b), device=x.device)
    columns[0, :n] = scale_b[:, 0]
    return mm(a.view(F8), b.view(F8).T, scale_a, columns).narrow(1, 0, n).float()


@answers("fp8_linear")
def in_high_and_low_parts(x, weight, mm):
    """What the first cast loses is cast as well, and all is summed in one product of three times the length."""

    def parts(z):
        filled = torch.nn.functional.pad(z.float(), (0, -z.shape[1] % 16))
        scale = _scale(filled)
        high = _codes(filled, scale)
        return high, _codes(filled - high.float() * scale, scale), scale

    weight_up = torch.nn.functional.pad(weight, (0, 0, 0, -len(weight) % 16))
    (high_a, low_a, scale_a), (high_b, low_b, scale_b) = parts(x), parts(weight_up)
    a, b = torch.cat([high_a, low_a, high_a], 1), torch.cat([high_b, high_b, low_b], 1)
    return mm(a, b.T, scale_a, scale_b.T.contiguous())[:, : len(weight)].float()
