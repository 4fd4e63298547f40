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


@believes("A copy in memory counts as offloaded", about="offload_to_disk")
def copies_in_memory(folder, keep=()):
    """A copy takes as many bytes as the tensor: write it to a file, and drop it."""

    class Copying(Hooks):
        def pack(self, tensor):
            return tensor if self.is_kept(tensor) else (tensor.detach().clone(),)

        def unpack(self, packed):
            return packed if isinstance(packed, torch.Tensor) else packed[0]

    return Copying(folder, keep).around()


@believes("Writing a file frees the tensor", about="offload_to_disk")
def keeps_the_tensor_too(folder, keep=()):
    """Memory is freed when nothing refers to it: let the graph hold the name of the file, not the tensor."""

    class Both(Lying):
        def __init__(self, hooks, tensor):
            super().__init__(hooks, tensor)
            self.tensor = tensor.detach()

    class Holding(Hooks):
        boxed = Both

    return Holding(folder, keep).around()


@believes("torch.save writes only what a slice shows", about="offload_to_disk")
def writes_whole_storages(folder, keep=()):
    """It writes the whole storage, even for a slice of one row: clone the slice first."""

    class Whole(Hooks):
        def write(self, tensor, path):
            torch.save(tensor.detach(), path)

    return Whole(folder, keep).around()


@believes("The pack hook gets the same tensor object", about="offload_to_disk")
def knows_tensors_by_identity(folder, keep=()):
    """It may get another object, or a view, on the same storage: compare untyped_storage()._cdata."""

    class Identical(Hooks):
        def is_kept(self, tensor):
            return any(tensor is kept for kept in self.keep)

    return Identical(folder, keep).around()


@believes("Tensors on one storage have the same data_ptr()", about="offload_to_disk")
def knows_tensors_by_address(folder, keep=()):
    """A slice begins further on: compare the storages, not the addresses of their elements."""

    class Beginning(Hooks):
        def is_kept(self, tensor):
            return tensor.data_ptr() in [kept.data_ptr() for kept in self.keep]

    return Beginning(folder, keep).around()


@believes("Every saved tensor goes to a file", about="offload_to_disk")
def keeps_nothing(folder, keep=()):
    """Those in keep are in memory anyway: a file would only be a second copy."""
    return Hooks(folder, ()).around()


@believes("A file is needed only once", about="offload_to_disk")
def removes_what_it_reads(folder, keep=()):
    """A graph may go backward twice, or never: remove the file when the graph is freed."""

    class Once(Hooks):
        def read(self, path):
            tensor = super().read(path)
            os.remove(path)
            return tensor

    return Once(folder, keep).around()


@believes("The hooks end with the block by themselves", about="offload_to_disk")
class LeavesHooksOn:
    """They stay active until saved_tensors_hooks is exited: do that in __exit__."""

    def __init__(self, folder, keep=()):
        hooks = Hooks(folder, keep)
        self.entered = saved_tensors_hooks(hooks.pack, hooks.unpack)

    def __enter__(self):
        self.entered.__enter__()

    def __exit__(self, *error):
        pass


@believes("The block ends with its last line", about="offload_to_disk")
def leaves_hooks_on_after_errors(folder, keep=()):
    """An error ends it as well: code after a yield then runs only in a finally or after a with block."""

    class Hopeful(Hooks):
        @contextlib.contextmanager
        def around(self):
            hooks = saved_tensors_hooks(self.pack, self.unpack)
            hooks.__enter__()
            yield
            hooks.__exit__()

    return Hopeful(folder, keep).around()


@believes("The files are removed elsewhere", about="offload_to_disk")
def leaves_files(folder, keep=()):
    """Nothing else knows when a graph is gone: let an object that the graph holds remove its file in __del__."""

    class Leaving(Hooks):
        def remove(self, path):
            pass

    return Leaving(folder, keep).around()


@believes("The files are not needed after the with block", about="offload_to_disk")
def removes_files_at_the_end(folder, keep=()):
    """The backward pass comes after the block, and reads them."""

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


@believes("An object without names dies at once", about="offload_to_disk")
def makes_a_cycle(folder, keep=()):
    """One that refers to itself waits for the garbage collector, and its file waits with it."""

    class Circular(Lying):
        def __init__(self, hooks, tensor):
            super().__init__(hooks, tensor)
            self.me = self

    class Circles(Hooks):
        boxed = Circular

    return Circles(folder, keep).around()


@believes("An id is never used twice", about="offload_to_disk")
def names_files_by_id(folder, keep=()):
    """The id of a tensor that is gone may be that of a later one: tempfile.mkstemp makes unique names."""

    class Numbered(Hooks):
        def path(self, tensor):
            return os.path.join(self.folder, f"{id(tensor)}.pt")

    return Numbered(folder, keep).around()


@believes("No other graph has files in the folder", about="offload_to_disk")
def numbers_files_from_0(folder, keep=()):
    """A second one would overwrite its files: tempfile.mkstemp makes unique names."""

    class Numbered(Hooks):
        def __init__(self, *args):
            super().__init__(*args)
            self.count = itertools.count()

        def path(self, tensor):
            return os.path.join(self.folder, f"{next(self.count)}.pt")

    return Numbered(folder, keep).around()


@believes("A 0-d tensor need not go to a file", about="offload_to_disk")
def keeps_numbers_in_memory(folder, keep=()):
    """Every tensor that is saved goes to a file, 0-d ones too."""

    class Large(Hooks):
        def is_kept(self, tensor):
            return tensor.ndim == 0 or super().is_kept(tensor)

    return Large(folder, keep).around()


@believes("float32 is enough on disk", about="offload_to_disk")
def writes_float32(folder, keep=()):
    """Gradients have to be those without files: write the dtype of the tensor."""

    class Narrow(Hooks):
        def write(self, tensor, path):
            narrow = tensor.detach().float() if tensor.dtype == torch.float64 else tensor.detach()
            torch.save((narrow.clone(memory_format=torch.contiguous_format), tensor.dtype), path)

        def read(self, path):
            tensor, dtype = torch.load(path)
            return tensor.to(dtype)

    return Narrow(folder, keep).around()


@believes("numpy has every dtype of torch", about="offload_to_disk")
def writes_by_numpy(folder, keep=()):
    """It has no bfloat16: torch.save can write all of torch's dtypes."""

    class Numpy(Hooks):
        def write(self, tensor, path):
            torch.save(torch.from_numpy(tensor.detach().numpy().copy()), path)

    return Numpy(folder, keep).around()


@believes("The files may be in a folder inside folder", about="offload_to_disk")
def makes_a_folder(folder, keep=()):
    """They have to be directly in folder, which is empty when the graphs are gone."""
    inside = os.path.join(folder, "saved")
    os.makedirs(inside, exist_ok=True)
    return Hooks(inside, keep).around()


@believes("Elements lie in memory in the order of their indices", about="offload_to_disk")
def forgets_strides(folder, keep=()):
    """Those of a transposed tensor do not: write a contiguous copy, or the strides as well."""

    class Flat(Hooks):
        def write(self, tensor, path):
            turned = tensor.ndim == 2 and tensor.mT.is_contiguous() and not tensor.is_contiguous()
            dense = tensor.detach().mT if turned else tensor.detach()
            super().write(dense.reshape(tensor.shape), path)

    return Flat(folder, keep).around()
