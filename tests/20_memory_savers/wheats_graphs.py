"""Right answers to kata 20 about files: raw bytes, mapped files, a class that is a context manager."""
# mypy: ignore-errors

import contextlib
import itertools
import os
import pathlib
import tempfile
import uuid
import weakref
import zlib

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from dojo.judging.diagnose import answers

# offload_to_disk


@answers("offload_to_disk")
class raw_bytes_in_files(saved_tensors_hooks):
    def __init__(self, folder, keep=()):
        keep = list(keep)

        class Box:
            pass

        def pack(tensor):
            for kept in keep:
                if kept.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr() and tensor.numel():
                    return ("here", tensor)
            box = Box()
            box.path = pathlib.Path(folder) / uuid.uuid4().hex
            box.dtype, box.shape, box.device = tensor.dtype, tensor.shape, tensor.device
            flat = tensor.detach().cpu().contiguous().reshape(-1)
            box.path.write_bytes(flat.view(torch.uint8).numpy().tobytes() if len(flat) else b"")
            weakref.finalize(box, os.unlink, box.path)
            return ("there", box)

        def unpack(packed):
            kind, box = packed
            if kind == "here":
                return box
            raw = bytearray(box.path.read_bytes())
            if not raw:
                return torch.empty(box.shape, dtype=box.dtype, device=box.device)
            return torch.frombuffer(raw, dtype=box.dtype).reshape(box.shape).to(box.device)

        super().__init__(pack, unpack)


@answers("offload_to_disk")
@contextlib.contextmanager
def mapped_files(folder, keep=()):
    ids = [kept.untyped_storage().data_ptr() for kept in keep]

    class Mapped:
        def __init__(self, tensor):
            handle, self.path = tempfile.mkstemp(".bin", dir=folder)
            os.close(handle)
            self.shape, self.device = tensor.shape, tensor.device
            if tensor.numel():
                self.flat = torch.from_file(self.path, shared=True, size=tensor.numel(), dtype=tensor.dtype)
                self.flat.copy_(tensor.detach().reshape(-1))
            else:
                self.flat = torch.empty(0, dtype=tensor.dtype)

        def __del__(self):
            del self.flat
            os.unlink(self.path)

    def pack(tensor):
        here = tensor.numel() and tensor.untyped_storage().data_ptr() in ids
        return tensor if here else Mapped(tensor)

    def unpack(packed):
        return packed if isinstance(packed, Tensor) else packed.flat.view(packed.shape).clone().to(packed.device)

    with saved_tensors_hooks(pack, unpack):
        yield


_NUMBERS = itertools.count()


@answers("offload_to_disk")
class compressed_files_once_for_each_storage:
    """What is saved twice has one file, and the bytes are packed."""

    def __init__(self, folder, keep=()):
        self.folder, self.kept = folder, {kept.untyped_storage()._cdata for kept in keep}
        self.known = {}

    def __enter__(self):
        self.hooks = saved_tensors_hooks(self.pack, self.unpack)
        self.hooks.__enter__()
        return self

    def __exit__(self, *error):
        self.known.clear()
        return self.hooks.__exit__(*error)

    def pack(self, tensor):
        if tensor.untyped_storage()._cdata in self.kept:
            return [tensor]
        key = (tensor.untyped_storage()._cdata, tensor.storage_offset(), tensor.shape, tensor.stride(), tensor._version)
        ref, storage = self.known.get(key, (lambda: None, lambda: None))
        if ref() is None or storage() is None:
            path = f"{self.folder}/{next(_NUMBERS):06d}-{os.getpid()}"
            raw = torch.empty(tensor.shape, dtype=tensor.dtype).copy_(tensor.detach())
            data = bytes(raw.flatten().view(torch.uint8).tolist()) if raw.numel() else b""
            with open(path, "wb") as file:
                file.write(zlib.compress(data))
            found = _Packed(path, tensor)
            self.known[key] = weakref.ref(found), weakref.ref(tensor.untyped_storage())
            return found
        return ref()

    def unpack(self, packed):
        return packed[0] if isinstance(packed, list) else packed.read()


class _Packed:
    def __init__(self, path, tensor):
        self.path, self.like = path, torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        self.shape = tensor.shape

    def read(self):
        data = zlib.decompress(pathlib.Path(self.path).read_bytes())
        if not data:
            return self.like.new_empty(self.shape)
        return torch.tensor(list(data), dtype=torch.uint8).view(self.like.dtype).view(self.shape).to(self.like.device)

    def __del__(self):
        pathlib.Path(self.path).unlink(missing_ok=True)
