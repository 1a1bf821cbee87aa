"""Numbers over many reports, without reading a text or a quote."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.store.values import matching

if TYPE_CHECKING:
    from app.store.project import Project


def count_annotations(project: Project) -> Counter[tuple[str, str]]:
    """The number of annotations by (document UUID, annotator UUID), without reading any.

    Raises what `Project.query` raises.
    """
    found = count_by_annotator(project)
    return Counter({(report, holder): n for report, own in found.items() for holder, n in own.items()})


def places_in(project: Project, document: str, annotator: str, category: str) -> list[tuple[int, int]]:
    """Where an annotator (UUID) has spans of one category in a document (UUID), without reading its text.

    Raises what `Project.query` raises.
    """
    rows = project.query(
        "SELECT span_start, span_end FROM annotation WHERE document = ? AND annotator = ? AND category = ? "
        "AND span_start IS NOT NULL",
        [document, annotator, category],
    )
    return [(row["span_start"], row["span_end"]) for row in rows]


def count_by_category(
    project: Project, annotator: str, document: str | None = None
) -> Mapping[str, Mapping[str, int]]:
    """How many annotations an annotator has by document and category (UUIDs, ids), in one document or all.

    Raises what `Project.query` raises.
    """
    return _count_by(project, "category", annotator=annotator, document=document)


def count_by_annotator(project: Project, document: str | None = None) -> Mapping[str, Mapping[str, int]]:
    """How many annotations there are by document and annotator (UUIDs), in one document or all.

    Raises what `Project.query` raises.
    """
    return _count_by(project, "annotator", document=document)


def notes_by_document(
    project: Project, annotator: str, document: str | None = None
) -> Mapping[str, tuple[str, ...]]:
    """The notes on an annotator's (UUID) annotations by document (UUID), in one document or all.

    Raises what `Project.query` raises.
    """
    where, parameters = matching(layer="category", annotator=annotator, document=document)
    rows = project.query(
        f"SELECT document, note FROM annotation WHERE {where} AND note <> '' "
        "ORDER BY document, span_start, category, rank",
        parameters,
    )
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        found[row["document"]] = (*found.get(row["document"], ()), row["note"])
    return found


def answered_cells(project: Project) -> Mapping[str, Mapping[str, set[str]]]:
    """The categories of which runs got any answer, by run and document (UUIDs); "" for all at once.

    Raises what `Project.query` raises.
    """
    rows = project.query(
        "SELECT DISTINCT run, subject, question FROM generation WHERE state NOT IN ('cancelled', 'divided')"
    )
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        found[row["run"]][row["subject"]].add(row["question"])
    return found


def _count_by(project: Project, column: str, **wanted: str | None) -> Mapping[str, Mapping[str, int]]:
    """How many annotations there are by document and that column."""
    where, parameters = matching(layer="category", **wanted)
    rows = project.query(
        f"SELECT document, {column}, count(*) AS number FROM annotation WHERE {where} "
        f"GROUP BY document, {column}",
        parameters,
    )
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        found[row["document"]][row[column]] = row["number"]
    return found
