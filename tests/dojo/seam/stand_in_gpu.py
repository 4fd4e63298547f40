"""A pytest plugin: the device cpu:0 stands for a GPU. Answers see `torch.on_gpu`, and `torch.fail()` ends it."""

import pytest
import torch


def fail():
    """Let a kernel fail: from then on, each question to the device raises its error."""

    def raises():
        raise torch.AcceleratorError("CUDA error: device-side assert triggered\nCompile with …")

    torch.cuda.is_initialized = lambda: True
    torch.cuda.synchronize = raises


def pytest_configure(config):
    """Give the run a second device."""
    from dojo import plugin  # pytest has to import it first

    only = config.option.device == "cpu"
    plugin.devices_of = lambda config: ["cpu"] if only else ["cpu", "cpu:0"]
    torch.fail = fail


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    """Say on which device a property runs."""
    torch.on_gpu = getattr(getattr(item, "callspec", None), "params", {}).get("device") == "cpu:0"
