"""Wrong answers that people give to kata 23 about a training that is stopped and resumed."""

import torch

from dojo.judging.diagnose import believes, solution

from .steps import Runner

solved = solution("23_capstone")


@believes("Windows do not share a token", about="Trainer")
class CutsApart(Runner):
    """Each begins with the last token of the one before, or that would never be given: context further, no more."""

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
    """All that fit are windows: (n - 1) // context of them."""

    def cut(self):
        """Cut the text."""
        windows = super().cut()
        return windows[: max(len(windows) - 1, 1)]


@believes("One order is shuffled enough for all epochs", about="Trainer")
class ShufflesOnce(Runner):
    """Each epoch draws an order of its own: let the generator go on."""

    def order(self):
        """Draw an order."""
        return torch.randperm(len(self.windows), generator=torch.Generator().manual_seed(self.seed))


@believes("A text is read in order", about="Trainer")
class ReadsInOrder(Runner):
    """Neighbouring windows are alike: each epoch draws an order."""

    def order(self):
        """Draw an order."""
        return torch.arange(len(self.windows))


@believes("The seed is for the model", about="Trainer")
class IgnoresTheSeed(Runner):
    """It is where the generator of the orders begins."""

    def __init__(self, model, tokens, batch, context, lr, seed):
        super().__init__(model, tokens, batch, context, lr, 0)


@believes("torch.manual_seed is the way to seed", about="Trainer")
class SeedsEverything(Runner):
    """It changes what everybody else draws: make a torch.Generator of your own."""

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


@believes("randperm draws from where it will", about="Trainer")
class DrawsFromTheGlobalState(Runner):
    """Without generator=… it draws from the global state, which anybody moves: the run cannot be repeated."""

    def order(self):
        """Draw an order."""
        return torch.randperm(len(self.windows))


@believes("A batch draws its windows independently", about="Trainer")
class DrawsWithReplacement(Runner):
    """Then some windows come twice in an epoch, and a third of them never: draw an order."""

    def order(self):
        """Draw an order."""
        return torch.randint(len(self.windows), (len(self.windows),), generator=self.generator)


@believes("A batch is always full", about="Trainer")
class DropsTheRest(Runner):
    """What is left of an epoch is a smaller batch, or those windows would be missed."""

    def order(self):
        """Draw an order."""
        order = super().order()
        return order[: max(len(order) // self.batch, 1) * self.batch]


@believes("What is left goes into the next epoch's first batch", about="Trainer")
class FillsUp(Runner):
    """It is a batch of its own, and the next step begins another epoch."""

    def chosen(self):
        """Choose windows."""
        if len(self.left) < min(self.batch, len(self.windows)):
            self.left = torch.cat([self.left, self.order()])
        return super().chosen()


@believes("The weights are all that training has learned", about="Trainer")
class KeepsTheModelAlone(Runner):
    """The optimizer has averages, the generator a state, and the epoch a place: all of that goes on."""

    def state_dict(self):
        """Say what is kept."""
        return {"model": self.model.state_dict()}


@believes("The optimizer finds its averages again", about="Trainer")
class ForgetsTheOptimizer(Runner):
    """Adam begins with averages of zero, and its first steps are others: save its state_dict()."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "optimizer"}


@believes("The weights are the caller's to save", about="Trainer")
class ForgetsTheModel(Runner):
    """The resumed model has others: all that the run needs is in the state."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "model"}


@believes("Resuming begins an epoch", about="Trainer")
class ForgetsThePlace(Runner):
    """In the middle of one the windows that are left have to come, in their order."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "left"}


@believes("The same seed makes up for the generator's state", about="Trainer")
class ForgetsTheGenerator(Runner):
    """By then it has drawn some orders: save get_state()."""

    def state_dict(self):
        """Say what is kept."""
        return {name: part for name, part in super().state_dict().items() if name != "generator"}


@believes("torch.load gives back whatever torch.save took", about="Trainer")
class KeepsAnObject(Runner):
    """With weights_only=True it gives tensors, numbers, texts, lists and dicts: no object of a class of your own."""

    def state_dict(self):
        """Say what is kept."""
        return super().state_dict() | {"trainer": type(self)}


@believes("A learning rate is a matter of taste", about="Trainer")
class HasALearningRate(Runner):
    """It is an argument: give lr to the optimizer."""

    def made(self, lr):
        """Make the optimizer."""
        return super().made(0.01)


@believes("The loss goes down by itself if the sign is wrong somewhere", about="Trainer")
class ClimbsUp(Runner):
    """A step goes against the gradient; with maximize=True the loss rises."""

    def made(self, lr):
        """Make the optimizer."""
        return torch.optim.AdamW(self.model.parameters(), lr=lr, maximize=True)


@believes("A text as long as the context has a window", about="Trainer")
class TakesAnyText(Runner):
    """The last token of a window is only predicted: it takes context + 1."""

    def cut(self):
        """Cut the text."""
        if len(self.tokens) < self.context:
            raise ValueError("no window")
        if len(self.tokens) == self.context:
            return self.tokens[None]
        return super().cut()


@believes("No window, no steps", about="Trainer")
class TakesNoText(Runner):
    """A training without data is a mistake, and a ValueError."""

    def cut(self):
        """Cut the text."""
        return super().cut() if len(self.tokens) > self.context else self.tokens[None, :0]


@believes("A step's loss is that after it", about="Trainer")
class TellsTheLossAfterwards(Runner):
    """It is that of the batch before the step, as train_step returns it."""

    def step(self):
        """Take a step."""
        windows = self.windows[self.chosen()]
        solved.train_step(self.model, self.optimizer, windows, self.batch)
        with torch.no_grad():
            logits = self.model(windows[:, :-1])
            return torch.nn.functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten()).item()
