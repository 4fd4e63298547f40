"""`dojo site`: write the lessons and documents as a static site, with Zensical."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from dojo.site import pages
from dojo.tools import CommandError

PALETTE = [
    {"media": "(prefers-color-scheme)", "toggle": {"icon": "lucide/sun-moon", "name": "Use the system setting"}},
    {
        "media": "(prefers-color-scheme: light)",
        "scheme": "default",
        "toggle": {"icon": "lucide/sun", "name": "Light"},
    },
    {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": {"icon": "lucide/moon", "name": "Dark"}},
]
"""Light or dark as the system is set, until the reader presses the button."""


def settings() -> dict[str, Any]:
    """Return the settings for Zensical: load nothing from other hosts, and read Markdown as GitHub does."""
    return {
        "site_name": "torch-dojo",
        "nav": pages.navigation(),
        "extra_css": ["style.css"],
        "extra": {"generator": False},
        "theme": {
            "font": False,
            "features": ["navigation.footer", "navigation.top", "content.code.copy", "search.highlight", "toc.follow"],
            "palette": PALETTE,
        },
        "markdown_extensions": [
            "sane_lists",
            {"toc": {"permalink": True}},
            {"pymdownx.highlight": {"pygments_lang_class": True}},
            "pymdownx.superfences",
        ],
    }


def build(out: Path) -> str:
    """Write the site to a new or empty folder. Return how to open it. Raise CommandError if that fails."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CommandError(f"--out must be a new or empty folder, got {out}")
    if importlib.util.find_spec("zensical") is None:
        raise CommandError("dojo site needs Zensical: pip install -e '.[site]'")
    with tempfile.TemporaryDirectory() as room:
        files = pages.files()
        for place, text in files.items():
            path = Path(room, "docs", place)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        config = Path(room, "mkdocs.yml")
        config.write_text(json.dumps(settings()), encoding="utf-8")  # JSON is YAML too
        _run(config)
        try:
            shutil.copytree(Path(room, "site"), out, dirs_exist_ok=True)
        except shutil.Error as error:
            raise CommandError(f"--out cannot be written: {error.args[0][0][2]}") from None
    return f"written {out}: open {out / 'index.html'} through a web server, such as python -m http.server -d {out}"


def _run(config: Path) -> None:
    """Run Zensical to build the site. A broken link is an error."""
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    if done.returncode:
        said = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr).partition("Traceback")[0]
        raise CommandError(f"the site was not written\n{said.strip()}")
