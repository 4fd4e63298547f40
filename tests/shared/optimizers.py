"""Optimizers, drawn by hypothesis as code: groups, and valid and invalid settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from .shapes import pick

Settings = dict[str, Any]
LRS = (0.5, 0.25, 1.0, 0.0)


def _as_they_are(draw: DrawFn, settings: Settings) -> Settings:
    return settings


@dataclass(frozen=True, eq=False)
class Described:
    """A class of optimizers: its settings, and which values of them are drawn."""

    name: str
    values: Mapping[str, tuple[Any, ...]]
    """The settings in the order of the arguments, and what is drawn for each; the first is the simplest."""
    edges: Sequence[tuple[Settings, str]]
    """Settings that the constructor refuses, and why; where there is no reason, it takes them."""
    same_for_all: frozenset[str] = frozenset()
    """The settings that no group has of its own."""
    changing: tuple[str, ...] = ("lr",)
    """The settings that change in a group while a program runs; one that stands here twice does so more often."""
    mended: Callable[[DrawFn, Settings], Settings] = _as_they_are
    """Settings that go together, of some that may not."""

    def without(self, name: str) -> Described:
        """Return the same optimizer with this setting always 0."""
        values = {**self.values, name: (0.0,)}
        return replace(self, values=values, changing=tuple(other for other in self.changing if other != name))


def negative(*names: str) -> list[tuple[Settings, str]]:
    """Return edges with each of these settings below 0: by much, by a little, and as an int."""
    return [({name: -size}, f"{name} is {-size}") for name in names for size in (0.5, 1, 1e-10)]


def typed_edge(draw: DrawFn, optimizer: Described, params: str = "[torch.ones(2)]") -> tuple[str, str]:
    """Draw code that makes an optimizer with settings at an edge, and why it must refuse them, or "" if it must not.

    What it must refuse is often used by no group, because the only one has a setting of its own.
    """
    edge, because = pick(draw, optimizer.edges)
    settings = drawn_settings(draw, {name: of for name, of in optimizer.values.items() if name not in edge}) | edge
    settings = settings if because else optimizer.mended(draw, settings)
    typed = [f"{name}={settings[name]}" for name in draw(st.permutations(list(settings)))]
    refused = because.partition(" ")[0]
    if refused and refused not in optimizer.same_for_all and draw(st.booleans()):
        own = False if refused == "nesterov" else pick(draw, optimizer.values[refused])
        params = f'[{{"params": {params}, "{refused}": {own}}}]'
    return f"{optimizer.name}({params}, {', '.join(typed)})", because


def split_in_groups(draw: DrawFn, names: str) -> list[str]:
    """Draw a split of the parameters into one group or two."""
    cut = pick(draw, (0, 0, *range(1, len(names))))
    return [names[:cut], names[cut:]] if cut else [names]


def typed_change(draw: DrawFn, optimizer: Described, groups: list[str]) -> str:
    """Draw code that sets one setting of one group to a new value."""
    name = pick(draw, optimizer.changing)
    group = draw(st.integers(0, len(groups) - 1))
    return f'param_groups[{group}]["{name}"] = {pick(draw, optimizer.values[name])}'


def typed_optimizer(draw: DrawFn, optimizer: Described, groups: list[str]) -> str:
    """Draw code that makes an optimizer with these groups. A single group may be a list, a generator or a dict."""
    by_place = pick(draw, (False, False, False, True))
    settings = optimizer.mended(draw, drawn_settings(draw, optimizer.values, all_of_them=by_place))
    typed = [f"{value}" if by_place else f"{name}={value}" for name, value in settings.items()]
    how = pick(draw, ("list", "generator", "dict")) if len(groups) == 1 else "dict"
    listed = f"[{', '.join(groups[0])}]"
    params = {
        "list": listed,
        "generator": f"(p for p in {listed})",
        "dict": f"[{', '.join(_group(draw, optimizer, settings, names) for names in groups)}]" if how == "dict" else "",
    }[how]
    return f"{optimizer.name}({', '.join([params, *typed])})"


def _group(draw: DrawFn, optimizer: Described, settings: Settings, names: str) -> str:
    own = drawn_settings(
        draw, {name: of for name, of in optimizer.values.items() if name not in optimizer.same_for_all}
    )
    mended = optimizer.mended(draw, settings | own)
    typed = [f'"params": [{", ".join(names)}]']
    typed += [f'"{name}": {value}' for name, value in mended.items() if name in own or value != settings.get(name)]
    return f"{{{', '.join(typed)}}}"


def drawn_settings(draw: DrawFn, values: Mapping[str, tuple[Any, ...]], all_of_them: bool = False) -> Settings:
    """Draw some of the settings, or all of them, in their order."""
    return {name: pick(draw, options) for name, options in values.items() if all_of_them or draw(st.booleans())}
