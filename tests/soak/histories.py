"""Copies and packets worked on apart at random, brought into each other, then together in random orders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random
from shutil import copyfile, move
from typing import TypeVar
from unittest.mock import patch
from uuid import UUID

from app.operations.annotate.concepts import clear_concept, set_concept
from app.operations.annotate.exposure import disclose
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    move_span,
    relabel_span,
    remove_spans,
    set_review_state,
    set_section_categories,
    set_span_note,
    set_span_polarity,
    state_nothing_found,
)
from app.operations.bias.seeding import plant_errors
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import ImportOptions, import_reports
from app.operations.exchange.labels import meaning_of, set_labels
from app.operations.exchange.merging import bring_together
from app.operations.exchange.packets import cut_packets
from app.operations.guidelines.amendments import amend_guideline
from app.operations.project.files import create_project
from app.operations.project.history import redo_change, undo_change
from app.operations.project.reports import delete_reports, rename_report
from app.operations.rate.ratings import rate_output
from app.operations.reconcile.decisions import Resolution, decide
from app.operations.reconcile.gold import build_gold
from app.operations.reconcile.queue import read_queue
from app.operations.review.verdicts import judge_spans
from app.reconcile.gold import Choice
from app.store.act import begin_act
from app.store.annotate.anchors import add_guess, tick_pictures
from app.store.annotate.annotations import Annotation, add_annotations, read_annotations
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.annotate.reviews import ReviewState
from app.store.check import check
from app.store.extract.prompts import keep_prompt
from app.store.extract.runs import Answer, CallRecord, add_generation, finish_run, put_answer, runs, start_run
from app.store.project import Project
from app.store.reports.documents import StoredDocument, documents
from app.store.reports.figures import Region, add_region, keep_picture, regions, set_figures, stored_figures
from app.store.study.items import ItemRating, add_items, builds, items, put_rating
from app.store.values import canonical, new_uuid
from extractors.model.errors import CasespanError
from extractors.model.figure import Figure, FigureImage
from extractors.model.finding import POLARITIES, Finding
from extractors.model.progress import finished

_PEOPLE = ("Ana", "Ben", "Chloe")
_CATEGORIES = ("GI", "Neuro", "RESP")
_CODES = ("HP:0001250", "HP:0000252", "HP:0001945")
_TEXT = (
    "Report {}\n\nIntroduction\n\nA man of 40 years came with fever, cough and pain in the chest.\n\nCase\n\n"
    "He had nausea, vomiting and headache for some days. Nothing else was seen by anybody.\n"
)
_MOST_COPIES = 7
# Kinds of work; more often what meets others most.
_ACTS = (
    *("add", "add", "add", "move", "relabel", "polarity", "note", "remove", "undo", "redo", "title", "key"),
    *("delete", "bring", "section", "section", "concept", "concept", "plain", "run", "judge", "rate"),
    *("decide", "gold", "nothing", "state", "amend", "look", "carry", "mean"),
)
# Studies, pictures and what else few projects have.
MORE = (
    *_ACTS,
    *("ask", "ask", "ask", "call", "call", "value", "value"),
    *("box", "box", "unbox", "guess", "tick", "plant"),
)
Thing = TypeVar("Thing")
# What is said of rows that no export tells of; names stand for UUIDs, which copies give anew.
_ASKED = {
    "reports": "SELECT key, title FROM document ORDER BY position",
    "sections": "SELECT document, position, categories FROM section",
    "reviews": "SELECT document, annotator, state, nothing_found, looked_at FROM review",
    "ratings": "SELECT document, run, rater, scores FROM rating",
    "verdicts": "SELECT document, run, reviewer, verdict FROM verdict",
    "runs": "SELECT name, settings FROM run ORDER BY position",
    "looks": "SELECT document, annotator, shown, state FROM disclosure",
    "guidelines": "SELECT name, text_sha256 FROM scheme_file",
    "decisions": "SELECT document, category, choice, annotator_left, annotator_right FROM decision",
    "labels": "SELECT label, category FROM label_meaning",
    "assignments": "SELECT document, annotator FROM assignment",
    "spans": "SELECT document, annotator, category, span_start, span_end, note, rank FROM annotation",
    "versions": "SELECT document, annotator, version FROM other_version",
    "items": "SELECT study, digest, items FROM build ORDER BY position",
    "answers": "SELECT r.name, i.id, question, value FROM answer a JOIN run r ON r.uuid = a.run "
    "LEFT JOIN item i ON i.uuid = subject ORDER BY a.position",
    "calls": "SELECT r.name, i.id, g.started_at, g.error FROM generation g JOIN run r ON r.uuid = g.run "
    "LEFT JOIN item i ON i.uuid = subject ORDER BY g.position",
    "values": "SELECT i.id, rater, scores FROM item_rating LEFT JOIN item i ON i.uuid = subject ORDER BY "
    "item_rating.position",
    "figures": "SELECT document, digest FROM figures",
    "guesses": "SELECT document, reader, track, part, guess FROM guess",
    "ticks": "SELECT document, picture FROM picture_tick",
    "regions": "SELECT document, annotator, x, y, category, note FROM region",
}


def histories(folder: Path, count: int, steps: int, orders: int, seed: int = 0) -> Iterator[str]:
    """So many random histories, each brought together in so many orders: what is wrong, "" for nothing."""
    for number in range(seed, seed + count):
        (own := folder / f"history{number}").mkdir()
        wrong = apart(own, number, steps, orders, MORE if number % 2 else ())
        yield f"history {number}: {'; '.join(wrong)}" if wrong else ""


def united(folder: Path, seed: int, steps: int = 20) -> Path:
    """One random history brought together into one project, with work of every kind, and more after it."""
    rng = Random(seed)
    with _steady(rng):
        copies = _Copies(folder, rng, MORE)
        for _ in range(steps):
            copies.step()
        study, *others = copies.files
        for file in (*others, study):
            copies.all_kinds(file)
        finished(bring_together(study, others))
        copies.all_kinds(study)
    return study


def apart(folder: Path, seed: int, steps: int, orders: int, acts: Sequence[str] = ()) -> list[str]:
    """What differs between orders of one random history; `acts` are the kinds of work in it, "" for all."""
    rng = Random(seed)
    with _steady(rng):
        copies = _Copies(folder, rng, acts)
        for _ in range(steps):
            copies.step()
        study, *others = copies.files
        before, first, wrong = said(study, folder), dict[str, str](), list[str]()
        for _ in range(orders):
            rng.shuffle(others)
            whole = Path(copyfile(study, folder / "whole.casespan"))
            cuts = sorted(rng.sample(range(1, len(others)), rng.randrange(len(others)))) if others else []
            groups = [others[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
            # One comes twice, which brings nothing.
            came = sum(finished(bring_together(whole, one)).brings for one in (*groups, others[:1]) if one)
            found = said(whole, folder)
            first = first or found
            order = " ".join("+".join(one.stem for one in group) for group in groups)
            wrong += [f"{order}: {name}" for name in first | found if first.get(name) != found.get(name)]
            wrong += [f"{order}: {one.message}" for one in check(whole)]
        if others:
            _undo_all(whole, study)
            wrong += ["undo leaves something"] * (came > 0 and said(whole, folder) != before)
    return wrong


def said(path: Path, folder: Path) -> dict[str, str]:
    """All exports, all queues and what no export tells of, by what it is."""
    found = {}
    with Project.open(path) as project:
        names = {one.uuid: one.name for one in annotators(project)}
        called = {**names, **{one.uuid: one.key for one in documents(project)}}
        for name in names.values():
            export_annotations(project, folder / "out.jsonl", "jsonl", name)
            found[f"export of {name}"] = (folder / "out.jsonl").read_text("utf-8")
        for left, right in combinations(sorted(names.values()), 2):
            try:
                queue = read_queue(project, left, right)
            except CasespanError:
                continue
            items = [(one, queue.decisions.get(one)) for one in sorted(queue.differences)]
            found[f"queue of {left} and {right}"] = repr(items)
        for what, query in _ASKED.items():
            rows = [[called.get(cell, cell) for cell in row] for row in project.tuples(query)]
            found[what] = repr(rows if "ORDER BY" in query else sorted(rows, key=repr))
    return found


def _undo_all(whole: Path, study: Path) -> None:
    """Undo until as many acts stand as stood in the study."""
    with Project.open(study) as project:
        (rows,) = project.tuples("SELECT count(DISTINCT act) FROM history")
    with Project.open(whole, write=True) as project:
        for _ in range(project.tuples("SELECT count(DISTINCT act) FROM history")[0][0] - rows[0]):
            undo_change(project)


@contextmanager
def _steady(rng: Random) -> Iterator[None]:
    """The same UUIDs and times for the same seed; several acts fall into one second."""
    at = datetime(2026, 3, 1, tzinfo=UTC)

    def now() -> str:
        nonlocal at
        at += timedelta(seconds=rng.choice((0, 0, 1, 5)))
        return at.strftime("%Y-%m-%dT%H:%M:%SZ")

    def uuid() -> UUID:
        return UUID(int=rng.getrandbits(128), version=4)

    ends = patch("app.store.extract.runs.now", lambda: at.strftime("%Y-%m-%dT%H:%M:%SZ"))
    with patch("app.store.act.now", now), ends, patch("app.store.values.uuid4", uuid):
        yield


class _Copies:
    """A study and what was copied and cut of it, each with somebody at work in it."""

    def __init__(self, folder: Path, rng: Random, acts: Sequence[str]) -> None:
        self._folder, self._rng = folder, rng
        self._sources = []
        for number in range(5):
            source = folder / f"r{number}.txt"
            source.write_text(_TEXT.format(number), encoding="utf-8")
            self._sources.append(source)
        self._acts = acts or _ACTS
        study = create_project(folder / "study.casespan", "Ana")
        finished(import_reports(study, self._sources[:3]))
        self.files, self._holders = [study], {study: "Ana"}

    def step(self) -> None:
        """Somebody works, or a file is copied, cut or brought into another."""
        kind = self._rng.choice(("copy", "copy", "packet", "merge", "merge", "work", "work", "work", "work"))
        file, new = self._rng.choice(self.files), self._folder / f"copy{len(self.files)}.casespan"
        name = self._rng.choice(_PEOPLE)
        if kind == "merge" and (other := self._rng.choice(self.files)) != file:
            finished(bring_together(file, [other]))
        elif kind in ("copy", "packet") and len(self.files) < _MOST_COPIES:
            if kind == "packet":
                try:
                    (cut,) = finished(cut_packets(file, self._folder / new.stem, [name]))
                except CasespanError:
                    return  # no reports are left
                move(cut.file, new)
            else:
                copyfile(file, new)
            self.files.append(new)
            self._holders[new] = name
        else:
            with Project.open(file, write=True) as project:
                for _ in range(self._rng.randrange(1, 6)):
                    self._work(project, self._holders[file])

    def all_kinds(self, file: Path) -> None:
        """Every kind of work in a project, some of it in vain."""
        with Project.open(file, write=True) as project:
            for kind in self._rng.sample(self._acts, len(self._acts)):
                self._work(project, self._holders[file], kind)

    def _work(self, project: Project, name: str, kind: str = "") -> None:
        try:
            getattr(self, kind or self._rng.choice(self._acts))(project, name)
        except CasespanError:
            pass  # a place that is labelled so already, and the like

    def report(self, project: Project) -> StoredDocument:
        """Any report; raises CasespanError where none is left."""
        return self._any_of(documents(project))

    def span(self, project: Project, kind: str = "person") -> Annotation:
        """Any span of a person, or of a run; raises CasespanError where there is none."""
        holders = {one.uuid for one in annotators(project) if one.kind == kind}
        spans = [one for one in read_annotations(project) if one.annotator in holders]
        return self._any_of(sorted(spans, key=lambda one: one.uuid))

    def people(self, project: Project) -> list[str]:
        """Two people who annotate; raises CasespanError where there are not two."""
        names = [one.name for one in annotators(project) if one.kind == "person"]
        if len(names) < len(_PEOPLE[:2]):
            raise CasespanError("There is nobody to compare with.")
        return self._rng.sample(names, 2)

    def _any_of(self, things: Sequence[Thing]) -> Thing:
        if not things:
            raise CasespanError("There is none.")
        return self._rng.choice(things)

    def any(self, *of: str) -> str:
        """Any of these."""
        return self._rng.choice(of)

    def number(self, below: int) -> int:
        """Any number from 0."""
        return self._rng.randrange(below)

    def add(self, project: Project, name: str) -> None:
        place = 10 * self.number(6)  # few places, so that people and copies meet
        add_span(project, name, SpanPlace(self.report(project).key, place, place + 9), self.any(*_CATEGORIES))

    def move(self, project: Project, name: str) -> None:
        one = self.span(project)
        move_span(project, one.uuid, one.finding.start or 0, (one.finding.end or 0) + 1 - 3 * self.number(2))

    def relabel(self, project: Project, name: str) -> None:
        relabel_span(project, self.span(project).uuid, self.any(*_CATEGORIES))

    def polarity(self, project: Project, name: str) -> None:
        set_span_polarity(project, self.span(project).uuid, POLARITIES[self.number(len(POLARITIES))])

    def note(self, project: Project, name: str) -> None:
        set_span_note(project, self.span(project).uuid, f"note {self.number(3)}")

    def remove(self, project: Project, name: str) -> None:
        remove_spans(project, [self.span(project).uuid])

    def undo(self, project: Project, name: str) -> None:
        undo_change(project, past_runs=True)

    def redo(self, project: Project, name: str) -> None:
        redo_change(project)

    def title(self, project: Project, name: str) -> None:
        rename_report(project, self.report(project).key, title=f"Title {self.number(4)}")

    def key(self, project: Project, name: str) -> None:
        rename_report(project, self.report(project).key, key=self.any("r0", "r1", "x", "y"))

    def delete(self, project: Project, name: str) -> None:
        delete_reports(project, [self.report(project).key])

    def bring(self, project: Project, name: str) -> None:
        finished(import_reports(project, [self._rng.choice(self._sources)]))

    def section(self, project: Project, name: str) -> None:
        report = self.report(project)
        place, some = (
            self.number(len(report.document.sections)),
            self._rng.sample(_CATEGORIES, self.number(3)),
        )
        set_section_categories(project, name, report.key, place, some)

    def concept(self, project: Project, name: str) -> None:
        set_concept(project, self.span(project).uuid, "HPO", self.any(*_CODES), beside=self.number(2) > 0)

    def plain(self, project: Project, name: str) -> None:
        clear_concept(project, self.span(project).uuid, "HPO")

    def run(self, project: Project, name: str) -> None:
        report, start, settings = self.report(project), 10 * self.number(6), {"of": self.number(2)}
        with begin_act(project, "run", "tiny") as act:
            holder = ensure_annotator(act, "tiny", "run", canonical(settings)).uuid
            run = start_run(act, holder, "rules", "tiny", settings, "1").uuid
            quote = report.document.text[start : start + 9]
            found = Finding(self.any(*_CATEGORIES), quote, start, start + 9)
            add_annotations(act, report.uuid, holder, [found], "model")
            finish_run(act, run, "done")

    def ask(self, project: Project, name: str) -> None:
        content, settings = {"task": "toy", "id": self.any("a", "b")}, {"of": self.number(2)}
        with begin_act(project, "build", name) as act:
            held = next((one for one in builds(project, "toy") if one.summary == content), None)
            held = held or add_items(act, "toy", [content], "", content)
            holder = ensure_annotator(act, "asked", "run", canonical(settings)).uuid
            run = start_run(act, holder, "model", "asked", settings, "1").uuid
            subject = next(one.uuid for one in items(project, "toy") if one.id == content["id"])
            put_answer(act, run, Answer(subject, "", self.number(3)))
            finish_run(act, run, "done")

    def call(self, project: Project, name: str) -> None:
        run = self._any_of([one for one in runs(project) if one.name.startswith("asked")])
        subject = self._any_of(items(project, "toy")).uuid
        with begin_act(project, "call", name) as act:
            prompt = keep_prompt(act, "Answer.", [subject], {})
            add_generation(
                act, run.uuid, CallRecord(subject, "", prompt, None, act.at, error=self.any("x", "y"))
            )
            put_answer(act, run.uuid, Answer(subject, "", self.number(3)))

    def value(self, project: Project, name: str) -> None:
        run = self._any_of([one for one in runs(project) if one.name.startswith("asked")])
        subject = self._any_of(items(project, "toy")).uuid
        with begin_act(project, "rate", name) as act:
            put_rating(act, ItemRating(subject, run.uuid, "", name, "person", {"good": self.number(3)}))

    def box(self, project: Project, name: str) -> None:
        report, digest = self.report(project).uuid, sha256(b"picture").hexdigest()
        images = [FigureImage(one, one, "kept", "", digest, 99, 99) for one in ("a.png", "b.png")]
        with begin_act(project, "take figures", name) as act:
            keep_picture(act, digest, b"picture", "png", 99, 99)
            if report not in stored_figures(project):
                set_figures(act, report, [Figure("f1", "Figure 1", images=tuple(images[self.number(2) :]))])
            holder, place = ensure_annotator(act, name, "person").uuid, self.number(80)
            region = Region(new_uuid(), report, holder, "f1", digest, place, self.number(80), 9, 9, "GI")
            add_region(act, region)

    def unbox(self, project: Project, name: str) -> None:
        region = self._any_of(regions(project))
        with begin_act(project, "change region", name) as act:
            if self.number(2):
                act.update("region", region.uuid, {"note": f"note {self.number(3)}"})
            else:
                act.delete("region", region.uuid)

    def guess(self, project: Project, name: str) -> None:
        with begin_act(project, "guess", name) as act:
            guess, view = self.any("gout", "lupus"), "0" * 64
            add_guess(act, self.report(project).uuid, name, "strict", self.number(3), guess, view)

    def tick(self, project: Project, name: str) -> None:
        with begin_act(project, "tick", name) as act:
            tick_pictures(act, self.report(project).uuid, [self.any("a", "b") * 64], name)

    def plant(self, project: Project, name: str) -> None:
        holder = self.span(project, "run").annotator
        run = next(one.name for one in annotators(project) if one.uuid == holder)
        plant_errors(project, run, f"{run} to review", count=1)

    def judge(self, project: Project, name: str) -> None:
        judge_spans(project, name, [self.span(project, "run").uuid], ("rejected", "accepted")[self.number(2)])

    def rate(self, project: Project, name: str) -> None:
        run = self._any_of([one.name for one in annotators(project) if one.kind == "run"])
        rate_output(project, name, run, self.report(project).key, {"accuracy": 1 + self.number(5)})

    def decide(self, project: Project, name: str) -> None:
        queue = read_queue(project, *self.people(project))
        side: Choice = ("left", "right", "neither")[self.number(3)]
        decide(project, name, queue, [self._any_of(sorted(queue.differences))], Resolution(side))

    def gold(self, project: Project, name: str) -> None:
        build_gold(project, name, *sorted(self.people(project)))

    def nothing(self, project: Project, name: str) -> None:
        state_nothing_found(project, name, self.report(project).key, self.any(*_CATEGORIES))

    def state(self, project: Project, name: str) -> None:
        states: tuple[ReviewState, ...] = ("in progress", "parked", "done")
        state = states[self.number(len(states))]
        set_review_state(project, name, self.report(project).key, state)

    def amend(self, project: Project, name: str) -> None:
        amend_guideline(project, name, self.any(*_CATEGORIES), "Include", f"Clause {self.number(4)}.")

    def look(self, project: Project, name: str) -> None:
        disclose(project, name, self.report(project).key, [one.name for one in annotators(project)])

    def carry(self, project: Project, name: str) -> None:
        report, start = self.report(project), 10 * self.number(6)
        text = report.document.text
        quote = {"category": self.any("Odd", "Strange"), "quote": text[start : start + 9]}
        told = {"id": report.key, "title": "", "text": text, "annotations": [quote]}
        (source := self._folder / "in.jsonl").write_text(json.dumps(told), encoding="utf-8")
        finished(import_reports(project, [source], ImportOptions("jsonl", name)))

    def mean(self, project: Project, name: str) -> None:
        finished(set_labels(project, {self.any("Odd", "Strange"): meaning_of(self.any(*_CATEGORIES))}))
