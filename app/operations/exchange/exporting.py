"""Write an annotator's work to a file for others."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app.formats import WRITE_FORMATS, format_of, writing
from app.formats.record import ExportedAnnotation, ExportedTerm, ReportExport, Whole
from app.messages import licences_in, under_licence
from app.operations.annotate.regions import Region, list_regions, region_records
from app.operations.compare.annotation_sets import annotations_by_report, read_side_sets
from app.operations.exchange.certifying import certifying, describe_read_back
from app.operations.exchange.labels import span_of
from app.operations.project.caveats import caveats
from app.operations.project.opening import opened
from app.operations.project.output import require_writable_name
from app.operations.reconcile.gold import GoldSummary, comparing_gold, gold_caveats
from app.store.annotate.annotators import annotator, annotators
from app.store.annotate.carried import read_carried
from app.store.annotate.reviews import reviews
from app.store.reconcile.decisions import undecided_cells
from app.store.reports.documents import DocumentSummary, document, document_summaries
from app.store.study.items import guards
from app.text import counted
from extractors.grouping import grouped
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import PLACED
from extractors.model.progress import Progress, at_once, stage

if TYPE_CHECKING:
    from app.operations.profile.profile import Profile
    from app.store.annotate.annotations import Annotation
    from app.store.project import Project
    from extractors.model.document import Document

T = TypeVar("T")
# Reading, comparing a gold set with its sides, writing, reading what was written.
_STAGES = 4
# What has a card that says how far people agree.
_DATA_SET = "hf"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which reports are written (keys; all for none), and how a data set is divided (`Whole` says how)."""

    documents: tuple[str, ...] = ()
    seed: int = 0
    splits: tuple[int, ...] = (80, 10, 10)


