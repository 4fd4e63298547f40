"""The seam for trusted code: a learner's file, called in this process."""

from __future__ import annotations

import copy
import opcode
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.seam import cuda, deadline, forked
from dojo.seam.data import copied, plain
from dojo.seam.deadline import Endless, limited
from dojo.seam.faults import Moments
from dojo.seam.hash_seed import hash_for
from dojo.seam.learner_file import Answers, anew, describe, load, secluded
from dojo.seam.parts import Ending, Part
from dojo.seam.seam import Asked, Broken, Seam, Todo


def for_file(kata: Kata, tree: Path, name: str) -> Local:
    """Return the seam for TREE/03_flops/flops.py, run under this module name, with the time limit of the settings."""
    seconds = deadline.settings()
    return Local(load(kata, tree, name, seconds), kata.forbidden, seconds)


class Local(Seam):
    """The seam for trusted code, which is called in this process.

    seconds: the CPU time after which a call is stopped; None for no limit.
    """

    def __init__(self, answers: Answers, forbidden: tuple[str, ...] = (), seconds: float | None = None):
        super().__init__(answers)
        self.forbidden = forbidden
        self.seconds = seconds

    def _has(self, name: str) -> bool:
        return hasattr(self.answers.module, name)

    def _outcome(
        self, name: str, uses: tuple[str, ...], scenario: Any, args: tuple[object, ...], named: dict[str, object]
    ) -> object:
        with secluded(self.forbidden):
            return self._on(self.answers.module, name, uses, (scenario, args, named))

    def _on(self, module: Any, name: str, uses: tuple[str, ...], asked: Asked) -> object:
        """Return what a module answers; call this inside `secluded`."""
        scenario, args, named = asked
        try:
            with limited(self.seconds):
                if scenario is None:
                    answer = plain(getattr(module, name)(*copy.deepcopy(args), **copy.deepcopy(named)))
                else:
                    answer = plain(scenario(module, *copied(args)))
                cuda.synchronize()
                return answer
        except (KeyboardInterrupt, Broken, Todo, Endless):
            raise
        except BaseException as error:  # even sys.exit is only a wrong answer
            stub = stub_of(error, self.answers.path)
            if stub is not None:
                raise Todo(stub if stub in uses else name, stub, describe(error, self.answers.path)) from None
            return describe(cuda.reason(error), self.answers.path)

    def _part(self, name: str, uses: tuple[str, ...], part: Part) -> Ending:
        def act(moments: Moments) -> object:
            def watched(module: Any, *given: object) -> object:
                return part.function(moments.during(module), *given)

            with secluded(self.forbidden), anew(self.answers, hash_for(part.files)) as module:
                return self._on(module, name, uses, (watched, part.args, {}))

        return forked.run(act, part)


def stub_of(error: BaseException, path: Path) -> str | None:
    """Return the learner's function or class whose own `raise NotImplementedError` this is; None for other errors.

    torch also raises NotImplementedError, for a dtype without a kernel, and that is not a stub.
    """
    if type(error) is not NotImplementedError or error.__traceback__ is None:
        return None
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    by_statement = code.co_code[trace.tb_lasti] == opcode.opmap["RAISE_VARARGS"]
    return code.co_qualname.partition(".")[0] if by_statement and code.co_filename == str(path) else None
