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


# With a capital, or all in capitals.
_MONTH = (
    r"(?=[A-Z])(?i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
# As German, French and Spanish have them.
_MOIS = (
    r"(?i:J(?:anuar|änner|uni|uli)|Februar|März|Mai|Oktober|Dezember|janvier|février|mars|avril|juin|"
    r"juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"sep?tiembre|octubre|noviembre|diciembre|August|April|September|November)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:1[89]\d\d|20\d\d)"
# One or more words with a capital, particles between, an initial before, a double name.
_CAPITAL = (
    r"[A-ZÀ-ÞĀ-ſ][a-zß-ſ'’]+(?:[A-Z][a-z]+)?"
    r"(?:-[A-ZÀ-ÞĀ-ſ][a-zß-ſ]+){0,3}"
)
_PARTICLE = (
    r"(?:van der|van den|van|von|zu|de la|de|del|della|di|da|dos|du|la|le|el|al|bin|Le|La|Ní|Ó|O'|Mc|Mac)"
)
_NAMED = (
    rf"(?:[A-Z]\.[ ]?){{0,2}}(?:{_PARTICLE} ){{0,2}}{_CAPITAL}"
    rf"(?:(?: {_PARTICLE}){{0,2}} (?:[A-Z]\.[ ]?)?{_CAPITAL}){{0,2}}"
)
# As forms have it: the family name first, or all in capitals.
_CAPITALS = r"[A-ZÀ-Þ][A-ZÀ-Þ'’-]+"
_WRITTEN = rf"(?:{_CAPITALS}(?:,? (?:{_CAPITAL}|{_CAPITALS}))*(?![a-z])|{_CAPITAL}, {_CAPITAL}|{_NAMED})"
_TITLE = (
    r"(?:Mrs?|Ms|Miss|Mx|Messrs|Dr[as]?|Prof(?:essor)?|Doctor|Sister|Nurse|Sir|Dame|Master|Rev|Capt(?:ain)?|"
    r"Sgt|Lt|Herrn?|Frau|Ober(?:arzt|ärztin)|Chef(?:arzt|ärztin)|Kolleg(?:e|in)|Señora?|Sra?|Srta|Don|D(?:oñ|ñ)a|"
    r"D\.ª|[Dd]octora|Mme|Mlle|Monsieur|Madame|Mademoiselle|[Dd]octeur|[Pp]rofesseur|Pr|Hr|(?<!\d )Fr(?=\.))"
)
_DEGREES = r"(?:(?:Dr|Prof|med|dent|rer|nat|univ|habil|h\.c|Ing)\. ?)*"
_RELATIVE = (
    r"(?:wife|husband|spouse|partner|mother|father|son|daughter|sister|brother|aunt|uncle|niece|nephew|carer|"
    r"guardian|esposa|esposo|marido|mujer|madre|padre|hij[ao]|herman[ao]|épouse|époux|mari|femme|fille|fils|"
    r"mère|père)"
)
_STREET = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Close|Crescent|Circle|Place|"
    r"Square|Terrace|Trail|Way|Parkway|Pkwy|Highway|Hwy|Row|Gardens|Green|Grove|Hill|Walk|Mews|Quay|Parade|"
    r"Loop)"
)
_IN_STREET = rf"(?:{_CAPITAL}|Jr\.|[A-Z]{{1,3}}|\d{{1,3}}(?:st|nd|rd|th))"
# What is numbered of a patient; what is registered or published otherwise is not his.
_RECORD = (
    r"(?:(?:med(?:ical)?|hosp(?:ital)?|patient|pt|clinic|health|national|driver['’]?s|member|device) )?"
    r"(?:rec(?:ord)?|registration|file|chart|case|unit|hosp(?:ital)?|patient|pt|identi(?:fication|ty)|"
    r"admission|accession|encounter|visit|episode|insurance|policy|account|acct|member(?:ship)?|specimen|"
    r"pathology|histology|biopsy|laboratory|lab|sample|slide|passport|licen[cs]e|certificate|beneficiary|"
    r"medicare|medicaid|nhs|chi|social security|serial|pin)"
)
_NUMBER = r"(?:#|(?:numbers?|nos?|num|nr|id)(?!\w))"
_FIELD = (
    r"(?:accession|specimen|account|acct|file|chart|policy|passport|pin|medicare|medicaid|insurance|member|"
    r"(?:patient )?identifier|record)"
)
_CODE = r"[A-Z0-9]+(?:[-/:. ](?=[A-Z]{0,3}(?:\d|[-/]))[A-Z0-9]+)*"
_NOT_HIS = (
    r"(?:trial|study|protocol|approval|ethics|committee|irb|grant|fund|award|project|permit|catalog(?:ue)?|cat|lot|"
    r"batch|model|part|version|article|ref(?:erence)?|omim|mim|pmid|genbank|clone|cell|copy|chromosome|variant|"
    r"clinicaltrials|prospero|total|the|in|of|a)"
)
_LIVES = (
    r"(?:liv(?:es|ed|ing)|resid(?:es|ed|ing)|(?<!medical )(?<!surgical )resident|home|"
    r"address(?: is| was| of|\s?:)|wohnhaft|wohnt|lebt|Adresse|demeurant|domiciliée?|habitant|adresse|"
    r"viv(?:e|ía)|domicilio|dirección)"
)

