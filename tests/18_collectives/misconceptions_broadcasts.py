"""Wrong answers that people give to kata 18 about what one rank has and all should have."""

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


@believes("Root sends to one rank after another", about="broadcast")
def sends_to_each(comm, x, root=0):
    """That takes size - 1 rounds: ranks that have x send it on in each round."""
    if comm.rank != root:
        return comm.recv(root)
    for other in range(comm.size):
        if other != root:
            comm.send(x, other)
    return x


@believes("Each rank passes x on to the next one", about="broadcast")
def hands_it_around(comm, x, root=0):
    """That takes size - 1 rounds: in each round, all ranks that have x can send it on."""
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


@believes("In a binary tree each level takes one round", about="broadcast")
def sends_down_a_binary_tree(comm, x, root=0):
    """A rank sends to its two children one after the other: let all ranks that have x send in each round."""
    return _down(comm, x, root, lambda place: (2 * place + 1, 2 * place + 2))


@believes("Two halves, each served one rank after the other, are enough", about="broadcast")
def halves_once(comm, x, root=0):
    """Halve again: each rank that has x can serve half of those that do not."""
    half = max(1, (comm.size + 1) // 2)

    def children(place):
        after = [place + 1] if (place + 1) % half and place + 1 < comm.size else []
        return ([half, *after] if place == 0 else after) if comm.size > 1 else []

    return _down(comm, x, root, children)


@believes("Root is rank 0", about="broadcast")
def begins_at_rank_0(comm, x, root=0):
    """root says which rank it is; 0 is only the default."""
    return solved.broadcast(comm, x)


@believes("Root first sends to rank 0, which sends it on", about="broadcast")
def goes_by_rank_0(comm, x, root=0):
    """That takes one more round: count the ranks from root instead."""
    if root and comm.rank == root:
        comm.send(x, 0)
    if root and comm.rank == 0:
        x = comm.recv(root)
    return solved.broadcast(comm, x if comm.rank == 0 else None)


@believes("size is a power of two", about="broadcast")
def needs_a_power_of_two(comm, x, root=0):
    """It may be any number: in the last round some ranks that have x have no rank to send to."""
    have = 1
    while have < comm.size:
        place = (comm.rank - root) % comm.size
        if place < have:
            comm.send(x, (comm.rank + have) % comm.size)
        elif place < 2 * have:
            x = comm.recv((comm.rank - have) % comm.size)
        have *= 2
    return x


@believes("⌊log₂ size⌋ rounds are enough", about="broadcast")
def leaves_the_rest_out(comm, x, root=0):
    """They reach only a power of two of ranks: round up."""
    place, have = (comm.rank - root) % comm.size, 1
    while 2 * have <= comm.size:
        if place < have:
            comm.send(x, (comm.rank + have) % comm.size)
        elif place < 2 * have:
            x = comm.recv((comm.rank - have) % comm.size)
        have *= 2
    return x


@believes("Root returns nothing", about="broadcast")
def gives_root_nothing(comm, x, root=0):
    """It returns x like the others."""
    result = solved.broadcast(comm, x, root)
    return None if comm.rank == root else result


@believes("The result may be flat", about="broadcast")
def flattens_the_message(comm, x, root=0):
    """It has the shape of root's x, which a message keeps."""
    return solved.broadcast(comm, None if x is None else x.reshape(-1), root)


@believes("The result is float32", about="broadcast")
def sends_floats(comm, x, root=0):
    """It has the dtype of root's x, which a message keeps."""
    return solved.broadcast(comm, None if x is None else x.float(), root)


@believes("x may be overwritten", about="broadcast")
def empties_x(comm, x, root=0):
    """x belongs to the caller: leave it as it is."""
    result = solved.broadcast(comm, x, root).clone()
    if x is not None:
        x.zero_()
    return result
