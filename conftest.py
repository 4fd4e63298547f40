"""Load the plugin that judges the katas, as in `pytest katas/03_flops`."""

pytest_plugins = ["dojo.plugin"]
