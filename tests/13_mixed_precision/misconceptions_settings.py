"""Wrong answers that people give to kata 13 about a scaler's settings, its state and its misuse."""

# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


@believes("Gradients may be unscaled as often as one likes", about="LossScaler")
class UnscalesAgain(solved.LossScaler):
    """Each time they would be divided once more: RuntimeError, until the update."""

    def unscale_(self, optimizer):
        if id(optimizer) not in self._stepped:
            self._found.pop(id(optimizer), None)
        super().unscale_(optimizer)


@believes("To unscale again does nothing", about="LossScaler")
class IgnoresTheSecondUnscale(solved.LossScaler):
    """A second call is a slip in somebody's loop: RuntimeError, until the update."""

    def unscale_(self, optimizer):
        if id(optimizer) not in self._found or id(optimizer) in self._stepped:
            super().unscale_(optimizer)


@believes("After a step there is nothing left to unscale, and nothing to refuse", about="LossScaler")
class UnscalesAfterTheStep(solved.LossScaler):
    """It comes too late to be meant: RuntimeError, until the update."""

    def unscale_(self, optimizer):
        if id(optimizer) not in self._stepped:
            super().unscale_(optimizer)


@believes("An optimizer may step again before the update", about="LossScaler")
class StepsAgain(solved.LossScaler):
    """With the same gradients it would go twice as far: RuntimeError, until the update."""

    def step(self, optimizer):
        self._stepped.discard(id(optimizer))
        super().step(optimizer)


@believes("A second step is skipped without a word", about="LossScaler")
class IgnoresTheSecondStep(solved.LossScaler):
    """It is a slip in somebody's loop: RuntimeError, until the update."""

    def step(self, optimizer):
        if id(optimizer) not in self._stepped:
            super().step(optimizer)


@believes("A slip in the order of calls is a ValueError", about="LossScaler")
class RaisesAnotherError(solved.LossScaler):
    """No value is wrong, but the state that the scaler is in: RuntimeError."""

    def unscale_(self, optimizer):
        if id(optimizer) in self._found:
            raise ValueError("unscaled already")
        super().unscale_(optimizer)

    def step(self, optimizer):
        if id(optimizer) in self._stepped:
            raise ValueError("stepped already")
        super().step(optimizer)


@believes("One optimizer is all that a scaler serves", about="LossScaler")
class ServesOne(solved.LossScaler):
    """What was done is remembered of each optimizer by itself: another one may be unscaled and step as well."""

    def step(self, optimizer):
        if self._stepped:
            raise RuntimeError("stepped already")
        super().step(optimizer)


@believes("What was unscaled before an update is unscaled after it", about="LossScaler")
class ForgetsNothing(solved.LossScaler):
    """The next gradients are scaled again: an update forgets what was done before it."""

    def update(self):
        done = dict.fromkeys(self._found, False)
        super().update()
        self._found = done


@believes("The scale is all that a scaler remembers", about="LossScaler")
class SavesTheScaleAlone(solved.LossScaler):
    """The count decides when it grows, and the settings by how much: save them as well."""

    def state_dict(self):
        return {"scale": self._scale}

    def load_state_dict(self, state):
        self._scale = state["scale"]


@believes("The count begins anew in a new run", about="LossScaler")
class SavesNoCount(solved.LossScaler):
    """Loaded, the scaler goes on exactly: it grows when the other one would have."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"count": 0})


@believes("Settings are the constructor's affair", about="LossScaler")
class SavesNoSettings(solved.LossScaler):
    """A state loaded into a scaler with other settings brings those that it had."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"settings": self._settings})


@believes("A new run begins with the first scale", about="LossScaler")
class SavesNoScale(solved.LossScaler):
    """It would overflow once more until it has fallen as far: save the scale."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"scale": self._scale})


@believes("The state is the scaler's own dict", about="LossScaler")
class SavesItself(solved.LossScaler):
    """Between processes go numbers: no object of a class of yours comes through weights_only=True."""

    def state_dict(self):
        return {"scaler": self}

    def load_state_dict(self, state):
        super().load_state_dict(solved.LossScaler.state_dict(state["scaler"]))


GOOD = {"init_scale": 1.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 1}


class Lenient(solved.LossScaler):
    """A scaler that takes some settings too many."""

    lenient = ""

    @staticmethod
    def accepts(value):
        """Whether a value of that setting is not looked at."""
        return True

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000):
        given = dict(zip(GOOD, (init_scale, growth_factor, backoff_factor, growth_interval), strict=True))
        accepted = self.accepts(given[self.lenient])
        super().__init__(**(given | {self.lenient: GOOD[self.lenient]} if accepted else given))
        self._scale, self._settings = float(init_scale), (growth_factor, backoff_factor, growth_interval)


@believes("A growth_factor of 1 is one", about="LossScaler")
class TakesNoGrowth(Lenient):
    """The scale would never grow again: ValueError for 1 as well."""

    lenient = "growth_factor"

    @staticmethod
    def accepts(value):
        return value == 1


@believes("A growth_factor may be below 1", about="LossScaler")
class TakesAnyGrowth(Lenient):
    """The scale would fall where it has to grow: ValueError."""

    lenient = "growth_factor"


@believes("A backoff_factor of 1 is one", about="LossScaler")
class TakesNoBackoff(Lenient):
    """The scale would never fall, and every step be skipped: ValueError for 1 as well."""

    lenient = "backoff_factor"

    @staticmethod
    def accepts(value):
        return value == 1


@believes("A backoff_factor of 0 is one", about="LossScaler")
class TakesABackoffToZero(Lenient):
    """A scale of 0 makes every gradient 0: ValueError for 0 as well."""

    lenient = "backoff_factor"

    @staticmethod
    def accepts(value):
        return value == 0


@believes("A backoff_factor is anything below 1", about="LossScaler")
class TakesANegativeBackoff(Lenient):
    """A negative one would turn the gradients round: ValueError."""

    lenient = "backoff_factor"

    @staticmethod
    def accepts(value):
        return value <= 0


@believes("A growth_interval of 0 is one", about="LossScaler")
class TakesNoInterval(Lenient):
    """It counts updates, and grows after one at the least: ValueError for 0 as well."""

    lenient = "growth_interval"

    @staticmethod
    def accepts(value):
        return value == 0


@believes("A growth_interval may be anything", about="LossScaler")
class TakesAnyInterval(Lenient):
    """It counts updates, and grows after one at the least: ValueError."""

    lenient = "growth_interval"


@believes("An init_scale of 0 is one", about="LossScaler")
class TakesAZeroScale(Lenient):
    """A scale of 0 makes every gradient 0: ValueError."""

    lenient = "init_scale"

    @staticmethod
    def accepts(value):
        return value == 0


@believes("Nobody makes a scaler with a bad scale", about="LossScaler")
class TakesAnyScale(Lenient):
    """0 makes every gradient 0, and a negative scale turns them round: ValueError."""

    lenient = "init_scale"


@believes("A state is where the program keeps it", about="LossScaler")
class KeepsItsStateInTheProgram(solved.LossScaler):
    """Another process finds none of it there: all that is needed goes into the dict that state_dict returns."""

    kept = {}  # noqa: RUF012 - of all scalers, and no setting of one

    def state_dict(self):
        self.kept[len(self.kept)] = super().state_dict()
        return {"number": len(self.kept) - 1}

    def load_state_dict(self, state):
        super().load_state_dict(self.kept.get(state["number"], super().state_dict()))
