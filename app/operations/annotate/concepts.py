"""What an annotator's span stands for in a terminology: given, changed, taken away, each one step of undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.operations.annotate.edits import coded, uncoded
from app.operations.annotate.spans import Changed
from app.operations.project.sets import holder_of, name_of, own_annotations, who
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, read_annotations
from app.store.annotate.concepts import Coding, set_codings
from app.store.reports.documents import document, document_summaries, document_summary
from extractors.model.errors import UnknownNameError
from extractors.terminology.clusters import read_cluster

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.terminology.index import Terminology
    from extractors.terminology.search import Hit


def coding_of(terminology: Terminology, code: str) -> tuple[Coding, str]:
    """What a code stands for now, as a person gives it, and a sentence where it is not the one asked for.

    Of a classification it may be a cluster. Raises UnknownNameError for a code that is not there, or is
    retired without a successor.
    """
    asked = code.strip().upper()
    if terminology.classes:
        one = read_cluster(terminology, asked)
        found = Coding(terminology.name, terminology.release, one.code, one.label, one.uri, "human")
        return found, one.note
    current = terminology.current(asked)
    known = terminology.row(asked) is not None
    if current is None:
        fault = "is retired and none stands in its place" if known else "is not there"
        raise UnknownNameError(
            f"{asked or 'A concept'} {fault} in {terminology.name} {terminology.release}; search for another."
        )
    concept = terminology.concept(current)
    coding = Coding(terminology.name, terminology.release, current, concept.label, concept.uri, "human")
    if current == asked:
        return coding, ""
    return coding, f"{asked} is now {current} ({concept.label}), which was taken."


def current_codings(
    given: Sequence[tuple[Coding, ...]],
) -> tuple[list[tuple[Coding, ...]], list[str]]:
    """Codings from elsewhere with the codes in use now, and sentences on what was mapped and what is unknown.

    What cannot be looked up here stays as it was given.
    """
    from extractors.terminology.library import open_terminology

    counts: Counter[str] = Counter()

    def now(coding: Coding) -> Coding:
        try:
            known = open_terminology(coding.terminology)
        except UnknownNameError:
            counts[f"{coding.terminology} is not here: codes of it stay as they were given"] += 1
            return coding
        if known.classes:
            return in_release(known, coding)
        code = known.current(coding.code.upper())
        if code is None:
            counts[
                f"codes that {known.name} {known.release} lacks or has retired stay as they were given"
            ] += 1
            return coding
        concept = known.concept(code)
        if code != coding.code:
            counts["codes that were merged or retired are taken as those in their place"] += 1
        elif coding.release and coding.label:
            return replace(coding, terminology=known.name)
        return replace(
            coding,
            terminology=known.name,
            release=known.release,
            code=code,
            label=concept.label,
            uri=concept.uri,
        )

    def in_release(known: Terminology, coding: Coding) -> Coding:
        try:
            if coding.release:
                known = open_terminology(coding.terminology, coding.release)
            one = read_cluster(known, coding.code)
        except UnknownNameError:
            counts[f"codes that {known.name} {known.release} lacks stay as they were given"] += 1
            return coding
        values = {"terminology": known.name, "release": known.release, "code": one.code}
        return replace(coding, **values, label=coding.label or one.label, uri=coding.uri or one.uri)

    kept = [tuple(dict.fromkeys(map(now, codings))) for codings in given]
    return kept, [f"{values[0].upper()}{values[1:]} ({number})." for values, number in sorted(counts.items())]


def set_concept(
    project: Project, uuid: str, terminology: str, code: str, *, release: str = "", beside: bool = False
) -> Changed:
    """Let a span (UUID) stand for a code, in the place of what it stood for in that terminology or `beside`.

    A code that was merged or replaced is mapped, which `notes` say. Raises UnknownNameError for a span,
    terminology, release or code that is not there, ProjectError where the span is a run's.
    """
    from extractors.terminology.library import open_terminology

    annotation = own_annotations(project, [uuid])[0]
    coding, note = coding_of(open_terminology(terminology, release), code)
    notes = (note,) if note else ()
    after = coded(annotation, coding, beside=beside)
    if after == annotation:
        return Changed(notes=notes)
    return replace(_set(project, annotation, after, f"code as {coding.label}"), notes=notes)


def clear_concept(project: Project, uuid: str, terminology: str, code: str = "") -> Changed:
    """Take a code away from a span (UUID), "" for all of that terminology; raises as `set_concept`.

    Names ignore case; what is not there is no error.
    """
    annotation = own_annotations(project, [uuid])[0]
    named = next(
        (c.terminology for c in annotation.concepts if c.terminology.lower() == terminology.lower()), ""
    )
    after = uncoded(annotation, named, code.strip().upper())
    if after == annotation:
        return Changed()
    return _set(project, annotation, after, f"take away {named or terminology}")


@dataclass(frozen=True, slots=True)
class ConceptSuggestion:
    """What the words of a span (UUID, `place` in code points) of a report (key) may stand for, best first.

    `by` is the run that ordered it, "" where the words alone did.
    """

    uuid: str
    report: str
    quote: str
    place: tuple[int, int] | None
    hits: tuple[Hit, ...]
    by: str = ""

    @property
    def hit(self) -> Hit:
        """The best."""
        return self.hits[0]


def find_concepts(
    project: Project, annotator: str, known: Terminology, most: int = 1, *, report: str | None = None
) -> tuple[ConceptSuggestion, ...]:
    """The best concepts for each span of an annotator (name) that has none of that terminology.

    Raises UnknownNameError for a report that is not there.
    """
    from extractors.terminology.search import Search

    search = Search(known)
    keys = {one.uuid: one.key for one in document_summaries(project)}
    only = document_summary(project, report).uuid if report is not None else None
    found = []
    for one in read_annotations(project, only, holder_of(project, annotator)):
        if any(coding.terminology == known.name for coding in one.concepts):
            continue
        start, end = one.finding.start, one.finding.end
        place = None if start is None or end is None else (start, end)
        hits = tuple(search.find(one.finding.quote, most))
        if hits:
            found.append(ConceptSuggestion(one.uuid, keys[one.document], one.finding.quote, place, hits))
    return tuple(found)


def _set(project: Project, before: Annotation, after: Annotation, name: str) -> Changed:
    report = document(project, before.document)
    holder = name_of(project, before.annotator)
    with begin_act(project, f"{name} in {report.key}", who(project, holder)) as act:
        set_codings(act, before.document, before.uuid, after.concepts)
    return Changed(edited=(after,))
