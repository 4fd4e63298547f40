"""What a kata forbids is refused to the learner's file by every spelling of the table, and there for torch itself."""

import functools
import importlib
import importlib.util
import runpy
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from dojo.catalog import ROOT, CatalogError, Function, Kata, read
from dojo.forbidden import TABLE, Behind, behind
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jailed, Jails
from dojo.seam.data import same
from dojo.seam.forbidden import Forbidden, absent
from dojo.seam.learner_file import compile_source, run
from dojo.seam.local import Local
from dojo.seam.seam import Raised

FILE = """
import sys

import torch
from torch import nn
from torch.nn import functional as F

EYE = torch.eye(2)


class Made(nn.Module):
    pass


def f(code):
    names = dict(globals())
    return eval(code, globals()) if not code.startswith("exec") else exec(code[5:], names) or names["got"]
"""
"""A learner's file that computes what it is asked for."""

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
        "F.linear_cross_entropy(EYE, EYE, torch.arange(2))",
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


def cases(table):
    """What pytest's parametrize takes of a table by entries."""
    return [pytest.param(entry, code, id=f"{entry}-{code}") for entry, codes in table.items() for code in codes]


def kata(*forbidden):
    """A kata that forbids this."""
    return Kata("24_tried", "Tried", "", forbidden, {"f": Function("f", "f", 1, ("", "", ""))})


@functools.cache
def local(*forbidden):
    """The local seam for the file."""
    one = kata(*forbidden)
    loaded = run(compile_source(Path("tried.py"), FILE.encode()), one, "tests.suite.tried")
    assert loaded.trouble is None
    return Local(loaded, forbidden)


@pytest.fixture(scope="module")
def jailed(isolation):
    """The jailed seam for the file, one for each entry, at that level."""
    jails = Jails(isolation, Limits(), "cpu", [])
    source = FILE.encode()
    yield lambda entry: Jailed(kata(entry), source, "tried.py", (), jails)
    jails.close()


def refused(seam, code):
    """Why the file cannot compute this."""
    with pytest.raises(Raised) as raised:
        seam.call("f", code)
    assert "Forbidden" in raised.value.error.bases[0], raised.value.error
    return raised.value.error.message


@pytest.mark.parametrize(("entry", "code"), cases(SHORTCUTS))
def test_a_shortcut_is_refused_by_every_spelling(entry, code):
    """And the message names it."""
    assert refused(local(entry), code).startswith("this kata is solved without torch.")


@pytest.mark.parametrize(("entry", "code"), cases(RIGHT))
def test_torch_may_use_what_the_file_may_not(entry, code):
    """Layers are made, and what lies beside the shortcut works."""
    assert same(local(entry).call("f", code), RIGHT[entry][code])


@pytest.mark.parametrize(("entry", "code"), cases(SHORTCUTS))
def test_a_shortcut_is_refused_in_a_jail(entry, code, jailed):
    """By the same spellings."""
    seam = jailed(entry)
    seam.begin(None)
    assert refused(seam, code).startswith("this kata is solved without torch.")


@pytest.mark.parametrize(("entry", "code"), cases(RIGHT))
def test_torch_may_use_in_a_jail_what_the_file_may_not(entry, code, jailed):
    """What the table empties there is nothing that a right answer needs."""
    seam = jailed(entry)
    seam.begin(None)
    assert same(seam.call("f", code), RIGHT[entry][code])


@pytest.mark.parametrize("code", BEHIND_EINSUM)
def test_operators_refuse_everybody_in_a_jail(code, jailed):
    """Whoever calls them, in whatever language."""
    assert same(local().call("f", code), torch.ones(2))
    seam = jailed("torch.einsum")
    seam.begin(None)
    with pytest.raises(Raised, match=r"this kata is solved without torch\.einsum"):
        seam.call("f", code)


def test_torch_calls_by_its_name_what_the_file_may_not():
    """Wishart computes its variance by torch.einsum."""
    code = "torch.distributions.Wishart(torch.tensor(3.0), EYE).variance.tolist()"
    assert local("torch.einsum").call("f", code) == [[6.0, 3.0], [3.0, 6.0]]


def test_a_module_imported_meanwhile_keeps_no_stand_in(monkeypatch):
    """The judge finds in it what torch had put there, and torch's own code works at once."""
    late = ModuleType("torch.late")
    code = "from torch.nn.init import ones_\ndef made(x): return ones_(x)\nfirst = made(x)"
    with absent(("torch.nn.init",)):
        monkeypatch.setitem(sys.modules, "torch.late", late)
        vars(late)["x"] = torch.zeros(2)
        exec(code, vars(late))
        with pytest.raises(Forbidden):
            late.ones_(late.x)
    assert late.ones_ is torch.nn.init.ones_
    assert same(late.first, torch.ones(2))
    with absent(("torch.nn.init",)), pytest.raises(Forbidden):
        late.ones_(late.x)


