"""Packets and copies brought back together: nothing is lost, and no order of theirs matters."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from shutil import copyfile
from typing import Literal

import pytest

from app.operations.annotate.concepts import clear_concept, set_concept
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    move_span,
    remove_spans,
    set_review_state,
    set_section_categories,
    set_span_note,
    set_span_polarity,
    state_nothing_found,
)
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import import_reports
from app.operations.exchange.merging import Conflict, Merged, Refused, bring_together, describe_merge
from app.operations.exchange.packets import assign, cut_packets
from app.operations.guidelines.amendments import amend_guideline
from app.operations.project.files import check_project, create_project, list_project
from app.operations.project.history import list_history, undo_change
from app.operations.project.reports import delete_reports, list_assignments, rename_report
from app.operations.reconcile.queue import read_queue
from app.operations.review.verdicts import judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.reviews import ReviewState
from app.store.copies.backups import backups_of
from app.store.extract.runs import finish_run, start_run
from app.store.history import undo
from app.store.project import Project
from app.store.reconcile.amendments import amendments, guideline_text
from app.store.reconcile.verdicts import verdicts
from app.store.study.items import add_items, builds, guards, mark
from app.store.values import canonical
from extractors.assets import asset
from extractors.model.finding import Finding
from extractors.model.progress import finished
from tests.builders import ME, Kept

VERDICTS: tuple[Literal["rejected", "accepted"], ...] = ("rejected", "accepted")
CATEGORIES = ("Vitals_Hema", "Pregnancy", "EENT")


def build(kept: Kept, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return kept.copy(four_reports, folder / "study.casespan")


def four_reports(path: Path) -> None:
    create_project(path, ME)
    samples = asset("resources", "demo", "reports")
    names = ("PMC99000001.xml", "PMC99000002.xml", "PMC99000003.xml", "PMC99000004.xml")
    finished(import_reports(path, [Path(samples / name) for name in names]))


def merge(project: Path, *others: Path, preview: bool = False) -> Merged:
    return finished(bring_together(project, others, preview=preview))


@dataclass(frozen=True, slots=True)
class State:
    """What must not depend on the order of merging: everybody's export, and every queue by its ids."""

    exports: dict[str, str]
    queues: dict[tuple[str, str], set[str]]
    reviews: set[tuple[object, ...]]
    guidelines: tuple[str, ...]


def state_of(path: Path) -> State:
    overview = list_project(path)
    names = {one.uuid: one.name for one in overview.annotators}
    busy = {name for name in names.values()}
    exports, queues = {}, {}
    out = path.with_name("out.jsonl")
    for name in sorted(busy):
        export_annotations(path, out, "jsonl", name)
        exports[name] = out.read_text("utf-8")
    for left, right in combinations(sorted(busy), 2):
        if right.startswith(f"{left} (copy"):
            queues[left, right] = set(read_queue(path, left, right).differences)
    with Project.open(path) as project:
        guidelines = tuple(one.guideline for one in project.scheme.categories)
    reviews: set[tuple[object, ...]] = {
        (one.document, names[one.annotator], one.state, one.nothing_found) for one in overview.reviews
    }
    return State(exports, queues, reviews, guidelines)


def spans_in(project: Project, report: str, annotator: str) -> list[str]:
    return [one.uuid for one in open_report(project, report, annotator).annotations]


class Annotator:
    """Somebody at work in a copy, at random but the same for the same seed."""

    def __init__(self, path: Path, name: str, seed: int) -> None:
        self.path, self.name, self.chance = path, name, random.Random(seed)

    def work(self, acts: int) -> None:
        with Project.open(self.path, write=True) as project:
            # Few reports, so that they meet.
            keys = [one.key for one in list_project(project).documents][:3]
            for _ in range(acts):
                report = self.chance.choice(keys)
                own = spans_in(project, report, self.name)
                deed = self.chance.choice((self.add, self.add, self.move, self.mend, self.remove, self.judge))
                deed(project, report, own)

    def add(self, project: Project, report: str, own: Sequence[str]) -> None:
        # Few places, so that several people and copies label the same.
        start = self.chance.randrange(6) * 20
        place = SpanPlace(report, start, start + 15)
        add_span(
            project, self.name, place, self.chance.choice(CATEGORIES), note=self.chance.choice(("", "?"))
        )

    def move(self, project: Project, report: str, own: Sequence[str]) -> None:
        for uuid in own[:1]:
            start = 200 + self.chance.randrange(40) * 7
            move_span(project, uuid, start, start + 30)

    def mend(self, project: Project, report: str, own: Sequence[str]) -> None:
        for uuid in own[:2]:
            set_span_polarity(project, uuid, self.chance.choice(("present", "negated", "uncertain")))
            set_span_note(project, uuid, self.chance.choice(("", "check", "sure")))

    def remove(self, project: Project, report: str, own: Sequence[str]) -> None:
        remove_spans(project, own[-1:])

    def judge(self, project: Project, report: str, own: Sequence[str]) -> None:
        if not own:
            state_nothing_found(project, self.name, report, "GI")
        set_review_state(project, self.name, report, self.chance.choice(("in progress", "parked", "done")))


