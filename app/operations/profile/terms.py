"""What a person does to a profile: accepts, changes, adds and rejects terms, each one step of undo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.operations.annotate.concepts import coding_of
from app.operations.annotate.edits import exact_finding, taken_over
from app.operations.profile.profile import RELATIVE, TERMINOLOGY, Profile, profile_of
from app.operations.project.sets import polarity_named, require_person, who
from app.store.act import Act, begin_act
from app.store.annotate.annotations import (
    Annotation,
    Origin,
    add_annotations,
    edit_annotation,
    find_annotations,
    read_annotations,
    remove_annotations,
)
from app.store.annotate.annotators import annotators, ensure_annotator, kind_of
from app.store.annotate.concepts import set_codings
from app.store.reconcile.verdicts import SUGGESTED, VerdictWord, find_verdict, set_verdict
from app.store.reports.documents import StoredDocument, document
from app.text import counted
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.coding import Coding
    from extractors.terminology.index import Terminology

_DURATION = re.compile(r"P(?=\w)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\w)(\d+H)?(\d+M)?(\d+S)?)?")
_WITHOUT_A_PLACE = "added without a place in the text"


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """A report's profile after an act; `notes` are sentences on what was taken otherwise than asked for."""

    profile: Profile
    notes: tuple[str, ...] = ()


def accept(project: Project, annotator: str, uuids: Sequence[str]) -> ProfileChange:
    """Take over suggestions (UUIDs) of one report, in one act: they are the annotator's own then, and count.

    What the annotator has at that place with that code already is left as it is. Raises UnknownNameError for
    one that is not there, ProjectError where there is none, where they are of several reports or no run's,
    and where the annotator is a run.
    """
    report, theirs = _suggestions(project, annotator, uuids)
    new = [one for one in theirs if not _stands(project, annotator, one, "accepted")]
    if new:
        title = f"accept {counted(len(new), 'term')} in {report.key}"
        with begin_act(project, title, who(project, annotator)) as act:
            holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
            for one in new:
                _judge(act, report, holder, one, "accepted", one.finding, taken_over(one.concepts))
    return ProfileChange(profile_of(project, report.uuid, annotator))


def reject(project: Project, annotator: str, uuids: Sequence[str]) -> ProfileChange:
    """Reject suggestions, or remove terms of the annotator's own (UUIDs), in one act; raises as `accept`.

    A suggestion that was accepted before is taken out of the profile again.
    """
    require_person(annotator)
    found = _of_one_report(project, uuids)
    report = document(project, found[0].document)
    runs = _runs(project)
    own = [one for one in found if one.annotator not in runs]
    theirs = [
        one for one in found if one.annotator in runs and not _stands(project, annotator, one, "rejected")
    ]
    if own or theirs:
        title = f"reject {counted(len(own) + len(theirs), 'term')} in {report.key}"
        with begin_act(project, title, who(project, annotator)) as act:
            holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
            for one in theirs:
                _judge(act, report, holder, one, "rejected")
            _remove_own(act, holder, own)
    return ProfileChange(profile_of(project, report.uuid, annotator))


