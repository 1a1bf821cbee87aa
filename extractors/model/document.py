"""A case report as the program holds it: one frozen text, tiled by sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SectionRole = Literal["case", "background", "excluded"]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text under it, up to the next heading of any level.

    `start` and `end` are code points of the document's text and include the heading's own line; sections
    are in text order and do not overlap. `path` holds the headings from the outermost down to this one.
    `categories` are the category ids the heading speaks of (all of them where it speaks of none). `role`
    says whether the section tells the case, gives background on it (introduction, discussion, conclusion),
    or is left out of extraction; `reason` says why it is left out.
    """

    heading: str
    path: tuple[str, ...]
    start: int
    end: int
    categories: tuple[str, ...]
    role: SectionRole = "case"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A report: `text` has one newline per line end and is never altered after import.

    `identifiers` maps kinds ("pmcid", "pmid", "doi") to values; `metadata` holds what else the source said
    ("journal", "date", "licence", "language", "article_type"). All offsets into `text` are code points.
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    identifiers: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
