"""classroom50.json, by schemas/result-v1.schema.json of Classroom 50: what its autograder.py writes as result.json.

The identity of a submission comes from the environment of Classroom 50's runner, which sets owner, type and dates again
later. Elsewhere those fields say "unknown", and Classroom 50's collection refuses the file.
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
"""The runner's environment variable for each field."""


def render(result: Result) -> str:
    """Render the score, and a test for each function."""
    identity = {name: line(os.environ.get(variable) or "unknown") for name, variable in IDENTITY.items()}
    if not identity["submission"].startswith("submit/"):
        identity["submission"] = "submit/unknown"
    began = datetime.fromisoformat(result.times.get("began", "1970-01-01T00:00:00+00:00"))
    return dumps(
        {
            "schema": "classroom50/result/v1",
            **identity,
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
