"""Reading GA4GH phenopackets of version 2 (a packet, or the proband of a family)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from extractors.evidence.published import pubmed_ids

# What only version 1 has: of a packet that does not say its version.
_OLD = {"htsFiles", "variants", "phenotypes", "meta_data"}
_KEYS = {"phenotypicFeatures", "phenotypes", "metaData", "meta_data", "proband", "htsFiles"}


@dataclass(frozen=True, slots=True)
class Packet:
    """What a phenopacket says of a patient: codes of findings and diagnoses, PubMed ids it refers to."""

    id: str
    present: tuple[str, ...]
    excluded: tuple[str, ...]
    diagnoses: tuple[str, ...]
    publications: tuple[int, ...]


def is_phenopacket(value: Mapping[str, Any]) -> bool:
    """Whether it looks like a phenopacket of any version."""
    return not _KEYS.isdisjoint(value)


def findings_of_phenopacket(value: Mapping[str, Any]) -> Packet:
    """Raises ValueError with the reason where there is nothing in it to read."""
    meta = _object(value, "metaData")
    version = str(meta.get("phenopacketSchemaVersion") or "")
    packet = _object(value, "proband") if "proband" in value else value
    features = [one for one in objects_of(packet, "phenotypicFeatures") if _id(one, "type")]
    old = not _OLD.isdisjoint(packet) or any("negated" in one for one in features)
    if version.startswith(("0", "1")) or (not version and old):
        raise ValueError("is a phenopacket of version 1; Casespan reads those of version 2")
    if not features and value.get("members"):
        raise ValueError("is a cohort; give each phenopacket of its members as a file or a line of its own")
    if not features:
        files = " but files" if packet.get("files") else ""
        raise ValueError(f"is a phenopacket that has no findings (phenotypicFeatures){files}")
    solved = [
        _id(_object(one, "diagnosis"), "disease")
        for one in objects_of(packet, "interpretations")
        if one.get("diagnosis")
    ]
    known = [_id(one, "term") for one in objects_of(packet, "diseases") if not one.get("excluded")]
    references = [str(one.get("id") or "") for one in objects_of(meta or packet, "externalReferences")]
    name = str(packet.get("id") or value.get("id") or "")
    return Packet(
        name,
        tuple(_id(one, "type") for one in features if not one.get("excluded")),
        tuple(_id(one, "type") for one in features if one.get("excluded")),
        tuple(code for code in solved or known if code),
        pubmed_ids([*references, f"id {name}"]),
    )


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key) or {}
    if not isinstance(found, dict):
        raise ValueError(f"has a “{key}” that is no JSON object")
    return found


def objects_of(value: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The JSON objects under a key, none where there is no such key; raises ValueError for anything else."""
    found = value.get(key) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ValueError(f"has “{key}” that are no list of objects")
    return found


def _id(value: Mapping[str, Any], key: str) -> str:
    return str(_object(value, key).get("id") or "")
