"""Wrong answers that people give to kata 10 about files of tokens."""

import itertools
import os
from pathlib import Path

import numpy as np

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# token_dtype


@believes("vocab_size itself has to fit", about="token_dtype")
def makes_room_for_the_size(vocab_size):
    """The tokens of a vocabulary of 256 are 0 to 255, so one byte holds them all."""
    solved.token_dtype(vocab_size)
    return next((f"uint{bits}" for bits in (8, 16) if vocab_size < 2**bits), "uint32")


@believes("One bit is for the sign", about="token_dtype")
def leaves_a_bit_for_the_sign(vocab_size):
    """Unsigned integers have none: 8 bits count to 255, and 16 to 65535."""
    solved.token_dtype(vocab_size)
    return next((f"uint{bits}" for bits in (8, 16, 32) if vocab_size <= 2 ** (bits - 1)), "uint32")


@believes("A token is an int32", about="token_dtype")
def takes_four_bytes(vocab_size):
    """A file of 50257 different tokens would be twice as large as needed: uint16 holds them."""
    solved.token_dtype(vocab_size)
    return "uint32"


@believes("A token needs at least two bytes", about="token_dtype")
def knows_no_byte(vocab_size):
    """Up to 256 different tokens fit into uint8."""
    return solved.token_dtype(vocab_size).replace("uint8", "uint16")


@believes("Signed integers will do", about="token_dtype")
def names_signed_dtypes(vocab_size):
    """int16 ends at 32767, and larger tokens would be read as negative numbers."""
    return solved.token_dtype(vocab_size)[1:]


@believes("A vocabulary ends where an int32 does", about="token_dtype")
def refuses_the_upper_half(vocab_size):
    """uint32 holds twice as many, up to 2**32 - 1."""
    if vocab_size > 2**31:
        raise ValueError(vocab_size)
    return solved.token_dtype(vocab_size)


@believes("Beyond uint32 comes uint64", about="token_dtype")
def goes_on_to_eight_bytes(vocab_size):
    """uint32 is the widest of the three dtypes: a larger vocabulary raises a ValueError."""
    return "uint64" if vocab_size > 2**32 else solved.token_dtype(vocab_size)


@believes("A vocabulary may be empty", about="token_dtype")
def takes_no_vocabulary(vocab_size):
    """A vocab_size below 1 is a mistake of the caller: raise ValueError."""
    return solved.token_dtype(max(vocab_size, 1))


@believes("numpy's dtype is as good as its name", about="token_dtype")
def returns_a_dtype(vocab_size):
    """The result is the name, a str that can be written beside the tokens: np.dtype(…).name."""
    return np.dtype(solved.token_dtype(vocab_size))


# write_tokens


def _bytes(tokens, vocab_size, order="little"):
    width = np.dtype(solved.token_dtype(vocab_size)).itemsize
    return b"".join(token.to_bytes(width, order) for token in tokens)


def _checked(tokens, vocab_size):
    found = []
    for token in tokens:
        if not 0 <= token < vocab_size:
            raise ValueError(token)
        found.append(token)
    return found


@believes("The highest byte comes first, as digits do", about="write_tokens")
def writes_the_highest_byte_first(path, tokens, vocab_size):
    """The file is little-endian, which is how most processors keep numbers: 256 is 00 01."""
    Path(path).write_bytes(_bytes(_checked(tokens, vocab_size), vocab_size, "big"))


@believes("The tokens are appended to the file", about="write_tokens")
def appends(path, tokens, vocab_size):
    """A second run would write all tokens again: what was in the file is replaced."""
    with open(path, "ab") as file:
        file.write(_bytes(_checked(tokens, vocab_size), vocab_size))


@believes("A file of tokens is named .bin", about="write_tokens")
def writes_to_a_bin(path, tokens, vocab_size):
    """It is named as path says, with any ending or none: whoever opens the path would not find it."""
    solved.write_tokens(Path(path).with_suffix(".bin"), tokens, vocab_size)


@believes("np.save writes only the tokens", about="write_tokens")
def writes_a_header(path, tokens, vocab_size):
    """It writes a header of 128 bytes before them, which np.memmap would read as tokens."""
    with open(path, "wb") as file:
        np.save(file, np.array(_checked(tokens, vocab_size), solved.token_dtype(vocab_size)))


@believes("Every token is written as an int32", about="write_tokens")
def writes_four_bytes(path, tokens, vocab_size):
    """The width is that of token_dtype, because open_tokens reads the file in that width."""
    solved.token_dtype(vocab_size)
    np.array(_checked(tokens, vocab_size), np.uint32).tofile(path)


