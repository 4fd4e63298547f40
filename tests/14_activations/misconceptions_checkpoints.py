"""Wrong answers that people give to kata 14 about checkpoints by hooks.

Most are a checkpoint in parts, with one of them wrong.
"""

import contextlib
import itertools

import torch
from torch.autograd.graph import saved_tensors_hooks

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# checkpoint


class Parts:
    """A right checkpoint, in parts."""

    def __init__(self, function, args):
        self.function, self.args = function, args
        self.state = torch.get_rng_state()
        self.cast = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
        self.again = {}
        self.places = itertools.count()

    def run(self):
        """The first run."""
        with saved_tensors_hooks(self.pack, self.unpack):
            return self.function(*self.args)

    def pack(self, tensor):
        """Return what is kept in place of a tensor."""
        return next(self.places)

    def unpack(self, place):
        """Return the tensor of that place."""
        if not self.again:
            with self.surroundings(), saved_tensors_hooks(self.keep, lambda kept: kept):
                self.function(*self.args)
        return self.take(place)

    def take(self, place):
        """Return a tensor of the second run, which is not asked for again."""
        return self.again.pop(place)

    def keep(self, tensor):
        """A tensor of the second run."""
        self.again[len(self.again)] = tensor.detach()

    @contextlib.contextmanager
    def surroundings(self):
        """Set up what the second run needs."""
        with torch.enable_grad(), self.casting(), self.numbers():
            yield

    def casting(self):
        """Set autocast on or off as it was."""
        return torch.autocast("cpu", enabled=self.cast[0], dtype=self.cast[1])

    @contextlib.contextmanager
    def numbers(self):
        """Set the generator as it was, and then restore it."""
        with torch.random.fork_rng(devices=[]):
            torch.set_rng_state(self.state)
            yield


@believes("A checkpoint only calls the function", about="checkpoint")
def calls(function, *args):
    """Then everything that autograd saves is kept until the backward."""
    return function(*args)


@believes("If no argument requires grad, there is nothing to save", about="checkpoint")
def calls_where_no_argument_requires_grad(function, *args):
    """Parameters used inside also require grad, and everything computed with them would be kept."""
    if any(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args):
        return solved.checkpoint(function, *args)
    return function(*args)


@believes("Tensors that are kept as copies do not count", about="checkpoint")
def keeps_copies(function, *args):
    """A copy takes the same memory: keep only the arguments, and run the function again."""
    with saved_tensors_hooks(lambda tensor: tensor.detach().clone(), lambda tensor: tensor):
        return function(*args)


@believes("The second run draws its own numbers", about="checkpoint")
def draws_other_numbers(function, *args):
    """Then its dropout drops other elements: set the generator to the state of the first run, and restore it after."""

    class Other(Parts):
        def numbers(self):
            return torch.random.fork_rng(devices=[])

    return Other(function, args).run()


@believes("The second run may use the generator as it is", about="checkpoint")
def leaves_the_generator_alone(function, *args):
    """It would draw other numbers, and advance the generator: set the state of the first run, and restore it after."""

    class Moving(Parts):
        def numbers(self):
            return contextlib.nullcontext()

    return Moving(function, args).run()


@believes("The generator may stay as the second run leaves it", about="checkpoint")
def leaves_the_state_set(function, *args):
    """Then the numbers after the backward would repeat earlier ones: restore the state."""

    class Setting(Parts):
        @contextlib.contextmanager
        def numbers(self):
            torch.set_rng_state(self.state)
            yield

    return Setting(function, args).run()


@believes("The generator's seed is enough to draw the same numbers again", about="checkpoint")
def seeds_again(function, *args):
    """Numbers may have been drawn since it was seeded: keep torch.get_rng_state()."""

    class Seeding(Parts):
        @contextlib.contextmanager
        def numbers(self):
            with torch.random.fork_rng(devices=[]):
                torch.default_generator.manual_seed(torch.initial_seed())
                yield

    return Seeding(function, args).run()