def five_copies(study: Path, folder: Path, seed: int) -> list[Path]:
    """Packets of three people, two copies of one of them and one of the project, all worked on apart."""
    Annotator(study, ME, seed).work(12)
    cut = finished(cut_packets(study, folder / "packets", ["Anna", "Ben", "Chloe"]))
    # Everybody gets every report where nothing is said of it.
    assert len({(one.reports, one.words) for one in cut}) == 1
    first = [one.file for one in cut]
    for number, (file, name) in enumerate(zip(first, ("Anna", "Ben", "Chloe"), strict=True)):
        Annotator(file, name, seed + number).work(15)
    laptop = Path(copyfile(first[0], folder / "laptop.casespan"))
    mine = Path(copyfile(study, folder / "mine.casespan"))
    others = [(first[0], "Anna"), (laptop, "Anna"), (mine, ME), (study, ME)]
    for number, (file, name) in enumerate(others, start=10):
        Annotator(file, name, seed + number).work(25)
    amend_guideline(study, ME, "GI", "Include", "Say whether stools were seen.")
    amend_guideline(mine, ME, "GI", "Exclude", "No findings of imaging.")
    return [*first, laptop, mine]


def test_whatever_the_order_of_five_copies_the_same_comes_of_them(kept: Kept, tmp_path: Path) -> None:
    seed, study = 1, build(kept, tmp_path)
    copies = five_copies(study, tmp_path, seed)
    before = state_of(study)
    chance, found = random.Random(seed), []
    for number in range(3):
        order = chance.sample(copies, len(copies))
        whole = Path(copyfile(study, tmp_path / f"whole{number}.casespan"))
        cut = chance.randrange(len(order)) if number else 0
        parts = [order[:cut], *([one] for one in order[cut:])] if number else [order]
        merged = [merge(whole, *part) for part in parts if part]
        assert not [one.refused for one in merged if one.refused]
        assert check_project(whole) == []
        found.append(state_of(whole))
        if number == 0:
            # Nothing is lost: whoever annotated apart has all of it, and every conflict is in a queue.
            assert found[0].exports["Ben"] == state_of(order[order.index(copies[1])]).exports["Ben"]
            queued = set().union(*found[0].queues.values())
            assert {one.id for one in merged[0].conflicts} == queued
            assert queued
            assert merge(whole, *order).brings is False
            undo_change(whole)
            assert state_of(whole) == before
            assert check_project(whole) == []
    for other in found[1:]:
        assert other == found[0]


