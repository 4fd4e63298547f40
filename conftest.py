"""The one line that makes `pytest katas/03_flops` mean something."""

pytest_plugins = ["dojo.plugin"]
