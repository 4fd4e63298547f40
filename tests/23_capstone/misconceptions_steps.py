"""Wrong answers that people give to kata 23 about a single step."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import believes

from .steps import Step


@believes("The loss is the mean of the parts' means", about="train_step")
def averages_parts(*args, **named):
    """A smaller last part would count as much as a full one: divide each sum by the number of all predictions."""

    class Averaging(Step):
        def whole(self, tokens, micro_batch):
            self.count = len(tokens.split(micro_batch))
            return super().whole(tokens, micro_batch)

        def weighed(self, total, part, tokens):
            return total / part[:, 1:].numel() / self.count

    return Averaging.run(*args, **named)


@believes("The means of the parts are added", about="train_step")
def adds_means(*args, **named):
    """Each part's sum has to be divided by the number of all predictions, not by that of its own."""

    class Adding(Step):
        def weighed(self, total, part, tokens):
            return total / part[:, 1:].numel()

    return Adding.run(*args, **named)


@believes("The loss is a mean over sequences", about="train_step")
def divides_by_sequences(*args, **named):
    """It is the mean over all predictions: sequences · context."""

    class Dividing(Step):
        def weighed(self, total, part, tokens):
            return total / len(tokens)

    return Dividing.run(*args, **named)


@believes("There are no gradients before the step", about="train_step")
def keeps_old_gradients(*args, **named):
    """The caller may have left some, and backward adds to them: set them to None first."""

    class Keeping(Step):
        def begin(self):
            pass

    return Keeping.run(*args, **named)


@believes("The gradients of each part are clipped", about="train_step")
def clips_parts(*args, **named):
    """The gradient of the whole batch is clipped, once, after all parts are in it."""

    class Clipping(Step):
        def part(self, part, tokens):
            loss = super().part(part, tokens)
            super().clip()
            return loss

        def clip(self):
            pass

    return Clipping.run(*args, **named)


@believes("Each gradient is clipped to max_norm separately", about="train_step")
def clips_each(*args, **named):
    """The norm is that of all gradients together: otherwise the direction of the step changes."""

    class Clipping(Step):
        def clip(self):
            for p in self.model.parameters():
                nn.utils.clip_grad_norm_([p], self.max_norm)

    return Clipping.run(*args, **named)


@believes("Clipping limits each element", about="train_step")
def clips_numbers(*args, **named):
    """It multiplies all gradients by one factor, so that the direction of the step stays the same."""

    class Clipping(Step):
        def clip(self):
            nn.utils.clip_grad_value_(self.model.parameters(), self.max_norm)

    return Clipping.run(*args, **named)


@believes("Clipping always makes the norm equal to max_norm", about="train_step")
def always_scales(*args, **named):
    """Gradients with a smaller norm stay as they are."""

    class Scaling(Step):
        def clip(self):
            grads = [p.grad for p in self.model.parameters() if p.grad is not None]
            norm = torch.stack([grad.norm() for grad in grads]).norm()
            for grad in grads:
                grad.mul_(self.max_norm / norm)

    return Scaling.run(*args, **named)


@believes("Clipping may be left out", about="train_step")
def does_not_clip(*args, **named):
    """The gradients are clipped to max_norm, 1.0 by default, before the step."""

    class Free(Step):
        def clip(self):
            pass

    return Free.run(*args, **named)


