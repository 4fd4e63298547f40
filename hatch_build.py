"""Add single files to the wheel, in a folder of their own, unless it is editable: pyproject.toml cannot say that."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = (
    ".gitignore",
    "AGENTS.md",
    "CONTRIBUTING.md",
    "GRADING.md",
    "LICENSE",
    "README.md",
    "conftest.py",
    "notebooks/colab.ipynb",
)


class SingleFiles(BuildHookInterface):
    """Adds the files in FILES to the folder that `dojo init` lays out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Set the places of the files in the wheel. An editable wheel uses the clone's own files."""
        if version != "editable":
            build_data["force_include"].update({name: f"dojo/laid_out/{name}" for name in FILES})
