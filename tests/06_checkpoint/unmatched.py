"""Wrong answers to kata 06 that no belief in misconceptions.py explains."""

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("06_checkpoint")


@answers("load_checkpoint")
def halves_the_weights(path, model, optimizer, scheduler=None):
    """What was loaded is scaled down."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.5)
    return step


@answers("load_checkpoint")
def says_the_step_after_the_next(path, model, optimizer, scheduler=None):
    """Two steps on."""
    return solved.load_checkpoint(path, model, optimizer, scheduler) + 2


@answers("latest_checkpoint")
def takes_the_second_name(directory):
    """Whatever is second in the alphabet."""
    names = sorted(path.name for path in directory.iterdir()) if hasattr(directory, "iterdir") else []
    found = solved.latest_checkpoint(directory)
    return directory / names[1] if found is not None and len(names) > 1 else found


@answers("load_checkpoint")
def says_the_step_in_words(path, model, optimizer, scheduler=None):
    """The text of the right outcome, which is no step."""
    return f"returns {solved.load_checkpoint(path, model, optimizer, scheduler)}"


_HELD = {}


@answers("save_checkpoint")
def keeps_the_run_for_itself(path, model, optimizer, step, scheduler=None):
    """All but the step stays in the process."""
    _HELD[str(path)] = [part.state_dict() for part in (model, optimizer, scheduler) if part is not None]
    torch.save({"step": step}, path)