@believes("The second run starts from the generator state after the forward", about="checkpoint")
def keeps_the_state_too_late(function, *args):
    """The first run started from the state before it: keep that state."""

    class Late(Parts):
        def run(self):
            result = super().run()
            self.state = torch.get_rng_state()
            return result

    return Late(function, args).run()


@believes("The forward of a checkpoint restores the generator", about="checkpoint")
def draws_in_secret(function, *args):
    """After the forward, the generator has advanced, as without a checkpoint; only the second run restores it."""
    if not torch.is_grad_enabled():
        return function(*args)
    with torch.random.fork_rng(devices=[]):
        return solved.checkpoint(function, *args)


@believes("A line after the second run restores the generator in any case", about="checkpoint")
def sets_back_unless_it_raises(function, *args):
    """It does not run if the function raises: use try and finally, or fork_rng."""

    class Careless(Parts):
        @contextlib.contextmanager
        def numbers(self):
            now = torch.get_rng_state()
            torch.set_rng_state(self.state)
            yield
            torch.set_rng_state(now)

    return Careless(function, args).run()


@believes("The backward runs under the autocast of the forward", about="checkpoint")
def forgets_autocast(function, *args):
    """backward() is usually called outside autocast: keep the settings, and set them for the second run."""

    class Uncast(Parts):
        def casting(self):
            return contextlib.nullcontext()

    return Uncast(function, args).run()


@believes("If autocast was off, there is nothing to set", about="checkpoint")
def casts_if_it_was_on(function, *args):
    """Autocast may be on around backward(): then it has to be switched off for the second run."""

    class Halfway(Parts):
        def casting(self):
            return super().casting() if self.cast[0] else contextlib.nullcontext()

    return Halfway(function, args).run()


@believes("The dtype of autocast is bfloat16", about="checkpoint")
def casts_to_bfloat16(function, *args):
    """It may be float16: keep torch.get_autocast_dtype("cpu") as well."""

    class Narrow(Parts):
        def casting(self):
            return torch.autocast("cpu", enabled=self.cast[0], dtype=torch.bfloat16)

    return Narrow(function, args).run()


@believes("Gradients are enabled during the backward", about="checkpoint")
def recomputes_without_gradients(function, *args):
    """They are enabled only for create_graph=True; otherwise nothing is saved: use torch.enable_grad()."""

    class Off(Parts):
        @contextlib.contextmanager
        def surroundings(self):
            with self.casting(), self.numbers():
                yield

    return Off(function, args).run()


@believes("The function runs again for each saved tensor", about="checkpoint")
def recomputes_each_time(function, *args):
    """One second run is enough: keep what it saves until the backward asks for it."""

    class Again(Parts):
        def take(self, place):
            taken = self.again[place]
            self.again.clear()
            return taken

    return Again(function, args).run()


@believes("Recomputed tensors are freed with the graph", about="checkpoint")
def keeps_what_is_recomputed(function, *args):
    """A tensor that a pack hook gets refers to its graph, and the graph to the tensor: detach it, and drop it."""

    class Holding(Parts):
        def keep(self, tensor):
            self.again[len(self.again)] = tensor
            self.again.setdefault("all", []).append((tensor, self))

        def unpack(self, place):
            if not self.again:
                with self.surroundings(), saved_tensors_hooks(self.keep, lambda kept: kept):
                    self.result = self.function(*self.args)
            return self.again[place]

    return Holding(function, args).run()


@believes("A checkpoint always enables gradients", about="checkpoint")
def turns_gradients_on(function, *args):
    """Under torch.no_grad(), nothing is to be recorded: in the forward, leave the mode as it is."""
    with torch.enable_grad():
        return solved.checkpoint(function, *args)


@believes("An error in the second run is raised as an error of the checkpoint", about="checkpoint")
def wraps_errors(function, *args):
    """The caller of backward() needs to see what function raised: let it through."""

    class Wrapping(Parts):
        def unpack(self, place):
            try:
                return super().unpack(place)
            except Exception as error:
                raise RuntimeError("the checkpoint failed") from error

    return Wrapping(function, args).run()
