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
    """A checkpoint that is right, in parts."""

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
        """What is kept in place of a tensor."""
        return next(self.places)

    def unpack(self, place):
        """The tensor of that place."""
        if not self.again:
            with self.surroundings(), saved_tensors_hooks(self.keep, lambda kept: kept):
                self.function(*self.args)
        return self.take(place)

    def take(self, place):
        """A tensor of the second run, which nobody asks for again."""
        return self.again.pop(place)

    def keep(self, tensor):
        """A tensor of the second run."""
        self.again[len(self.again)] = tensor.detach()

    @contextlib.contextmanager
    def surroundings(self):
        """What the second run is like."""
        with torch.enable_grad(), self.casting(), self.numbers():
            yield

    def casting(self):
        """Autocast, on or off as it was."""
        return torch.autocast("cpu", enabled=self.cast[0], dtype=self.cast[1])

    @contextlib.contextmanager
    def numbers(self):
        """The generator, as it was, and then as it is."""
        with torch.random.fork_rng(devices=[]):
            torch.set_rng_state(self.state)
            yield


@believes("A checkpoint is a call", about="checkpoint")
def calls(function, *args):
    """Then everything is kept until the backward."""
    return function(*args)


@believes("Where no argument requires grad there is nothing to save", about="checkpoint")
def calls_where_no_argument_requires_grad(function, *args):
    """What is learned inside requires grad too, and all that is computed with it would be kept."""
    if any(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args):
        return solved.checkpoint(function, *args)
    return function(*args)


@believes("What is kept somewhere else is not kept", about="checkpoint")
def keeps_copies(function, *args):
    """A copy takes the same memory: keep the arguments alone, and run again."""
    with saved_tensors_hooks(lambda tensor: tensor.detach().clone(), lambda tensor: tensor):
        return function(*args)


@believes("The second run draws numbers of its own", about="checkpoint")
def draws_other_numbers(function, *args):
    """Then its dropout drops others than the forward did: set the generator's state before, and back after."""

    class Other(Parts):
        def numbers(self):
            return torch.random.fork_rng(devices=[])

    return Other(function, args).run()


@believes("The second run may go on with the generator where it is", about="checkpoint")
def leaves_the_generator_alone(function, *args):
    """It draws others than the forward did, and moves the generator for whoever comes after."""

    class Moving(Parts):
        def numbers(self):
            return contextlib.nullcontext()

    return Moving(function, args).run()


@believes("Once the state is set, nobody minds", about="checkpoint")
def leaves_the_state_set(function, *args):
    """What is drawn after the backward would be what was drawn before: set it back."""

    class Setting(Parts):
        @contextlib.contextmanager
        def numbers(self):
            torch.set_rng_state(self.state)
            yield

    return Setting(function, args).run()


@believes("The seed says what a generator gives", about="checkpoint")
def seeds_again(function, *args):
    """Numbers may have been drawn since: keep torch.get_rng_state()."""

    class Seeding(Parts):
        @contextlib.contextmanager
        def numbers(self):
            with torch.random.fork_rng(devices=[]):
                torch.default_generator.manual_seed(torch.initial_seed())
                yield

    return Seeding(function, args).run()


@believes("The state to begin from is that at the end of the forward", about="checkpoint")
def keeps_the_state_too_late(function, *args):
    """Keep it before the function runs."""

    class Late(Parts):
        def run(self):
            result = super().run()
            self.state = torch.get_rng_state()
            return result

    return Late(function, args).run()


@believes("A checkpoint leaves no trace in the generator", about="checkpoint")
def draws_in_secret(function, *args):
    """After the forward it has moved on, as without a checkpoint; only the second run leaves no trace."""
    if not torch.is_grad_enabled():
        return function(*args)
    with torch.random.fork_rng(devices=[]):
        return solved.checkpoint(function, *args)


@believes("What is set back at the end is set back", about="checkpoint")
def sets_back_unless_it_raises(function, *args):
    """Not if the function raises before: use try and finally, or fork_rng."""

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
    """Mostly backward() is called outside: keep the settings, and set them for the second run."""

    class Uncast(Parts):
        def casting(self):
            return contextlib.nullcontext()

    return Uncast(function, args).run()


@believes("Where autocast was off there is nothing to set", about="checkpoint")
def casts_if_it_was_on(function, *args):
    """It may be on around backward(): then it has to be set off."""

    class Halfway(Parts):
        def casting(self):
            return super().casting() if self.cast[0] else contextlib.nullcontext()

    return Halfway(function, args).run()


@believes("Autocast is to bfloat16", about="checkpoint")
def casts_to_bfloat16(function, *args):
    """It may be float16: keep torch.get_autocast_dtype as well."""

    class Narrow(Parts):
        def casting(self):
            return torch.autocast("cpu", enabled=self.cast[0], dtype=torch.bfloat16)

    return Narrow(function, args).run()


@believes("Gradients are on in a backward", about="checkpoint")
def recomputes_without_gradients(function, *args):
    """They are off unless it makes a graph, and then nothing is saved: torch.enable_grad()."""

    class Off(Parts):
        @contextlib.contextmanager
        def surroundings(self):
            with self.casting(), self.numbers():
                yield

    return Off(function, args).run()


@believes("Each tensor that is asked for is computed anew", about="checkpoint")
def recomputes_each_time(function, *args):
    """One second run is enough: keep what it saves until it is asked for."""

    class Again(Parts):
        def take(self, place):
            taken = self.again[place]
            self.again.clear()
            return taken

    return Again(function, args).run()


@believes("What is recomputed goes when the graph goes", about="checkpoint")
def keeps_what_is_recomputed(function, *args):
    """A tensor that a pack hook gets belongs to its graph, and the graph to it: detach it, and let go of it."""

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


@believes("No gradients are asked for: torch.no_grad() is for the caller", about="checkpoint")
def turns_gradients_on(function, *args):
    """Under no_grad nothing is to be recorded: do not turn them on in the forward."""
    with torch.enable_grad():
        return solved.checkpoint(function, *args)


@believes("An error in the second run is an error of the checkpoint", about="checkpoint")
def wraps_errors(function, *args):
    """Whoever called backward() wants to know what function raised: let it through."""

    class Wrapping(Parts):
        def unpack(self, place):
            try:
                return super().unpack(place)
            except Exception as error:
                raise RuntimeError("the checkpoint failed") from error

    return Wrapping(function, args).run()
