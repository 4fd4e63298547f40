"""A pytest plugin: the device cpu:0 stands for a GPU. Answers see `torch.on_gpu`, and `torch.fail()` ends it."""

import pytest
import torch


def fail():
    """Let a kernel fail: from then on, each question to the device raises its error."""

    def raises():
        raise torch.AcceleratorError("CUDA error: device-side assert triggered\nCompile with …")

    vars(torch.cuda).update(is_initialized=lambda: True, synchronize=raises)


def pytest_configure(config):
    """Give the run a second device."""
    from dojo import plugin  # pytest has to import it first

    devices = ["cpu"] if config.option.device == "cpu" else ["cpu", "cpu:0"]
    vars(plugin).update(devices_of=lambda config: devices)
    vars(torch).update(fail=fail)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    """Say on which device a property runs."""
    vars(torch).update(on_gpu=getattr(item, "callspec", None) and item.callspec.params.get("device") == "cpu:0")
