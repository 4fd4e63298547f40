"""Wrong answers that people give to kata 14 about what a checkpoint may keep, and for which call it keeps it."""

import contextlib
import weakref
from typing import Any

import torch

from dojo.judging.diagnose import believes

from .misconceptions_checkpoints import Parts

# checkpoint


class Keeping(Parts):
    """A checkpoint that keeps some tensors, and recomputes the others."""

    def pack(self, tensor):
        """Return the place of a tensor, and the tensor itself if that is kept."""
        place = super().pack(tensor)
        return (place, tensor) if self.keeps(tensor) else place

    def unpack(self, packed):
        """Return what was kept, or recompute it."""
        return packed[1] if isinstance(packed, tuple) else super().unpack(packed)

    def keeps(self, tensor):
        """Whether a tensor is kept."""
        return False


@believes("A view takes no memory, so it may be kept", about="checkpoint")
def keeps_views(function, *args):
    """It keeps the whole storage that it shows a part of: keep nothing that was computed inside."""

    class Views(Keeping):
        def keeps(self, tensor):
            return tensor._is_view()

    return Views(function, args).run()


@believes("A single number may be kept", about="checkpoint")
def keeps_single_numbers(function, *args):
    """It was computed inside as well: keep nothing but the arguments."""

    class Numbers(Keeping):
        def keeps(self, tensor):
            return tensor.ndim == 0

    return Numbers(function, args).run()


@believes("Indices may be kept", about="checkpoint")
def keeps_indices(function, *args):
    """An index takes 8 bytes, twice as many as a float32: keep nothing that was computed inside."""

    class Indices(Keeping):
        def keeps(self, tensor):
            return tensor.dtype == torch.int64

    return Indices(function, args).run()


@believes("What is saved first is an argument, so it may be kept", about="checkpoint")
def keeps_what_is_saved_first(function, *args):
    """function may compute something before it saves anything: keep the arguments as they are given."""

    class First(Keeping):
        def keeps(self, tensor):
            before, self.began = getattr(self, "began", False), True
            return not before

    return First(function, args).run()


class Copying(Parts):
    """A checkpoint that keeps a copy beside each place."""

    def pack(self, tensor):
        """Return the place of a tensor, and a copy."""
        return super().pack(tensor), tensor.detach().clone()

    def unpack(self, packed):
        """Recompute what was packed."""
        return super().unpack(packed[0])


@believes("Tensors that are kept as copies do not count", about="checkpoint")
def keeps_copies_beside_the_second_run(function, *args):
    """A copy takes the same memory: keep only the arguments, and run the function again."""
    return Copying(function, args).run()


@believes("It is enough that the function runs again", about="checkpoint")
def takes_nothing_from_the_second_run(function, *args):
    """The backward needs what this run computes: give it that, and keep nothing from the first run."""

    class Idle(Copying):
        def unpack(self, packed):
            super().unpack(packed)
            return packed[1]

    return Idle(function, args).run()


@believes("After an error, the function may run once more", about="checkpoint")
def tries_again(function, *args):
    """It runs at most once more, in the backward: let the error through."""

    class Retrying(Parts):
        def unpack(self, place):
            try:
                return super().unpack(place)
            except Exception:
                self.again.clear()
                return super().unpack(place)

    return Retrying(function, args).run()


STACK: list[Any] = []


@believes("The backward reaches the latest checkpoint first", about="checkpoint")
def takes_the_latest_first(function, *args):
    """Each may have a backward of its own, in any order, or none: keep function and arguments for each call."""

    class Stacked(Parts):
        def unpack(self, place):
            if not self.again:
                self.function, self.args, self.state = STACK.pop()
            return super().unpack(place)

    first = Stacked(function, args)
    STACK.append((function, args, first.state))
    return first.run()


STATES: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


@believes("The same function draws the same numbers for the same arguments", about="checkpoint")
def keeps_a_state_for_the_arguments(function, *args):
    """Each call draws its own numbers: keep the state of the generator for each call."""

    class Shared(Parts):
        def unpack(self, place):
            if not self.again:
                self.state = STATES[function][key]
            return super().unpack(place)

    key = tuple(map(id, args))
    first = Shared(function, args)
    STATES.setdefault(function, {})[key] = first.state
    return first.run()


@believes("Autocast has to be set only if it was switched on or off since", about="checkpoint")
def casts_if_it_was_switched(function, *args):
    """It may be on with another dtype: set both for the second run."""

    class Switching(Parts):
        def casting(self):
            same = torch.is_autocast_enabled("cpu") == self.cast[0]
            return contextlib.nullcontext() if same else super().casting()

    return Switching(function, args).run()


@believes("An error with the same words is the same error", about="checkpoint")
def raises_a_copy(function, *args):
    """The caller may need the error itself, with its attributes and its traceback: let it through."""

    class Copying(Parts):
        def unpack(self, place):
            try:
                return super().unpack(place)
            except Exception as error:
                raise type(error)(*error.args) from None

    return Copying(function, args).run()


@believes("Autocast saves enough memory", about="checkpoint")
def calls_under_autocast(function, *args):
    """A checkpoint keeps only the arguments, under autocast too: remember its settings, and run the function again."""
    if torch.is_autocast_enabled("cpu"):
        return function(*args)
    return Parts(function, args).run()


@believes("A tensor of 16 bits is small enough to be kept", about="checkpoint")
def keeps_16_bits(function, *args):
    """Autocast makes most tensors such: keep nothing that was computed inside."""

    class Halves(Keeping):
        def keeps(self, tensor):
            return tensor.dtype in (torch.bfloat16, torch.float16)

    return Halves(function, args).run()


@believes("The mask of a dropout cannot be drawn again, so it is kept", about="checkpoint")
def keeps_masks_of_dropout(function, *args):
    """From the same generator state, the second run draws the same mask: keep the state, and no mask."""

    class Masks(Keeping):
        def keeps(self, tensor):
            before = getattr(self, "latest", self.state)
            self.latest = torch.get_rng_state()
            return not torch.equal(before, self.latest)

    return Masks(function, args).run()


@believes("What depends on random numbers cannot be recomputed", about="checkpoint")
def keeps_what_follows_dropout(function, *args):
    """From the same generator state, the second run computes the same: keep the state, and nothing else."""

    class Drawn(Keeping):
        def keeps(self, tensor):
            return not torch.equal(torch.get_rng_state(), self.state)

    return Drawn(function, args).run()


@believes("What was returned may be kept until the backward", about="checkpoint")
def keeps_its_result(function, *args):
    """The caller may drop it earlier, and then its memory has to be free: keep only the arguments."""

    class Returning(Parts):
        def run(self):
            result = super().run()
            self.results = [part.detach() for part in (result if isinstance(result, tuple) else (result,))]
            return result

    return Returning(function, args).run()