def change(
    project: Project,
    annotator: str,
    uuid: str,
    *,
    code: str | None = None,
    polarity: Polarity | None = None,
    onset: str | None = None,
    place: tuple[int, int] | None = None,
    relative: bool | None = None,
) -> ProfileChange:
    """Change a term of one's own, or take a suggestion over changed (UUID); what is None stays as it is.

    `place` is [start, end) in code points, `onset` as `Coding` has it, "" for none. Raises as `accept`, and
    UnknownNameError for a code or polarity that is not there, ProjectError for an onset that is none and a
    place that is empty, blank or outside the text.
    """
    require_person(annotator)
    before = find_annotations(project, [uuid])[0]
    report = document(project, before.document)
    coding, notes = _changed(before, code, onset)
    finding = replace(before.finding, polarity=polarity_named(polarity or before.finding.polarity))
    if relative is not None and before.layer == "phenotype":
        finding = replace(finding, field=RELATIVE if relative else "")
    if place is not None and place != (finding.start, finding.end):
        finding = exact_finding(report, *place, finding)
    kept = [one for one in before.concepts if one.terminology != coding.terminology]
    concepts = (coding, *kept)
    if (finding, concepts) != (before.finding, before.concepts):
        title = f"change a term to {coding.label} in {report.key}"
        with begin_act(project, title, who(project, annotator)) as act:
            holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
            if before.annotator in _runs(project):
                _judge(act, report, holder, before, "edited", finding, concepts)
            else:
                _require_own(before, holder, annotator)
                origin: Origin = "human" if before.origin == "human" else "edited"
                edit_annotation(act, uuid, finding=finding, origin=origin)
                set_codings(act, report.uuid, uuid, concepts)
    return ProfileChange(profile_of(project, report.uuid, annotator), notes)


def add(
    project: Project,
    annotator: str,
    report: str,
    code: str,
    *,
    place: tuple[int, int] | None = None,
    polarity: Polarity | None = None,
    onset: str | None = None,
    relative: bool | None = None,
    terminology: str = TERMINOLOGY,
) -> ProfileChange:
    """Add a term to the profile of a report (key or UUID), from a selection ([start, end)) or without one.

    Polarity, onset, and whether it is said of a relative, are read off the text where they are None. Raises
    as `change`.
    """
    from extractors.phenotypes.engine import telling
    from extractors.phenotypes.onset import onset_of

    require_person(annotator)
    stored = document(project, report)
    known = _terminology(terminology)
    coding, note = coding_of(known, code)
    if onset is None and place is not None:
        onset = onset_of(stored.document.text, *place)
    coding = replace(coding, onset=_onset(known, onset or ""))
    notes = [note] if note else []
    if place is None:
        finding = Finding(
            "", coding.label, None, None, "", polarity or "present", "ungrounded", _WITHOUT_A_PLACE
        )
        finding = replace(finding, field=RELATIVE if relative else "")
    else:
        exact = exact_finding(stored, *place, Finding("", "", None, None))
        read, in_relative = telling(stored.document.text, *place)
        of_relative = in_relative if relative is None else relative
        finding = replace(
            exact, polarity=polarity_named(polarity or read), field=RELATIVE if of_relative else ""
        )
        if of_relative and relative is None:
            notes.append("It is said of a relative and does not enter the profile.")
    with begin_act(project, f"add {coding.label} in {stored.key}", who(project, annotator)) as act:
        holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
        if not _same(act, stored.uuid, holder, finding, (coding,)):
            add_annotations(
                act, stored.uuid, holder, [finding], "human", concepts=[(coding,)], layer="phenotype"
            )
    return ProfileChange(profile_of(project, stored.uuid, annotator, coding.terminology), tuple(notes))


def _terminology(name: str) -> Terminology:
    from extractors.terminology.library import open_terminology

    return open_terminology(name)


def _changed(before: Annotation, code: str | None, onset: str | None) -> tuple[Coding, tuple[str, ...]]:
    """What an annotation is to stand for, and what must be said of it."""
    if not before.concepts:
        raise ProjectError("This span stands for no term yet; give it one first.")
    named = [one for one in before.concepts if one.terminology == TERMINOLOGY]
    coding = next(iter(named), before.concepts[0])
    known = _terminology(coding.terminology)
    notes: tuple[str, ...] = ()
    if code is not None:
        new, note = coding_of(known, code)
        notes = (note,) if note else ()
        if new.code != coding.code:
            coding = replace(new, onset=coding.onset)
    if onset is not None:
        coding = replace(coding, onset=_onset(known, onset))
    if coding != next(iter(named), before.concepts[0]) and coding.origin != "human":
        coding = replace(coding, origin="edited")
    return coding, notes


