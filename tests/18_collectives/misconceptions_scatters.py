"""Wrong answers that people give to kata 18 about a sum of which each rank gets a part."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _split(x, comm):
    return list(torch.tensor_split(x, comm.size))


def _around(comm, parts, first=-1, pass_on=solved._pass_on):
    """Pass each part around the ring, and let it grow; `first` says which one a rank sends first, from its own."""
    for step in range(comm.size - 1):
        came = pass_on(comm, parts[(comm.rank + first - step) % comm.size])
        place = (comm.rank + first - step - 1) % comm.size
        parts[place] = parts[place] + came
    return parts[(comm.rank + first + 1) % comm.size]


def _sends_first(comm, x):
    comm.send(x, (comm.rank + 1) % comm.size)
    return comm.recv((comm.rank - 1) % comm.size)


@believes("All ranks can send first, and then receive", about="reduce_scatter")
def sends_first_everywhere(comm, x):
    """A send returns when it is received, so all would wait forever: let some ranks receive first."""
    return _around(comm, _split(x, comm), pass_on=_sends_first)


@believes("Even ranks sending first works at every distance", about="reduce_scatter")
def pairs_by_parity(comm, x):
    """At distance 2, even ranks send to even ones, and all of them send first: only neighbors differ in parity."""
    parts = _split(x, comm)
    total = parts[comm.rank]
    for distance in range(1, comm.size):
        to, source = (comm.rank + distance) % comm.size, (comm.rank - distance) % comm.size
        if comm.rank % 2 == 0:
            comm.send(parts[to], to)
        total = total + comm.recv(source)
        if comm.rank % 2:
            comm.send(parts[to], to)
    return total


@believes("A rank first sends its own part", about="reduce_scatter")
def begins_with_its_own(comm, x):
    """After size - 1 steps that part ends at the rank before: first send the part of the rank before."""
    return _around(comm, _split(x, comm), first=0)


@believes("torch.chunk cuts like torch.tensor_split", about="reduce_scatter")
def cuts_by_chunk(comm, x):
    """torch.chunk rounds sizes up, so the last parts are shorter, or missing."""
    parts = list(torch.chunk(x, comm.size))
    return _around(comm, parts + [x[:0]] * (comm.size - len(parts)))


@believes("The last part takes the remaining rows", about="reduce_scatter")
def gives_the_rest_to_the_last(comm, x):
    """tensor_split gives the first parts one row more each."""
    rows = len(x) // comm.size
    return _around(comm, list(torch.split(x, [rows] * (comm.size - 1) + [len(x) - rows * (comm.size - 1)])))


@believes("Remaining rows are left out", about="reduce_scatter")
def leaves_the_rest(comm, x):
    """Every row belongs to a part: the first parts have one row more."""
    rows = len(x) // comm.size
    return _around(comm, [x[rank * rows : (rank + 1) * rows] for rank in range(comm.size)])


@believes("Parts are cut along the last dimension", about="reduce_scatter")
def cuts_the_last_dimension(comm, x):
    """They are cut along dimension 0."""
    return _around(comm, list(torch.tensor_split(x, comm.size, dim=-1)))


@believes("Every part has at least one row", about="reduce_scatter")
def refuses_few_rows(comm, x):
    """Parts may be empty, and are passed on like the others."""
    if len(x) < comm.size:
        raise ValueError("fewer rows than ranks")
    return solved.reduce_scatter(comm, x)


@believes("Each rank needs all of every rank's x", about="reduce_scatter")
def adds_up_whole_tensors(comm, x):
    """It needs only its own part of them."""
    return _split(solved.all_gather(comm, x[None]).sum(0, dtype=x.dtype), comm)[comm.rank]


@believes("One rank may add up everything, and send out the parts", about="reduce_scatter")
def adds_up_at_rank_0(comm, x):
    """Then the others send all of their x to it, which is too many bytes."""
    if comm.rank:
        comm.send(x, 0)
        return comm.recv(0)
    total = x.clone()
    for other in range(1, comm.size):
        total += comm.recv(other)
    for other in range(1, comm.size):
        comm.send(_split(total, comm)[other], other)
    return _split(total, comm)[0]


@believes("torch.sum keeps the dtype", about="reduce_scatter")
def widens_the_sum(comm, x):
    """For int32 it gives int64: pass dtype=x.dtype."""
    parts = _split(x, comm)
    return torch.stack([solved.reduce_scatter(comm, x), torch.zeros_like(parts[comm.rank])]).sum(0)


@believes("The parts of tensor_split are copies", about="reduce_scatter")
def adds_in_place(comm, x):
    """They are views: adding into them changes x."""
    parts = _split(x, comm)
    for step in range(1, comm.size):
        parts[(comm.rank - step - 1) % comm.size].add_(solved._pass_on(comm, parts[(comm.rank - step) % comm.size]))
    return parts[comm.rank]


@believes("The result is a mean", about="reduce_scatter")
def averages_the_part(comm, x):
    """It is a sum."""
    return (solved.reduce_scatter(comm, x) / comm.size).to(x.dtype)


@believes("A rank's own numbers are left out of its part", about="reduce_scatter")
def leaves_its_own_numbers_out(comm, x):
    """They belong to the sum, like those of the others."""
    return solved.reduce_scatter(comm, x) - (_split(x, comm)[comm.rank] if comm.size > 1 else 0)


@believes("A sum in float64 is exact for whole numbers", about="reduce_scatter")
def rounds_to_float64(comm, x):
    """float64 has 53 bits, and int64 has 64: add in the dtype of x."""
    parts = _split(x, comm)
    total = torch.zeros_like(parts[comm.rank], dtype=torch.float64)
    for part in _received(comm, parts):
        total = total + part
    return total.to(x.dtype)


@believes("A sum in float32 is exact enough", about="reduce_scatter")
def rounds_to_float32(comm, x):
    """float32 has 24 bits, and int32 and float64 have more: add in the dtype of x."""
    parts = _split(x, comm)
    total = torch.zeros_like(parts[comm.rank], dtype=torch.float32)
    for part in _received(comm, parts):
        total = total + part.float()
    return total.to(x.dtype)


def _received(comm, parts):
    """Yield this rank's part of every rank's x, in the order of ranks."""
    for source in range(comm.size):
        for to in range(comm.size):
            if source == to == comm.rank:
                yield parts[to]
            elif comm.rank == source != to:
                comm.send(parts[to], to)
            elif comm.rank == to != source:
                yield comm.recv(source)
