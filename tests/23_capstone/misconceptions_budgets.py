"""Wrong answers that people give to kata 23 about training within a budget."""

import copy

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

from .steps import Fit, Step

solved = solution("23_capstone")


@believes("torch's default learning rate will do", about="fit")
def takes_the_default_rate(*args, **named):
    """1e-3 is for long runs of large models: a few steps of a small one need 3e-3 to 3e-2."""

    class Slow(Fit):
        def made(self):
            return torch.optim.AdamW(solved.param_groups(self.model, 0.1))

    Slow.run(*args, **named)


@believes("SGD is as good, with its usual rate", about="fit")
def takes_sgd(*args, **named):
    """It learns too little in so few steps: gradients in a transformer differ in size, and AdamW adapts to that."""

    class Plain(Fit):
        def made(self):
            return torch.optim.SGD(self.model.parameters(), lr=0.01)

    Plain.run(*args, **named)


@believes("The saved bytes fit without recomputing", about="fit")
def keeps_all_blocks(*args, **named):
    """Autograd saves what each block computes until the backward pass: recompute blocks to stay below nbytes."""

    class Keeping(Fit):
        def __init__(self, *args):
            super().__init__(*args)
            self.recomputed = 0

    Keeping.run(*args, **named)


@believes("Recomputing is enough to fit the memory", about="fit")
def takes_the_whole_batch(*args, **named):
    """What is kept also grows with the number of sequences in the model: cut the batch into parts."""

    class Whole(Fit):
        def micro_batch(self):
            super().micro_batch()
            return self.batch

    Whole.run(*args, **named)


@believes("A number takes 4 bytes", about="fit")
def weighs_float32(*args, **named):
    """In float64 it takes 8: ask for element_size(), or measure what autograd saves."""

    class Light(Fit):
        def micro_batch(self):
            numbers = self.context * (self.dim * (self.layers + 4) + 3 * self.vocab)
            return min(self.batch, max(1, self.nbytes // (4 * numbers + 16 * (self.context + 1))))

    Light.run(*args, **named)


@believes("Recomputing costs no FLOPs", about="fit")
def forgets_to_pay(*args, **named):
    """A step with all blocks recomputed costs a third more, so fewer steps fit."""

    class Forgetting(Fit):
        def steps(self):
            return self.left // self.cost(self.batch, 0)

    Forgetting.run(*args, **named)


@believes("Measuring costs no FLOPs", about="fit")
def looks_after_each_step(*args, **named):
    """A forward pass costs a third of a step, and counts even if it only measures."""

    class Looking(Fit):
        def step(self, model, optimizer, data, micro_batch):
            super().step(model, optimizer, data, micro_batch)
            with torch.no_grad():
                model(data[:, :-1])

    Looking.run(*args, **named)


@believes("There are FLOPs for at least one step", about="fit")
def always_takes_a_step(*args, **named):
    """They may be too few for it: then take none."""

    class Eager(Fit):
        def steps(self):
            return max(super().steps(), 1)

    Eager.run(*args, **named)


@believes("A copy of the model may be trained", about="fit")
def trains_a_copy(*args, **named):
    """The model is trained in place: load the weights of the copy into it, or train the model itself."""

    class Copying(Fit):
        def train(self, micro_batch, optimizer):
            self.model = copy.deepcopy(self.model)
            super().train(micro_batch, self.made())

    Copying.run(*args, **named)


@believes("The target of each place is its own token", about="fit")
def learns_what_is_given(*args, **named):
    """Then it only learns to copy: the target of each place is the next token."""

    class Repeating(Fit):
        def step(self, model, optimizer, data, micro_batch):
            class Same(Step):
                def pair(self, part):
                    return part[:, :-1], part[:, :-1]

            Same.run(model, optimizer, data, micro_batch, self.recomputed)

    Repeating.run(*args, **named)


@believes("A few windows are enough", about="fit")
def learns_one_batch(*args, **named):
    """The model memorizes them and learns nothing about other tokens: use the whole text."""

    class Narrow(Fit):
        def data(self):
            return self.windows[: self.batch]

    Narrow.run(*args, **named)


@believes("Training the last norm is enough", about="fit")
def trains_the_last_norm(*args, **named):
    """A norm alone cannot learn which token comes next: train all parameters."""

    class Narrow(Fit):
        def made(self):
            last = [p for p in self.model.parameters() if p.ndim == 1][-2:]
            return torch.optim.AdamW(nn.ParameterList(last), lr=1e-2)

    Narrow.run(*args, **named)
