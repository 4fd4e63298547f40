"""Wrong answers that people give to kata 20 about what autograd saves and where it lies."""

import contextlib
import itertools
import os
import tempfile

import torch
from torch.autograd.graph import saved_tensors_hooks

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# offload_to_disk


class Lying:
    """A tensor in a file, right."""

    def __init__(self, hooks, tensor):
        self.hooks, self.path = hooks, hooks.path(tensor)
        hooks.write(tensor, self.path)

    def __del__(self):
        with contextlib.suppress(OSError):
            self.hooks.remove(self.path)


class Hooks:
    """The answer in parts, all of them right."""

    boxed = Lying

    def __init__(self, folder, keep):
        self.folder, self.keep = folder, keep

    @contextlib.contextmanager
    def around(self):
        """The context manager."""
        with saved_tensors_hooks(self.pack, self.unpack):
            yield

    def is_kept(self, tensor):
        """Whether it is on the storage of one of those."""
        return tensor.untyped_storage()._cdata in [kept.untyped_storage()._cdata for kept in self.keep]

    def pack(self, tensor):
        """What the graph holds."""
        return tensor if self.is_kept(tensor) else self.boxed(self, tensor)

    def unpack(self, packed):
        """What the backward pass gets."""
        return packed if isinstance(packed, torch.Tensor) else self.read(packed.path)

    def path(self, tensor):
        """A name that nobody has."""
        handle, path = tempfile.mkstemp(dir=self.folder)
        os.close(handle)
        return path

    def write(self, tensor, path):
        """Its elements alone."""
        torch.save(tensor.detach().clone(memory_format=torch.contiguous_format), path)

    def read(self, path):
        """As often as it is asked for."""
        return torch.load(path)

    def remove(self, path):
        """When the graph is gone."""
        os.remove(path)


@believes("Another place in memory is elsewhere", about="offload_to_disk")
def copies_in_memory(folder, keep=()):
    """A copy takes as many bytes as the tensor: write it to a file, and let go of it."""

    class Copying(Hooks):
        def pack(self, tensor):
            return tensor if self.is_kept(tensor) else (tensor.detach().clone(),)

        def unpack(self, packed):
            return packed if isinstance(packed, torch.Tensor) else packed[0]

    return Copying(folder, keep).around()


@believes("A file beside the tensor frees the tensor", about="offload_to_disk")
def keeps_the_tensor_too(folder, keep=()):
    """Memory is free when nothing refers to it: the graph may hold the name of the file, and not the tensor."""

    class Both(Lying):
        def __init__(self, hooks, tensor):
            super().__init__(hooks, tensor)
            self.tensor = tensor.detach()

    class Holding(Hooks):
        boxed = Both

    return Holding(folder, keep).around()


@believes("torch.save writes what a tensor shows", about="offload_to_disk")
def writes_whole_storages(folder, keep=()):
    """It writes the whole storage, also of a slice of one row: clone the slice first."""

    class Whole(Hooks):
        def write(self, tensor, path):
            torch.save(tensor.detach(), path)

    return Whole(folder, keep).around()


@believes("A tensor that is saved is the object that was used", about="offload_to_disk")
def knows_tensors_by_identity(folder, keep=()):
    """A hook may get another object, or a view, on the same storage: compare untyped_storage()._cdata."""

    class Identical(Hooks):
        def is_kept(self, tensor):
            return any(tensor is kept for kept in self.keep)

    return Identical(folder, keep).around()


@believes("Tensors on one storage begin at one address", about="offload_to_disk")
def knows_tensors_by_address(folder, keep=()):
    """A slice begins further behind: ask the storage for its address, not the tensor."""

    class Beginning(Hooks):
        def is_kept(self, tensor):
            return tensor.data_ptr() in [kept.data_ptr() for kept in self.keep]

    return Beginning(folder, keep).around()


@believes("Everything that is saved goes to a file", about="offload_to_disk")
def keeps_nothing(folder, keep=()):
    """What stands in keep is in memory anyway: a file would be a second copy."""
    return Hooks(folder, ()).around()


@believes("A file is needed once", about="offload_to_disk")
def removes_what_it_reads(folder, keep=()):
    """A graph may go backward twice, or never: the file goes when the graph does."""

    class Once(Hooks):
        def read(self, path):
            tensor = super().read(path)
            os.remove(path)
            return tensor

    return Once(folder, keep).around()


@believes("A block that ends has ended its hooks", about="offload_to_disk")
class LeavesHooksOn:
    """They are on until somebody takes them off: leave saved_tensors_hooks again in __exit__."""

    def __init__(self, folder, keep=()):
        hooks = Hooks(folder, keep)
        self.entered = saved_tensors_hooks(hooks.pack, hooks.unpack)

    def __enter__(self):
        self.entered.__enter__()

    def __exit__(self, *error):
        pass


