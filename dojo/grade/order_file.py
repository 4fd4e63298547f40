"""The file in a folder of results that says how they were graded, so that they can be graded again."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from dojo.catalog import Kata, katas
from dojo.files import write_whole
from dojo.grade.jail.limits import Limits
from dojo.grade.order import Order

FILE = ".order"
AGAIN = ".regrade"
"""The folder beside it for new results while submissions are graded again."""


@dataclass(frozen=True)
class Given:
    """The options that `dojo grade-all` was given."""

    folder: Path
    """Where the submissions are."""
    katas: tuple[Kata, ...]
    level: str
    device: str
    limits: Limits
    seed: str
    """A digest of the seed."""


def write(out: Path, folder: Path, order: Order) -> None:
    """Write the order of a folder of results. The path of the submissions is relative: both can be moved together."""
    told = {
        "folder": os.path.relpath(os.path.realpath(folder), os.path.realpath(out)),
        "katas": [kata.slug for kata in order.katas],
        "level": order.level,
        "device": order.device,
        "limits": asdict(order.limits),
        "seed": digest(order.seed),
    }
    write_whole(out / FILE, json.dumps(told, indent=1) + "\n")


def read(out: Path) -> Given:
    """Read the order of a folder of results; ValueError if there is none."""
    try:
        told = json.loads((out / FILE).read_text(encoding="utf-8"))
        folder = Path(os.path.normpath(Path(os.path.realpath(out), told["folder"])))
        chosen = tuple(katas()[slug] for slug in told["katas"])
        return Given(folder, chosen, told["level"], told["device"], Limits(**told["limits"]), told["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        raise ValueError(f"{out} has no complete results of dojo grade-all; let it finish first") from None


def digest(seed: str) -> str:
    """Return a digest that identifies a seed, and does not reveal a random one."""
    return hmac.new(seed.encode(), b"the seed of these results", hashlib.sha256).hexdigest()
