"""How good a corpus is, by what people say of a sample of its reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from app.agreement.spans import overlap_matches
from app.agreement.survey import Share, Stratum, estimate, further_reports, joined
from app.operations.compare.annotation_sets import item_of, quotes_by_report
from app.operations.corpus.sampling import CORPUS, drawn_by
from app.operations.corpus.schema import manifest, read_parts
from app.operations.project.opening import opened
from app.reconcile.alignment import differences
from app.reconcile.types import KINDS, SideQuote
from app.tables import DASH, Column, Table
from app.text import counted
from extractors.model.errors import CallError, ProjectError

if TYPE_CHECKING:
    from app.operations.compare.pair import Cells

ALL = "all"
WIDTH = 0.1
_OVERLAP = 0.5
Read: TypeAlias = "Callable[[_Looked], tuple[float, float] | None]"
# What one side alone has is invented or missed; the others as the queue has them.
ERRORS = ("invented", "missed", *(kind for kind in KINDS if kind != "missing"))


@dataclass(slots=True)
class Counts:
    """What a report has in a category: quotes of the corpus, of the annotator, and pairs of both."""

    given: int = 0
    wanted: int = 0
    right: int = 0


@dataclass(slots=True)
class _Looked:
    """A report that was annotated: counts by category, and its errors by kind."""

    counts: dict[str, Counts] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of a category, or all: estimates for the whole corpus, from `reports` in which it was looked at."""

    precision: Share
    recall: Share
    f1: float | None
    reports: int


@dataclass(frozen=True, slots=True)
class Quality:
    """Estimates by category and for all, errors as shares of all differences and matches, reports to come.

    Of `drawn` reports `looked_at` were annotated; the others count as those of their stratum.
    """

    estimates: Mapping[str, Estimate]
    errors: Mapping[str, Share]
    width: float
    needed: int | None
    looked_at: int
    drawn: int
    reports: int


def measure_quality(folder: Path, where: Path, annotator: str, width: float = WIDTH) -> Quality:
    """What the annotator's work on a sample says of the corpus it was drawn from.

    A quote is right where the annotator has one of the same category that shares half of what both cover,
    each counted once. Raises ProjectError where the project was not drawn from this corpus, or the annotator
    looked at fewer than two of its reports, UnknownNameError for an annotator that is not there, CallError
    for the corpus's own quotes.
    """
    from app.store.annotate.annotators import annotator as known

    if annotator == CORPUS:
        raise CallError("That would measure the corpus by itself; name who annotated the sample.")
    told = manifest(folder)
    with opened(where) as project, project.snapshot():
        drawn = drawn_by(project)
        design, made = drawn["design"], drawn["corpus"]
        reports = sum(table.num_rows for _, table in read_parts(folder, "reports", ["report"]))
        there = (told.by, told.task, told.versions, reports)
        if (made["by"], made["task"], made["versions"], sum(design["strata"].values())) != there:
            raise ProjectError(f"{project.path} was not drawn from {folder}: another extraction made that.")
        sides = (known(project, CORPUS).uuid, known(project, annotator).uuid)
        looked: dict[str, _Looked] = {}
        for _, report, found in quotes_by_report(project, sides, SideQuote):
            if report in design["reports"] and all(side in found for side in sides):
                looked[report] = _look(report, sides, *(found[side] for side in sides))
        categories = project.scheme.ids
    if len(looked) < 2:
        raise ProjectError(
            f"{annotator} has annotated {counted(len(looked), 'report')} of the sample; two is the least."
        )
    return _quality(design, looked, categories, width)


def _look(report: str, sides: tuple[str, str], ours: Cells, theirs: Cells) -> _Looked:
    both = [category for category in ours if category in theirs]
    looked = _Looked()
    marks: list[list[SideQuote]] = [[], []]
    for category in both:
        left, right = ours[category], theirs[category]
        items = [[item_of(one.uuid, one.finding, one.places, ()) for one in own] for own in (left, right)]
        matches = overlap_matches(items[0], items[1], _OVERLAP)
        looked.counts[category] = Counts(len(left), len(right), matches)
        for side, own in zip(marks, (left, right), strict=True):
            side += own
    for one in differences(report, report, sides, *marks)[1]:
        looked.errors[one.kind if one.kind != "missing" else "invented" if one.left else "missed"] += 1
    return looked


