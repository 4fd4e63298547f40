"""Wrong answers that people give to kata 17 about tasks that wait for each other."""

from typing import Any

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


def _order(tasks):
    """Return the names, each after those that it waits for."""
    solved.critical_path(tasks)  # raises what is to be raised
    order: Any = []
    while len(order) < len(tasks):
        more = [name for name, (_, before) in tasks.items() if name not in order and {*order} >= {*before}]
        if not more:  # another belief, on which this one is put, may have let a circle through
            raise ValueError("tasks wait for each other")
        order += more
    return order


def _chain(tasks, choose):
    """Return time and chain if each task comes after the one that `choose` takes of those it waits for."""
    found: Any = {}
    for name in _order(tasks):
        duration, before = tasks[name]
        time, chain = found[choose(before, found)] if before else (0, [])
        found[name] = time + duration, [*chain, name]
    return max(found.values(), key=lambda one: one[0], default=(0, []))


@believes("There is one worker", about="critical_path")
def works_alone(tasks):
    """There are any number: tasks that do not wait for each other run at the same time."""
    order = _order(tasks)
    return sum(tasks[name][0] for name in order), order


@believes("There is one worker", about="critical_path")
def works_alone_on_what_is_asked_for(tasks):
    """There are any number: tasks that do not wait for each other run at the same time."""
    solved.critical_path(tasks)
    order: Any = []

    def do(name):
        if name not in order:
            for other in tasks[name][1]:
                do(other)
            order.append(name)

    for name in tasks:
        do(name)
    return sum(tasks[name][0] for name in order), order


@believes("The chain with the most tasks takes the longest", about="critical_path")
def counts_tasks(tasks):
    """Durations decide: three short tasks may take less than a long one."""
    chain = _chain({name: (1, before) for name, (_, before) in tasks.items()}, _latest)[1]
    return sum(tasks[name][0] for name in chain), chain


def _latest(before, found):
    return max(before, key=lambda name: found[name][0])


@believes("The time is that of the longest task", about="critical_path")
def takes_the_longest_task(tasks):
    """It may wait for others, and others for it: durations along a chain add up."""
    order = _order(tasks)
    longest = max(order, key=lambda name: tasks[name][0], default=None)
    return (tasks[longest][0], [longest]) if order else (0, [])


@believes("Names are in an order in which the tasks can be done", about="critical_path")
def takes_names_in_order(tasks):
    """They come in any order: begin with tasks that wait for nothing."""
    _order(tasks)
    found: Any = {}
    for name, (duration, before) in tasks.items():
        time, chain = max((found.get(other, (0, [])) for other in before), default=(0, []))
        found[name] = time + duration, [*chain, name]
    return max(found.values(), default=(0, []))


@believes("A task starts when the first of the tasks before it is done", about="critical_path")
def waits_for_the_first(tasks):
    """It starts when the last of them is."""
    return _chain(tasks, lambda before, found: min(before, key=lambda name: found[name][0]))


@believes("A task starts when the longest of the tasks before it is done", about="critical_path")
def waits_for_the_longest(tasks):
    """It starts when the last of them is done, which may be a short one that started late."""
    return _chain(tasks, lambda before, found: max(before, key=lambda name: tasks[name][0]))


@believes("A task starts when the last one in its list is done", about="critical_path")
def waits_for_the_last_of_the_list(tasks):
    """It starts when all of them are done, wherever they are in the list."""
    return _chain(tasks, lambda before, found: before[-1])


@believes("A task starts when the first one in its list is done", about="critical_path")
def waits_for_the_first_of_the_list(tasks):
    """It starts when all of them are done, wherever they are in the list."""
    return _chain(tasks, lambda before, found: before[0])


@believes("The chain begins with the task that ends last", about="critical_path")
def turns_the_chain_round(tasks):
    """It begins with the task that waits for nothing."""
    time, chain = solved.critical_path(tasks)
    return time, chain[::-1]


@believes("The last task is not in the chain", about="critical_path")
def leaves_the_end_out(tasks):
    """It takes time too: the durations in the chain add up to the time."""
    time, chain = solved.critical_path(tasks)
    return time, chain[:-1]


@believes("The task that waits for nothing is not in the chain", about="critical_path")
def leaves_the_start_out(tasks):
    """It takes time too: the durations in the chain add up to the time."""
    time, chain = solved.critical_path(tasks)
    return time, chain[1:]


@believes("The result lists all tasks", about="critical_path")
def returns_all_tasks(tasks):
    """It is one chain, in which each task waits for the one before it."""
    return solved.critical_path(tasks)[0], _order(tasks)


@believes("The last name ends last", about="critical_path")
def ends_with_the_last_name(tasks):
    """Any task may end last."""
    solved.critical_path(tasks)
    found: Any = {}
    for name in _order(tasks):
        duration, before = tasks[name]
        time, chain = max((found[other] for other in before), default=(0, []))
        found[name] = time + duration, [*chain, name]
    return found[list(tasks)[-1]] if tasks else (0, [])


