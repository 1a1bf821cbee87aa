"""One concept of a terminology with its names: plain data."""

from __future__ import annotations

from dataclasses import dataclass

# Stored by their places: more may follow, none may go.
NAME_KINDS = (
    "label", "exact", "narrow", "broad", "related", "layperson", "abbreviation", "lexicon", "title",
    "icd10", "code", "omim",
)  # fmt: skip
CLASS_KINDS = ("", "chapter", "block", "category", "extension", "disorder", "subtype", "group")
# What else than classes of a classification may be told apart: Orphanet's disorders, subtypes and groups.
DISORDER_KINDS = CLASS_KINDS[5:]


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a concept, of one of NAME_KINDS; `language` by its two letters."""

    text: str
    kind: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Concept:
    """What a code stands for; the first of `names` is its label.

    `alternatives` are codes that were merged into it. A retired concept is `obsolete` and may name the code
    that stands in its place (`replaced_by`). `xrefs` are codes of other terminologies ("UMLS:C0001").
    A nomenclature says of which of CLASS_KINDS it is, a classification also in which chapter, and whether it
    is `residual`: for what has no class of its own ("other specified", "unspecified").
    """

    code: str
    names: tuple[Name, ...]
    parents: tuple[str, ...] = ()
    definition: str = ""
    uri: str = ""
    alternatives: tuple[str, ...] = ()
    obsolete: bool = False
    replaced_by: str = ""
    xrefs: tuple[str, ...] = ()
    kind: str = ""
    chapter: str = ""
    residual: bool = False

    @property
    def label(self) -> str:
        """The name it is shown by."""
        return self.names[0].text
