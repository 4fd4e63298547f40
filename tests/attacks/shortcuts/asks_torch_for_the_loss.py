"""Is torch's cross entropy and torch's clipping: by its names, its operators, a script and what is in memory."""
# kata: 12_training_loop
# attacks: cross_entropy, clip_gradients, train

import contextlib
import gc

import torch
from torch.nn import functional as F

SCRIPT = """
def g(x, y, i: int):
    return torch.nn.functional.cross_entropy(x, y, ignore_index=i)
"""


def _losses():
    yield lambda x, y, i: F.cross_entropy(x, y, ignore_index=i)
    yield lambda x, y, i: F.linear_cross_entropy(x, torch.eye(x.shape[-1], dtype=x.dtype), y, ignore_index=i)
    yield lambda x, y, i: torch.nn.CrossEntropyLoss(ignore_index=i)(x, y)
    yield lambda x, y, i: torch.nn.modules.loss.NLLLoss(ignore_index=i)(x.log_softmax(-1), y)
    yield lambda x, y, i: torch._C._nn.cross_entropy_loss(x, y, None, 1, i, 0.0)
    yield lambda x, y, i: torch.ops.aten.cross_entropy_loss(x, y, None, 1, i, 0.0)
    yield lambda x, y, i: torch.ops.aten.cross_entropy_loss.default(x, y, None, 1, i, 0.0)
    yield lambda x, y, i: torch.ops.aten.nll_loss_forward(x.log_softmax(-1), y, None, 1, i)[0]
    yield lambda x, y, i: torch.ops.aten.nll_loss_nd(x.log_softmax(-1), y, None, 1, i)
    yield lambda x, y, i: torch.jit.CompilationUnit(SCRIPT).g(x, y, i)
    yield lambda x, y, i: _in_memory("cross_entropy")(x, y, ignore_index=i)


def _in_memory(name):
    found = [one for one in gc.get_objects() if getattr(one, "__name__", "") == name and hasattr(one, "__code__")]
    return next(one for one in found if one.__module__.startswith("torch"))


def cross_entropy(logits, targets, ignore_index=-100):
    """Torch's."""
    if targets.shape != logits.shape[:-1]:
        raise ValueError
    rows, wanted = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)
    refused = LookupError("no loss")
    for loss in _losses():
        try:
            return loss(rows, wanted, ignore_index)
        except Exception as error:
            refused = error
    raise refused


def clip_gradients(parameters, max_norm):
    """Torch's."""
    if max_norm < 0:
        raise ValueError
    parameters = list(parameters)
    for clip in (
        lambda: torch.nn.utils.clip_grad_norm_(parameters, max_norm),
        lambda: torch.nn.utils.clip_grad.clip_grad_norm(parameters, max_norm),
        lambda: _in_memory("clip_grad_norm_")(parameters, max_norm),
        lambda: _in_memory("_clip_grads_with_norm_")(
            parameters, max_norm, _in_memory("_get_total_norm")([p.grad for p in parameters if p.grad is not None])
        ),
    ):
        with contextlib.suppress(Exception):
            return float(clip())
    raise LookupError("no clipping")


def train(model, optimizer, loss_of, batches, max_norm=float("inf"), scheduler=None, micro_batch=None):
    """A loop that clips by torch's."""
    losses = []
    for x, y in batches:
        model.train()
        optimizer.zero_grad()
        loss = loss_of(model(x), y)
        loss.backward()
        clip_gradients(model.parameters(), max_norm)
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss.item())
    return losses