@believes("Tasks run in waves, and each wave waits for all of the last one", about="critical_path")
def works_in_waves(tasks):
    """Each task starts as soon as the tasks in its own list are done."""
    chain: Any
    done: Any
    time, chain, done = 0, [], set()
    _order(tasks)
    while len(done) < len(tasks):
        wave = [name for name, (_, before) in tasks.items() if name not in done and done >= {*before}]
        longest = max(wave, key=lambda name: tasks[name][0])
        time, chain, done = time + tasks[longest][0], [*chain, longest], done | {*wave}
    return time, chain


@believes("A list has all tasks that come before, even indirectly", about="critical_path")
def looks_one_task_back(tasks):
    """It has only those directly before: they wait for others in turn."""
    _order(tasks)
    found = {}
    for name, (duration, before) in tasks.items():
        last = max(before, key=lambda other: tasks[other][0], default=None)
        found[name] = (duration, [name]) if last is None else (tasks[last][0] + duration, [last, name])
    return max(found.values(), key=lambda one: one[0], default=(0, []))


@believes("The time is the number of tasks", about="critical_path")
def returns_the_number_of_tasks(tasks):
    """It is the sum of the durations in the chain."""
    _, chain = solved.critical_path(tasks)
    return len(chain), chain


@believes("Every task takes at least 1", about="critical_path")
def lengthens_what_takes_none(tasks):
    """A duration may be 0."""
    return solved.critical_path({name: (max(duration, 1), before) for name, (duration, before) in tasks.items()})


@believes("A name that is not a task is already done", about="critical_path")
def takes_unknown_names_for_done(tasks):
    """Such a name is the caller's mistake: raise ValueError."""
    known = {name: (time, [other for other in before if other in tasks]) for name, (time, before) in tasks.items()}
    return solved.critical_path(known)


@believes("Tasks that wait for each other are left out", about="critical_path")
def leaves_circles_out(tasks):
    """They can never be done: raise ValueError."""
    unknown = {other for _, before in tasks.values() for other in before} - tasks.keys()
    return solved.critical_path(tasks if unknown else _possible(tasks))


def _possible(tasks):
    done: dict[str, Any] = {}
    while True:
        more = {name: one for name, one in tasks.items() if name not in done and done.keys() >= {*one[1]}}
        if not more:
            return done
        done |= more


@believes("Only a task that names itself waits for itself", about="critical_path")
def finds_short_circles_alone(tasks):
    """It may also wait for itself through others: raise ValueError."""
    if any(name in before for name, (_, before) in tasks.items()):
        raise ValueError("a task waits for itself")
    return leaves_circles_out(tasks)


@believes("There is a cycle only if no task can start", about="critical_path")
def looks_for_a_start_alone(tasks):
    """Some tasks may be able to start while others wait for each other: raise ValueError."""
    if all(before for _, before in tasks.values()):
        return solved.critical_path(tasks)
    return leaves_circles_out(tasks)


@believes("Around a cycle the time keeps growing", about="critical_path")
def waits_until_times_stop_growing(tasks):
    """It does not if its tasks take no time: look for the cycle, not for its time."""
    if {other for _, before in tasks.values() for other in before} - tasks.keys():
        raise ValueError("an unknown name")
    done: dict[str, int] = dict.fromkeys(tasks, 0)
    for _ in range(len(tasks) + 1):
        later = {
            name: time + max((done[other] for other in before), default=0) for name, (time, before) in tasks.items()
        }
        if later == done:
            break
        done = later
    else:
        raise ValueError("a task waits for itself")
    if not tasks:
        return 0, []
    chain = [max(done, key=lambda name: done[name])]
    while tasks[chain[0]][1] and len(chain) < len(tasks):
        chain.insert(0, max(tasks[chain[0]][1], key=lambda name: done[name]))
    return max(done.values()), chain


@believes("Without tasks there is an error", about="critical_path")
def refuses_no_tasks(tasks):
    """They are done at once: the result is (0, [])."""
    if not tasks:
        raise ValueError("no tasks")
    return solved.critical_path(tasks)


@believes("Tasks that are done may be removed from the dict", about="critical_path")
def takes_tasks_out(tasks):
    """It belongs to the caller: work on a copy."""
    answer = solved.critical_path(tasks)
    tasks.clear()
    return answer


@believes("Tasks that are done may be removed from the lists", about="critical_path")
def empties_the_lists(tasks):
    """A copy of the dict still has the caller's lists in it: copy them too."""
    answer = solved.critical_path(tasks)
    for _, before in tasks.values():
        before.clear()
    return answer


@believes("Where an error is raised, the lists may have been emptied", about="critical_path")
def empties_lists_of_what_it_refuses(tasks):
    """Whoever catches the error goes on with the tasks: take names out of copies of the lists."""
    try:
        return solved.critical_path(tasks)
    except ValueError:
        done, unknown = _possible(tasks), {other for _, before in tasks.values() for other in before} - tasks.keys()
        for _, before in tasks.values():
            before[:] = before if unknown else [name for name in before if name not in done]
        raise


path: list[str] = []


@believes("One list is enough for all calls", about="critical_path")
def fills_one_chain(tasks):
    """The next call would change what the last one returned: make a new list in each call."""
    time, path[:] = solved.critical_path(tasks)
    return time, path
