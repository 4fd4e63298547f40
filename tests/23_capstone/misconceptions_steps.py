"""Wrong answers that people give to kata 23 about a single step."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import believes

from .steps import Step


@believes("The mean of the parts' means is the mean", about="train_step")
def averages_parts(*args, **named):
    """A smaller last part would weigh as much as a whole one: divide each sum by all predictions."""

    class Averaging(Step):
        def whole(self, tokens, micro_batch):
            self.count = len(tokens.split(micro_batch))
            return super().whole(tokens, micro_batch)

        def weighed(self, total, part, tokens):
            return total / part[:, 1:].numel() / self.count

    return Averaging.run(*args, **named)


@believes("The means of the parts add up to the mean", about="train_step")
def adds_means(*args, **named):
    """They add up to as many times that as there are parts: divide by all predictions, not by those of the part."""

    class Adding(Step):
        def weighed(self, total, part, tokens):
            return total / part[:, 1:].numel()

    return Adding.run(*args, **named)


@believes("The loss is a mean over sequences", about="train_step")
def divides_by_sequences(*args, **named):
    """It is the mean over all predictions: sequences times context."""

    class Dividing(Step):
        def weighed(self, total, part, tokens):
            return total / len(tokens)

    return Dividing.run(*args, **named)


@believes("Before a first step there are no gradients", about="train_step")
def keeps_old_gradients(*args, **named):
    """Whoever called before may have left some, and backward adds to them: set them to None first."""

    class Keeping(Step):
        def begin(self):
            pass

    return Keeping.run(*args, **named)


@believes("Each part is clipped", about="train_step")
def clips_parts(*args, **named):
    """What the optimizer steps by is their sum, and that is clipped, once."""

    class Clipping(Step):
        def part(self, part, tokens):
            loss = super().part(part, tokens)
            self.clip()
            return loss

    return Clipping.run(*args, **named)


@believes("Each parameter's gradient is clipped by itself", about="train_step")
def clips_each(*args, **named):
    """The norm is that of all gradients together; else the step turns to another direction."""

    class Clipping(Step):
        def clip(self):
            for p in self.model.parameters():
                nn.utils.clip_grad_norm_([p], self.max_norm)

    return Clipping.run(*args, **named)


@believes("Clipping cuts off each number", about="train_step")
def clips_numbers(*args, **named):
    """It shortens all gradients by one factor, so that the direction stays."""

    class Clipping(Step):
        def clip(self):
            nn.utils.clip_grad_value_(self.model.parameters(), self.max_norm)

    return Clipping.run(*args, **named)


@believes("Clipping makes each step as long as max_norm", about="train_step")
def always_scales(*args, **named):
    """What is shorter than that stays as it is."""

    class Scaling(Step):
        def clip(self):
            grads = [p.grad for p in self.model.parameters() if p.grad is not None]
            norm = torch.stack([grad.norm() for grad in grads]).norm()
            for grad in grads:
                grad.mul_(self.max_norm / norm)

    return Scaling.run(*args, **named)


@believes("A step need not be clipped", about="train_step")
def does_not_clip(*args, **named):
    """max_norm is 1.0 unless told otherwise: the gradients are shortened to it before the step."""

    class Free(Step):
        def clip(self):
            pass

    return Free.run(*args, **named)


@believes("With max_norm 0 nothing is clipped", about="train_step")
def takes_zero_for_no_limit(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """It is a limit like any other: of the gradients nothing is left."""
    return Step.run(model, optimizer, tokens, micro_batch, recomputed, max_norm or float("inf"))


@believes("Gradients of zeros are no gradients", about="train_step")
def zeroes_afterwards(*args, **named):
    """They take their memory, and .grad is to be None."""

    class Zeroing(Step):
        def end(self):
            self.model.zero_grad(set_to_none=False)

    return Zeroing.run(*args, **named)


@believes("Each part takes a step", about="train_step")
def steps_by_parts(*args, **named):
    """Gradients of all parts add up, and then the optimizer steps once: micro-batches change memory, not the result."""

    class Stepping(Step):
        def part(self, part, tokens):
            loss = super().part(part, tokens)
            self.clip()
            self.optimizer.step()
            self.model.zero_grad()
            return loss

        def clip(self):
            if any(p.grad is not None for p in self.model.parameters()):
                super().clip()

        def step(self):
            pass

    return Stepping.run(*args, **named)


@believes("One backward pass for all parts is enough", about="train_step")
def goes_backward_at_the_end(*args, **named):
    """Then the graphs of all parts are in memory until it comes: go backward after each."""

    class Late(Step):
        def part(self, part, tokens):
            self.losses = [*getattr(self, "losses", []), self.loss(part, tokens)]
            return self.losses[-1].item()

        def clip(self):
            sum(self.losses).backward()
            super().clip()

    return Late.run(*args, **named)


@believes("It is the last blocks that are recomputed", about="train_step")
def recomputes_the_last(*args, **named):
    """The first ones are; their activations would wait longest."""

    class Last(Step):
        def is_recomputed(self, index):
            return index >= len(self.model.blocks) - self.recomputed

    return Last.run(*args, **named)


@believes("Recompute, or do not: the number says whether", about="train_step")
def recomputes_all(*args, **named):
    """It says how many blocks are; each one more costs its forward pass."""

    class All(Step):
        def is_recomputed(self, index):
            return self.recomputed > 0

    return All.run(*args, **named)


@believes("recomputed is a hint, the numbers are the same without", about="train_step")
def recomputes_none(*args, **named):
    """The step is the same, the memory is not: those blocks are not to keep what they compute."""

    class Keeping(Step):
        def is_recomputed(self, index):
            return False

    return Keeping.run(*args, **named)


@believes("A checkpoint around the model recomputes its blocks", about="train_step")
def recomputes_the_model(*args, **named):
    """All of it runs again then, and while it does, everything is in memory: a checkpoint for each block."""

    class Whole(Step):
        def logits(self, inputs):
            if not self.recomputed:
                return super().logits(inputs)
            return checkpoint(self.model, inputs, use_reentrant=False)

    return Whole.run(*args, **named)


@believes("The whole batch goes through the model, and its loss in parts", about="train_step")
def cuts_the_loss(*args, **named):
    """Memory goes with the sequences that are in the model at a time: cut the tokens."""

    class Whole(Step):
        def parts(self, tokens, micro_batch):
            return [tokens]

    return Whole.run(*args, **named)


@believes("micro_batch is how many parts there are", about="train_step")
def cuts_into_so_many(*args, **named):
    """It is how many sequences a part has at most."""

    class Parts(Step):
        def parts(self, tokens, micro_batch):
            return tokens.chunk(micro_batch)

    return Parts.run(*args, **named)


@believes("One sequence at a time is within any limit", about="train_step")
def takes_one_at_a_time(*args, **named):
    """That launches as many times more: as few parts as micro_batch allows."""

    class Single(Step):
        def parts(self, tokens, micro_batch):
            return tokens.split(1)

    return Single.run(*args, **named)


@believes("What fills no part is left out", about="train_step")
def drops_the_rest(*args, **named):
    """The step is that of the whole batch: the last part may be smaller."""

    class Dropping(Step):
        def parts(self, tokens, micro_batch):
            parts = tokens.split(micro_batch)
            return parts if len(parts) == 1 else [part for part in parts if len(part) == micro_batch]

    return Dropping.run(*args, **named)


@believes("The loss of a step is that of its last part", about="train_step")
def tells_the_last(*args, **named):
    """It is that of the batch: the sum of the parts' shares."""

    class Last(Step):
        def told(self, losses):
            return losses[-1]

    return Last.run(*args, **named)


@believes("The loss of a step is what it comes to", about="train_step")
def tells_the_loss_afterwards(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """It is that before the step, which the gradients belong to; another forward pass would cost FLOPs."""
    Step.run(model, optimizer, tokens, micro_batch, recomputed, max_norm)
    with torch.no_grad():
        logits = model(tokens[:, :-1])
        return nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()).item()


@believes("A token predicts itself", about="train_step")
def predicts_what_is_given(*args, **named):
    """At each place the next token is predicted: targets are one place further."""

    class Same(Step):
        def pair(self, part):
            return part[:, :-1], part[:, :-1]

    return Same.run(*args, **named)


@believes("No micro-batch means the whole batch", about="train_step")
def takes_none_for_all(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """A micro_batch below 1 is a mistake, and a ValueError."""
    cut = micro_batch if micro_batch > 0 else len(tokens)
    return Step.run(model, optimizer, tokens, cut, recomputed, max_norm)
