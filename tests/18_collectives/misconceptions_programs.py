"""Wrong answers that people give to kata 18 about programs that meet, and those that never do."""

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _run(programs, meets):
    """Return what is left of the programs when `meets` lets no two ranks move on any more."""
    left = [list(program) for program in programs]
    while pair := next(
        ((a, b) for a in range(len(left)) for b in range(len(left)) if a != b and left[a] and meets(left, a, b)), None
    ):
        for rank in pair:
            if left[rank]:
                left[rank].pop(0)
    return left


def _meet(left, a, b):
    return left[a][0] == ("send", b) and left[b][:1] == [("recv", a)]


def _stuck(left):
    return [rank for rank, program in enumerate(left) if program]


@believes("A send returns at once", about="stuck_ranks")
def buffers_messages(programs):
    """It returns when the other rank has received: two ranks that both send first wait forever."""
    left, mail = [list(program) for program in programs], []
    going = True
    while going:
        going = False
        for rank, program in enumerate(left):
            while program:
                what, peer = program[0]
                if what == "recv" and (peer, rank) not in mail:
                    break
                mail.append((rank, peer)) if what == "send" else mail.remove((peer, rank))
                program.pop(0)
                going = True
    return _stuck(left)


@believes("A rank that is done still receives", about="stuck_ranks")
def sends_to_the_done(programs):
    """It no longer answers: a send to it never returns."""
    return _stuck(_run(programs, lambda left, a, b: _meet(left, a, b) or (left[a][0] == ("send", b) and not left[b])))


@believes("A receive from a rank that is done returns", about="stuck_ranks")
def receives_from_the_done(programs):
    """It no longer sends: a receive from it never returns."""
    return _stuck(_run(programs, lambda left, a, b: _meet(left, a, b) or (left[a][0] == ("recv", b) and not left[b])))


@believes("Equally many sends and receives are enough", about="stuck_ranks")
def counts_messages(programs):
    """The order matters too: both ranks must be at their steps at the same time."""
    sends = [(rank, peer) for rank, program in enumerate(programs) for what, peer in program if what == "send"]
    receives = [(peer, rank) for rank, program in enumerate(programs) for what, peer in program if what == "recv"]
    uneven = {one for pair in {*sends, *receives} if sends.count(pair) != receives.count(pair) for one in pair}
    return sorted(uneven)


@believes("If one rank is stuck, all are", about="stuck_ranks")
def gives_up_on_all(programs):
    """Ranks that do not need the stuck ones finish."""
    return [*range(len(programs))] if solved.stuck_ranks(programs) else []


@believes("Only ranks that wait for each other in a cycle are stuck", about="stuck_ranks")
def looks_for_circles(programs):
    """A rank that waits for a stuck one, or for one that is done, is also stuck."""
    left = _run(programs, _meet)
    waits = {rank: program[0][1] for rank, program in enumerate(left) if program}

    def comes_back(rank):
        at = waits[rank]
        for _ in waits:
            if at == rank:
                return True
            at = waits.get(at, at)
        return False

    return [rank for rank in waits if comes_back(rank)]


@believes("A receive takes a message from any rank", about="stuck_ranks")
def receives_from_anybody(programs):
    """It names its source, and waits for that rank."""
    return _stuck(
        _run(programs, lambda left, a, b: left[a][0] == ("send", b) and left[b][:1] and left[b][0][0] == "recv")
    )


@believes("Only a receive can be stuck", about="stuck_ranks")
def lets_no_send_be_stuck(programs):
    """A send also waits, until the other rank receives."""
    return [rank for rank, program in enumerate(_run(programs, _meet)) if program and program[0][0] == "recv"]


@believes("A rank can be stuck only at its first step", about="stuck_ranks")
def looks_at_the_first_step(programs):
    """It may also be stuck at any later step."""
    left = _run(programs, _meet)
    return [rank for rank in _stuck(left) if len(left[rank]) == len(programs[rank])]


@believes("It is enough to go through the ranks once", about="stuck_ranks")
def looks_once(programs):
    """A rank may continue later, when another has moved on: repeat while any rank moves."""
    left = [list(program) for program in programs]
    for rank, program in enumerate(left):
        while program:
            what, peer = program[0]
            if left[peer][:1] != [("recv" if what == "send" else "send", rank)]:
                break
            program.pop(0)
            left[peer].pop(0)
    return _stuck(left)


@believes("It is enough to go through the ranks a hundred times", about="stuck_ranks")
def looks_a_hundred_times(programs):
    """Programs may be longer: repeat as long as any rank moves on."""
    at = [0] * len(programs)
    for _ in range(100):
        for rank, program in enumerate(programs):
            if at[rank] < len(program):
                what, peer = program[at[rank]]
                if programs[peer][at[peer] : at[peer] + 1] == [("recv" if what == "send" else "send", rank)]:
                    at[rank] += 1
                    at[peer] += 1
    return [rank for rank, program in enumerate(programs) if at[rank] < len(program)]


@believes("A rank can do its steps in another order", about="stuck_ranks")
def answers_out_of_order(programs):
    """It does one after another, and each only when the one before has returned."""
    left = [list(program) for program in programs]
    going = True
    while going:
        going = False
        for rank, program in enumerate(left):
            for step in list(program):
                wanted = ("recv" if step[0] == "send" else "send", rank)
                if step in program and wanted in left[step[1]]:
                    program.remove(step)
                    left[step[1]].remove(wanted)
                    going = True
    return _stuck(left)


@believes("The steps may be taken out of the caller's programs", about="stuck_ranks")
def uses_the_programs_up(programs):
    """The caller still needs them: take steps out of a copy, or count how far each rank is."""
    going = True
    while going:
        going = False
        for rank, program in enumerate(programs):
            while program and program[0][0] == "send" and programs[program[0][1]][:1] == [("recv", rank)]:
                programs[program.pop(0)[1]].pop(0)
                going = True
    return _stuck(programs)
