"""Right answers to kata 10 about files of tokens and batches of them, in styles that the solution does not use."""
# ruff: noqa: D101, D102, D103, D105, D107, B905, PERF401, SIM115 - every style of Python is right here

import array
import bisect
import collections
import io
import itertools
import mmap
import os
import pathlib
import struct
import sys

import numpy as np
import torch

from dojo.judging.diagnose import answers

# token_dtype


@answers("token_dtype")
def token_dtype_by_bits(vocab_size):
    if vocab_size < 1:
        raise ValueError("no tokens")
    width = (vocab_size - 1).bit_length()
    if width > 32:
        raise ValueError("too many tokens")
    return "uint" + str(max(8, 1 << max(0, width - 1).bit_length()))


@answers("token_dtype")
def token_dtype_by_bisection(vocab_size):
    if vocab_size <= 0:
        raise ValueError(vocab_size)
    names = ["uint8", "uint16", "uint32"]
    try:
        return names[bisect.bisect_left([1 << 8, 1 << 16, 1 << 32], vocab_size)]
    except IndexError:
        raise ValueError(vocab_size) from None


@answers("token_dtype")
def token_dtype_by_torch(vocab_size):
    for dtype in (torch.uint8, torch.uint16, torch.uint32):
        if 0 <= vocab_size - 1 <= torch.iinfo(dtype).max:
            return str(dtype).removeprefix("torch.")
    raise ValueError(f"expected 1 to {2**32}, got {vocab_size}")


# write_tokens

WIDTHS = {"uint8": 1, "uint16": 2, "uint32": 4}


@answers("write_tokens")
def write_tokens_by_struct(path, tokens, vocab_size):
    letter = {1: "B", 2: "H", 4: "I"}[WIDTHS[token_dtype_by_bits(vocab_size)]]
    found = [*tokens]
    if any(token not in range(vocab_size) for token in found):
        raise ValueError("a token of another vocabulary")
    with open(path, mode="wb") as file:
        file.write(struct.pack(f"<{len(found)}{letter}", *found))


@answers("write_tokens")
def write_tokens_one_by_one(path, tokens, vocab_size):
    size = WIDTHS[token_dtype_by_torch(vocab_size)]
    with pathlib.Path(path).open("wb", buffering=64) as file:
        for token in tokens:
            if token < 0:
                raise ValueError(f"{token} is below 0")
            if token > vocab_size - 1:
                raise ValueError(f"{token} is too large")
            for _ in range(size):
                file.write(bytes([token & 255]))
                token >>= 8


@answers("write_tokens")
def write_tokens_in_parts(path, tokens, vocab_size):
    dtype = token_dtype_by_bisection(vocab_size)
    source = iter(tokens)
    temporary = f"{path}.new"
    try:
        with open(temporary, "wb") as file:
            while part := list(itertools.islice(source, 50)):
                if min(part) < 0 or max(part) >= vocab_size:
                    raise ValueError(part)
                torch.tensor(part, dtype=torch.int64).numpy().astype(dtype).tofile(file)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


@answers("write_tokens")
def write_tokens_by_an_array(path, tokens, vocab_size):
    made = array.array({1: "B", 2: "H", 4: "I"}[WIDTHS[token_dtype_by_bits(vocab_size)]])
    for token in tokens:
        if not (token >= 0 and token < vocab_size):
            raise ValueError
        made.append(token)
    if sys.byteorder == "big":
        made.byteswap()
    out = io.BytesIO()
    out.write(made.tobytes())
    pathlib.Path(path).write_bytes(out.getvalue())


# open_tokens


