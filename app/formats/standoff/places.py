"""Labels on stretches of text, between a report and a file that counts characters its own way, or tokens."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from app.formats.json_input import exact_text
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.text import Offsets
from extractors.model.coding import Coding
from extractors.model.finding import Polarity

if TYPE_CHECKING:
    from spacy.language import Language

# What a file's offsets count.
Unit: TypeAlias = Literal["characters", "UTF-16 units", "bytes"]
_UNITS: tuple[Unit, ...] = ("characters", "UTF-16 units", "bytes")
_CRLF = re.compile("\r\n")
# Another unit cuts so many times fewer words, where it is told by these alone.
_CERTAIN = 10
# From here on (Chinese, Japanese) words have nothing between them.
_WITHOUT_BLANKS = "\u2e80"
_CODED = re.compile(r"(\S+) (\S+)(?: (.*?))??(?: \[([^|\]]*)\|([^|\]]*)\|([^|\]]*)\])?")
_APART = re.compile(r"[\s,;|]+")
_TERMINOLOGIES = ("hpo", "mesh", "omim", "orpha", "mondo", "umls", "snomed", "icd-11", "icd10")
_IDENTIFIERS = ("identifier", "identifiers", *_TERMINOLOGIES)
# Terminologies whose codes have a prefix for a part of them.
_PREFIXES = {"HP": "HPO", "MONDO": "MONDO"}


class GivenText:
    """A text as a file has it, with the file's offsets in `unit`.

    `text` is that text as it is kept, with one character for the end of a line. Raises FormatError for a
    text that holds half a character.
    """

    def __init__(self, given: str, unit: Unit = "characters") -> None:
        self.text, self.unit = exact_text(given, "text"), unit
        self._length = len(given)
        offsets = Offsets(given) if unit == "UTF-16 units" else None
        self._offsets = offsets if offsets and offsets.units > len(given) else None
        self._bytes = (
            [0, *accumulate(len(one.encode("utf-8", "replace")) for one in given)] if unit == "bytes" else []
        )
        self._folded = [match.start() for match in _CRLF.finditer(given)]

    def place(self, start: object, end: object) -> tuple[int, int] | None:
        """Start and end in code points of `text`; None for what is no place in it."""
        if type(start) is not int or type(end) is not int:
            return None
        if self._offsets is not None or self._bytes:
            start, end = self.code_point(start), self.code_point(end)
        if not 0 <= start < end <= self._length:
            return None
        if not self._folded:
            return start, end
        return start - bisect_left(self._folded, start), end - bisect_left(self._folded, end)

    def code_point(self, offset: int) -> int:
        """Where an offset is in the text as it is given; -1 outside."""
        if self._offsets is not None:
            return self._offsets.to_code_point(offset) if 0 <= offset <= self._offsets.units else -1
        if self._bytes:
            return bisect_left(self._bytes, offset) if 0 <= offset <= self._bytes[-1] else -1
        return offset if 0 <= offset <= self._length else -1

    def words(self, place: tuple[int, int] | None) -> str:
        return self.text[slice(*place)] if place else ""


def counted_in(
    given: str, stated: Sequence[tuple[object, object, object]], usual: Unit, notes: list[str]
) -> GivenText:
    """The text with offsets in the unit in which most of `stated` (start, end, words) have their words.

    That is `usual` where no other fits better; a note says where one does. Where no words are stated, another
    is one that begins and ends within hardly a word, or a note says that words are cut.
    """
    text = GivenText(given, usual)
    if given.isascii():
        return text
    quoted = [(a, b, " ".join(words.split())) for a, b, words in stated if isinstance(words, str) and words]
    parts = quoted or [(a, b, "") for a, b, _ in stated]
    most, unit = _fitting(text, parts), usual
    for other in _UNITS:
        if most == len(parts) or other == usual:
            continue
        tried = GivenText(given, other)
        fitting = _fitting(tried, parts)
        certain = quoted or (fitting > most + 1 and _CERTAIN * (len(parts) - fitting) <= len(parts) - most)
        if fitting > most and certain:
            most, text, unit = fitting, tried, other
    cut = sum(text.place(a, b) is not None for a, b, _ in parts) - most
    if unit != usual:
        notes.append(unit_note(unit, usual, "its quotes" if quoted else "the words that they would cut"))
    elif not quoted and cut * _CERTAIN > len(parts):
        notes.append(
            f"Places that begin or end within a word or with a blank: {cut:,} of {len(parts):,}. Look at "
            f"them, since the file's offsets may count something else than {usual}."
        )
    return text


def unit_note(unit: Unit, usual: Unit = "characters", shown_by: str = "its quotes") -> str:
    """What is said where offsets count something else than they should."""
    return f"Its offsets count {unit}, not {usual}, as {shown_by} show; they were converted."


def _fitting(text: GivenText, found: Sequence[tuple[object, object, str]]) -> int:
    return sum(_fits(text, text.place(a, b), words) for a, b, words in found)


def _fits(text: GivenText, place: tuple[int, int] | None, words: str) -> bool:
    there = text.words(place)
    if words or place is None:
        return " ".join(there.split()) == words != ""
    edges = (text.text[max(at - 1, 0) : at + 1] for at in place)
    cut = any(len(two) == 2 and two.isalnum() and max(two) < _WITHOUT_BLANKS for two in edges)
    return there == there.strip() and not cut


class Labelled(NamedTuple):
    """An annotation on its way out: label, parts in code points (none without a place), and the rest."""

    label: str
    quote: str
    parts: tuple[tuple[int, int], ...] = ()
    polarity: Polarity | None = None
    field: str = ""
    note: str = ""
    concepts: tuple[Coding, ...] = ()
    span: Span | None = None

    @property
    def place(self) -> tuple[int, int]:
        """From its first to its last character."""
        return self.parts[0][0], self.parts[-1][1]


def labelled(report: ReportExport) -> Iterator[Labelled]:
    """All annotations of a report, under categories and under labels that came along."""
    for one in report.annotations:
        found = one.finding
        values = (found.polarity, found.field, one.note, one.concepts)
        yield Labelled(found.category, found.quote, one.parts, *values, one.span)
    yield from map(of_span, report.spans)


def of_span(span: Span) -> Labelled:
    """What came along as it goes out."""
    parts = span.parts(*span.place) if span.place else ()
    values = (span.polarity, span.field, span.note, span.concepts)
    return Labelled(span.label, span.quote, parts, *values, span)


def placed(report: ReportExport) -> list[Labelled]:
    """Those that have a place, by place."""
    found = [(one.place, one.label, one) for one in labelled(report) if one.parts]
    found.sort(key=itemgetter(0, 1))
    return [one for *_, one in found]


def side_by_side(found: Iterable[Labelled]) -> list[Labelled]:
    """Of those that have a place the ones that overlap none before them: from the first, the longest."""
    kept: list[Labelled] = []
    there = (one for one in found if one.parts)
    for one in sorted(there, key=lambda one: (one.place[0], -one.place[1], one.label)):
        if not kept or kept[-1].place[1] <= one.place[0]:
            kept.append(one)
    return kept


def span_details(one: Labelled) -> dict[str, str]:
    """Polarity other than present, field and note, where there are any, by these names."""
    values: dict[str, str] = {}
    if one.polarity not in (None, "present"):
        values["polarity"] = str(one.polarity)
    if one.field:
        values["field"] = one.field
    if one.note:
        values["note"] = one.note
    return values


def listed_details(one: Labelled) -> dict[str, object]:
    """Fragments and concepts as lists, where there are any, by these names."""
    found: dict[str, object] = {}
    if len(one.parts) > 1:
        found["fragments"] = [list(part) for part in one.parts]
    if one.concepts:
        found["concepts"] = list(map(code_line, one.concepts))
    return found


def other_words_notes(text: GivenText, stated: Iterable[tuple[object, object, object]]) -> Iterator[str]:
    """A sentence where a file has other words for what is placed in the text (start, end, words)."""
    given = [(text.words(text.place(start, end)), words) for start, end, words in stated]
    differ = [(there, words) for there, words in given if isinstance(words, str) and there not in ("", words)]
    other = sum(words.split() not in ([], there.split()) for there, words in differ)
    if other:
        yield (
            f"Places with other words in the file than in the text: {other:,} of {len(given):,}. Those of "
            "the text are taken."
        )


def outside_notes(spans: Iterable[Span]) -> Iterator[str]:
    """A sentence where spans have no place in the text."""
    outside = sum(span.place is None for span in spans)
    if outside:
        annotations = "1 annotation has" if outside == 1 else f"{outside:,} annotations have"
        yield f"{annotations} a place outside of the text, which is not used."


def looked_at_in(names: object, categories: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """No quotes yet for each category that a file says was looked at; None where it says so of none."""
    return {one: () for one in categories if isinstance(names, list | tuple) and one in names} or None


def joined(records: Iterable[Imported | LeftOut]) -> Iterator[Imported | LeftOut]:
    """Records of the same text as one, with what each says of it once; a note says how many there were, and
    what of them is not kept."""
    by_text: dict[str, list[Imported]] = {}
    for record in records:
        if isinstance(record, LeftOut):
            yield record
        else:
            by_text.setdefault(record.document.text, []).append(record)
    for first, *more in by_text.values():
        if not more:
            yield first
            continue
        every = (first, *more)
        spans = {repr(replace(span, own={})): span for one in every for span in one.spans or ()}
        quotes = {category: own for one in every for category, own in (one.quotes or {}).items()}
        notes = dict.fromkeys(note for one in every for note in one.notes)
        lost = any(one.rest and one.rest != first.rest for one in more)
        but = ", but of relations and the like those of the first alone are kept" if lost else ""
        note = f"Its text is there {len(every)} times; what each says of it was put together{but}."
        yield replace(first, quotes=quotes or None, spans=tuple(spans.values()), notes=(*notes, note))


def coded(text: str) -> Coding | None:
    """A concept as `code_line` writes it; None for anything else."""
    match = _CODED.fullmatch(text)
    if match is None:
        return None
    terminology, code, label, release, uri, onset = (part or "" for part in match.groups())
    return Coding(terminology, release, code, label, uri, "imported", onset)


def coded_as(values: Mapping[str, object]) -> tuple[Coding, ...]:
    """The concepts that a file names by code alone ("HP:0001250", "MESH:D012640"), under these names."""
    found = []
    for name, value in values.items():
        if name.casefold() not in _IDENTIFIERS or not isinstance(value, str):
            continue
        for one in _APART.split(value):
            if "://" in one:
                # "http://purl.obolibrary.org/obo/HP_0001250"
                one = one.rstrip("/").rpartition("/")[2].replace("_", ":", 1)
            prefix, _, code = one.rpartition(":")
            if prefix and code:
                known = _PREFIXES.get(prefix.upper())
                found.append(Coding(known or prefix, "", one if known else code, "", "", "imported"))
            elif one and name.casefold() in _TERMINOLOGIES:
                found.append(Coding(name.upper(), "", one, "", "", "imported"))
    return tuple(dict.fromkeys(found)) if found else ()


def same_codes(left: Iterable[Coding], right: Iterable[Coding]) -> bool:
    """Whether both are the same concepts, whatever they are called."""
    return {(one.terminology, one.code) for one in left} == {(one.terminology, one.code) for one in right}


def code_line(coding: Coding) -> str:
    """A concept on one line: terminology, code, label, and in brackets release, URI and onset."""
    words = f"{coding.terminology} {coding.code} {coding.label}".strip()
    more = "|".join((coding.release, coding.uri, coding.onset))
    return f"{words} [{more}]" if more != "||" or words.endswith("]") else words


# Start and end in code points, and whether one blank follows it, which is no token then.
Token: TypeAlias = tuple[int, int, bool]


def tokens_of(text: str, spans: Iterable[tuple[int, int]]) -> list[Token]:
    """spaCy's tokens; together they are the text, and every span begins and ends at the edge of one."""
    from spacy.attrs import IDX, LENGTH

    places = list(spans)
    starts, ends = {start for start, _ in places}, {end for _, end in places}
    cut = tokenizer()(text).to_array([IDX, LENGTH])
    cuts = {0, len(text), *starts, *ends, *cut[:, 0].tolist(), *cut.sum(axis=1).tolist()}
    tokens: list[Token] = []
    edges = sorted(cuts)
    for start, end in pairwise(edges):
        if text[start] == " " and end - start == 1 and start not in starts and end not in ends and tokens:
            last = tokens[-1]
            if not last[2] and not text[last[1] - 1].isspace():
                tokens[-1] = (last[0], last[1], True)
                continue
        tokens.append((start, end, False))
    return tokens


@lru_cache(maxsize=1)
def tokenizer() -> Language:
    """English as spaCy cuts it, without a model."""
    import spacy

    return spacy.blank("en")