def _quality(
    design: Mapping[str, Any], looked: Mapping[str, _Looked], categories: Sequence[str], width: float
) -> Quality:
    def share(read: Read) -> Share:
        counts: dict[str, list[tuple[float, float]]] = {label: [] for label in design["strata"]}
        for report, one in looked.items():
            pair = read(one)
            if pair is not None:
                counts[design["reports"][report]].append(pair)
        return estimate(joined([Stratum(n, tuple(counts[label])) for label, n in design["strata"].items()]))

    estimates = {ALL: _estimate(share, looked, categories)}
    estimates |= {category: _estimate(share, looked, [category]) for category in categories}
    errors = {kind: share(partial(_erring, kind)) for kind in ERRORS}
    number = sum(design["strata"].values())
    every = [estimates[ALL].precision, estimates[ALL].recall]
    further = further_reports(every, len(looked), number, width)
    return Quality(estimates, errors, width, further, len(looked), len(design["reports"]), number)


def _erring(kind: str, one: _Looked) -> tuple[float, float]:
    """Errors of a kind, among the quotes of either side, a pair that is right counted once."""
    own = one.counts.values()
    return one.errors[kind], sum(each.given + each.wanted - each.right for each in own)


def _read(categories: Sequence[str], below: str, one: _Looked) -> tuple[float, float] | None:
    """Quotes that are right, and those below the line; None where none of the categories was looked at."""
    own = [one.counts[category] for category in categories if category in one.counts]
    given, wanted = (sum(getattr(each, side) for each in own) for side in ("given", "wanted"))
    number = {"given": given, "wanted": wanted}.get(below, (given + wanted) / 2)
    return (sum(each.right for each in own), number) if own else None


def _estimate(
    share: Callable[[Read], Share], looked: Mapping[str, _Looked], categories: Sequence[str]
) -> Estimate:
    reports = sum(any(category in one.counts for category in categories) for one in looked.values())
    if reports < 2:
        return Estimate(Share(), Share(), None, reports)
    precision, recall, f1 = (share(partial(_read, categories, below)) for below in ("given", "wanted", ""))
    return Estimate(precision, recall, f1.value, reports)


def quality_json(found: Quality) -> dict[str, Any]:
    """Plain values; a share that cannot be said is None, as its interval."""

    def ends(share: Share) -> list[float] | None:
        return None if share.interval is None else list(share.interval)

    return {
        "estimates": {
            name: {
                "precision": one.precision.value,
                "precision_ci": ends(one.precision),
                "recall": one.recall.value,
                "recall_ci": ends(one.recall),
                "f1": one.f1,
                "n": one.reports,
            }
            for name, one in found.estimates.items()
        },
        "errors": {kind: {"share": one.value, "share_ci": ends(one)} for kind, one in found.errors.items()},
        "needed": {"width": found.width, "reports": found.needed},
    }


def quality_tables(found: Quality) -> tuple[Table[Any], Table[Any]]:
    """Estimates by category, the first for all, and errors by kind."""

    def cells(share: Share) -> tuple[float | None, str]:
        return share.value, DASH if share.interval is None else "{:.2f}–{:.2f}".format(*share.interval)

    ends = Column("95 %", heading=("95 %",), kind="words")
    precision, recall, f1, part = (
        Column(name, key=name.lower(), decimals=2) for name in ("Precision", "Recall", "F1", "Share")
    )
    words, errors = (Column(name, key=name.lower(), kind="words") for name in ("Category", "Error"))
    rows = tuple(
        (name, one.reports, *cells(one.precision), *cells(one.recall), one.f1)
        for name, one in found.estimates.items()
    )
    kinds = tuple((kind, *cells(one)) for kind, one in found.errors.items())
    title, note = "Estimates for the corpus", "n: reports in which it was looked at."
    columns = (words, Column("n", key="n"), precision, ends, recall, ends, f1)
    return (
        Table(columns, rows, title, (note,)),
        Table((errors, part, ends), kinds, "Errors among the quotes of both"),
    )


def quality_sentences(found: Quality) -> list[str]:
    """On what the estimates rest, and how many reports are still to be annotated."""
    parts = [
        f"{counted(found.looked_at, 'report')} annotated of {found.drawn:,} drawn from {found.reports:,}."
    ]
    if found.looked_at < found.drawn:
        parts.append("The others count as those of their stratum that were annotated.")
    if found.needed is None:
        parts.append("How many reports an interval takes cannot be said yet.")
    elif found.needed:
        more = counted(found.needed, "more report")
        parts.append(f"Intervals of all no wider than {found.width:g} take some {more}.")
    else:
        parts.append(f"The intervals of all are no wider than {found.width:g}.")
    return parts
