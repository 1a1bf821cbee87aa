"""Which reports to leave out of an import, each with its reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app.formats.documents.text import decode
from extractors.assets import asset
from extractors.model.document import Document
from extractors.model.errors import AssetError, FormatError, reason_of

_CASE_REPORT = re.compile(
    r"\bcase[\s-]+(?:report|stud|presentation|series|description|illustration)"
    r"|\breport of (?:a|an|one|two|three|\d+) |\b(?:a|two|three|four|rare|unusual) cases?\b"
    r"|\bcaso cl[ií]nico|\brelato de caso|\breporte de (?:un )?caso|\bcas clinique|\bfallbericht|\bkasuistik",
    re.IGNORECASE,
)
_CASE_TYPES = frozenset({"case-report", "case-study", "case-series", "case_report"})


@dataclass(frozen=True, slots=True)
class TitleRule:
    """A pattern that leaves a report out by its title.

    A title stays all the same with `exempt` anywhere in it, or with `exempt_before` ahead of what was found:
    what comes after an operation is a condition.
    """

    name: str
    pattern: re.Pattern[str]
    exempt: re.Pattern[str]
    exempt_before: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class ImportFilter:
    """What to keep: only case reports, no titles of procedures, only reports with one of `terms`."""

    only_case_reports: bool = False
    exclude_titles: bool = False
    terms: tuple[str, ...] = ()

    def reason(self, document: Document) -> str | None:
        """Why `document` is left out, in a sentence that names the rule; None where it stays."""
        if self.only_case_reports and not is_case_report(document):
            kind = document.metadata.get("article_type", "")
            return (
                f"It is not a case report (type {kind!r})."
                if kind
                else "Nothing says that it is a case report."
            )
        if self.exclude_titles:
            rule = next((rule for rule in title_rules() if _matches(rule, document.title)), None)
            if rule is not None:
                return f"Its title speaks of {rule.name}, not of a condition (title rule)."
        if self.terms and not mentions(document, self.terms):
            return f"It mentions none of the {len(self.terms)} terms of the disease list."
        return None


def is_case_report(document: Document) -> bool:
    """Whether the article's type, its subject headings or its title call it a case report."""
    kind = document.metadata.get("article_type", "").lower()
    if kind in _CASE_TYPES:
        return True
    subjects = document.metadata.get("subjects", "")
    return bool(_CASE_REPORT.search(subjects) or _CASE_REPORT.search(document.title))


def mentions(document: Document, terms: Sequence[str]) -> bool:
    """Whether title or text hold one of `terms` as whole words, in any case."""
    pattern = _terms_pattern(tuple(terms))
    return bool(pattern.search(document.title) or pattern.search(document.text))


def read_terms(path: Path) -> tuple[str, ...]:
    """The terms of a disease list: one a line, blank lines and lines that begin with # left out.

    Raises FormatError where the file cannot be read or holds no term.
    """
    try:
        text, _ = decode(path.read_bytes())
    except OSError as error:
        raise FormatError(f"The disease list {path} cannot be read ({reason_of(error)}).") from None
    except FormatError as error:
        raise FormatError(f"The disease list {path} cannot be read: {error}") from None
    lines = (" ".join(line.split()) for line in text.split("\n"))
    terms = tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not terms:
        raise FormatError(f"The disease list {path} holds no term; write one a line.")
    return terms


@lru_cache(maxsize=1)
def title_rules() -> tuple[TitleRule, ...]:
    """The title rules that come with the program."""
    path = asset("resources", "title_rules.toml")
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["rule"]
        return tuple(_title_rule(entry) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError, re.error) as error:
        raise AssetError(f"{path.name} cannot be used ({error}); please install Casespan again.") from None


def _title_rule(entry: Mapping[str, object]) -> TitleRule:
    found, anywhere, before = (_starts(entry.get(key, [])) for key in ("starts", "unless", "unless_before"))
    return TitleRule(str(entry["name"]), found, anywhere, before)


def _starts(value: object) -> re.Pattern[str]:
    """A pattern for any of these beginnings of words; one that never matches for none."""
    if not isinstance(value, list):
        raise TypeError("a list of word beginnings is missing")
    return re.compile("|".join(rf"\b{re.escape(str(start))}" for start in value) or r"(?!)", re.IGNORECASE)


def _matches(rule: TitleRule, title: str) -> bool:
    found = rule.pattern.search(title)
    return bool(
        found and not rule.exempt.search(title) and not rule.exempt_before.search(title, 0, found.start())
    )


@lru_cache(maxsize=8)
def _terms_pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Longer terms first; blanks in a term match any white space or hyphen."""
    ordered = sorted(terms, key=len, reverse=True)
    bodies = [r"[\s-]+".join(re.escape(word) for word in term.split()) for term in ordered]
    return re.compile(rf"(?<!\w)(?:{'|'.join(bodies)})(?!\w)", re.IGNORECASE)
