"""Wrong answers that people give to kata 06 about loading a checkpoint."""

import copy
import hashlib
import io
import pickle
import zipfile
from pathlib import Path
from types import SimpleNamespace

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("06_checkpoint")


# load_checkpoint


def parts_of(model, optimizer, scheduler):
    """Return the parts that have a state, by their name in the file."""
    named = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    return {name: part for name, part in named.items() if part is not None}


def rehearse(path, state, parts):
    """Raise CheckpointError if a part would not take its state."""
    try:
        for name, part in parts.items():
            copy.deepcopy(part).load_state_dict(copy.deepcopy(state[name]))
    except Exception as error:
        raise solved.CheckpointError(f"{path}: {error}") from error


def restore(path, state, model, optimizer, scheduler, numbers=None):
    """Restore a state as it should be, with the random states from `numbers` if given."""
    parts = parts_of(model, optimizer, scheduler)
    rehearse(path, state, parts)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    solved._set_random_states(state["random"] if numbers is None else numbers)
    return state["step"]


def data_of(path):
    """Return all bytes of the file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise solved.CheckpointError(f"{path}: {error}") from error


def content_of(path):
    """Return what follows the digest."""
    return data_of(path)[32:]


def unpacked(path, content, safely=True):
    """Return what torch.load makes of the content."""
    try:
        return torch.load(io.BytesIO(content), map_location="cpu", weights_only=safely)
    except Exception as error:
        raise solved.CheckpointError(f"{path}: {error}") from error


@believes("A run is its model and its optimizer", about="load_checkpoint")
def restores_model_and_optimizer(path, model, optimizer, scheduler=None):
    """The schedule and the random states belong to it too: without them, the run continues differently."""
    parts = parts_of(model, optimizer, scheduler)
    state = copy.deepcopy(solved._read(path))
    rehearse(path, state, parts)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["step"]


@believes("torch's random numbers are the only ones", about="load_checkpoint")
def restores_torchs_numbers_alone(path, model, optimizer, scheduler=None):
    """numpy and Python's random have their own states, and a run may draw from all three."""
    state = solved._read(path)
    numbers = solved._random_states() | {"cpu": state["random"]["cpu"], "cuda": state["random"]["cuda"]}
    return restore(path, state, model, optimizer, scheduler, numbers)


@believes("A new schedule gets its position from the optimizer", about="load_checkpoint")
def leaves_the_schedule_at_the_start(path, model, optimizer, scheduler=None):
    """A schedule counts its own steps. A new one is at 0, whatever learning rate the optimizer has."""
    state = solved._read(path)
    rehearse(path, state, parts_of(model, optimizer, scheduler))
    return restore(path, state, model, optimizer, None)


@believes("The caller remembers the step", about="load_checkpoint")
def returns_nothing(path, model, optimizer, scheduler=None):
    """The caller is a new process, which remembers nothing: the step comes from the file."""
    solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("torch.load notices a damaged file", about="load_checkpoint")
def trusts_torch_load(path, model, optimizer, scheduler=None):
    """It does not compare the data with anything: a flipped bit in a tensor gives another number, not an error."""
    return restore(path, unpacked(path, content_of(path)), model, optimizer, scheduler)


@believes("A large file takes too long to check", about="load_checkpoint")
def trusts_large_files(path, model, optimizer, scheduler=None):
    """The larger it is, the more bits can flip. A digest over all of it takes less time than reading it did."""
    content = content_of(path)
    state = unpacked(path, content) if len(content) > 2**20 else solved._read(path)
    return restore(path, state, model, optimizer, scheduler)


@believes("The checksums of a zip file cover all of it", about="load_checkpoint")
def trusts_the_checksums_of_the_zip(path, model, optimizer, scheduler=None):
    """They cover what each member holds, but not what is around it: names, lengths, padding."""
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
    """A digest says that the file is as it was written, but not who wrote it: a pickle can run any code."""
    digest, content = data_of(path)[:32], data_of(path)[32:]
    if hashlib.sha256(content).digest() != digest:
        raise solved.CheckpointError(f"{path} is damaged")
    return restore(path, unpacked(path, content, safely=False), model, optimizer, scheduler)


@believes("A missing file raises FileNotFoundError", about="load_checkpoint")
def lets_the_missing_file_speak(path, model, optimizer, scheduler=None):
    """The caller catches one error, whatever is wrong with the file: raise CheckpointError."""
    if not Path(path).exists():
        raise FileNotFoundError(path)
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("The message need not name the file", about="load_checkpoint")
def does_not_name_the_file(path, model, optimizer, scheduler=None):
    """In the log of a run that loads many files, a message without the path is of little use."""
    try:
        return solved.load_checkpoint(path, model, optimizer, scheduler)
    except solved.CheckpointError as error:
        raise solved.CheckpointError("the checkpoint is damaged") from error


