"""Right answers to kata 22 about programs, kernels and tiles, counted in integers."""
# mypy: ignore-errors

import functools
import itertools
from collections import Counter

from dojo.judging.diagnose import answers

# eager_bytes


@answers("eager_bytes")
def eager_bytes_by_recursion(program, numel, itemsize, known=frozenset()):
    match program:
        case []:
            return 0
        case [(name, inputs), *rest]:
            here = known | {*inputs}
            if not inputs or name in here:
                raise ValueError(name)
            tail = eager_bytes_by_recursion(rest, numel, itemsize, here | {name})
            return itemsize * numel * len({*inputs, name}) + tail


@answers("eager_bytes")
def eager_bytes_by_places(program, numel, itemsize):
    first = {}
    for place, (name, inputs) in enumerate(program):
        for one in inputs:
            first.setdefault(one, place)
        if name in first and first[name] <= place:
            raise ValueError(f"{name} is there already")
        first[name] = place
    if min((len(inputs) for _, inputs in program), default=1) < 1:
        raise ValueError("made of nothing")
    reads = Counter(one for _, inputs in program for one in dict.fromkeys(inputs))
    return (reads.total() + len(program)) * (numel * itemsize)


@answers("eager_bytes")
def eager_bytes_by_pairs(program, numel, itemsize):
    for (name, inputs), (other, read) in itertools.combinations_with_replacement(program[::-1], 2):
        if name in read or (name == other and inputs is not read) or not read:
            raise ValueError("no program")
    if any(program.count(one) > 1 for one in program):
        raise ValueError("twice")
    total = 0
    for _, inputs in program:
        total += itemsize * numel
        for place, one in enumerate(inputs):
            total += 0 if one in inputs[:place] else itemsize * numel
    return total


# fused_bytes


def _checked(program):
    known = set()
    for name, inputs in program:
        known |= {*inputs}
        if name in known or not len(inputs):
            raise ValueError(name)
        known.add(name)
    return dict(program)


@answers("fused_bytes")
def fused_bytes_by_leaves(program, outputs, numel, itemsize):
    made = _checked(program)
    if not all(name in made for name in outputs):
        raise ValueError("nobody makes it")

    @functools.cache
    def leaves(name):
        return frozenset().union(*map(leaves, made[name])) if name in made else frozenset({name})

    read = frozenset().union(*map(leaves, outputs))
    return itemsize * numel * (len(read) + len(frozenset(outputs)))


@answers("fused_bytes")
def fused_bytes_by_a_stack(program, outputs, numel, itemsize):
    made = _checked(program)
    stack, met, tensors = [*outputs], set(), 0
    while stack:
        name = stack.pop()
        if name in met:
            continue
        met.add(name)
        if name in made:
            stack += made[name]
        elif name in outputs:
            raise ValueError(name)
        else:
            tensors += 1
    for place, name in enumerate(outputs):
        tensors += name not in outputs[:place]
    return tensors * numel * itemsize


@answers("fused_bytes")
def fused_bytes_until_nothing_changes(program, outputs, numel, itemsize):
    made = _checked(program)
    if {*outputs}.difference(made):
        raise ValueError("an unknown output")
    needed, before = {*outputs}, None
    while needed != before:
        before = {*needed}
        needed |= {one for name in before for one in made.get(name, ())}
    return len([name for name in needed if name not in made] + sorted({*outputs})) * itemsize * numel


# fuse


def _valid(ops):
    for number, (kind, needs) in enumerate(ops):
        if kind != "pointwise" and kind != "other":
            raise ValueError(kind)
        if any(need not in range(number) for need in needs):
            raise ValueError(needs)


@answers("fuse")
def fuse_by_turns(ops):
    _valid(ops)
    left, kernels = dict(enumerate(ops)), []

    def ready(kind, more=()):
        return [
            number
            for number, (other, needs) in left.items()
            if other == kind and all(need not in left or need in more for need in needs) and number not in more
        ]

    while left:
        while alone := ready("other"):
            kernels.append([alone[-1]])
            del left[alone[-1]]
        shared = []
        while more := ready("pointwise", shared):
            shared += more
        for number in shared:
            del left[number]
        kernels += [shared] if shared else []
    return kernels


@answers("fuse")
def fuse_by_searching(ops):
    _valid(ops)
    every = (1 << len(ops)) - 1
    needs = [sum(1 << need for need in {*before}) for _, before in ops]
    paths = {0: []}
    while every not in paths:
        longer = {}
        for done, kernels in paths.items():
            shared, after = [], done
            for number, (kind, _) in enumerate(ops):
                if done >> number & 1 or needs[number] & ~after:
                    continue
                if kind == "pointwise":
                    shared.append(number)
                    after |= 1 << number
                elif not needs[number] & ~done:
                    longer.setdefault(done | 1 << number, [*kernels, [number]])
            if shared:
                longer.setdefault(after, [*kernels, shared])
        paths = longer
    return paths[every]


@answers("fuse")
def fuse_from_the_end(ops):
    """As late as possible, from the last kernel to the first."""
    _valid(ops)
    users = {number: {user for user, (_, needs) in enumerate(ops) if number in needs} for number in range(len(ops))}
    done, kernels = set(), []
    while len(done) < len(ops):
        for number in reversed(range(len(ops))):
            if ops[number][0] == "other" and number not in done and users[number] <= done:
                kernels.insert(0, [number])
                done.add(number)
        shared = []
        for number in reversed(range(len(ops))):
            if ops[number][0] == "pointwise" and number not in done and users[number] <= done | {*shared}:
                shared.insert(0, number)
        if shared:
            kernels.insert(0, shared)
            done |= {*shared}
    return kernels


# tiled_matmul_bytes


@answers("tiled_matmul_bytes")
def tiled_matmul_bytes_by_kinds_of_tiles(m, k, n, block_m, block_n, itemsize):
    if block_m <= 0 or block_n <= 0:
        raise ValueError("no tile")
    total = 0
    for rows, times in ((block_m, m // block_m), (m % block_m, 1)):
        for columns, more in ((block_n, n // block_n), (n % block_n, 1)):
            if rows and columns:
                total += times * more * itemsize * (rows * k + k * columns + rows * columns)
    return total


@answers("tiled_matmul_bytes")
def tiled_matmul_bytes_by_ranges(m, k, n, block_m, block_n, itemsize):
    if not (block_m >= 1 <= block_n):
        raise ValueError((block_m, block_n))
    down, across = len(range(0, m, block_m)), len(range(0, n, block_n))
    return itemsize * sum((m * k * across, k * n * down, m * n))


@answers("tiled_matmul_bytes")
def tiled_matmul_bytes_by_divmod(m, k, n, block_m, block_n, itemsize):
    if block_m < 1:
        raise ValueError("rows")
    if block_n < 1:
        raise ValueError("columns")

    def parts(size, block):
        whole, rest = divmod(size, block)
        return whole + bool(rest)

    return m * k * parts(n, block_n) * itemsize + n * k * parts(m, block_m) * itemsize + n * m * itemsize