def test_a_packet_comes_back_as_often_as_it_was_worked_on_and_brings_each_time_what_is_new(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    cutting = cut_packets(study, tmp_path / "packets", ["Ben", "Dora"])
    next(cutting)
    cutting.close()
    assert not (tmp_path / "packets").exists(), "nothing is left of what was closed early"
    (cut,) = finished(cut_packets(study, tmp_path / "packets", ["Ben"]))
    ben = Annotator(cut.file, "Ben", 5)
    for number in range(3):
        ben.work(8)
        Annotator(study, ME, number).work(4)
        older = Path(copyfile(cut.file, tmp_path / f"older{number}.casespan"))
        before = state_of(study)
        steps = bring_together(study, [cut.file])
        next(steps)
        next(steps)
        steps.close()
        assert state_of(study) == before
        merged = merge(study, cut.file)
        assert merged.brings
        assert merged.conflicts == ()
        assert state_of(study).exports["Ben"] == state_of(cut.file).exports["Ben"]
        assert not merge(study, older).brings
    with Project.open(study, write=True) as project:
        set_review_state(project, "Ben", list_project(study).documents[0].key, "parked")
    (given,) = list_assignments(study)
    assert (given.annotator, given.reports) == ("Ben", cut.reports)
    states = [state for _, name, state, *_ in state_of(study).reviews if name == "Ben"]
    assert given.done == states.count("done")
    assert given.in_progress == states.count("in progress") + states.count("parked")
    assert check_project(study) == []


def test_who_is_no_longer_given_which_reports_is_said_by_name(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    cuts = finished(cut_packets(study, tmp_path / "all", ["Ben"]))
    cuts += finished(cut_packets(study, tmp_path / "halves", ["Zoe", "Yan"], overlap=1))
    given = {cut.annotator: [one.key for one in list_project(cut.file).documents] for cut in cuts}
    copy = Path(copyfile(study, tmp_path / "copy.casespan"))
    undo_change(copy)
    undo_change(copy)
    for preview, words in ((True, "Would no longer be given to Ben"), (False, "No longer given to Ben")):
        merged = merge(study, copy, preview=preview)
        assert {name: sorted(keys) for name, keys in merged.unassigned.items()} == given
        assert f"{words}: {', '.join(given['Ben'][:3])} and {len(given['Ben']) - 3} more." in describe_merge(
            merged, preview=preview
        )


def test_each_report_goes_to_as_many_annotators_as_are_wanted_alike_in_words() -> None:
    chance = random.Random(3)
    words = {str(number): chance.randrange(200, 3000) for number in range(60)}
    names = ["Anna", "Ben", "Chloe", "Dana"]
    given = assign(words, names, 2, 7)
    assert Counter(report for own in given.values() for report in own) == dict.fromkeys(words, 2)
    loads = [sum(words[report] for report in own) for own in given.values()]
    assert max(loads) - min(loads) < max(words.values())
    assert given == assign(words, names, 2, 7) != assign(words, names, 2, 8)
    uneven = assign({"long": 900, **dict.fromkeys("abcdefghi", 100)}, names[:2], 1, 7)
    assert sorted(map(len, uneven.values())) == [1, 9]


def both_orders(study: Path, first: Path, second: Path) -> list[State]:
    found = []
    for number, order in enumerate(((first, second), (second, first))):
        whole = Path(copyfile(study, study.with_name(f"order{number}.casespan")))
        for one in order:
            merge(whole, one)
        found.append(state_of(whole))
    return found


def test_runs_of_one_name_are_told_apart_alike_whichever_comes_first(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    copies = []
    for name, settings in (("a", "ab"), ("b", "ba")):
        copies.append(Path(copyfile(study, tmp_path / f"{name}.casespan")))
        for said in settings:
            with Project.open(copies[-1], write=True) as project, begin_act(project, "run", "rules") as act:
                holder = ensure_annotator(act, "rules", "run").uuid
                run = start_run(act, holder, "rules", "rules", {"of": said}, "1").uuid
                finish_run(act, run, "done")
    one, other = both_orders(study, *copies)
    assert one == other
    names = sorted(name for name in one.exports if name.startswith("rules"))
    assert names[0] == "rules"
    assert len(names) == 2
    assert sorted(map(len, names)) == [5, 14]


def test_a_report_that_a_copy_refused_does_not_come_with_the_history_of_that_copy(
    kept: Kept, tmp_path: Path
) -> None:
    study, other = build(kept, tmp_path), tmp_path / "other.casespan"
    copy = Path(copyfile(study, tmp_path / "copy.casespan"))
    report = tmp_path / "PMC99000001.txt"
    report.write_text("Another text under the same name.\n", "utf-8")
    create_project(other, "Xena")
    finished(import_reports(other, [report]))
    assert [one.report for one in merge(copy, other).refused] == [report.stem]
    before = [one.key for one in list_project(study).documents]
    merge(study, copy)
    assert [one.key for one in list_project(study).documents] == before


def test_reports_that_come_together_have_keys_that_neither_another_nor_one_here_has(
    kept: Kept, tmp_path: Path
) -> None:
    study, other = build(kept, tmp_path), create_project(tmp_path / "other.casespan", "Xena")
    for key in ("new", "new-2"):
        (tmp_path / f"{key}.txt").write_text(f"The words of {key}.\n", "utf-8")
        finished(import_reports(other, [tmp_path / f"{key}.txt"]))
    with Project.open(study, write=True) as project:
        rename_report(project, "PMC99000001", key="new")
    merge(study, other)
    assert {"new", "new-2"} < {one.key for one in list_project(study).documents}
    assert check_project(study) == []


def asked(path: Path, of: int, name: str = "tiny") -> None:
    with Project.open(path, write=True) as project, begin_act(project, "run", name) as act:
        settings = {"of": of}
        holder = ensure_annotator(act, name, "run", canonical(settings)).uuid
        finish_run(act, start_run(act, holder, "rules", name, settings, "1").uuid, "done")


@pytest.mark.parametrize("third", [(2, "third"), (1, "other"), (1, "third")])
def test_a_run_that_is_called_as_another_comes_to_be_called_is_told_apart_from_it(
    kept: Kept, tmp_path: Path, third: tuple[int, str]
) -> None:
    study, marked = build(kept, tmp_path), "tiny (6ee524)"
    copies = [Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in ("one", "other", "third")]
    for of, file, name in ((0, "one", "tiny"), (1, "other", "tiny"), (*third, marked)):
        asked(tmp_path / f"{file}.casespan", of, name)
    for number, order in enumerate((copies, copies[::-1])):
        whole = Path(copyfile(study, tmp_path / f"whole{number}.casespan"))
        for copy in order:
            merge(whole, copy)
        names = sorted(one.name for one in list_project(whole).annotators if one.kind == "run")
        assert names == ["tiny", marked, f"{marked} (6ee524)"]


def test_a_run_is_not_taken_for_a_person_of_its_name(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    copies = [Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in ("one", "other")]
    asked(copies[0], 1)
    with Project.open(copies[1], write=True) as project, begin_act(project, "add", "tiny") as act:
        ensure_annotator(act, "tiny", "person")
    for number, order in enumerate((copies, copies[::-1])):
        whole = Path(copyfile(study, tmp_path / f"whole{number}.casespan"))
        for copy in order:
            merge(whole, copy)
        kinds = {one.name: one.kind for one in list_project(whole).annotators}
        assert kinds == {ME: "person", "tiny": "person", "tiny (6ee524)": "run"}


def test_a_run_under_a_name_that_came_with_a_copy_makes_no_other_run_of_its_set(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    one, other = (Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in ("one", "other"))
    asked(one, 1)
    merge(study, one)
    asked(study, 0)
    asked(other, 0)
    merge(study, other)
    names = [one.name for one in list_project(study).annotators if one.kind == "run"]
    assert len(names) == 2
    assert min(names) == "tiny"
    assert max(names).startswith("tiny (")


def test_a_span_is_told_from_one_that_was_known_where_it_was_made_whenever_that_is_learnt(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    report = list_project(study).documents[0].key
    laptop = Path(copyfile(study, tmp_path / "laptop.casespan"))
    for path in (laptop, study):
        if path == study:
            (ben,) = finished(cut_packets(laptop, tmp_path / "ben", ["Ben"]))
            (dora,) = finished(cut_packets(ben.file, tmp_path / "dora", ["Dora"]))
            merge(study, dora.file)
        with Project.open(path, write=True) as project:
            add_span(project, ME, SpanPlace(report, 20, 29), "GI")
    with Project.open(laptop, write=True) as project:
        (span,) = open_report(project, report, ME).annotations
        set_span_polarity(project, span.uuid, "negated")
    one, other = both_orders(study, laptop, ben.file)
    assert one == other


def test_what_a_copy_brings_is_counted_by_kind_and_what_was_said_alike_is_nothing_new(
    kept: Kept, tmp_path: Path
) -> None:
    study, report = labelled(kept, tmp_path)
    copies = [Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in "ab"]
    for number, path in enumerate(copies):
        with Project.open(path, write=True) as project:
            (span,) = open_report(project, report, ME).annotations
            set_span_polarity(project, span.uuid, "negated")
            state_nothing_found(project, ME, report, "DERM")
            if number:
                add_span(project, ME, SpanPlace(report, 30, 39), "EENT")
    assert merge(study, *copies, preview=True).brings
    assert backups_of(study) == [], "what changes nothing keeps no copy"
    first, second = (merge(study, path) for path in copies)
    assert (first.added, first.removed) == (Counter(), Counter())
    assert {table for table, number in first.changed.items() if number} == {"annotation", "review"}
    assert +second.added == Counter(annotation=1)
    assert +second.changed == +second.removed == Counter()
    assert not merge(study, *copies).brings
    last = Path(copyfile(study, tmp_path / "c.casespan"))
    with Project.open(last, write=True) as project:
        remove_spans(project, spans_in(project, report, ME)[:1])
    third = merge(study, last)
    assert (+third.added, +third.changed, +third.removed) == (Counter(), Counter(), Counter(annotation=1))


def test_what_both_sides_changed_counts_once_and_the_order_of_names_tells_nothing(
    kept: Kept, tmp_path: Path
) -> None:
    study, report = labelled(kept, tmp_path)
    copies = [Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in "ab"]
    states: tuple[ReviewState, ...] = ("parked", "done")
    for path, state in zip(copies, states, strict=True):
        with Project.open(path, write=True) as project:
            set_review_state(project, ME, report, state)
        amend_guideline(path, ME, "GI", "Include", f"What is {state}.")
    other = Path(copyfile(study, tmp_path / "other.casespan"))
    # A guideline has the clauses of both: there is no version that holds.
    assert merge(study, *copies).settled == merge(other, *copies[::-1]).settled == Counter(review=1)
    assert list_history(study)[-1].name == list_history(other)[-1].name


def test_what_a_copy_made_of_what_came_into_it_is_no_conflict_with_that(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    with Project.open(study, write=True) as project:
        report = list_project(study).documents[0].key
        for start in (0, 20):
            add_span(project, ME, SpanPlace(report, start, start + 9), "GI")
        (first, second) = [one.uuid for one in open_report(project, report, ME).annotations]
    ben, mixed = (Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in ("ben", "mixed"))
    with Project.open(ben, write=True) as project:
        set_span_note(project, first, "?")
        remove_spans(project, [second])
        new = add_span(project, ME, SpanPlace(report, 40, 49), "GI").added[0].uuid
        gone = add_span(project, ME, SpanPlace(report, 60, 69), "GI").added[0].uuid
    merge(mixed, ben)
    laptop = Path(copyfile(ben, tmp_path / "laptop.casespan"))
    with Project.open(laptop, write=True) as project:
        remove_spans(project, [gone])
    with Project.open(mixed, write=True) as project:
        set_span_polarity(project, first, "negated")
        remove_spans(project, [new])
    one, other = both_orders(study, ben, mixed)
    assert one == other
    assert one.exports == state_of(mixed).exports
    assert not any(one.queues.values())
    one, other = both_orders(study, laptop, mixed)
    assert one == other != state_of(mixed)


def labelled(kept: Kept, tmp_path: Path) -> tuple[Path, str]:
    """A study in whose first report a span is labelled, and that report's key."""
    study = build(kept, tmp_path)
    report = list_project(study).documents[0].key
    with Project.open(study, write=True) as project:
        add_span(project, ME, SpanPlace(report, 0, 9), "GI")
    return study, report


def set_section(path: Path, report: str, category: str) -> None:
    with Project.open(path, write=True) as project:
        set_section_categories(project, ME, report, 0, [category])


def test_a_section_that_a_packet_only_has_from_its_own_packet_is_not_taken_for_its_work(
    kept: Kept, tmp_path: Path
) -> None:
    study, report = labelled(kept, tmp_path)
    (ben,) = finished(cut_packets(study, tmp_path / "ben", ["Ben"]))
    set_section(ben.file, report, "Vitals_Hema")
    (dora,) = finished(cut_packets(ben.file, tmp_path / "dora", ["Dora"]))
    set_section(ben.file, report, "GI")
    one, other = both_orders(study, ben.file, dora.file)
    assert one == other
    assert '"categories": ["GI"]' in one.exports[ME]


def test_what_somebody_set_is_not_lost_to_a_copy_that_went_on_from_what_another_had_set(
    kept: Kept, tmp_path: Path
) -> None:
    study, report = labelled(kept, tmp_path)
    first, second, third = (Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in "abc")
    set_section(first, report, "EENT")
    merge(second, first)
    set_section(second, report, "RESP")
    set_section(third, report, "GI")
    found = []
    for number, order in enumerate(((first, third, second), (second, third))):
        whole = Path(copyfile(study, tmp_path / f"whole{number}.casespan"))
        for one in order:
            merge(whole, one)
        found.append(state_of(whole))
    assert found[0] == found[1]


def test_what_copies_made_of_reports_and_people_apart_is_the_same_in_every_order(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    first, second, third, fourth, *_ = (one.key for one in list_project(study).documents)
    with Project.open(study, write=True) as project:
        span = add_span(project, ME, SpanPlace(first, 0, 9), "GI").added[0].uuid
    copies = [Path(copyfile(study, tmp_path / f"copy{number}.casespan")) for number in range(3)]
    extra = tmp_path / "extra.txt"
    extra.write_text("A man of 40 years with fever and cough.")
    other = tmp_path / "other.txt"
    other.write_text("A woman of 50 years without fever.")
    for number, copy in enumerate(copies):
        if number < 2:
            finished(import_reports(copy, [other, extra]))
        with Project.open(copy, write=True) as project:
            if number < 2:
                add_span(project, "Ben", SpanPlace("extra", 22, 27), "Neuro")
            if number == 0:
                rename_report(project, second, key="seen")
                set_section_categories(project, ME, second, 0, ["GI"])
                set_concept(project, span, "HPO", "HP:0001250")
            elif number == 1:
                rename_report(project, first, title="Renamed")
                set_section_categories(project, ME, fourth, 0, ["GI"])
                set_review_state(project, ME, third, "done")
                add_span(project, ME, SpanPlace("extra", 2, 5), "Neuro")
            else:
                finished(import_reports(project, [extra]))
                undo_change(project)
                delete_reports(project, [first])
                delete_reports(project, [second])
                delete_reports(project, [third])
                finished(import_reports(project, [asset("resources", "demo", "reports")]))
                delete_reports(project, [first, fourth])
    states, queues = [], []
    for number, order in enumerate((copies, copies[::-1])):
        whole = Path(copyfile(study, tmp_path / f"whole{number}.casespan"))
        for one in order:
            merge(whole, one)
        assert check_project(whole) == []
        states.append((state_of(whole), [one.key for one in list_project(whole).documents]))
        queues.append(sorted(read_queue(whole, ME, "Ben").differences))
        assert {first, "seen", third, fourth, "extra"} <= {one.key for one in list_project(whole).documents}
    assert states == [states[0]] * 2
    assert queues == [queues[0]] * 2
    assert queues[0]


def test_a_report_that_a_copy_renamed_to_what_another_brings_is_no_other_text_of_it(
    kept: Kept, tmp_path: Path
) -> None:
    study, extra = build(kept, tmp_path / "study"), tmp_path / "extra.txt"
    extra.write_text("A girl of four had fever and a rash.", encoding="utf-8")
    bringing, renaming = (Path(copyfile(study, tmp_path / f"{one}.casespan")) for one in "br")
    finished(import_reports(bringing, [extra]))
    with Project.open(renaming, write=True) as project:
        first = list_project(renaming).documents[0].key
        rename_report(project, first, key="extra")
    keys = []
    for number, copies in enumerate(((bringing, renaming), (renaming, bringing))):
        whole = Path(copyfile(study, tmp_path / f"{number}.casespan"))
        assert merge(whole, *copies).refused == []
        keys.append({one.title: one.key for one in list_project(whole).documents})
    assert keys[0] == keys[1]
    assert len(keys[0]) == 5


def test_a_report_that_a_copy_deleted_goes_unless_something_was_said_of_it_here(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    first, second = (one.key for one in list_project(study).documents[:2])
    copy = Path(copyfile(study, tmp_path / "copy.casespan"))
    delete_reports(copy, [first, second])
    with Project.open(study, write=True) as project:
        add_span(project, ME, SpanPlace(second, 0, 9), "GI")
    merged = merge(study, copy)
    left = {one.key for one in list_project(study).documents}
    assert (first in left, second in left) == (False, True)
    assert (merged.removed["document"], merged.removed["annotation"]) == (1, 0)
    assert merged.kept["document"] == 1, "what stays though a copy took it out is told"
    assert check_project(study) == []
    undo_change(study)
    assert first in {one.key for one in list_project(study).documents}


def test_a_copy_that_comes_again_after_an_undo_leaves_no_fault(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    report = list_project(study).documents[0].key
    first, second = (Path(copyfile(study, tmp_path / f"{name}.casespan")) for name in "ab")
    for start in (0, 20):
        with Project.open(first, write=True) as project:
            add_span(project, ME, SpanPlace(report, start, start + 9), "GI")
        merge(study if start else second, first)
    undo_change(study)
    merge(study, second)
    merge(study, first)
    assert check_project(study) == []


def test_nothing_waits_where_all_took_out_a_span_that_stands_for_its_concept(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    report = list_project(study).documents[0].key
    with Project.open(study, write=True) as project:
        span = add_span(project, ME, SpanPlace(report, 0, 9), "GI").added[0].uuid

    def copied(of: Path, work: Callable[[Project], object]) -> Path:
        copy = Path(copyfile(of, tmp_path / f"{len(list(tmp_path.iterdir()))}.casespan"))
        with Project.open(copy, write=True) as project:
            work(project)
        return copy

    changed = copied(study, lambda one: set_span_polarity(one, span, "negated"))
    without = copied(study, lambda one: remove_spans(one, [span]))
    coded = copied(study, lambda one: set_concept(one, span, "HPO", "HP:0001250"))
    merge(study, changed, without, coded)
    merge(study, copied(changed, lambda one: remove_spans(one, [span])))
    with Project.open(study) as project:
        assert project.tuples("SELECT uuid FROM annotation WHERE uuid = ?", [span])
        assert project.tuples("SELECT uuid FROM other_version") == []


def test_undo_brings_the_concepts_of_a_span_back_in_their_order(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    with Project.open(study, write=True) as project:
        report = list_project(study).documents[0].key
        span = add_span(project, ME, SpanPlace(report, 0, 9), "GI").added[0].uuid
        set_concept(project, span, "HPO", "HP:0001250")
    coded = Path(copyfile(study, tmp_path / "coded.casespan"))
    with Project.open(coded, write=True) as project:
        set_concept(project, span, "HPO", "HP:0000252", beside=True)
    merge(study, coded)
    before = state_of(study)
    with Project.open(study, write=True) as project:
        codes = project.tuples("SELECT code FROM concept ORDER BY rowid")
        assert codes == [("HP:0001250",), ("HP:0000252",)], "as they were made"
        clear_concept(project, span, "HPO", "HP:0001250")
        undo_change(project)
        remove_spans(project, [span])
        undo_change(project)
    assert state_of(study) == before
    copy = Path(copyfile(study, tmp_path / "copy.casespan"))
    with Project.open(copy, write=True) as project:
        clear_concept(project, span, "HPO", "HP:0001250")
    merge(study, copy)
    undo_change(study)
    assert state_of(study) == before


def test_the_concepts_of_a_span_stand_in_one_order_whichever_copy_is_brought_in(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    with Project.open(study, write=True) as project:
        report = list_project(study).documents[0].key
        span = add_span(project, ME, SpanPlace(report, 0, 9), "GI").added[0].uuid
    other = Path(copyfile(study, tmp_path / "other.casespan"))
    for path, code in ((study, "HP:0001250"), (other, "HP:0000252")):
        with Project.open(path, write=True) as project:
            set_concept(project, span, "HPO", code)
    copy = Path(copyfile(study, tmp_path / "copy.casespan"))
    merge(study, other)
    merge(other, copy)
    found = []
    for path in (study, other):
        with Project.open(path) as project:
            found.append(project.tuples("SELECT code FROM concept ORDER BY rowid"))
    assert len(found[0]) == 2
    assert found[0] == found[1]


def test_every_licence_of_what_is_brought_in_guards_the_project_also_once_it_is_undone(
    tmp_path: Path,
) -> None:
    study, licences = create_project(tmp_path / "study.casespan", ME), ["A", "B"]
    copies = [Path(copyfile(study, tmp_path / f"{licence}.casespan")) for licence in licences]
    for copy, licence in zip(copies, licences, strict=True):
        with Project.open(copy, write=True) as project, begin_act(project, "build", ME) as act:
            mark(act, [licence])
            add_items(act, "toy", [], "", {"by": licence})
    # What guarded a copy once guards it still.
    with Project.open(copies[0], write=True) as project:
        with begin_act(project, "build", ME) as act:
            mark(act, ["C"])
        undo(project, ME)
    study.chmod(0o644)
    merge(study, *copies)
    assert os.name != "posix" or study.stat().st_mode & 0o077 == 0
    with Project.open(study) as project:
        # Builds that brought no item are each one of its own.
        assert sorted(one.summary["by"] for one in builds(project, "toy")) == licences
    undo_change(study)
    with Project.open(study) as project:
        assert guards(project) == [*licences, "C"]


def test_a_packet_holds_none_of_what_others_say_of_its_reports(kept: Kept, tmp_path: Path) -> None:
    study = build(kept, tmp_path)
    with Project.open(study, write=True) as project:
        report = list_project(study).documents[0].key
        span = add_span(project, "Dr Ruiz", SpanPlace(report, 0, 9), "GI").added[0].uuid
        set_concept(project, span, "HPO", "HP:0001250")
        state_nothing_found(project, "Dr Ruiz", report, "DERM")
    for clause in ("Stools.", "Nausea."):
        amend_guideline(study, ME, "GI", "Include", clause)
    _, packet = finished(cut_packets(study, tmp_path / "packets", ["Ben", "Chloe"], overlap=1))
    with Project.open(packet.file) as project:
        assert project.owner == packet.annotator == "Chloe"
        (own,) = project.tuples("SELECT DISTINCT annotator FROM assignment")
        assert project.tuples("SELECT uuid FROM annotator WHERE name = 'Chloe'") == [own]
        # Every version of a guideline is there to be read.
        for one in amendments(project):
            assert all(guideline_text(project, digest) for digest in (one.before_sha256, one.after_sha256))
        for table in ("annotation", "concept", "review"):
            assert project.query(f"SELECT * FROM {table}") == []


def test_nobody_states_that_there_is_nothing_where_a_copy_brings_what_was_found(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    copy, report = Path(copyfile(study, tmp_path / "copy.casespan")), list_project(study).documents[0].key
    with Project.open(study, write=True) as project:
        for category in ("GI", "DERM"):
            state_nothing_found(project, ME, report, category)
    with Project.open(copy, write=True) as project:
        add_span(project, ME, SpanPlace(report, 0, 9), "GI")
    merge(study, copy)
    with Project.open(study) as project:
        assert open_report(project, report, ME).review.nothing_found == ("DERM",)


def test_of_two_verdicts_of_one_person_on_a_span_one_holds_whichever_copy_comes_first(
    kept: Kept, tmp_path: Path
) -> None:
    study = build(kept, tmp_path)
    with Project.open(study, write=True) as project:
        report = list_project(study).documents[0]
        with begin_act(project, "run", ME) as act:
            run = ensure_annotator(act, "tiny/ucp", "run").uuid
            found = Finding("GI", open_report(project, report.key, ME).text[:9], 0, 9)
            span = add_annotations(act, report.uuid, run, [found], "model")[0].uuid
    copies = []
    for word in VERDICTS:
        copies.append(Path(copyfile(study, tmp_path / f"{word}.casespan")))
        with Project.open(copies[-1], write=True) as project:
            judge_spans(project, ME, [span], word)
    one, other = both_orders(study, *copies)
    assert one == other
    for number in "01":
        with Project.open(tmp_path / f"order{number}.casespan") as project:
            assert [each.annotation for each in verdicts(project)] == [span]


def test_what_came_is_said_by_kind_and_nothing_of_a_kind_of_which_nothing_came() -> None:
    merged = Merged(added=Counter(annotation=2, review=0), same=1)
    assert describe_merge(merged) == ["New: 2 annotations.", "1 entry the same on both sides."]
    assert describe_merge(Merged(), preview=True) == ["Nothing new would come."]
    moved = Merged(changed=Counter(review=1), removed=Counter(annotation=1))
    assert describe_merge(moved) == ["Changed: 1 review state.", "Removed: 1 annotation."]
    assert describe_merge(moved, preview=True)[0] == "Would be changed: 1 review state."
    one = Counter(annotation=1)
    assert all(made.brings for made in (Merged(added=one), Merged(changed=one), Merged(removed=one)))
    assert not Merged(same=2, settled=one, kept=one).brings


def test_what_waits_is_counted_by_the_two_sets_and_a_file_that_did_not_come_is_named_once() -> None:
    merged = Merged(same=2, settled=Counter(document=1, review=2), kept=Counter(document=2))
    merged.conflicts = tuple(
        Conflict(report, "boundary", report, name, f"{name} (copy)")
        for report, name in (("R1", "Ann"), ("R2", "Ben"), ("R3", "Ann"))
    )
    merged.refused = [
        Refused("a.casespan", "", "It is damaged."),
        Refused("a.casespan", "R1", "its text differs."),
        Refused("a.casespan", "", "a.casespan is no project."),
    ]
    assert describe_merge(merged) == [
        "Nothing new came.",
        "2 entries the same on both sides.",
        "Changed on both sides, one version holds: 1 report, 2 review states.",
        "Deleted in one copy, kept since something stands on it: 2 reports.",
        *(
            f"{number} between versions of {name}'s annotations, to be decided in the queue of {name} and "
            f"{name} (copy)."
            for number, name in (("2 differences", "Ann"), ("1 difference", "Ben"))
        ),
        "a.casespan: It is damaged.",
        "a.casespan: R1: its text differs.",
        "a.casespan is no project.",
    ]