@believes("If the model fits, everything else fits", about="load_checkpoint")
def loads_the_model_first(path, model, optimizer, scheduler=None):
    """If the optimizer or the schedule does not fit, the model has already changed: check everything first."""
    state = solved._read(path)
    rehearse(path, state, {"model": model})
    model.load_state_dict(state["model"])
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("state_dict() is a copy", about="load_checkpoint")
def goes_back_to_what_has_changed(path, model, optimizer, scheduler=None):
    """Its tensors are those of the model and the optimizer, and change with them: only a copy can be restored."""
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
    """Layers of the same shape may be in other places under other names: compare the names too."""
    state = solved._read(path)
    own = model.state_dict()
    if [value.shape for value in own.values()] == [value.shape for value in state["model"].values()]:
        state = state | {"model": dict(zip(own, state["model"].values(), strict=True))}
    return restore(path, state, model, optimizer, scheduler)


@believes("Tensors fit if they have the same number of elements", about="load_checkpoint")
def gives_tensors_another_shape(path, model, optimizer, scheduler=None):
    """With other dimensions, each number is a weight of something else: reshape hides that this is another model."""
    state = solved._read(path)
    held, own = state["model"], model.state_dict()
    if held.keys() == own.keys() and all(held[name].numel() == own[name].numel() for name in own):
        state = state | {"model": {name: held[name].reshape(own[name].shape) for name in own}}
    return restore(path, state, model, optimizer, scheduler)


@believes("The random states may be restored before anything is checked", about="load_checkpoint")
def sets_the_random_states_first(path, model, optimizer, scheduler=None):
    """A checkpoint that is refused changes nothing, so check all of it before you restore any of it."""
    solved._set_random_states(solved._read(path)["random"])
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("If the file holds no schedule, the new one is kept", about="load_checkpoint")
def goes_on_without_the_schedule(path, model, optimizer, scheduler=None):
    """The new schedule is at step 0, and the run is at another: raise CheckpointError."""
    held = solved._read(path)["scheduler"]
    return solved.load_checkpoint(path, model, optimizer, scheduler if held is not None else None)


@believes("A file with a schedule is of another run than one without", about="load_checkpoint")
def refuses_a_schedule_that_nobody_wants(path, model, optimizer, scheduler=None):
    """A run may continue at a constant rate: if no schedule is passed, leave the one in the file alone."""
    if scheduler is None and solved._read(path)["scheduler"] is not None:
        raise solved.CheckpointError(f"{path} holds a schedule")
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("torch's own errors are enough if something does not fit", about="load_checkpoint")
def lets_torch_refuse(path, model, optimizer, scheduler=None):
    """torch raises a RuntimeError or a ValueError, without the file's name: raise CheckpointError."""
    try:
        return solved.load_checkpoint(path, model, optimizer, scheduler)
    except solved.CheckpointError as error:
        if isinstance(error.__cause__, RuntimeError | ValueError) and "another run" in str(error):
            raise error.__cause__ from None
        raise


@believes("A loaded model goes into eval mode", about="load_checkpoint")
def turns_training_off_again(path, model, optimizer, scheduler=None):
    """This one is loaded to train further: in eval mode, its dropout would be off."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    model.eval()
    return step


@believes("The model may get new parameter objects", about="load_checkpoint")
def gives_the_model_new_parameters(path, model, optimizer, scheduler=None):
    """The optimizer holds the parameters that it was made with: new ones would never be trained."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    model.load_state_dict({name: value.clone() for name, value in model.state_dict().items()}, assign=True)
    return step


@believes("The learning rate is the caller's", about="load_checkpoint")
def keeps_the_callers_rate(path, model, optimizer, scheduler=None):
    """It may have been changed during the run: a new optimizer has the rate that the run began with."""
    rates = [group["lr"] for group in optimizer.param_groups]
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        group["lr"] = group["lr"] if scheduler is not None else rate
    return step


@believes("The settings of an optimizer are where the program makes it", about="load_checkpoint")
def keeps_the_settings_of_the_new_optimizer(path, model, optimizer, scheduler=None):
    """They may have been changed during the run: the parameter groups of the file hold what they were then."""
    groups = [dict(group) for group in optimizer.param_groups]
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    for group, made in zip(optimizer.param_groups, groups, strict=True):
        kept = ("params", "lr") if scheduler is not None else ("params",)
        group.update({name: value for name, value in made.items() if name not in kept})
    return step


