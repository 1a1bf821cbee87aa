"""Annotated reports as one HTML page, and what is read back of a page, a PDF or a Word document."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import html
from lxml.etree import _Element as Element

from app.formats.losses import read_back
from app.formats.people.marked import FOREIGN, READING, Marked, MarkedReport
from app.formats.people.signs import losses, visible
from app.formats.record import ReadBack, ReportExport
from app.palette import Rgb
from app.tables import render

# Blanks, and what ends a line within a word.
_BLANKS = re.compile("[\\s\x02\xad\ufffe-]+")
_RIGHT_TO_LEFT = ("R", "AL")
_UNSEEN, _MARK = "Cf", "Mn"
_BRACKETS = str.maketrans(")]}>»›⁄", "([{<«‹/")


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in a file of one report: its text, the codes of spans in it, and the list below."""

    text: str
    codes: str
    listed: str


def recounted(
    by: str,
    reports: Sequence[ReportExport],
    found: Sequence[Found],
    plain: Callable[[str], str] = visible,
    bars: bool = False,
) -> ReadBack:
    """How the letters of the texts and the spans agree.

    `plain` is what a text comes to there, `bars` says that those between cells of tables are in the texts.
    """
    kept = 0
    missing, unexpected = list[str](), list[str]()
    for report, one in zip(Marked(reports).marked(), found, strict=False):
        key = report.report.key
        again, more = _spans(report, one, plain)
        kept += again
        missing += [f"{key}: a span"] * (len(report.marks) - again)
        unexpected += [f"{key}: codes of other spans"] * more
        if letters(one.text) != letters(plain(report.report.document.text if bars else report.body)):
            missing.append(f"{key}: its text")
    missing += [f"{report.key}: the report" for report in reports[len(found) :]]
    unexpected += ["a report"] * (len(found) - len(reports))
    words = f"{by}, which takes out the texts and counts the spans"
    return read_back(words, min(len(found), len(reports)), kept, missing, unexpected)


def _spans(report: MarkedReport, found: Found, plain: Callable[[str], str]) -> tuple[int, bool]:
    """How many spans have their code in the text, or stand in the list alone, and whether there is more."""
    codes, listed = _packed(found.codes), found.listed
    again = at = 0
    left = len(codes)
    words = "".join(plain(edge.words) for edge in report.edges)
    if _backwards(found.text) and Counter(_folded(codes)) == Counter(_folded(words)):
        again, left = sum(bool(mark.parts) for mark in report.marks), 0
    for edge in report.edges if left else ():
        words = _packed(plain(edge.words))
        place = codes.find(words, at)
        if place < 0 and (place := codes.find(words)) < 0:
            continue
        at = place + len(words)
        left -= len(words)
        again += edge.words == edge.mark.opening
    unplaced = (mark for mark in report.marks if not mark.parts)
    again += sum(_stands(plain(f"{one.code} {one.number} {one.quote}"), listed) for one in unplaced)
    return again, left > 0


def _stands(words: str, text: str) -> bool:
    """Whether words stand in a text, or their letters where some are written from right to left."""
    there = not Counter(_folded(words)) - Counter(_folded(text))
    return there and (_backwards(text) or _packed(words) in _packed(text))


def letters(text: str) -> str:
    """The letters of a text, in their order; where some are written from right to left, in any."""
    return "".join(sorted(_folded(text))) if _backwards(text) else _packed(text)


def _backwards(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text)


def _folded(text: str) -> str:
    """A text without marks on letters, and with both sides' brackets as one: they change places there."""
    packed = unicodedata.normalize("NFKD", _packed(text)).translate(_BRACKETS)
    return "".join(one for one in packed if unicodedata.category(one) != _MARK)


def _packed(text: str) -> str:
    """What is seen of a text, without blanks."""
    shown = (one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != _UNSEEN)
    return _BLANKS.sub("", "".join(shown))


LOSSES = losses("A page")
_END = "</main>\n</body>\n</html>\n"


def write(reports: Sequence[ReportExport]) -> Iterator[str]:
    """Head and legend, then the reports one by one."""
    whole = Marked(reports)
    palette = whole.palette
    places = {category: place for place, category in enumerate((FOREIGN, *whole.scheme.ids))}
    colours = [
        (place, css(palette.colours[category]), css(palette.lettering(category)))
        for category, place in places.items()
    ]
    yield render("annotated.html.j2", whole=whole, colours=colours, places=places, reading=READING)
    for number, report in enumerate(whole.marked(), start=1):
        yield render(
            "annotated_report.html.j2",
            number=number,
            report=report,
            places=places,
            visible=visible,
            anchor=lambda mark, number=number: f"r{number}s{mark.number}",
            tint=lambda piece: css(whole.tint(piece) or palette.paper),
        )
    yield _END


def css(colour: Rgb) -> str:
    """A colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """Texts, codes and lists, taken out of the page by lxml."""
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    root = html.document_fromstring(path.read_bytes(), parser)
    found = [
        Found(
            _words(article.find("div[@class='body']")),
            "".join(one.get("data-at", "") for one in article.iter("i")),
            _words(article.find("section[@class='list']")),
        )
        for article in root.iter("article")
    ]
    return recounted("lxml", reports, found, bars=True)


def _words(element: Element | None) -> str:
    return "" if element is None else "".join(map(str, element.itertext()))