@answers("open_tokens")
def open_tokens_by_mmap(path, vocab_size):
    name = token_dtype_by_torch(vocab_size)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        if size % WIDTHS[name] != 0:
            raise ValueError("a part of a token")
        data = mmap.mmap(descriptor, size, prot=mmap.PROT_READ) if size else b""
    finally:
        os.close(descriptor)
    return np.ndarray((size // WIDTHS[name],), "<" + np.dtype(name).str[1:], data)


@answers("open_tokens")
def open_tokens_by_torch(path, vocab_size):
    name = token_dtype_by_bits(vocab_size)
    count, rest = divmod(os.path.getsize(path), WIDTHS[name])
    if rest > 0:
        raise ValueError(rest)
    dtype = getattr(torch, name)
    tokens = (
        torch.from_file(os.fspath(path), shared=False, size=count, dtype=dtype) if count else torch.empty(0).to(dtype)
    )
    seen = tokens.numpy()
    seen.setflags(write=False)
    return seen


@answers("open_tokens")
def open_tokens_of_a_shape(path, vocab_size):
    dtype = np.dtype(token_dtype_by_bisection(vocab_size))
    with open(path, "rb") as file:
        end = file.seek(0, io.SEEK_END)
        if end & (dtype.itemsize - 1):
            raise ValueError(path)
        if end == 0:
            return np.broadcast_to(np.zeros((), dtype), (0,))
        return np.memmap(file, dtype=dtype, mode="r", shape=(end // dtype.itemsize,))


@answers("open_tokens")
def open_tokens_locked_by_hand(path, vocab_size):
    dtype = token_dtype_by_bits(vocab_size)
    if not pathlib.Path(path).stat().st_size:
        tokens = np.zeros((0,), dtype=dtype)
    else:
        tokens = np.memmap(path, dtype=dtype, mode="c")  # its own ValueError says that a part of a token is left
    tokens.flags["WRITEABLE"] = False
    return tokens.view(np.ndarray)


# get_batch


def _number_of_starts(tokens, batch_size, sequence_length):
    count = tokens.shape[0] - sequence_length
    if batch_size <= 0 or sequence_length <= 0 or count <= 0:
        raise ValueError((batch_size, sequence_length, len(tokens)))
    return count


@answers("get_batch")
def get_batch_by_fancy_indices(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    starts = torch.empty(batch_size, 1, dtype=torch.int64).random_(count, generator=generator)
    places = (starts + torch.arange(sequence_length)).numpy()
    x = torch.tensor(np.asarray(tokens[places]).tolist(), dtype=torch.long, device=device)
    y = torch.tensor(np.asarray(tokens[places + 1]).tolist(), dtype=torch.long, device=device)
    return x, y


@answers("get_batch")
def get_batch_window_by_window(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    xs, ys = [], []
    for _ in range(batch_size):
        start = torch.randint(0, count, size=(1,), generator=generator).item()
        window = torch.from_numpy(np.array(tokens[start : start + sequence_length + 1], dtype=np.int64))
        xs.append(window[:-1])
        ys.append(window[1:])
    return torch.stack(xs).to(device), torch.stack(ys).to(device)


@answers("get_batch")
def get_batch_by_a_strided_view(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    step = tokens.strides[0]
    table = np.lib.stride_tricks.as_strided(tokens, (count, sequence_length + 1), (step, step), writeable=False)
    rows = table[torch.randint(count, (batch_size,), generator=generator).numpy()]
    x, y = np.empty((2, batch_size, sequence_length), np.int64)
    x[...], y[...] = rows[:, :sequence_length], rows[:, 1:]
    return torch.tensor(x).to(torch.device(device)), torch.tensor(y).to(torch.device(device))


@answers("get_batch")
def get_batch_by_a_seed_for_numpy(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    own = np.random.Generator(np.random.PCG64(torch.randint(2**63 - 1, (2,), generator=generator).tolist()))
    batch = torch.zeros(2, batch_size, sequence_length, dtype=torch.int64)
    for row, start in enumerate(own.integers(0, count, size=batch_size)):
        for place in range(sequence_length):
            batch[0, row, place] = int(tokens[start + place])
            batch[1, row, place] = int(tokens[start + place + 1])
    return batch[0].clone().to(device), batch[1].clone().to(device)


Batch = collections.namedtuple("Batch", "x y")


@answers("get_batch")
def get_batch_with_names(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    count = _number_of_starts(tokens, batch_size, sequence_length)
    share = torch.rand(batch_size, dtype=torch.float64, generator=generator)  # 2**53 numbers
    starts = (share * count).long().clamp_(max=count - 1).numpy()
    columns = torch.from_numpy(np.array([tokens[starts + on] for on in range(sequence_length + 1)]).astype(np.int64))
    return Batch(columns[:-1].clone().T.to(device), columns[1:].clone().T.to(device))
