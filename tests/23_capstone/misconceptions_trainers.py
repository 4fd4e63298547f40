"""Wrong answers that people give to kata 23 about a training run that is stopped and resumed."""

import torch

from dojo.judging.diagnose import believes, solution

from .steps import Runner

solved = solution("23_capstone")


@believes("Windows share no token", about="Trainer")
class CutsApart(Runner):
    """Each begins with the last token of the one before, so windows begin context tokens apart, not context + 1."""

    def cut(self):
        """Cut the text."""
        super().cut()
        return self.tokens.unfold(0, self.context + 1, self.context + 1)


@believes("A window begins at each token", about="Trainer")
class SlidesAlong(Runner):
    """Window i begins at i · context: an epoch then predicts each token once."""

    def cut(self):
        """Cut the text."""
        super().cut()
        return self.tokens.unfold(0, self.context + 1, 1)


@believes("The last window may be left out", about="Trainer")
class LeavesOutTheLast(Runner):
    """All that fit are visited: (n - 1) // context windows."""

    def cut(self):
        """Cut the text."""
        windows = super().cut()
        return windows[: max(len(windows) - 1, 1)]


@believes("One shuffled order is used in every epoch", about="Trainer")
class ShufflesOnce(Runner):
    """Each epoch draws its own order from the generator, which continues from where it was."""

    def order(self):
        """Draw an order."""
        return torch.randperm(len(self.windows), generator=torch.Generator().manual_seed(self.seed))


@believes("Windows are read in the order of the text", about="Trainer")
class ReadsInOrder(Runner):
    """Neighboring windows are alike: each epoch draws an order."""

    def order(self):
        """Draw an order."""
        return torch.arange(len(self.windows))


@believes("The seed does not affect the order", about="Trainer")
class IgnoresTheSeed(Runner):
    """The generator that draws the orders starts from it."""

    def __init__(self, model, tokens, batch, context, lr, seed):
        super().__init__(model, tokens, batch, context, lr, 0)


@believes("torch.manual_seed may be called", about="Trainer")
class SeedsEverything(Runner):
    """It changes what everything else draws: make a torch.Generator."""

    def __init__(self, model, tokens, batch, context, lr, seed):
        torch.manual_seed(seed)
        super().__init__(model, tokens, batch, context, lr, seed)

    def order(self):
        """Draw an order."""
        return torch.randperm(len(self.windows))

    def state_dict(self):
        """Say what is kept."""
        return super().state_dict() | {"generator": torch.get_rng_state()}

    def load_state_dict(self, state):
        """Go on from there."""
        super().load_state_dict(state)
        torch.set_rng_state(state["generator"])


@believes("randperm may draw from the global state", about="Trainer")
class DrawsFromTheGlobalState(Runner):
    """Other code moves that state, so the run could not be repeated: pass generator=…."""

    def order(self):
        """Draw an order."""
        return torch.randperm(len(self.windows))


@believes("It is enough to shuffle the batches", about="Trainer")
class ShufflesBatches(Runner):
    """Then the same windows come together in each epoch: shuffle the windows, and cut batches from that."""

    def order(self):
        """Draw an order of the full batches, and leave the rest at the end."""
        count = len(self.windows) // self.batch
        places = torch.arange(len(self.windows))
        order = torch.randperm(count, generator=self.generator)
        full = places[: count * self.batch].view(count, self.batch)[order]
        return torch.cat([full.flatten(), places[count * self.batch :]])


@believes("An order is where an epoch begins in the text", about="Trainer")
class BeginsAnywhere(Runner):
    """Then neighbours in the text nearly always come together in a batch: shuffle the windows."""

    def order(self):
        """Draw a beginning."""
        count = len(self.windows)
        return torch.arange(count).roll(int(torch.randint(count, (1,), generator=self.generator)))


@believes("The windows of a batch are drawn independently", about="Trainer")
class DrawsWithReplacement(Runner):
    """Then some windows come twice in an epoch, and about a third never: shuffle an order."""

    def order(self):
        """Draw an order."""
        return torch.randint(len(self.windows), (len(self.windows),), generator=self.generator)


