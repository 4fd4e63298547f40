"""The pages of the site: the clone's documents and lessons, with replacements for what only GitHub shows."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from dojo.catalog import ROOT, katas
from dojo.site.map import picture

DOCUMENTS = {
    "README.md": "Start",
    "GRADING.md": "Grading",
    "CONTRIBUTING.md": "Contributing",
    "CHANGELOG.md": "Changes",
    "AGENTS.md": "For assistants",
}
"""The documents beside the lessons, each with its title on the site."""

STYLE = """\
.map { overflow-x: auto; }
.map svg { min-width: 34rem; width: 100%; font-size: 13px; }
.map a { text-decoration: none; }
.map path { fill: none; stroke: var(--md-default-fg-color--light); marker-end: url(#head); }
.map marker path { fill: var(--md-default-fg-color--light); stroke: none; marker-end: none; }
.map rect { fill: var(--md-default-bg-color); stroke: var(--md-default-fg-color--light); }
.map text { fill: var(--md-default-fg-color); text-anchor: middle; }
.map a:is(:hover, :focus) rect { stroke: var(--md-accent-fg-color); stroke-width: 2; }
"""
ONLY_DARK = re.compile(r"@media\(prefers-color-scheme:dark\)\{(:root\{[^{}]*\})\}")
FIGURE = re.compile(r"^!\[(.+)\]\((\w+)\.svg\)$", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()[^()#:\s]+(?=\))")


def files() -> dict[str, str]:
    """Return the text of each file that the site is built from, by its path."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    texts |= {_place(kata.lesson.parent.name): kata.lesson.read_text(encoding="utf-8") for kata in katas().values()}
    made = {"style.css": STYLE}
    for place, text in texts.items():
        made[place] = _with_map(text)
        for name in {name for _, name in FIGURE.findall(text)}:
            made |= _figures(posixpath.dirname(place), name)
        made[place] = FIGURE.sub(r"![\1](\2-light.svg#only-light)\n![\1](\2-dark.svg#only-dark)", made[place])
    for place, name in _others(made):
        copy = f"files/{posixpath.basename(name)}.txt"
        made[copy] = (ROOT / name).read_text(encoding="utf-8")
        link = posixpath.relpath(copy, posixpath.dirname(place) or ".")
        made[place] = made[place].replace(f"]({name})", f"]({link})")
    return made


def navigation() -> list[dict[str, object]]:
    """Return the entries of the site's menu: the documents by title, with the lessons after the first."""
    listed: list[dict[str, object]] = [{title: name} for name, title in DOCUMENTS.items()]
    lessons = [{f"{kata.number} · {kata.title}": _place(kata.slug)} for kata in katas().values()]
    return [*listed[:1], {"Lessons": lessons}, *listed[1:]]


def _place(slug: str) -> str:
    return f"katas/{slug}/README.md"


def _with_map(text: str) -> str:
    """Replace the flowchart by a picture, since drawing it would take a script from another host."""
    return re.sub(r"^```mermaid\n.*?^```$", lambda found: picture(katas()), text, flags=re.MULTILINE | re.DOTALL)


def _figures(folder: str, name: str) -> dict[str, str]:
    """Return a light and a dark version of a figure, since the page may not use the color scheme of the system."""
    svg = (ROOT / folder / f"{name}.svg").read_text(encoding="utf-8")
    light, dark = ONLY_DARK.sub("", svg), ONLY_DARK.sub(r"\1", svg)
    return {f"{folder}/{name}-light.svg": light, f"{folder}/{name}-dark.svg": dark}


def _others(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Find links to files of the clone that are not on the site. Yield the page and the target of each link."""
    for place, text in [*texts.items()]:
        for name in set(LINK.findall(text)) if place.endswith(".md") else ():
            target = posixpath.normpath(posixpath.join(posixpath.dirname(place), name))
            if target not in texts and (ROOT / target).is_file():
                yield place, name
