"""Wrong answers that people give to kata 23 about training within a budget."""

import copy

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

from .steps import Fit, Step

solved = solution("23_capstone")


@believes("torch's default learning rate will do", about="fit")
def takes_the_default_rate(*args, **named):
    """1e-3 is for long runs of large models: a few steps of a small one want 3e-3 to 3e-2."""

    class Slow(Fit):
        def made(self):
            return torch.optim.AdamW(solved.param_groups(self.model, 0.1))

    Slow.run(*args, **named)


@believes("SGD gets there as well, with its usual rate", about="fit")
def takes_sgd(*args, **named):
    """In so few steps it does not: gradients of a small transformer differ too much in size. AdamW divides by that."""

    class Plain(Fit):
        def made(self):
            return torch.optim.SGD(self.model.parameters(), lr=0.01)

    Plain.run(*args, **named)


@believes("Autograd frees what it does not need", about="fit")
def keeps_all_blocks(*args, **named):
    """It keeps what each block computes until backward comes by: recompute them."""

    class Keeping(Fit):
        def __init__(self, *args):
            super().__init__(*args)
            self.recomputed = 0

    Keeping.run(*args, **named)


@believes("Recomputing is all that memory needs", about="fit")
def takes_the_whole_batch(*args, **named):
    """Boundaries and logits grow with the sequences that are in the model at a time: cut the batch into parts."""

    class Whole(Fit):
        def micro_batch(self):
            super().micro_batch()
            return self.batch

    Whole.run(*args, **named)


@believes("What is recomputed need not be paid", about="fit")
def forgets_to_pay(*args, **named):
    """A step with everything recomputed costs a third more: fewer steps fit."""

    class Forgetting(Fit):
        def steps(self):
            return self.left // self.cost(self.batch, 0)

    Forgetting.run(*args, **named)


@believes("Measuring is free", about="fit")
def looks_after_each_step(*args, **named):
    """A forward pass costs a third of a step: what only measures is paid from the same budget."""

    class Looking(Fit):
        def step(self, model, optimizer, data, micro_batch):
            super().step(model, optimizer, data, micro_batch)
            with torch.no_grad():
                model(data[:, :-1])

    Looking.run(*args, **named)


@believes("A budget is at least one step", about="fit")
def always_takes_a_step(*args, **named):
    """The FLOPs may be too few for that; then none is taken."""

    class Eager(Fit):
        def steps(self):
            return max(super().steps(), 1)

    Eager.run(*args, **named)


@believes("The best model is a copy that was trained", about="fit")
def trains_a_copy(*args, **named):
    """The model is trained in place: put the weights of the copy into it, or train itself."""

    class Copying(Fit):
        def train(self, micro_batch, optimizer):
            self.model = copy.deepcopy(self.model)
            super().train(micro_batch, self.made())

    Copying.run(*args, **named)


@believes("A model that predicts its input learns the text", about="fit")
def learns_what_is_given(*args, **named):
    """It learns to repeat: the target of each place is the next token."""

    class Repeating(Fit):
        def step(self, model, optimizer, data, micro_batch):
            class Same(Step):
                def pair(self, part):
                    return part[:, :-1], part[:, :-1]

            Same.run(model, optimizer, data, micro_batch, self.recomputed)

    Repeating.run(*args, **named)


@believes("A few windows say all of a text", about="fit")
def learns_one_batch(*args, **named):
    """They are learned by heart, and other tokens are not: go through the whole text."""

    class Narrow(Fit):
        def data(self):
            return self.windows[: self.batch]

    Narrow.run(*args, **named)


@believes("Only the head has to learn", about="fit")
def trains_the_last_norm(*args, **named):
    """A budget is for all parameters: a norm alone cannot tell which token comes next."""

    class Narrow(Fit):
        def made(self):
            last = [p for p in self.model.parameters() if p.ndim == 1][-2:]
            return torch.optim.AdamW(nn.ParameterList(last), lr=1e-2)

    Narrow.run(*args, **named)
