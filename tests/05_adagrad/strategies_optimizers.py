"""What hypothesis draws for kata 05 of optimizers: groups and settings, right and wrong ones."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import pick

Settings = dict[str, float]
LRS = (0.5, 0.25, 1.0, 0.0)

VALUES: dict[str, dict[str, tuple[float, ...]]] = {
    "SGD": {"lr": LRS},
    "AdaGrad": {
        "lr": LRS,
        "lr_decay": (0.5, 1.0, 0.0),
        "weight_decay": (0.5, 0.25, 0.0),
        "initial_accumulator_value": (0.25, 1.0, 0.0),
        "eps": (0.5, 0.125, 1.0, 1e-10),
    },
}
"""The settings of each optimizer, in the order of its arguments."""
OF_A_GROUP = {"lr", "lr_decay", "weight_decay", "eps"}


def _refuses(name: str) -> Callable[[tuple[str, str]], bool]:
    """Whether that setting is the negative one."""
    return lambda case: case[1].startswith(f"{name} is")


@classes(
    {
        **{f"{name} is negative": _refuses(name) for name in VALUES["AdaGrad"]},
        "by a little": lambda case: case[1].endswith("-1e-10"),
        "as an int": lambda case: case[1].endswith("-1"),
        "beside others that are not": lambda case: case[0].count("=") > 1,
    }
)
@st.composite
def refused_settings(draw: DrawFn, optimizer: str) -> tuple[str, str]:
    """The line that makes an optimizer with a negative setting, and which one that is."""
    values = VALUES[optimizer]
    bad = pick(draw, list(values))
    settings = {name: value for name, value in _settings(draw, values).items() if name != bad}
    settings[bad] = -pick(draw, (0.5, 1, 1e-10))
    typed = [f"{name}={settings[name]}" for name in draw(st.permutations(list(settings)))]
    return f"{optimizer}([torch.ones(2)], {', '.join(typed)})", f"{bad} is {settings[bad]}"


def split_in_groups(draw: DrawFn, names: str) -> list[str]:
    """The parameters in one group, or in two."""
    cut = pick(draw, (0, 0, *range(1, len(names))))
    return [names[:cut], names[cut:]] if cut else [names]


def typed_change(draw: DrawFn, optimizer: str, groups: list[str], without: str = "") -> str:
    """What gives one setting of one group another value; above all the decay, of which a count depends."""
    names = [name for name in VALUES[optimizer] if name in OF_A_GROUP and name != without]
    name = pick(draw, names + ["lr_decay"] * (len(names) > 1))
    group = draw(st.integers(0, len(groups) - 1))
    return f'param_groups[{group}]["{name}"] = {pick(draw, VALUES[optimizer][name])}'


def typed_optimizer(draw: DrawFn, optimizer: str, groups: list[str], without: str = "") -> str:
    """The optimizer of these groups; a single one may come as a list, as a generator or as a dict."""
    values = {name: options for name, options in VALUES[optimizer].items() if name != without}
    settings = _settings(draw, values)
    if "eps" in settings and settings.get("initial_accumulator_value"):  # then no sum is 0, to be divided by
        settings["eps"] = pick(draw, (settings["eps"], 0.0))
    typed = [f"{name}={value}" for name, value in settings.items()]
    if pick(draw, (False, False, False, True)):
        typed = [f"{0.0 if name == without else pick(draw, of)}" for name, of in VALUES[optimizer].items()]
    how = pick(draw, ("list", "generator", "dict")) if len(groups) == 1 else "dict"
    listed = f"[{', '.join(groups[0])}]"
    params = {
        "list": listed,
        "generator": f"(p for p in {listed})",
        "dict": f"[{', '.join(_group(draw, values, names) for names in groups)}]" if how == "dict" else "",
    }[how]
    return f"{optimizer}({', '.join([params, *typed])})"


def _group(draw: DrawFn, values: dict[str, tuple[float, ...]], names: str) -> str:
    own = _settings(draw, {name: options for name, options in values.items() if name in OF_A_GROUP})
    typed = [f'"params": [{", ".join(names)}]', *(f'"{name}": {value}' for name, value in own.items())]
    return f"{{{', '.join(typed)}}}"


def _settings(draw: DrawFn, values: dict[str, tuple[float, ...]]) -> Settings:
    return {name: pick(draw, options) for name, options in values.items() if draw(st.booleans())}
