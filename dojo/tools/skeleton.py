"""The files of a new kata. They can be parsed and run. A mark shows each place that is still to be written."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

STUB = (
    '"""Kata $number: $title. The lesson is in README.md beside this file."""\n',
    '''

def $function(n: int) -> int:
    """WRITE: the arguments and the result, with worked examples of shapes, and the errors that bad input raises."""
    raise NotImplementedError("$function")
''',
    "",
)

FILES = {
    "katas/$slug/README.md": (
        """\
# $number · $title

WRITE: the question that this kata answers.

## The idea

WRITE: the one idea, with a worked example whose arithmetic can be checked by hand.

![WRITE: what the figure shows, measured by torch or by the clock](figure.svg)

## Predict, then measure

WRITE: a number to predict.

```python
print(0)  # WRITE: a few lines of torch that measure it
```

## Write them in this order

""",
        "$place. `$function`: WRITE: what it returns.\n",
        """
Run `pytest katas/$slug`. When stuck, `dojo hint $number`. WRITE: what the next kata does with it.

You should have seen 0. WRITE: the numbers that the snippet prints, and why.
""",
    ),
    "katas/$slug/kata.toml": (
        """\
title = "$title"
question = "WRITE: the question of the path in README.md"
after = []  # WRITE: the katas whose lessons it takes as known, as in ["01", "03"]
routes = []  # WRITE: the routes that it is on, as in ["memory", "compute", "systems"]
forbidden = []
""",
        """
[functions.$function]
title = "WRITE: what it returns, in a few words"
points = 1
hints = [
    "WRITE: a nudge, ideally a question",
    "WRITE: the idea",
    "WRITE: nearly the answer",
]
""",
        "",
    ),
    "katas/$slug/$topic.py": STUB,
    "tests/$slug/stub.py": STUB,
    "solutions/$slug/$topic.py": (
        '"""Kata $number, solved: $title."""\n',
        '''

def $function(n: int) -> int:
    """WRITE: why this is right, in one line."""
    raise NotImplementedError("$function")  # WRITE: the answer, short
''',
        "",
    ),
    "tests/$slug/__init__.py": ("", "", ""),
    "tests/$slug/properties.py": (
        '''\
"""The properties of kata $number."""

from dojo.judging.examples import given
from dojo.judging.expect import expect, grades

from . import strategies
''',
        '''

@grades("$function")
@given(n=strategies.${function}_cases())
def test_${function}_is_what_torch_says(kata, n):
    """WRITE: the rule, which a learner reads below a wrong answer."""
    expect(kata.$function(n), n, "torch says")  # WRITE: what torch measures on the same case (truth.py)
''',
        "",
    ),
    "tests/$slug/strategies.py": (
        '''\
"""What hypothesis draws for kata $number."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dojo.judging.classes import classes
''',
        '''

@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def ${function}_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)
''',
        "",
    ),
    "tests/$slug/misconceptions.py": (
        '''\
"""Wrong answers that people give to kata $number, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("$slug")
''',
        '''

@believes("WRITE: the belief behind a wrong answer, without a full stop", about="$function")
def ${function}_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.$function(n) + 1
''',
        "",
    ),
    "tests/$slug/wheats.py": (
        '''\
"""Right answers to kata $number in styles that the solution does not use."""

from dojo.judging.diagnose import answers
''',
        """

@answers("$function")
def ${function}_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
""",
        "",
    ),
    "tests/$slug/unmatched.py": (
        '''\
"""Wrong answers to kata $number that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("$slug")
''',
        '''

@answers("$function")
def ${function}_twice(n):
    """WRITE: what it does wrong without any belief behind it."""
    return 2 * solved.$function(n)
''',
        "",
    ),
    "tests/$slug/figure.py": (
        '''\
"""The figure of lesson $number."""

from typing import Any


def measure() -> dict[str, Any]:
    """WRITE: what is measured."""
    return {"n": [0, 1, 2]}


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """WRITE: what is drawn."""
    figure.add_subplot().plot(numbers["n"])
''',
        "",
        "",
    ),
    "tests/$slug/examples.py": (
        '''\
"""Checks kata $number against the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
''',
        "    assert kata.$function(0) == 0  # WRITE: each worked example\n",
        "",
    ),
}
"""By path: how each file begins, the part that is repeated for each function, and how the file ends."""


def files(number: str, topic: str, functions: Sequence[str]) -> dict[str, str]:
    """Return the text of each file, by its path."""
    kata = {
        "number": number,
        "topic": topic,
        "slug": f"{number}_{topic}",
        "title": topic.replace("_", " ").capitalize(),
    }
    each = [{"place": str(place), "function": name} for place, name in enumerate(functions, 1)]
    texts = {}
    for place, (begin, piece, end) in FILES.items():
        pieces = [begin, *(Template(piece).substitute(kata | one) for one in each), end]
        texts[Template(place).substitute(kata)] = Template("".join(pieces)).substitute(kata)
    return texts
