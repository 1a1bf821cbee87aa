"""Rank the rare diseases that explain a report, by the profile made of it; as JSON, a table and a page."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.profile.profile import TERMINOLOGY, Profile, profile_of
from app.operations.project.caveats import caveats
from app.operations.project.opening import opened
from app.operations.project.output import write_file
from app.store.annotate.annotators import Annotator, coders
from app.store.reports.documents import StoredDocument, document
from app.store.reports.documents import documents as all_documents
from app.tables import Column, Table, csv_text, render
from app.text import counted, one_line
from extractors.differential.ranking import Contribution, Options, Ranked, Ranking, shipped_ranker
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
    left_out_in_words,
    order_in_words,
    parting_in_words,
    ranking_as_json,
    releases_in_words,
)
from extractors.evidence.published import pubmed_ids
from extractors.model.errors import CallError, CasespanError, UnknownNameError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.differential.index import Diseases

NO_TERMS = "No report has terms yet; find some by casespan phenotypes PROJECT --with rules."


@dataclass(frozen=True, slots=True)
class ReportRanking:
    """The diseases that explain a report (key, title) by an annotator's terms in it; `publications` are the
    PubMed ids of the report itself, whose rows do not count unless they are to be kept."""

    report: str
    title: str
    profile: Profile
    publications: tuple[int, ...]
    ranking: Ranking


@dataclass(frozen=True, slots=True)
class Differential:
    """The rankings of reports by one annotator (name); `suggested` where nobody has accepted the terms.

    `caveats` must be said of the annotator.
    """

    annotator: str
    suggested: bool
    diseases: Diseases
    options: Options
    reports: tuple[ReportRanking, ...]
    caveats: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be known of all of them, in sentences."""
        parts = [*self.caveats]
        if self.suggested:
            parts.append(f"By the terms of {self.annotator}: suggestions that nobody has accepted yet.")
        nameless = sum(not one.publications for one in self.reports)
        if self.options.leave_out and nameless:
            who = "names" if nameless == 1 else "name"
            parts.append(
                f"{counted(nameless, 'report')} {who} no PubMed id, so that annotations made from them could "
                "not be left out."
            )
        return tuple(parts)


def rank_reports(
    where: Project | Path,
    annotator: str | None = None,
    documents: Sequence[str] = (),
    options: Options | None = None,
) -> Generator[Progress, None, Differential]:
    """Rank all diseases for reports (all with terms, or those of the given keys).

    Without `annotator`, by the terms of the project's person, or else of whoever alone has some. Raises
    UnknownNameError for an annotator or report that is not there, CallError where several have terms,
    CasespanError where nobody has.
    """
    options = options or Options()
    with opened(where) as project:
        holder = coder_of(project, annotator)
        reports = [document(project, key) for key in documents] or all_documents(project)
        yield Progress(0, len(reports), "reading the diseases")
        ranker = shipped_ranker()
        warnings = caveats(project, holder.name)
        found = []
        for done, report in enumerate(reports, start=1):
            profile = profile_of(project, report.uuid, holder.name)
            if documents or profile.terms:
                own = publications_of(report)
                ranking = ranker.rank(profile.present, profile.excluded, own, options)
                found.append(ReportRanking(report.key, report.document.title, profile, own, ranking))
            yield Progress(done, len(reports), report.key)
    suggested = holder.kind == "run"
    return Differential(holder.name, suggested, ranker.diseases, options, tuple(found), warnings)


@dataclass(frozen=True, slots=True)
class OpenDifferential:
    """A report's profile by somebody, and the diseases that explain it: what the window shows of a report.

    `organs` has the organ of each code in words; `reasons` are in the order of the ranking; `found` says
    whether anybody or anything has terms in the project. `diagnosis` is what a person said that the report is
    about ("" for nothing), `rank` where all diseases have it.
    """

    profile: Profile
    organs: Mapping[str, str]
    publications: tuple[int, ...]
    options: Options
    diseases: Diseases
    ranking: Ranking
    reasons: tuple[Explanation, ...]
    fits: bool
    found: bool
    diagnosis: str = ""
    rank: int | None = None


def read_differential(project: Project, key: str, annotator: str, options: Options) -> OpenDifferential:
    """What is known of a report (key) by an annotator (name); raises UnknownNameError."""
    from app.store.annotate.anchors import anchors
    from extractors.phenotypes.organs import organ_of

    profile = profile_of(project, key, annotator)
    ranker = shipped_ranker()
    report = document(project, key)
    own = publications_of(report)
    ranking = ranker.rank(profile.present, profile.excluded, own, options)
    codings = [one.coding for one in (*profile.terms, *profile.relatives)]
    codings += [one.coding for one in profile.suggestions]
    diseases = ranker.diseases
    anchor = anchors(project, report.uuid).get(report.uuid)
    known = anchor.coding if anchor is not None and anchor.state == "confirmed" else None
    number = diseases.numbers.get(known.code) if known is not None else None
    reasons = tuple(explain(diseases, ranking))
    order = ranking.order() if number is not None else []
    return OpenDifferential(
        profile,
        {one.code: organ_of(diseases.terminology, one.code) for one in codings},
        own,
        options,
        diseases,
        ranking,
        reasons,
        fits(reasons),
        bool(profile.terms or profile.suggestions or coders(project, TERMINOLOGY)),
        known.label if known is not None else "",
        order.index(number) + 1 if number in order else None,
    )


def prepare_ranking(codes: Sequence[str]) -> None:
    """Rank by these codes for nobody, so that the next ranking finds its index read."""
    ranker = shipped_ranker()
    explain(ranker.diseases, ranker.rank(codes))


def publications_of(report: StoredDocument) -> tuple[int, ...]:
    """The PubMed ids of the report itself; none where it does not say."""
    return pubmed_ids([report.document.identifiers.get("pmid", "").strip()])


def coder_of(project: Project, name: str | None) -> Annotator:
    """Whose terms are meant; raises as `rank_reports` does."""
    known = coders(project, TERMINOLOGY)
    if not known:
        raise CasespanError(NO_TERMS)
    names = ", ".join(one.name for one in known)
    wanted = name or (project.owner if any(one.name == project.owner for one in known) else None)
    if wanted is None and len(known) > 1:
        raise CallError(f"Several have terms here; say by --annotator whose are meant: {names}.")
    found = next((one for one in known if wanted in (None, one.name)), None)
    if found is None:
        raise UnknownNameError(f"{wanted} has no terms in this project; those who have: {names}.")
    return found


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
    write_file(out, csv_text(Table(_COLUMNS, rows), mark=True))


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
    write_file(out, page)


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
    label_of = diseases.terminology.label_of
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
        "present": [f"{label_of(code)} ({code})" for code in profile.present],
        "excluded": [f"{label_of(code)} ({code})" for code in profile.excluded],
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
    sentences = {"For": support, "Against": against, "Unexplained": unexplained}
    sentences[f"Look for, against {other}"] = look_for
    return [(title, words) for title, words in sentences.items() if words]


def _table(listed: Sequence[Ranked]) -> Table[object]:
    columns = (
        Column("Disease", kind="words"),
        Column("Codes", kind="words"),
        Column("Evidence", decimals=1, about="Sum of the findings' natural logarithms of likelihood ratios"),
        Column("Score", decimals=1, about="By which the list is ordered"),
    )
    rows = tuple((f"{one.rank}. {one.name}", ", ".join(one.codes), one.evidence, one.score) for one in listed)
    return Table(columns, rows, title="Diseases that explain it")
