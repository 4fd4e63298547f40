"""What each entry of `forbidden` in a kata.toml covers: one table, for the guard here and for the jail.

A new entry goes into TABLE. Its names are text: nothing here imports what they name.

The table keeps honest learners from shortcuts and closes the known ways around them. It is not a sandbox.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Behind:
    """What one entry forbids. Fields not marked as for a jail apply everywhere while a learner's code runs."""

    modules: tuple[str, ...] = ()
    """Modules that cannot be imported, nor anything below them. A top-level package is taken out of sys.modules. The
    functions and classes that any other module here defines are refused wherever a module of its package holds them."""
    names: tuple[str, ...] = ()
    """Values that are refused under every name by which a module of their package holds them."""
    kept: tuple[str, ...] = ()
    """Names that stay allowed, although one of the modules defines their values."""
    hollow: tuple[str, ...] = ()
    """In a jail: modules whose functions and classes are emptied, for torch as well, and whose sources are hidden."""
    operators: tuple[str, ...] = ()
    """In a jail: patterns of names of torch operators that refuse every caller."""
    refusing: tuple[str, ...] = ()
    """In a jail: functions and methods that refuse every caller."""
    blank: tuple[str, ...] = ()
    """In a jail: attributes of classes of torch._C that are None for every caller."""


def _all(package: str, names: str) -> tuple[str, ...]:
    return tuple(f"{package}.{name}" for name in names.split())


OPTIMIZERS = _all(
    "torch.optim",
    "adadelta adagrad adam adamax adamw asgd lbfgs nadam radam rmsprop rprop sgd sparse_adam _adafactor _muon",
)

TORCHSCRIPT = _all(
    "torch._C",
    """
    CompilationUnit.__init__ CompilationUnit.define CompilationUnit.create_function ScriptModule._define
    ScriptModule._create_method_from_trace ScriptModule._create_method_from_trace_with_dict _create_function_from_graph
    _create_function_from_trace _create_function_from_trace_with_dict _jit_script_compile _jit_script_class_compile
    _jit_interpret_graph _jit_differentiate import_ir_module import_ir_module_from_buffer _import_ir_module_from_package
    """,
)
"""What makes a program from text, a graph, a trace or a file: TorchScript differentiates without autograd's engine."""

LOADERS = ("torch._ops._Ops.load_library", "torch._classes._Classes.load_library")

OLD_QUANTIZATION = ("torch.quantization", *_all("torch.nn", "quantized quantizable qat intrinsic"))
"""Former places of torch.ao, where it can still be found."""

