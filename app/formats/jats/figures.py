"""Figures of a JATS article: numbered before it is read, put together once its text stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lxml import etree
from lxml.etree import _Element as Element

from app.formats.documents.builder import Marks, unmarked
from app.formats.jats.inline import NAMED, child_of, flat_text
from extractors.model.figure import Figure, FigureImage, FigureMention
from extractors.text.figures import caption_panels, panels_of, with_mentions

# Compiled once: most references of an article are to its literature. `.//` would take twice as long.
_REFERENCES: Callable[[Element], list[Element]] = etree.XPath("descendant::xref[@ref-type='fig']")  # type: ignore[assignment]
_XLINK = "{http://www.w3.org/1999/xlink}href"


def name_figures(article: Element) -> None:
    """Give captions and references of figures names by which their places are found in the text."""
    for number, figure in enumerate(article.iter("fig"), start=1):
        caption = child_of(figure, "caption")
        if caption is not None:
            caption.set(NAMED, f"f{number}")
    for number, reference in enumerate(_REFERENCES(article)):
        reference.set(NAMED, f"x{number}")


def figures_of(article: Element, text: str, places: Marks) -> tuple[Figure, ...]:
    """The figures of an article whose captions and references were found at these places of its text."""
    elements = list(article.iter("fig"))
    if not elements:
        return ()
    owners = {id(figure): f"f{number}" for number, figure in enumerate(elements, start=1)}
    images: dict[str, list[FigureImage]] = {}
    for graphic in article.iter("graphic"):
        owner = _owner(graphic)
        if owner is not None:
            image = FigureImage(graphic.get(_XLINK) or graphic.get("href") or "")
            images.setdefault(owners[id(owner)], []).append(image)
    mentions = _mentions(article, text, places, _by_identifier(article, elements, owners))
    found = []
    for element in elements:
        name = owners[id(element)]
        start, end = places.get(name, (None, None))
        panels = caption_panels(text[start:end]) if start is not None else ()
        label = unmarked(flat_text(child_of(element, "label")))[0]
        pictures, listed = tuple(images.get(name, ())), tuple(mentions.get(name, ()))
        found.append(Figure(name, label, start, end, panels, pictures, listed))
    return with_mentions(text, found)


def _by_identifier(
    article: Element, elements: Sequence[Element], owners: Mapping[int, str]
) -> dict[str, list[str]]:
    """The figures that each identifier stands for: that which it is of or in, or all of a group."""
    found: dict[str, list[str]] = {}
    for element in elements:
        for inner in element.iter():
            if inner.get("id") and (inner is element or _owner(inner) is element):
                found.setdefault(inner.get("id") or "", [owners[id(element)]])
    for group in article.iter("fig-group"):
        found.setdefault(group.get("id") or "", [owners[id(one)] for one in group.iter("fig")])
    return found


def _mentions(
    article: Element, text: str, places: Marks, by_identifier: Mapping[str, Sequence[str]]
) -> dict[str, list[FigureMention]]:
    """By figure; a reference to several figures is a mention of each."""
    found: dict[str, list[FigureMention]] = {}
    for reference in _REFERENCES(article):
        wanted = (reference.get("rid") or "").split()
        for figure in dict.fromkeys(one for rid in wanted for one in by_identifier.get(rid, ())):
            found.setdefault(figure, []).append(_mention(reference, text, places))
    return found


def _owner(element: Element) -> Element | None:
    """The innermost figure that an element stands in."""
    return next(element.iterancestors("fig"), None)


def _mention(reference: Element, text: str, places: Marks) -> FigureMention:
    start, end = places.get(reference.get(NAMED) or "", (None, None))
    panels = panels_of(text, start, end) if start is not None and end is not None else ()
    return FigureMention(start, end, panels, "xref")
