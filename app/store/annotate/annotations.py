"""Quotes by category: checked against the text when saved and when read, in the order they were given."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from sys import intern
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app.store.act import Act
from app.store.annotate.concepts import Coding, add_codings, span_codings
from app.store.faults import damaged, sound
from app.store.reports.documents import keyed_texts, texts
from app.store.values import Cell, canonical, matching, new_uuid
from app.store.values import Origin as Origin
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import PLACED, POLARITIES, Finding, Grounding

if TYPE_CHECKING:
    from app.store.project import Project

Layer: TypeAlias = Literal["category", "phenotype"]
Place: TypeAlias = tuple[int, int]
# The field, in the layer of phenotypes, of what is said of a relative, which enters no profile.
RELATIVE = "relative"
_same: Callable[[Any], Any] = intern
# Code points kept on each side of a span, enough to find it again in another edition of the text.
CONTEXT = 32
# What an annotation is made of, in the order of its fields and of its finding's.
_COLUMNS = (
    *("uuid", "document", "annotator"),
    *("category", "quote", "span_start", "span_end", "field", "polarity", "grounding", "reason"),
    *("surface", "origin", "rank", "note", "score", "places", "candidate", "created_at", "source", "layer"),
)
_SELECTED = ", ".join(f"a.{column}" for column in _COLUMNS)
# The first of them, up to the surface, and what else comparing takes; the rank stands where it stands above.
_QUOTED = ", ".join(f"a.{column}" for column in (*_COLUMNS[:12], "places", "rank"))
_RANKED = "a.annotator, a.category, a.rank"
# Those of two copies may have the same rank: what they say decides, not which came first.
_SAID = "ifnull(a.span_start, 0), ifnull(a.span_end, 0), a.quote, a.polarity, a.note, a.created_at, a.uuid"


@dataclass(frozen=True, slots=True)
class Annotation:
    """One quote of one annotator in one report.

    `document` and `annotator` are UUIDs. `surface` is the text at the span, which for a normalised or fuzzy
    place differs from `finding.quote`; None without a place. `rank` counts from 0 within document, annotator
    and category. `score`, `places` and `candidate` are those of the grounding, where one was given. `source`
    says what a gold span was made of, or what a model called a term that there is not, as JSON; it is "" for
    others. `concepts` are what it stands for; in the layer of phenotypes it has one of them, and no category.
    """

    uuid: str
    document: str
    annotator: str
    finding: Finding
    surface: str | None
    origin: Origin
    rank: int
    note: str
    score: float | None
    places: tuple[Place, ...]
    candidate: Place | None
    created_at: str
    source: str = ""
    layer: Layer = "category"
    concepts: tuple[Coding, ...] = ()


def add_annotations(
    act: Act,
    document: str,
    annotator: str,
    findings: Sequence[Finding],
    origin: Origin,
    *,
    groundings: Sequence[Grounding | None] = (),
    notes: Sequence[str] = (),
    uuids: Sequence[str] = (),
    sources: Sequence[str] = (),
    concepts: Sequence[tuple[Coding, ...]] = (),
    layer: Layer = "category",
) -> list[Annotation]:
    """Store findings of one annotator in one document (UUIDs), ranked in the order given after those there.

    What is given of `groundings`, `notes`, `uuids` (new by default), `sources` and `concepts` is one each.
    Raises UnknownNameError for a category that the scheme lacks or an unknown document, ProjectError where a
    finding does not stand where it says, DamagedProjectError where the text is not what was imported.
    """
    for companions in (groundings, notes, uuids, sources, concepts):
        if companions and len(companions) != len(findings):
            raise ValueError("what is given beside the findings goes with them one to one")
    text = _text_of(act, document)
    ranks = _next_ranks(act, document, annotator)
    for category in {one.category for one in findings} if layer == "category" else ():
        act.project.scheme.category(category)
    added: list[Annotation] = []
    rows: list[Mapping[str, Cell]] = []
    for number, (finding, grounding, note, uuid, source) in enumerate(
        zip_longest(findings, groundings or [None] * len(findings), notes, uuids, sources)
    ):
        _require_sound(finding, text)
        rank = ranks.get(finding.category, 0)
        ranks[finding.category] = rank + 1
        annotation = Annotation(
            uuid=uuid or new_uuid(),
            document=document,
            annotator=annotator,
            finding=finding,
            surface=None if finding.start is None else text[finding.start : finding.end],
            origin=origin,
            rank=rank,
            note=note or "",
            score=None if grounding is None else float(grounding.score),
            places=() if grounding is None else grounding.places,
            candidate=None if grounding is None else grounding.candidate,
            created_at=act.at,
            source=source or "",
            layer=layer,
            concepts=concepts[number] if concepts else (),
        )
        added.append(annotation)
        rows.append(_row(annotation, text))
    act.insert_all("annotation", rows)
    add_codings(act, document, [(one.uuid, coding) for one in added for coding in one.concepts])
    return added


def edit_annotation(
    act: Act,
    uuid: str,
    *,
    finding: Finding | None = None,
    note: str | None = None,
    origin: Origin | None = None,
) -> Annotation:
    """Set what is given of an annotation (UUID) and leave the rest as it was; returns it as it is then.

    With another finding the source is gone, with another quote or place score, places and candidate as well;
    in another category it comes last. Raises UnknownNameError where there is no such annotation or category,
    ProjectError where the finding does not stand where it says.
    """
    row = act.rows("annotation", [uuid])[0]
    text = _text_of(act, str(row["document"]))
    coded = span_codings(act.project, annotation=uuid)
    cells = [row[column] for column in _COLUMNS]
    before = _annotation(act.project, cells, (str(row["document"]), text), coded)
    after = before if finding is None else _stored_with(act, before, finding, text)
    if after.finding != before.finding:
        after = replace(after, source="")
    after = replace(
        after, note=before.note if note is None else note, origin=before.origin if origin is None else origin
    )
    act.update("annotation", uuid, _row(after, text))
    return after


def remove_annotations(act: Act, uuids: Sequence[str]) -> None:
    """Remove annotations (UUIDs); raises UnknownNameError where one of them does not exist."""
    if uuids:
        act.delete_of("concept", uuids)
        act.delete_of("carried", uuids)
        act.delete_all("annotation", uuids)


def find_annotations(project: Project, uuids: Sequence[str]) -> list[Annotation]:
    """The annotations of those UUIDs, in that order, each span checked against its text.

    Raises UnknownNameError where one does not exist, DamagedProjectError as `read_annotations`.
    """
    found: list[Annotation] = []
    reports: dict[str, tuple[str, str]] = {}
    with project.snapshot():
        for uuid in uuids:
            rows = project.tuples(f"SELECT {_SELECTED} FROM annotation a WHERE a.uuid = ?", [uuid])
            if not rows:
                raise UnknownNameError(f"There is no annotation {uuid} in {project.path}.")
            document = rows[0][1]
            if document not in reports:
                reports |= keyed_texts(project, document)
            coded = span_codings(project, annotation=uuid)
            found.append(_annotation(project, rows[0], reports[document], coded))
    return found


def read_annotations(
    project: Project,
    document: str | None = None,
    annotator: str | Collection[str] | None = None,
    layer: Layer | None = "category",
) -> list[Annotation]:
    """Annotations of a layer (None: of all), a document, annotators (UUIDs), checked against the text.

    Sorted by document in import order, category in scheme order, rank; annotators are told apart within a
    rank. Raises DamagedProjectError where a text, span or record is not what was saved.
    """
    holders = [annotator] if isinstance(annotator, str) else annotator
    rows, reports, coded = _rows(project, _SELECTED, document, holders, layer)
    order = {category: number for number, category in enumerate(project.scheme.ids)}
    place = {report: number for number, report in enumerate(reports)}
    rows.sort(key=lambda row: (place[row[1]], order.get(row[3], len(order)), row[3], row[13], row[2]))
    return [_annotation(project, row, reports[row[1]], coded) for row in rows]


def read_quotes(
    project: Project, document: str, annotators: Collection[str] | None
) -> Iterator[tuple[str, str, Finding, tuple[Place, ...], tuple[Coding, ...]]]:
    """What `read_annotations` gives by annotator and category: whose, UUID, finding, places, concepts."""
    rows, reports, coded = _rows(project, _QUOTED, document, annotators, "category")
    # Most of what two have is the same, and is made and looked at once.
    made: dict[tuple[Any, ...], Finding] = {}
    for row in rows:
        if (finding := made.get(row[3:12])) is None:
            finding = made[row[3:12]] = _finding(project, row, *reports[document])
        places = () if row[12] == "[]" else _given(project, row[12], reports[document][0])
        yield row[2], row[0], finding, places, coded.get(row[0], ())


def _rows(
    project: Project,
    columns: str,
    document: str | None,
    holders: Collection[str] | None,
    layer: Layer | None,
) -> tuple[list[tuple[Any, ...]], dict[str, tuple[str, str]], dict[str, tuple[Coding, ...]]]:
    """Rows of these columns; their reports' keys and texts, in import order; what rows stand for."""
    where, given = matching(layer=layer, document=document)
    if holders is not None:
        where += " AND a.annotator IN (SELECT value FROM json_each(?))"
        given.append(canonical(list(holders)))
    query = f"SELECT {columns} FROM annotation a WHERE {where} ORDER BY "
    with project.snapshot():
        # An index has those of a report by rank, which few share: to sort them takes a quarter of the time.
        rows = project.tuples(query + _RANKED, given) if document else []
        if document is None or len({(row[2], row[3], row[13]) for row in rows}) < len(rows):
            rows = project.tuples(f"{query}{_RANKED}, {_SAID}", given)
        reports = keyed_texts(project, document) if rows else {}
        coded = span_codings(project, document) if rows else {}
        lost = next((row[1] for row in rows if row[1] not in reports), None)
        if lost is not None:
            keys = project.tuples("SELECT key FROM document WHERE uuid = ?", [lost])
            raise damaged(project.path, f"the text of {keys[0][0] if keys else lost} is missing")
    return rows, reports, coded


