"""Wrong answers that people give to kata 22 about fuse."""
# mypy: ignore-errors

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


def _check(ops, *, negative=True, itself=True, later=True, word=True):
    for number, (kind, needs) in enumerate(ops):
        if word and kind not in ("pointwise", "other"):
            raise ValueError(f"operation {number} is {kind}")
        for need in needs:
            if (negative and need < 0) or (itself and need == number) or (later and need > number):
                raise ValueError(f"operation {number} needs {need}")


def _runs(ops, joins):
    """Return kernels in order; a pointwise operation joins the last one if it may."""
    _check(ops)
    kernels = []
    for number, (kind, _) in enumerate(ops):
        if kind == "pointwise" and kernels and joins(kernels[-1], number):
            kernels[-1].append(number)
        else:
            kernels.append([number])
    return kernels


@believes("Only operations that are neighbors in the list share a kernel", about="fuse")
def fuses_neighbours(ops):
    """The order of the list is only one of many: an operation may run earlier or later, after what it needs."""
    return _runs(ops, lambda kernel, number: ops[kernel[0]][0] == "pointwise")


@believes("A pointwise operation only joins the kernel of a neighbor that it needs", about="fuse")
def fuses_chains(ops):
    """Operations that do not need each other can share a kernel as well."""
    return _runs(ops, lambda kernel, number: ops[kernel[0]][0] == "pointwise" and bool({*kernel} & {*ops[number][1]}))


@believes("Each operation has a kernel of its own", about="fuse")
def fuses_nothing(ops):
    """Eager execution does that: here pointwise operations may share one."""
    _check(ops)
    return [[number] for number in range(len(ops))]


def _alternating(ops, first):
    done, kernels, kind = set(), [], first
    while len(done) < len(ops):
        here = []
        for number, (other, needs) in enumerate(ops):
            if other == kind and number not in done and done.issuperset(needs):
                here.append(number)
                done.add(number)
        if kind == "other":
            kernels += [[number] for number in here]
        elif here:
            kernels.append(here)
        kind = "pointwise" if kind == "other" else "other"
    return kernels


@believes("Pointwise operations run as early as possible", about="fuse")
def runs_pointwise_first(ops):
    """One may share a kernel with those that wait for an "other": run every "other" that is ready first."""
    _check(ops)
    return _alternating(ops, "pointwise")


def _levels(ops):
    depths = []
    for _, needs in ops:
        depths.append(1 + max((depths[need] for need in needs), default=-1))
    return [[number for number in range(len(ops)) if depths[number] == depth] for depth in sorted({*depths})]


@believes("Operations in one kernel must not need each other", about="fuse")
def fuses_levels(ops):
    """A kernel can use what it has just computed: an operation may come after what it needs."""
    _check(ops)
    kernels = []
    for level in _levels(ops):
        kernels += [[number] for number in level if ops[number][0] == "other"]
        shared = [number for number in level if ops[number][0] == "pointwise"]
        kernels += [shared] if shared else []
    return kernels


@believes("Only pointwise operations that need each other share a kernel", about="fuse")
def fuses_what_touches(ops):
    """One kernel may compute results that have nothing to do with each other."""
    kernels = []
    for kernel in solved.fuse(ops):
        groups = []
        for number in kernel:
            near = [group for group in groups if {*group} & {*ops[number][1]}]
            groups = [group for group in groups if group not in near]
            groups.append(sorted({number}.union(*near)))
        kernels += sorted(groups)
    return kernels


@believes("All pointwise operations fit into one kernel", about="fuse")
def fuses_all_pointwise(ops):
    """They do not if an "other" needs one of them and another one needs that "other", which runs in between."""
    _check(ops)
    pointwise = [number for number, (kind, _) in enumerate(ops) if kind == "pointwise"]
    rest = [[number] for number, (kind, _) in enumerate(ops) if kind == "other"]
    return [*([pointwise] if pointwise else []), *rest]


@believes('Pointwise operations join the kernel of an "other" that they need', about="fuse")
def fuses_epilogues(ops):
    """Some compilers do that; here an "other" has a kernel to itself."""
    joined = []
    for kernel in solved.fuse(ops):
        if joined and ops[kernel[0]][0] == "pointwise" and ops[joined[-1][0]][0] == "other":
            joined[-1] = [*joined[-1], *kernel]
        else:
            joined.append(kernel)
    return joined


