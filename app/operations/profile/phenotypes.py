"""Find the terms of reports by rules, as suggestions of a run of their own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.store.act import begin_act
from app.text import counted
from extractors.model.finding import Finding
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.operations.extract.options import ModelSummary
    from app.store.act import Act
    from app.store.annotations import Annotation
    from app.store.concepts import Coding
    from app.store.documents import StoredDocument
    from app.store.project import Project
    from extractors.phenotypes.engine import Phenotype, PhenotypeRules

RULES = "phenotypes/rules"
# The field of what is said of a relative, which enters no profile.
RELATIVE = "relative"
TERMINOLOGY = "HPO"


@dataclass(frozen=True, slots=True)
class ReportTerms:
    """An annotator's terms in a report (its key): annotations, each with what it stands for, by place.

    `unnamed` ones stand for no term: entities of a model that was not asked to name them, and what it named
    that there is not.
    """

    report: str
    annotator: str
    terms: tuple[tuple[Annotation, Coding], ...]
    unnamed: tuple[Annotation, ...] = ()

    @property
    def present(self) -> tuple[str, ...]:
        """The codes of what the patient has, in the order of the text."""
        return self._codes("present")

    @property
    def excluded(self) -> tuple[str, ...]:
        """The codes of what is denied, and nowhere said to be there."""
        return tuple(code for code in self._codes("negated") if code not in self.present)

    def _codes(self, polarity: str) -> tuple[str, ...]:
        told = (
            coding.code
            for one, coding in self.terms
            if one.finding.polarity == polarity and one.finding.field != RELATIVE
        )
        return tuple(dict.fromkeys(told))


@dataclass(frozen=True, slots=True)
class PhenotypeRun:
    """What a run found: the ontology's release, the terms by report, and how many came out as before.

    `model` says how a model's calls went.
    """

    annotator: str
    version: str
    release: str
    reports: tuple[ReportTerms, ...]
    unchanged: int = 0
    notes: tuple[str, ...] = ()
    model: ModelSummary | None = None

    @property
    def unknown(self) -> Counter[tuple[str, str]]:
        """What a model named that is no term, by report, and how often."""
        return Counter(
            (report.report, called(one)) for report in self.reports for one in report.unnamed if one.source
        )


def called(one: Annotation) -> str:
    """What a model called an entity that is no term, "" for one that it was not to name."""
    return str(json.loads(one.source)["said"]) if one.source else ""


def find_phenotypes(
    where: Project | Path, documents: Sequence[str] = ()
) -> Generator[Progress, None, PhenotypeRun]:
    """Run the rules over the reports (all, or those of the given keys) in one act.

    What they find takes the place of what they found before; a report that comes out the same is left alone.
    Raises UnknownNameError for a report that is not there.
    """
    from app import __version__
    from app.store.annotators import ensure_annotator
    from app.store.documents import document
    from app.store.documents import documents as all_documents
    from app.store.runs import finish_run, start_run
    from extractors.phenotypes.engine import PhenotypeRules

    with opened(where, write=True) as project:
        reports = [document(project, key) for key in documents] if documents else all_documents(project)
        yield Progress(0, len(reports), "reading the ontology")
        rules = PhenotypeRules()
        found: list[ReportTerms] = []
        unchanged = 0
        with begin_act(project, "find phenotypes", RULES) as act:
            holder = ensure_annotator(act, RULES, "run").uuid
            settings = {"version": rules.version, "layer": "phenotype", "release": rules.release}
            run = start_run(act, holder, "method", RULES, settings, __version__)
            for done, report in enumerate(reports, start=1):
                unchanged += not _find_in(act, rules, report, holder)
                found.append(terms_in(project, report, holder, RULES))
                yield Progress(done, len(reports), report.key)
            finish_run(act, run.uuid, "done")
        return PhenotypeRun(RULES, rules.version, rules.release, tuple(found), unchanged, rules.notes)


def terms_in(project: Project, report: Source, holder: str, name: str) -> ReportTerms:
    """What an annotator (UUID and name) has in a report in the layer of phenotypes."""
    from app.store.annotations import read_annotations
    from app.store.concepts import codings

    coded = codings(project, report.uuid)
    found = read_annotations(project, report.uuid, holder, "phenotype")
    terms = [(one, coding) for one in found for coding in coded.get(one.uuid, ())]
    unnamed = [one for one in found if one.uuid not in coded]
    return ReportTerms(report.key, name, tuple(terms), tuple(unnamed))


def _find_in(act: Act, rules: PhenotypeRules, report: StoredDocument, holder: str) -> bool:
    """Put a report's terms in the place of the earlier ones; False where they are the same."""
    from app.store.annotations import add_annotations, delete_annotations
    from app.store.concepts import add_codings

    before = terms_in(act.project, report, holder, RULES)
    found = [(_finding(one), _coding(rules, one)) for one in rules.extract(report.document)]
    if found == [(one.finding, coding) for one, coding in before.terms]:
        return False
    delete_annotations(act, report.uuid, holder, layer="phenotype")
    added = add_annotations(
        act, report.uuid, holder, [finding for finding, _ in found], "model", layer="phenotype"
    )
    pairs: list[tuple[str | None, Coding]] = [
        (one.uuid, coding) for one, (_, coding) in zip(added, found, strict=True)
    ]
    add_codings(act, report.uuid, pairs)
    return True


def _finding(one: Phenotype) -> Finding:
    return Finding("", one.text, one.start, one.end, RELATIVE if one.relative else "", one.polarity)


def _coding(rules: PhenotypeRules, one: Phenotype) -> Coding:
    from app.store.concepts import Coding

    return Coding(TERMINOLOGY, rules.release, one.code, one.label, one.uri, "model")


def describe_phenotype_run(run: PhenotypeRun) -> list[str]:
    """What a run found, in sentences, for people."""
    total = sum(len(one.terms) for one in run.reports)
    said = [
        f"{run.annotator}: {counted(total, 'term')} in {counted(len(run.reports), 'report')} "
        f"(HPO {run.release}). They are suggestions until a person accepts them."
    ]
    if run.unchanged:
        said.append(f"{counted(run.unchanged, 'report')} came out as before.")
    unknown = run.unknown.total()
    entities = sum(len(one.unnamed) for one in run.reports) - unknown
    if entities:
        said.append(f"{counted(entities, 'entity', 'entities')} without a term.")
    if unknown:
        names = ", ".join(dict.fromkeys(f"“{name}”" for _, name in run.unknown))
        said.append(f"{counted(unknown, 'name')} that no term has, kept without one: {names}.")
    if run.model is not None:
        states = [f"{number} {state}" for state, number in run.model.calls.items()]
        states += [f"{run.model.missing} missing"] if run.model.missing else []
        said.append(
            f"{counted(run.model.planned, 'call')}: {', '.join([*states, f'{run.model.made} made now'])}"
        )
        said += filter(None, (run.model.about, *run.model.notes))
    return [*said, *run.notes]
