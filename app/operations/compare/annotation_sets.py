"""The sets of annotations that can be set side by side, read once for as many comparisons as are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from app.operations.project.caveats import caveats
from extractors.model.progress import Progress, finished

if TYPE_CHECKING:
    from app.agreement.compare import PairScores
    from app.agreement.shares import AnnotatedShares, Looked
    from app.agreement.types import Item, Profile, ReportPair
    from app.store.annotate.annotations import Annotation, Place
    from app.store.project import Project
    from extractors.model.coding import Coding
    from extractors.model.finding import Finding
    from extractors.model.scheme import Category

_Made = TypeVar("_Made")
_Cells: TypeAlias = dict[str, tuple[_Made, ...]]


@dataclass(frozen=True, slots=True)
class SideSets:
    """Everybody's items as they were when read, by annotator name and document UUID.

    `reports` are (UUID, key, title) in import order; `caveats` sentences by name that must stand beside
    every number; `runs` the names of those that are runs; `texts` those of the reports, where they
    were asked for.
    """

    categories: tuple[Category, ...]
    reports: tuple[tuple[str, str, str], ...]
    sets: Mapping[str, Mapping[str, Looked]]
    caveats: Mapping[str, tuple[str, ...]]
    runs: frozenset[str]
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Whose sets these are."""
        return tuple(self.sets)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the categories, in the scheme's order."""
        return tuple(category.id for category in self.categories)

    def pairs(self, left: str, right: str) -> list[ReportPair]:
        """Both annotators' items of every report that both have looked at."""
        from app.agreement.types import ReportPair

        ours, theirs = self.sets.get(left, {}), self.sets.get(right, {})
        return [
            ReportPair(key, title, ours[uuid], theirs[uuid], self.texts.get(uuid, ""))
            for uuid, key, title in self.reports
            if uuid in ours and uuid in theirs
        ]

    def have_common(self, left: str, right: str) -> bool:
        """Whether there is a report that both have looked at."""
        return not self.sets.get(left, {}).keys().isdisjoint(self.sets.get(right, {}))

    def alone(self, left: str, right: str) -> tuple[int, int]:
        """How many reports the left, and how many the right, looked at without the other."""
        ours, theirs = self.sets.get(left, {}).keys(), self.sets.get(right, {}).keys()
        return len(ours - theirs), len(theirs - ours)

    def caveats_on(self, *names: str) -> tuple[str, ...]:
        """What must be said of these annotators, each sentence once."""
        return tuple(dict.fromkeys(caveat for name in names for caveat in self.caveats[name]))

    def compared(self, left: str, right: str, profile: Profile) -> PairScores:
        """Headline scores of a pair."""
        return finished(self.comparing(left, right, profile))

    def comparing(self, left: str, right: str, profile: Profile) -> Generator[Progress, None, PairScores]:
        """`compared`, some reports at a time."""
        from app.agreement.compare import scoring_pair

        only = self.alone(left, right)
        return scoring_pair(self.pairs(left, right), self.ids, left, right, profile, only)

    def shares(self, name: str) -> AnnotatedShares:
        """How much an annotator marked in the reports that the annotator looked at."""
        from app.agreement.shares import annotated_shares

        return annotated_shares(name, tuple(self.sets[name].values()), self.ids)


def people_and(project: Project, *names: str) -> tuple[str, ...]:
    """Everybody but runs who has looked at a report, and these; pairs of many runs are the grid's business.

    Raises UnknownNameError for an annotator that is not there.
    """
    from app.store.annotate.annotators import annotator, annotators
    from app.store.annotate.reviews import reviews

    wanted = {annotator(project, name).uuid for name in names}
    busy = {review.annotator for review in reviews(project) if review.looked_at}
    return tuple(
        one.name
        for one in annotators(project)
        if one.uuid in wanted or (one.kind != "run" and one.uuid in busy)
    )


def read_side_sets(
    project: Project, names: Sequence[str] | None = None, *, with_texts: bool = False
) -> SideSets:
    """The sets of these annotators, or of everybody who has looked at a report.

    Categories of a gold set in which something is undecided are left out. Measures on tokens need the
    reports' texts. Raises UnknownNameError for an annotator that is not there.
    """
    with project.snapshot():
        return finished(reading_side_sets(project, names, with_texts=with_texts))


