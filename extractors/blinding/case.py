"""A report as views are cut from it: blocks with names that stay, and where the case is told and ends."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, TypeAlias

from extractors.assets import asset
from extractors.blinding.words import Words
from extractors.model.document import Document, Section
from extractors.model.figure import Figure
from extractors.text.boundaries import trimmed
from extractors.text.sections import case_start, classify, default_section_rules
from extractors.text.sentences import sentences
from extractors.text.tables import CAPTION

Range: TypeAlias = tuple[int, int]
Kind = Literal["heading", "paragraph", "figure", "table"]
_LETTERS: dict[Kind, str] = {"heading": "h", "paragraph": "p", "figure": "f", "table": "t"}
_FLOATS = "Figures and tables"
_SUMMARY = re.compile(
    r"abstract|summary|conclu|highlight|key.?point|lesson|learning|take.?(?:home|away)|resum", re.I
)
_GAP = re.compile(r"\n\s*\n")
_MENTION = re.compile(r"\b(?:figs?|figures?|panels?)\b")


@cache
def _told() -> dict[str, dict[str, str]]:
    return tomllib.loads(asset("resources", "blinding.toml").read_text(encoding="utf-8"))


@cache
def cue(part: str, name: str = "words") -> re.Pattern[str]:
    """The words of that part and name by which views are cut (resources/blinding.toml), as a pattern of whole
    words; raises AssetError where the file is missing."""
    return _pattern(_told()[part][name])


@cache
def _pictured() -> re.Pattern[str]:
    """Words of pictures; figures of two kinds are not told by a word of the text that reads them."""
    kinds = _told()["modalities"].items()
    return _pattern(" | ".join(words for name, words in kinds if name not in ("photograph", "chart")))


def _pattern(words: str) -> re.Pattern[str]:
    parts = (part.strip(" |\n") for part in re.split(r"\n|\s\|", words))
    return re.compile(rf"\b(?:{'|'.join(filter(None, parts))})(?!\w)")


def modalities_of(caption: str) -> tuple[str, ...]:
    """What kinds of pictures a caption speaks of; none where it says nothing of it."""
    low = caption.lower()
    return tuple(name for name in _told()["modalities"] if cue("modalities", name).search(low))


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the stored text that is evidence by its name: heading h1, paragraph p14, f2, t1.

    `what` says of whose part it is: "case" or why it is no part of the case; `section` is its heading.
    """

    name: str
    kind: Kind
    start: int
    end: int
    what: str
    section: str = ""
    floating: bool = False


@dataclass(frozen=True)
class Case:
    """A report to be blinded: its key and source may stand nowhere in a view, as little as its title.

    `ticked` are the pictures (SHA-256) that a person found free of telling words.
    """

    document: Document
    key: str = ""
    source: str = ""
    figures: tuple[Figure, ...] = ()
    ticked: frozenset[str] = frozenset()

    @cached_property
    def words(self) -> Words:
        return Words(self.document.text)

    @cached_property
    def low(self) -> str:
        """The text in small letters, place by place; one capital, which would become two, stays."""
        return "İ".join(map(str.lower, self.document.text.split("İ")))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All of the text in its order; names count the blocks of a kind and stay."""
        return tuple(_blocks(self))

    @cached_property
    def told(self) -> tuple[Block, ...]:
        """The blocks that tell the case, without what stands in captions and floating tables."""
        return tuple(
            one for one in self.blocks if one.what == "case" and not one.floating and one.kind != "figure"
        )

    @cached_property
    def sentences(self) -> tuple[Range, ...]:
        text = self.document.text
        return tuple(
            (block.start + start, block.start + end)
            for block in self.told
            if block.kind == "paragraph"
            for start, end in sentences(text[block.start : block.end])
        )

    @cached_property
    def treatment(self) -> int | None:
        """Where treatment begins: a heading of its own, or the first sentence that tells of it; None.

        What was given before anything was looked into is no answer to the question of treatment.
        """
        told = (start for start, end in self.sentences if self._treats(start, end))
        first, after = next(told, None), self.first_test or 0
        if first is not None and first <= after:
            first = next((start for start in told if start > after), first)
        headed = (
            one.start for one in self.document.sections if _of_treatment(one) and _part(one, 0) == "case"
        )
        return min((one for one in (first, next(headed, None)) if one is not None), default=None)

    def _treats(self, start: int, end: int) -> bool:
        words = self.low[start:end]
        return bool(cue("treatment").search(words)) and not cue("tests", "before").search(words)

    @cached_property
    def first_test(self) -> int | None:
        """The start of the first sentence that orders or reports a key test; None where there is none."""
        for start, end in self.sentences:
            words = self.low[start:end]
            told = cue("tests", "names").search(words) and cue("tests", "said").search(words)
            if told and not cue("tests", "before").search(words):
                return start
        return None

    @cached_property
    def read_aloud(self) -> tuple[Range, ...]:
        """Sentences that say what pictures show."""
        return tuple(
            (start, end)
            for start, end in self.sentences
            if _MENTION.search(words := self.low[start:end])
            or (cue("reading").search(words) and _pictured().search(words))
        )


def _blocks(case: Case) -> Iterator[Block]:
    document = case.document
    captions = [(one.start, one.id) for one in case.figures if one.start is not None]
    counts: dict[Kind, int] = dict.fromkeys(_LETTERS, 0)
    counts["figure"] = len(case.figures)
    begin = case_start(document.sections)
    whole = Section("", (), 0, len(document.text), ())
    for section in document.sections or (whole,):
        what = _part(section, begin)
        floating = section.heading == _FLOATS
        for start, end in _pieces(document.text, section):
            if start == end:
                continue
            own = next((name for at, name in captions if start <= at < end), None)
            kind = "figure" if own else _kind(document.text, section, start, end)
            counts[kind] += not own
            name = own or f"{_LETTERS[kind]}{counts[kind]}"
            yield Block(name, kind, start, end, what, section.heading, floating)


def _pieces(text: str, section: Section) -> Iterator[Range]:
    """Paragraphs, parted by empty lines; the heading's own line is one."""
    at = section.start
    if section.heading and text.startswith(section.heading, at):
        at += len(section.heading)
        yield section.start, at
    for gap in _GAP.finditer(text, at, section.end):
        yield trimmed(text, at, gap.start())
        at = gap.end()
    yield trimmed(text, at, section.end)


def _kind(text: str, section: Section, start: int, end: int) -> Kind:
    if section.heading and start == section.start and end - start == len(section.heading):
        return "heading"
    if found := CAPTION.match(text, start, end):
        return "table" if "table" in found[0].lower() else "figure"
    return "table" if " | " in text[start:end] and "\n" in text[start:end] else "paragraph"


def _part(section: Section, begin: int) -> str:
    """ "case", or what a section is instead: treatment told under a case's heading belongs to the case."""
    role, reason = section.role, section.reason
    if reason == "treatment only":
        role, reason = classify(section.path[:-1], default_section_rules(), ())[1:]
    if role == "case":
        return "case" if section.start >= begin else "front matter"
    if role == "excluded":
        return reason or "back matter"
    summary = any(map(_SUMMARY.search, section.path)) and "discuss" not in section.path[0].lower()
    return "summary" if summary else "background"


def _of_treatment(section: Section) -> bool:
    heading = section.heading.lstrip("0123456789. ").lower()
    return section.reason == "treatment only" or bool(cue("treatment", "headings").match(heading))