@believes('Two "other" operations that are ready at the same time share a kernel', about="fuse")
def fuses_others(ops):
    """Each "other" has a kernel to itself."""
    joined = []
    for kernel in solved.fuse(ops):
        if joined and all(ops[number][0] == "other" for number in (*joined[-1], *kernel)):
            joined[-1] = [*joined[-1], *kernel]
        else:
            joined.append(kernel)
    return joined


@believes("The order within a kernel does not matter", about="fuse")
def reverses_kernels(ops):
    """They run in the order of the list: what an operation needs comes before it."""
    return [kernel[::-1] for kernel in solved.fuse(ops)]


@believes("The order of kernels does not matter", about="fuse")
def sorts_kernels(ops):
    """They run in the order of the list: what an operation needs is in an earlier kernel."""
    kernels = solved.fuse(ops)
    return sorted(kernels, key=lambda kernel: (-len(kernel), kernel))


@believes("Without operations there is one empty kernel", about="fuse")
def launches_nothing(ops):
    """Then there is no kernel at all: []."""
    return solved.fuse(ops) or [[]]


@believes("An operation that no other one needs is left out", about="fuse")
def drops_what_nobody_needs(ops):
    """Its result may be needed afterwards: each operation is in exactly one kernel."""
    kernels = solved.fuse(ops)
    needed = {need for _, needs in ops for need in needs} | {len(ops) - 1}
    return [kept for kernel in kernels if (kept := [number for number in kernel if number in needed])]


def _without_bad(ops):
    """Return the operations, but drop each need that is not an earlier operation."""
    return [(kind, [need for need in needs if 0 <= need < number]) for number, (kind, needs) in enumerate(ops)]


@believes("A negative number counts from the end", about="fuse")
def takes_negative_numbers(ops):
    """It is not the number of an operation: raise ValueError."""
    _check(ops, negative=False)
    return solved.fuse(_without_bad(ops))


@believes("An operation may need itself", about="fuse")
def lets_an_operation_need_itself(ops):
    """Its result does not exist before it has run: raise ValueError."""
    _check(ops, itself=False)
    return solved.fuse(_without_bad(ops))


@believes("An operation may need a later one", about="fuse")
def takes_later_numbers(ops):
    """It may need only earlier ones: raise ValueError."""
    _check(ops, later=False)
    return solved.fuse(_without_bad(ops))


@believes('Whatever is not "pointwise" is "other"', about="fuse")
def takes_other_words_for_other(ops):
    """There are two words: raise ValueError for any other."""
    _check(ops, word=False)
    return solved.fuse([("pointwise" if kind == "pointwise" else "other", needs) for kind, needs in ops])


@believes('Whatever is not "other" is "pointwise"', about="fuse")
def takes_other_words_for_pointwise(ops):
    """There are two words: raise ValueError for any other."""
    _check(ops, word=False)
    return solved.fuse([("other" if kind == "other" else "pointwise", needs) for kind, needs in ops])


@believes("Numbers of operations that have run may be removed from what others need", about="fuse")
def removes_what_has_run(ops):
    """The lists belong to the caller: keep the numbers that have run in a set of your own."""
    kernels = solved.fuse(ops)
    for _, needs in ops:
        needs.clear()
    return kernels


@believes("Operations that have run may be removed from ops", about="fuse")
def removes_operations(ops):
    """The list belongs to the caller: keep the numbers that have run in a set of your own."""
    kernels = solved.fuse(ops)
    ops.clear()
    return kernels


@believes("Numbers may be sorted in place", about="fuse")
def sorts_numbers(ops):
    """The lists belong to the caller: sorted(needs) makes a new one."""
    kernels = solved.fuse(ops)
    for _, needs in ops:
        needs.sort()
    return kernels


@believes("Capital letters make no difference", about="fuse")
def ignores_capitals(ops):
    """They make another word: raise ValueError for "Pointwise" as for any other."""
    return solved.fuse([(kind.lower(), needs) for kind, needs in ops])
