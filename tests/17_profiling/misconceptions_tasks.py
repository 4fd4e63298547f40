"""Wrong answers that people give to kata 17 about tasks that wait for each other."""

from typing import Any

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


def _order(tasks):
    """The names, each behind what it waits for."""
    solved.critical_path(tasks)  # raises what is to be raised
    order: Any = []
    while len(order) < len(tasks):
        order += [name for name, (_, before) in tasks.items() if name not in order and {*order} >= {*before}]
    return order


def _chain(tasks, choose):
    """Time and chain where of all that a task waits for, `choose` says which one it is behind."""
    found: Any = {}
    for name in _order(tasks):
        duration, before = tasks[name]
        time, chain = found[choose(before, found)] if before else (0, [])
        found[name] = time + duration, [*chain, name]
    return max(found.values(), key=lambda one: one[0], default=(0, []))


@believes("There is one worker", about="critical_path")
def works_alone(tasks):
    """Any number of workers: what waits for nothing else runs at the same time."""
    order = _order(tasks)
    return sum(tasks[name][0] for name in order), order


@believes("The chain with the most tasks takes longest", about="critical_path")
def counts_tasks(tasks):
    """Durations decide: three short tasks may take less than a long one."""
    chain = _chain({name: (1, before) for name, (_, before) in tasks.items()}, _latest)[1]
    return sum(tasks[name][0] for name in chain), chain


def _latest(before, found):
    return max(before, key=lambda name: found[name][0])


@believes("The longest task takes as long as all of them", about="critical_path")
def takes_the_longest_task(tasks):
    """It has to wait for others, and others for it."""
    order = _order(tasks)
    longest = max(order, key=lambda name: tasks[name][0], default=None)
    return (tasks[longest][0], [longest]) if order else (0, [])


@believes("Tasks are named in the order in which they can be done", about="critical_path")
def takes_names_in_order(tasks):
    """They come in any order: begin with those that wait for nothing."""
    _order(tasks)
    found: Any = {}
    for name, (duration, before) in tasks.items():
        time, chain = max((found.get(other, (0, [])) for other in before), default=(0, []))
        found[name] = time + duration, [*chain, name]
    return max(found.values(), default=(0, []))


@believes("A task starts when the first of those it waits for is done", about="critical_path")
def waits_for_the_first(tasks):
    """When the last of them is: it waits for all."""
    return _chain(tasks, lambda before, found: min(before, key=lambda name: found[name][0]))


@believes("The longest of the tasks before decides", about="critical_path")
def waits_for_the_longest(tasks):
    """The one that is done last does: a short one may have started late."""
    return _chain(tasks, lambda before, found: max(before, key=lambda name: tasks[name][0]))


@believes("The last task of the list is the one to wait for", about="critical_path")
def waits_for_the_last_of_the_list(tasks):
    """The one that is done last, wherever it stands."""
    return _chain(tasks, lambda before, found: before[-1])


@believes("The first task of the list is the one to wait for", about="critical_path")
def waits_for_the_first_of_the_list(tasks):
    """The one that is done last, wherever it stands."""
    return _chain(tasks, lambda before, found: before[0])


@believes("A chain is told from its end", about="critical_path")
def turns_the_chain_round(tasks):
    """It starts with the task that waits for nothing."""
    time, chain = solved.critical_path(tasks)
    return time, chain[::-1]


@believes("The last task is not part of the chain that leads to it", about="critical_path")
def leaves_the_end_out(tasks):
    """It takes time as well: the durations of the chain add up to the time."""
    time, chain = solved.critical_path(tasks)
    return time, chain[:-1]


@believes("The task that waits for nothing is where the chain comes from, and not in it", about="critical_path")
def leaves_the_start_out(tasks):
    """It takes time as well: the durations of the chain add up to the time."""
    time, chain = solved.critical_path(tasks)
    return time, chain[1:]


@believes("Asked for are all tasks, in the order in which they can be done", about="critical_path")
def returns_all_tasks(tasks):
    """One chain, of which each task waits for the one before it."""
    return solved.critical_path(tasks)[0], _order(tasks)