@believes("A batch is always full", about="Trainer")
class DropsTheRest(Runner):
    """The windows that are left at the end of an epoch are a smaller batch."""

    def order(self):
        """Draw an order."""
        order = super().order()
        return order[: max(len(order) // self.batch, 1) * self.batch]


@believes("The windows left at the end of an epoch go into the next epoch's first batch", about="Trainer")
class FillsUp(Runner):
    """They are a batch of their own, and the next step begins another epoch."""

    def chosen(self):
        """Choose windows."""
        if len(self.left) < min(self.batch, len(self.windows)):
            self.left = torch.cat([self.left, self.order()])
        return super().chosen()


@believes("The weights are the whole state", about="Trainer")
class KeepsTheModelAlone(Runner):
    """The optimizer's averages, the generator's state and the place in the epoch belong to it as well."""

    def state_dict(self):
        """Say what is kept."""
        return {"model": self.model.state_dict()}


@believes("The optimizer's state need not be saved", about="Trainer")
class ForgetsTheOptimizer(Runner):
    """AdamW would start with averages of 0 and take different steps: save its state_dict()."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "optimizer"}


@believes("The caller saves the weights", about="Trainer")
class ForgetsTheModel(Runner):
    """The resumed trainer's model has other weights: the state has to hold all that the run needs."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "model"}


@believes("A resumed run begins an epoch", about="Trainer")
class ForgetsThePlace(Runner):
    """In the middle of an epoch, the windows that are left have to come next, in their order."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "left"}


@believes("The seed is enough to resume the generator", about="Trainer")
class ForgetsTheGenerator(Runner):
    """By then it has drawn some orders: save its get_state()."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "generator"}


@believes("A run ends when it is saved", about="Trainer")
class GivesItsOrderAway(Runner):
    """A run is saved now and then, and goes on: state_dict must not change it."""

    def state_dict(self):
        """Keep what is left, and forget it."""
        state = super().state_dict()
        self.left = self.left[:0]
        return state


@believes("A run that was resumed is not saved again", about="Trainer")
class CountsFromTheLastStop(Runner):
    """It may be stopped many times: a count of steps goes on from the loaded one, and does not begin at 0 again."""

    done = 0

    def step(self):
        """Count it."""
        self.done += 1
        return super().step()

    def state_dict(self):
        """Keep how many steps it was."""
        parts = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        return parts | {"done": self.done, "seed": self.seed}

    def load_state_dict(self, state):
        """Draw again what was drawn."""
        super().load_state_dict({"model": state["model"], "optimizer": state["optimizer"]})
        self.seed = state["seed"]
        self.generator.manual_seed(self.seed)
        for _ in range(state["done"]):
            self.chosen()


@believes("torch.load returns whatever torch.save was given", about="Trainer")
class KeepsAnObject(Runner):
    """With weights_only=True it refuses objects of your own classes: save tensors, numbers, text, lists and dicts."""

    def state_dict(self):
        """Say what is kept."""
        return super().state_dict() | {"trainer": type(self)}


@believes("The learning rate may be chosen freely", about="Trainer")
class HasALearningRate(Runner):
    """It is an argument: give lr to the optimizer."""

    def made(self, lr):
        """Make the optimizer."""
        return super().made(0.01)


@believes("The sign of the step does not matter", about="Trainer")
class ClimbsUp(Runner):
    """A step goes against the gradient: with maximize=True the loss rises."""

    def made(self, lr):
        """Make the optimizer."""
        return torch.optim.AdamW(self.model.parameters(), lr=lr, maximize=True)


@believes("A text of context tokens has a window", about="Trainer")
class TakesAnyText(Runner):
    """A window has context + 1 tokens, because the last one is only predicted."""

    def cut(self):
        """Cut the text."""
        if len(self.tokens) < self.context:
            raise ValueError("no window")
        if len(self.tokens) == self.context:
            return self.tokens[None]
        return super().cut()


@believes("Without a window there are no steps", about="Trainer")
class TakesNoText(Runner):
    """It is a mistake of the caller: raise ValueError."""

    def cut(self):
        """Cut the text."""
        return super().cut() if len(self.tokens) > self.context else self.tokens[None, :0]


@believes("step returns the loss after the step", about="Trainer")
class TellsTheLossAfterwards(Runner):
    """It returns the loss before it, as train_step does."""

    def step(self):
        """Take a step."""
        windows = self.windows[self.chosen()]
        solved.train_step(self.model, self.optimizer, windows, self.batch)
        with torch.no_grad():
            logits = self.model(windows[:, :-1])
            return torch.nn.functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten()).item()