def reading_side_sets(
    project: Project, names: Sequence[str] | None = None, *, with_texts: bool = False
) -> Generator[Progress, None, SideSets]:
    """`read_side_sets`, report by report: what changes meanwhile may be in it or not."""
    from app.store.annotate.annotators import annotator, annotators
    from app.store.reports.documents import document_summaries, texts

    # Whoever comes meanwhile is read next time.
    holders = annotators(project) if names is None else [annotator(project, name) for name in names]
    documents = document_summaries(project)
    found: dict[str, dict[str, Looked]] = {}
    wanted = None if names is None else [holder.uuid for holder in holders]
    for step, document, sets in quotes_by_report(project, wanted, item_of):
        for holder, items in sets.items():
            found.setdefault(holder, {})[document] = items
        yield step
    return SideSets(
        categories=tuple(project.scheme.categories),
        reports=tuple((one.uuid, one.key, one.title) for one in documents),
        sets={
            holder.name: found.get(holder.uuid, {})
            for holder in holders
            if names is not None or holder.uuid in found
        },
        caveats={holder.name: caveats(project, holder.name) for holder in holders},
        runs=frozenset(holder.name for holder in holders if holder.kind == "run"),
        texts=texts(project) if with_texts else {},
    )


def item_of(_: str, finding: Finding, __: Sequence[Place], concepts: tuple[Coding, ...]) -> Item:
    """A quote, by UUID, finding, places and concepts, as measures see it."""
    from app.agreement.types import Item

    return Item(finding.quote, finding.start, finding.end, finding.polarity, finding.field, concepts)


def annotations_by_report(
    project: Project, annotators: Collection[str] | None = None, *, undecided: bool = False
) -> Iterator[tuple[Progress, str, dict[str, _Cells[Annotation]]]]:
    """What these annotators (UUIDs), or all, have by category, annotations by rank, report (UUID) by report.

    A category is there if it was looked at, with () where nothing was found; categories stand in the order of
    the scheme. A category of a gold set in which something is undecided is left out, unless `undecided` asks
    for its annotations as well.
    """
    from app.store.annotate.annotations import read_annotations

    def read(report: str) -> list[tuple[str, str, Annotation]]:
        every = read_annotations(project, report, annotators)
        return [(one.annotator, one.finding.category, one) for one in every]

    return _by_report(project, annotators, None, undecided, read)


def quotes_by_report(
    project: Project,
    annotators: Collection[str] | None,
    make: Callable[[str, Finding, tuple[Place, ...], tuple[Coding, ...]], _Made],
    document: str | None = None,
) -> Iterator[tuple[Progress, str, dict[str, _Cells[_Made]]]]:
    """`annotations_by_report` of what comparing takes: what is made of UUID, finding, places and concepts."""
    from app.store.annotate.annotations import read_quotes

    def read(report: str) -> list[tuple[str, str, _Made]]:
        return [
            (by, finding.category, make(uuid, finding, places, concepts))
            for by, uuid, finding, places, concepts in read_quotes(project, report, annotators)
        ]

    return _by_report(project, annotators, document, False, read)


def _by_report(
    project: Project,
    annotators: Collection[str] | None,
    document: str | None,
    undecided: bool,
    read: Callable[[str], Iterable[tuple[str, str, _Made]]],
) -> Iterator[tuple[Progress, str, dict[str, _Cells[_Made]]]]:
    """What is read of each report, as (annotator, category, quote), by annotator and category."""
    from app.store.annotate.reviews import reviews
    from app.store.reconcile.decisions import undecided_cells
    from app.store.reports.documents import document_summaries

    incomplete = frozenset() if undecided else undecided_cells(project)
    looked: dict[str, dict[str, Collection[str]]] = {}
    # One query for all of them, or one for each of the few that are wanted.
    wanted: Sequence[str | None] = [None] if annotators is None else list(dict.fromkeys(annotators))
    for review in (one for holder in wanted for one in reviews(project, holder)):
        if review.looked_at:
            looked.setdefault(review.document, {})[review.annotator] = review.looked_at
    place = {category: number for number, category in enumerate(project.scheme.ids)}
    documents = [one.uuid for one in document_summaries(project)] if document is None else [document]
    for done, report in enumerate(documents, start=1):
        cells: dict[str, dict[str, list[_Made]]] = {
            holder: {category: [] for category in categories}
            for holder, categories in looked.get(report, {}).items()
        }
        for by, category, quote in read(report):
            if not incomplete or (report, by, category) not in incomplete:
                cells.setdefault(by, {}).setdefault(category, []).append(quote)
        found = {
            holder: {
                category: tuple(given[category])
                for category in sorted(given, key=lambda one: place.get(one, len(place)))
            }
            for holder, given in cells.items()
        }
        yield Progress(done, len(documents), "reports read"), report, found
