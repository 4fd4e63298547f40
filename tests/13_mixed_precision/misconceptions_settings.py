"""Wrong answers that people give to kata 13 about a scaler's settings, its state and its misuse."""

# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


@believes("Gradients may be unscaled several times", about="LossScaler")
class UnscalesAgain(solved.LossScaler):
    """Each call would divide them once more: raise RuntimeError until the update."""

    def unscale_(self, optimizer):
        if id(optimizer) not in self._stepped:
            self._found.pop(id(optimizer), None)
        super().unscale_(optimizer)


@believes("A second unscale_ does nothing", about="LossScaler")
class IgnoresTheSecondUnscale(solved.LossScaler):
    """A second call shows a mistake in the training loop: raise RuntimeError until the update."""

    def unscale_(self, optimizer):
        if id(optimizer) not in self._found or id(optimizer) in self._stepped:
            super().unscale_(optimizer)


@believes("unscale_ after the step does nothing", about="LossScaler")
class UnscalesAfterTheStep(solved.LossScaler):
    """It comes too late to have an effect: raise RuntimeError until the update."""

    def unscale_(self, optimizer):
        if id(optimizer) not in self._stepped:
            super().unscale_(optimizer)


@believes("An optimizer may step again before the update", about="LossScaler")
class StepsAgain(solved.LossScaler):
    """With the same gradients, it would go twice as far: raise RuntimeError until the update."""

    def step(self, optimizer):
        self._stepped.discard(id(optimizer))
        super().step(optimizer)


@believes("A second step is silently skipped", about="LossScaler")
class IgnoresTheSecondStep(solved.LossScaler):
    """It shows a mistake in the training loop: raise RuntimeError until the update."""

    def step(self, optimizer):
        if id(optimizer) not in self._stepped:
            super().step(optimizer)


@believes("A call in the wrong order raises a ValueError", about="LossScaler")
class RaisesAnotherError(solved.LossScaler):
    """No argument is wrong, but the call does not fit the scaler's state: raise RuntimeError."""

    def unscale_(self, optimizer):
        if id(optimizer) in self._found:
            raise ValueError("unscaled already")
        super().unscale_(optimizer)

    def step(self, optimizer):
        if id(optimizer) in self._stepped:
            raise ValueError("stepped already")
        super().step(optimizer)


@believes("A scaler serves one optimizer", about="LossScaler")
class ServesOne(solved.LossScaler):
    """It remembers what was called for each optimizer: another one may also be unscaled and take its step."""

    def step(self, optimizer):
        if self._stepped:
            raise RuntimeError("stepped already")
        super().step(optimizer)


@believes("Gradients that were unscaled before an update still are after it", about="LossScaler")
class ForgetsNothing(solved.LossScaler):
    """The next gradients are scaled again: update clears what was remembered for each optimizer."""

    def update(self):
        done = dict.fromkeys(self._found, False)
        super().update()
        self._found = done


@believes("The scale is the whole state of a scaler", about="LossScaler")
class SavesTheScaleAlone(solved.LossScaler):
    """The count decides when the scale grows, and the settings by how much: save both too."""

    def state_dict(self):
        return {"scale": self._scale}

    def load_state_dict(self, state):
        self._scale = state["scale"]


@believes("The count begins again in a new run", about="LossScaler")
class SavesNoCount(solved.LossScaler):
    """A loaded scaler continues exactly: it grows when the other one would have."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"count": 0})


@believes("The settings of the new scaler hold", about="LossScaler")
class SavesNoSettings(solved.LossScaler):
    """The state brings the settings with it, and they replace those of the constructor."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"settings": self._settings})


