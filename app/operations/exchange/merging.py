"""Bring packets and copies of a project back together, in one act that undo takes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.compare.pair import shared_cells, side_cells
from app.operations.project.backups import keep_backup
from app.operations.project.opening import open_project, opened
from app.operations.project.sets import actor
from app.operations.study.items import close_to_others
from app.reconcile.alignment import differences
from app.store.act import Act, begin_act
from app.store.annotate.annotators import annotators
from app.store.faults import damaged
from app.store.reports.documents import document_summaries
from app.store.unite.branches import all_known, head_of, keep_branch, rows_ever
from app.store.unite.changes import reading_copy
from app.store.unite.versions import clear_statements, lay_out_versions, other_sets, reports_of
from app.text import counted
from extractors.model.errors import CallError, CasespanError, SchemeError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.unite.uniting import Uniting

# What comes, by the table that holds it, in words.
KINDS = {
    "annotation": ("annotation", "annotations"),
    "document": ("report", "reports"),
    "annotator": ("annotator", "annotators"),
    "concept": ("concept", "concepts"),
    "carried": ("row of another program", "rows of other programs"),
    "label_meaning": ("meaning of a label", "meanings of labels"),
    "review": ("review state", "review states"),
    "run": ("run", "runs"),
    "generation": ("call of a model", "calls of models"),
    "answer": ("answer", "answers"),
    "decision": ("decision", "decisions"),
    "disclosure": ("look at others' spans", "looks at others' spans"),
    "verdict": ("verdict", "verdicts"),
    "rating": ("rating", "ratings"),
    "amendment": ("amendment", "amendments"),
    "planted": ("seeded error", "seeded errors"),
    "gold_build": ("building of gold", "buildings of gold"),
    "build": ("set of items", "sets of items"),
    "item_rating": ("rating of an answer", "ratings of answers"),
    "assignment": ("assignment", "assignments"),
}
# So many reports are named, the others counted.
_NAMED = 3
_ITSELF = "{} is the project itself; name a packet or a copy of it."
_SCHEME = {"scheme_file": ("guideline", "guidelines"), "section": ("section", "sections")}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A difference between two versions of one annotator's annotations, by its id in the queue of `annotator`
    and `copy` (names); `report` is a key, `kind` the queue's."""

    report: str
    kind: str
    id: str
    annotator: str
    copy: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A file, or a report (key) in it ("" for the whole file), that was not brought in, and why."""

    file: str
    report: str
    reason: str

    @property
    def sentence(self) -> str:
        """All of it, the file named once."""
        if self.reason.startswith(self.file):
            return self.reason
        return ": ".join(filter(None, (self.file, self.report, self.reason)))


@dataclass(slots=True)
class Merged:
    """What came of bringing copies together: rows by table, and what was not brought in.

    `same` rows were known already, of those `settled` both sides changed and one version holds, those `kept`
    one side deleted and something stands on them. `unassigned` are the reports (keys) that annotators (names)
    are given no longer.
    """

    files: tuple[str, ...] = ()
    added: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    same: int = 0
    settled: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    unassigned: Mapping[str, Sequence[str]] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    refused: list[Refused] = field(default_factory=list)

    @property
    def brings(self) -> bool:
        """Whether there is anything new."""
        return bool(self.added.total() + self.changed.total() + self.removed.total())


class _OnlyLooking(Exception):
    """Ends the act of a preview, so that nothing of it stays."""


def bring_together(
    where: Project | Path, others: Sequence[Path], *, preview: bool = False
) -> Generator[Progress, None, Merged]:
    """Bring what copies and packets (paths) changed into a project, in one act; a preview changes nothing.

    What only one side changed since the two were one is taken over, what both changed alike is recognised,
    and of an annotation that both changed otherwise the other version is kept in a set of its own beside the
    annotator's, so that the two make a queue. A file that cannot be brought in is listed, and so are reports
    with another text. Raises CallError for no file but the project itself, and what opening the project
    raises; then, or when closed early, the project stays as it was.
    """
    if not others:
        raise CallError("Name at least one packet or copy to bring in.")
    own = where if isinstance(where, Path) else where.path
    if all(_same_file(one, own) for one in others):
        raise CallError(_ITSELF.format(others[0]))
    merged = Merged(tuple(str(one) for one in others))
    with opened(where, write=True) as project, ExitStack() as stack:
        copies = []
        for path in dict.fromkeys(others):
            try:
                copies.append(stack.enter_context(_sound(project, path)))
            except CasespanError as error:
                merged.refused.append(Refused(str(path), "", str(error)))
            yield Progress(len(copies), len(others), f"{path.name}: checked")
        copies = [one for one in copies if _brings(project, one, merged)]
        if copies and not preview:
            keep_backup(project, "merge")
        if copies:
            # The same in whatever order they were named.
            copies.sort(key=head_of)
            yield from _bringing(project, copies, merged, preview)
    return merged


def describe_merge(merged: Merged, *, preview: bool = False) -> list[str]:
    """What came, what is the same and what waits in the queue, in sentences."""
    be, came = ("Would be {}", "would come") if preview else ("{}", "came")
    kinds = {**KINDS, **_SCHEME}
    pieces = []

    def say(what: str, numbers: Counter[str]) -> None:
        parts = [counted(number, *kinds[table]) for table, number in numbers.items() if table in kinds]
        if parts:
            pieces.append(f"{what[0].upper()}{what[1:]}: {', '.join(parts)}.")

    for what, numbers in (("new", merged.added), ("changed", merged.changed), ("removed", merged.removed)):
        say(be.format(what), +numbers)
    no_longer = "Would no longer be" if preview else "No longer"
    for name, keys in merged.unassigned.items():
        more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
        pieces.append(f"{no_longer} given to {name}: {', '.join(keys[:_NAMED])}{more}.")
    if not pieces:
        pieces.append(f"Nothing new {came}.")
    if merged.same:
        pieces.append(f"{counted(merged.same, 'entry', 'entries')} the same on both sides.")
    say("changed on both sides, one version holds", merged.settled)
    say("deleted in one copy, kept since something stands on it", merged.kept)
    sets = dict.fromkeys((one.annotator, one.copy) for one in merged.conflicts)
    for annotator, copy in sets:
        own = [one for one in merged.conflicts if (one.annotator, one.copy) == (annotator, copy)]
        pieces.append(
            f"{counted(len(own), 'difference')} between versions of {annotator}'s annotations, to be decided "
            f"in the queue of {annotator} and {copy}."
        )
    pieces += [one.sentence for one in merged.refused]
    return pieces


def _same_file(path: Path, other: Path) -> bool:
    return path.exists() and other.exists() and path.samefile(other)


def _sound(project: Project, path: Path) -> Project:
    """Another project, opened to read; raises CasespanError, in a sentence, where it cannot be brought in."""
    from app.store.check import check
    from app.store.unite.standing import scheme_fault

    if _same_file(path, project.path):
        raise CallError(_ITSELF.format(path))
    other = open_project(path, write=False)
    # Nothing of its indexes comes.
    problems = check(path, indexes=False)
    fault = scheme_fault(project, other)
    if problems or fault:
        other.close()
        raise CallError(fault) if fault and not problems else damaged(path, problems[0].message)
    return other


def _brings(project: Project, other: Project, merged: Merged) -> bool:
    """Whether a copy has anything that is not known; if not, all that it has is the same."""
    if not all_known(project, other):
        return True
    merged.same += rows_ever(other)
    return False


def _bringing(
    project: Project, copies: Sequence[Project], merged: Merged, preview: bool
) -> Generator[Progress, None, None]:
    from app.store.unite.branches import indexed
    from app.store.unite.standing import refusals
    from app.store.unite.uniting import Uniting

    names = ", ".join(one.path.name for one in copies)
    try:
        what = f"bring together with {names}"
        with begin_act(project, what, actor(project)) as act, indexed(act):
            uniting = Uniting(act)
            given = _assigned(project)
            for other in copies:
                copy = yield from reading_copy(project, other)
                refused = refusals(project, other, copy)
                merged.refused += [Refused(str(other.path), one.report, one.reason) for one in refused]
                branches = keep_branch(act, other, copy.known, other.path.name)
                away = frozenset(one.document for one in refused)
                yield from uniting.taking(other, copy, away, branches)
            yield from uniting.settling()
            lay_out_versions(act, uniting.pairs)
            clear_statements(act, uniting.pairs)
            _amend(act, uniting.amended)
            _count(merged, uniting)
            left = _assigned(project)
            gone = [one for pair, one in given.items() if pair not in left]
            merged.unassigned = {name: [key for who, key in gone if who == name] for name, _ in gone}
            merged.conflicts = tuple(_conflicts(project, {document for document, _ in uniting.pairs}))
            yield from act.writing_history()
            if preview:
                raise _OnlyLooking
        close_to_others(project)
    except _OnlyLooking:
        pass


def _count(merged: Merged, uniting: Uniting) -> None:
    merged.added, merged.changed, merged.removed = uniting.added, +uniting.changed, +uniting.removed
    merged.same += uniting.same
    merged.settled = Counter(table for table, _ in set(uniting.settled) if table != "scheme_file")
    merged.kept = Counter(table for table, _ in set(uniting.kept))


def _assigned(project: Project) -> dict[tuple[str, str], tuple[str, str]]:
    """Who (name) was given what (key), by UUIDs."""
    from app.store.unite.packets import assignments

    names = {one.uuid: one.name for one in annotators(project)}
    keys = {one.uuid: one.key for one in document_summaries(project)}
    given = assignments(project)
    return {(one.annotator, one.document): (names[one.annotator], keys[one.document]) for one in given}


def _conflicts(project: Project, documents: Iterable[str]) -> Generator[Conflict, None, None]:
    """What stands in the queues of annotators and the sets of their other versions, in these reports."""
    wanted = set(documents)
    reports = [one for one in document_summaries(project) if one.uuid in wanted]
    for one in other_sets(project):
        (holder, name), (copy, copy_name) = one.holder, one.copy
        there = set(reports_of(project, holder))
        for report in (report for report in reports if report.uuid in there):
            ours, theirs = (
                side_cells(project, side, report.uuid).get(report.uuid, {}) for side in (holder, copy)
            )
            left, right = (
                [mark for marks in side.values() for mark in marks]
                for side in shared_cells((holder, copy), ours, theirs, [copy])
            )
            for found in differences(report.key, report.uuid, (holder, copy), left, right)[1]:
                yield Conflict(report.key, found.kind, found.id, name, copy_name)


def _amend(act: Act, guidelines: Iterable[str]) -> None:
    """Guidelines that were amended on both sides get every clause and example, in order."""
    from app.store.reconcile.amendments import amendments, guideline_text, put_guideline
    from extractors.model.amending import amended, read_example

    for category in sorted(name.removesuffix(".md") for name in guidelines):
        made = amendments(act.project, category)
        text = guideline_text(act.project, made[0].before_sha256) if made else ""
        for one in made:
            for clause, example in ((one.clause, ""), ("", one.example)):
                try:
                    if clause or example:
                        worked = read_example(example) if example else None
                        text = amended(text, one.section, clause, worked)
                except SchemeError:
                    continue  # both sides said the same
        if text:
            put_guideline(act, category, text)
