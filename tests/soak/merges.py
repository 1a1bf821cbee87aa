"""Copies and packets of a project, worked on apart at random and brought back in random orders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from shutil import copyfile

from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    move_span,
    relabel_span,
    remove_spans,
    set_span_note,
    set_span_polarity,
)
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.merging import bring_together
from app.operations.exchange.packets import cut_packets
from app.operations.project.history import undo_change
from app.operations.reconcile.decisions import Resolution, decide
from app.operations.reconcile.queue import read_queue
from app.reconcile.choices import Choice
from app.store.annotate.annotations import Annotation, read_annotations
from app.store.annotate.annotators import annotators
from app.store.check import check
from app.store.project import Project
from app.store.reports.documents import documents
from extractors.model.errors import CasespanError
from extractors.model.finding import POLARITIES
from extractors.model.progress import finished

_SIDES = ("annotator-1", "annotator-2")
_ACTS = 25


def merges(study: Path, folder: Path, orders: int, seed: int = 0) -> Iterator[str]:
    """Three copies and two packets of `study` in as many orders: what is wrong of each, "" for nothing."""
    rng = Random(seed)
    parts = [Path(copyfile(study, folder / f"copy{number}.casespan")) for number in range(3)]
    parts += [one.file for one in finished(cut_packets(study, folder / "packets", ("Ben", "Chloe")))]
    for number, part in enumerate(parts):
        with Project.open(part, write=True) as project:
            for _ in range(_ACTS):
                _work(project, rng, number)
    before, first = said(study, folder), ""
    for order in range(orders):
        whole = Path(copyfile(study, folder / "whole.casespan"))
        rng.shuffle(parts)
        # Some come together, some one by one, and one twice.
        cuts = sorted(rng.sample(range(1, len(parts)), rng.randrange(len(parts))))
        groups = [parts[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
        for group in (*groups, parts[:1]):
            finished(bring_together(whole, group))
        found, problems = said(whole, folder), check(whole)
        first = first or found
        wrong = ["another export or queue"] * (found != first) + [one.message for one in problems]
        with Project.open(whole, write=True) as project:
            for _ in groups:
                undo_change(project)
        wrong += ["undo leaves something"] * (said(whole, folder) != before)
        names = " ".join(one.stem for one in parts)
        yield f"order {order} ({names}): {'; '.join(wrong)}" if wrong else ""


def said(path: Path, folder: Path) -> str:
    """The exports of all annotators and the queues of all pairs that have one."""
    with Project.open(path) as project:
        names = sorted(one.name for one in annotators(project))
        found = []
        for name in names:
            try:
                export_annotations(project, folder / "out.jsonl", "jsonl", name)
            except CasespanError as error:
                found.append(str(error))
                continue
            found.append((folder / "out.jsonl").read_text("utf-8"))
        for left, right in combinations(names, 2):
            try:
                queue = read_queue(project, left, right)
            except CasespanError:
                continue
            found.append(repr([(one, queue.decisions.get(one)) for one in sorted(queue.differences)]))
    return "\n".join(found)


def _work(project: Project, rng: Random, number: int) -> None:
    """One act: an edit that others may make, too, or a decision."""
    name = (*_SIDES, _SIDES[0], "Ben", "Chloe")[number]
    spans = [one for one in read_annotations(project) if one.finding.start is not None]
    spans = sorted(spans, key=lambda one: one.uuid)[:60]
    try:
        _edit(project, rng, name, spans)
    except CasespanError:
        pass  # a place that is labelled so already, and the like


def _edit(project: Project, rng: Random, name: str, spans: list[Annotation]) -> None:
    kind = rng.choice(("add", "add", "move", "relabel", "polarity", "note", "remove", "decide"))
    if kind == "add" or not spans:
        report = rng.choice(documents(project)[:3])
        start = 20 * rng.randrange(12)
        add_span(project, name, SpanPlace(report.key, start, start + 15), rng.choice(("GI", "Neuro", "RESP")))
        return
    one = rng.choice(spans)
    start, end = one.finding.start or 0, one.finding.end or 1
    match kind:
        case "move":
            move_span(project, one.uuid, start, end + rng.choice((-2, 1, 5)))
        case "relabel":
            relabel_span(project, one.uuid, rng.choice(("GI", "Neuro", "RESP")))
        case "polarity":
            set_span_polarity(project, one.uuid, rng.choice(POLARITIES))
        case "note":
            set_span_note(project, one.uuid, f"note {rng.randrange(3)}")
        case "remove":
            remove_spans(project, [one.uuid])
        case "decide":
            queue = read_queue(project, *_SIDES)
            chosen: Choice = rng.choice(("left", "right"))
            decide(project, name, queue, [rng.choice(sorted(queue.differences)[:20])], Resolution(chosen))
