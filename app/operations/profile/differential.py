"""Rank the rare diseases that explain a report, by the profile that somebody has made of it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.profile.profile import TERMINOLOGY, Profile, profile_of
from app.operations.project.opening import opened
from app.text import counted
from extractors.differential.ranking import Options
from extractors.evidence.published import pubmed_ids
from extractors.model.errors import CallError, CasespanError, UnknownNameError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.annotate.annotators import Annotator
    from app.store.project import Project
    from app.store.reports.documents import StoredDocument
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Ranking
    from extractors.differential.report import Explanation

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
    """The rankings of reports by one annotator (name); `suggested` where nobody has accepted the terms."""

    annotator: str
    suggested: bool
    diseases: Diseases
    options: Options
    reports: tuple[ReportRanking, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be known of all of them, in sentences."""
        parts = []
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
    from app.store.reports.documents import document
    from app.store.reports.documents import documents as all_documents
    from extractors.differential.ranking import shipped_ranker

    options = options or Options()
    with opened(where) as project:
        holder = coder_of(project, annotator)
        reports = [document(project, key) for key in documents] or all_documents(project)
        yield Progress(0, len(reports), "reading the diseases")
        ranker = shipped_ranker()
        found = []
        for done, report in enumerate(reports, start=1):
            profile = profile_of(project, report.uuid, holder.name)
            if documents or profile.terms:
                own = publications_of(report)
                ranking = ranker.rank(profile.present, profile.excluded, own, options)
                found.append(ReportRanking(report.key, report.document.title, profile, own, ranking))
            yield Progress(done, len(reports), report.key)
    return Differential(holder.name, holder.kind == "run", ranker.diseases, options, tuple(found))


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
    from app.store.annotate.annotators import coders
    from app.store.reports.documents import document
    from extractors.differential.ranking import shipped_ranker
    from extractors.differential.report import explain, fits
    from extractors.phenotypes.organs import organ_of

    profile = profile_of(project, key, annotator)
    ranker = shipped_ranker()
    report = document(project, key)
    own = publications_of(report)
    ranking = ranker.rank(profile.present, profile.excluded, own, options)
    codes = dict.fromkeys(
        coding.code
        for coding in (
            *(one.coding for one in (*profile.terms, *profile.relatives)),
            *(one.coding for one in profile.suggestions),
        )
    )
    diseases = ranker.diseases
    anchor = anchors(project, report.uuid).get(report.uuid)
    known = anchor.coding if anchor is not None and anchor.state == "confirmed" else None
    number = diseases.numbers.get(known.code) if known is not None else None
    reasons = tuple(explain(diseases, ranking))
    order = ranking.order() if number is not None else []
    return OpenDifferential(
        profile,
        {code: organ_of(diseases.terminology, code) for code in codes},
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
    from extractors.differential.ranking import shipped_ranker
    from extractors.differential.report import explain

    ranker = shipped_ranker()
    explain(ranker.diseases, ranker.rank(codes))


def publications_of(report: StoredDocument) -> tuple[int, ...]:
    """The PubMed ids of the report itself; none where it does not say."""
    return pubmed_ids([report.document.identifiers.get("pmid", "").strip()])


def coder_of(project: Project, name: str | None) -> Annotator:
    """Whose terms are meant; raises as `rank_reports` does."""
    from app.store.annotate.annotators import coders

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
