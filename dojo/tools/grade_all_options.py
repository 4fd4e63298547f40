"""Options of the command that grades a folder."""

from __future__ import annotations

from typing import Annotated

import typer

from dojo.tools.options import Isolation

JOBS = "Submissions to grade at the same time on this machine; 1 if left out."
REQUIRE = "Grade only where the jail is no weaker than this: userns, root or basic."
CLUSTER = "Grade on a Dask cluster: the address of its scheduler, or local to start workers on this machine."

Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help=JOBS)]
Required = Annotated[Isolation | None, typer.Option(metavar="LEVEL", help=REQUIRE)]
Cluster = Annotated[str | None, typer.Option(metavar="ADDRESS", help=CLUSTER)]
