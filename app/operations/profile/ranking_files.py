"""A differential as it is written: JSON, a table for statistics, a page for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.project.output import write_bytes
from app.tables import Column, Table, csv_text, render
from app.text import counted, one_line
from extractors.differential.report import (
    ADVICE,
    FREQUENCIES,
    NO_FINDING,
    NO_FIT,
    Explanation,
    codes_in_words,
    explain,
    finding_in_words,
    fits,
    knowledge_as_json,
    label_of,
    left_out_in_words,
    order_in_words,
    parting_in_words,
    ranking_as_json,
    releases_in_words,
)

if TYPE_CHECKING:
    from app.operations.profile.differential import Differential, ReportRanking
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Contribution, Ranked

_COLUMNS = (
    "report", "rank", "disease", "codes", "score", "evidence", "for", "against", "unexplained", "look_for",
    "left_out",
)  # fmt: skip


def differential_json(found: Differential, *, explained: bool) -> dict[str, Any]:
    """As `rank` gives it for cases, by the reports' keys."""
    return {
        "knowledge": knowledge_as_json(found.diseases),
        "annotator": found.annotator,
        "suggested": found.suggested,
        "notes": list(found.notes),
        "cases": [
            {
                "id": one.report,
                "title": one.title,
                "publications": [f"PMID:{number}" for number in one.publications],
                "present": list(one.profile.present),
                "excluded": list(one.profile.excluded),
                **ranking_as_json(found.diseases, one.ranking, explained=explained),
            }
            for one in found.reports
        ],
    }


def write_differential_csv(found: Differential, out: Path) -> None:
    """A row for each disease of each report. Raises ProjectError and StorageError where `out` is refused."""
    rows = tuple(row for one in found.reports for row in _rows(found.diseases, one))
    write_bytes(out, csv_text(Table(_COLUMNS, rows), mark=True).encode())


def write_differential_page(found: Differential, out: Path) -> None:
    """A self-contained page with reasons. Raises ProjectError and StorageError where `out` is refused."""
    page = render(
        "differential.html.j2",
        palette=(),
        advice=ADVICE,
        releases=f"{releases_in_words(found.diseases)}, {counted(len(found.diseases), 'disease')}",
        frequencies=FREQUENCIES,
        source=found.diseases.source,
        order=order_in_words(found.options),
        notes=found.notes,
        annotator=found.annotator,
        reports=[_shown(found, one) for one in found.reports],
        one_line=one_line,
    )
    write_bytes(out, page.encode())


def _rows(diseases: Diseases, one: ReportRanking) -> list[tuple[object, ...]]:
    return [
        (
            one.report,
            disease.rank,
            disease.name,
            " ".join(disease.codes),
            disease.score,
            disease.evidence,
            *_reason(diseases, reason),
            one.ranking.left_out,
        )
        for disease, reason in zip(one.ranking.diseases, explain(diseases, one.ranking), strict=True)
    ]


def _reason(diseases: Diseases, reason: Explanation) -> tuple[str, str, str, str]:
    """What speaks for it, what against, what it leaves unexplained, what to look for."""
    return (
        _joined(diseases, reason.support),
        _joined(diseases, reason.against),
        _joined(diseases, reason.unexplained),
        "; ".join(map(parting_in_words, reason.next)),
    )


def _joined(diseases: Diseases, findings: Sequence[Contribution]) -> str:
    return "; ".join(finding_in_words(diseases, one) for one in findings)


def _shown(found: Differential, one: ReportRanking) -> dict[str, object]:
    """One report for the page."""
    diseases, profile, ranking = found.diseases, one.profile, one.ranking
    reasons = explain(diseases, ranking)
    parts = [left_out_in_words(one.publications, ranking, found.options)] if one.publications else []
    parts += codes_in_words(ranking)
    if not ranking.diseases:
        parts.append(NO_FINDING)
    elif not fits(reasons):
        parts.append(NO_FIT)
    return {
        "title": one_line(one.title) or one.report,
        "report": one.report,
        "findings": f"{counted(len(profile.present), 'finding')}, {len(profile.excluded)} denied",
        "present": [f"{label_of(diseases, code)} ({code})" for code in profile.present],
        "excluded": [f"{label_of(diseases, code)} ({code})" for code in profile.excluded],
        "notes": parts,
        "table": _table(ranking.diseases) if ranking.diseases else None,
        "reasons": [
            (_named(disease), _sentences(diseases, ranking.diseases, place, reason))
            for place, (disease, reason) in enumerate(zip(ranking.diseases, reasons, strict=True))
        ],
    }


def _named(disease: Ranked) -> str:
    return f"{disease.rank}. {disease.name} ({', '.join(disease.codes)})"


def _sentences(
    diseases: Diseases, listed: Sequence[Ranked], place: int, reason: Explanation
) -> list[tuple[str, str]]:
    support, against, unexplained, look_for = _reason(diseases, reason)
    other = listed[0 if place else min(1, len(listed) - 1)].name
    sentences = [
        ("For", support),
        ("Against", against),
        ("Unexplained", unexplained),
        (f"Look for, against {other}", look_for),
    ]
    return [(title, words) for title, words in sentences if words]


def _table(listed: Sequence[Ranked]) -> Table[object]:
    columns = (
        Column("Disease", kind="words"),
        Column("Codes", kind="words"),
        Column("Evidence", decimals=1, about="Sum of the findings' natural logarithms of likelihood ratios"),
        Column("Score", decimals=1, about="By which the list is ordered"),
    )
    rows = tuple((f"{one.rank}. {one.name}", ", ".join(one.codes), one.evidence, one.score) for one in listed)
    return Table(columns, rows, title="Diseases that explain it")
