"""Code that reaches for what a kata forbids, in many spellings, and right code beside it, by the entry it is about."""

from typing import Any

import torch

ABSENT = set[str]() if hasattr(torch.nn.functional, "linear_cross_entropy") else {"linear_cross_entropy"}
"""Names of torch.nn.functional that an older torch has not got yet."""

SHORTCUTS = {
    "torch.nn.init": [
        "nn.init.kaiming_uniform_(EYE)",
        "torch.nn.init.xavier_normal_(EYE)",
        "torch.nn.init._calculate_fan_in_and_fan_out(EYE)",
        "nn.modules.linear.init.zeros_(EYE)",
        "nn.modules.activation.xavier_uniform_(EYE)",
        "sys.modules['torch.nn.init'].ones_(EYE)",
        "vars(torch.nn.init)['ones_'](EYE)",
        "nn.init.ones_.__wrapped__",
        "nn.init.ones_._real",
        "list(map(nn.init.ones_, [EYE]))",
        "nn.Linear(2, 2).apply(nn.init.calculate_gain)",
        "exec import torch.nn.init as got",
        "exec from torch.nn import init as got",
        "exec from torch.nn.init import ones_ as got",
        "exec __name__ = 'torch.nn'; from torch.nn import init as got",
    ],
    "torch.nn.modules.linear": [
        "nn.Linear(2, 2)",
        "torch.nn.modules.Linear(2, 2)",
        "nn.modules.linear.Linear(2, 2)",
        "nn.LazyLinear(2)",
        "nn.Bilinear(2, 2, 2)",
        "nn.modules.linear.NonDynamicallyQuantizableLinear(2, 2)",
        "nn.modules.transformer.Linear(2, 2)",
        "nn.Linear.forward",
        "nn.utils.skip_init(nn.Linear, 2, 2)",
        "exec class got(nn.Linear): pass",
        "exec from torch.nn import Linear; got = Linear(2, 2)",
        "exec import torch.nn.modules.linear as got",
        "exec from torch.nn.modules.linear import Linear as got",
    ],
    "torch.einsum": [
        "torch.einsum('ij->j', EYE)",
        "torch.functional.einsum('ij->j', EYE)",
        "sys.modules['torch.functional'].einsum('ij->j', EYE)",
        "vars(torch)['einsum']('ij->j', EYE)",
        "torch.vmap(torch.einsum, in_dims=(None, 0))('i->', EYE)",
        "torch.utils.checkpoint.checkpoint(torch.einsum, 'ij->j', EYE, use_reentrant=False)",
        "torch.einsum.__wrapped__",
        "setattr(Made, 'forward', torch.einsum) or Made()('ij->j', EYE)",
        "exec from torch import einsum as got",
        "exec from torch.functional import einsum; got = einsum('ij->j', EYE)",
        "exec __name__ = 'torch'; got = torch.einsum('ij->j', EYE)",
    ],
    "torch.tensordot": [
        "torch.tensordot(EYE, EYE)",
        "torch.functional.tensordot(EYE, EYE, 1)",
    ],
    "torch.nn.functional.scaled_dot_product_attention": [
        "F.scaled_dot_product_attention(EYE, EYE, EYE)",
        "torch._C._nn.scaled_dot_product_attention(EYE, EYE, EYE)",
        "exec from torch.nn.functional import scaled_dot_product_attention as f; got = f(EYE, EYE, EYE)",
    ],
    "torch.nn.functional.multi_head_attention_forward": [
        "F.multi_head_attention_forward(EYE, EYE, EYE)",
        "sys.modules['torch.nn.functional'].multi_head_attention_forward.__wrapped__",
    ],
    "torch.nn.utils.clip_grad": [
        "nn.utils.clip_grad_norm_([EYE], 1.0)",
        "nn.utils.clip_grad_value_([EYE], 1.0)",
        "nn.utils.get_total_norm([EYE])",
        "nn.utils.clip_grads_with_norm_([EYE], 1.0, EYE.norm())",
        "sys.modules['torch.nn.utils.clip_grad'].clip_grad_norm_.__wrapped__",
        "exec from torch.nn.utils.clip_grad import clip_grad_norm_ as got",
        "exec from torch.nn.utils import clip_grad_norm_; got = clip_grad_norm_([EYE], 1.0)",
    ],
    "torch.nn.modules.loss": [
        "nn.CrossEntropyLoss()",
        "nn.modules.loss.NLLLoss()",
        "exec class got(nn.CrossEntropyLoss): pass",
        "exec from torch.nn.modules.loss import CrossEntropyLoss as got",
    ],
    "torch.nn.functional.cross_entropy": [
        "F.cross_entropy(EYE, torch.arange(2))",
        *([] if ABSENT else ["F.linear_cross_entropy(EYE, EYE, torch.arange(2))"]),
        "torch._C._nn.cross_entropy_loss(EYE, torch.arange(2))",
        "vars(F)['cross_entropy'](EYE, torch.arange(2))",
        "sys.modules['torch.nn.modules.loss'].F.cross_entropy(EYE, torch.arange(2))",
        "exec from torch.nn.functional import cross_entropy as f; got = f(EYE, torch.arange(2))",
    ],
    "torch.nn.functional.nll_loss": [
        "F.nll_loss(EYE, torch.arange(2))",
        "torch._C._nn.nll_loss(EYE, torch.arange(2))",
        "torch._C._nn.nll_loss_nd(EYE, torch.arange(2))",
        "torch._C._nn.nll_loss2d(EYE, torch.arange(2))",
    ],
    "torch.optim.*": [
        "torch.optim.SGD([EYE], lr=0.1)",
        "sys.modules['torch.optim.adamw'].Adam([EYE])",
        "issubclass(torch.optim.Optimizer, torch.optim.SGD)",
        "torch._fused_adamw_([EYE], [EYE], [], [], [], [])",
        "exec class got(torch.optim.Adagrad): pass",
        "exec from torch.optim import Muon; got = Muon([EYE])",
        "exec import torch.distributed.optim as got",
    ],
    "torch.autograd": [
        "torch.autograd.gradcheck.__wrapped__",
        "torch.autograd.gradcheck(torch.sin, EYE)",
        "torch.autograd.forward_ad.make_dual(EYE, EYE)",
    ],
    "torch.autograd.graph.save_on_cpu": [
        "torch.autograd.graph.save_on_cpu()",
        "sys.modules['torch.autograd.graph'].save_on_cpu(pin_memory=False)",
        "vars(torch.autograd.graph)['save_on_cpu']()",
        "torch.autograd.graph.save_on_cpu.__init__",
        "exec class got(torch.autograd.graph.save_on_cpu): pass",
        "exec from torch.autograd.graph import save_on_cpu; got = save_on_cpu()",
        "exec from torch.distributed.algorithms._checkpoint import checkpoint_wrapper as got",
        "exec from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import offload_wrapper as got",
    ],
    "torch.func": [
        "torch.func.grad(torch.sum)(EYE)",
        "torch._functorch.eager_transforms.vjp(torch.sum, EYE)",
    ],
    "torch.utils.data.distributed": [
        "torch.utils.data.DistributedSampler([0, 1], 1, 0)",
        "torch.utils.data.distributed.DistributedSampler([0, 1], 1, 0)",
        "exec from torch.utils.data import DistributedSampler; got = DistributedSampler([0, 1], 1, 0)",
        "exec import torch.utils.data.distributed as got",
    ],
    "torch.utils.data.sampler": [
        "torch.utils.data.RandomSampler([0, 1])",
        "sys.modules['torch.utils.data.sampler'].BatchSampler([0, 1], 1, False)",
        "exec class got(torch.utils.data.SubsetRandomSampler): pass",
    ],
    "torch.utils.data.dataloader": [
        "torch.utils.data.DataLoader([0, 1])",
        "exec from torch.utils.data.dataloader import DataLoader as got",
    ],
}

