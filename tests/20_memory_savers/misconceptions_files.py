"""Wrong answers that people give to kata 20 about files of several graphs, and of one that is used again."""

import contextlib
import os
import tempfile
import weakref

import torch

from dojo.judging.diagnose import believes

from .misconceptions_graphs import Hooks, Lying

# offload_to_disk


@believes("What was read once may stay in memory", about="offload_to_disk")
def keeps_what_it_reads(folder, keep=()):
    """Until the graph is gone, it would take as many bytes as without files: read the file for each backward pass."""

    class Reading(Hooks):
        def unpack(self, packed):
            if not isinstance(packed, torch.Tensor) and not hasattr(packed, "tensor"):
                packed.tensor = self.read(packed.path)
            return packed if isinstance(packed, torch.Tensor) else packed.tensor

    return Reading(folder, keep).around()


@believes("A tensor that is saved again still has the same elements", about="offload_to_disk")
def saves_each_place_once(folder, keep=()):
    """It may have been written to in between, as a step does with parameters: compare _version too."""

    class Sharing(Hooks):
        def __init__(self, *args):
            super().__init__(*args)
            self.files = {}

        def pack(self, tensor):
            storage = tensor.untyped_storage()
            if self.is_kept(tensor):
                return tensor
            place = (storage._cdata, tensor.storage_offset(), tensor.shape, tensor.stride())
            there, file = self.files.get(place, (lambda: None, lambda: None))
            found = file() if there() is not None else None
            if found is None:
                found = self.boxed(self, tensor)
                self.files[place] = weakref.ref(storage), weakref.ref(found)
            return found

    return Sharing(folder, keep).around()


@believes("Tensors on one storage have the same _base", about="offload_to_disk")
def knows_tensors_by_base(folder, keep=()):
    """w.detach() and w.data have none, and are on the storage of w all the same: compare the storages."""

    class Based(Hooks):
        def is_kept(self, tensor):
            bases = [id(kept if kept._base is None else kept._base) for kept in self.keep]
            return id(tensor if tensor._base is None else tensor._base) in bases

    return Based(folder, keep).around()


@believes("The number of files is a name that is free", about="offload_to_disk")
def names_files_by_their_number(folder, keep=()):
    """Once a file is removed, that number is the name of another file: tempfile.mkstemp makes unique names."""

    class Numbered(Hooks):
        def path(self, tensor):
            return os.path.join(self.folder, f"{len(os.listdir(self.folder))}.pt")

    return Numbered(folder, keep).around()


@believes("The files of a block go together", about="offload_to_disk")
def removes_files_of_a_block_together(folder, keep=()):
    """A block may make several graphs: each file goes with its graph, so it needs an object of its own."""

    class Together(Lying):
        def __init__(self, hooks, tensor):
            super().__init__(hooks, tensor)
            self.all, self.removes = hooks.all, hooks.remove
            self.all.append(self.path)
            self.count = hooks.count
            self.count[0] += 1

        def __del__(self):
            self.count[0] -= 1
            if not self.count[0]:
                for path in self.all:
                    self.removes(path)
                self.all.clear()

    class All(Hooks):
        boxed = Together

        def __init__(self, *args):
            super().__init__(*args)
            self.all, self.count = [], [0]

    return All(folder, keep).around()


KEPT: list[torch.Tensor] = []


@believes("An inner block keeps what the outer one keeps", about="offload_to_disk")
@contextlib.contextmanager
def keeps_what_the_outer_one_keeps(folder, keep=()):
    """The inner one has its own keep, and nothing else is kept in it."""
    before = len(KEPT)
    KEPT.extend(keep)
    try:
        with Hooks(folder, [*KEPT]).around():
            yield
    finally:
        del KEPT[before:]


@believes("The files of a block may stay until it ends", about="offload_to_disk")
@contextlib.contextmanager
def holds_files_in_the_block(folder, keep=()):
    """A block may make many graphs, one after the other: files go with their graph, not with the block."""
    held = []

    class Holding(Hooks):
        def pack(self, tensor):
            held.append(super().pack(tensor))
            return held[-1]

    try:
        with Holding(folder, keep).around():
            yield
    finally:
        held.clear()


@believes("int32 is enough for integers", about="offload_to_disk")
def writes_int32(folder, keep=()):
    """int64 has larger ones, and they would come back as others: write the dtype of the tensor."""

    class Narrow(Hooks):
        def write(self, tensor, path):
            narrow = tensor.detach().int() if tensor.dtype == torch.int64 else tensor.detach()
            torch.save((narrow.clone(memory_format=torch.contiguous_format), tensor.dtype), path)

        def read(self, path):
            tensor, dtype = torch.load(path)
            return tensor.to(dtype)

    return Narrow(folder, keep).around()


@believes("mkstemp gives the name of a closed file", about="offload_to_disk")
def leaves_files_open(folder, keep=()):
    """It gives a descriptor too, which stays open even if the file is removed: os.close() it, or use it to write."""

    class Open(Hooks):
        def path(self, tensor):
            return tempfile.mkstemp(dir=self.folder)[1]

    return Open(folder, keep).around()