@believes("A max_norm of 0 means no clipping", about="train_step")
def takes_zero_for_no_limit(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """It is a limit like any other: all gradients become 0."""
    return Step.run(model, optimizer, tokens, micro_batch, recomputed, max_norm or float("inf"))


@believes("Gradients may be left as zeros", about="train_step")
def zeroes_afterwards(*args, **named):
    """They take memory: afterwards each .grad has to be None."""

    class Zeroing(Step):
        def end(self):
            self.model.zero_grad(set_to_none=False)

    return Zeroing.run(*args, **named)


@believes("The optimizer steps after each part", about="train_step")
def steps_by_parts(*args, **named):
    """It steps once, with the gradients of all parts added up: micro-batches change memory, not the result."""

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
    """Then the graphs of all parts are in memory until the end: go backward after each part."""

    class Late(Step):
        def part(self, part, tokens):
            self.losses = [*getattr(self, "losses", []), self.loss(part, tokens)]
            return self.losses[-1].item()

        def clip(self):
            sum(self.losses).backward()
            super().clip()

    return Late.run(*args, **named)


@believes("Several backward passes need retain_graph=True", about="train_step")
def retains_each_graph(*args, **named):
    """Each part has a graph of its own, and goes backward once: retained, it is still there during the next part."""

    class Retaining(Step):
        graph = None

        def part(self, part, tokens):
            loss = self.loss(part, tokens)
            loss.backward(retain_graph=True)
            self.graph = loss
            return loss.item()

    return Retaining.run(*args, **named)


@believes("The logits of a part may be kept", about="train_step")
def keeps_logits(*args, **named):
    """All parts' logits are in memory then: once a part has gone backward, keep only its loss, as a float."""

    class Keeping(Step):
        def logits(self, inputs):
            logits = super().logits(inputs)
            self.kept = [*getattr(self, "kept", []), logits]
            return logits

    return Keeping.run(*args, **named)


@believes("The last blocks are recomputed", about="train_step")
def recomputes_the_last(*args, **named):
    """The first ones are, since their activations would be kept the longest."""

    class Last(Step):
        def is_recomputed(self, index):
            return index >= len(self.model.blocks) - self.recomputed

    return Last.run(*args, **named)


@believes("recomputed only says whether all blocks are recomputed", about="train_step")
def recomputes_all(*args, **named):
    """It says how many: each further block costs its forward pass."""

    class All(Step):
        def is_recomputed(self, index):
            return self.recomputed > 0

    return All.run(*args, **named)


@believes("recomputed may be ignored, since the result is the same", about="train_step")
def recomputes_none(*args, **named):
    """The memory is not the same: those blocks have to keep only their inputs."""

    class Keeping(Step):
        def is_recomputed(self, index):
            return False

    return Keeping.run(*args, **named)


@believes("One checkpoint around all blocks recomputes them", about="train_step")
def recomputes_the_model(*args, **named):
    """Then all of them are in memory at once while they run again: use a checkpoint for each block."""

    class Whole(Step):
        def logits(self, inputs):
            if not self.recomputed:
                return super().logits(inputs)
            return checkpoint(self.model, inputs, use_reentrant=False)

    return Whole.run(*args, **named)


@believes("Who recomputes all blocks may recompute the head as well", about="train_step")
def recomputes_the_head(*args, **named):
    """Its product then runs twice, which costs FLOPs that nobody asked for: recompute blocks alone."""

    class Headless(Step):
        def loss(self, part, tokens):
            if self.recomputed < len(self.model.blocks):
                return super().loss(part, tokens)
            inputs, targets = self.pair(part)
            h = self.model.embed(inputs)
            for block in self.model.blocks:
                h = checkpoint(block, h, use_reentrant=False)

            def end(h):
                return F.cross_entropy(self.model.head(h).flatten(0, 1), targets.flatten(), reduction="sum")

            return self.weighed(checkpoint(end, h, use_reentrant=False), part, tokens)

    return Headless.run(*args, **named)


@believes("The whole batch may go through the model, and only the loss is cut", about="train_step")
def cuts_the_loss(*args, **named):
    """The sequences in the model are what takes the memory: cut the tokens."""

    class Whole(Step):
        def parts(self, tokens, micro_batch):
            return [tokens]

    return Whole.run(*args, **named)


@believes("micro_batch is the number of parts", about="train_step")
def cuts_into_so_many(*args, **named):
    """It is the largest number of sequences in a part."""

    class Parts(Step):
        def parts(self, tokens, micro_batch):
            return tokens.chunk(micro_batch)

    return Parts.run(*args, **named)


@believes("Parts may be smaller than micro_batch allows", about="train_step")
def takes_one_at_a_time(*args, **named):
    """More parts need more launches: cut into as few as micro_batch allows."""

    class Single(Step):
        def parts(self, tokens, micro_batch):
            return tokens.split(1)

    return Single.run(*args, **named)


@believes("Sequences that do not fill a part are left out", about="train_step")
def drops_the_rest(*args, **named):
    """The step is that of the whole batch: the last part may be smaller."""

    class Dropping(Step):
        def parts(self, tokens, micro_batch):
            parts = tokens.split(micro_batch)
            return parts if len(parts) == 1 else [part for part in parts if len(part) == micro_batch]

    return Dropping.run(*args, **named)


@believes("The result is the loss of the last part", about="train_step")
def tells_the_last(*args, **named):
    """It is that of the whole batch: add up the shares of all parts."""

    class Last(Step):
        def told(self, losses):
            return losses[-1]

    return Last.run(*args, **named)


@believes("The result is the loss after the step", about="train_step")
def tells_the_loss_afterwards(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """It is the loss before the step, from the forward pass that runs anyway; another one would cost FLOPs."""
    Step.run(model, optimizer, tokens, micro_batch, recomputed, max_norm)
    with torch.no_grad():
        logits = model(tokens[:, :-1])
        return nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()).item()


@believes("The target of each place is its own token", about="train_step")
def predicts_what_is_given(*args, **named):
    """It is the next token: targets are one place further on."""

    class Same(Step):
        def pair(self, part):
            return part[:, :-1], part[:, :-1]

    return Same.run(*args, **named)


@believes("A micro_batch below 1 means the whole batch", about="train_step")
def takes_none_for_all(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    """It is a mistake of the caller: raise ValueError."""
    cut = micro_batch if micro_batch > 0 else len(tokens)
    return Step.run(model, optimizer, tokens, cut, recomputed, max_norm)
