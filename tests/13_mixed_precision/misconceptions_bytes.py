"""Wrong answers that people give to kata 13 about the bytes of a recipe."""

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


def _counted(num_params, recipe, states, **other):
    """Answer as the solution does, except for recipes with other bytes: (weight, gradient and master; each state)."""
    right = solved.training_bytes(num_params, recipe, states)
    if recipe not in other:
        return right
    fixed, state = other[recipe]
    return num_params * (fixed + state * states)


@believes("Autocast keeps its weights in 16 bits", about="training_bytes")
def narrow_weights_of_autocast(num_params, recipe, states=2):
    """The weights are float32; only a copy of them is narrow, from the forward to the backward pass."""
    return _counted(num_params, recipe, states, autocast=(2 + 4, 4))


@believes("Under autocast, weights and gradients are narrow between two steps", about="training_bytes")
def narrow_everything_of_autocast(num_params, recipe, states=2):
    """The weights are float32, and so are their gradients once the backward pass has reached the weights."""
    return _counted(num_params, recipe, states, autocast=(2 + 2, 4))


@believes("Autocast keeps its narrow copies between steps", about="training_bytes")
def copies_that_stay(num_params, recipe, states=2):
    """They live from the forward to the backward pass; between two steps they are gone."""
    return _counted(num_params, recipe, states, autocast=(4 + 4 + 2, 4))


@believes("Mixed precision halves all of the memory", about="training_bytes")
def autocast_as_bfloat16(num_params, recipe, states=2):
    """Autocast saves activations and time: weights, gradients and states are float32 as before."""
    return solved.training_bytes(num_params, "bfloat16" if recipe == "autocast" else recipe, states)


@believes("The optimizer of master weights keeps narrow states", about="training_bytes")
def narrow_states_of_masters(num_params, recipe, states=2):
    """The optimizer has only the masters, which are float32, so its states are float32 as well."""
    return _counted(num_params, recipe, states, master=(2 + 2 + 4, 2))


@believes("Gradients of narrow weights are float32", about="training_bytes")
def wide_gradients_of_masters(num_params, recipe, states=2):
    """A gradient has the dtype of its weight, bfloat16; only in the step do the masters get a float32 copy."""
    return _counted(num_params, recipe, states, master=(2 + 4 + 4, 4))


@believes("Masters take the place of the narrow weights", about="training_bytes")
def masters_alone(num_params, recipe, states=2):
    """Both are there: the model runs on the narrow ones, the optimizer moves the wide ones."""
    return _counted(num_params, recipe, states, master=(2 + 4, 4))


@believes("Masters are one of the optimizer's states", about="training_bytes")
def masters_among_the_states(num_params, recipe, states=2):
    """Masters are kept in addition to the optimizer's states, even with plain SGD, which has none."""
    return _counted(num_params, recipe, states, master=(2 + 2, 4))


@believes("An optimizer keeps float32 whatever its weights are", about="training_bytes")
def wide_states_of_bfloat16(num_params, recipe, states=2):
    """A state has the dtype of its weight: bfloat16 weights have bfloat16 states."""
    return _counted(num_params, recipe, states, bfloat16=(2 + 2, 4))


@believes("Gradients are gone between two steps", about="training_bytes")
def no_gradients(num_params, recipe, states=2):
    """They are kept until they are cleared, and are as large as the weights."""
    return _counted(num_params, recipe, states, float32=(4, 4), bfloat16=(2, 2), autocast=(4, 4), master=(6, 4))


@believes("Every optimizer keeps two numbers per parameter, as AdamW does", about="training_bytes")
def always_two_states(num_params, recipe, states=2):
    """Plain SGD keeps none, SGD with momentum one, and amsgrad three: `states` says how many."""
    return solved.training_bytes(num_params, recipe, 2 if states >= 0 else states)


@believes("A float can hold a count of bytes", about="training_bytes")
def floats(num_params, recipe, states=2):
    """Beyond 2**53, a float cannot hold every integer: compute with ints."""
    each = solved.training_bytes(1, recipe, states)
    return int(float(num_params) * each) if num_params >= 0 else solved.training_bytes(num_params, recipe, states)


@believes("An unknown recipe means float32", about="training_bytes")
def any_recipe(num_params, recipe, states=2):
    """A typo would go unnoticed: raise ValueError."""
    known = recipe in ("float32", "bfloat16", "autocast", "master")
    return solved.training_bytes(num_params, recipe if known else "float32", states)


@believes("A recipe may be written in capitals", about="training_bytes")
def any_capitals(num_params, recipe, states=2):
    """The names are spelled exactly as listed: raise ValueError for any other."""
    return solved.training_bytes(num_params, recipe.lower(), states)


@believes("A negative num_params need not be checked", about="training_bytes")
def negative_parameters(num_params, recipe, states=2):
    """A negative number of parameters is a mistake: raise ValueError."""
    size = solved.training_bytes(abs(num_params), recipe, states)
    return size if num_params >= 0 else -size


@believes("A negative number of states need not be checked", about="training_bytes")
def negative_states(num_params, recipe, states=2):
    """A negative number of states is a mistake: raise ValueError."""
    none, one = (solved.training_bytes(num_params, recipe, count) for count in (0, 1))
    return none + states * (one - none)


@believes("num_params is at least 1", about="training_bytes")
def refuses_no_parameters(num_params, recipe, states=2):
    """0 parameters are allowed, and take 0 bytes."""
    if num_params == 0:
        raise ValueError("no parameters")
    return solved.training_bytes(num_params, recipe, states)


@believes("states is at least 1", about="training_bytes")
def refuses_no_states(num_params, recipe, states=2):
    """Plain SGD keeps no states: 0 is allowed."""
    if states == 0:
        raise ValueError("no states")
    return solved.training_bytes(num_params, recipe, states)
