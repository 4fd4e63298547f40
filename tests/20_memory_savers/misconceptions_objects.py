"""Wrong answers that people give to kata 20 about objects and the garbage collector."""

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# released


def reached(references, names):
    """The names, and all that they lead to."""
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += references[name]
    return found


def both(references, held, waiting):
    """Who dies at once, and who waits, if these wait of all that nothing held leads to."""
    solved.released(references, held)
    gone = references.keys() - reached(references, held)
    waiting = gone & {*waiting}
    return sorted(gone - waiting), sorted(waiting)


def cyclic(references):
    """The names that lead to themselves."""
    return [name for name in references if name in reached(references, references[name])]


@believes("What no name leads to dies at once", about="released")
def frees_cycles(references, held):
    """Python counts references: on a cycle each has one left, and only the garbage collector finds that."""
    return both(references, held, [])


@believes("An object that another one refers to waits", about="released")
def frees_what_nobody_refers_to(references, held):
    """When the other one dies it lets go, and then this one dies too, and so on."""
    solved.released(references, held)
    return both(references, held, [other for names in references.values() for other in names])


@believes("Only what is on a cycle waits", about="released")
def frees_what_hangs_on_cycles(references, held):
    """What a cycle refers to is held by it, and waits with it."""
    solved.released(references, held)
    return both(references, held, cyclic(references))


@believes("What refers to a cycle waits with it", about="released")
def keeps_what_leads_to_cycles(references, held):
    """Nothing holds it: it dies at once, and lets go of the cycle."""
    solved.released(references, held)
    on_cycles = {*cyclic(references)}
    behind = reached(references, on_cycles - reached(references, held))
    return both(references, held, behind | {name for name in references if reached(references, [name]) & on_cycles})


@believes("A cycle takes two objects at least", about="released")
def forgives_references_to_oneself(references, held):
    """An object that refers to itself never has a count of 0 either."""
    solved.released(references, held)
    return solved.released({name: [o for o in refs if o != name] for name, refs in references.items()}, held)


@believes("Only the held objects themselves stay", about="released")
def keeps_only_the_held(references, held):
    """What they refer to stays as well, and what that refers to."""
    solved.released(references, held)
    kept = {*held}
    rest = {name: [other for other in refs if other not in kept] for name, refs in references.items()}
    at_once, waiting = solved.released(rest, [])
    return [name for name in at_once if name not in kept], [name for name in waiting if name not in kept]


@believes("What a held object refers to stays, and no more", about="released")
def keeps_one_step(references, held):
    """Follow the references to their end: each of them holds what it refers to."""
    solved.released(references, held)
    kept = {*held, *(other for name in held for other in references[name])}
    rest = {name: [other for other in refs if other not in kept] for name, refs in references.items()}
    at_once, waiting = solved.released(rest, [])
    return [name for name in at_once if name not in kept], [name for name in waiting if name not in kept]


@believes("A cycle waits whether it is held or not", about="released")
def collects_held_cycles(references, held):
    """What something held leads to is alive: the collector leaves it alone."""
    at_once, waiting = solved.released(references, held)
    return at_once, sorted({*waiting, *reached(references, cyclic(references))} - {*held})


@believes("A reference to what is no object leads nowhere", about="released")
def ignores_unknown_references(references, held):
    """A name that is no key is a mistake: ValueError."""
    known = {name: [other for other in refs if other in references] for name, refs in references.items()}
    return solved.released(known, held)


@believes("To hold what is no object does no harm", about="released")
def ignores_unknown_names(references, held):
    """A name that is no key is a mistake: ValueError."""
    return solved.released(references, [name for name in held if name in references])


@believes("The lists are in the order of the keys", about="released")
def keeps_the_order(references, held):
    """They are asked to be sorted: the order in which objects die tells nothing."""
    at_once, waiting = solved.released(references, held)
    return [name for name in references if name in at_once], [name for name in references if name in waiting]


@believes("References from what is held do not count", about="released")
def forgets_what_is_held(references, held):
    """Names that are held keep their objects alive, and those are in none of the lists."""
    solved.released(references, held)
    return solved.released(references, [])


@believes("A list that was worked off is not needed any more", about="released")
def works_off_the_lists(references, held):
    """It belongs to the caller: take a copy, and work that off."""
    found = solved.released(references, held)
    held.clear()
    for names in references.values():
        names.clear()
    return found
