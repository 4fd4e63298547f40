"""Wrong answers that people give to kata 18 about what one rank has and all should have."""

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


@believes("Root sends to one after the other", about="broadcast")
def sends_to_each(comm, x, root=0):
    """That takes size - 1 rounds: let those that have it send it on."""
    if comm.rank != root:
        return comm.recv(root)
    for other in range(comm.size):
        if other != root:
            comm.send(x, other)
    return x


@believes("Each rank hands it to the next one", about="broadcast")
def hands_it_around(comm, x, root=0):
    """That takes size - 1 rounds, in which all but two ranks wait."""
    place = (comm.rank - root) % comm.size
    if place:
        x = comm.recv((comm.rank - 1) % comm.size)
    if place + 1 < comm.size:
        comm.send(x, (comm.rank + 1) % comm.size)
    return x


def _down(comm, x, root, children):
    """Receive from the one above, and send to those below; places are counted from root."""
    place = (comm.rank - root) % comm.size
    if place:
        above = next(p for p in range(comm.size) if place in children(p))
        x = comm.recv((above + root) % comm.size)
    for child in children(place):
        if child < comm.size:
            comm.send(x, (child + root) % comm.size)
    return x


@believes("A tree of two children has one round for each level", about="broadcast")
def sends_down_a_binary_tree(comm, x, root=0):
    """A rank sends to its children one after the other: let all that have it send in each round."""
    return _down(comm, x, root, lambda place: (2 * place + 1, 2 * place + 2))


@believes("Two halves, and in each of them one after the other", about="broadcast")
def halves_once(comm, x, root=0):
    """Halve again: each of those that have it can serve a half of those that have not."""
    half = max(1, (comm.size + 1) // 2)

    def children(place):
        after = [place + 1] if (place + 1) % half and place + 1 < comm.size else []
        return ([half, *after] if place == 0 else after) if comm.size > 1 else []

    return _down(comm, x, root, children)


@believes("Root is rank 0", about="broadcast")
def begins_at_rank_0(comm, x, root=0):
    """It is the rank that the caller names; 0 is what it is where nothing is said."""
    return solved.broadcast(comm, x)


@believes("Root hands it to rank 0, which spreads it", about="broadcast")
def goes_by_rank_0(comm, x, root=0):
    """That is one round more: count the ranks from root instead."""
    if root and comm.rank == root:
        comm.send(x, 0)
    if root and comm.rank == 0:
        x = comm.recv(root)
    return solved.broadcast(comm, x if comm.rank == 0 else None)


@believes("There are 1, 2, 4 or 8 ranks", about="broadcast")
def needs_a_power_of_two(comm, x, root=0):
    """There may be any number: in the last round some of those that have it find nobody."""
    have = 1
    while have < comm.size:
        place = (comm.rank - root) % comm.size
        if place < have:
            comm.send(x, (comm.rank + have) % comm.size)
        elif place < 2 * have:
            x = comm.recv((comm.rank - have) % comm.size)
        have *= 2
    return x


@believes("As many rounds as size can be halved without a rest", about="broadcast")
def leaves_the_rest_out(comm, x, root=0):
    """Round up: after ⌊log₂ size⌋ rounds some have nothing yet."""
    place, have = (comm.rank - root) % comm.size, 1
    while 2 * have <= comm.size:
        if place < have:
            comm.send(x, (comm.rank + have) % comm.size)
        elif place < 2 * have:
            x = comm.recv((comm.rank - have) % comm.size)
        have *= 2
    return x


@believes("Root needs no result, it has x", about="broadcast")
def gives_root_nothing(comm, x, root=0):
    """It returns x like the others, so that all may go on alike."""
    result = solved.broadcast(comm, x, root)
    return None if comm.rank == root else result


@believes("What is sent is a row of numbers", about="broadcast")
def flattens_the_message(comm, x, root=0):
    """A message keeps the shape of what was sent."""
    return solved.broadcast(comm, None if x is None else x.reshape(-1), root)


@believes("What is sent are floats", about="broadcast")
def sends_floats(comm, x, root=0):
    """A message keeps the dtype of what was sent."""
    return solved.broadcast(comm, None if x is None else x.float(), root)


@believes("The result is x itself, which may be used up", about="broadcast")
def empties_x(comm, x, root=0):
    """x belongs to the caller, and is left as it is."""
    result = solved.broadcast(comm, x, root).clone()
    if x is not None:
        x.zero_()
    return result
