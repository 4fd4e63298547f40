"""Wrong answers that people give to kata 18 about a sum of which each rank gets a part."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _split(x, comm):
    return list(torch.tensor_split(x, comm.size))


def _around(comm, parts, first=-1, pass_on=solved._pass_on):
    """Each part goes around the ring and grows; `first` says which one a rank sends first, counted from its own."""
    for step in range(comm.size - 1):
        came = pass_on(comm, parts[(comm.rank + first - step) % comm.size])
        place = (comm.rank + first - step - 1) % comm.size
        parts[place] = parts[place] + came
    return parts[(comm.rank + first + 1) % comm.size]


def _sends_first(comm, x):
    comm.send(x, (comm.rank + 1) % comm.size)
    return comm.recv((comm.rank - 1) % comm.size)


@believes("A message is on its way, and one goes on", about="reduce_scatter")
def sends_first_everywhere(comm, x):
    """A send returns when it is received: if all send first, nobody receives. Let some receive first."""
    return _around(comm, _split(x, comm), pass_on=_sends_first)


@believes("Even ranks first works at every distance", about="reduce_scatter")
def pairs_by_parity(comm, x):
    """Two apart, even ranks meet even ones, and all of them send first: only neighbours differ in parity."""
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


@believes("A part that begins at its rank ends there", about="reduce_scatter")
def begins_with_its_own(comm, x):
    """It goes on for size - 1 steps and ends at the rank before: send that of the rank before first."""
    return _around(comm, _split(x, comm), first=0)


@believes("chunk and tensor_split cut alike", about="reduce_scatter")
def cuts_by_chunk(comm, x):
    """chunk makes all parts but the last as large as can be, and perhaps fewer of them."""
    parts = list(torch.chunk(x, comm.size))
    return _around(comm, parts + [x[:0]] * (comm.size - len(parts)))


@believes("The last rank takes the rest", about="reduce_scatter")
def gives_the_rest_to_the_last(comm, x):
    """tensor_split gives the first parts one row more each."""
    rows = len(x) // comm.size
    return _around(comm, list(torch.split(x, [rows] * (comm.size - 1) + [len(x) - rows * (comm.size - 1)])))


@believes("Rows that cannot be shared out are left out", about="reduce_scatter")
def leaves_the_rest(comm, x):
    """All rows belong to a part: the first parts have one more."""
    rows = len(x) // comm.size
    return _around(comm, [x[rank * rows : (rank + 1) * rows] for rank in range(comm.size)])


@believes("The parts are cut from the last dimension", about="reduce_scatter")
def cuts_the_last_dimension(comm, x):
    """From dimension 0, as torch.tensor_split does if nothing else is said."""
    return _around(comm, list(torch.tensor_split(x, comm.size, dim=-1)))


@believes("Every rank needs a row", about="reduce_scatter")
def refuses_few_rows(comm, x):
    """A part may be empty, and goes around like the others."""
    if len(x) < comm.size:
        raise ValueError("fewer rows than ranks")
    return solved.reduce_scatter(comm, x)


@believes("To add up, each rank needs everything of all", about="reduce_scatter")
def adds_up_whole_tensors(comm, x):
    """It needs the others' numbers of its own part alone."""
    return _split(solved.all_gather(comm, x[None]).sum(0, dtype=x.dtype), comm)[comm.rank]


@believes("One rank adds up, and gives out the parts", about="reduce_scatter")
def adds_up_at_rank_0(comm, x):
    """Then all wait for that one, and the others send it all that they have."""
    if comm.rank:
        comm.send(x, 0)
        return comm.recv(0)
    total = x.clone()
    for other in range(1, comm.size):
        total += comm.recv(other)
    for other in range(1, comm.size):
        comm.send(_split(total, comm)[other], other)
    return _split(total, comm)[0]


@believes("A sum has the dtype of what is added", about="reduce_scatter")
def widens_the_sum(comm, x):
    """sum() of an int32 tensor is an int64 one: name the dtype."""
    parts = _split(x, comm)
    return torch.stack([solved.reduce_scatter(comm, x), torch.zeros_like(parts[comm.rank])]).sum(0)


@believes("The parts are copies", about="reduce_scatter")
def adds_in_place(comm, x):
    """tensor_split gives views: what is added to them is added to x."""
    parts = _split(x, comm)
    for step in range(1, comm.size):
        parts[(comm.rank - step - 1) % comm.size].add_(solved._pass_on(comm, parts[(comm.rank - step) % comm.size]))
    return parts[comm.rank]


@believes("To reduce is to average", about="reduce_scatter")
def averages_the_part(comm, x):
    """Here it is to add up; whoever wants the mean divides."""
    return (solved.reduce_scatter(comm, x) / comm.size).to(x.dtype)


@believes("Each rank has its own part already", about="reduce_scatter")
def leaves_its_own_numbers_out(comm, x):
    """They are a part of the sum, like those of the others."""
    return solved.reduce_scatter(comm, x) - (_split(x, comm)[comm.rank] if comm.size > 1 else 0)
