"""Reports of a corpus as a project for people: drawn by a seed, the corpus's quotes as a run."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app import __version__
from app.operations.corpus.schema import Manifest, finished_parts, manifest, read_part, read_parts
from app.store.act import Act, begin_act
from extractors.grouping import grouped
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import Finding
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.extract.runs import RunKind
    from app.store.project import Project

CORPUS = "corpus"
_QUOTE = ("report", "category", "start", "end", "polarity", "confidence")


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn: by stratum how many of how many reports, and the project they are in."""

    project: Path
    strata: Mapping[str, tuple[int, int]]

    @property
    def drawn(self) -> int:
        """How many reports the project has."""
        return sum(drawn for drawn, _ in self.strata.values())

    @property
    def reports(self) -> int:
        """How many the corpus has."""
        return sum(reports for _, reports in self.strata.values())


def sample_corpus(
    folder: Path, path: Path, count: int, by: str = "plain", seed: int = 0
) -> Generator[Progress, None, Sample]:
    """Draw some `count` reports into a new project, where the corpus's quotes stand as the run "corpus".

    The run's settings hold the design: how many reports each stratum has, and the stratum of each that was
    drawn. Raises CallError where the corpus cannot be drawn from in that way, ProjectError where a project
    stands there, FormatError for no corpus.
    """
    told = manifest(folder)
    _require(told)
    traits = yield from _reading_traits(folder)
    if not traits:
        raise CallError(f"{folder} holds no reports; nothing can be drawn from it.")
    if by == "confidence" and all(one.confidence is None for one in traits.values()):
        raise CallError(f"{told.by} said nothing of its confidence in {folder}; draw --by disagreement.")
    strata = strata_of(traits, by, count)
    drawn = draw(strata, count, random.Random(seed))
    of = {name: label for label, names in drawn.items() for name in names}
    sizes = {label: len(names) for label, names in strata.items()}
    design = {"by": by, "seed": seed, "count": count, "strata": sizes, "reports": of}
    made = yield from making_project(folder, path, list(of), design)
    return Sample(made, {label: (len(names), sizes[label]) for label, names in drawn.items()})


def _require(told: Manifest) -> None:
    if told.task == "phenotypes":
        raise CallError("The corpus holds terms and no quotes of categories, which people annotate.")
    if told.state != "done":
        raise CallError("The corpus is not finished; run casespan corpus extract again first.")


def _reading_traits(folder: Path) -> Generator[Progress, None, dict[str, Traits]]:
    """What strata go by, of every report; some hundred bytes each are held."""
    found: dict[str, Traits] = {}
    for part, reports in read_parts(folder, "reports", ["report"]):
        quotes: dict[str, list[dict[str, Any]]] = {one: [] for one in reports.column("report").to_pylist()}
        for row in read_part(folder, "quotes", part, _QUOTE).to_pylist():
            quotes[row["report"]].append(row)
        found |= {name: _traits(rows) for name, rows in quotes.items()}
        yield Progress(len(found), 0, "reports looked at")
    return found


def _traits(rows: Sequence[Mapping[str, Any]]) -> Traits:
    parts = [one["confidence"] for one in rows if one["confidence"] is not None]
    placed = sorted((one for one in rows if one["start"] is not None), key=lambda one: one["start"])
    odd = {id(one) for one in rows if one["start"] is None}
    reach: list[Mapping[str, Any]] = []
    for one in placed:
        reach = [other for other in reach if other["end"] > one["start"]]
        for other in reach:
            if (one["category"], one["polarity"]) != (other["category"], other["polarity"]):
                odd |= {id(one), id(other)}
        reach.append(one)
    clash = len(odd) / len(rows) if rows else 0.0
    return Traits(
        frozenset(one["category"] for one in rows), sum(parts) / len(parts) if parts else None, clash
    )