TABLE: dict[str, Behind] = {
    "array": Behind(modules=("array",)),
    "ctypes": Behind(modules=("ctypes", "_ctypes")),
    "einops": Behind(modules=("einops",)),
    "gc": Behind(modules=("gc",)),
    "multiprocessing": Behind(modules=("multiprocessing", "_multiprocessing", "torch.multiprocessing")),
    "numpy": Behind(modules=("numpy",)),
    "queue": Behind(modules=("queue", "_queue")),
    "socket": Behind(modules=("socket", "_socket", "socketserver")),
    "statistics": Behind(modules=("statistics", "_statistics")),
    "struct": Behind(modules=("struct", "_struct")),
    "threading": Behind(  # and what shows a thread the frames of another
        modules=("threading", "_thread", "_threading_local", "concurrent", "asyncio"),
        names=_all("sys", "_current_frames _current_exceptions"),
    ),
    "time": Behind(modules=("time",)),
    "torch": Behind(modules=("torch", "torchgen", "functorch")),
    "torch.Tensor.backward": Behind(names=("torch.Tensor.backward",)),
    "torch._scaled_mm": Behind(
        names=(
            *_all("torch", "_scaled_mm _scaled_mm_v2 _scaled_grouped_mm _scaled_grouped_mm_v2"),
            *_all("torch.nn.functional", "scaled_mm scaled_grouped_mm"),
        ),
        operators=("aten::_scaled_mm*", "aten::_scaled_grouped_mm*"),  # not on meta, where a scenario asks for layouts
    ),
    "torch.Tensor.logsumexp": Behind(names=("torch.Tensor.logsumexp",), operators=("aten::logsumexp*",)),
    "torch.amp.GradScaler": Behind(  # not hollow: scenarios hand a real one over
        modules=("torch.distributed.fsdp.sharded_grad_scaler",),
        names=_all("torch", "amp.GradScaler cuda.amp.GradScaler cpu.amp.GradScaler"),
    ),
    "torch.ao": Behind(
        modules=("torch.ao", *OLD_QUANTIZATION),
        names=("torch.ao", *OLD_QUANTIZATION),
        hollow=_all("torch.ao.quantization", "observer fake_quantize fx._decomposed"),
        operators=("quantized_decomposed::*",),
    ),
    "torch.autograd": Behind(
        modules=("torch.autograd", "torch.autograd.functional", "torch.autograd.gradcheck"),
        names=("torch.autograd.forward_ad.make_dual", *LOADERS),
        hollow=("torch.autograd", "torch.autograd.functional"),
        operators=("*backward*", "*_make_dual"),
        refusing=(
            "torch._C._ImperativeEngine.run_backward",
            "torch._C._FunctionBase.apply",
            "torch.autograd.function.Function.apply",  # since torch 2.14 it does not call its base
            *TORCHSCRIPT,
        ),
        blank=("torch._C.TensorBase.grad_fn",),  # a tensor's repr looks at it
    ),
    "torch.autograd.graph.save_on_cpu": Behind(
        modules=("torch.distributed.algorithms._checkpoint",),  # wraps modules in it
        names=("torch.autograd.graph.save_on_cpu",),
    ),
    "torch.distributed": Behind(
        modules=(
            "torch.distributed",
            "torch.distributed.distributed_c10d",
            "torch.distributed._functional_collectives",
            "torch.nn.parallel.distributed",
            "torch.testing._internal.distributed",
            "torch._C._distributed_c10d",
        ),
        operators=("c10d::*", "_c10d_functional::*"),
    ),
    "torch.distributed.tensor": Behind(  # and what shards by its rules, if a judge has imported it
        modules=_all("torch.distributed", "tensor tensor.placement_types tensor._api fsdp fsdp._flat_param"),
        names=_all("torch.distributed", "tensor fsdp"),
    ),
    "torch.einsum": Behind(names=("torch.einsum",), operators=("aten::einsum",)),
    "torch.fake_quantize_per_tensor_affine": Behind(
        names=_all(
            "torch",
            """
            fake_quantize_per_tensor_affine fake_quantize_per_channel_affine _fake_quantize_learnable_per_tensor_affine
            _fake_quantize_learnable_per_channel_affine _fake_quantize_per_tensor_affine_cachemask_tensor_qparams
            fused_moving_avg_obs_fake_quant
            """,
        ),
        operators=("aten::*fake_quant*",),
    ),
    "torch.func": Behind(modules=("torch.func",), kept=("torch.vmap",)),
    "torch.logsumexp": Behind(
        names=(
            *_all("torch", "logsumexp special.logsumexp masked.logsumexp _refs.logsumexp"),
            "torch._C._special.special_logsumexp",
        ),
        operators=("aten::logsumexp*", "aten::special_logsumexp*"),
    ),
    "torch.nn.MultiheadAttention": Behind(names=("torch.nn.MultiheadAttention",)),
    "torch.nn.functional.cross_entropy": Behind(
        names=(*_all("torch.nn.functional", "cross_entropy linear_cross_entropy"), "torch._C._nn.cross_entropy_loss"),
        operators=("aten::cross_entropy_loss*",),
    ),
    "torch.nn.functional.multi_head_attention_forward": Behind(
        names=("torch.nn.functional.multi_head_attention_forward",), operators=("aten::*_multi_head_attention*",)
    ),
    "torch.nn.functional.nll_loss": Behind(
        names=("torch.nn.functional.nll_loss", *_all("torch._C._nn", "nll_loss nll_loss2d nll_loss_nd")),
        operators=("aten::nll_loss*",),
    ),
    "torch.nn.functional.scaled_dot_product_attention": Behind(
        names=(
            "torch.nn.functional.scaled_dot_product_attention",
            "torch._C._nn.scaled_dot_product_attention",
            *_all(
                "torch",
                """
                _scaled_dot_product_attention_math _scaled_dot_product_efficient_attention
                _scaled_dot_product_flash_attention _scaled_dot_product_cudnn_attention
                """,
            ),
        ),
        operators=("aten::*scaled_dot_product*",),
    ),
    "torch.nn.init": Behind(modules=("torch.nn.init",)),  # not hollow: torch's own layers call it
    "torch.nn.modules.linear": Behind(  # the linear layers of torch.nn, lazy and bilinear ones
        modules=("torch.nn.modules.linear",),
        kept=("torch.nn.Identity", "torch.nn.modules.Identity", "torch.nn.modules.linear.Identity"),
    ),
    "torch.nn.modules.loss": Behind(modules=("torch.nn.modules.loss",), hollow=("torch.nn.modules.loss",)),
    "torch.nn.utils.clip_grad": Behind(modules=("torch.nn.utils.clip_grad",), hollow=("torch.nn.utils.clip_grad",)),
    "torch.optim.*": Behind(  # torch's optimizers; Optimizer, which they build on, and the schedules stay
        modules=(*OPTIMIZERS, "torch.distributed.optim"),
        names=(
            *_all("torch", "_fused_adagrad_ _fused_adam_ _fused_adamw_ _fused_sgd_ optim.Adafactor optim.Muon"),
            *LOADERS,
        ),
        hollow=(*OPTIMIZERS, "torch.optim._functional"),
        operators=("*_fused_*",),
    ),
    "torch.quantize_per_tensor": Behind(
        names=_all("torch", "quantize_per_tensor quantize_per_channel"),
        operators=("aten::quantize_per_tensor*", "aten::quantize_per_channel*"),
    ),
    "torch.quantize_per_tensor_dynamic": Behind(
        names=_all("torch", "quantize_per_tensor_dynamic _choose_qparams_per_tensor choose_qparams_optimized"),
        operators=("aten::quantize_per_tensor_dynamic*", "aten::*choose_qparams*"),
    ),
    "torch.tensordot": Behind(names=("torch.tensordot",), operators=("aten::tensordot",)),
    "torch.utils._python_dispatch": Behind(  # what removes a mode that measures; torch uses modes itself
        names=(
            *_all("torch.utils._python_dispatch", "_disable_current_modes _pop_mode _pop_mode_temporarily"),
            *_all("torch._C", "_DisableTorchDispatch _unset_dispatch_mode _pop_torch_dispatch_stack"),
        ),
    ),
    "torch.utils.checkpoint": Behind(
        modules=("torch.utils.checkpoint", "torch.distributed.algorithms._checkpoint", "torch.distributed._composable"),
        hollow=("torch.utils.checkpoint",),
    ),
    "torch.utils.data.dataloader": Behind(modules=("torch.utils.data.dataloader",)),
    "torch.utils.data.distributed": Behind(modules=("torch.utils.data.distributed",)),
    "torch.utils.data.sampler": Behind(modules=("torch.utils.data.sampler",)),
}


@functools.cache
def behind(entries: tuple[str, ...]) -> Behind:
    """Return what several entries forbid together; raise KeyError if TABLE lacks one."""
    found = [TABLE[entry] for entry in entries]
    return Behind(
        **{field.name: tuple(x for one in found for x in getattr(one, field.name)) for field in fields(Behind)}
    )


def refused(name: str, modules: Iterable[str], names: Iterable[str] = ()) -> str | None:
    """Return which of the modules or names forbids importing `name`, a module or a name in one; None if none does."""
    for module in modules:
        if name == module or name.startswith(f"{module}."):
            return module
    return name if name in names else None


def may_use(user: str, name: str) -> bool:
    """Return whether a module may use a forbidden name: only one of its own package.

    The standard library counts as one package, which LIBRARIES may use. torch may also use numpy.
    """
    mine, other = user.partition(".")[0], name.partition(".")[0]
    if other in sys.stdlib_module_names:
        return mine in sys.stdlib_module_names or mine in LIBRARIES
    return mine == other or (mine == "torch" and other == "numpy")


LIBRARIES = ("numpy", "torch")
