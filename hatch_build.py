"""What pyproject.toml cannot say of the wheel: single files in another folder, and none of them in an editable one."""

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
    """Puts the files of the first folder beside the trees that `dojo init` lays out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name their places in the wheel; an editable one has nothing but the clone's own."""
        if version != "editable":
            build_data["force_include"].update({name: f"dojo/laid_out/{name}" for name in FILES})