@believes("The task that is named last ends last", about="critical_path")
def ends_with_the_last_name(tasks):
    """Any of them may."""
    solved.critical_path(tasks)
    found: Any = {}
    for name in _order(tasks):
        duration, before = tasks[name]
        time, chain = max((found[other] for other in before), default=(0, []))
        found[name] = time + duration, [*chain, name]
    return found[list(tasks)[-1]] if tasks else (0, [])


@believes("All tasks that can start together have to be done before the next ones", about="critical_path")
def works_in_waves(tasks):
    """Each starts as soon as those are done that it names itself."""
    chain: Any
    done: Any
    time, chain, done = 0, [], set()
    _order(tasks)
    while len(done) < len(tasks):
        wave = [name for name, (_, before) in tasks.items() if name not in done and done >= {*before}]
        longest = max(wave, key=lambda name: tasks[name][0])
        time, chain, done = time + tasks[longest][0], [*chain, longest], done | {*wave}
    return time, chain


@believes("A list names all that has to be done before, what those wait for as well", about="critical_path")
def looks_one_task_back(tasks):
    """It names the tasks right before: those wait for others in turn."""
    _order(tasks)
    found = {}
    for name, (duration, before) in tasks.items():
        last = max(before, key=lambda other: tasks[other][0], default=None)
        found[name] = (duration, [name]) if last is None else (tasks[last][0] + duration, [last, name])
    return max(found.values(), key=lambda one: one[0], default=(0, []))


@believes("The time is a number of tasks", about="critical_path")
def returns_the_number_of_tasks(tasks):
    """It is the sum of the durations of the chain."""
    _, chain = solved.critical_path(tasks)
    return len(chain), chain


@believes("Every task takes a tick at least", about="critical_path")
def lengthens_what_takes_none(tasks):
    """A duration may be 0."""
    return solved.critical_path({name: (max(duration, 1), before) for name, (duration, before) in tasks.items()})


@believes("What is no task is done already", about="critical_path")
def takes_unknown_names_for_done(tasks):
    """A name that is no task is a mistake of whoever made the list: ValueError."""
    known = {name: (time, [other for other in before if other in tasks]) for name, (time, before) in tasks.items()}
    return solved.critical_path(known)


@believes("What can never start is left out", about="critical_path")
def leaves_circles_out(tasks):
    """Tasks that wait for themselves, directly or through others, raise ValueError."""
    unknown = {other for _, before in tasks.values() for other in before} - tasks.keys()
    return solved.critical_path(tasks if unknown else _possible(tasks))


def _possible(tasks):
    done: dict[str, Any] = {}
    while True:
        more = {name: one for name, one in tasks.items() if name not in done and done.keys() >= {*one[1]}}
        if not more:
            return done
        done |= more


@believes("A circle is a task that names itself", about="critical_path")
def finds_short_circles_alone(tasks):
    """It may go through others: then none of them can start, either."""
    if any(name in before for name, (_, before) in tasks.items()):
        raise ValueError("a task waits for itself")
    return leaves_circles_out(tasks)


@believes("There is a circle only where no task can start", about="critical_path")
def looks_for_a_start_alone(tasks):
    """Others may have a start, while some wait for each other."""
    if all(before for _, before in tasks.values()):
        return solved.critical_path(tasks)
    return leaves_circles_out(tasks)


@believes("No tasks have no path", about="critical_path")
def refuses_no_tasks(tasks):
    """They are done at once: (0, [])."""
    if not tasks:
        raise ValueError("no tasks")
    return solved.critical_path(tasks)


@believes("What is done may be taken out of the dict", about="critical_path")
def takes_tasks_out(tasks):
    """It is the caller's: work on a copy."""
    answer = solved.critical_path(tasks)
    tasks.clear()
    return answer


@believes("What is done may be taken out of the lists of those that wait", about="critical_path")
def empties_the_lists(tasks):
    """A copy of the dict still has the caller's lists in it."""
    answer = solved.critical_path(tasks)
    for _, before in tasks.values():
        before.clear()
    return answer