def making_project(
    folder: Path, path: Path, names: Sequence[str], design: Mapping[str, Any] | None = None
) -> Generator[Progress, None, Path]:
    """A new project of these reports of a corpus, with its quotes; what cannot be whole is not left behind.

    Raises as `sample_corpus`, and UnknownNameError for a report that the corpus lacks.
    """
    from app.operations.project.files import create_project
    from app.operations.project.opening import opened

    told, wanted = manifest(folder), set(names)
    path = create_project(path)
    try:
        with opened(path, write=True) as project, begin_act(project, "draw from a corpus", CORPUS) as act:
            taken = yield from _take_in(act, folder, told, wanted, design or {})
            missing = wanted - taken
            if missing:
                raise UnknownNameError(f"There is no report {min(missing)} in {folder}.")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _take_in(
    act: Act, folder: Path, told: Manifest, wanted: set[str], design: Mapping[str, Any]
) -> Generator[Progress, None, set[str]]:
    from app.store.annotate.annotators import ensure_annotator
    from app.store.extract.runs import finish_run, start_run

    holder = ensure_annotator(act, CORPUS, "run", CORPUS).uuid
    made = {"by": told.by, "task": told.task, "versions": told.versions, "settings": told.settings}
    taken: dict[str, str] = {}
    for part in finished_parts(folder):
        here = wanted.intersection(read_part(folder, "reports", part, ["report"]).column(0).to_pylist())
        if here:
            rows = read_part(folder, "quotes", part).to_pylist()
            quotes = grouped((row["report"], row) for row in rows if row["report"] in here)
            for row in read_part(folder, "reports", part).to_pylist():
                if row["report"] in here:
                    taken[row["report"]] = _take(act, holder, row, quotes.get(row["report"], ()))
        yield Progress(len(taken), len(wanted), "reports")
    by_uuid = {taken[name]: label for name, label in design.get("reports", {}).items() if name in taken}
    settings = {"corpus": made, "design": {**design, "reports": by_uuid}} if design else {"corpus": made}
    kind: RunKind = "rules" if told.by == "rules" else "model"
    finish_run(act, start_run(act, holder, kind, told.by, settings, __version__).uuid, "done")
    return set(taken)


def _take(act: Act, holder: str, row: Mapping[str, Any], quotes: Sequence[Mapping[str, Any]]) -> str:
    """Put a report and its quotes into the project; returns its UUID."""
    from app.formats.documents.text import find_sections
    from app.store.annotate.annotations import add_annotations
    from app.store.annotate.reviews import set_review
    from app.store.reports.documents import add_document
    from extractors.model.document import Document

    categories = act.project.scheme.ids
    about = {
        "journal": row["journal"],
        "date": "" if row["year"] is None else str(row["year"]),
        "licence": row["licence"],
    }
    sections = find_sections(row["text"], categories)
    document = Document(
        row["title"], row["text"], sections, metadata={key: value for key, value in about.items() if value}
    )
    stored = add_document(act, document, row["source"] or CORPUS, row["sha256"], row["report"])
    findings = [
        Finding(
            *(one["category"], one["quote"], one["start"], one["end"], one["field"] or ""),
            *(one["polarity"], one["grounding"]),
        )
        for one in sorted(quotes, key=lambda one: one["number"])
    ]
    unknown = next((one.category for one in findings if one.category not in categories), None)
    if unknown is not None:
        raise ProjectError(
            f"The corpus has the category {unknown!r}, which the scheme of a new project lacks."
        )
    add_annotations(act, stored.uuid, holder, findings, "model")
    silent = set(categories) - {one.category for one in findings}
    set_review(act, stored.uuid, holder, state="done", looked_at=categories, nothing_found=silent)
    return stored.uuid


def drawn_by(project: Project) -> Mapping[str, Any]:
    """The reports' "design", and the "corpus" they are of; raises ProjectError where they are of none."""
    from app.store.extract.runs import runs

    found = next((run.settings for run in runs(project) if "design" in run.settings), None)
    if found is None:
        raise ProjectError(
            f"{project.path} was not drawn from a corpus; draw one with casespan corpus sample."
        )
    return found