def delete_annotations(
    act: Act, document: str, annotator: str, category: str | None = None, layer: Layer = "category"
) -> int:
    """Remove what one annotator has in one layer of one document (UUIDs), or in one category of it.

    Returns how many annotations that were. Raises what `Project.query` raises; what is not there is no error.
    """
    where, given = matching(document=document, annotator=annotator, category=category, layer=layer)
    rows = act.project.query(f"SELECT uuid FROM annotation WHERE {where} ORDER BY category, rank", given)
    remove_annotations(act, [row["uuid"] for row in rows])
    return len(rows)


def context(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands left and right of a span, as stored with it."""
    return text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]


def _text_of(act: Act, document: str) -> str:
    text = texts(act.project, document).get(document)
    if text is None:
        raise UnknownNameError(f"There is no document {document} in {act.project.path}.")
    return text


def with_finding(before: Annotation, finding: Finding, text: str) -> Annotation:
    """The annotation with another finding; what was known of the old place goes where the place does."""
    after = replace(
        before, finding=finding, surface=None if finding.start is None else text[finding.start : finding.end]
    )
    old = before.finding
    if (finding.quote, finding.start, finding.end) != (old.quote, old.start, old.end):
        after = replace(after, score=None, places=(), candidate=None)
    return after


def _stored_with(act: Act, before: Annotation, finding: Finding, text: str) -> Annotation:
    """The annotation with another finding, as it can be stored; in a new category it comes last."""
    if before.layer == "category":
        act.project.scheme.category(finding.category)
    _require_sound(finding, text)
    after = with_finding(before, finding, text)
    if finding.category != before.finding.category:
        ranks = _next_ranks(act, before.document, before.annotator)
        after = replace(after, rank=ranks.get(finding.category, 0))
    return after


def _next_ranks(act: Act, document: str, annotator: str) -> dict[str, int]:
    rows = act.project.query(
        "SELECT category, max(rank) + 1 AS next FROM annotation WHERE document = ? AND annotator = ? "
        "GROUP BY category",
        [document, annotator],
    )
    return {row["category"]: row["next"] for row in rows}


def _require_sound(finding: Finding, text: str) -> None:
    """Refuse a finding whose place, status and quote contradict each other or the text."""
    fault = _fault(finding, text)
    if fault:
        raise ProjectError(
            f"The quote {finding.quote[:60]!r} ({finding.category}) cannot be stored: {fault}; "
            "ground it again."
        )


def _fault(finding: Finding, text: str) -> str:
    if finding.polarity not in POLARITIES:
        return f"{finding.polarity!r} is no polarity"
    if finding.start is None or finding.end is None:
        contradicts = finding.start is not finding.end or finding.grounding in PLACED
        return f"it is {finding.grounding} but has no place" if contradicts else ""
    if finding.grounding not in PLACED:
        return f"it is {finding.grounding} but has a place"
    if not 0 <= finding.start < finding.end <= len(text):
        return f"its place {finding.start}-{finding.end} is outside the text of {len(text)} characters"
    if finding.grounding == "exact" and text[finding.start : finding.end] != finding.quote:
        return f"the text says {text[finding.start : finding.end][:60]!r} at its place"
    return ""


def _row(annotation: Annotation, text: str) -> dict[str, Cell]:
    finding = annotation.finding
    left, right = None, None
    if finding.start is not None and finding.end is not None:
        left, right = context(text, finding.start, finding.end)
    return {
        "uuid": annotation.uuid,
        "document": annotation.document,
        "annotator": annotation.annotator,
        "category": finding.category,
        "rank": annotation.rank,
        "field": finding.field,
        "quote": finding.quote,
        "span_start": finding.start,
        "span_end": finding.end,
        "surface": annotation.surface,
        "context_left": left,
        "context_right": right,
        "polarity": finding.polarity,
        "origin": annotation.origin,
        "grounding": finding.grounding,
        "reason": finding.reason,
        "score": annotation.score,
        "places": canonical(annotation.places) if annotation.places else "[]",
        "candidate": canonical([annotation.candidate]) if annotation.candidate else "[]",
        "note": annotation.note,
        "created_at": annotation.created_at,
        "source": annotation.source,
        "layer": annotation.layer,
    }


def _annotation(
    project: Project, cells: Sequence[Any], report: tuple[str, str], coded: Mapping[str, tuple[Coding, ...]]
) -> Annotation:
    """Of the cells of _COLUMNS, and the report's key and text."""
    (uuid, document, annotator), (key, text) = cells[:3], report
    surface, origin, rank, note, score, places, candidate, created_at, source, layer = cells[11:]
    chosen = next(iter(_given(project, candidate, key)), None)
    return Annotation(
        *(uuid, document, annotator, _finding(project, cells, key, text), surface, origin, rank),
        *(note, score, _given(project, places, key), chosen, created_at, source, layer),
        concepts=coded.get(uuid, ()),
    )


def _finding(project: Project, cells: Sequence[Any], key: str, text: str) -> Finding:
    """Of the first twelve of the cells."""
    _, _, _, category, quote, start, end, field, polarity, grounding, reason, surface = cells[:12]
    if start is not None and text[start:end] != surface:
        raise damaged(project.path, f"an annotation of document {key} does not match its text")
    # SQLite gives each row words of its own, which a large project would hold a hundred thousand times.
    return Finding(_same(category), quote, start, end, field, _same(polarity), _same(grounding), reason)


def _given(project: Project, text: str, key: str) -> tuple[Place, ...]:
    """Places from their JSON, [[start, end], ...]."""
    if text == "[]":
        return ()
    with sound(project.path, f"an annotation of document {key}"):
        places = tuple((start, end) for start, end in json.loads(text))
        if not all(type(start) is type(end) is int for start, end in places):
            raise ValueError("a place is not two numbers")
    return places
