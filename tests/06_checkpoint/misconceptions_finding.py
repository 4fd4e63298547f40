"""Wrong answers that people give to kata 06 about finding the latest checkpoint."""
# mypy: ignore-errors

import contextlib
import hashlib
import io
import re
from pathlib import Path

import torch

from dojo.judging.diagnose import believes, solution

from .misconceptions_loading import content_of, unpacked

solved = solution("06_checkpoint")


# latest_checkpoint


def steps_in(directory):
    """Return each whole checkpoint of a folder with its step."""
    found = {}
    for path in sorted(Path(directory).iterdir()):
        with contextlib.suppress(solved.CheckpointError):
            found[path] = solved._read(path)["step"]
    return found


@believes("The last name is the latest file", about="latest_checkpoint")
def sorts_by_name(directory):
    """Names sort as text, and step_9 comes after step_10. The step in the file counts."""
    return max(steps_in(directory), default=None)


@believes("The step is in the name", about="latest_checkpoint")
def reads_the_number_in_the_name(directory):
    """Anyone can rename a file, and a name such as run.ckpt has no step. The step in the file counts."""

    def number(path):
        return int("".join(re.findall(r"\d+", path.name)) or 0)

    return max(steps_in(directory), key=number, default=None)


@believes("The file that was written last is the latest checkpoint", about="latest_checkpoint")
def sorts_by_date(directory):
    """A copy has the date of the copying, and a resumed run may go back some steps. The step in the file counts."""
    return max(steps_in(directory), key=lambda path: path.stat().st_mtime, default=None)


@believes("Steps can be compared as text", about="latest_checkpoint")
def compares_steps_as_text(directory):
    """As text, 9 comes after 10: compare ints."""
    found = steps_in(directory)
    return max(found, key=lambda path: str(found[path]), default=None)


@believes("A damaged checkpoint is an error", about="latest_checkpoint")
def stops_at_a_damaged_file(directory):
    """Damaged files are skipped: the result is the latest of the whole checkpoints."""
    found = {path: solved._read(path)["step"] for path in Path(directory).iterdir() if path.is_file()}
    return max(found, key=found.get, default=None)


@believes("The folder holds only files", about="latest_checkpoint")
def opens_folders(directory):
    """It may hold folders too, for logs for example, and opening one as a file raises an IsADirectoryError."""
    for path in Path(directory).iterdir():
        path.open("rb").close()
    return solved.latest_checkpoint(directory)


@believes("There is always a checkpoint", about="latest_checkpoint")
def expects_one(directory):
    """Before the first save there is none, and the result is None."""
    found = steps_in(directory)
    return max(found, key=found.get)


@believes("A str will do for a path", about="latest_checkpoint")
def returns_a_text(directory):
    """The result is a Path, with methods such as .parent and .open that a str does not have."""
    found = solved.latest_checkpoint(directory)
    return None if found is None else str(found)


@believes("The name of the file is enough", about="latest_checkpoint")
def returns_the_bare_name(directory):
    """A bare name refers to the current folder, not to this one."""
    found = solved.latest_checkpoint(directory)
    return None if found is None else Path(found.name)


@believes("A checkpoint whose step can be read is whole", about="latest_checkpoint")
def reads_the_step_alone(directory):
    """The step is a few bytes of the file: only a digest over all of it tells whether the rest is damaged."""
    found = {}
    for path in Path(directory).iterdir():
        with contextlib.suppress(solved.CheckpointError, TypeError, KeyError):
            found[path] = unpacked(path, content_of(path))["step"]
    return max(found, key=found.get, default=None)


@believes("Looking for a step runs nothing", about="latest_checkpoint")
def unpickles_all_it_finds(directory):
    """Unpickling can run any code that is in the file, even if only the step is wanted."""
    for path in Path(directory).iterdir():
        with contextlib.suppress(Exception):
            torch.load(path, weights_only=False)
    return solved.latest_checkpoint(directory)


@believes("A file with its digest in front comes from this program", about="latest_checkpoint")
def unpickles_what_has_a_digest(directory):
    """Anyone can write a digest, and a run can hold an object that runs code when it is unpickled: use weights_only."""
    for path in Path(directory).iterdir():
        data = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(data[32:]).digest() == data[:32]:
            with contextlib.suppress(Exception):
                torch.load(io.BytesIO(data[32:]), weights_only=False)
    return solved.latest_checkpoint(directory)


