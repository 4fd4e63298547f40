"""classroom50.json, by schemas/result-v1.schema.json of Classroom 50: what its autograder.py writes as result.json.

Who handed in what is known to Classroom 50's runner alone, which says so in the environment and stamps the owner, the
type and the dates anew. Elsewhere those fields say "unknown", and its collection refuses the file.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from dojo.grade.formats.phrases import failure
from dojo.grade.formats.safe_json import dumps
from dojo.grade.result import Result
from dojo.report.sanitize import line

IDENTITY = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""The variables in which the runner tells them."""


def render(result: Result) -> str:
    """The score, and a test for each function."""
    told = {name: line(os.environ.get(variable) or "unknown") for name, variable in IDENTITY.items()}
    if not told["submission"].startswith("submit/"):
        told["submission"] = "submit/unknown"
    began = datetime.fromisoformat(result.times.get("began", "1970-01-01T00:00:00+00:00"))
    return dumps(
        {
            "schema": "classroom50/result/v1",
            **told,
            "assignment_type": os.environ.get("ASSIGNMENT_TYPE") or "individual",
            "datetime": began.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "score": result.score,
            "max-score": result.points,
            "tests": [
                {
                    "test-name": f"{kata.slug} {function.name}",
                    "passed": function.status == "done",
                    "score": function.score,
                    "max-score": function.points,
                    "output": "\n".join(failure(kata, function)),
                }
                for kata in result.katas
                for function in kata.functions
            ],
        }
    )
