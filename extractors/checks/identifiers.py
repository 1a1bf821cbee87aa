"""Words that may tell who a patient is: names after titles, dates, record numbers, telephones, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["name", "date", "record number", "telephone", "address", "e-mail"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """A stretch of a text, in code points, and what it may be."""

    kind: Kind
    start: int
    end: int
    text: str


_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
# As German, French and Spanish have them.
_MOIS = (
    r"(?i:J(?:anuar|\u00e4nner|uni|uli)|Februar|M\u00e4rz|Mai|Oktober|Dezember|janvier|f\u00e9vrier|mars|avril|juin|"
    r"juillet|ao\u00fbt|septembre|octobre|novembre|d\u00e9cembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"sep?tiembre|octubre|noviembre|diciembre|August|April|September|November)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[89]\d\d|20\d\d)"
# One or more words with a capital, particles between, an initial before, a double name.
_CAPITAL = (
    r"[A-Z\u00c0-\u00de\u0100-\u017f][a-z\u00df-\u017f'\u2019]+(?:[A-Z][a-z]+)?"
    r"(?:-[A-Z\u00c0-\u00de\u0100-\u017f][a-z\u00df-\u017f]+)*"
)
_PARTICLE = r"(?:van der|van den|van|von|de la|de|del|della|di|da|dos|du|la|le|el|al|bin|O'|Mc|Mac)"
_NAMED = (
    rf"(?:[A-Z]\.[ ]?){{0,2}}(?:{_PARTICLE} ){{0,2}}{_CAPITAL}"
    rf"(?:(?: {_PARTICLE}){{0,2}} (?:[A-Z]\.[ ]?)?{_CAPITAL}){{0,2}}"
)
_TITLE = (
    r"(?:Mrs?|Ms|Miss|Mx|Dra?|Prof(?:essor)?|Doctor|Sister|Nurse|Herrn?|Frau|Se\u00f1ora?|Sra?|Don|D(?:o\u00f1|\u00f1)a|Mme|"
    r"Mlle|Monsieur|Madame|Mademoiselle|Hr|(?<!\d )Fr(?=\.))"
)
_STREET = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Court|Ct|Close|Crescent|Place|Square|Terrace|"
    r"Way|Parkway|Highway|Row|Gardens|Grove|Hill|Walk|Mews)"
)

_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("e-mail", r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
    (
        "record number",
        r"(?i:\b(?:MRN|(?:medical |hospital |patient |clinic |case |chart |health )?"
        r"(?:record|registration|file|chart|case|unit|hospital|patient|identification|admission|accession|insurance|policy)"
        r"\s?(?:no\b|nos\b|number|num\b|id\b|#)|(?:patient|hospital|case) id\b|NHS(?: (?:no\b|number))?|SSN"
        r"|social security(?: (?:no\b|number))?|UHID|CPR|NIR|IPD? (?:no\b|number)|OPD? (?:no\b|number)|ID\b))"
        r"\.?\s*+(?:(?:is|was)\s++|[:#=]\s*+)?#?"
        r"(?P<it>(?=[A-Z0-9/ -]*\d[A-Z0-9/ -]*\d)[A-Z0-9]+(?:[-/ ](?=\d)[A-Z0-9]+)*)",
    ),
    (
        "record number",
        r"(?i:\b(?:(?:Fall|Pat(?:ienten|\.)|(?:Kranken)?[Vv]ersicher(?:ten|ungs)|Akten|Aufnahme)-?(?:nummer|nr|id|zeichen)"
        r"|(?:num\u00e9ro|n\u00famero|n\u00fam|n)[.\u00b0\u00ba]* (?:de|du|d') ?(?:la )?"
        r"(?:dossier|patiente?|s\u00e9jour|s\u00e9curit\u00e9 sociale|seguridad social"
        r"|historia(?: cl\u00ednica)?|expediente|paciente)"
        r"|(?:n[\u00b0\u00ba] )?(?:dossier|historia cl\u00ednica|expediente|SS|IPP|NIP|NSS|NHC|DNI|NIE))\b)"
        r"[ .]*(?:[nN](?:[\u00b0\u00ba]|[\u00far]*\.))?[ :#]*+"
        r"(?P<it>[A-Z]{0,3}[- ]?\d(?:[ ./-]?\d){4,}[A-Z]?)\b",
    ),
    ("record number", r"\b\d{3}-\d{2}-\d{4}\b"),
    ("record number", r"\b\d{3} \d{3} \d{4}\b"),
    (
        "telephone",
        r"(?i:\b(?:t[e\u00e9]l(?:ephone|efon|\u00e9phone|\u00e9fono)?|tel\u00e9fono|tfno|tlf|phone|mobile?|m\u00f3vil|handy|"
        r"portable|r\u00fcckruf|cell|fax|call(?:ed)?|contact)\b)[a-z ]{0,20}\.? ?:?\s*+"
        r"(?P<it>\+?\(?\d(?:[ ()./-]{0,3}\d){6,})",
    ),
    ("telephone", r"(?<![\w.])\+\d{1,3}[ .-]?\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4}\b"),
    ("telephone", r"(?<![\w.+-])\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}\b"),
    ("telephone", r"(?<![\w.+-])\(\d{2,5}\) ?\d{3,4}[ -]?\d{3,4}\b"),
    ("telephone", r"(?<![\w.+-])0\d{2,4} \d{3,4} \d{3,4}\b"),
    ("telephone", r"(?<![\w.+-])0\d(?:[ .]\d\d){4}\b"),
    ("date", rf"\b{_DAY}(?:st|nd|rd|th)?(?: of)?[ -]{_MONTH},?[ -]{_YEAR}\b"),
    ("date", rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?,? {_YEAR}\b"),
    ("date", rf"(?<![\d./-])\b{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?![\w-])"),
    ("date", rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?(?![\w./%-])"),
    ("date", rf"\b{_DAY}(?:\.|er|\u00ba)?(?: de)? {_MOIS}\b(?: (?:del? )?{_YEAR}\b)?"),
    (
        "date",
        rf"\b{_DAY}[-/ ](?i:jan|ene|feb|f\u00e9v|mar|m\u00e4r|mrz|a[bpv]r|ma[iy]|juin|ju[nl]|juil|a[gu][go]"
        rf"|ao\u00fb|sept?|o[ck]t|nov|d[ie][ck]|d\u00e9c|dez)\.?[-/ ]{_YEAR}\b",
    ),
    ("date", rf"\b{_YEAR}[-/.](?:0[1-9]|1[0-2])[-/.](?:0[1-9]|[12]\d|3[01])\b"),
    ("date", rf"(?<![\d./-]){_DAY}([-/.]){_DAY}\1(?:{_YEAR}|\d\d)(?![\d/-]|\.\d)"),
    (
        "address",
        rf"\b\d{{1,5}}[A-Za-z]?,? (?:(?:North|South|East|West|N|S|E|W)\.? )?"
        rf"(?:{_CAPITAL} ){{1,3}}{_STREET}\b\.?"
        rf"(?:,? (?:Apt|Apartment|Flat|Unit|Suite|No)\.? ?\w+)?",
    ),
    (
        "address",
        rf"\b\d{{1,4}}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin|all\u00e9e)"
        rf"(?: {_PARTICLE})? {_CAPITAL}\b",
    ),
    ("address", rf"\b{_CAPITAL}(?: {_CAPITAL})?, [A-Z]{{2}},? \d{{5}}(?:-\d{{4}})?\b"),
    ("address", r"\b(?:P\.? ?O\.? Box|Postfach) \d+"),
    (
        "address",
        rf"\b{_CAPITAL}(?:(?:stra\u00dfe|strasse|gasse|weg|allee|platz)|[ -]?[Ss]tr\."
        r"|[ -](?:Stra\u00dfe|Platz|Allee|Weg|Ring)) \d+[a-z]?\b",
    ),
    # A postcode and its town: what stands before it keeps units and counts away.
    ("address", rf"(?:(?<=\bin )|(?<=\b\u00e0 )|(?<=\d, )|(?<=\bD-))\d{{5}} (?=\w{{4}}){_CAPITAL}\b"),
    (
        "address",
        rf"\b(?:Rue|Via|Calle|C/|Avenida|Avda\.|Paseo|Rua|Piazza|Plaza) (?:{_PARTICLE} )?{_CAPITAL}"
        rf"(?: {_CAPITAL})?,? (?:n[\u00b0\u00ba] ?)?\d+\b",
    ),
    ("address", r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b"),
    ("name", rf"\b{_TITLE}\.? (?P<it>{_NAMED})"),
    (
        "name",
        rf"(?i:\b(?:patient(?:'s)?|full|first|last|her|his|mother's|father's|wife's|husband's)\s+name(?:\s+is|\s+was)?|"
        rf"\bpa[ct]iente?(?=\s*:)|"
        rf"\b(?:name|nom|nombre|contact)(?=\s*:)|\bnamed|\bcalled|\bnamely)(?:\s*+:)?\s++(?P<it>{_NAMED})",
    ),
)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)
# After a title or "called" stand also what is named after people, and places.
_NO_PERSON = re.compile(
    r"\s*(?:syndrome|disease|sign|triad|phenomenon|test|score|reaction|stain|method|procedure|criteria|"
    r"classification|anomaly|tumou?r|cells?|bod(?:y|ies)|et al)\b"
)
_INSTITUTION = re.compile(r"(?:Hospital|University|Institute|Cent(?:re|er)|Clinic|College|Street|School)\b")
_NO_NAME = frozenset({"The", "This", "In", "On", "At", "It", "We", "He", "She", "They", "There", "However"})


def identifiers(text: str) -> Iterator[Identifier]:
    """What in a text may tell who somebody is, in the order of the text; each place once."""
    found: list[Identifier] = []
    for kind, pattern in _COMPILED if text else ():
        if kind == "e-mail" and "@" not in text:
            continue
        for match in pattern.finditer(text):
            group = "it" if "it" in pattern.groupindex else 0
            start, end = match.span(group)
            said = match[group]
            if kind == "name" and not _person(text, start, end):
                continue
            if any(start < one.end and one.start < end for one in found):
                continue
            found.append(Identifier(kind, start, end, said))
    return iter(sorted(found, key=lambda one: one.start))


def _person(text: str, start: int, end: int) -> bool:
    """Whether a name is a person's own, not what is named after one."""
    if text[start:end].split()[0] in _NO_NAME or _NO_PERSON.match(text, end):
        return False
    return not _INSTITUTION.search(text, start, end + 12)
