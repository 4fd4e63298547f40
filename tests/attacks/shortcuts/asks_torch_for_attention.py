"""Is torch's own attention and torch's own logsumexp: by names, methods, operators, layers, a script and from memory."""
# kata: 22_fusion
# attacks: flash_attention, online_logsumexp
# levels: userns, root, basic
# examples: 20

import contextlib
import gc

import torch
from torch.nn import functional

SCRIPT = """
def attention(q, k, v, causal: bool):
    return torch.scaled_dot_product_attention(q, k, v, None, 0.0, causal)

def total(x):
    return torch.logsumexp(x, 0)
"""


def _attentions():
    aten = torch.ops.aten
    yield lambda q, k, v, c: functional.scaled_dot_product_attention(q, k, v, is_causal=c)
    yield lambda q, k, v, c: torch._C._nn.scaled_dot_product_attention(q, k, v, is_causal=c)
    yield lambda q, k, v, c: aten.scaled_dot_product_attention(q, k, v, is_causal=c)
    yield lambda q, k, v, c: aten.scaled_dot_product_attention.default(q, k, v, None, 0.0, c)
    yield lambda q, k, v, c: aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, c)[0]
    yield lambda q, k, v, c: aten._scaled_dot_product_attention_math(q, k, v, None, 0.0, c)[0]
    yield lambda q, k, v, c: torch._C._get_operation_overload("aten::scaled_dot_product_attention", "")[0](
        q, k, v, None, 0.0, c
    )
    yield lambda q, k, v, c: torch.jit.CompilationUnit(SCRIPT).attention(q, k, v, c)
    yield lambda q, k, v, c: _in_memory("scaled_dot_product_attention")(q, k, v, is_causal=c)
    yield _layer


def _layer(q, k, v, causal):
    d, e = q.shape[-1], v.shape[-1]
    layer = torch.nn.MultiheadAttention(d, 1, bias=False, kdim=d, vdim=e, batch_first=True, dtype=q.dtype)
    eye = torch.eye(d, dtype=q.dtype)
    with torch.no_grad():
        for weight in (layer.q_proj_weight, layer.k_proj_weight, layer.out_proj.weight):
            weight.copy_(eye)
        layer.v_proj_weight.copy_(torch.eye(d, e, dtype=q.dtype))
        mask = torch.ones(q.shape[-2], k.shape[-2]).triu(1).bool() if causal else None
        return layer(q, k, v, need_weights=False, attn_mask=mask)[0][..., :e]


def _in_memory(name):
    found = [one for one in gc.get_objects() if getattr(one, "__name__", "") == name and callable(one)]
    return next(one for one in found if "torch" in str(getattr(one, "__module__", "")))


def flash_attention(q, k, v, block, causal=False):
    """Torch's."""
    if block < 1:
        raise ValueError
    n, s = q.shape[-2], k.shape[-2]
    for attention in _attentions():
        with contextlib.suppress(Exception):
            batched = [x.reshape(-1, 1, *x.shape[-2:]) for x in (q, k, v)]
            return attention(*batched, causal).reshape(*q.shape[:-2], n, v.shape[-1])
        with contextlib.suppress(Exception):
            batched = [x.reshape(-1, *x.shape[-2:]) for x in (q, k, v)]
            return attention(*batched, causal).reshape(*q.shape[:-2], n, v.shape[-1])
    raise LookupError(f"no attention of {n} and {s}")


def _totals():
    aten = torch.ops.aten
    yield lambda x: torch.logsumexp(x, 0)
    yield lambda x: x.logsumexp(0)
    yield lambda x: torch.special.logsumexp(x, 0)
    yield lambda x: torch._C._VariableFunctions.logsumexp(x, 0)
    yield lambda x: torch._C._special.special_logsumexp(x, 0)
    yield lambda x: torch._C.TensorBase.logsumexp(x, 0)
    yield lambda x: torch._VF.logsumexp(x, 0)
    yield lambda x: aten.logsumexp(x, [0])
    yield lambda x: aten.logsumexp.default(x, [0])
    yield lambda x: aten.special_logsumexp(x, [0])
    yield lambda x: torch._C._get_operation_overload("aten::logsumexp", "")[0](x, [0])
    yield lambda x: torch.jit.CompilationUnit(SCRIPT).total(x)
    yield lambda x: _in_memory("logsumexp")(x, 0)


def online_logsumexp(blocks):
    """Torch's, of each block and of what they come to."""
    totals = [_total(block.double()) for block in blocks]
    return _total(torch.stack(totals)) if totals else torch.tensor(-torch.inf)


def _total(x):
    for total in _totals():
        with contextlib.suppress(Exception):
            return total(x)
    raise LookupError("no logsumexp")
