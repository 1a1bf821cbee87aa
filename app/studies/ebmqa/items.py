"""The questions made of evidence: read, merged, drawn, worded and put in order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.studies.ebmqa.cohorts import add_phenopackets
from app.studies.ebmqa.edges import TYPES, Edge, Evidence, merged, one_id_each
from app.studies.ebmqa.ranges import Ranges, chosen, ranges_of, wording
from app.studies.ebmqa.reading import add_gold, add_hpoa, add_orphanet, add_table
from app.studies.ebmqa.semantic import chance, compared, interleaved
from app.studies.ebmqa.terms import Terms
from app.studies.ebmqa.words import (
    CONTROL,
    NUMERIC,
    SEMANTIC,
    Namer,
    called,
    control_items,
    finished,
    guess_lines,
    numeric_item,
    semantic_item,
)
from app.studies.lines import read_lines
from app.studies.results import Item
from app.studies.study import Building, Built
from extractors.assets import asset
from extractors.differential.ranking import shipped_ranker
from extractors.model.errors import CallError, FormatError
from extractors.model.progress import Progress
from extractors.terminology.index import Terminology
from extractors.terminology.library import shipped_hpo
from extractors.terminology.obo import read_obo

_NO_EVIDENCE = "No source that was given says anything of this."
_TOO_LITTLE = "too few patients, no interval, or contested"
# Of rows that say nothing possible so many are listed; all are counted.
_LISTED = 1000
# The options that name evidence.
_SOURCES = ("hpoa", "orphanet", "phenopackets", "evidence")
_NOT_WANTED = "It was not asked for."
_RARITY = {1: "rare", 2: "rare", 3: "common", 4: "widespread", 5: "widespread", 6: "widespread"}
_DISCIPLINES = (
    "digestive, cardiovascular, infectious and immune, nervous, respiratory, genitourinary, neoplastic"
).split(", ")
# The published benchmark's lists: a label, its values (as many of each), how many questions of each.
LISTS: tuple[tuple[str, Sequence[str], int], ...] = (
    ("subject", ("disorder", "symptom", "laboratory", "imaging"), 1000),
    ("discipline", _DISCIPLINES, 500),
    ("prevalence", ("widespread", "common", "rare"), 1500),
    ("type", ("sensitivity", "risk_factor", "association", "incidence"), 1000),
    ("length", ("short", "medium", "long"), 1000),
    ("range", ("low", "mid", "high"), 1000),
)
_SEMANTIC_OF_BENCHMARK = 2542


def build(request: Building) -> Generator[Progress, None, Built]:
    """Questions of the sources named, or, without any, the small examination that comes along."""
    wanted = request.settings
    named = [wanted["hpoa"], wanted["orphanet"], wanted["phenopackets"], *wanted["evidence"]]
    _require_disciplines(wanted["discipline"])
    if request.paths:
        raise CallError(f"{request.paths[0]}: say what it is, by --{', --'.join(_SOURCES)}.")
    if not any(named) and not wanted["annotator"]:
        return _small(request)
    yield Progress(0, 0, "reading the evidence")
    try:
        terms = Terms(_terminology(wanted["ontology"]))
        evidence = _read(request, terms)
    except FormatError as error:
        # What was named is another file than the call says.
        raise CallError(str(error)) from None
    profile = wanted["profile"]
    yield Progress(0, 0, "merging what is said of the same")
    edges, contested = merged(evidence, evidence.edges, profile)
    onsets, contradicting = merged(evidence, evidence.onsets, profile)
    contested += contradicting
    if contested:
        evidence.left_out["contested: what is said contradicts itself"] += len(contested)
    namer = Namer(evidence.names, terms, _rarities())
    details: dict[str, Any] = {"profile": profile, "cuts": {}, "types": {}}
    notes: list[str] = []
    yield Progress(0, 0, "drawing questions in numbers")
    numeric = _numeric(edges, evidence, namer, request, details, notes)
    yield Progress(0, 0, "drawing questions in words")
    semantic: list[Item] = []
    if _wants(wanted, SEMANTIC):
        made = compared(
            [one for one in edges if one.type == "sensitivity"], onsets, terms, profile, request.seed
        )
        semantic = [semantic_item(one, namer, profile) for one in made]
    names = {edge.type for edge in (*evidence.edges, *evidence.onsets)}
    _explain_types(details["types"], numeric, semantic, wanted, evidence, names)
    items = finished(_kept(_ordered(numeric, semantic, request.seed), wanted, request.seed, notes))
    items = with_controls(items, wanted["controls"], evidence.names, request.seed)
    details["rows_left_out"] = evidence.faulty[:_LISTED]
    details["contested"] = [{"source": one.source, "target": one.target} for one in contested]
    details["guess"] = guess_lines(items)
    notes += _types_told(details["types"])
    # The build's record has versions, digests and licences.
    files = [source["file"] for source in evidence.sources]
    return Built(
        [item if item.task == CONTROL else replace(item, sources=files) for item in items],
        {reason: number for reason, number in evidence.left_out.items() if number},
        evidence.sources,
        details,
        notes,
        values={"type": TYPES},
    )


def _require_disciplines(wanted: Sequence[str]) -> None:
    known = {str(name) for name in wording()["disciplines"].values()}
    unknown = next((one for one in wanted if one not in known), "")
    if unknown:
        raise CallError(f"There is no discipline {unknown!r}; choose of {', '.join(sorted(known))}.")


def _terminology(path: Path | None) -> Terminology:
    """That of an hp.obo, or the one that comes along."""
    if path is None:
        return shipped_hpo()
    from tempfile import TemporaryDirectory

    from extractors.terminology.index import write_index

    ontology = read_obo(path)
    if ontology.release == shipped_hpo().release:
        return shipped_hpo()
    with TemporaryDirectory() as folder:
        index = Path(folder) / "hpo.zip"
        write_index(index, "HPO", ontology.release, path.name, ontology.concepts)
        read = Terminology(index)
        # All of it is read before the folder goes.
        _ = read.codes, read.names, read.children, read.obsolete, read.current("HP:0000118"), read.firsts
        return read


def _read(request: Building, terms: Terms) -> Evidence:
    wanted, evidence = request.settings, Evidence()
    for path in (wanted["hpoa"], wanted["orphanet"], wanted["phenopackets"], *wanted["evidence"]):
        if path is not None and not path.exists():
            raise CallError(f"There is no {path} to read evidence from.")
    exact: list[tuple[str, str]] = []
    if wanted["hpoa"]:
        add_hpoa(evidence, wanted["hpoa"], terms)
    if wanted["orphanet"]:
        exact += add_orphanet(evidence, wanted["orphanet"], terms)
    if wanted["phenopackets"]:
        add_phenopackets(evidence, wanted["phenopackets"], terms)
    for path in wanted["evidence"]:
        add_table(evidence, path, terms)
    if wanted["annotator"]:
        add_gold(evidence, request.reports(), wanted["annotator"])
    known = shipped_ranker().diseases
    exact += [(codes[0], other) for codes in known.codes for other in codes[1:]]
    unnamed = [code for code, name in evidence.names.items() if code == name and code in known.numbers]
    evidence.names |= {code: known.names[known.numbers[code]] for code in unnamed}
    diseases = [code for code in evidence.names if code.startswith(("OMIM:", "ORPHA:", "DECIPHER:"))]
    one_id_each(evidence, exact, diseases)
    return evidence


def _rarities() -> dict[str, str]:
    diseases = shipped_ranker().diseases
    classes = diseases.prevalence.tolist()
    return {
        code: _RARITY[of_class]
        for codes, of_class in zip(diseases.codes, classes, strict=True)
        for code in codes
        if of_class in _RARITY
    }


def _wants(wanted: Mapping[str, Any], kind: str) -> bool:
    """Whether a type is asked for, by kind and by type."""
    task = SEMANTIC if kind == SEMANTIC else NUMERIC
    return (not wanted["kind"] or task in wanted["kind"]) and (not wanted["type"] or kind in wanted["type"])


def _numeric(
    edges: Sequence[Edge],
    evidence: Evidence,
    namer: Namer,
    request: Building,
    details: dict[str, Any],
    notes: list[str],
) -> list[tuple[Item, ...]]:
    """Units of items, those of a type together."""
    made: list[tuple[Item, ...]] = []
    profile = request.settings["profile"]
    for kind in TYPES[1:]:
        of_type = [edge for edge in edges if edge.type == kind]
        if not of_type or not _wants(request.settings, kind):
            continue
        ranges = ranges_of(kind, of_type, profile)
        details["cuts"][kind] = _cuts(ranges)
        units, left, matched = chosen(of_type, ranges, profile, request.seed)
        name = called("type", kind)
        evidence.left_out.update({f"{name}: {reason}": number for reason, number in left.items() if number})
        if not matched and units:
            notes.append(f"{name}: too little evidence to match in fours; no answer has more than its share.")
        made += [tuple(numeric_item(asked, ranges, namer, profile) for asked in unit) for unit in units]
    return made


def _cuts(ranges: Ranges) -> dict[str, Any]:
    cuts = [float(cut) for cut in ranges.cuts]
    values: dict[str, Any] = {"median": float(ranges.median), "mad": float(ranges.mad)}
    values |= {"low": cuts[0] if cuts else None, "high": cuts[-1] if cuts else None}
    return {**values, **({"cuts": cuts} if len(cuts) != 2 else {})}


def _explain_types(
    types: dict[str, str],
    numeric: Sequence[tuple[Item, ...]],
    semantic: Sequence[Item],
    wanted: Mapping[str, Any],
    evidence: Evidence,
    words: Collection[str],
) -> None:
    there = {str(item.labels["type"]) for unit in numeric for item in unit}
    there |= {SEMANTIC} if semantic else set()
    for kind in TYPES:
        if kind not in there:
            before = f"{called('type', kind)}: "
            reasons = [
                f"{reason.removeprefix(before)} ({number:,})"
                for reason, number in evidence.left_out.items()
                if reason.startswith(before) and number
            ]
            unasked = f"There is evidence, but none that could be asked: {'; '.join(reasons) or _TOO_LITTLE}."
            types[kind] = unasked if kind in words else _NO_EVIDENCE
            types[kind] = types[kind] if _wants(wanted, kind) else _NOT_WANTED


def _types_told(types: Mapping[str, str]) -> list[str]:
    """Why there is no question of some types, for those who read no JSON."""
    by_reason: dict[str, list[str]] = {}
    for kind, reason in types.items():
        if reason != _NOT_WANTED:
            by_reason.setdefault(reason, []).append(called("type", kind))
    return [f"0 questions of {', '.join(kinds)}: {reason}" for reason, kinds in by_reason.items()]


def _ordered(numeric: Sequence[tuple[Item, ...]], semantic: Sequence[Item], seed: int) -> list[Item]:
    """So that any first part is balanced, fours left together."""
    units = [
        ((str(unit[0].labels["type"]), *sorted({item.reference["correct"][0] for item in unit})), unit)
        for unit in numeric
    ]
    words = sorted(semantic, key=lambda item: chance(seed, json.dumps(item.input)))
    grouped: list[tuple[tuple[object, ...], tuple[Item, ...]]] = [
        ((SEMANTIC, len(item.input["options"]), *item.reference["correct"]), (item,)) for item in words
    ]
    return [item for _, unit in interleaved([*units, *grouped], lambda one: one[0]) for item in unit]


def _kept(items: list[Item], wanted: Mapping[str, Any], seed: int, notes: list[str]) -> list[Item]:
    """The items that the call is narrowed to."""
    disciplines = set(wanted["discipline"])
    if disciplines:
        items = [item for item in items if disciplines & set(item.labels["disciplines"])]
    if wanted["benchmark"]:
        items = _benchmark(finished(items), seed, notes)
    return items[: wanted["count"]] if wanted["count"] else items


def _benchmark(items: Sequence[Item], seed: int, notes: list[str]) -> list[Item]:
    """The paper's six lists of questions in numbers, each once, and as many in words; `notes` hear of lists
    for which there are too few."""
    numeric = sorted((item for item in items if item.task == NUMERIC), key=lambda item: chance(seed, item.id))
    taken: set[str] = set()
    for label, values, number in LISTS:
        for value in values:
            fresh = [one for one in numeric if one.id not in taken and value in one.values(label)]
            taken |= {one.id for one in fresh[:number]}
            if len(fresh) < number:
                notes.append(
                    f"{label} {value}: {len(fresh):,} of {number:,} in the published list, each drawn once."
                )
    words = [item for item in items if item.task == SEMANTIC][:_SEMANTIC_OF_BENCHMARK]
    taken |= {item.id for item in words}
    return [item for item in items if item.id in taken]


def with_controls(items: Sequence[Item], number: int, names: Mapping[str, str], seed: int) -> list[Item]:
    """The items with questions on invented entities among them, evenly."""
    if not number:
        return list(items)
    options = next((item.input["options"] for item in items if item.labels["type"] == "sensitivity"), None)
    ranges = ranges_of("sensitivity", (), "strict")
    controls = finished(
        control_items(number, options or ranges.options(), {name.casefold() for name in names.values()}, seed)
    )
    return interleaved([*items, *controls], lambda item: item.task == CONTROL)


def _small(request: Building) -> Built:
    """The examination that comes along, as it was built once; raises CallError for what wants evidence."""
    wanted = request.settings
    for name, asked in (("ontology", wanted["ontology"]), ("profile paper", wanted["profile"] != "strict")):
        if asked:
            raise CallError(f"--{name} needs evidence; name it by --{', --'.join(_SOURCES)}.")
    folder = asset("resources", "studies", "ebmqa")
    about = json.loads((folder / "build.json").read_text(encoding="utf-8"))
    narrowed = wanted["kind"] or wanted["type"] or wanted["discipline"]
    items = [
        item
        for item in (Item(**line) for line in read_lines(folder / "items.jsonl"))
        if (not narrowed if item.task == CONTROL else _wants(wanted, str(item.labels["type"])))
    ]
    notes: list[str] = []
    if wanted["discipline"]:
        items = [one for one in items if set(wanted["discipline"]) & set(one.labels["disciplines"])]
    items = _benchmark(items, request.seed, notes) if wanted["benchmark"] else items
    items = items[: wanted["count"]] if wanted["count"] else items
    named = {one.id: str((one.input["source"] or {}).get("name", "")) for one in items}
    items = with_controls(items, wanted["controls"], named, request.seed)
    found = Counter(str(item.labels["type"]) for item in items)
    types = {kind: _NO_EVIDENCE if _wants(wanted, kind) else _NOT_WANTED for kind in TYPES if not found[kind]}
    details = {**about["details"], "types": types, "guess": guess_lines(items)}
    notes += _types_told(types)
    return Built(items, {}, about["sources"], details, notes, values={"type": TYPES})