def test_a_method_that_is_inherited_is_refused_and_comes_back(monkeypatch):
    """A table may name what torch.Tensor has from a class that nobody can change."""
    monkeypatch.setitem(TABLE, "tried", Behind(names=("torch.logsumexp", "torch.Tensor.logsumexp")))
    x = torch.zeros(2)
    with absent(("tried",)):
        for call in (lambda: x.logsumexp(0), lambda: torch.nn.Parameter(x).logsumexp(0), lambda: torch.logsumexp(x, 0)):
            with pytest.raises(Forbidden, match="logsumexp"):
                call()
    assert "logsumexp" not in vars(torch.Tensor)
    assert x.logsumexp(0) == torch.logsumexp(x, 0)


@pytest.mark.parametrize("code", ["import struct", "import _struct", "sys.modules['struct']", "from struct import *"])
def test_a_module_of_the_standard_library_is_absent(code):
    """And the standard library may still import it."""
    zipfile = sys.modules.pop("zipfile", None)
    with absent(("struct",)):
        with pytest.raises((Forbidden, KeyError)):
            exec(code, {"sys": sys})
        assert importlib.import_module("zipfile").struct.calcsize("i") == 4
        assert "struct" not in sys.modules
    assert "struct" in sys.modules
    if zipfile is not None:
        sys.modules["zipfile"] = zipfile


@pytest.mark.parametrize("code", ["import statistics", "import _statistics", "import time", "from time import *"])
def test_clocks_and_statistics_are_absent(code):
    """And there again behind it."""
    with absent(("statistics", "time")), pytest.raises(Forbidden):
        exec(code, {})
    exec(code, {})


BY_IMPORTLIB = [
    "importlib.__import__('statistics')",
    "importlib._bootstrap._gcd_import('statistics')",
    "importlib.util.find_spec('statistics')",
    "runpy.run_module('statistics')",
]


@pytest.mark.parametrize("code", BY_IMPORTLIB)
def test_importlib_itself_finds_nothing_that_is_forbidden(code):
    """By whichever of its functions; behind it there is no finder more than before."""
    before = list(sys.meta_path)
    with absent(("statistics",)), pytest.raises(ImportError):
        eval(code, {"importlib": importlib, "runpy": runpy})
    assert sys.meta_path == before
    eval(code, {"importlib": importlib, "runpy": runpy})


@pytest.mark.parametrize("library", ["zipfile", "pickle", "multiprocessing", "asyncio", "uuid", "random", "threading"])
def test_a_library_may_import_what_is_forbidden_within_its_own_imports(library):
    """In a new Python, where each import is still to be done: also `from ctypes import wintypes`."""
    forbidden = ("array", "ctypes", "numpy", "statistics", "struct", "time")
    code = f"""
from dojo.seam.forbidden import Forbidden, absent
import sys
with absent({forbidden}):
    import {library}
    exec("from ctypes import wintypes", vars({library}))
    for name in {forbidden}:
        assert name not in sys.modules
        try:
            __import__(name)
        except Forbidden:
            continue
        raise AssertionError(name)
"""
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_torch_may_import_numpy_where_the_file_may_not():
    """It does so in the middle of a call, and gets the one that is loaded."""
    import numpy

    with absent(("numpy",)):
        exec("def lazily():\n    import numpy\n    return numpy", vars(torch.utils.data))
        try:
            assert vars(torch.utils.data)["lazily"]() is numpy
        finally:
            del vars(torch.utils.data)["lazily"]
        with pytest.raises(Forbidden):
            exec("import numpy.linalg", {"__name__": "katas.tried"})
        assert "numpy" not in sys.modules
    assert sys.modules["numpy"] is numpy


ABSENT = set() if hasattr(torch.nn.functional, "linear_cross_entropy") else {"torch.nn.functional.linear_cross_entropy"}
"""Names that an older torch has not got yet."""


def _found(path):
    """What a dotted path of the table leads to."""
    module = path
    while module not in sys.modules:
        module = module.rpartition(".")[0]
    return functools.reduce(getattr, path.removeprefix(module).split(".")[1:], sys.modules[module])


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
@pytest.mark.parametrize("entry", TABLE)
def test_each_name_of_the_table_is_there(entry):
    """In every torch that is supported: a name that is gone guards nothing."""
    hides = TABLE[entry]
    for module in (*hides.modules, *hides.hollow):
        importlib.import_module(module)
    for name in {*hides.names, *hides.kept, *hides.refusing, *hides.blank} - ABSENT:
        assert _found(name) is not None
    operators = torch._C._dispatch_get_all_op_names()
    for pattern in hides.operators:
        assert any(fnmatchcase(name, pattern) for name in operators)


def test_entries_are_forbidden_together():
    """What lies behind them is added up."""
    assert behind(("struct", "torch.einsum")) == Behind(
        modules=("struct", "_struct"), names=("torch.einsum",), operators=("aten::einsum",)
    )


def test_an_entry_that_the_table_lacks_is_refused(tmp_path):
    """The catalog names it, and the table."""
    path = tmp_path / "kata.toml"
    path.write_text(
        'title = "A kata"\nquestion = ""\nforbidden = ["torch", "torch.nn"]\n[functions]\n', encoding="utf-8"
    )
    with pytest.raises(CatalogError, match=r"kata.toml forbids 'torch.nn', which is no entry of dojo/forbidden.py"):
        read(path)
