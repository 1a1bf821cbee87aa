"""Terms of reports found by rules as suggestions, and the profile that an annotator makes of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from app import __version__
from app.operations.project.opening import opened
from app.store.act import Act, begin_act
from app.store.annotate.annotations import RELATIVE as RELATIVE
from app.store.annotate.annotations import Annotation, add_annotations, read_annotations, remove_annotations
from app.store.annotate.annotators import Annotator, annotators, ensure_annotator
from app.store.reconcile.verdicts import verdicts
from app.store.reports.documents import StoredDocument, document
from app.store.reports.documents import document as stored_document
from app.store.reports.documents import documents as all_documents
from app.store.values import canonical
from app.text import counted
from extractors.grouping import grouped
from extractors.model.coding import Coding
from extractors.model.finding import Finding, Polarity
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.options import ModelSummary
    from app.store.project import Project
    from extractors.phenotypes.engine import Phenotype, PhenotypeRules

TERMINOLOGY = "HPO"
Status: TypeAlias = Literal["suggested", "accepted", "rejected"]
_STRENGTH: tuple[Polarity, ...] = ("present", "negated", "uncertain")


@dataclass(frozen=True, slots=True)
class ProfileTerm:
    """A term that counts: its coding, what is said of it in all, and the annotations that say so."""

    coding: Coding
    polarity: Polarity
    spans: tuple[Annotation, ...]

    def coding_of(self, span: Annotation) -> Coding:
        """The coding as one of the spans has it, with an onset of its own."""
        known = self.coding.terminology, self.coding.code
        return next(one for one in span.concepts if (one.terminology, one.code) == known)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a run (name) has found, and what the annotator said of it; `relative`: it is not the patient's."""

    annotation: Annotation
    coding: Coding
    run: str
    status: Status

    @property
    def relative(self) -> bool:
        """Whether it is said of a relative."""
        return self.annotation.finding.field == RELATIVE


@dataclass(frozen=True, slots=True)
class Profile:
    """What an annotator (name) has in a report (key): `terms` count, `suggestions` do not.

    `relatives` are the annotator's own of what relatives have, which never count. All are in the order of the
    text; those without a place come last.
    """

    report: str
    annotator: str
    terminology: str
    terms: tuple[ProfileTerm, ...]
    suggestions: tuple[Suggestion, ...]
    relatives: tuple[ProfileTerm, ...] = ()

    @property
    def present(self) -> tuple[str, ...]:
        """The codes of what the patient has."""
        return self._codes("present")

    @property
    def excluded(self) -> tuple[str, ...]:
        """The codes of what is denied, and nowhere said to be there."""
        return self._codes("negated")

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The codes of what is neither said to be there nor denied."""
        return self._codes("uncertain")

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases of the terminology that the terms were taken from."""
        return tuple(sorted({term.coding.release for term in self.terms}))

    def _codes(self, polarity: Polarity) -> tuple[str, ...]:
        return tuple(term.coding.code for term in self.terms if term.polarity == polarity)


def profile_of(project: Project, document: str, annotator: str, terminology: str = TERMINOLOGY) -> Profile:
    """The profile of a report (key or UUID) by an annotator (name), with what runs suggest for it.

    A person's own terms count, whatever layer they are of; of a run's name it is what that run has found.
    Raises UnknownNameError for a report that is not there.
    """
    report = stored_document(project, document)
    with project.snapshot():
        holders = {one.uuid: one for one in annotators(project, every=True)}
        found = read_annotations(project, report.uuid, layer=None)
        values = {
            one.annotation: one
            for one in verdicts(project, report.uuid)
            if one.reviewer in holders and holders[one.reviewer].name == annotator
        }
    coded = sorted(_coded(found, terminology), key=lambda pair: _place(pair[0]))
    own = [pair for pair in coded if holders[pair[0].annotator].name == annotator]
    kept = {one.uuid for one, _ in own}
    text = report.document.text
    status: dict[str, Status] = {
        uuid: "rejected" if verdict.verdict == "rejected" else "accepted"
        for uuid, verdict in values.items()
        if verdict.verdict == "rejected" or verdict.result in kept
    }
    suggested = [
        Suggestion(one, coding, holders[one.annotator].name, status.get(one.uuid, "suggested"))
        for one, coding in coded
        if _suggests(one, holders[one.annotator], annotator)
    ]
    mine = [pair for pair in own if not is_relatives(pair[0], text)]
    others = [pair for pair in own if is_relatives(pair[0], text)]
    return Profile(
        report.key, annotator, terminology, _terms(mine), tuple(suggested), relatives=_terms(others)
    )


def is_relatives(one: Annotation, text: str) -> bool:
    """Whether an annotation of a text tells of a relative of the patient."""
    if one.layer == "phenotype":
        return one.finding.field == RELATIVE
    start, end = one.finding.start, one.finding.end
    return "family" in one.finding.field or (
        start is not None and end is not None and _told(text, start, end)[1]
    )


@lru_cache(maxsize=4096)
def _told(text: str, start: int, end: int) -> tuple[Polarity, bool]:
    from extractors.phenotypes.engine import telling

    return telling(text, start, end)


def _suggests(one: Annotation, holder: Annotator, annotator: str) -> bool:
    return one.layer == "phenotype" and holder.kind == "run" and holder.name != annotator


def _coded(found: Sequence[Annotation], terminology: str) -> Iterator[tuple[Annotation, Coding]]:
    for one in found:
        for coding in one.concepts:
            if coding.terminology == terminology:
                yield one, coding


def _place(one: Annotation) -> tuple[bool, int, int]:
    start, end = one.finding.start, one.finding.end
    return start is None, start or 0, end or 0


def _terms(coded: Sequence[tuple[Annotation, Coding]]) -> tuple[ProfileTerm, ...]:
    """One term a code: present where it is anywhere said to be there, else denied, else uncertain."""
    terms = []
    for pairs in grouped((pair[1].code, pair) for pair in coded).values():
        polarity = min((one.finding.polarity for one, _ in pairs), key=_STRENGTH.index)
        # When it began is told where it is said to be there, not where it is denied.
        codings = [coding for one, coding in pairs if one.finding.polarity == polarity]
        coding = next((coding for coding in codings if coding.onset), codings[0])
        terms.append(ProfileTerm(coding, polarity, tuple(one for one, _ in pairs)))
    return tuple(terms)


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
    from app.store.extract.runs import finish_run, start_run
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
