"""Annotated reports as one HTML page that needs nothing else: no script, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.formats.people.marked import FOREIGN, READING, Marked
from app.formats.people.reading import Found, recounted
from app.formats.people.signs import losses, visible
from app.formats.record import ReadBack, ReportExport
from app.palette import Rgb
from app.tables import render

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

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
    from lxml import html

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
