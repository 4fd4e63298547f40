"""Prints the lines that a runner of workflows obeys, and puts them into an answer, an error and the runner's files."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, elementwise_flops

import os

COMMANDS = "\n".join(
    [
        "",
        "::set-output name=score::100",
        "::error file=grade.yml,line=1::the grader is broken",
        "::add-mask::0",
        "::stop-commands::never",
        "::set-env name=SCORE::100",
        "##[group]1 passed",
        "##vso[task.complete result=Succeeded;]",
        "",
    ]
)


def matmul_flops(a_shape, b_shape):
    print(COMMANDS, flush=True)
    return COMMANDS


def linear_flops(x_shape, out_features):
    raise ValueError(COMMANDS)


def elementwise_flops(*shapes):
    for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
        for path in (os.environ.get(name, f"{CANARY}/{name}"), f"{CANARY}/{name}"):
            try:
                with open(path, "a") as file:
                    file.write(f"score=100 {MARK}\n")
            except OSError:
                pass
    return {COMMANDS: COMMANDS}
