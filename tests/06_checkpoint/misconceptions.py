"""Wrong answers that people give to kata 06, each with the belief behind it."""

import contextlib
import copy
import hashlib
import io
import os
import random
import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("06_checkpoint")


def state_of(model, optimizer, step, scheduler):
    """What the file holds."""
    return {
        "step": step,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict() if scheduler is not None else None,
        "random": solved._random_states(),
    }


def sealed(state):
    """The bytes of the file."""
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return hashlib.sha256(buffer.getvalue()).digest() + buffer.getvalue()


def write_beside(path, data):
    """Write to a file in the same folder; its name."""
    handle, temporary = tempfile.mkstemp(dir=Path(path).parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except BaseException:
        os.remove(temporary)
        raise
    return temporary


def write(path, state):
    """Write the file as it should be written."""
    temporary = write_beside(path, sealed(state))
    try:
        os.replace(temporary, path)
    except BaseException:
        os.remove(temporary)
        raise


def only_state(state):
    """What has a state_dict and nothing else."""
    return SimpleNamespace(state_dict=lambda: state)


# save_checkpoint


@believes("Writing a file is one step", about="save_checkpoint")
def writes_the_file_itself(path, model, optimizer, step, scheduler=None):
    """While a file is written it is neither the old checkpoint nor the new one. Only its rename is one step."""
    Path(path).write_bytes(sealed(state_of(model, optimizer, step, scheduler)))


@believes("What a failed save leaves in the folder does no harm", about="save_checkpoint")
def leaves_what_it_began(path, model, optimizer, step, scheduler=None):
    """On a full disk every attempt takes more of what is missing: a save that fails takes back what it has written."""
    data = sealed(state_of(model, optimizer, step, scheduler))
    temporary = Path(f"{path}.tmp")
    temporary.write_bytes(data)
    os.replace(temporary, path)


@believes("A save that fails should not stop the training", about="save_checkpoint")
def hides_the_error(path, model, optimizer, step, scheduler=None):
    """Whether to go on is for the caller to say, who can only do so if told: the error has to get out."""
    with contextlib.suppress(Exception):
        solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("The old file has to make room for the new one", about="save_checkpoint")
def removes_the_old_one_first(path, model, optimizer, step, scheduler=None):
    """os.replace puts a file in the place of another in one step. Between a removal and a rename there is no file."""
    data = sealed(state_of(model, optimizer, step, scheduler))
    Path(path).unlink(missing_ok=True)
    temporary = write_beside(path, data)
    os.rename(temporary, path)


@believes("Once it is whole elsewhere, it can be copied", about="save_checkpoint")
def copies_it_into_place(path, model, optimizer, step, scheduler=None):
    """A copy is written like any other file, and may end in the middle. A rename within a folder moves no data."""
    temporary = write_beside(path, sealed(state_of(model, optimizer, step, scheduler)))
    try:
        shutil.copyfile(temporary, path)
    finally:
        os.remove(temporary)


@believes("The folder for temporary files is as good as any", about="save_checkpoint")
def moves_it_from_the_temporary_folder(path, model, optimizer, step, scheduler=None):
    """To move a file to another file system is to copy it. Only within one, such as within a folder, is it a rename."""
    with tempfile.TemporaryDirectory() as folder:
        temporary = os.path.join(folder, "checkpoint")
        Path(temporary).write_bytes(sealed(state_of(model, optimizer, step, scheduler)))
        shutil.move(temporary, path)


@believes("Only writing can fail", about="save_checkpoint")
def cleans_up_after_os_errors_alone(path, model, optimizer, step, scheduler=None):
    """What cannot be saved is found while it is written, and that is no OSError. The file that was begun stays."""
    descriptor, temporary = tempfile.mkstemp(dir=Path(path).parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(sealed(state_of(model, optimizer, step, scheduler)))
        os.replace(temporary, path)
    except OSError:
        os.remove(temporary)
        raise


@believes("What has to be saved can be left in the optimizer first", about="save_checkpoint")
def leaves_the_step_in_the_optimizer(path, model, optimizer, step, scheduler=None):
    """Saving looks at a run and leaves it as it was: what is put into its settings stays there after the save."""
    optimizer.param_groups[0]["step"] = step
    solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("A random number makes a good name", about="save_checkpoint")
def draws_a_name(path, model, optimizer, step, scheduler=None):
    """Drawn from the random state of the run, it changes all that the run draws after it."""
    solved.save_checkpoint(path, model, optimizer, step, scheduler)
    random.randrange(10**9)


@believes("A model is saved in eval mode", about="save_checkpoint")
def turns_training_off(path, model, optimizer, step, scheduler=None):
    """The mode makes no difference to what is saved, and training goes on after it: dropout would be off from here."""
    model.eval()
    solved.save_checkpoint(path, model, optimizer, step, scheduler)


@believes("After a step nobody needs the gradients", about="save_checkpoint")
def drops_the_gradients(path, model, optimizer, step, scheduler=None):
    """Who gathers gradients over several batches does. They are not saved, and saving does not touch them."""
    solved.save_checkpoint(path, model, optimizer, step, scheduler)
    optimizer.zero_grad()


@believes("The parameters are the model", about="save_checkpoint")
def forgets_the_buffers(path, model, optimizer, step, scheduler=None):
    """Buffers belong to it as well, such as the running means of a batch norm, which no optimizer knows."""
    parameters = {name: parameter.detach() for name, parameter in model.named_parameters()}
    solved.save_checkpoint(path, only_state(parameters), optimizer, step, scheduler)


@believes("The optimizer is its settings", about="save_checkpoint")
def forgets_the_momentum(path, model, optimizer, step, scheduler=None):
    """It also holds a state for each parameter, such as the momentum, and that comes from all the steps so far."""
    solved.save_checkpoint(path, model, only_state(optimizer.state_dict() | {"state": {}}), step, scheduler)


@believes("The learning rate in the optimizer is all there is of the schedule", about="save_checkpoint")
def forgets_the_schedule(path, model, optimizer, step, scheduler=None):
    """A schedule counts its steps. One that begins again at 0 gives another rate than the one that was stopped."""
    solved.save_checkpoint(path, model, optimizer, step)


@believes("torch's random numbers are the only ones", about="save_checkpoint")
def forgets_numpy_and_python(path, model, optimizer, step, scheduler=None):
    """Loaders and augmentations draw from numpy and from Python's random too, and each has a state of its own."""
    state = state_of(model, optimizer, step, scheduler)
    numbers, (version, bits, normal) = np.random.RandomState(0).get_state(), random.Random(0).getstate()
    state["random"]["numpy"] = (numbers[0], torch.tensor(numbers[1].astype(np.int64)), *numbers[2:])
    state["random"]["python"] = (version, torch.tensor(bits), normal)
    write(path, state)


@believes("A random state is what the next bits are made of", about="save_checkpoint")
def forgets_the_other_normal_number(path, model, optimizer, step, scheduler=None):
    """Normal numbers are made in pairs: numpy and Python keep the second one for the next call, beside the bits."""
    state = state_of(model, optimizer, step, scheduler)
    state["random"]["numpy"] = (*state["random"]["numpy"][:3], 0, 0.0)
    state["random"]["python"] = (*state["random"]["python"][:2], None)
    write(path, state)


@believes("The file holds the step that comes next", about="save_checkpoint")
def saves_the_next_step(path, model, optimizer, step, scheduler=None):
    """The step that is given is the step that comes back: whether it counts the done or names the next is not ours."""
    solved.save_checkpoint(path, model, optimizer, step + 1, scheduler)


# load_checkpoint


def parts_of(model, optimizer, scheduler):
    """What has a state, by its name in the file."""
    named = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    return {name: part for name, part in named.items() if part is not None}


def rehearse(path, state, parts):
    """Raise CheckpointError where a part would not take its state."""
    try:
        for name, part in parts.items():
            copy.deepcopy(part).load_state_dict(copy.deepcopy(state[name]))
    except Exception as error:
        raise solved.CheckpointError(f"{path}: {error}") from error


def restore(path, state, model, optimizer, scheduler, numbers=None):
    """Put a state back as it should be, and from `numbers` the random states."""
    parts = parts_of(model, optimizer, scheduler)
    rehearse(path, state, parts)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    solved._set_random_states(state["random"] if numbers is None else numbers)
    return state["step"]


def data_of(path):
    """All bytes of the file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise solved.CheckpointError(f"{path}: {error}") from error


def content_of(path):
    """What follows the digest."""
    return data_of(path)[32:]


def unpacked(path, content, safely=True):
    """What torch.load makes of it."""
    try:
        return torch.load(io.BytesIO(content), map_location="cpu", weights_only=safely)
    except Exception as error:
        raise solved.CheckpointError(f"{path}: {error}") from error


@believes("A run is its model and its optimizer", about="load_checkpoint")
def restores_model_and_optimizer(path, model, optimizer, scheduler=None):
    """It is its schedule and its random states as well: without them the resumed run is another run."""
    parts = parts_of(model, optimizer, scheduler)
    state = copy.deepcopy(solved._read(path))
    rehearse(path, state, parts)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["step"]


@believes("torch's random numbers are the only ones", about="load_checkpoint")
def restores_torchs_numbers_alone(path, model, optimizer, scheduler=None):
    """numpy and Python's random have states of their own, and a run may draw from all three."""
    state = solved._read(path)
    numbers = solved._random_states() | {"cpu": state["random"]["cpu"], "cuda": state["random"]["cuda"]}
    return restore(path, state, model, optimizer, scheduler, numbers)


@believes("A new schedule finds its place by the optimizer", about="load_checkpoint")
def leaves_the_schedule_at_the_start(path, model, optimizer, scheduler=None):
    """A schedule counts its steps itself. A new one stands at 0, whatever rate the optimizer has."""
    state = solved._read(path)
    rehearse(path, state, parts_of(model, optimizer, scheduler))
    return restore(path, state, model, optimizer, None)


@believes("The step is the caller's to remember", about="load_checkpoint")
def returns_nothing(path, model, optimizer, scheduler=None):
    """The caller is a new process, which remembers nothing. The step comes out of the file."""
    solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("torch.load notices a damaged file", about="load_checkpoint")
def trusts_torch_load(path, model, optimizer, scheduler=None):
    """It does not compare the data with anything: a flipped bit in a tensor is another number, and no error."""
    return restore(path, unpacked(path, content_of(path)), model, optimizer, scheduler)


@believes("The checksums of a zip file cover all of it", about="load_checkpoint")
def trusts_the_checksums_of_the_zip(path, model, optimizer, scheduler=None):
    """They cover what each member holds, but not what lies around it: names, lengths, padding."""
    content = content_of(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            damaged = archive.testzip()
    except Exception as error:
        raise solved.CheckpointError(f"{path}: {error}") from error
    if damaged is not None:
        raise solved.CheckpointError(f"{path}: {damaged} is damaged")
    return restore(path, unpacked(path, content), model, optimizer, scheduler)


@believes("A digest makes a file safe to unpickle", about="load_checkpoint")
def unpickles_whatever_it_is(path, model, optimizer, scheduler=None):
    """A digest says that the file is as it was written, and nothing of who wrote it: a pickle can run any code."""
    digest, content = data_of(path)[:32], data_of(path)[32:]
    if hashlib.sha256(content).digest() != digest:
        raise solved.CheckpointError(f"{path} is damaged")
    return restore(path, unpacked(path, content, safely=False), model, optimizer, scheduler)


@believes("A missing file is a FileNotFoundError", about="load_checkpoint")
def lets_the_missing_file_speak(path, model, optimizer, scheduler=None):
    """Who resumes wants to catch one error, whatever is the matter with the file: CheckpointError."""
    if not Path(path).exists():
        raise FileNotFoundError(path)
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("Everybody knows which file it was", about="load_checkpoint")
def does_not_name_the_file(path, model, optimizer, scheduler=None):
    """In the log of a run that loads many files, a message without the path is of no use."""
    try:
        return solved.load_checkpoint(path, model, optimizer, scheduler)
    except solved.CheckpointError as error:
        raise solved.CheckpointError("the checkpoint is damaged") from error


@believes("Where the model fits, all the rest will fit", about="load_checkpoint")
def loads_the_model_first(path, model, optimizer, scheduler=None):
    """If the optimizer or the schedule does not fit after that, the model is already another one."""
    state = solved._read(path)
    rehearse(path, state, {"model": model})
    model.load_state_dict(state["model"])
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("state_dict() is a copy", about="load_checkpoint")
def goes_back_to_what_has_changed(path, model, optimizer, scheduler=None):
    """Its tensors are those of the model and the optimizer, and change with them: only a copy can be gone back to."""
    state = solved._read(path)
    if scheduler is not None and state["scheduler"] is None:
        raise solved.CheckpointError(f"{path} holds no schedule")
    parts = parts_of(model, optimizer, scheduler)
    before = {name: part.state_dict() for name, part in parts.items()}
    try:
        for name, part in parts.items():
            part.load_state_dict(state[name])
    except Exception as error:
        for name, part in parts.items():
            part.load_state_dict(before[name])
        raise solved.CheckpointError(f"{path}: {error}") from error
    solved._set_random_states(state["random"])
    return state["step"]


@believes("The names of a model do not matter, only its shapes", about="load_checkpoint")
def goes_by_position(path, model, optimizer, scheduler=None):
    """A model with the same shapes under other names is another model, whose layers do something else between them."""
    state = solved._read(path)
    own = model.state_dict()
    if [value.shape for value in own.values()] == [value.shape for value in state["model"].values()]:
        state = state | {"model": dict(zip(own, state["model"].values(), strict=True))}
    return restore(path, state, model, optimizer, scheduler)


@believes("The random states come first in any case", about="load_checkpoint")
def sets_the_random_states_first(path, model, optimizer, scheduler=None):
    """A checkpoint that is refused changes nothing, so nothing is put back before all of it has been looked at."""
    solved._set_random_states(solved._read(path)["random"])
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("Where the file holds no schedule, the new one will do", about="load_checkpoint")
def goes_on_without_the_schedule(path, model, optimizer, scheduler=None):
    """A schedule at step 0 is not the one of a run at step 1000. What was asked for and is missing is an error."""
    held = solved._read(path)["scheduler"]
    return solved.load_checkpoint(path, model, optimizer, scheduler if held is not None else None)


@believes("torch says clearly enough what does not fit", about="load_checkpoint")
def lets_torch_refuse(path, model, optimizer, scheduler=None):
    """It says so with a RuntimeError here and a ValueError there, and without the file: CheckpointError is for both."""
    try:
        return solved.load_checkpoint(path, model, optimizer, scheduler)
    except solved.CheckpointError as error:
        if isinstance(error.__cause__, RuntimeError | ValueError) and "another run" in str(error):
            raise error.__cause__ from None
        raise


@believes("A model is loaded in eval mode", about="load_checkpoint")
def turns_training_off_again(path, model, optimizer, scheduler=None):
    """This one is loaded to be trained: without its dropout the next step is another one."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    model.eval()
    return step


@believes("The model can take the tensors of the file as its own", about="load_checkpoint")
def gives_the_model_new_parameters(path, model, optimizer, scheduler=None):
    """The optimizer goes on with the parameters that it was made with: new ones would never be trained."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    model.load_state_dict({name: value.clone() for name, value in model.state_dict().items()}, assign=True)
    return step


# latest_checkpoint


def steps_in(directory):
    """Each whole checkpoint of a folder and its step."""
    found = {}
    for path in sorted(Path(directory).iterdir()):
        with contextlib.suppress(solved.CheckpointError):
            found[path] = solved._read(path)["step"]
    return found


@believes("The last name is the latest file", about="latest_checkpoint")
def sorts_by_name(directory):
    """Names sort as text, and step_9 comes after step_10. The step in the file counts."""
    return max(steps_in(directory), default=None)


@believes("The step stands in the name", about="latest_checkpoint")
def reads_the_number_in_the_name(directory):
    """Anybody can rename a file, and a name such as run.ckpt has no step. The step in the file counts."""

    def number(path):
        return int("".join(re.findall(r"\d+", path.name)) or 0)

    return max(steps_in(directory), key=number, default=None)


@believes("The file that was written last is the latest checkpoint", about="latest_checkpoint")
def sorts_by_date(directory):
    """A copy has the date of the copying, and a resumed run may go back. The step in the file counts."""
    return max(steps_in(directory), key=lambda path: path.stat().st_mtime, default=None)


@believes("The larger step comes later in the alphabet", about="latest_checkpoint")
def compares_steps_as_text(directory):
    """As text 9 is more than 10."""
    found = steps_in(directory)
    return max(found, key=lambda path: str(found[path]), default=None)


@believes("A damaged checkpoint is an error", about="latest_checkpoint")
def stops_at_a_damaged_file(directory):
    """To find one that is whole among the damaged is what it is for: the others are passed over."""
    found = {path: solved._read(path)["step"] for path in Path(directory).iterdir() if path.is_file()}
    return max(found, key=found.get, default=None)


@believes("A folder of checkpoints holds files alone", about="latest_checkpoint")
def opens_folders(directory):
    """It may hold folders too, of logs for one, and opening those as files is an IsADirectoryError."""
    for path in Path(directory).iterdir():
        path.open("rb").close()
    return solved.latest_checkpoint(directory)


@believes("There is always a checkpoint", about="latest_checkpoint")
def expects_one(directory):
    """Before the first save there is none, and the answer is None."""
    found = steps_in(directory)
    return max(found, key=found.get)


@believes("A path is a text", about="latest_checkpoint")
def returns_a_text(directory):
    """A Path was asked for. It has a name, a parent and an open of its own, which a str has not."""
    found = solved.latest_checkpoint(directory)
    return None if found is None else str(found)


@believes("The name of the file is enough", about="latest_checkpoint")
def returns_the_bare_name(directory):
    """A name alone is looked for in the folder that the program was started in."""
    found = solved.latest_checkpoint(directory)
    return None if found is None else Path(found.name)


@believes("A checkpoint whose step can be read is whole", about="latest_checkpoint")
def reads_the_step_alone(directory):
    """The step is a few bytes of it. Whether the others are as they were written, the digest says."""
    found = {}
    for path in Path(directory).iterdir():
        with contextlib.suppress(solved.CheckpointError, TypeError, KeyError):
            found[path] = unpacked(path, content_of(path))["step"]
    return max(found, key=found.get, default=None)


@believes("Looking for a step runs nothing", about="latest_checkpoint")
def unpickles_all_it_finds(directory):
    """Reading a pickle can run any code that is in it, whatever one wanted to look for."""
    for path in Path(directory).iterdir():
        with contextlib.suppress(Exception):
            torch.load(path, weights_only=False)
    return solved.latest_checkpoint(directory)


@believes("A checkpoint ends in .pt or .ckpt", about="latest_checkpoint")
def looks_at_endings(directory):
    """A name says nothing of what is in a file, and save_checkpoint takes any."""
    found = {path: step for path, step in steps_in(directory).items() if path.suffix in (".pt", ".ckpt")}
    return max(found, key=found.get, default=None)


@believes("Damaged files can be cleared away", about="latest_checkpoint")
def clears_away_the_damaged(directory):
    """Who looks for a file removes none, least of all a file that may be somebody else's."""
    found = solved.latest_checkpoint(directory)
    whole = steps_in(directory)
    for path in Path(directory).iterdir():
        if path.is_file() and path not in whole:
            path.unlink()
    return found


@believes("Where a part of a checkpoint lies, a save is still going on", about="latest_checkpoint")
def waits_for_the_save(directory):
    """A process that was killed leaves its part for ever. The whole checkpoint beside it is the one to go on from."""
    names = [path.name for path in Path(directory).iterdir()]
    if any(part.startswith(f"{name}.") for name in names for part in names):
        return None
    return solved.latest_checkpoint(directory)


@believes("What holds a step is a checkpoint", about="latest_checkpoint")
def takes_other_peoples_files(directory):
    """Other programs write dicts with a step as well. This kind of checkpoint begins with its digest."""
    found = steps_in(directory)
    for path in Path(directory).iterdir():
        with contextlib.suppress(Exception):
            found.setdefault(path, torch.load(path, weights_only=True)["step"])
    return max(found, key=found.get, default=None)


@believes("A folder in the folder belongs to it", about="latest_checkpoint")
def looks_into_folders(directory):
    """What lies in a folder below is another run's, or another purpose's."""
    found = {}
    for path in Path(directory).rglob("*"):
        with contextlib.suppress(solved.CheckpointError):
            found[path] = solved._read(path)["step"]
    return max(found, key=found.get, default=None)


@believes("To look at a checkpoint is to load it", about="latest_checkpoint")
def loads_what_it_looks_at(directory):
    """A run that only asks for the latest file goes on with its own random numbers."""
    found = steps_in(directory)
    for path in found:
        solved._set_random_states(solved._read(path)["random"])
    return max(found, key=found.get, default=None)


@believes("The folder is given as a Path", about="latest_checkpoint")
def wants_a_path(directory):
    """It may be a str as well, which has no iterdir."""
    found = {}
    for path in directory.iterdir():
        with contextlib.suppress(solved.CheckpointError):
            found[path] = solved._read(path)["step"]
    return max(found, key=found.get, default=None)


@believes("A checkpoint has a step above 0", about="latest_checkpoint")
def begins_at_zero(directory):
    """A run can be saved before its first step, and its step is then 0."""
    latest, highest = None, 0
    for path, step in steps_in(directory).items():
        if step > highest:
            latest, highest = path, step
    return latest