_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("e-mail", r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
    (
        "record number",
        rf"(?i:\b(?:MRN|UHID|SSN|PID|VIN|{_RECORD}\.?\s?{_NUMBER}|{_FIELD}\s?:|NHS|CPR|NIR|"
        r"[IO]PD? (?:no\b|number)|ID\b(?!s)))\.?\s*+(?:[a-z ]{0,20}?\b(?:is|was)\s++|[:#=]\s*+)?#?"
        rf"(?P<it>{_CODE})",
    ),
    (
        "record number",
        r"(?i:\b(?:(?:Fall|Pat(?:ienten|\.)|(?:Kranken|Sozial)?[Vv]ersicher(?:ten|ungs)|Akten|Aufnahme|Histologie|KV|SV)"
        r"-?(?:nummer|nr|id|zeichen)"
        r"|(?:numéro|número|núm|n)[.°º]* (?:(?:de|du|d') ?)?(?:la )?"
        r"(?:dossier|patiente?|séjour|sécurité sociale|seguridad social"
        r"|historia(?: clínica)?|expediente|paciente)"
        r"|(?:n[°º] )?(?:dossier|historia clínica|expediente|tarjeta sanitaria|SS|IPP|NIP|NSS|NHC|NDA|DNI|"
        r"NIE|NASS|CIP))\b)"
        r"[ .]*(?:[nN](?:[°º]|[úar]*\.))?[ :#]*+"
        r"(?P<it>(?:[A-Z]{1,4}|\d [A-Z])?[-/ ]?\d(?:[ ./-]?\d){4,}(?:-?[A-Z])?)\b",
    ),
    # Whatever else has a number of at least five digits.
    (
        "record number",
        rf"(?i:\b(?!{_NOT_HIS}\b)[a-zà-ÿ]{{2,}}\.?(?:\s?#|\s{_NUMBER}|[\s-]?(?:nr|nummer|zahl)(?!\w))\.?:?\s*+#?)"
        rf"(?P<it>(?=(?:[A-Z./ -]*\d){{5}}){_CODE})",
    ),
    ("record number", r"\b\d{3}-\d{2}-\d{4}\b"),
    ("record number", r"\b\d{3} \d{3} \d{4}\b"),
    (
        "telephone",
        r"(?i:\b(?:t[eé]l(?:ephone|efon|éphone|éfono)?|teléfono|tfno|tlf|phone|mobile?|móvil|handy|"
        r"portable|rückfrag\w*|telefonnummer|joignable|cell|fax|pager|bleep|call(?:ed)?|contact|extension|ext)\b)"
        r"[a-z ]{0,20}\.? ?:?\s*+(?P<it>\+?\(?\d(?:[ ()./-]{0,3}\d){6,}|(?<=ext\. )\d{3,5}\b)",
    ),
    ("telephone", r"(?<![\w.])\+\d{1,3}[ .-]?\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4}\b"),
    ("telephone", r"(?<![\w.+-])\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}\b"),
    ("telephone", r"(?<![\w.+-])\(\d{2,5}\) ?\d{3,4}[ -]?\d{3,4}\b"),
    ("telephone", r"(?<![\w.+-])0\d{2,4} \d{3,4} \d{3,4}\b"),
    ("telephone", r"(?<![\w.+-])0\d(?:[ .]\d\d){4}\b"),
    ("telephone", r"(?<![\w.,+/-])(?:0[1-9]\d{8}|[6-9]\d{4} \d{5})(?![\w/-]|\.\d)"),
    ("date", rf"\b{_DAY}(?:st|nd|rd|th)?(?: of)?[ -]?{_MONTH},?[ -]?(?:{_YEAR}|['’]\d\d)\b"),
    ("date", rf"\b(?:{_DAY}-{_MONTH}-\d\d|{_MONTH}-{_DAY}-{_YEAR})\b"),
    ("date", rf"\b{_MONTH} {_DAY} ?[-–] ?{_DAY}(?!\w)(?:,? {_YEAR})?"),
    ("date", rf"\b{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?,? {_YEAR}\b"),
    ("date", rf"(?<![\d./-])\b{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?![\w-])"),
    ("date", rf"\b{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![\w./%-])"),
    ("date", rf"\b{_DAY}(?:\.|er|º)?(?: de)? {_MOIS}\b(?: (?:del? )?{_YEAR}\b)?"),
    (
        "date",
        rf"\b{_DAY}(?:[-/ ]|\. ?)(?i:jan|ene|feb|fév|mar|mär|mrz|a[bpv]r|ma[iy]|juin|ju[nl]|juil|a[gu][go]"
        rf"|aoû|sept?|o[ck]t|nov|d[ie][ck]|déc|dez)\.?[-/ ]?{_YEAR}\b",
    ),
    ("date", rf"\b{_YEAR}([-/.]){_MONTH_NUMBER}\1{_DAY}\b(?![-/]|\.\d)"),
    ("date", rf"(?<![\d./-]){_DAY}( ?[-/.] ?){_DAY}\1(?:{_YEAR}|\d\d)(?![\d/-]|\.\d)"),
    (
        "date",
        rf"(?i:\b(?:date|dated|dob|born|d\.o\.b\.|birth)(?!\w)[a-z ]{{0,12}}:?\s?)"
        rf"(?P<it>{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|{_DAY} {_MONTH_NUMBER} {_YEAR})\b",
    ),
    ("date", rf"\b(?:vom|am|seit|bis|ab) (?P<it>{_DAY}\.{_MONTH_NUMBER}\.)(?!\d)"),
    (
        "date",
        rf"\b(?i:on|since|until|dated) (?P<it>{_MONTH_NUMBER}/(?![1-5]\b|10\b){_DAY})"
        r"(?= (?:was|were|he|she|they|the|and|with|for|at|showed|after|by|to|because|due)\b|[,.;)](?!\d))",
    ),
    (
        "date",
        rf"\b(?:Christmas|Boxing|New Year['’]s|Thanksgiving|Easter)(?: (?:Day|Eve|Monday))?,? {_YEAR}\b",
    ),
    (
        "address",
        rf"\b\d{{1,5}}[A-Za-z]?,? (?:(?:North|South|East|West|N|S|E|W)\.? )?"
        rf"(?:{_IN_STREET} ){{1,4}}{_STREET}\b\.?"
        rf"(?:,? (?:Apt|Apartment|Flat|Unit|Suite|No)\.? ?\w+)?",
    ),
    (
        "address",
        rf"\b\d{{1,4}}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin|allée|impasse|quai)"
        rf"(?: (?:{_PARTICLE}|des|l['’]|d['’]))* ?(?:l['’]|d['’])?{_CAPITAL}\b",
    ),
    ("address", rf"\b{_CAPITAL}(?: {_CAPITAL})?, (?:[A-Z]{{2}}|{_CAPITAL}),? \d{{5}}(?:-\d{{4}})?\b"),
    ("address", r"\b(?:P\.? ?O\.? Box|Postfach|Rural Route) \d+"),
    (
        "address",
        rf"\b{_CAPITAL}(?:(?:straße|strasse|gasse|weg|allee|platz)|[ -]?[Ss]tr\."
        r"|[ -](?:Straße|Platz|Allee|Weg|Ring)) \d+[a-z]?\b",
    ),
    # A postcode and its town: what stands before it keeps units and counts away.
    ("address", rf"(?:(?<=\bin )|(?<=\bà )|(?<=\d, )|(?<=\bD-))\d{{5}} (?=\w{{4}}){_CAPITAL}\b"),
    (
        "address",
        r"(?i:\b(?:zip(?: code)?|post(?:al )?code|PLZ|code postal|código postal)\b[ :]*+)"
        r"(?P<it>(?=\w*\d)[A-Z\d][\w-]{2,9})",
    ),
    (
        "address",
        rf"\b(?:Rue|Via|Calle|C/|Avenida|Avda\.|Paseo|Rua|Piazza|Plaza) (?:{_PARTICLE} )*{_CAPITAL}"
        rf"(?: {_CAPITAL})?,? (?:n[°º] ?)?\d+\b",
    ),
    ("address", r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b"),
    # Of whom it is said where they live: a number beside a word with a capital.
    (
        "address",
        rf"\b{_LIVES}(?: (?:at|in|of|is|en|à|bei|near|im|am))?:?,? (?:the )?"
        rf"(?P<it>(?:{_CAPITAL} ){{1,3}}(?:No\.? ?)?\d{{1,5}}[A-Za-z]?\b"
        rf"(?! (?:hours?|days?|weeks?|months?|years?|children|m)\b)|"
        rf"\d{{1,5}}[A-Za-z]?,? (?:[a-z]+ )?{_CAPITAL}(?: {_CAPITAL})*)",
    ),
    ("address", rf"\b(?:{_CAPITAL} ){{1,3}}(?:Nursing|Care|Retirement|Rest) Home\b"),
    ("name", rf"\b{_TITLE}\.? {_DEGREES}(?P<it>{_NAMED})"),
    (
        "name",
        rf"\b(?:MRS|MISS|PROF|(?:MR|MS|DR)(?=\.))\.? (?P<it>{_CAPITALS}(?: {_CAPITALS})?)\b(?! [A-Z]{{2}})",
    ),
    ("name", rf"\bMr\.? and Mrs\.? (?P<it>{_CAPITAL})"),
    (
        "name",
        rf"\bM\. (?P<it>(?:{_CAPITAL} )?{_CAPITAL})(?= (?:est|a|était|se|s'|présente|consulte)\b)",
    ),
    ("name", rf"(?<=\badresse )M\. (?P<it>{_NAMED})"),
    (
        "name",
        r"(?i:\b(?:(?:patient(?:'s)?|pt|full|first|last|family|her|his|mother's|father's|wife's|husband's)"
        r"\s+name(?:\s+is|\s+was)?|named|called|namely)(?:\s*+:)?)\s++"
        rf"(?P<it>{_NAMED})",
    ),
    (
        "name",
        r"(?i:\b(?:(?:signed|dictated|reported|referred|reviewed|authori[sz]ed) by(?=[^.\n]{3,40},? M\.?D)|"
        r"(?:pa[ct]ient(?:e|in|enname)?|pt|name|surname|forename|nom(?: et prénom)?|prénom|nombre|apellidos|"
        r"vorname|nachname|contact|kin|re|cc|attending|consultant|surgeon|physician|provider|doctor|"
        r"referrer|guardian|carer|"
        r"signed(?: by)?|(?:dictated|referred|reviewed) by)\s?:)|patient(?:['’]s)? name\s?[-–])\s++"
        rf"(?P<it>{_WRITTEN})",
    ),
    (
        "name",
        rf"\b(?i:his|her|their|patient['’]s|su|sa|son) (?i:{_RELATIVE})(?:,? | \()"
        rf"(?P<it>{_NAMED})(?=[,)]|\.? [a-z])",
    ),
    (
        "name",
        rf"(?<![\w,;:(-] )(?P<it>{_CAPITAL} {_CAPITAL})(?:,| is| was) an? "
        r"\d{1,3}[- ](?:year|month|week)",
    ),
    ("name", rf"\b(?i:the patient|patient), (?P<it>{_CAPITAL} {_CAPITAL})(?=,)"),
    ("name", rf"\b[Bb]aby(?: (?:boy|girl))? (?P<it>{_CAPITAL})(?= [a-z])"),
    (
        "name",
        rf"\b(?P<it>{_CAPITAL} (?:[A-Z]\. )?{_CAPITAL}),? (?:M\.?D|Ph\.?D|FRC[SP]|MBBS|D\.?O|R\.?N|NP)\b",
    ),
    ("name", rf"\b(?P<it>{_CAPITAL} {_CAPITAL}),? (?:geb\.|geboren|née?\b|nacid[oa]|born|DOB)"),
    ("name", rf"\b(?:This|Here) is (?P<it>{_NAMED})(?=,)"),
)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)
# After a title or "called" stand also what is named after people, and places.
_NO_PERSON = re.compile(
    r"\s*(?:syndrome|disease|sign|triad|phenomenon|test|score|reaction|stain|method|procedure|criteria|"
    r"classification|anomaly|tumou?r|cells?|bod(?:y|ies)|et al)\b"
)
_INSTITUTION = re.compile(r"(?:Hospital|University|Institute|Cent(?:re|er)|Clinic|College|Street|School)\b")
_NO_NAME = frozenset(
    "The This In On At It We He She They There However A An Our None No Not "
    "Case Unknown Patient Subject Proband Individual Participant Twin Index Another Here One Two".split()
)
_SEXES = frozenset({"Male", "Female", "Man", "Woman", "Boy", "Girl"})
# Numbers of archives and registers, which say nothing of a patient.
_PUBLIC = re.compile(r"(?:PRJ|GSE|SR[APRX]|NCT|CVCL|RRID)[A-Z]*\d")
_DIGITS = 3


def identifiers(text: str) -> Iterator[Identifier]:
    """What in a text may tell who somebody is, in the order of the text; each place once."""
    found: list[Identifier] = []
    for kind, pattern in _COMPILED if text else ():
        if kind == "e-mail" and "@" not in text:
            continue
        for match in pattern.finditer(text):
            group = "it" if "it" in pattern.groupindex else 0
            start, end = match.span(group)
            words = match[group]
            if kind == "name" and not _person(text, start, end):
                continue
            if kind == "record number" and (sum(map(str.isdigit, words)) < _DIGITS or _PUBLIC.match(words)):
                continue
            if any(start < one.end and one.start < end for one in found):
                continue
            found.append(Identifier(kind, start, end, words))
    return iter(sorted(found, key=lambda one: one.start))


def _person(text: str, start: int, end: int) -> bool:
    """Whether a name is a person's own, not what is named after one."""
    words = text[start:end].split()
    if words[0] in _NO_NAME or not _SEXES.isdisjoint(words) or _NO_PERSON.match(text, end):
        return False
    return not _INSTITUTION.search(text, start, end + 12)
