"""Running text of JATS: formatting, raised and lowered text, markers, entities; blocks become blanks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element
from lxml.etree import _Entity as EntityNode

from app.formats.documents.builder import MARK, mark, tidied
from app.formats.jats.citations import OPEN, REMOVED, drop_citations, fence, only_markers, without_fences
from app.formats.jats.math import MATHML, math_text, tex_text
from app.formats.xml_input import entity_text

# The first argument is the walker: handlers of blocks ask for more than an Inline.
Handler = Callable[[Any, Element, list[str]], None]

_MATH = f"{{{MATHML}}}math"
_ISOTOPE = re.compile(r"[A-Z][a-z]?(?![a-z])")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "re", "eme", "ème"})
_DEGREES = frozenset({"°", "º", "˚", "∘", "○"})
_ROUND = frozenset({"o", "O", "0", "ο"})
_SIGNS = frozenset("-−–‐")
# What is looked for in the finished text (app/formats/jats/figures.py) has its name in this attribute.
NAMED = "casespan"
# Up to this length one look at every character takes less time than three searches.
_SHORT = 60


class Inline:
    """Walks an element's content once and appends its text to a list; tags with a handler go to it.

    Tags without one are formatting: their text is the surrounding's, nothing added, nothing split.
    """

    def __init__(self, handlers: Mapping[Any, Handler]) -> None:
        self.handlers = handlers

    def walk(self, element: Element, out: list[str]) -> None:
        """Append the text of `element` and of everything in it, without its tail."""
        handlers = self.handlers
        text = element.text
        if text:
            out.append(text)
        for child in element:
            handler = handlers.get(child.tag)
            if handler is not None:
                handler(self, child, out)
            elif len(child):
                self.walk(child, out)
            else:
                text = child.text
                if text:
                    out.append(text)
            text = child.tail
            if text:
                out.append(text)


def collapse(out: list[str]) -> str:
    """The pieces as one line: citation markers out, any white space one blank."""
    text = "".join(out)
    if MARK in text:
        return tidied(text, _tidy)
    return _tidy(text)


def _tidy(text: str) -> str:
    if OPEN in text:
        text = drop_citations(text)
    return one_line(text)


def one_line(text: str) -> str:
    """`text` with any white space as one blank, none at the ends."""
    # Most text is tidy already, which is quicker to see than to do; of all white space only " " is printable.
    if len(text) > _SHORT and text.isascii():
        tidy = "\n" not in text and "\t" not in text and "\r" not in text
    else:
        tidy = text.isprintable()
    if tidy and "  " not in text:
        return text.strip()
    return " ".join(text.split())


def child_of(element: Element, tag: str) -> Element | None:
    """The first child of that tag."""
    for child in element:
        if child.tag == tag:
            return child
    return None


def flat_text(element: Element | None) -> str:
    """Everything in `element` on one line; "" for None."""
    if element is None:
        return ""
    if not len(element):
        text = element.text
        return one_line(text) if text else ""
    out: list[str] = []
    FLAT.walk(element, out)
    return collapse(out)


def named_text(element: Element) -> str:
    """As `flat_text`, marked where the element has a name."""
    out: list[str] = []
    _named(FLAT, element, out)
    return collapse(out)


def _skip(walker: Inline, element: Element, out: list[str]) -> None:
    """Leave out what readers never see."""


def _blank(walker: Inline, element: Element, out: list[str]) -> None:
    out.append(" ")


def _spaced(walker: Inline, element: Element, out: list[str]) -> None:
    out.append(" ")
    walker.walk(element, out)
    out.append(" ")


def _apart(walker: Inline, element: Element, out: list[str]) -> None:
    """A word of its own even where nothing stands between it and its neighbours."""
    if out and out[-1][-1:].isalnum():
        out.append(" ")
    walker.walk(element, out)
    if (element.tail or "")[:1].isalnum():
        out.append(" ")


def _spaced_children(walker: Inline, element: Element, out: list[str]) -> None:
    """Records such as a reference, whose parts have no blanks between them."""
    out.append(element.text or "")
    for child in element:
        out.append(" ")
        handler = FLAT.handlers.get(child.tag, _spaced_children if len(child) else _spaced)
        handler(FLAT, child, out)
        out.append(child.tail or "")


def _entity(walker: Inline, element: Element, out: list[str]) -> None:
    assert isinstance(element, EntityNode)
    out.append(entity_text(element))


def _xref(walker: Inline, element: Element, out: list[str]) -> None:
    if element.get("ref-type") != "bibr":
        _named(walker, element, out)
    elif not len(element):
        out.append(fence(element.text or ""))
    elif element[0].tag == "sup":
        out.append(REMOVED)
    else:
        inner: list[str] = []
        FLAT.walk(element, inner)
        out.append(fence(without_fences("".join(inner))))


def _named(walker: Inline, element: Element, out: list[str]) -> None:
    """Walk the element; where it has a name, its words are marked by it."""
    name = element.get(NAMED)
    if name is None:
        walker.walk(element, out)
        return
    inner: list[str] = []
    walker.walk(element, inner)
    if "".join(inner).strip():
        mark(inner, name)
    out += inner


def _caption(walker: Inline, element: Element, out: list[str]) -> None:
    out.append(" ")
    _named(walker, element, out)
    out.append(" ")


def _sup(walker: Inline, element: Element, out: list[str]) -> None:
    inner: list[str] = []
    FLAT.walk(element, inner)
    raw = "".join(inner)
    if only_markers(raw):
        out.append(REMOVED)
        return
    content = without_fences(raw).strip()
    following = element.tail or ""
    if content:
        content = _raised(content, out[-1] if out else " ", following)
        out.append(content)
    if raw[-1:].isspace() or (content[:1] == "^" and following[:1].isalnum() and content[-1].isalnum()):
        out.append(" ")


def _raised(content: str, previous: str, following: str) -> str:
    """Raised `content` as plain text: "^9" after a number or word, "th", "°" and "+" as they are.

    With nothing before it, it is an isotope's number (18F) or a note's mark, which stands apart.
    """
    last = previous[-1:]
    if content in _DEGREES:
        return "°"
    if content in _ROUND and (last.isdigit() or last.isspace()) and following[:1] in ("C", "F"):
        return "°"
    if last.isspace() or last in "([{\"'“‘":
        return content + " " if following[:1].isalpha() and not _ISOTOPE.match(following) else content
    if previous[0] == "^":
        return content
    if last.isdigit() and (content in _ORDINALS or content in _SIGNS):
        return content if content in _ORDINALS else "^" + content
    return "^" + content if any(char.isalnum() for char in content) else content


def _sub(walker: Inline, element: Element, out: list[str]) -> None:
    """Lowered text joins what it belongs to (H2O), but never makes one number of two.

    After raised text it stands apart, as it does not belong to that ("Zn^II 2").
    """
    start = len(out)
    before = out[-1] if out else ""
    walker.walk(element, out)
    if not before or len(out) == start:
        return
    if before[0] == "^" and before[-1].isalnum() and out[start][:1].isalnum():
        out.insert(start, " ")
    elif before[-1].isdigit() and out[start][:1].isdigit():
        out.insert(start, "_")


def _math(walker: Inline, element: Element, out: list[str]) -> None:
    out.append(math_text(element))


def _tex(walker: Inline, element: Element, out: list[str]) -> None:
    parent = element.getparent()
    if parent is None or child_of(parent, _MATH) is None:
        out.append(tex_text(element.text or ""))


def _alternatives(walker: Inline, element: Element, out: list[str]) -> None:
    """One of several renderings: the one with the most text for a reader without pictures."""
    for tag in ALTERNATIVES:
        best = child_of(element, tag)
        if best is not None:
            break
    else:
        best = next(iter(element), None)
    if best is not None:
        walker.handlers.get(best.tag, _spaced)(walker, best, out)


def _abbreviation(walker: Inline, element: Element, out: list[str]) -> None:
    """An abbreviation may carry its definition, which must not break the paragraph."""
    FLAT.walk(element, out)


def note(walker: Inline, element: Element, out: list[str]) -> None:
    """A footnote stands in brackets where the text calls it."""
    text = flat_text(element)
    if text:
        out.append(f" ({text}) ")


def tags(handler: Handler, names: Iterable[str]) -> dict[Any, Handler]:
    """The same handler for several tags."""
    return dict.fromkeys(names, handler)


ALTERNATIVES = (_MATH, "math", "tex-math", "table", "textual-form", "chem-struct", "preformat", "code")
BLOCKS = tuple(
    "p title subtitle label caption list list-item def-list def-item term def disp-quote verse-group"
    " verse-line speech speaker statement attrib disp-formula disp-formula-group fig fig-group"
    " table-wrap table-wrap-group table-wrap-foot table thead tbody tfoot tr td th row entry boxed-text sec"
    " preformat array supplementary-material media graphic chem-struct-wrap chem-struct-wrapper "
    " fn-group question-wrap question-wrap-group question answer answer-set explanation option alt-text"
    " long-desc object-id permissions copyright-statement license license-p copyright-holder"
    " copyright-year ref-list ref glossary ack app app-group notes floats-group floats-wrap kwd-group"
    " kwd contrib aff date inline-graphic address".split()
)
RECORDS = tuple(
    "element-citation nlm-citation citation product related-object name sec-meta contrib-group"
    " person-group".split()
)

INLINE: dict[Any, Handler] = {
    **tags(_blank, ("break", "hr", "br")),
    **tags(_apart, "code institution-id institution addr-line country email compound-kwd-part".split()),
    **tags(_skip, ("index-term", "processing-meta", "private-char")),
    **tags(_math, (_MATH, "math")),
    **tags(_spaced_children, RECORDS),
    etree.Entity: _entity,
    "xref": _xref,
    "sup": _sup,
    "sub": _sub,
    "tex-math": _tex,
    "alternatives": _alternatives,
    "abbrev": _abbreviation,
    "fn": note,
}
FLAT = Inline({**tags(_spaced, BLOCKS), **INLINE, "caption": _caption})
