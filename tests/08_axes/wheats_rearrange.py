"""Right answers to kata 08 about patterns of axes, in styles that the solution does not use."""
# mypy: ignore-errors

import functools
import io
import itertools
import math
import operator
import re
import tokenize
from collections import Counter

import torch

from dojo.judging.diagnose import answers

# Three ways to read a side, as a list of dimensions: a tuple of names each, "..." among them; and dots alone as "...".


def _letter_by_letter(side):
    dims, inside, word = [], None, ""
    for letter in side + " ":
        if letter in " ()":
            if word:
                if inside is None:
                    dims.append("..." if word == "..." else (word,))
                else:
                    inside += (word,)
                word = ""
            if letter == "(":
                if inside is not None:
                    raise ValueError("nested")
                inside = ()
            elif letter == ")":
                if inside is None:
                    raise ValueError("closed twice")
                dims.append(inside)
                inside = None
        else:
            word += letter
    if inside is not None:
        raise ValueError("left open")
    return dims


NAME = r"(?:[A-Za-z]\w*|1|\.\.\.)"
SIDE = re.compile(rf" *(?:{NAME}(?= |\(|$) *|\( *(?:{NAME}(?= |\)) *)*\) *)*")


def _by_grammar(side):
    if not SIDE.fullmatch(side):
        raise ValueError(f"not a side: {side}")
    found = re.findall(r"\(([^)]*)\)|([^\s()]+)", side)
    return ["..." if alone == "..." else tuple((alone or group).split()) for group, alone in found]


def _by_tokens(side):
    """As Python itself would cut it."""
    dims, depth = [], 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(side.strip()).readline):
            match token.string:
                case "(":
                    depth += 1
                    dims.append(())
                case ")":
                    depth -= 1
                case "" | "\n":
                    continue
                case word if depth:
                    dims[-1] += (word,)
                case "...":
                    dims.append("...")
                case word:
                    dims.append((word,))
            if depth not in (0, 1):
                raise ValueError("parentheses")
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError(str(error)) from error
    return dims


def _once(dims):
    counts = Counter(word for dim in dims for word in ((dim,) if dim == "..." else dim) if word != "1")
    if counts and max(counts.values()) > 1:
        raise ValueError("twice")
    return [*counts]


def _sizes(dims, shape, sizes):
    if len(dims) != len(shape) or any("..." in dim for dim in dims):
        raise ValueError("another number of dimensions")
    found = {}
    for dim, size in zip(dims, shape, strict=True):
        names = [name for name in dim if name != "1"]
        known = functools.reduce(operator.mul, (sizes[name] for name in names if name in sizes), 1)
        match [name for name in names if name not in sizes]:
            case []:
                if known != size:
                    raise ValueError("contradiction")
            case [name] if size % known == 0:
                found[name] = size // known
            case _:
                raise ValueError("unknown")
        found |= {name: sizes[name] for name in names if name in sizes}
    if set(sizes) - set(found):
        raise ValueError("no such name")
    return found


def _pattern(read, pattern, shape, sizes, *, may_lose=False, may_gain=False):
    """Left and right as groups of names, dots spelled out; and the size of every name."""
    try:
        left, right = map(read, pattern.split("->"))
    except TypeError as error:
        raise ValueError(pattern) from error
    mine, theirs = _once(left), _once(right)
    lost, new = [n for n in mine if n not in theirs], [n for n in theirs if n not in mine]
    if (lost and not may_lose) or (new and not may_gain) or "..." in new or [n for n in new if n not in sizes]:
        raise ValueError("on one side alone")
    if any(dim != "..." and "..." in dim for dim in left):
        raise ValueError("dots in a group")
    rest = [f"dim {place}" for place in range(len(shape) - len(left) + 1)]

    def spelled(dims):
        for dim in dims:
            if dim == "...":
                yield from ((name,) for name in rest)
            else:
                yield tuple(n for word in dim for n in (rest if word == "..." else [word]) if n != "1")

    left, right = [*spelled(left)], [*spelled(right)]
    found = _sizes(left, shape, {name: size for name, size in sizes.items() if name not in new})
    return left, right, found | {name: sizes[name] for name in new}


