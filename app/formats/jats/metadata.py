"""What a JATS article says of itself: title, identifiers, journal, date, licence, language, kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from app.formats.jats.inline import child_of, flat_text
from app.formats.record import pmcid

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_KINDS = {"pmc": "pmcid", "pmcid": "pmcid", "pmc-aid": "", "pmc-uid": "", "pmcaid": "", "pmcaiid": ""}
_DATES = ("epub", "epub-ppub", "pub", "ppub", "collection", "pmc-release")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(slots=True)
class Front:
    """An article's front matter: abstracts as elements, dates by kind."""

    title: str = ""
    identifiers: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    abstracts: list[Element] = field(default_factory=list)
    dates: dict[str, str] = field(default_factory=dict)


def read_front(article: Element) -> Front:
    """Read `front` (or the `front-stub` of a sub-article) in one pass."""
    result = Front()
    kind = article.get("article-type")
    if kind:
        result.metadata["article_type"] = kind
    language = article.get(XML_LANG)
    if language:
        result.metadata["language"] = language.lower()
    for part in _parts(article):
        if part.tag == "journal-meta":
            _read_journal(part, result)
        else:
            _read_article_meta(part, result)
    for wanted in _DATES:
        if wanted in result.dates:
            result.metadata["date"] = result.dates[wanted]
            break
    return result


def _parts(article: Element) -> Iterator[Element]:
    for front in article.iterchildren("front"):
        yield from front.iterchildren("journal-meta", "article-meta")
    yield from article.iterchildren("front-stub")


def _read_article_meta(meta: Element, front: Front) -> None:
    for child in meta:
        reader = _READERS.get(child.tag)
        if reader is not None:
            reader(child, front)


def _read_journal(meta: Element, front: Front) -> None:
    for child in meta:
        title = child_of(child, "journal-title") if child.tag == "journal-title-group" else child
        if title is not None and title.tag == "journal-title":
            front.metadata.setdefault("journal", flat_text(title))


def _read_identifier(element: Element, front: Front) -> None:
    given = element.get("pub-id-type") or "other"
    kind = _KINDS.get(given, given)
    value = flat_text(element)
    if kind and value:
        front.identifiers.setdefault(kind, pmcid(value) if kind == "pmcid" else value)


def _read_title(element: Element, front: Front) -> None:
    title = flat_text(child_of(element, "article-title"))
    subtitle = flat_text(child_of(element, "subtitle"))
    front.title = f"{title}: {subtitle}" if title and subtitle else title or subtitle


def _read_subjects(element: Element, front: Front) -> None:
    subjects = dict.fromkeys(flat_text(subject) for subject in element.iter("subject"))
    if subjects:
        front.metadata["subjects"] = "; ".join(subjects)


def _read_abstract(element: Element, front: Front) -> None:
    front.abstracts.append(element)


def _read_licence(element: Element, front: Front) -> None:
    """The licence's address where one is given, else its words."""
    licence = child_of(element, "license")
    if licence is None:
        return
    stated = next(filter(None, _licence_statements(licence)), "")
    if stated:
        front.metadata["licence"] = stated


def _licence_statements(licence: Element) -> Iterator[str]:
    """What names the licence, the best first; any may be empty."""
    yield (licence.get(XLINK_HREF) or "").strip()
    for element in licence.iter():
        name = str(element.tag).rpartition("}")[2]
        if name == "license_ref":
            yield (element.text or "").strip()
        elif name == "ext-link" and "creativecommons" in (element.get(XLINK_HREF) or ""):
            yield (element.get(XLINK_HREF) or "").strip()
    yield flat_text(licence)
    yield licence.get("license-type") or ""


def _read_date(element: Element, front: Front) -> None:
    kind = element.get("pub-type") or element.get("date-type") or "pub"
    date = element.get("iso-8601-date") or _iso_date(element)
    if date:
        front.dates.setdefault(kind, date)


def _iso_date(element: Element) -> str:
    """Year, year-month or year-month-day."""
    parts = {child.tag: (child.text or "").strip() for child in element}
    year = parts.get("year", "")
    if not year.isdigit():
        return ""
    month = parts.get("month", "")
    if month[:3].lower() in _MONTHS:
        month = str(_MONTHS.index(month[:3].lower()) + 1)
    numbers: Iterable[str] = (month, parts.get("day", ""))
    date = year
    for number in numbers:
        if not number.isdigit():
            break
        date += f"-{int(number):02d}"
    return date


_READERS: dict[str, Callable[[Element, Front], None]] = {
    "article-id": _read_identifier,
    "title-group": _read_title,
    "article-categories": _read_subjects,
    "abstract": _read_abstract,
    "trans-abstract": _read_abstract,
    "permissions": _read_licence,
    "pub-date": _read_date,
}