Way: TypeAlias = Literal["plain", "category", "confidence", "disagreement"]
WAYS: tuple[Way, ...] = ("plain", "category", "confidence", "disagreement")
# Half of the draw goes by size, so that no report stands for too many; the other half by these shares.
_BY_SIZE = 0.5
# From the strata to be looked at most to those to be looked at least.
_SHARES = (0.5, 0.3, 0.2)
_EACH = 4


@dataclass(frozen=True, slots=True)
class Traits:
    """What strata go by: categories found, mean confidence (None without any), and `clash`, the share of
    quotes that have no place, or whose place another of other category or polarity overlaps."""

    categories: frozenset[str]
    confidence: float | None
    clash: float


Strata: TypeAlias = dict[str, list[str]]


def strata_of(traits: Mapping[str, Traits], way: str, count: int) -> Strata:
    """The reports by stratum, in their order of names: of a draw of `count`, each gets some four.

    By category a report is in the stratum of the rarest of its own; by confidence and disagreement the
    strata are thirds of what was said, the doubtful first, and those of which nothing was said.
    """
    names = sorted(traits)
    if way == "category":
        often = Counter(category for one in traits.values() for category in one.categories)
        rare = sorted(often, key=lambda one: (often[one], one))[: max(0, count // _EACH - 1)]
        place = {category: at for at, category in enumerate(rare)}
        label = {
            name: min(
                (one for one in traits[name].categories if one in place), key=place.__getitem__, default=""
            )
            for name in names
        }
        return {
            one: found for one in (*rare, "") if (found := [name for name in names if label[name] == one])
        }
    if way == "confidence":
        return _thirds({name: traits[name].confidence for name in names})
    if way == "disagreement":
        return _thirds({name: -traits[name].clash if traits[name].clash > 0 else None for name in names})
    return {"": names}


def _thirds(score: Mapping[str, float | None]) -> Strata:
    known = sorted(one for one in score.values() if one is not None)
    cuts = [known[len(known) * third // 3] for third in (1, 2)] if known else []
    labels = ("most doubtful", "doubtful", "least doubtful", "")
    found: Strata = {label: [] for label in labels}
    for name, one in score.items():
        found[labels[3 if one is None else bisect_right(cuts, one)]].append(name)
    return {label: names for label, names in found.items() if names}


def draw(strata: Strata, count: int, chance: random.Random) -> Strata:
    """`count` of the reports, or all there are; more only where it takes two of each stratum."""
    number = sum(map(len, strata.values()))
    doubtful = len(strata) > 1 and "least doubtful" in strata
    every = dict(zip(strata, _SHARES, strict=False)) if doubtful else dict.fromkeys(strata, 1.0)
    total = sum(every.get(label, _SHARES[-1]) for label in strata)
    wanted = {
        label: count
        * ((1 - _BY_SIZE) * every.get(label, _SHARES[-1]) / total + _BY_SIZE * len(names) / number)
        for label, names in strata.items()
    }
    sizes = _whole(wanted, {label: len(names) for label, names in strata.items()}, count)
    return {label: sorted(chance.sample(names, sizes[label])) for label, names in strata.items()}


def _whole(wanted: Mapping[str, float], there: Mapping[str, int], count: int) -> dict[str, int]:
    """Whole numbers near those wanted that come to `count`, if two of each and all of each allow it."""
    least = {label: min(2, number) for label, number in there.items()}
    found = {label: min(there[label], max(least[label], int(one))) for label, one in wanted.items()}
    while (left := count - sum(found.values())) and (
        able := [one for one in found if (found[one] < there[one] if left > 0 else found[one] > least[one])]
    ):
        step = 1 if left > 0 else -1
        found[max(able, key=lambda one: step * (wanted[one] - found[one]))] += step
    return found