@believes("A checkpoint ends in .pt or .ckpt", about="latest_checkpoint")
def looks_at_endings(directory):
    """A name says nothing about what is in a file, and save_checkpoint takes any name."""
    found = {path: step for path, step in steps_in(directory).items() if path.suffix in (".pt", ".ckpt")}
    return max(found, key=found.get, default=None)


@believes("Damaged files can be removed", about="latest_checkpoint")
def clears_away_the_damaged(directory):
    """No file is created, deleted or changed here, least of all one that may belong to somebody else."""
    found = solved.latest_checkpoint(directory)
    whole = steps_in(directory)
    for path in Path(directory).iterdir():
        if path.is_file() and path not in whole:
            path.unlink()
    return found


@believes("A part of a checkpoint means that a save is in progress", about="latest_checkpoint")
def waits_for_the_save(directory):
    """A process that was killed leaves its part forever: skip it, and take the whole checkpoint beside it."""
    names = [path.name for path in Path(directory).iterdir()]
    if any(part.startswith(f"{name}.") for name in names for part in names):
        return None
    return solved.latest_checkpoint(directory)


@believes("Any file that holds a step is a checkpoint", about="latest_checkpoint")
def takes_other_peoples_files(directory):
    """Other programs also write dicts with a step: check that the file was written by save_checkpoint."""
    found = steps_in(directory)
    for path in Path(directory).iterdir():
        with contextlib.suppress(Exception):
            found.setdefault(path, torch.load(path, weights_only=True)["step"])
    return max(found, key=found.get, default=None)


@believes("Folders in the folder are searched too", about="latest_checkpoint")
def looks_into_folders(directory):
    """A folder inside this one may belong to another run: look only at the files in this folder."""
    found = {}
    for path in Path(directory).rglob("*"):
        with contextlib.suppress(solved.CheckpointError):
            found[path] = solved._read(path)["step"]
    return max(found, key=found.get, default=None)


@believes("A checkpoint has to be loaded to find out its step", about="latest_checkpoint")
def loads_what_it_looks_at(directory):
    """Loading changes the random states, and asking for the latest checkpoint has to change nothing."""
    found = steps_in(directory)
    for path in found:
        solved._set_random_states(solved._read(path)["random"])
    return max(found, key=found.get, default=None)


@believes("The folder is always a Path", about="latest_checkpoint")
def wants_a_path(directory):
    """It may also be a str, which has no iterdir."""
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


remembered: dict[tuple[Path, int, int], int | None] = {}


@believes("A file with the same size and date is the same", about="latest_checkpoint")
def remembers_files_by_size_and_date(directory):
    """A failing disk changes bits and no date, and a restored file has its old one: read each file in each call."""
    found = {}
    for path in Path(directory).iterdir():
        about = path.stat()
        key = path, about.st_size, about.st_mtime_ns
        if key not in remembered:
            remembered[key] = None
            with contextlib.suppress(solved.CheckpointError):
                remembered[key] = solved._read(path)["step"]
        if remembered[key] is not None:
            found[path] = remembered[key]
    return max(found, key=found.get, default=None)


once_damaged: set[Path] = set()


@believes("A damaged file stays damaged", about="latest_checkpoint")
def remembers_the_damaged(directory):
    """It may be saved again or restored under the same name: read each file in each call."""
    found = {}
    for path in Path(directory).absolute().iterdir():
        if path in once_damaged:
            continue
        try:
            found[path] = solved._read(path)["step"]
        except solved.CheckpointError:
            once_damaged.add(path)
    return max(found, key=found.get, default=None)


listed: dict[Path, list[Path]] = {}


@believes("A folder keeps its files", about="latest_checkpoint")
def lists_a_folder_once(directory):
    """Checkpoints are saved while a run goes on, so a later call may find new ones: list the folder in each call."""
    folder = Path(directory).absolute()
    listed.setdefault(folder, list(folder.iterdir()))
    found = {}
    for path in listed[folder]:
        try:
            found[path] = solved._read(path)["step"]
        except solved.CheckpointError:
            continue
    return max(found, key=found.get, default=None)