ALL = Selection()


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What was written and what was not.

    `not_looked_at` reports were left out, `unplaced` annotations have no place in their text, and `notes` say
    what the format cannot carry and what must be known of the annotator. `undecided` differences left nothing
    in a gold set that was built here; None for others. `what` was counted: annotations, or terms of profiles;
    `checked` says who read it back, where all is the same.
    """

    out: Path
    reports: int
    not_looked_at: int
    annotations: int
    unplaced: int
    notes: tuple[str, ...]
    undecided: int | None = None
    what: str = "annotation"
    checked: str = ""


def exporting_annotations(
    where: Project | Path, out: Path, file_format: str, annotator: str, selection: Selection = ALL
) -> Generator[Progress, None, ExportSummary]:
    """Write one annotator's annotations of the reports to `out`; a report not looked at is not written.

    Given up, it leaves `out` as it was. Raises UnknownNameError for an annotator, report or format that is
    not there, StorageError where `out` is refused, ProjectError where a database stands there, and where an
    act is begun meanwhile: what it writes may yet be taken back.
    """
    if file_format not in WRITE_FORMATS or not format_of(file_format).folder:
        require_writable_name(out)
    if file_format in WRITE_FORMATS and format_of(file_format).profile:
        return (yield from _exporting_profiles(where, out, file_format, annotator, selection))
    with opened(where) as project:
        agreement = _agreement(project) if file_format == _DATA_SET else ()
        reports = yield from _settled(
            project, stage(_exports(project, annotator, selection, agreement), 0, _STAGES)
        )
        not_looked_at = len(_chosen(project, selection)) - len(reports)
        warnings = caveats(project, annotator)
        gold, trouble = yield from _settled(project, stage(_gold(project, annotator), 1, _STAGES))
        held = guards(project)
        scheme = project.scheme
    warnings = (*warnings, *trouble, *(under_licence(name) for name in held))
    if gold is not None:
        warnings = (*warnings, *gold_caveats(gold), *_behind(gold))
    losses = yield from stage(writing(out, file_format, reports), 2, _STAGES)
    certificate = certifying(out, file_format, reports, scheme, annotator, (*warnings, *losses))
    read = yield from stage(certificate, 3, _STAGES)
    notes = (*warnings, *losses, *describe_read_back(read))
    placed = [one.finding.grounding in PLACED for report in reports for one in report.annotations]
    undecided = None if gold is None else gold.undecided
    number = counted(read.kept, "annotation")
    checked = f"Read back by {read.by}: {number} the same; the certificate is beside it." if read.same else ""
    counts = (len(reports), not_looked_at, len(placed), placed.count(False))
    return ExportSummary(out, *counts, notes, undecided, checked=checked)


export_annotations = at_once(exporting_annotations)


def printing_report(
    where: Project | Path, key: str, annotator: str
) -> Generator[Progress, None, tuple[str, bytes]]:
    """One report with an annotator's spans, or bare without any, to be printed: its title, and a PDF.

    Raises UnknownNameError for a report that is not there.
    """
    with opened(where) as project:
        stored = document(project, key)
        try:
            reports = yield from _exports(project, annotator, Selection((key,)))
        except UnknownNameError:
            # Nobody of that name has done anything yet.
            reports = []
        bare = ReportExport(stored.document, stored.key, (), (), whole=Whole(project.scheme))
    write = format_of("pdf").write
    pages = write(reports or [bare]) if write else iter(())
    return stored.document.title, b"".join(page for page in pages if isinstance(page, bytes))


def expecting_losses(
    where: Project | Path, file_format: str, annotator: str, selection: Selection
) -> Generator[Progress, None, list[str]]:
    """What a format has no place for, before anything is written.

    Raises UnknownNameError for an annotator, report or format that is not there.
    """
    known = format_of(file_format)
    reports: Sequence[ReportExport]
    with opened(where) as project:
        if known.profile:
            reports, _ = yield from _settled(project, _profiles(project, annotator, selection))
        else:
            reports = yield from _settled(project, _exports(project, annotator, selection))
    return list(known.losses(reports))


def _exporting_profiles(
    where: Project | Path, out: Path, file_format: str, annotator: str, selection: Selection
) -> Generator[Progress, None, ExportSummary]:
    """The terms of every report in which somebody has some."""
    from app.operations.profile.differential import coder_of

    with opened(where) as project:
        reports, silent = yield from _settled(project, stage(_profiles(project, annotator, selection), 0, 3))
        warnings = (
            *caveats(project, coder_of(project, annotator).name),
            *(under_licence(name) for name in guards(project)),
        )
        scheme = project.scheme
    losses = yield from stage(writing(out, file_format, reports), 1, 3)
    certificate = certifying(out, file_format, reports, scheme, annotator, (*warnings, *losses))
    notes = (*warnings, *losses, *describe_read_back((yield from stage(certificate, 2, 3))))
    terms = sum(len(report.profile) for report in reports)
    return ExportSummary(out, len(reports), silent, terms, 0, notes, what="term")


def _settled(project: Project, steps: Generator[Progress, None, T]) -> Generator[Progress, None, T]:
    """Steps that read only what is there to stay."""
    while True:
        if project.acting:
            raise ProjectError("An import or other long work is still at work; export when it has ended.")
        try:
            step = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        yield step


def _gold(
    project: Project, annotator: str
) -> Generator[Progress, None, tuple[GoldSummary | None, tuple[str, ...]]]:
    """How a set that was built stands to its sides; where they can no longer be compared, why."""
    try:
        summary = yield from comparing_gold(project, annotator)
        return summary, ()
    except ProjectError as error:
        return None, (f"It is not known how much of {annotator} is undecided: {error}",)


def _behind(gold: GoldSummary) -> list[str]:
    if not (gold.added or gold.removed or gold.restated):
        return []
    return [
        f"{gold.name} no longer follows from its sides and the decisions ({gold.added:,} quotes would come, "
        f"{gold.removed:,} go; other categories are complete in {counted(gold.restated, 'report')}): "
        "build it anew."
    ]


def _agreement(project: Project) -> tuple[tuple[str, str, str], ...]:
    """How far people agree, each pair of them that has a report in common, by one-to-one matching."""
    from app.agreement.compare import pair_measures

    busy = {review.annotator for review in reviews(project) if review.looked_at}
    people = [one.name for one in annotators(project) if one.kind == "person" and one.uuid in busy]
    sides = read_side_sets(project, people)
    measures = pair_measures("strict")
    found = []
    for left, right in combinations(people, 2):
        if sides.have_common(left, right):
            scores = sides.compared(left, right, "strict")
            between = f"{left} and {right}, {counted(scores.documents, 'report')}"
            found += [(one.name, between, one.text(scores.score(one.key))) for one in measures]
    return tuple(found)


def _chosen(project: Project, selection: Selection) -> list[DocumentSummary]:
    """The reports that are meant."""
    wanted = {document(project, key).uuid for key in selection.documents}
    return [one for one in document_summaries(project) if not wanted or one.uuid in wanted]


def _exports(
    project: Project, name: str, selection: Selection, agreement: tuple[tuple[str, str, str], ...] = ()
) -> Generator[Progress, None, Sequence[ReportExport]]:
    """What one annotator has on each report, by category in scheme order and rank.

    A category in which a gold set is not complete does not count as looked at, though it may have quotes.
    """
    from app.operations.exchange.packing import PackedReports
    from app.store.annotate.anchors import anchors

    holder = annotator(project, name).uuid
    incomplete = undecided_cells(project)
    known = {one.uuid: one for one in _chosen(project, selection)}
    whole = Whole(project.scheme, agreement, selection.seed, selection.splits)
    held = guards(project)
    carried = grouped((one.document, one) for one in read_carried(project, holder))
    boxes = grouped((box.document, box) for box in list_regions(project, name))
    about = {uuid: one for uuid, one in anchors(project).items() if one.state == "confirmed"}
    exports = PackedReports(whole)
    for step, uuid, sets in annotations_by_report(project, (holder,), undecided=True):
        report = known.get(uuid)
        if report is not None and (holder in sets or uuid in carried or uuid in boxes):
            meant = about.get(report.uuid)
            details = meant.details if meant else {}
            found, along = sets.get(holder, {}), carried.get(report.uuid, ())
            annotations = [one for given in found.values() for one in given]
            spans = {one.annotation: span_of(one) for one in along if one.label}
            exports.append(
                ReportExport(
                    _marked(document(project, report.uuid).document, held),
                    report.key,
                    tuple(
                        ExportedAnnotation(
                            *(one.finding, one.origin, name, one.source, one.concepts, one.note),
                            span=spans.get(one.uuid),
                        )
                        for one in annotations
                    ),
                    tuple(one for one in found if (report.uuid, holder, one) not in incomplete),
                    tuple(span_of(one) for one in along if one.label and one.annotation is None),
                    {key: value for one in along if not one.label for key, value in one.value.items()},
                    name,
                    concepts=() if meant is None else (meant.coding,),
                    aliases=tuple(details.get("added", ())),
                    cut=details.get("cut", 0),
                    regions=_boxed(project, boxes.get(report.uuid, ()), name, annotations),
                )
            )
        yield step
    return exports


def _boxed(
    project: Project, boxes: Sequence[Region], name: str, annotations: Sequence[Annotation]
) -> tuple[dict[str, Any], ...]:
    """The regions of a report, each with the position of its span among the annotations, or null.

    Copies that were marked alike have others' UUIDs, so that these stay here.
    """
    places = {one.uuid: place for place, one in enumerate(annotations)}
    if not boxes:
        return ()
    found = ({**one, "span": places.get(one["span"])} for one in region_records(project, boxes, name))
    return tuple({name: one[name] for name in one if name != "id"} for one in found)


def _profiles(
    project: Project, name: str, selection: Selection
) -> Generator[Progress, None, tuple[list[ReportExport], int]]:
    """The reports in which somebody has terms, with those of the profile, and how many have none."""
    from app.operations.profile.differential import coder_of
    from app.operations.profile.profile import profile_of

    holder = coder_of(project, name)
    exports, known = [], [document(project, one.uuid) for one in _chosen(project, selection)]
    held = guards(project)
    for done, report in enumerate(known, start=1):
        profile = _terms(profile_of(project, report.uuid, holder.name))
        if profile:
            exports.append(ReportExport(_marked(report.document, held), report.key, (), (), profile=profile))
        yield Progress(done, len(known), "reports read")
    return exports, len(known) - len(exports)


def _marked(document: Document, licences: Sequence[str]) -> Document:
    """The report with the licences that guard the project, for formats that tell of reports."""
    own = document.metadata.get("licence", "")
    new = [under_licence(one) for one in licences if one not in licences_in(own)]
    if not new:
        return document
    return replace(document, metadata={**document.metadata, "licence": " ".join(filter(None, [own, *new]))})


def _terms(profile: Profile) -> tuple[ExportedTerm, ...]:
    """What is present and denied; what is uncertain is part of no profile elsewhere."""
    return tuple(
        ExportedTerm(
            term.coding.terminology,
            term.coding.release,
            term.coding.code,
            term.coding.label,
            term.polarity == "negated",
            tuple(ExportedAnnotation(one.finding, one.origin, profile.annotator) for one in term.spans),
            term.coding.onset,
        )
        for term in profile.terms
        if term.polarity != "uncertain"
    )


def describe_export(summary: ExportSummary, annotator: str) -> list[str]:
    """What was written of an annotator (name), then what was not and what must be known of it."""
    annotations, reports = counted(summary.annotations, summary.what), counted(summary.reports, "report")
    parts = [f"{annotations} of {reports} written to {summary.out}."]
    if summary.unplaced:
        parts.append(
            f"{summary.unplaced} of them have no place in their report; they are written without one"
        )
    if summary.not_looked_at:
        left = counted(summary.not_looked_at, "report")
        reason = "not annotated them" if summary.what == "annotation" else "no terms of a profile there"
        parts.append(f"{left} not written: {annotator} has {reason}")
    return [*parts, *summary.notes]
