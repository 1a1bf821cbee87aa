"""What may tell who a patient is, planted in real reports: how much is found, and how often there is nothing.

The reports are those of `../shared/corpora`, where that is; sentences are of the kinds that are searched for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

from app.formats.jats import read_articles
from extractors.checks.identifiers import identifiers
from extractors.model.errors import FormatError
from extractors.model.scheme import default_scheme

_CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
_GIVEN = (
    "Ingrid Thomas Wei María Kwame Björn Aoife Priya Yusuf Élodie Nguyen Tariq Olena Grace Hiroshi".split()
)
_FAMILY = (
    "Lindqvist|Okonkwo|de Souza|Al-Rashid|O'Brien|MacLeod|Fernández|Van den Berg|Novak|Çelik|Papadopoulos|Li|"
    "Schröder|Jean-Baptiste|Nakamura|Smith"
).split("|")
_STREETS = (
    "42 Elm Street|7B Kingsway Road|1180 Lincoln Avenue|Bahnhofstraße 12|3 Church Lane|P.O. Box 88".split("|")
)
_MONTHS = "January February March April May June July August September October November December".split()
_SENTENCES: dict[str, tuple[str, ...]] = {
    "name": (
        "Mrs. {family} came alone.", "Mr {given} {family} gave consent.", "Patient name: {given} {family}.",
        "He was seen by Dr. {family} the same day.", "A man named {given} {family} was referred to us.",
        "Ms {family} returned to work.", "We thank Prof. {given} {family} for the slides.",
        "Patient: {family}, {given}.", "His wife {given} rang.", "Signed: {given} {family}",
        "Dr. med. {family}",
        "Frau {family} kam allein.", "Monsieur {family} a été admis.", "Doña {given} {family} consultó.",
    ),
    "date": (
        "She was admitted on {d} {month} {y}.", "Seen on {month} {d}, {y}.", "Discharged {d:02}/{m:02}/{y}.",
        "Admission: {y}-{m:02}-{d:02}.", "Date of birth {d:02}.{m:02}.{y}.", "On {d} {short} {y} he fell.",
        "Born {d:02}{short}{y}.", "From {month} 3-9, {y}.", "On the {d}th of {month}, {y}.",
        "seit {d:02}.{m:02}. krank",
        "Am {d}. Oktober {y} entlassen.", "le {d} août {y}.", "el {d} de enero de {y}.",
    ),
    "record number": (
        "MRN {n}.", "Hospital number: H{n}.", "Medical record no. {n}.", "Patient ID: {n}.", "(chart #{n})",
        "NHS number 943 476 {four}.", "SSN 219-09-{four}.", "Accession number A{n}.",
        "Account #: {n}", "MR# {n}", "Passport no. X{n}", "Encounter number {n}", "Pat.-Nr.: {n}",
        "Fallnummer {n}.", "Dossier n° {n}.", "Nº de historia clínica: {n}.",
    ),
    "telephone": (
        "Phone: +1 617 555 {four}.", "Tel. (020) 7946 {four}.", "Call 617-555-{four}.",
        "Mobile +49 151 2345{four}.", "Telefon 0151 2345{four}.", "Tél. : 01 42 34 {four}.",
    ),
    "address": (
        "She lives at {street}.", "Address: {street}.", "His home is {street}.", "wohnhaft in 10115 Berlin.",
        "C/ Alcalá, 45.",
    ),
    "e-mail": ("Write to {low}@mail.example.",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """Per kind how many were planted, and which were missed; what was said of the `reports` as they are."""

    reports: int
    planted: Counter[str]
    missed: list[str]
    warned: Counter[str]


def measure(count: int, seed: int) -> Planted | None:
    """Plant one of each kind in each of `count` texts; None where there are no reports."""
    texts = [*_texts()]
    if not texts:
        return None
    rng, found = Random(seed), Planted(len(texts), Counter(), [], Counter())
    for number in range(count):
        text = texts[number % len(texts)]
        if number < len(texts):
            found.warned.update(f"{one.kind}: {one.text}" for one in identifiers(text))
        ends = [0, *(one.end() for one in re.finditer(r"\. ", text))]
        told, placed = "", []
        for kind, (start, end) in zip(_SENTENCES, pairwise(_places(ends, rng)), strict=True):
            sentence = _sentence(kind, rng)
            told += text[start:end]
            placed.append((kind, len(told), sentence))
            told += sentence + " "
        starts = [one.start for one in identifiers(told)]
        for kind, place, sentence in placed:
            found.planted[kind] += 1
            if not any(place <= one < place + len(sentence) for one in starts):
                found.missed.append(f"{kind}: {sentence}")
    return found


def _places(ends: list[int], rng: Random) -> list[int]:
    """The beginning of the text and as many places between its sentences as there are kinds."""
    return [0, *sorted(rng.choices(ends, k=len(_SENTENCES)))]


def _sentence(kind: str, rng: Random) -> str:
    month = rng.randrange(12)
    return rng.choice(_SENTENCES[kind]).format(
        given=rng.choice(_GIVEN), family=rng.choice(_FAMILY), d=rng.randint(1, 28), m=month + 1,
        month=_MONTHS[month], short=_MONTHS[month][:3], y=rng.randint(1931, 2024),
        n=rng.randint(10**5, 10**8),
        four=rng.randint(1000, 9999), street=rng.choice(_STREETS), low=rng.choice(_GIVEN).lower(),
    )  # fmt: skip


def _texts() -> Iterator[str]:
    for path in sorted(_CORPORA.glob("maccrobat/*.txt")):
        yield path.read_text(encoding="utf-8")
    for path in sorted(_CORPORA.glob("jats/case-report/*.xml")):
        for report in read_articles(path.read_bytes(), default_scheme().ids):
            if not isinstance(report, FormatError):
                yield report[0].text
