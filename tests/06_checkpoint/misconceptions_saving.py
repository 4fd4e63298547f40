"""Wrong answers that people give to kata 06 about saving a checkpoint."""
# mypy: ignore-errors

import contextlib
import json
import os
import random
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

from .parts import sealed, write, write_beside

solved = solution("06_checkpoint")


def state_of(model, optimizer, step, scheduler):
    """Return what the file holds."""
    return {
        "step": step,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict() if scheduler is not None else None,
        "random": solved._random_states(),
    }


def only_state(state):
    """Return an object that has a state_dict and nothing else."""
    return SimpleNamespace(state_dict=lambda: state)


# save_checkpoint


@believes("The file may be written in place", about="save_checkpoint")
def writes_the_file_itself(path, model, optimizer, step, scheduler=None):
    """While it is written, it is neither the old checkpoint nor the new one: write another file, and rename it."""
    Path(path).write_bytes(sealed(state_of(model, optimizer, step, scheduler)))


@believes("A failed save may leave a partial file", about="save_checkpoint")
def leaves_what_it_began(path, model, optimizer, step, scheduler=None):
    """On a full disk, each attempt would take more space: remove what has been written before you raise."""
    data = sealed(state_of(model, optimizer, step, scheduler))
    temporary = Path(f"{path}.tmp")
    temporary.write_bytes(data)
    os.replace(temporary, path)


@believes("A save that fails should not stop the training", about="save_checkpoint")
def hides_the_error(path, model, optimizer, step, scheduler=None):
    """The caller decides whether to continue, and has to know about the failure: let the error through."""
    with contextlib.suppress(Exception):
        solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("The old file has to be removed before the new one takes its place", about="save_checkpoint")
def removes_the_old_one_first(path, model, optimizer, step, scheduler=None):
    """os.replace does both in one step. Between a removal and a rename there would be no file."""
    data = sealed(state_of(model, optimizer, step, scheduler))
    Path(path).unlink(missing_ok=True)
    temporary = write_beside(path, data)
    os.rename(temporary, path)


@believes("A file that is whole elsewhere can be copied into place", about="save_checkpoint")
def copies_it_into_place(path, model, optimizer, step, scheduler=None):
    """A copy is written like any other file, and may stop in the middle: rename within the same folder instead."""
    temporary = write_beside(path, sealed(state_of(model, optimizer, step, scheduler)))
    try:
        shutil.copyfile(temporary, path)
    finally:
        os.remove(temporary)


@believes("The file can be moved from the system's temporary folder", about="save_checkpoint")
def moves_it_from_the_temporary_folder(path, model, optimizer, step, scheduler=None):
    """A move to another file system is a copy. It is a rename only within one, such as within a folder."""
    with tempfile.TemporaryDirectory() as folder:
        temporary = os.path.join(folder, "checkpoint")
        Path(temporary).write_bytes(sealed(state_of(model, optimizer, step, scheduler)))
        shutil.move(temporary, path)