def _shape(dims, found):
    return [math.prod(found[name] for name in dim) for dim in dims]


# axis_sizes


@answers("axis_sizes")
def axis_sizes_letter_by_letter(names, shape, sizes):
    dims = _letter_by_letter(names)
    _once(dims)
    return _sizes(dims, shape, sizes)


@answers("axis_sizes")
def axis_sizes_by_grammar(names, shape, sizes):
    dims = _by_grammar(names)
    _once(dims)
    return dict(sorted(_sizes(dims, shape, sizes).items()))


@answers("axis_sizes")
def axis_sizes_by_tokens(names, shape, sizes):
    dims = _by_tokens(names)
    unknown = set(_once(dims)) - set(sizes)
    if "..." in unknown or not set(sizes) <= set(_once(dims)):
        raise ValueError(names)
    # Every unknown name by trial: 0, and whatever divides.
    found = dict(sizes)
    for dim, size in itertools.zip_longest(dims, shape):
        if dim is None or size is None:
            raise ValueError("rank")
        open_names = [name for name in dim if name in unknown]
        if len(open_names) > 1:
            raise ValueError("two")
        fits = False
        for guess in [size // math.prod(found[n] for n in dim if n not in ("1", *open_names))]:
            trial = found | dict.fromkeys(open_names, guess)
            fits = math.prod(trial[n] for n in dim if n != "1") == size
            found = trial
        if not fits:
            raise ValueError("does not fit")
    return found


# rearrange_shape


@answers("rearrange_shape")
def rearrange_shape_by_grammar(pattern, shape, sizes):
    _, right, found = _pattern(_by_grammar, pattern, shape, sizes)
    return tuple(_shape(right, found))


@answers("rearrange_shape")
def rearrange_shape_on_meta(pattern, shape, sizes):
    """What torch makes of a tensor that takes no memory; a torch.Size is a tuple."""
    left, right, found = _pattern(_by_tokens, pattern, shape, sizes)
    names = [name for dim in left for name in dim]
    x = torch.empty(shape, dtype=torch.bool, device="meta").reshape([found[name] for name in names])
    return x.permute([names.index(name) for dim in right for name in dim]).reshape(_shape(right, found)).shape


@answers("rearrange_shape")
def rearrange_shape_by_recursion(pattern, shape, sizes):
    _, right, found = _pattern(_letter_by_letter, pattern, shape, sizes)

    def product(names):
        return found[names[0]] * product(names[1:]) if names else 1

    def rest(dims):
        return (product(dims[0]), *rest(dims[1:])) if dims else ()

    return rest(right)


# rearrange, reduce and repeat: by the index of each number, by torch's own words, and one dimension at a time


def _gathered(x, left, right, found):
    """For each number of the result, those of x: by counting."""
    names = [name for dim in right for name in dim]
    lost = [name for name in found if name not in names]
    order = [*names, *lost]
    place = torch.zeros([found[name] for name in order], dtype=torch.int64, device=x.device)
    step = 1
    for name in reversed([name for dim in left for name in dim]):
        at = order.index(name)
        counter = torch.arange(found[name], device=x.device) * step
        place = place + counter.reshape([-1 if at == here else 1 for here in range(len(order))] or [1]).reshape(
            [found[name] if at == here else 1 for here in range(len(order))]
        )
        step *= max(found[name], 1)
    width = math.prod(found[name] for name in lost)
    flat = x.contiguous().view(math.prod(x.shape))
    return flat[place.reshape(math.prod(found[name] for name in names), width)]


@answers("rearrange")
def rearrange_by_counting(x, pattern, sizes):
    left, right, found = _pattern(_letter_by_letter, pattern, x.shape, sizes)
    return _gathered(x, left, right, found).reshape(_shape(right, found))


@answers("rearrange")
def rearrange_by_words_of_torch(x, pattern, sizes):
    left, right, found = _pattern(_by_grammar, pattern, tuple(x.shape), sizes)
    for place in reversed(range(len(left))):
        dim = left[place]
        x = x.unflatten(place, [found[name] for name in dim]) if dim else x.squeeze(place)
    names, goal = ([name for dim in dims for name in dim] for dims in (left, right))
    x = torch.movedim(x, [names.index(name) for name in goal], [*range(len(goal))]) if goal else x
    for place, dim in enumerate(right):
        x = x.flatten(place, place + len(dim) - 1) if dim else x.unsqueeze(place)
    return x


@answers("rearrange")
def rearrange_by_swaps(x, pattern, sizes):
    left, right, found = _pattern(_by_tokens, pattern, x.size(), sizes)
    names = [name for dim in left for name in dim]
    x = x.reshape([found[name] for name in names])
    for place, name in enumerate(name for dim in right for name in dim):
        other = names.index(name)
        x = x.transpose(place, other)
        names[place], names[other] = names[other], names[place]
    return x.clone(memory_format=torch.contiguous_format).view(_shape(right, found))


OPS = {
    "sum": lambda x: x.sum(1),
    "mean": lambda x: x.mean(1),
    "max": lambda x: x.max(1).values,
    "min": lambda x: -(-x).max(1).values,
}


@answers("reduce")
def reduce_by_counting(x, pattern, op, sizes):
    if op not in OPS:
        raise ValueError(op)
    left, right, found = _pattern(_letter_by_letter, pattern, x.shape, sizes, may_lose=True)
    return OPS[op](_gathered(x, left, right, found)).reshape(_shape(right, found))


@answers("reduce")
def reduce_one_dimension_at_a_time(x, pattern, op, sizes):
    left, right, found = _pattern(_by_grammar, pattern, tuple(x.shape), sizes, may_lose=True)
    try:
        how = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax, "min": torch.amin}[op]
    except KeyError:
        raise ValueError(f"no {op}") from None
    names = [name for dim in left for name in dim]
    x = x.reshape([found[name] for name in names])
    goal = [name for dim in right for name in dim]
    while lost := [name for name in names if name not in goal]:
        x = how(x, names.index(lost[-1]))
        names.remove(lost[-1])
    return x.permute([names.index(name) for name in goal]).reshape(_shape(right, found))


