"""Right answers to kata 20 about names: by owners, by counts, by running what is asked."""
# mypy: ignore-errors

import itertools
import weakref

import torch
from torch import Tensor

from dojo.judging.diagnose import answers

# peak_bytes


@answers("peak_bytes")
def peak_of_owners(events):
    owners = []
    best = 0
    for event in events:
        who = next((owner for owner in owners if event[1] in owner[1]), None)
        if event[0] == "new":
            if who is not None or event[2] < 0:
                raise ValueError("no")
            owners.append([event[2], {event[1]}])
        elif event[0] == "view":
            base = next((owner for owner in owners if event[2] in owner[1]), None)
            if who is not None or base is None:
                raise ValueError("no")
            base[1].add(event[1])
        elif event[0] == "del":
            if who is None:
                raise ValueError("no")
            who[1].remove(event[1])
        else:
            raise ValueError("no")
        best = max(best, sum(size for size, names in owners if names))
    return best


@answers("peak_bytes")
def peak_by_counts(events):
    current = peak = 0
    alive = {}
    for event in events:
        match event:
            case ("new", name, nbytes) if name not in alive and nbytes >= 0:
                alive[name] = [nbytes, 1]
                current += nbytes
            case ("view", name, of) if name not in alive and of in alive:
                alive[name] = alive[of]
                alive[of][1] += 1
            case ("del", name) if name in alive:
                box = alive.pop(name)
                box[1] -= 1
                current -= box[0] if box[1] == 0 else 0
            case _:
                raise ValueError(f"cannot happen: {event}")
        peak = max(current, peak)
    return peak


@answers("peak_bytes")
def peak_by_recursion(events):
    def rest(index, groups, peak):
        if index == len(events):
            return peak
        word, name, *more = events[index]
        mine = [group for group in groups if name in group[1]]
        others = [group for group in groups if name not in group[1]]
        if word == "del" and mine:
            names = mine[0][1] - {name}
            groups = [*others, (mine[0][0], names)] if names else others
        elif word == "new" and not mine and more[0] >= 0:
            groups = [*groups, (more[0], frozenset([name]))]
        elif word == "view" and not mine and any(more[0] in group[1] for group in groups):
            groups = [(size, names | {name} if more[0] in names else names) for size, names in groups]
        else:
            raise ValueError(word)
        return rest(index + 1, groups, max(peak, sum(size for size, _ in groups)))

    return rest(0, [], 0)


@answers("peak_bytes")
def peak_of_tensors(events):
    there, best = {}, 0
    for word, name, *rest in events:
        if word not in {"new", "view", "del"} or (word == "del") != (name in there):
            raise ValueError
        if word == "new":
            if rest[0] < 0:
                raise ValueError
            there[name] = torch.empty(rest[0], dtype=torch.int8, device="meta")
        elif word == "view":
            if rest[0] not in there:
                raise ValueError
            there[name] = there[rest[0]].view(-1)
        else:
            there.pop(name)
        best = max(
            best, sum({t.untyped_storage()._cdata: t.untyped_storage().nbytes() for t in there.values()}.values())
        )
    return best


# released


@answers("released")
def by_reference_counts(references, held):
    if any(name not in references for names in [held, *references.values()] for name in names):
        raise ValueError("no such object")
    counts = dict.fromkeys(references, 0)
    for name in itertools.chain(held, *references.values()):
        counts[name] += 1
    dead, queue = [], [name for name, count in counts.items() if count == 0]
    while queue:
        name = queue.pop()
        dead.append(name)
        for other in references[name]:
            counts[other] -= 1
            if counts[other] == 0:
                queue.append(other)
    live = set()

    def mark(name):
        if name not in live:
            live.add(name)
            for other in references[name]:
                mark(other)

    for name in held:
        mark(name)
    return sorted(dead), sorted(name for name in references if name not in dead and name not in live)


@answers("released")
def by_real_objects(references, held):
    class Thing:
        pass

    if not {*held, *(name for names in references.values() for name in names)} <= {*references}:
        raise ValueError("a name is missing")
    things = {name: Thing() for name in references}
    for name in references:
        things[name].others = [things[other] for other in references[name]]
    refs = {name: weakref.ref(things[name]) for name in references}
    kept = [things[name] for name in held]
    del things
    dead = [name for name in refs if refs[name]() is None]
    live, queue = set(), kept
    while queue:
        thing = queue.pop()
        if id(thing) not in live:
            live.add(id(thing))
            queue.extend(thing.others)
    waiting = [name for name in refs if refs[name]() is not None and id(refs[name]()) not in live]
    for thing in [refs[name]() for name in waiting]:
        thing.others = []
    return sorted(dead), sorted(waiting)


