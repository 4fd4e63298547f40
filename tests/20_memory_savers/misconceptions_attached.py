"""Wrong answers that people give to kata 20 about steps inside backward."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# attach_sgd


class Attached:
    """The answer in parts, all of them right."""

    def __init__(self, params, lr):
        self.lr = lr
        self.hooks = [self.hooked(p) for p in self.chosen(params)]

    def chosen(self, params):
        """Each once that requires grad."""
        return list(dict.fromkeys(p for p in params if p.requires_grad))

    def hooked(self, p):
        """When its gradient is complete."""
        return p.register_post_accumulate_grad_hook(self.arrived)

    @torch.no_grad()
    def arrived(self, p):
        """A gradient."""
        self.move(p, p.grad)
        self.drop(p)

    def move(self, p, grad):
        """One step."""
        p.sub_(grad, alpha=self.lr)

    def drop(self, p):
        """Let go of the gradient."""
        p.grad = None

    def remove(self):
        """No more steps."""
        for hook in self.hooks:
            hook.remove()


@believes("A gradient is gone once it was used", about="attach_sgd")
def leaves_gradients(params, lr):
    """It stays until .grad is set to None, and the next one is added to it."""

    class Leaving(Attached):
        def drop(self, p):
            pass

    return Leaving(params, lr)


@believes("A gradient of zeros takes no memory", about="attach_sgd")
def zeroes_gradients(params, lr):
    """It takes as much as any other: set .grad to None."""

    class Zeroing(Attached):
        def drop(self, p):
            p.grad.zero_()

    return Zeroing(params, lr)


@believes("The steps are taken when all gradients are ready", about="attach_sgd")
def waits_for_all(params, lr):
    """Then all of them are in memory at once, and one that never comes blocks the rest: step as each one arrives."""

    class Waiting(Attached):
        def __init__(self, *args):
            self.ready = []
            super().__init__(*args)

        @torch.no_grad()
        def arrived(self, p):
            self.ready.append(p)
            if len(self.ready) == len(self.hooks):
                for one in self.ready:
                    self.move(one, one.grad)
                    self.drop(one)
                self.ready.clear()

    return Waiting(params, lr)


@believes("A gradient that is kept elsewhere takes no memory", about="attach_sgd")
def notes_gradients(params, lr):
    """Any reference to it keeps it in memory: after the step there must be no reference left."""

    class Noting(Attached):
        def __init__(self, *args):
            self.noted = []
            super().__init__(*args)

        def move(self, p, grad):
            self.noted.append(grad)
            super().move(p, grad)

    return Noting(params, lr)


@believes("Every parameter can have a hook", about="attach_sgd")
def hooks_frozen_parameters(params, lr):
    """A parameter that requires no grad raises a RuntimeError: leave it out."""

    class All(Attached):
        def chosen(self, params):
            return list(dict.fromkeys(params))

    return All(params, lr)


@believes("A parameter that is listed twice takes two steps", about="attach_sgd")
def steps_for_each_listing(params, lr):
    """It is one parameter with one gradient: attach one hook to it."""

    class Each(Attached):
        def chosen(self, params):
            self.listed = [p for p in params if p.requires_grad]
            return list(dict.fromkeys(self.listed))

        def move(self, p, grad):
            for one in self.listed:
                if one is p:
                    super().move(p, grad)

    return Each(params, lr)


@believes("Hooks are removed with their handle", about="attach_sgd")
def removes_nothing(params, lr):
    """A hook stays until remove() of its own handle is called: call it for each hook."""

    class Staying(Attached):
        def remove(self):
            pass

    return Staying(params, lr)


@believes("One handle removes all hooks", about="attach_sgd")
def removes_the_last(params, lr):
    """Each hook has a handle of its own: remove all of them."""

    class Last(Attached):
        def remove(self):
            self.hooks[-1].remove()

    return Last(params, lr)


@believes("A hook is called only once", about="attach_sgd")
def steps_once(params, lr):
    """It is called in every backward pass, until remove() is called."""

    class Once(Attached):
        def arrived(self, p):
            super().arrived(p)
            self.hooks[self.order.index(id(p))].remove()

        def chosen(self, params):
            found = super().chosen(params)
            self.order = [id(p) for p in found]
            return found

    return Once(params, lr)


@believes("A parameter may get another storage", about="attach_sgd")
def moves_to_other_storages(params, lr):
    """p.data = … leaves the old storage to views of p: write into it with p.sub_()."""

    class Elsewhere(Attached):
        def move(self, p, grad):
            p.data = p.data - self.lr * grad

    return Elsewhere(params, lr)


@believes("A step goes along the gradient", about="attach_sgd")
def climbs(params, lr):
    """It goes against it, because the loss has to fall."""
    return Attached(params, -lr)


@believes("reshape(-1) is a view", about="attach_sgd")
def flattens_parameters(params, lr):
    """It is a copy if the parameter is transposed or sliced, and then the step is lost: p.sub_() takes any layout."""

    class Flat(Attached):
        def move(self, p, grad):
            p.reshape(-1).sub_(grad.reshape(-1), alpha=self.lr)

    return Flat(params, lr)


@believes("A gradient of zeros needs no step", about="attach_sgd")
def leaves_gradients_of_zeros(params, lr):
    """It moves nothing, but it takes as much memory as any other: set .grad to None all the same."""

    class Any(Attached):
        def drop(self, p):
            if p.grad.any():
                super().drop(p)

    return Any(params, lr)


@believes("Only matrices take steps", about="attach_sgd")
def attaches_to_matrices(params, lr):
    """A parameter has any number of dimensions: biases have one, and some scales have none."""

    class Matrices(Attached):
        def chosen(self, params):
            return [p for p in super().chosen(params) if p.ndim > 1]

    return Matrices(params, lr)


@believes("A hook uses the parameter of its loop", about="attach_sgd")
def uses_the_last_parameter(params, lr):
    """When a hook is called the loop is over, and its variable is the last parameter: use what the hook is given."""

    class Late(Attached):
        def __init__(self, *args):
            self.latest = None
            super().__init__(*args)

        def hooked(self, p):
            self.latest = p
            return super().hooked(p)

        def arrived(self, p):
            super().arrived(self.latest)

    return Late(params, lr)


@believes("remove() may remove every hook of the parameters", about="attach_sgd")
def removes_the_hooks_of_others(params, lr):
    """Others have hooks there too: call remove() of each handle that register_post_accumulate_grad_hook() gave you."""

    class All(Attached):
        def chosen(self, params):
            self.params = super().chosen(params)
            return self.params

        def remove(self):
            for p in self.params:
                p._post_accumulate_grad_hooks.clear()

    return All(params, lr)


@believes("Parameters on one storage are one parameter", about="attach_sgd")
def knows_parameters_by_storage(params, lr):
    """Several may be slices of one tensor: only the same tensor that is listed twice is one parameter."""

    class Stored(Attached):
        def chosen(self, params):
            return list({p.untyped_storage()._cdata: p for p in params if p.requires_grad}.values())

    return Stored(params, lr)
