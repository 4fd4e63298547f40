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


@believes("Everything that no name leads to dies at once", about="released")
def frees_cycles(references, held):
    """On a cycle each object still has a reference, and only the garbage collector finds that."""
    return both(references, held, [])


@believes("An object that another one refers to waits for the collector", about="released")
def frees_what_nobody_refers_to(references, held):
    """When the other one dies, its references are gone, and this one dies at once too."""
    solved.released(references, held)
    return both(references, held, [other for names in references.values() for other in names])


@believes("Only what is on a cycle waits", about="released")
def frees_what_hangs_on_cycles(references, held):
    """What a cycle refers to is kept alive by it, and waits with it."""
    solved.released(references, held)
    return both(references, held, cyclic(references))


@believes("Only what a cycle refers to directly waits with it", about="released")
def frees_what_is_far_behind_cycles(references, held):
    """What waits keeps alive what it refers to, on a cycle or not: follow the references to their end."""
    solved.released(references, held)
    free = {*cyclic(references)} - reached(references, held)
    return both(references, held, free.union(*(references[name] for name in free)))


@believes("An object that refers to a cycle waits with it", about="released")
def keeps_what_leads_to_cycles(references, held):
    """Nothing refers to it, so it dies at once; the cycle waits."""
    solved.released(references, held)
    on_cycles = {*cyclic(references)}
    behind = reached(references, on_cycles - reached(references, held))
    return both(references, held, behind | {name for name in references if reached(references, [name]) & on_cycles})


@believes("A cycle has at least two objects", about="released")
def forgives_references_to_oneself(references, held):
    """An object that refers to itself never reaches a count of 0 either."""
    solved.released(references, held)
    return solved.released({name: [o for o in refs if o != name] for name, refs in references.items()}, held)


@believes("Only the held objects themselves stay alive", about="released")
def keeps_only_the_held(references, held):
    """What they refer to stays alive as well, and what that refers to."""
    solved.released(references, held)
    kept = {*held}
    rest = {name: [other for other in refs if other not in kept] for name, refs in references.items()}
    at_once, waiting = solved.released(rest, [])
    return [name for name in at_once if name not in kept], [name for name in waiting if name not in kept]


@believes("Only what held objects refer to directly stays alive", about="released")
def keeps_one_step(references, held):
    """Follow the references to their end: each object keeps alive what it refers to."""
    solved.released(references, held)
    kept = {*held, *(other for name in held for other in references[name])}
    rest = {name: [other for other in refs if other not in kept] for name, refs in references.items()}
    at_once, waiting = solved.released(rest, [])
    return [name for name in at_once if name not in kept], [name for name in waiting if name not in kept]


@believes("A cycle waits even if it is held", about="released")
def collects_held_cycles(references, held):
    """What something held leads to is alive, and is in neither list."""
    at_once, waiting = solved.released(references, held)
    return at_once, sorted({*waiting, *reached(references, cyclic(references))} - {*held})


@believes("A reference to an unknown name is ignored", about="released")
def ignores_unknown_references(references, held):
    """A name that is no key is a mistake: raise ValueError."""
    known = {name: [other for other in refs if other in references] for name, refs in references.items()}
    return solved.released(known, held)


@believes("An unknown name in held is ignored", about="released")
def ignores_unknown_names(references, held):
    """A name that is no key is a mistake: raise ValueError."""
    return solved.released(references, [name for name in held if name in references])


@believes("The lists are in the order of the keys", about="released")
def keeps_the_order(references, held):
    """They have to be sorted."""
    at_once, waiting = solved.released(references, held)
    return [name for name in references if name in at_once], [name for name in references if name in waiting]


@believes("held makes no difference", about="released")
def forgets_what_is_held(references, held):
    """Held names keep alive their objects and everything that these lead to: none of it is in the lists."""
    solved.released(references, held)
    return solved.released(references, [])


@believes("The lists in references may be changed", about="released")
def works_off_the_lists(references, held):
    """They belong to the caller: work on a copy."""
    found = solved.released(references, held)
    held.clear()
    for names in references.values():
        names.clear()
    return found