@answers("released")
def by_a_closure_of_pairs(references, held):
    pairs = {(a, b) for a, names in references.items() for b in names}
    if any(b not in references for _, b in pairs) or any(name not in references for name in held):
        raise ValueError("?")
    for middle in references:
        pairs |= {(a, b) for a, x in pairs if x == middle for y, b in pairs if y == middle}
    stays = {*held} | {b for a, b in pairs if a in held}
    rest = [name for name in references if name not in stays]
    loops = [name for name in rest if (name, name) in pairs]
    waits = {name for name in rest if name in loops or any((loop, name) in pairs for loop in loops)}
    return sorted({*rest} - waits), sorted(waits)


# overwritten


@answers("overwritten")
def by_running_them(program):
    run = {"product": torch.mul, "view": lambda t: t.view_as(t), "detach": torch.detach}
    run |= {"add": lambda t: t + 1, "mul": lambda t: 2 * t, "add_": lambda t: t.add_(1), "mul_": lambda t: t.mul_(2)}
    for name in ("sin", "cos", "square", "exp", "tanh", "sigmoid", "relu", "neg"):
        run[name], run[f"{name}_"] = getattr(torch, name), getattr(Tensor, f"{name}_")
    names, nodes = {"x": torch.zeros(1, requires_grad=True)}, []
    for index, (target, operation, *sources) in enumerate(program):
        if operation not in run or any(source not in names for source in sources):
            raise ValueError(operation)
        if operation.endswith("_") and target != sources[0]:
            raise ValueError(target)
        try:
            names[target] = run[operation](*(names[source] for source in sources))
        except RuntimeError as error:
            raise ValueError("torch refuses") from error
        if names[target].grad_fn is not None and operation not in ("view", "detach"):
            nodes.append((index, names[target].grad_fn))
    bad = []
    for index, node in nodes:
        for attribute in dir(node):
            if attribute.startswith("_saved"):
                try:
                    getattr(node, attribute)
                except RuntimeError:
                    bad.append(index)
                    break
    return bad


@answers("overwritten")
def by_last_writes(program):
    class Memory:
        last = -1

    class Name:
        def __init__(self, memory, grad, leaf=False):
            self.memory, self.grad, self.leaf = memory, grad, leaf

    inputs, results, others = "sin cos square".split(), "exp tanh sigmoid relu".split(), "neg add mul".split()
    names, notes = {"x": Name(Memory(), True, True)}, []
    for time, line in enumerate(program):
        target, operation, sources = line[0], line[1], line[2:]
        if not all(source in names for source in sources):
            raise ValueError(line)
        first = names[sources[0]]
        if operation[-1:] == "_" and operation[:-1] in inputs + results + others:
            if line[0] != line[2] or first.leaf:
                raise ValueError(line)
            first.memory.last = time
            if first.grad and operation[:-1] in results:
                notes.append((time, first.memory))
        elif operation == "product":
            second = names[sources[1]]
            notes += [(time, first.memory)] if second.grad else []
            notes += [(time, second.memory)] if first.grad else []
            names[target] = Name(Memory(), first.grad or second.grad)
        elif operation == "view":
            names[target] = Name(first.memory, first.grad, first.leaf)
        elif operation == "detach":
            names[target] = Name(first.memory, False)
        elif operation in inputs + results + others:
            names[target] = Name(Memory(), first.grad)
            if first.grad and operation in inputs:
                notes.append((time, first.memory))
            if first.grad and operation in results:
                notes.append((time, names[target].memory))
        else:
            raise ValueError(line)
    return sorted({time for time, memory in notes if memory.last > time})


@answers("overwritten")
def backwards_from_the_end(program):
    states = [{"x": ("leaf", True)}]
    known = {f"{name}{end}" for name in "sin cos square exp tanh sigmoid relu neg add mul".split() for end in ("", "_")}
    for number, (target, operation, *sources) in enumerate(program):
        now = states[-1]
        if any(source not in now for source in sources) or operation not in known | {"view", "detach", "product"}:
            raise ValueError(number)
        memory, grad = now[sources[0]]
        if operation.endswith("_"):
            if [target] != sources or now[target] == ("leaf", True):
                raise ValueError(number)
            states.append(now)
            continue
        if operation == "view":
            bound = memory, grad
        elif operation == "detach":
            bound = memory, False
        else:
            bound = number, any(now[source][1] for source in sources)
        states.append({**now, target: bound})
    written, found = set(), []
    for number in reversed(range(len(program))):
        target, operation, *sources = program[number]
        before, after = states[number], states[number + 1]
        saved = set()
        if operation == "product":
            first, second = sources
            saved |= {before[first][0]} if before[second][1] else set()
            saved |= {before[second][0]} if before[first][1] else set()
        elif before[sources[0]][1] and operation in ("sin", "cos", "square"):
            saved = {before[sources[0]][0]}
        elif before[sources[0]][1] and operation.rstrip("_") in ("exp", "tanh", "sigmoid", "relu"):
            saved = {after[target][0]}
        if saved & written:
            found.insert(0, number)
        if operation.endswith("_"):
            written.add(after[target][0])
    return found
