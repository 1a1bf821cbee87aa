"""Published evidence as its files have it, what is said of invented diseases drawn by lot."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

_FINDINGS = [
    f"HP:000{code}" for code in "1250 1251 1263 0365 1332 2015 2072 7359 1337 0023 9999 3774".split()
]
_ONSETS = [f"HP:00{code}" for code in "30674 11460 11461 03577 03581 03829".split()]
_CLASSES = [f"HP:004028{number}" for number in range(6)]
_HEAD = "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect who"
_KINDS = ("Point prevalence", "Prevalence at birth", "Annual incidence", "Cases/families")
_OF = (">1 / 1000", "1-5 / 10 000", "1-9 / 100 000", "<1 / 1 000 000", "Unknown")
_WORDS = ("Obligate (100%)", "Frequent (79-30%)", "Occasional (29-5%)", "Excluded (0%)", "Often")


def write_evidence(folder: Path) -> None:
    """phenotype.hpoa of 20 diseases, six packets of Orphanet and 80 patients, each kind of row among them."""
    drawn = random.Random(6)
    for name in ("orphanet", "patients"):
        (folder / name).mkdir(parents=True)
    told = [row for number in range(20) for row in _rows(drawn, number)]
    head = ["#version: 2025-01-16", _HEAD.replace(" ", "\t")]
    (folder / "phenotype.hpoa").write_text("\n".join([*head, *told, "a line", ""]), "utf-8")
    for number in range(16, 22):
        value = {"Orphapacket": _orphanet(drawn, number)}
        (folder / "orphanet" / f"{number}.json").write_text(json.dumps(value), "utf-8")
    for number in range(80):
        value = _patient(drawn, number) if number else {}
        (folder / "patients" / f"{number:02}.json").write_text(json.dumps(value), "utf-8")


def _rows(drawn: random.Random, number: int) -> list[str]:
    rows = []
    for term in drawn.sample(_FINDINGS, 9) + drawn.sample(_ONSETS, 4):
        whole = drawn.choice([4, 9, 12, 40])
        counted = f"{drawn.randint(0, whole)}/{whole}"
        said = drawn.choice([*_CLASSES, *_CLASSES[1:4] * 3, *[counted] * 5, "40%", "7.5 %", "", "x%", "3/x"])
        no, sex = drawn.choice(["", "", "", "", "", "NOT"]), drawn.choice(["", "", "", "MALE", "FEMALE"])
        about = (f"Illness {number // 2}", no, term, f"PMID:{number % 7}", "PCS", "", said, sex, "")
        for disease in (f"OMIM:{number}", f"ORPHA:{number}")[: drawn.choice([1, 1, 2])]:
            rows.append("\t".join((disease, *about, "C" if term in _ONSETS else "P", "x")))
    return rows


def _orphanet(drawn: random.Random, number: int) -> dict[str, Any]:
    prevalences = [
        {"PrevalenceType": kind, "PrevalenceClass": of, "PrevalenceGeographic": place}
        | {"ValMoy": drawn.choice(["", "2.5", "30"])}
        for kind in _KINDS
        for of in drawn.sample(_OF, 2)
        for place in drawn.sample(["Europe", "Japan", ""], 2)
    ]
    exact = {"Source": "OMIM", "Reference": str(number), "DisorderMappingRelation": "E (Exact)"}
    seen = [{"Phenotype": {"HPOId": one, "HPOFrequency": drawn.choice(_WORDS)}} for one in _FINDINGS]
    about = {"ORPHAcode": str(number), "Label": f"Malady {number}", "version": "1.3", "Phenotypes": seen}
    return {**about, "Prevalences": {"Prevalence": prevalences}, "ExternalReferences": [exact]}


def _patient(drawn: random.Random, number: int) -> dict[str, Any]:
    """Of two diseases, one of whose patients lack much that is looked for."""
    disease = {"id": f"OMIM:{40 + number % 2}", "label": f"Ailment {number % 2}"}
    return {
        "id": f"PMID_{number % 5}_p{number}",
        "subject": {"sex": drawn.choice(["MALE", "FEMALE"])},
        "phenotypicFeatures": [
            {"type": {"id": one}, "excluded": drawn.random() < (0.1, 0.6)[number % 2]}
            for one in drawn.sample(_FINDINGS, 8)
        ],
        **({"interpretations": [{"diagnosis": {"disease": disease}}]} if number > 2 else {}),
        "diseases": [{"term": disease}],
        "metaData": {"phenopacketSchemaVersion": "2.0"},
    }
