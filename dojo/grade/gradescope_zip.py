"""The autograder zip for Gradescope: setup.sh, run_autograder, the seed, and the files of this clone for grading."""

from __future__ import annotations

import secrets
import zipfile
from collections.abc import Iterator
from pathlib import Path

from dojo.catalog import ROOT, select

PARTS = (
    "conftest.py",
    "dojo",
    "hatch_build.py",
    "katas",
    "LICENSE",
    "pyproject.toml",
    "README.md",
    "solutions",
    "tests",
)
KINDS = (".md", ".py", ".toml", ".typed", "")
LEFT_OUT = (
    "tests/attacks",
    "tests/dojo",
    "tests/strength",
    "tests/*/test_*.py",
    "tests/*/reports.py",
    "tests/*/wheats.py",
)
"""Tests of the dojo itself."""
EXECUTABLE, PLAIN = 0o100755, 0o100644

SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail
source=${1:-/autograder/source}

apt-get update
apt-get install -y python3 python3-venv
# If it is missing or too old, the dojo uses the one that it comes with.
apt-get install -y bubblewrap || true

# The image's own Python may be older than the dojo takes. Not below root's home, where no jail's user may enter.
python3 -m venv /opt/uv
/opt/uv/bin/pip install uv
export UV_PYTHON_INSTALL_DIR=/opt/python
/opt/uv/bin/uv venv --python 3.12 /opt/torch-dojo
# cpu: torch without CUDA, in a fraction of the space.
/opt/uv/bin/uv pip install --python /opt/torch-dojo --torch-backend cpu -e "$source"

# The seed and the solutions are for root alone.
chmod -R go= "$source"
"""

RUN = """\
#!/bin/sh
# Gradescope runs this for each submission. It always leaves a results.json: a grade, or no points and the reason.
root=${1:-/autograder}
dojo=${2:-/opt/torch-dojo/bin/dojo}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$root/results"

# In the environment, where no other user's process can read it.
DOJO_SEED=$(cat "$root/source/seed")
export DOJO_SEED
if [ -z "$DOJO_SEED" ]; then
    echo "dojo: the seed is missing" > "$work/errors"
elif "$dojo" grade "$root/submission"@KATAS@ --format gradescope --out "$work" 2> "$work/errors"; then
    cp "$work/results.json" "$root/results/results.json" && exit 0
fi

cat "$work/errors" >&2
# Only signs that need no escape in JSON.
reason=$(tail -n 1 "$work/errors" | tr -cd ' -~' | tr -d '"\\\\<>&#' | cut -c 1-300)
printf '{"score": 0, "output": "No grade could be given: %s", "output_format": "text"}\\n' \\
    "${reason:-the grader did not say why}" \\
    > "$root/results/results.json"
"""


def make_zip(path: Path, *, seed: str | None = None, katas: str | None = None) -> None:
    """Write the autograder's zip: the same bytes for the same clone and seed.

    seed: the secret that the examples are drawn from; None for a new one. katas: `01,03` for only these; CatalogError
    if one does not exist.
    """
    chosen = f" --katas {','.join(kata.number for kata in select(katas))}" if katas else ""
    files = {
        "setup.sh": (SETUP.encode(), EXECUTABLE),
        "run_autograder": (RUN.replace("@KATAS@", chosen).encode(), EXECUTABLE),
        "seed": ((seed or secrets.token_hex(16)).encode(), PLAIN),
        **{str(file.relative_to(ROOT)): (file.read_bytes(), PLAIN) for file in _files()},
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in sorted(files.items()):
            entry = zipfile.ZipInfo(name)  # dated 1980, as every ZipInfo by default
            entry.create_system = 3  # Unix, for the modes
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def _files() -> Iterator[Path]:
    """Yield the files of this clone that grading needs, without caches and hidden files."""
    for part in PARTS:
        for file in [ROOT / part] if (ROOT / part).is_file() else sorted((ROOT / part).rglob("*")):
            place = file.relative_to(ROOT)
            left_out = any(path.match(pattern) for path in (place, *place.parents) for pattern in LEFT_OUT)
            hidden = any(name.startswith((".", "__pycache__")) for name in place.parts)
            if file.is_file() and not file.is_symlink() and file.suffix in KINDS and not left_out and not hidden:
                yield file
