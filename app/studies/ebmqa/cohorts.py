"""Patients of phenopackets as evidence: sensitivity, and how a finding tells diseases apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import exp, log, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from app.studies.ebmqa.edges import LEAST_PATIENTS, Edge, Evidence, counted_edge
from app.studies.lines import files_in, source_of
from extractors.evidence.phenopackets import findings_of_phenopacket
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from app.studies.ebmqa.terms import Terms

_LICENCE = "as of the phenopackets (phenopacket-store: BSD-3-Clause)"
_Z = 1.959963984540054
FEMALES = "sex:FEMALE/MALE"
# (present, absent) of those of whom something is said.
Counts = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient: findings said to be there and not to be there."""

    disease: str
    sex: str
    publication: str
    present: frozenset[str]
    absent: frozenset[str]


def add_phenopackets(evidence: Evidence, folder: Path, terms: Terms) -> None:
    """Edges of all packets below a folder; raises FormatError where there is none.

    Patients of a publication that the HPO file counts for a disease and a finding are not counted again.
    """
    file, patients = len(evidence.sources), []
    paths = files_in(folder)
    for path in paths:
        try:
            patients.append(_patient(json.loads(path.read_text(encoding="utf-8")), terms, evidence))
        except (OSError, ValueError, AttributeError, TypeError):
            evidence.left_out["no phenopacket with one diagnosis"] += 1
    if not patients:
        raise FormatError(f"{folder} has no phenopackets of version 2 with a diagnosis.")
    counted = {
        (edge.source, edge.target, reference)
        for edge in evidence.edges
        if edge.kind == "count" and edge.type == "sensitivity" and not edge.background
        for reference in edge.references
    }
    evidence.edges += _sensitivities(patients, counted, evidence, file)
    evidence.edges += _between(patients, file, evidence)
    evidence.edges += _by_sex(patients, file, evidence)
    evidence.names[FEMALES] = "females compared with males"
    evidence.sources.append(source_of(folder.name, paths, _LICENCE, len(patients)))


def _patient(value: Mapping[str, object], terms: Terms, evidence: Evidence) -> Patient:
    packet = findings_of_phenopacket(value)
    diseases = list(dict.fromkeys(packet.diagnoses))
    if len(diseases) != 1:
        raise ValueError("has not one diagnosis")
    for one in value.get("interpretations") or ():  # type: ignore[attr-defined]
        disease = one.get("diagnosis", {}).get("disease", {})
        if disease.get("id") == diseases[0] and disease.get("label"):
            evidence.names.setdefault(diseases[0], str(disease["label"]))
    evidence.names.setdefault(diseases[0], diseases[0])
    present, absent = (
        frozenset(code for one in codes if (code := terms.finding(one)))
        for codes in (packet.present, packet.excluded)
    )
    subject = value.get("subject")
    sex = str(subject.get("sex", "")) if isinstance(subject, dict) else ""
    publication = f"PMID:{packet.publications[0]}" if packet.publications else packet.id
    return Patient(diseases[0], sex, publication, present - absent, absent - present)


def _sensitivities(
    patients: list[Patient], counted: set[tuple[str, str, str]], evidence: Evidence, file: int
) -> Iterator[Edge]:
    """One for each publication, so that those of a disease are summed with the HPO file's."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for one in patients:
        for there, codes in ((1, one.present), (0, one.absent)):
            for code in codes:
                if (one.disease, code, one.publication) in counted:
                    evidence.left_out["phenopackets: the HPO file counts this patient's finding"] += 1
                    continue
                sums = found.setdefault((one.disease, code, one.publication), [0, 0])
                sums[0] += there
                sums[1] += 1
    for (disease, code, publication), (n, m) in sorted(found.items()):
        yield counted_edge(("sensitivity", disease, code, ""), n, m, (publication,), file)


def _tables(patients: list[Patient], sex: str = "") -> dict[str, dict[str, Counts]]:
    """(present, absent) by finding and disease."""
    found: dict[str, dict[str, list[int]]] = {}
    for one in patients:
        if not sex or one.sex == sex:
            for place, codes in enumerate((one.present, one.absent)):
                for code in codes:
                    found.setdefault(code, {}).setdefault(one.disease, [0, 0])[place] += 1
    return {
        code: {of: (n[0], n[1]) for of, n in sorted(by.items()) if sum(n) >= LEAST_PATIENTS}
        for code, by in sorted(found.items())
    }


def _references(patients: list[Patient]) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], dict[str, None]] = {}
    for one in patients:
        for code in one.present | one.absent:
            found.setdefault((one.disease, code), {})[one.publication] = None
    return {key: tuple(sorted(value)) for key, value in found.items()}


def _between(patients: list[Patient], file: int, evidence: Evidence) -> Iterator[Edge]:
    """A finding in patients of one disease (source) and of another, who are the background."""
    references = _references(patients)
    for code, by in _tables(patients).items():
        for left, right in combinations(by, 2):
            for one, other in ((left, right), (right, left)):
                (a, b), (c, d) = by[one], by[other]
                found = tuple(dict.fromkeys((*references[one, code], *references[other, code])))
                what = (one, code, other)
                yield counted_edge(("specificity", *what), d, c + d, found, file)
                if a + c >= LEAST_PATIENTS:
                    yield counted_edge(("ppv", *what), a, a + c, found, file)
                if b + d >= LEAST_PATIENTS:
                    yield counted_edge(("npv", *what), d, b + d, found, file)
                for kind, counts in (("plr", (a, a + b, c, c + d)), ("nlr", (b, a + b, d, c + d))):
                    yield from _ratio((kind, *what), counts, found, file, evidence)


def _by_sex(patients: list[Patient], file: int, evidence: Evidence) -> Iterator[Edge]:
    """How much more often females with a disease have a finding than males with it."""
    references, males = _references(patients), _tables(patients, "MALE")
    for code, by in _tables(patients, "FEMALE").items():
        for disease, (a, b) in by.items():
            if disease not in males.get(code, {}):
                continue
            c, d = males[code][disease]
            what = ("relative_risk", disease, code, FEMALES)
            counts = a, a + b, c, c + d
            yield from _ratio(what, counts, references[disease, code], file, evidence)


def _ratio(
    what: tuple[str, str, str, str],
    counts: tuple[int, int, int, int],
    words: tuple[str, ...],
    file: int,
    evidence: Evidence,
) -> Iterator[Edge]:
    """The ratio of two shares with Katz's 95 % interval of its logarithm, where there is one."""
    a, of_a, c, of_c = counts
    if not a or not c or (a == of_a and c == of_c):
        evidence.left_out["a ratio without an interval (a count is 0, or both are all)"] += 1
        return
    ratio = Fraction(a, of_a) / Fraction(c, of_c)
    reach = _Z * sqrt(1 / a - 1 / of_a + 1 / c - 1 / of_c)
    middle = log(ratio)
    edge = Edge(
        *what, exp(middle - reach), exp(middle + reach), ratio, references=words, kind="own", file=file
    )
    yield replace(edge, n=a + c, m=of_a + of_c)
