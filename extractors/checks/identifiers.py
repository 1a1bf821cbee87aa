"""Words that may tell who a patient is: names after titles, dates, record numbers, telephones, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from extractors.checks.guessing import guessed_names
from extractors.checks.identifying import PATTERNS, Kind
from extractors.checks.naming import CAPITAL, TITLE
from extractors.checks.scanning import Scanner


@dataclass(frozen=True, slots=True)
class Identifier:
    """A stretch of a text, in code points, and what it may be."""

    kind: Kind
    start: int
    end: int
    text: str


# The town behind a street, and its number.
_FURTHER = re.compile(
    r"(?:,? (?:- |[A-Z]{2} )?(?:[A-Z]-)?(?:\d{2}-?\d{3}|\d{3} \d\d|\d{4,6})\b|,? [A-Z]{1,2}\d[A-Z\d]? "
    r"(?:\d[A-Z]{2}|[A-Z\d]{4})\b|(?:,| -|,? [A-Z]{2}|(?<=\d)) (?!(?:The|This|Dr|Mrs?|She|He)\b)"
    rf"{CAPITAL}(?:(?: (?:upon|on|del?|sur))? {CAPITAL}){{0,3}}(?: \d[\d-]*)?)+"
)
# After a title or "called" stand also what is named after people, and places.
_NO_PERSON = re.compile(
    r"\s*(?:syndrome|disease|sign|triad|phenomenon|test|score|reaction|stain|method|procedure|criteria|"
    r"classification|anomaly|tumou?r|cells?|bod(?:y|ies)|virus|vaccine|et al)\b"
)
_INSTITUTION = re.compile(
    r"\b(?:Hospital|University|Institute|Cent(?:re|er)|Clinic|College|Street|School|Board|Committee|"
    r"Administration|Council|Department|Ministry|Authority|Inc|Ltd|GmbH|Company|Foundation|Association|"
    r"Society|Registry|Ethics|Technologies|Servi[cz]i?[eo]|Klinik(?:um)?|Abteilung|Hôpital|Ospedale|"
    r"Ziekenhuis|Universi(?:dad|té|tà|tät)|Instituto?|Istituto|Clínica|Centro|Departamento|Département|"
    r"Facul\w+)\b"
)
_TITLES = re.compile(rf"(?:{TITLE}\b[.\s]*)+")
_NO_NAME = frozenset(
    "The This In On At It We He She They There However A An Our None No Not "
    "Case Unknown Patient Subject Proband Individual Participant Twin Index Another Here One Two".split()
)
_GIVEN = frozenset({"A", "He", "An", "No", "She", "We"})
_SEXES = frozenset({"Male", "Female", "Man", "Woman", "Boy", "Girl"})
# Numbers of archives, registers and funds, which say nothing of a patient, and of standards: "97-2017".
_PUBLIC = re.compile(
    r"U1111|(?:PRJ|SAM[NED]|GSE|SR[APRX]|NCT|CVCL|RRID|CRD|ISRCTN|CTRI|EUCTR|JPRN|UMIN|TCTR|IRCT)[A-Z/-]*\d"
)
_PAID = re.compile(
    r"(?i:\b(?:(?:grant(?!ed)|fund|foundation|programme?|project|award|scholarship|ethic|committee|approv|"
    r"trial|regist|pmid|pmcid|omim|genbank|batch|catalog|clinvar|dbsnp|patent|standard)\w*|chr\d*|(?:irb|doi|"
    r"mim|lot|cat|sra|licen[cs]e to)\b))(?:[^.\n]|\.(?! [A-Z]))*$"
)
_PLAIN = re.compile(r"\d+(?:/\d+)*|\d+-\d+")
_DIGITS, _SHORT, _CENTURIES = 2, 3, ("19", "20")


def identifiers(text: str) -> Iterator[Identifier]:
    """What in a text may tell who somebody is, in the order of the text; each place once."""
    found: list[Identifier] = []
    for (kind, _), matches in zip(PATTERNS, _scanner().scan(text), strict=True):
        for match in matches:
            group = "it" if match.lastgroup == "it" else 0
            # A bracket alone and the blank behind are not its own.
            words = match[group].removeprefix("(") if ")" not in match[group] else match[group]
            start, words = match.end(group) - len(words), words.rstrip()
            end = start + len(words)
            if kind == "name" and not _person(text, start, end):
                continue
            if kind == "record number" and (sum(map(str.isdigit, words)) < _DIGITS or _PUBLIC.match(words)):
                continue
            if "bare" in match.re.groupindex and not _his(text, start, words):
                continue
            if kind == "address" and (more := _FURTHER.match(text, end)) and not _met(found, end, more.end()):
                end = more.end()
            # A longer one takes the place of what it holds.
            others = [one for one in found if one.start < start or one.end > end or one.text == words]
            if not _met(others, start, end):
                found = [*others, Identifier(kind, start, end, text[start:end])]
    for start, end in guessed_names(text):
        if _person(text, start, end) and not _met(found, start, end):
            found.append(Identifier("name", start, end, text[start:end]))
    return iter(sorted(found, key=lambda one: one.start))


@cache
def _scanner() -> Scanner:
    """Made where something is looked for: it takes longer than the whole import of a study."""
    return Scanner([pattern for _, pattern in PATTERNS])


def _met(found: Sequence[Identifier], start: int, end: int) -> bool:
    return any(start < one.end and one.start < end for one in found)


def _person(text: str, start: int, end: int) -> bool:
    """Whether a name is a person's own, not what is named after one."""
    words = text[start:end].split()
    if (
        (words[0] in _NO_NAME and (words[0] not in _GIVEN or len(words) == 1))
        or not _SEXES.isdisjoint(words)
        or _NO_PERSON.match(text, end)
        or _TITLES.fullmatch(text, start, end)
    ):
        return False
    return not _INSTITUTION.search(
        text, start, text.find(",", end, end + 12) if "," in text[end : end + 12] else end + 12
    )


def _his(text: str, start: int, words: str) -> bool:
    """Whether a long number may be a patient's: no range, no pressure, and nobody paid or published by it."""
    if _PAID.search(text, max(0, start - 80), start):
        return False
    groups = re.split("[-/_]", words)
    first, last = len(groups[0]), len(groups[-1])
    if not _PLAIN.fullmatch(words) or len(groups) == 1:
        return True
    if "/" in words:
        return max(map(len, groups)) > 3
    standard = first < last == 4 and groups[-1][:2] in _CENTURIES
    # "139-116" is a difference.
    return not standard and not (first == last and (first <= _SHORT or groups[0] < groups[-1]))
