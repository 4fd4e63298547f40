# The grader in plain Docker. GRADING.md says how to run it, and what that promises.
FROM python:3.12-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/torch-dojo
COPY conftest.py hatch_build.py LICENSE pyproject.toml README.md ./
COPY dojo dojo
COPY katas katas
COPY solutions solutions
COPY tests tests
# cpu: torch without CUDA, in a fraction of the space. The solutions are for root alone.
RUN pip install --no-cache-dir uv \
    && uv pip install --system --no-cache --torch-backend cpu -e . \
    && chmod -R go= .

WORKDIR /
ENTRYPOINT ["dojo", "grade"]