@believes("A block ends with its last line", about="offload_to_disk")
def leaves_hooks_on_after_errors(folder, keep=()):
    """An error ends it as well: what comes behind a yield runs then only in a finally, or where a with block ends."""

    class Hopeful(Hooks):
        @contextlib.contextmanager
        def around(self):
            hooks = saved_tensors_hooks(self.pack, self.unpack)
            hooks.__enter__()
            yield
            hooks.__exit__()

    return Hopeful(folder, keep).around()


@believes("Files go when somebody cleans up", about="offload_to_disk")
def leaves_files(folder, keep=()):
    """Nobody else knows when a graph is gone: let the object that it holds remove its file in __del__."""

    class Leaving(Hooks):
        def remove(self, path):
            pass

    return Leaving(folder, keep).around()


@believes("The files are done with at the end of the with block", about="offload_to_disk")
def removes_files_at_the_end(folder, keep=()):
    """That is the end of the forward pass; the backward pass is still to come, and reads them."""

    class Ending(Hooks):
        @contextlib.contextmanager
        def around(self):
            self.paths: list[str] = []
            with super().around():
                yield
            for path in self.paths:
                os.remove(path)

        def path(self, tensor):
            self.paths.append(super().path(tensor))
            return self.paths[-1]

    return Ending(folder, keep).around()


@believes("Whatever is left over dies at once", about="offload_to_disk")
def makes_a_cycle(folder, keep=()):
    """An object that refers to itself waits for the garbage collector, and its file waits with it."""

    class Circular(Lying):
        def __init__(self, hooks, tensor):
            super().__init__(hooks, tensor)
            self.me = self

    class Circles(Hooks):
        boxed = Circular

    return Circles(folder, keep).around()


@believes("An id is given once", about="offload_to_disk")
def names_files_by_id(folder, keep=()):
    """The id of a tensor that is gone is given to the next one: tempfile.mkstemp makes names that nobody has."""

    class Numbered(Hooks):
        def path(self, tensor):
            return os.path.join(self.folder, f"{id(tensor)}.pt")

    return Numbered(folder, keep).around()


@believes("A graph has the folder to itself", about="offload_to_disk")
def numbers_files_from_0(folder, keep=()):
    """A second one would write over its files: tempfile.mkstemp makes names that nobody has."""

    class Numbered(Hooks):
        def __init__(self, *args):
            super().__init__(*args)
            self.count = itertools.count()

        def path(self, tensor):
            return os.path.join(self.folder, f"{next(self.count)}.pt")

    return Numbered(folder, keep).around()


@believes("A number is too small for a file", about="offload_to_disk")
def keeps_numbers_in_memory(folder, keep=()):
    """Every tensor that is saved is asked to go to a file, 0-d ones too."""

    class Large(Hooks):
        def is_kept(self, tensor):
            return tensor.ndim == 0 or super().is_kept(tensor)

    return Large(folder, keep).around()


@believes("float32 is enough on disk", about="offload_to_disk")
def writes_float32(folder, keep=()):
    """Gradients are asked to come out as without files: write the dtype that there is."""

    class Narrow(Hooks):
        def write(self, tensor, path):
            narrow = tensor.detach().float() if tensor.dtype == torch.float64 else tensor.detach()
            torch.save((narrow.clone(memory_format=torch.contiguous_format), tensor.dtype), path)

        def read(self, path):
            tensor, dtype = torch.load(path)
            return tensor.to(dtype)

    return Narrow(folder, keep).around()


@believes("Every dtype is one of numpy's", about="offload_to_disk")
def writes_by_numpy(folder, keep=()):
    """numpy has no bfloat16: torch.save knows all of torch's."""

    class Numpy(Hooks):
        def write(self, tensor, path):
            torch.save(torch.from_numpy(tensor.detach().numpy().copy()), path)

    return Numpy(folder, keep).around()


@believes("A folder of one's own is tidier", about="offload_to_disk")
def makes_a_folder(folder, keep=()):
    """The files are asked to be directly in folder, which is empty when the graphs are gone."""
    inside = os.path.join(folder, "saved")
    os.makedirs(inside, exist_ok=True)
    return Hooks(inside, keep).around()


@believes("Elements lie in a storage in the order of their indices", about="offload_to_disk")
def forgets_strides(folder, keep=()):
    """Those of a transposed tensor do not: write a contiguous copy, or the strides too."""

    class Flat(Hooks):
        def write(self, tensor, path):
            turned = tensor.ndim == 2 and tensor.mT.is_contiguous() and not tensor.is_contiguous()
            dense = tensor.detach().mT if turned else tensor.detach()
            super().write(dense.reshape(tensor.shape), path)

    return Flat(folder, keep).around()
