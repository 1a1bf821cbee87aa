"""Read a journal's page that was saved as HTML: the article alone, with its headings; nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import etree, html
from lxml.etree import _Element as Element

from app.formats.documents.builder import TextBuilder
from app.formats.documents.text import Raised, decode
from app.formats.format import Format, first_characters
from app.formats.jats.blocks import rows_of
from app.formats.jats.citations import CLOSE, OPEN
from app.formats.jats.math import math_text
from app.formats.people import page
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut
from extractors.model.document import Document, Section
from extractors.model.errors import FormatError

# Words over or below a table or a figure, which are no heading.
CAPTION = re.compile(
    r"(?:supplement\w* )?(?:fig(?:ure|\.)?|table|tab\.|box|scheme|chart|abb\.|abbildung|tabelle|figura|tabla"
    r"|tableau)"
    r"\s*S?\d+[A-Za-z]?\b",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"(?:abstract|summary|resumen|resumo|r[ée]sum[ée]|zusammenfassung)\W*", re.IGNORECASE)
_BEGUN = r"(?:1\W+)?(?:introduc(?:tion|ción)|introdução|einleitung|keywords)\W*|1\W+\w.*"
_BODY = re.compile(_BEGUN, re.IGNORECASE)


class Outline:
    """The headings above the place where one is.

    Ranks are compared: a heading stands below those before it whose rank is smaller. An abstract ends where
    the report begins, also where its own headings look like the report's.
    """

    def __init__(self) -> None:
        self._open: list[tuple[Any, str]] = []
        self._in_abstract: set[str] = set()

    def enter(self, rank: object, heading: str) -> tuple[str, ...]:
        """The path of a heading of this rank, itself included."""
        while self._open and not self._open[-1][0] < rank:
            self._open.pop()
        if self._open and _ABSTRACT.fullmatch(self._open[0][1]):
            if heading.casefold() in self._in_abstract or _BODY.fullmatch(heading):
                # From now on these stand beside the abstract, and so do those of their rank.
                self._open = []
            self._in_abstract.add(heading.casefold())
        self._open.append((rank, heading))
        return tuple(name for _, name in self._open)


_HTML = re.compile(
    r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,30})""", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_SKIPPED = frozenset(
    "script style noscript nav footer aside form button svg iframe template select head input object embed"
    " canvas audio video dialog menu".split()
)
_SKIPPED_ROLES = frozenset(
    {"navigation", "banner", "complementary", "search", "contentinfo", "dialog", "menu"}
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span"
    " strong sub sup time tt u var wbr".split()
)
# What libxml2 says of more than it goes into.
_TOO_DEEP = "Excessive depth"
# The article is the smallest part that has this share of the page's words.
_SHARE = 0.6
_LONGEST_HEADING = 300


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The one report of a page; raises FormatError where it holds no text."""
    text, notes = _decoded(payload.data)
    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(_DECLARATION.sub("", text), parser=parser)
    except etree.ParserError:
        raise FormatError("The page holds no text.") from None
    if any(_TOO_DEEP in error.message for error in parser.error_log):
        # The parser goes no further, and what stands behind would be lost in silence.
        raise FormatError(
            "The page's parts are nested more than 256 deep, and beyond that it cannot be read; save it as "
            "plain text, or print it as a PDF."
        )
    about = _about(root)
    walker = _Walker(categories)
    main = _main(root)
    walker.walk(main)
    body, sections = walker.finish()
    if not body.strip():
        raise FormatError("The page holds no text; it may show its text only by scripts, which are not run.")
    title = (
        about.get("citation_title")
        or walker.title
        or about.get("og:title")
        or root.findtext(".//title")
        or payload.name
    )
    kinds = {"citation_doi": "doi", "citation_pmid": "pmid"}
    identifiers = {kind: about[name].removeprefix("doi:") for name, kind in kinds.items() if about.get(name)}
    metadata = {"journal": about["citation_journal_title"]} if "citation_journal_title" in about else {}
    parts = [*notes, *walker.raised.notes()]
    if main.tag != "body":
        parts.append("Menus, margins and whatever else stands around the article are left out.")
    if not any(section.heading for section in sections):
        parts.append("No headings were recognised: the report is one section.")
    document = Document(" ".join(title.split()), body, sections, identifiers, metadata)
    yield Imported(document, payload.source, digest, notes=tuple(parts))


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The page's characters by the encoding that it declares; else as of any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        name = declared[1].decode("ascii")
        try:
            return data.decode("cp1252" if name.lower() in ("iso-8859-1", "latin1") else name), ()
        except (LookupError, UnicodeDecodeError):
            text, notes = decode(data)
            return text, (*notes, f"The page says that it is in {name}, which it is not.")
    return decode(data)


def _about(root: Element) -> dict[str, str]:
    """What the page says of itself, by name; the first of each."""
    found: dict[str, str] = {}
    for meta in root.iter("meta"):
        name, content = meta.get("name") or meta.get("property"), meta.get("content")
        if name and content:
            found.setdefault(name.lower(), " ".join(content.split()))
    return found


def _main(root: Element) -> Element:
    """The part of the page that is the article."""
    body = found if (found := root.find("body")) is not None else root
    whole = _words(body)
    candidates = [e for e in body.iter("article", "main", "section", "div") if _is_article(e)]
    fitting = [(words, element) for element in candidates if (words := _words(element)) >= _SHARE * whole]
    return min(fitting, key=lambda one: one[0])[1] if fitting else body


def _is_article(element: Element) -> bool:
    return element.tag in ("article", "main") or element.get("role") == "main"


def _words(element: Element) -> int:
    """How many characters stand in its paragraphs."""
    return sum(len(_all_text(p)) for p in element.iter("p")) or len(_all_text(element))


def _all_text(element: Element) -> str:
    return "".join(map(str, element.itertext()))


class _Walker:
    """Puts the blocks of a page together."""

    def __init__(self, categories: Sequence[str]) -> None:
        self.title = ""
        self.raised = Raised()
        self._builder = TextBuilder(categories)
        self._outline = Outline()
        self._open: list[str] = []

    def finish(self) -> tuple[str, tuple[Section, ...]]:
        """The text and its sections."""
        self._flush()
        return self._builder.finish()

    def walk(self, element: Element) -> None:
        """Everything within an element."""
        self._open.append(element.text or "")
        for child in element:
            self._child(child)
            self._open.append(child.tail or "")

    def _child(self, child: Element) -> None:
        tag = child.tag if isinstance(child.tag, str) else ""
        if not tag or tag in _SKIPPED or child.get("role") in _SKIPPED_ROLES or _is_hidden(child):
            return
        if tag == "header" and not any(True for _ in child.iter("h1")):
            return
        if tag in _HEADINGS:
            self._flush()
            self._heading(" ".join(_all_text(child).split()), _HEADINGS[tag])
        elif tag == "table" and not any(True for _ in child.iterdescendants("table", *_HEADINGS)):
            self._table(child)
        elif tag == "pre":
            self._flush()
            lines = (" ".join(line.split()) for line in _all_text(child).split("\n"))
            self._builder.add("\n".join(filter(None, lines)))
        elif (sign := self._sign(child, tag)) is not None:
            self._open.append(sign)
        elif tag in _INLINE:
            self.walk(child)
        else:
            self._flush()
            self.walk(child)
            self._flush()

    def _sign(self, child: Element, tag: str) -> str | None:
        """What a part stands for that is no text of its own, None for others."""
        if tag == "sup" and _is_citation(child):
            self.raised.removed += 1
            return ""
        if tag == "sup":
            return f"{OPEN}{_all_text(child)}{CLOSE}"
        return math_text(child) if tag == "math" else {"br": " "}.get(tag)

    def _heading(self, text: str, level: int) -> None:
        if not text or len(text) > _LONGEST_HEADING:
            if text:
                self._builder.add(text)
            return
        if level == 1 and not self.title:
            self.title = text
            self._builder.add(text)
            return
        self._builder.enter(text, self._outline.enter(level, text))

    def _table(self, table: Element) -> None:
        self._flush()
        for caption in table.iterchildren("caption"):
            self.walk(caption)
            self._flush()
        lines = [self.raised.plain(line) for line in rows_of(table)]
        if lines:
            self._builder.add("\n".join(lines))

    def _flush(self) -> None:
        text = " ".join(self.raised.plain("".join(self._open)).split())
        self._open.clear()
        if text:
            self._builder.add(text)


def _is_citation(raised: Element) -> bool:
    """Whether it is numbers that lead to a list on the page, and nothing else."""
    links = [link for link in raised.iter("a") if "#" in link.get("href", "")]
    text = _all_text(raised)
    linked = sum(len(_all_text(link).strip()) for link in links)
    return bool(links) and any(map(str.isdigit, text)) and linked >= sum(map(str.isalnum, text))


def _is_hidden(element: Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    # What scripts have drawn of a formula stands beside it in letters, for eyes.
    drawn = "MJX_Assistive_MathML" in (element.get("class") or "")
    hidden = element.get("aria-hidden") == "true" or element.get("hidden") is not None
    return hidden or drawn or "display:none" in style


def _detect(data: bytes) -> int:
    return 3 * (_HTML.match(first_characters(data)) is not None)


FORMAT = Format(
    id="html",
    label="Web page",
    made_by="saved as HTML from a journal",
    about="Annotated reports to read in a browser, as one file: colours, codes, a list of all annotations.",
    write=page.write,
    recount=page.recount,
    losses=page.LOSSES,
    suffixes=(".html", ".htm", ".xhtml"),
    detect=_detect,
    read=read_payload,
    outside=True,
)
