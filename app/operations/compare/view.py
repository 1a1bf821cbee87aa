"""What the window shows of an agreement: every number with its sentence, and the reports behind it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.messages import AVERAGE, POOLED
from app.operations.compare.agreement import comparing_sides
from app.operations.compare.annotation_sets import SideSets, reading_side_sets
from app.operations.project.opening import opened
from app.text import counted
from extractors.grouping import grouped
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from app.agreement.compare import PairScores
    from app.agreement.measures import Measure
    from app.agreement.output.charts import HeatMap, StripBar
    from app.agreement.shares import AnnotatedShares
    from app.agreement.types import Agreement, Item, Profile, Row
    from app.store.project import Project
    from extractors.model.scheme import Category

_TO_COME = "…"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number: as text, as a sentence, and as parts 0-1 of its scale with the ends of its interval.

    `share`, `low` and `high` are None where there is no number or interval; an `error` is the better the
    smaller it is. A `line` is what it is to be compared with.
    """

    text: str
    sentence: str
    share: float | None = None
    low: float | None = None
    high: float | None = None
    error: bool = False
    line: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: a category, or with "" as `category` the average or all together."""

    label: str
    category: str
    n: int
    empty: int
    left: int
    right: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class AgreementView:
    """One pair in one profile, ready to be drawn; `ids` are the labels of the heat map, `main` leads."""

    agreement: Agreement
    measures: tuple[Measure, ...]
    main: Measure
    lines: tuple[Line, ...]
    heat: HeatMap
    ids: tuple[str, ...]
    strip: tuple[StripBar, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuoteBlock:
    """What both sides have in one place, or in one category of a report."""

    heading: str
    left: tuple[Item, ...]
    right: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One report behind a number: its value in words, both sides' numbers of quotes, and the quotes."""

    key: str
    title: str
    value: str
    left: int
    right: int
    blocks: tuple[QuoteBlock, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reports behind one number, worst first, and the category to look at them in ("" for any)."""

    left: str
    right: str
    sentence: str
    column: str
    category: str
    rows: tuple[EvidenceRow, ...]


def reading_sets_to_compare(where: Project | Path) -> Generator[Progress, None, SideSets]:
    """Everybody's sets, to be compared as often as is wanted; there may be none."""
    with opened(where) as project:
        return (yield from reading_side_sets(project))


def first_pair(sides: SideSets, annotator: str) -> tuple[str, str] | None:
    """Two sets with a report in common, None where there are no such: the annotator, then people, then runs.

    A set named gold goes to the right, as the reference.
    """
    ranked = sorted(sides.names, key=lambda name: (name in sides.runs, name == "gold", name != annotator))
    for number, left in enumerate(ranked):
        for right in ranked[number + 1 :]:
            if sides.have_common(left, right):
                return (right, left) if left == "gold" else (left, right)
    return None


def viewing_agreement(
    sides: SideSets, left: str, right: str, profile: Profile, *, joined: bool = True
) -> Generator[Progress, None, AgreementView]:
    """One pair in one profile; raises ProjectError where both looked at no report.

    Without `joined` the places of BLEU and ROUGE stay empty, and it takes half of the time.
    """
    from app.agreement.measures import leading, shown_in
    from app.agreement.output import charts
    from app.agreement.output.tables import not_compared

    agreement = yield from comparing_sides(sides, left, right, profile, joined=joined)
    measures, main = shown_in("window", profile), leading(profile)
    # What a profile is about comes first, so that it is seen where there is little room.
    measures = tuple(sorted(measures, key=lambda one: one is not main))
    names = {category.id: category.name for category in sides.categories}
    labels = {**names, "NONE": "Nothing"}
    rows = [(names[category], category, row) for category, row in agreement.categories.items()]
    rows += [(AVERAGE, "", agreement.average), (POOLED, "", agreement.pooled)]
    pooled = agreement.pooled
    sentence = (
        f"{counted(agreement.documents, 'report')} annotated by both, "
        f"{counted(pooled.n, 'pair of report and category', 'pairs of report and category')}, "
        f"{pooled.empty:,} of them empty on both sides; "
        f"{counted(pooled.support_left, 'quote')} of {left} (left), {pooled.support:,} of {right} (right)."
    )
    same = (f"{left} is on both sides: one set against itself says nothing about agreement.",)
    return AgreementView(
        agreement=agreement,
        measures=measures,
        main=main,
        lines=tuple(_line(label, category, row, measures) for label, category, row in rows),
        heat=charts.heat_map(agreement.confusion, labels, left, right),
        ids=agreement.confusion.labels,
        strip=charts.strip(agreement.reports, main),
        sentences=(*(same if left == right else ()), sentence, *not_compared(agreement), *agreement.caveats),
    )


def unmeasured(of: str, *, stopped: bool = False) -> Figure:
    """The place of a number that is still to come, or that will not come."""
    if stopped:
        return Figure("stopped", f"{of}: not measured. Choose the pair again to go on.")
    return Figure(_TO_COME, f"{of}: still being worked out.")


def stopped_view(view: AgreementView) -> AgreementView:
    """The same where what is still to come was given up."""

    def figure(line: Line, number: int) -> Figure:
        there, words = line.figures[number], f"{line.label}, {view.measures[number].name}"
        return unmeasured(words, stopped=True) if there.text == _TO_COME else there

    places = range(len(view.measures))
    lines = [replace(line, figures=tuple(figure(line, place) for place in places)) for line in view.lines]
    return replace(view, lines=tuple(lines))


def _line(label: str, category: str, row: Row, measures: Sequence[Measure]) -> Line:
    figures = tuple(_figure(label, row, measure) for measure in measures)
    return Line(label, category, row.n, row.empty, row.support_left, row.support, figures)


def _figure(label: str, row: Row, measure: Measure) -> Figure:
    from app.agreement.output.charts import in_words

    if measure.key not in row.scores:
        return unmeasured(f"{label}, {measure.name}")
    score, interval = row.scores[measure.key], row.intervals[measure.key]
    low, high = interval or (None, None)
    return Figure(
        text=measure.text(score),
        sentence=in_words(f"{label}, {measure.name}", row, measure),
        share=None if score is None else score / measure.top,
        low=None if low is None else low / measure.top,
        high=None if high is None else high / measure.top,
        error=measure.error,
    )


def pair_figure(pair: PairScores) -> Figure:
    """The leading score of a pair, from its left's side."""
    from app.agreement.compare import pair_measures

    measure = pair_measures(pair.profile)[0]
    score = pair.score(measure.key)
    words = measure.text(score) if score is not None else f"undefined. {pair.reason(measure.key)}"
    reports = counted(pair.documents, "report")
    sentence = f"{pair.left} (left) with {pair.right} (right): {measure.name} {words} ({reports})."
    text = f"{measure.text(score)} ({pair.documents})"
    return Figure(text, sentence, None if score is None else score / measure.top)


def share_lines(
    shares: Sequence[AnnotatedShares], categories: Sequence[Category]
) -> tuple[tuple[str, tuple[Figure, ...]], ...]:
    """What each annotator marked: a category a line, the mean words of a report last."""
    lines = [(category.name, tuple(_share(one, category) for one in shares)) for category in categories]
    words = tuple(
        Figure(
            "–" if one.words is None else f"{one.words:.0f}",
            f"{one.name}: no report annotated."
            if one.words is None
            else f"{one.name}: {one.words:.1f} annotated words per report, {counted(one.reports, 'report')}.",
        )
        for one in shares
    )
    return (*lines, ("Words per report", words)) if shares else ()


def _share(one: AnnotatedShares, category: Category) -> Figure:
    found = one.categories[category.id]
    if found.share is None:
        return Figure("–", f"{one.name} annotated no report for {category.name}.")
    words = "" if found.words is None else f", on average with {found.words:.0f} annotated words"
    return Figure(
        f"{found.found} / {found.looked_at}   {found.share:.1f} %",
        f"{one.name} annotated {category.name} in {found.found} of "
        f"{counted(found.looked_at, 'report')}{words}.",
        found.share / 100,
    )


def list_drilled_reports(view: AgreementView, measure: str, category: str, sides: SideSets) -> Evidence:
    """The reports behind a number of the table, worst first; "" as `category` for all together."""
    from app.agreement.compare import drill_down
    from app.agreement.measures import BY_KEY

    agreement, known = view.agreement, BY_KEY[measure]
    names = {one.id: one.name for one in sides.categories}
    cells = grouped(
        (cell.key, QuoteBlock(names.get(cell.category, cell.category), cell.left, cell.right))
        for cell in agreement.cells
        if cell.category == category or (not category and not cell.empty)
    )
    rows = tuple(
        EvidenceRow(one.key, one.title, one.text, one.left, one.right, tuple(cells.get(one.key, ())))
        for one in drill_down(agreement, measure, category)
    )
    where = names.get(category, category) if category else "All categories"
    order = "highest first" if known.error else "lowest first"
    sentence = f"{where}: {known.name} of {counted(len(rows), 'report')}, {order}."
    return Evidence(agreement.left, agreement.right, sentence, "Score", category, rows)


def list_confused(view: AgreementView, row: int, column: int) -> Evidence:
    """The reports behind one place of the heat map, those with most quotes first."""
    from app.agreement.compare import confused

    agreement = view.agreement
    found = grouped((one.key, one) for one in confused(agreement, view.ids[row], view.ids[column]))
    rows = [
        EvidenceRow(
            key,
            places[0].title,
            str(len(places)),
            sum(one.left is not None for one in places),
            sum(one.right is not None for one in places),
            tuple(
                QuoteBlock(
                    f"{number} of {len(places)}",
                    () if one.left is None else (one.left,),
                    () if one.right is None else (one.right,),
                )
                for number, one in enumerate(places, 1)
            ),
        )
        for key, places in found.items()
    ]
    rows.sort(key=lambda one: -int(one.value))
    sentence = next(cell.sentence for cell in view.heat.cells if (cell.row, cell.column) == (row, column))
    category = view.ids[row if row < len(view.ids) - 1 else column]
    return Evidence(agreement.left, agreement.right, sentence, "Quotes", category, tuple(rows))
