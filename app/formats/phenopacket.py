"""Write the terms of reports as phenopackets of version 2 (GA4GH), one a report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.formats.format import Format
from app.formats.losses import read_back
from app.formats.record import ExportedAnnotation, ExportedTerm, ReadBack, ReportExport
from app.formats.writing import file_names
from extractors.evidence.phenopackets import findings_of_phenopacket
from extractors.evidence.published import pubmed_ids

_HPO = {
    "id": "hp",
    "name": "human phenotype ontology",
    "url": "http://purl.obolibrary.org/obo/hp.owl",
    "namespacePrefix": "HP",
    "iriPrefix": "http://purl.obolibrary.org/obo/HP_",
}
_ECO = {
    "id": "eco",
    "name": "Evidence and Conclusion Ontology",
    "url": "http://purl.obolibrary.org/obo/eco.owl",
    "version": "unversioned",
    "namespacePrefix": "ECO",
    "iriPrefix": "http://purl.obolibrary.org/obo/ECO_",
}
_AUTOMATIC = {"id": "ECO:0000501", "label": "evidence used in automatic assertion"}
_TRACEABLE = {
    "id": "ECO:0000304",
    "label": "author statement supported by traceable reference used in manual assertion",
}
_STATED = {"id": "ECO:0000302", "label": "author statement used in manual assertion"}
_PSEUDONYM = 12


def _write(reports: Sequence[ReportExport]) -> Iterator[dict[str, str]]:
    """A file for each report."""
    for report, name in zip(reports, file_names(one.key for one in reports), strict=True):
        yield {f"{name}.json": json.dumps(_packet(report), ensure_ascii=False, indent=2) + "\n"}


def _packet(report: ReportExport) -> Mapping[str, Any]:
    papers = pubmed_ids([report.document.identifiers.get("pmid", "").strip()])
    # It says nothing of the patient, and is the same wherever the same report is.
    subject = sha256(report.document.text.encode()).hexdigest()[:_PSEUDONYM]
    holders = dict.fromkeys(one.annotator for term in report.profile for one in term.annotations)
    releases = sorted({term.release for term in report.profile})
    meta: dict[str, Any] = {
        "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "createdBy": ", ".join(holders),
        "resources": [{**_HPO, "version": " ".join(releases)}, _ECO],
        "phenopacketSchemaVersion": "2.0",
    }
    if papers:
        title = report.document.title
        meta["externalReferences"] = [{"id": f"PMID:{one}", "description": title} for one in papers]
    return {
        "id": report.key,
        "subject": {"id": f"patient-{subject}"},
        "phenotypicFeatures": [_feature(term, papers) for term in report.profile],
        "metaData": meta,
    }


def _feature(term: ExportedTerm, papers: Sequence[int]) -> Mapping[str, Any]:
    feature: dict[str, Any] = {
        "description": " | ".join(dict.fromkeys(one.finding.quote for one in term.annotations)),
        "type": {"id": term.code, "label": term.label},
    }
    if term.denied:
        feature["excluded"] = True
    if term.onset.startswith("P"):
        feature["onset"] = {"age": {"iso8601duration": term.onset}}
    elif term.onset:
        feature["onset"] = {"ontologyClass": {"id": term.onset, "label": _label(term.onset)}}
    feature["evidence"] = [_evidence(term.annotations, papers)]
    return feature


def _label(code: str) -> str:
    from extractors.terminology.library import shipped_hpo

    return shipped_hpo().label_of(code)


def _evidence(found: Sequence[ExportedAnnotation], papers: Sequence[int]) -> Mapping[str, Any]:
    """Whether a program said so alone, or a person, and of which publication."""
    if all(one.origin == "model" for one in found):
        code = _AUTOMATIC
    else:
        code = _TRACEABLE if papers else _STATED
    reference = {"reference": {"id": f"PMID:{papers[0]}"}} if papers else {}
    return {"evidenceCode": code, **reference}


def _recount(out: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """Read by the reader of cases."""
    kept, missing, unexpected = 0, list[str](), list[str]()
    for report, name in zip(reports, file_names(one.key for one in reports), strict=True):
        found = findings_of_phenopacket(json.loads((out / f"{name}.json").read_bytes()))
        again = {*((code, False) for code in found.present), *((code, True) for code in found.excluded)}
        meant = {(term.code, term.denied) for term in report.profile}
        kept += len(meant & again)
        missing += [f"{report.key}: {code}" for code, _ in sorted(meant - again)]
        unexpected += [f"{report.key}: {code}" for code, _ in sorted(again - meant)]
    return read_back("the reader of phenopackets", len(reports), kept, missing, unexpected)


def _losses(reports: Sequence[ReportExport]) -> Iterator[str]:
    if not reports:
        return
    yield "Phenopackets have the terms present and denied; what is uncertain or of a relative is not in them."
    yield "They have no place for the report's text and for places in it; subjects have pseudonyms."
    other = sorted({term.terminology for one in reports for term in one.profile} - {"HPO"})
    if other:
        yield f"Their resources name HPO alone, not {', '.join(other)}."


FORMAT = Format(
    id="phenopacket",
    label="Phenopackets (version 2)",
    about="A folder with a phenopacket for each report that has terms, present and denied, for programs that "
    "look for diseases or variants.",
    suffixes=(".json",),
    write_folder=_write,
    losses=_losses,
    recount=_recount,
    profile=True,
)
