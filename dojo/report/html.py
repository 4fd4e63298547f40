"""Build HTML as a tree of elements, so that text cannot become markup."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from dojo.report.sanitize import clean

STYLE = Path(__file__).with_name("style.css")
"""The style sheet of every page."""


def node(tag: str, *inside: Element | str, **attributes: object) -> Element:
    """Return an element that contains text and other elements.

    `class_="x"` and `http_equiv="y"` stand for the attributes class and http-equiv.
    """
    written = {name.rstrip("_").replace("_", "-"): clean(str(value)) for name, value in attributes.items()}
    element = Element(tag, written)
    for child in inside:
        if isinstance(child, Element):
            element.append(child)
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + clean(child)
        else:
            element.text = (element.text or "") + clean(child)
    return element


def document(title: str, style: str, body: Iterable[Element]) -> str:
    """Return a whole document. Its content security policy lets it load and run nothing."""
    sheet = Element("style")
    sheet.text = style
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", name="color-scheme", content="light dark"),
        node("meta", http_equiv="Content-Security-Policy", content=policy),
        node("title", title),
        sheet,
    )
    page = tostring(node("html", head, node("body", *body), lang="en"), encoding="unicode", method="html")
    return f"<!doctype html>\n{page}\n"