def _onset(terminology: Terminology, onset: str) -> str:
    words = onset.strip().upper()
    if not words or _DURATION.fullmatch(words):
        return words
    current = terminology.current(words)
    if current is None:
        raise ProjectError(
            f"“{onset}” is no onset; give an age such as P3Y (three years) or P2M, or a code of "
            f"{terminology.name}."
        )
    return current


def _runs(project: Project) -> set[str]:
    return {one.uuid for one in annotators(project, every=True) if one.kind == "run"}


def _of_one_report(project: Project, uuids: Sequence[str]) -> list[Annotation]:
    found = find_annotations(project, list(dict.fromkeys(uuids)))
    if len({one.document for one in found}) != 1:
        raise ProjectError("Name terms of one report.")
    return found


def _suggestions(
    project: Project, annotator: str, uuids: Sequence[str]
) -> tuple[StoredDocument, list[Annotation]]:
    require_person(annotator)
    found = _of_one_report(project, uuids)
    runs = _runs(project)
    if any(one.annotator not in runs or not one.concepts for one in found):
        raise ProjectError("Only what a run suggests can be accepted; choose a suggestion.")
    return document(project, found[0].document), found


def _stands(project: Project, annotator: str, one: Annotation, word: VerdictWord) -> bool:
    """Whether the same was said before, and what came of it is still there."""
    earlier = find_verdict(project, one.uuid, annotator)
    if earlier is None or earlier.verdict != word:
        return False
    if word == "rejected":
        return True
    try:
        return bool(find_annotations(project, [earlier.result]))
    except UnknownNameError:
        return False


def _judge(
    act: Act,
    report: StoredDocument,
    holder: str,
    theirs: Annotation,
    word: VerdictWord,
    finding: Finding | None = None,
    concepts: tuple[Coding, ...] = (),
) -> None:
    """Say one thing of a suggestion, as if nothing had been said before."""
    name = next(one.name for one in annotators(act.project, every=True) if one.uuid == holder)
    earlier = find_verdict(act.project, theirs.uuid, name)
    if earlier is not None and earlier.result:
        own = read_annotations(act.project, report.uuid, holder, "phenotype")
        remove_annotations(act, [one.uuid for one in own if one.uuid == earlier.result])
    result = ""
    if finding is not None:
        result = _same(act, report.uuid, holder, finding, concepts)
    if finding is not None and not result:
        origin: Origin = "accepted" if word == "accepted" else "edited"
        added = add_annotations(
            act, report.uuid, holder, [finding], origin, concepts=[concepts], layer="phenotype"
        )
        result = added[0].uuid
    set_verdict(act, report.uuid, theirs.annotator, holder, theirs.uuid, SUGGESTED, word, result=result)


def _same(act: Act, report: str, holder: str, finding: Finding, concepts: Sequence[Coding]) -> str:
    """The annotator's own (UUID) that says the same, "" where none does."""
    codes = {(one.terminology, one.code, one.onset) for one in concepts}
    for own in read_annotations(act.project, report, holder, "phenotype"):
        if own.finding == finding and codes <= {
            (one.terminology, one.code, one.onset) for one in own.concepts
        }:
            return own.uuid
    return ""


def _require_own(one: Annotation, holder: str, annotator: str) -> None:
    if one.annotator != holder:
        raise ProjectError(f"This is not a term of {annotator}; choose one of {annotator}'s own.")


def _remove_own(act: Act, holder: str, own: Sequence[Annotation]) -> None:
    """Take terms out of the profile: a phenotype whole, of a span of a category its concept."""
    for one in own:
        _require_own(one, holder, "that annotator")
        if one.layer == "category":
            kept = [coding for coding in one.concepts if coding.terminology != TERMINOLOGY]
            set_codings(act, one.document, one.uuid, kept)
    remove_annotations(act, [one.uuid for one in own if one.layer == "phenotype"])
