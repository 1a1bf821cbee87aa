"""Find the terms of reports by rules, as suggestions of a run of their own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.profile.profile import RELATIVE, TERMINOLOGY, profile_of
from app.operations.project.opening import opened
from app.store.act import begin_act
from app.text import counted
from extractors.model.finding import Finding
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.options import ModelSummary
    from app.operations.profile.profile import Profile, Suggestion
    from app.store.act import Act
    from app.store.annotate.annotations import Annotation
    from app.store.project import Project
    from app.store.reports.documents import StoredDocument
    from extractors.model.coding import Coding
    from extractors.phenotypes.engine import Phenotype, PhenotypeRules

RULES = "phenotypes/rules"


@dataclass(frozen=True, slots=True)
class PhenotypeRun:
    """What a run found: the ontology's release, and how many reports came out as before.

    `profiles` are those of the project's annotator, one a report, with what the run suggests for it; `own`
    are the run's, by report: all that it found of the patient. What is `unnamed`, by report, stands for no
    term: entities of a model that was not asked to name them, and what it named that there is not. `model`
    says how a model's calls went.
    """

    annotator: str
    version: str
    release: str
    profiles: tuple[Profile, ...]
    unchanged: int = 0
    notes: tuple[str, ...] = ()
    unnamed: Mapping[str, tuple[Annotation, ...]] = field(default_factory=dict)
    own: Mapping[str, Profile] = field(default_factory=dict)
    model: ModelSummary | None = None

    @property
    def unknown(self) -> Counter[tuple[str, str]]:
        """What a model named that is no term, by report, and how often."""
        return Counter(
            (report, called(one)) for report, found in self.unnamed.items() for one in found if one.source
        )

    def suggestions(self, profile: Profile) -> tuple[Suggestion, ...]:
        """What this run suggests in one of its reports."""
        return tuple(one for one in profile.suggestions if one.run == self.annotator)


def called(one: Annotation) -> str:
    """What a model called an entity that is no term, "" for one that it was not to name."""
    return str(json.loads(one.source)["said"]) if one.source else ""


def find_phenotypes(
    where: Project | Path, documents: Sequence[str] = ()
) -> Generator[Progress, None, PhenotypeRun]:
    """Run the rules over the reports (all, or those of the given keys) in one act.

    What they find takes the place of what they found before; what comes out the same is left alone, and with
    it what people said of it.
    Raises UnknownNameError for a report that is not there.
    """
    from app import __version__
    from app.store.annotate.annotators import ensure_annotator
    from app.store.extract.runs import finish_run, start_run
    from app.store.reports.documents import document
    from app.store.reports.documents import documents as all_documents
    from app.store.values import canonical
    from extractors.phenotypes.engine import load_rules

    with opened(where, write=True) as project:
        reports = [document(project, key) for key in documents] if documents else all_documents(project)
        yield Progress(0, len(reports), "reading the ontology")
        rules = load_rules()
        unchanged = 0
        with begin_act(project, "find phenotypes", RULES) as act:
            settings = {"version": rules.version, "layer": "phenotype", "release": rules.release}
            holder = ensure_annotator(act, RULES, "run", canonical(settings)).uuid
            run = start_run(act, holder, "method", RULES, settings, __version__)
            for done, report in enumerate(reports, start=1):
                unchanged += not _find_in(act, rules, report, holder)
                yield Progress(done, len(reports), report.key)
            finish_run(act, run.uuid, "done")
        found = tuple(profile_of(project, report.uuid, project.owner) for report in reports)
        own = {one.report: profile_of(project, one.report, RULES) for one in found}
        return PhenotypeRun(RULES, rules.version, rules.release, found, unchanged, rules.notes, own=own)


def _find_in(act: Act, rules: PhenotypeRules, report: StoredDocument, holder: str) -> bool:
    """Put a report's terms in the place of the earlier ones; False where they are the same."""
    from app.store.annotate.annotations import add_annotations, read_annotations, remove_annotations

    before = {
        (one.finding, one.concepts): one.uuid
        for one in read_annotations(act.project, report.uuid, holder, "phenotype")
    }
    text = report.document.text
    found = [(_finding(one), (_coding(rules, one, text),)) for one in rules.extract(report.document)]
    gone = [uuid for value, uuid in before.items() if value not in found]
    new = [value for value in found if value not in before]
    remove_annotations(act, gone)
    findings, concepts = [finding for finding, _ in new], [coding for _, coding in new]
    add_annotations(act, report.uuid, holder, findings, "model", concepts=concepts, layer="phenotype")
    return bool(gone or new)


def _finding(one: Phenotype) -> Finding:
    return Finding("", one.text, one.start, one.end, RELATIVE if one.relative else "", one.polarity)


def _coding(rules: PhenotypeRules, one: Phenotype, text: str) -> Coding:
    from extractors.model.coding import Coding
    from extractors.phenotypes.onset import onset_of

    onset = onset_of(text, one.start, one.end) if one.polarity == "present" and not one.relative else ""
    return Coding(TERMINOLOGY, rules.release, one.code, one.label, one.uri, "model", onset)


def describe_phenotype_run(run: PhenotypeRun) -> list[str]:
    """What a run found, in sentences, for people."""
    total = sum(len(run.suggestions(one)) for one in run.profiles)
    parts = [
        f"{run.annotator}: {counted(total, 'term')} in {counted(len(run.profiles), 'report')} "
        f"(HPO {run.release}). They are suggestions until a person accepts them."
    ]
    if run.unchanged:
        parts.append(f"{counted(run.unchanged, 'report')} came out as before.")
    unknown = run.unknown.total()
    entities = sum(map(len, run.unnamed.values())) - unknown
    if entities:
        parts.append(f"{counted(entities, 'entity', 'entities')} without a term.")
    if unknown:
        names = ", ".join(dict.fromkeys(f"“{name}”" for _, name in run.unknown))
        parts.append(f"{counted(unknown, 'name')} that no term has, kept without one: {names}.")
    if run.model is not None:
        states = [f"{number} {state}" for state, number in run.model.calls.items()]
        states += [f"{run.model.missing} missing"] if run.model.missing else []
        calls = ", ".join([*states, f"{run.model.made} made now"])
        parts.append(f"{counted(run.model.planned, 'call')}: {calls}")
        parts += filter(None, (run.model.about, *run.model.notes))
    return [*parts, *run.notes]