@believes("If each group fits its counterpart, all of them fit", about="load_checkpoint")
def compares_groups_in_pairs(path, model, optimizer, scheduler=None):
    """zip() stops at the shorter list, so a group that has no counterpart is ignored: compare their numbers first."""
    state = solved._read(path)
    if scheduler is not None and state["scheduler"] is None:
        raise solved.CheckpointError(f"{path} holds no schedule")
    held = state["optimizer"]
    pairs = list(zip(optimizer.param_groups, held["param_groups"], strict=False))
    if any(len(mine["params"]) != len(kept["params"]) for mine, kept in pairs):
        raise solved.CheckpointError(f"{path} has other parameter groups")
    rehearse(path, state, {"model": model})
    model.load_state_dict(state["model"])
    optimizer.state.clear()
    for mine, kept in pairs:
        numbered = zip(mine["params"], kept["params"], strict=True)
        optimizer.state.update({one: held["state"][place] for one, place in numbered if place in held["state"]})
        mine.update({name: value for name, value in kept.items() if name != "params"})
    if scheduler is not None:
        scheduler.load_state_dict(state["scheduler"])
    solved._set_random_states(state["random"])
    return state["step"]


@believes("Before training continues, the model has to go into training mode", about="load_checkpoint")
def turns_training_on(path, model, optimizer, scheduler=None):
    """It is as the program made it. model.train() would also change a batch norm that is kept in eval mode."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    model.train()
    return step


@believes("Loading a checkpoint makes all parameters trainable", about="load_checkpoint")
def thaws_the_model(path, model, optimizer, scheduler=None):
    """Which ones are frozen is up to the program that made the model: load their values, and change nothing else."""
    step = solved.load_checkpoint(path, model, optimizer, scheduler)
    model.requires_grad_(True)
    return step


@believes("A damaged checkpoint can be removed", about="load_checkpoint")
def removes_what_is_damaged(path, model, optimizer, scheduler=None):
    """It may be all that is left of a run, or another program's file: loading changes no file."""
    try:
        solved._read(path)
    except solved.CheckpointError:
        if Path(path).is_file():
            Path(path).unlink()
        raise
    return solved.load_checkpoint(path, model, optimizer, scheduler)


@believes("A file has to be read only once", about="load_checkpoint")
def remembers_what_it_has_read(path, model, optimizer, scheduler=None):
    """It may be damaged or replaced between two loads: read it each time."""
    key = Path(path).absolute()
    if key not in read_before:
        read_before[key] = solved._read(path)
    state = read_before[key]
    if scheduler is not None and state["scheduler"] is None:
        raise solved.CheckpointError(f"{path} holds no schedule")
    return restore(path, copy.deepcopy(state), model, optimizer, scheduler)


read_before: dict[Path, dict[str, object]] = {}


@believes("After a load, the old gradients are of no use", about="load_checkpoint")
def drops_the_gradients_first(path, model, optimizer, scheduler=None):
    """If the checkpoint is then refused, the run is no longer as it was: change nothing before all of it is checked."""
    solved._read(path)
    optimizer.zero_grad()
    return solved.load_checkpoint(path, model, optimizer, scheduler)


class TrustingUnpickler(pickle.Unpickler):
    """Takes whatever is of these packages."""

    def find_class(self, module, name):
        """Look the name up."""
        if module.partition(".")[0] in ("torch", "numpy", "collections"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


@believes("What torch and numpy define is safe to call", about="load_checkpoint")
def trusts_whole_packages(path, model, optimizer, scheduler=None):
    """Both have functions that write files or run code, such as torch.save: allow single names, or use weights_only."""
    digest, content = data_of(path)[:32], data_of(path)[32:]
    if hashlib.sha256(content).digest() != digest:
        raise solved.CheckpointError(f"{path} is damaged")
    trusting = SimpleNamespace(
        __name__="trusting", Unpickler=TrustingUnpickler, load=lambda file, **_: TrustingUnpickler(file).load()
    )
    try:
        state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=False, pickle_module=trusting)
        if scheduler is not None and state["scheduler"] is None:
            raise ValueError("no schedule")
    except Exception as error:
        raise solved.CheckpointError(f"{path}: {error}") from error
    return restore(path, state, model, optimizer, scheduler)


@believes("The prefix of a wrapper is not part of a name", about="load_checkpoint")
def strips_the_prefix(path, model, optimizer, scheduler=None):
    """With it the names are others, and the file is of another model: whoever wants it has to ask for it."""
    state = solved._read(path)
    held = {name.removeprefix("module."): value for name, value in state["model"].items()}
    return restore(path, state | {"model": held}, model, optimizer, scheduler)


@believes("Groups fit if there are some of each size", about="load_checkpoint")
def compares_sorted_sizes(path, model, optimizer, scheduler=None):
    """Groups are told apart by their places: compare the sizes one by one, in order."""
    state = solved._read(path)
    held = state["optimizer"]["param_groups"]
    sizes = [sorted(len(group["params"]) for group in groups) for groups in (held, optimizer.param_groups)]
    if sizes[0] == sizes[1]:  # then each group takes as many as it has here
        numbers = iter(place for group in held for place in group["params"])
        held = [
            group | {"params": [next(numbers) for _ in mine["params"]]}
            for group, mine in zip(held, optimizer.param_groups, strict=True)
        ]
    state = state | {"optimizer": state["optimizer"] | {"param_groups": held}}
    return restore(path, state, model, optimizer, scheduler)