RIGHT: dict[str, dict[str, Any]] = {
    "torch.nn.init": {
        "nn.Linear(2, 2).weight.shape == EYE.shape": True,
        "nn.MultiheadAttention(2, 1).embed_dim": 2,
        "nn.Transformer(2, 1, 1, 1, 2).d_model": 2,
        "type(torch.nn.utils.skip_init(nn.Linear, 2, 2)) is nn.Linear": True,
        "F.linear(EYE, EYE).tolist()": [[1.0, 0.0], [0.0, 1.0]],
    },
    "torch.nn.modules.linear": {
        "nn.Identity()(EYE).tolist()": [[1.0, 0.0], [0.0, 1.0]],
        "nn.Conv1d(2, 2, 1).weight.shape == (2, 2, 1)": True,
        "nn.Transformer(2, 1, 1, 1, 2).d_model": 2,
        "isinstance(nn.Module(), nn.Linear)": False,
    },
    "torch.einsum": {
        "(EYE @ EYE).tolist()": [[1.0, 0.0], [0.0, 1.0]],
        "F.bilinear(EYE, EYE, torch.ones(1, 2, 2)).tolist()": [[1.0], [1.0]],
    },
    "torch.tensordot": {"(EYE @ EYE).tolist()": [[1.0, 0.0], [0.0, 1.0]]},
    "torch.nn.functional.scaled_dot_product_attention": {"(EYE @ EYE.mT).softmax(-1).shape == EYE.shape": True},
    "torch.autograd.graph.save_on_cpu": {
        "exec with torch.autograd.graph.saved_tensors_hooks(id, id): got = 1": 1,
        "type(torch.autograd.graph.get_gradient_edge(EYE.clone().requires_grad_())).__name__": "GradientEdge",
    },
    "torch.nn.utils.clip_grad": {"nn.utils.parameters_to_vector([EYE]).norm().item() ** 2 < 2.1": True},
    "torch.nn.modules.loss": {"F.mse_loss(EYE, EYE).item()": 0.0, "nn.Linear(2, 1)(EYE).shape == (2, 1)": True},
    "torch.nn.functional.cross_entropy": {"EYE.log_softmax(-1).shape == EYE.shape": True},
    "torch.nn.functional.nll_loss": {
        "F.log_softmax(EYE, -1).gather(-1, torch.ones(2, 1).long()).shape == (2, 1)": True
    },
    "torch.func": {"torch.vmap(torch.sum)(EYE).tolist()": [1.0, 1.0]},
    "torch.utils.data.sampler": {"list(torch.utils.data.DataLoader([0, 1], shuffle=False, batch_size=None))": [0, 1]},
    "torch.utils.data.distributed": {"len(torch.utils.data.ConcatDataset([[0], [1]]))": 2},
}

BEHIND_EINSUM = [
    "torch.ops.aten.einsum('ij->j', [EYE])",
    "torch.ops.aten.einsum.default('ij->j', [EYE])",
    "torch._VF.einsum('ij->j', [EYE])",
    """torch.jit.CompilationUnit("def g(x):\\n  return torch.einsum('ij->j', [x])\\n").g(EYE)""",
]
"""Doors that are open where nothing is forbidden."""