@believes("growth_interval is not part of the state", about="LossScaler")
class SavesNoInterval(solved.LossScaler):
    """It decides when the scale grows: a scaler made with another interval would not continue exactly."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"settings": (*state["settings"][:2], self._settings[2])})


@believes("A new run begins with init_scale", about="LossScaler")
class SavesNoScale(solved.LossScaler):
    """It would overflow again until the scale has fallen as far as before: save the scale."""

    def load_state_dict(self, state):
        super().load_state_dict(state | {"scale": self._scale})


@believes("The state may hold the scaler itself", about="LossScaler")
class SavesItself(solved.LossScaler):
    """torch.load with weights_only=True refuses objects of your classes: save plain numbers."""

    def state_dict(self):
        return {"scaler": self}

    def load_state_dict(self, state):
        super().load_state_dict(solved.LossScaler.state_dict(state["scaler"]))


GOOD = {"init_scale": 1.0, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 1}


class Lenient(solved.LossScaler):
    """A scaler that accepts some settings that it should refuse."""

    lenient = ""

    @staticmethod
    def accepts(value):
        """Return whether a value of that setting is not checked."""
        return True

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000):
        given = dict(zip(GOOD, (init_scale, growth_factor, backoff_factor, growth_interval), strict=True))
        accepted = self.accepts(given[self.lenient])
        super().__init__(**(given | {self.lenient: GOOD[self.lenient]} if accepted else given))
        self._scale, self._settings = float(init_scale), (growth_factor, backoff_factor, growth_interval)


@believes("A growth_factor of 1 is allowed", about="LossScaler")
class TakesNoGrowth(Lenient):
    """The scale would never grow: raise ValueError."""

    lenient = "growth_factor"

    @staticmethod
    def accepts(value):
        return value == 1


@believes("growth_factor need not be checked", about="LossScaler")
class TakesAnyGrowth(Lenient):
    """With 1 the scale would never grow, and below 1 it would fall: raise ValueError."""

    lenient = "growth_factor"


@believes("A backoff_factor of 1 is allowed", about="LossScaler")
class TakesNoBackoff(Lenient):
    """The scale would never fall, and every step might be skipped: raise ValueError."""

    lenient = "backoff_factor"

    @staticmethod
    def accepts(value):
        return value == 1


@believes("A backoff_factor of 0 is allowed", about="LossScaler")
class TakesABackoffToZero(Lenient):
    """A scale of 0 makes every gradient 0: raise ValueError."""

    lenient = "backoff_factor"

    @staticmethod
    def accepts(value):
        return value == 0


@believes("Any backoff_factor below 1 is allowed", about="LossScaler")
class TakesANegativeBackoff(Lenient):
    """0 would make every gradient 0, and a negative factor would change its sign: raise ValueError."""

    lenient = "backoff_factor"

    @staticmethod
    def accepts(value):
        return value <= 0


@believes("A growth_interval of 0 is allowed", about="LossScaler")
class TakesNoInterval(Lenient):
    """The scale grows after 1 update at the earliest: raise ValueError."""

    lenient = "growth_interval"

    @staticmethod
    def accepts(value):
        return value == 0


@believes("growth_interval need not be checked", about="LossScaler")
class TakesAnyInterval(Lenient):
    """The scale grows after 1 update at the earliest: raise ValueError."""

    lenient = "growth_interval"


@believes("An init_scale of 0 is allowed", about="LossScaler")
class TakesAZeroScale(Lenient):
    """A scale of 0 makes every gradient 0: raise ValueError."""

    lenient = "init_scale"

    @staticmethod
    def accepts(value):
        return value == 0


@believes("init_scale need not be checked", about="LossScaler")
class TakesAnyScale(Lenient):
    """0 makes every gradient 0, and a negative scale changes its sign: raise ValueError."""

    lenient = "init_scale"


@believes("A state may refer to objects that stay in the program", about="LossScaler")
class KeepsItsStateInTheProgram(solved.LossScaler):
    """Another process does not have these: state_dict returns everything that is needed."""

    kept = {}  # noqa: RUF012 - of all scalers, and no setting of one

    def state_dict(self):
        self.kept[len(self.kept)] = super().state_dict()
        return {"number": len(self.kept) - 1}

    def load_state_dict(self, state):
        super().load_state_dict(self.kept.get(state["number"], super().state_dict()))


@believes("A state may change while the scaler goes on", about="LossScaler")
class ReturnsItsLiveState(solved.LossScaler):
    """What was saved is the state at that moment: return a new dict."""

    def __init__(self, *settings, **named):
        super().__init__(*settings, **named)
        self._state = super().state_dict()

    def update(self):
        super().update()
        self._state |= super().state_dict()

    def state_dict(self):
        return self._state

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self._state = dict(state)


@believes("A scaler has one state_dict, which each call brings up to date", about="LossScaler")
class ReturnsOneState(ReturnsItsLiveState):
    """Then a later call changes what an earlier one returned: return a new dict each time."""

    def update(self):
        solved.LossScaler.update(self)

    def state_dict(self):
        self._state |= solved.LossScaler.state_dict(self)
        return self._state


@believes("A state is loaded once", about="LossScaler")
class UsesUpTheState(solved.LossScaler):
    """The caller may load it again: read it and leave it as it is."""

    def load_state_dict(self, state):
        self._scale, self._count, self._settings = state.pop("scale"), state.pop("count"), state.pop("settings")