@believes("An iterable can be iterated over twice", about="write_tokens")
def looks_first_and_writes_then(path, tokens, vocab_size):
    """A generator is used up by the check, and nothing is left to write: check and write in one pass."""
    solved.token_dtype(vocab_size)
    if any(not 0 <= token < vocab_size for token in tokens):
        raise ValueError(vocab_size)
    Path(path).write_bytes(_bytes(tokens, vocab_size))


@believes("What has a length is a sequence", about="write_tokens")
def makes_an_array_of_what_has_a_length(path, tokens, vocab_size):
    """The values of a dict have one and no places, so np.array takes them for one object: iterate over the tokens."""
    dtype = solved.token_dtype(vocab_size)
    known = _checked(tokens, vocab_size)
    np.array(tokens if hasattr(tokens, "__len__") else known, dtype).tofile(path)


@believes("numpy checks that a token fits", about="write_tokens")
def lets_tokens_wrap(path, tokens, vocab_size):
    """astype silently keeps only the low bits: check each token."""
    dtype = np.dtype(solved.token_dtype(vocab_size))
    np.array([token % 256**dtype.itemsize for token in tokens], dtype).tofile(path)


@believes("A token may be vocab_size", about="write_tokens")
def takes_one_token_more(path, tokens, vocab_size):
    """They are counted from 0, so the last one is vocab_size - 1."""
    dtype = np.dtype(solved.token_dtype(vocab_size))
    known = _checked(tokens, vocab_size + 1)
    np.array([token % 256**dtype.itemsize for token in known], dtype).tofile(path)


@believes("Tokens are never negative", about="write_tokens")
def takes_negative_tokens(path, tokens, vocab_size):
    """A -1 that marks a gap would wrap to the largest number of the dtype: check each token."""
    dtype = np.dtype(solved.token_dtype(vocab_size))
    tokens = list(tokens)
    if any(token >= vocab_size for token in tokens):
        raise ValueError(vocab_size)
    np.array([token % 256**dtype.itemsize for token in tokens], dtype).tofile(path)


@believes("Every number that fits the dtype is a token", about="write_tokens")
def asks_the_dtype_alone(path, tokens, vocab_size):
    """65535 fits into uint16, but is not a token of a vocabulary of 50257."""
    Path(path).write_bytes(
        _bytes(_checked(tokens, 256 ** np.dtype(solved.token_dtype(vocab_size)).itemsize), vocab_size)
    )


@believes("numpy's own error is enough", about="write_tokens")
def lets_numpy_raise(path, tokens, vocab_size):
    """An OverflowError is not a ValueError, and a number that fits the dtype raises nothing at all."""
    np.array(list(tokens), solved.token_dtype(vocab_size)).tofile(path)


@believes("Tokens are written as text", about="write_tokens")
def writes_digits(path, tokens, vocab_size):
    """Text takes more room, and the millionth token cannot be found without reading those before it."""
    solved.token_dtype(vocab_size)
    Path(path).write_text(" ".join(map(str, _checked(tokens, vocab_size))))


@believes("Without tokens no file is written", about="write_tokens")
def writes_no_empty_file(path, tokens, vocab_size):
    """Without tokens the file is empty, and what was in it before is gone."""
    solved.token_dtype(vocab_size)
    if known := _checked(tokens, vocab_size):
        Path(path).write_bytes(_bytes(known, vocab_size))


@believes("Without a token the vocabulary does not matter", about="write_tokens")
def looks_at_no_vocabulary(path, tokens, vocab_size):
    """vocab_size is checked in any case, as token_dtype checks it."""
    tokens = list(tokens)
    Path(path).write_bytes(_bytes(_checked(tokens, vocab_size), vocab_size) if tokens else b"")


@believes("Each piece of the tokens opens the file anew", about="write_tokens")
def writes_the_last_piece(path, tokens, vocab_size):
    """Opening for writing empties the file, so only the last piece stays: open it once, before the first piece."""
    tokens = iter(tokens)
    solved.write_tokens(path, [], vocab_size)
    while piece := list(itertools.islice(tokens, 2**16)):
        solved.write_tokens(path, piece, vocab_size)


@believes("The last piece is tokens[-rest:], even without a rest", about="write_tokens")
def writes_all_as_a_rest(path, tokens, vocab_size):
    """tokens[-0:] is all of them, so a text of whole pieces would be written twice: count from the front."""
    tokens = list(tokens)
    whole, rest = divmod(len(tokens), 1000)
    with open(path, "wb") as file:
        for piece in range(whole):
            file.write(_bytes(_checked(tokens[1000 * piece : 1000 * (piece + 1)], vocab_size), vocab_size))
        file.write(_bytes(_checked(tokens[-rest:], vocab_size), vocab_size))
    solved.token_dtype(vocab_size)