@believes("Only an OSError can stop a save", about="save_checkpoint")
def cleans_up_after_os_errors_alone(path, model, optimizer, step, scheduler=None):
    """An object that cannot be pickled raises another error while it is written: clean up after any error."""
    descriptor, temporary = tempfile.mkstemp(dir=Path(path).parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(sealed(state_of(model, optimizer, step, scheduler)))
        os.replace(temporary, path)
    except OSError:
        os.remove(temporary)
        raise


@believes("The step can be stored in the optimizer to be saved", about="save_checkpoint")
def leaves_the_step_in_the_optimizer(path, model, optimizer, step, scheduler=None):
    """Saving leaves the run as it was: what you put into the optimizer's settings would stay there."""
    optimizer.param_groups[0]["step"] = step
    solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("A random name may be drawn from the run's generators", about="save_checkpoint")
def draws_a_name(path, model, optimizer, step, scheduler=None):
    """That changes the random states, and everything that the run draws afterwards."""
    solved.save_checkpoint(path, model, optimizer, step, scheduler)
    random.randrange(10**9)


@believes("A model is saved in eval mode", about="save_checkpoint")
def turns_training_off(path, model, optimizer, step, scheduler=None):
    """The mode makes no difference to what is saved, and dropout would stay off when training continues."""
    model.eval()
    solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("After a step, the gradients are not needed", about="save_checkpoint")
def drops_the_gradients(path, model, optimizer, step, scheduler=None):
    """They are needed while gradients accumulate over several batches: saving leaves them as they are."""
    solved.save_checkpoint(path, model, optimizer, step, scheduler)
    optimizer.zero_grad()


@believes("The parameters are the model", about="save_checkpoint")
def forgets_the_buffers(path, model, optimizer, step, scheduler=None):
    """Buffers belong to it too, such as the running means of a batch norm, which no optimizer knows."""
    parameters = {name: parameter.detach() for name, parameter in model.named_parameters()}
    solved.save_checkpoint(path, only_state(parameters), optimizer, step, scheduler)


@believes("The optimizer's state is its settings", about="save_checkpoint")
def forgets_the_momentum(path, model, optimizer, step, scheduler=None):
    """It also keeps a state for each parameter, such as momentum, which comes from all steps so far."""
    solved.save_checkpoint(path, model, only_state(optimizer.state_dict() | {"state": {}}), step, scheduler)


@believes("The schedule's state is the learning rate in the optimizer", about="save_checkpoint")
def forgets_the_schedule(path, model, optimizer, step, scheduler=None):
    """A schedule counts its steps: one that starts again at 0 gives other rates than the one that was stopped."""
    solved.save_checkpoint(path, model, optimizer, step)


@believes("torch's random numbers are the only ones", about="save_checkpoint")
def forgets_numpy_and_python(path, model, optimizer, step, scheduler=None):
    """Loaders and augmentations also draw from numpy and from Python's random, and each has its own state."""
    state = state_of(model, optimizer, step, scheduler)
    numbers, (version, bits, normal) = np.random.RandomState(0).get_state(), random.Random(0).getstate()
    state["random"]["numpy"] = (numbers[0], torch.tensor(numbers[1].astype(np.int64)), *numbers[2:])
    state["random"]["python"] = (version, torch.tensor(bits), normal)
    write(path, state)


@believes("A random state is only what the next bits come from", about="save_checkpoint")
def forgets_the_other_normal_number(path, model, optimizer, step, scheduler=None):
    """Normal numbers are made in pairs: numpy and Python keep the second one in their state, for the next call."""
    state = state_of(model, optimizer, step, scheduler)
    state["random"]["numpy"] = (*state["random"]["numpy"][:3], 0, 0.0)
    state["random"]["python"] = (*state["random"]["python"][:2], None)
    write(path, state)


@believes("The file holds the step that comes next", about="save_checkpoint")
def saves_the_next_step(path, model, optimizer, step, scheduler=None):
    """The step that is saved is the step that is returned, whether the caller counts from 0 or from 1."""
    solved.save_checkpoint(path, model, optimizer, step + 1, scheduler)


@believes("The optimizer knows the step", about="save_checkpoint")
def saves_the_step_of_the_optimizer(path, model, optimizer, step, scheduler=None):
    """It counts its own steps: with two optimizers, accumulated gradients or a warm start, that is another number."""
    counted = [int(state["step"]) for state in optimizer.state.values() if "step" in state]
    solved.save_checkpoint(path, model, optimizer, max(counted, default=step), scheduler)


@believes("The schedule knows the step", about="save_checkpoint")
def saves_the_step_of_the_schedule(path, model, optimizer, step, scheduler=None):
    """A schedule that is stepped once an epoch counts epochs. Save the step that the caller passes."""
    counted = scheduler.last_epoch if scheduler is not None else step
    solved.save_checkpoint(path, model, optimizer, counted, scheduler)


@believes("The higher step is the better checkpoint", about="save_checkpoint")
def keeps_the_higher_step(path, model, optimizer, step, scheduler=None):
    """A run that goes back to an earlier checkpoint saves lower steps again, and needs them: the last save counts."""
    with contextlib.suppress(solved.CheckpointError):
        if solved._read(path)["step"] > step:
            return
    solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("A step that is already saved need not be saved again", about="save_checkpoint")
def saves_each_step_once(path, model, optimizer, step, scheduler=None):
    """The same step can come again after a resume with other data or settings: the last save counts."""
    with contextlib.suppress(solved.CheckpointError):
        if solved._read(path)["step"] == step:
            return
    solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("If the path is a folder, the file goes into it", about="save_checkpoint")
def puts_a_file_into_the_folder(path, model, optimizer, step, scheduler=None):
    """The caller looks for the checkpoint at the path that it passed: if that is a folder, saving fails."""
    path = Path(path)
    solved.save_checkpoint(path / "model.ckpt" if path.is_dir() else path, model, optimizer, step, scheduler)


@believes("A file whose name begins like the checkpoint's is left over from a save", about="save_checkpoint")
def sweeps_what_begins_like_it(path, model, optimizer, step, scheduler=None):
    """It may be somebody's notes on this checkpoint: remove the file that this save has made, and no other."""
    solved.save_checkpoint(path, model, optimizer, step, scheduler)
    for other in Path(path).parent.glob(f"{Path(path).name}.*"):
        other.unlink()


@believes("Where there is no checkpoint yet, none can be spoiled", about="save_checkpoint")
def writes_the_first_one_in_place(path, model, optimizer, step, scheduler=None):
    """If the process is killed, part of a checkpoint lies under its name. Write the first one beside it, too."""
    if Path(path).exists():
        solved.save_checkpoint(path, model, optimizer, step, scheduler)
    else:
        writes_the_file_itself(path, model, optimizer, step, scheduler)


@believes("A save tidies up old checkpoints", about="save_checkpoint")
def keeps_the_last_three(path, model, optimizer, step, scheduler=None):
    """Which checkpoints are still needed is up to the caller: saving leaves all other files as they are."""
    solved.save_checkpoint(path, model, optimizer, step, scheduler)
    found = {}
    for other in Path(path).parent.iterdir():
        with contextlib.suppress(solved.CheckpointError):
            found[other] = solved._read(other)["step"]
    for other in sorted(found, key=found.get)[:-3]:
        if other.name != Path(path).name:
            other.unlink()


@believes("Only what is trained has to be saved", about="save_checkpoint")
def forgets_the_frozen_parameters(path, model, optimizer, step, scheduler=None):
    """A newly made model has other frozen parameters, unless they too come from the file: save the whole state_dict."""
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    trained = {name: value for name, value in model.state_dict().items() if name not in frozen}
    solved.save_checkpoint(path, only_state(trained), optimizer, step, scheduler)


@believes("All parameters are float32", about="save_checkpoint")
def saves_float32(path, model, optimizer, step, scheduler=None):
    """A model in float64 would lose bits: save each tensor with the dtype that it has."""
    values = {name: value.float() if value.is_floating_point() else value for name, value in model.state_dict().items()}
    solved.save_checkpoint(path, only_state(values), optimizer, step, scheduler)


@believes("numpy has every dtype that torch has", about="save_checkpoint")
def saves_arrays(path, model, optimizer, step, scheduler=None):
    """It has no bfloat16, in which many models are trained: save tensors as they are."""
    arrays = {name: torch.from_numpy(value.cpu().numpy()) for name, value in model.state_dict().items()}
    solved.save_checkpoint(path, only_state(arrays), optimizer, step, scheduler)


@believes("JSON keeps the state of a schedule as it is", about="save_checkpoint")
def saves_the_schedule_as_json(path, model, optimizer, step, scheduler=None):
    """JSON turns keys into texts, but the milestones of a MultiStepLR are ints, and it looks for ints later."""
    held = only_state(json.loads(json.dumps(scheduler.state_dict()))) if scheduler is not None else None
    solved.save_checkpoint(path, model, optimizer, step, held)


@believes("The state of an optimizer is tensors", about="save_checkpoint")
def saves_only_tensors_of_the_optimizer(path, model, optimizer, step, scheduler=None):
    """It may hold plain numbers and lists too, such as the counts and directions of LBFGS: save all of it."""
    held = optimizer.state_dict()
    state = {
        place: {name: value for name, value in kept.items() if isinstance(value, torch.Tensor)}
        for place, kept in held["state"].items()
    }
    solved.save_checkpoint(path, model, only_state(held | {"state": state}), step, scheduler)
