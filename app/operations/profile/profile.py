"""The profile of a report by an annotator: what counts of its terms, and what a run suggests beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.store.annotate.annotations import RELATIVE as RELATIVE
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotators
from app.store.reconcile.verdicts import verdicts
from app.store.reports.documents import document as stored_document

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.annotators import Annotator
    from app.store.project import Project
    from extractors.model.coding import Coding
    from extractors.model.finding import Polarity

TERMINOLOGY = "HPO"
Status: TypeAlias = Literal["suggested", "accepted", "rejected"]
_STRENGTH: tuple[Polarity, ...] = ("present", "negated", "uncertain")


@dataclass(frozen=True, slots=True)
class ProfileTerm:
    """A term that counts: its coding, what is said of it in all, and the annotations that say so."""

    coding: Coding
    polarity: Polarity
    spans: tuple[Annotation, ...]


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
    by_code: dict[str, list[tuple[Annotation, Coding]]] = {}
    for pair in coded:
        by_code.setdefault(pair[1].code, []).append(pair)
    terms = []
    for pairs in by_code.values():
        polarity = min((one.finding.polarity for one, _ in pairs), key=_STRENGTH.index)
        coding = next((coding for _, coding in pairs if coding.onset), pairs[0][1])
        terms.append(ProfileTerm(coding, polarity, tuple(one for one, _ in pairs)))
    return tuple(terms)