@answers("reduce")
def reduce_the_last_dimension(x, pattern, op, sizes):
    left, right, found = _pattern(_by_tokens, pattern, x.shape, sizes, may_lose=True)
    names, goal = ([name for dim in dims for name in dim] for dims in (left, right))
    order = goal + [name for name in names if name not in goal]
    x = x.reshape([found[name] for name in names]).permute([names.index(name) for name in order])
    count = math.prod(found[name] for name in order[len(goal) :])
    x = x.reshape([*_shape(right, found), count])
    if op == "sum":
        return x @ x.new_ones(count)
    if op == "mean":
        return (x @ x.new_ones(count)) / count if count else x.sum(-1) * math.nan
    if op in ("max", "min"):
        return getattr(x.sort(dim=-1, descending=op == "max").values, "select")(-1, 0)
    raise ValueError(op)


@answers("repeat")
def repeat_by_counting(x, pattern, sizes):
    left, right, found = _pattern(_letter_by_letter, pattern, x.shape, sizes, may_gain=True)
    return _gathered(x, left, right, found).reshape(_shape(right, found))


@answers("repeat")
def repeat_by_stacking(x, pattern, sizes):
    left, right, found = _pattern(_by_grammar, pattern, tuple(x.shape), sizes, may_gain=True)
    names = [name for dim in left for name in dim]
    x = x.reshape([found[name] for name in names])
    for name in (name for dim in right for name in dim):
        if name not in names:
            x = torch.stack([x for _ in range(found[name])], dim=-1)
            names = [*names, name]
    return x.permute([names.index(name) for dim in right for name in dim]).reshape(_shape(right, found))


@answers("repeat")
def repeat_by_products_with_ones(x, pattern, sizes):
    left, right, found = _pattern(_by_tokens, pattern, x.shape, sizes, may_gain=True)
    names, goal = ([name for dim in dims for name in dim] for dims in (left, right))
    x = x.reshape([found[name] for name in names]).permute([names.index(n) for n in goal if n in names])
    x = x.reshape([found[name] if name in names else 1 for name in goal])
    return (x * x.new_ones([1 if name in names else found[name] for name in goal])).reshape(_shape(right, found))