@believes("The tokens may be used up", about="write_tokens")
def takes_tokens_out(path, tokens, vocab_size):
    """The caller may need the list: go over it, and take nothing out of it."""
    solved.token_dtype(vocab_size)
    left = tokens if isinstance(tokens, list) else list(tokens)
    with open(path, "wb") as file:
        while left:
            file.write(_bytes(_checked(left[:1000], vocab_size), vocab_size))
            del left[:1000]


# open_tokens


def _locked(tokens):
    tokens.flags.writeable = False
    return tokens


@believes("The whole file is read when it is opened", about="open_tokens")
def reads_it_all(path, vocab_size):
    """np.fromfile copies all of it into memory; np.memmap reads what is looked at, when it is looked at."""
    solved.open_tokens(path, vocab_size)
    return _locked(np.fromfile(path, solved.token_dtype(vocab_size)))


@believes("The file is tokens.bin", about="open_tokens")
def opens_tokens_bin(path, vocab_size):
    """Training and validation have a file each: open the one that path names."""
    return solved.open_tokens("tokens.bin", vocab_size)


@believes("The array may be writable", about="open_tokens")
def opens_to_write(path, vocab_size):
    """Mode "r+", the default of np.memmap, writes into the file, and "c" into this array: use mode "r"."""
    tokens = solved.open_tokens(path, vocab_size)
    return np.memmap(path, tokens.dtype, mode="r+") if len(tokens) else tokens


def _memmap(path, vocab_size, **how):
    solved.open_tokens(path, vocab_size)
    return np.memmap(path, solved.token_dtype(vocab_size), **how)


@believes("np.memmap opens every file", about="open_tokens")
def refuses_an_empty_file(path, vocab_size):
    """np.memmap cannot map an empty file, which holds 0 tokens: return an empty array."""
    return _memmap(path, vocab_size, mode="r")


@believes("An empty array is never writable", about="open_tokens")
def leaves_the_empty_array_writable(path, vocab_size):
    """Its flag may say that it is: set flags.writeable to False there as well."""
    tokens = solved.open_tokens(path, vocab_size)
    return tokens if len(tokens) else np.empty(0, tokens.dtype)


@believes("Tokens are checked when the file is opened", about="open_tokens")
def checks_every_token(path, vocab_size):
    """That reads the whole file, and the pages stay in memory: tokens are checked when they are written."""
    tokens = solved.open_tokens(path, vocab_size)
    if len(tokens) and tokens.max() >= vocab_size:
        raise ValueError(vocab_size)
    return tokens


@believes("The file holds int32", about="open_tokens")
def opens_int32(path, vocab_size):
    """The dtype is that of token_dtype; in another width, two tokens would be read as one."""
    solved.open_tokens(path, vocab_size)
    data = Path(path).read_bytes()
    return _locked(np.frombuffer(data[: len(data) // 4 * 4], np.int32))


@believes("Signed and unsigned dtypes read the same numbers", about="open_tokens")
def opens_signed(path, vocab_size):
    """The bytes are the same, but in int16 the token 65535 would be -1."""
    tokens = solved.open_tokens(path, vocab_size)
    return tokens.view(tokens.dtype.name[1:])


@believes("The highest byte comes first", about="open_tokens")
def reads_the_highest_byte_first(path, vocab_size):
    """The file is little-endian: 00 01 is 256."""
    return solved.open_tokens(path, vocab_size).view(np.dtype(solved.token_dtype(vocab_size)).newbyteorder(">"))


@believes("Extra bytes at the end are ignored", about="open_tokens")
def drops_a_rest(path, vocab_size):
    """A file that ends within a token was cut off or has another dtype: raise ValueError."""
    width = np.dtype(solved.token_dtype(vocab_size)).itemsize
    if not (count := os.path.getsize(path) // width):
        return _locked(np.empty(0, solved.token_dtype(vocab_size)))
    return np.memmap(path, solved.token_dtype(vocab_size), mode="r", shape=(count,))


@believes("The array is int64, as an embedding needs it", about="open_tokens")
def makes_int64_of_all(path, vocab_size):
    """That reads all of the file, and takes eight bytes per token: convert only the batch."""
    return _locked(np.asarray(solved.open_tokens(path, vocab_size)).astype(np.int64))


@believes("np.load with mmap_mode opens the file", about="open_tokens")
def looks_for_a_header(path, vocab_size):
    """np.load needs the header of np.save, which a file of tokens does not have."""
    solved.open_tokens(path, vocab_size)
    return np.load(path, mmap_mode="r")


@believes("Any vocab_size is accepted where the file can be read", about="open_tokens")
def opens_any_vocabulary(path, vocab_size):
    """A vocab_size that token_dtype refuses raises a ValueError here too."""
    return solved.open_tokens(path, min(max(vocab_size, 1), 2**32))
