"""What the adjudicator is told beside the queue: whose sets there are, what is alike, what would hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.operations.reconcile import preview
from app.operations.reconcile.decisions import EditedSpan, Resolution, decide
from app.operations.reconcile.gold import build_gold
from app.operations.reconcile.preview import choices_for, draft_decision, offer_sides, previewing_alike
from app.operations.reconcile.queue import Queue, read_queue
from app.reconcile.gold import CHOICES, Choice
from app.reconcile.types import Difference
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import texts
from extractors.model.finding import Finding
from extractors.model.progress import finished
from tests.simulated import ANA, BEN, TRUTH, simulate

ME = "Dr Cas"


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project file that the tests copy."""
    path = tmp_path_factory.mktemp("simulated") / "study.casespan"
    with create_project_file(path, None, ME) as project:
        simulate(project, 7)
    return path


@pytest.fixture
def project(simulated: Path, tmp_path: Path) -> Iterator[Project]:
    copy = tmp_path / "study.casespan"
    copy.write_bytes(simulated.read_bytes())
    with Project.open(copy, write=True) as opened:
        yield opened


@pytest.fixture
def queue(project: Project) -> Queue:
    return read_queue(project, ANA, BEN)


def test_whoever_looked_at_reports_is_offered_with_how_many(project: Project) -> None:
    offer = offer_sides(project)
    assert [(one.name, one.reports) for one in offer.holders] == [(ANA, 10), (BEN, 10), (TRUTH, 10)]
    assert offer.last is None
    with begin_act(project, "add", ME) as act:
        zoe = ensure_annotator(act, "zoe", "person").uuid
        text, (document, *_) = next(iter(texts(project).values())), [*texts(project)]
        add_annotations(act, document, zoe, [Finding("GI", text[:4], 0, 4)], "imported")
        ensure_annotator(act, "yan", "person")
    assert [(one.name, one.reports) for one in offer_sides(project).holders][-1] == ("zoe", 1)


def test_the_sides_decided_between_last_are_told_as_they_stood(project: Project, queue: Queue) -> None:
    for one, sides in ((queue, (ANA, BEN)), (read_queue(project, BEN, ANA), (BEN, ANA))):
        decide(project, ME, one, [next(iter(one.differences))], Resolution("left"))
        assert offer_sides(project).last == sides


def test_the_gold_set_of_two_sides_is_the_one_that_was_built_of_them_last(project: Project) -> None:
    assert offer_sides(project).gold_of(ANA, BEN) == "gold"
    for left, right, name in ((ANA, BEN, "one"), (BEN, TRUTH, "two"), (BEN, ANA, "three")):
        build_gold(project, ME, left, right, name)
    offer = offer_sides(project)
    sides = ((ANA, BEN), (TRUTH, BEN), (ANA, TRUTH))
    assert [offer.gold_of(*one) for one in sides] == ["three", "two", "gold"]


@pytest.mark.parametrize("choice", [choice for choice in CHOICES if choice != "edited"])
def test_a_decision_is_drafted_as_it_is_recorded(project: Project, queue: Queue, choice: str) -> None:
    one = next(one for one in queue.differences.values() if choice in choices_for(one))
    known = next(offered for offered in CHOICES if offered == choice)
    resolution = Resolution(known, "slip", "note", "clause", 0.7, seconds=3.5)
    draft = draft_decision(queue, one, ME, resolution, texts(project)[one.document])
    (there,) = decide(project, ME, queue, [one.id], resolution)
    assert replace(there, uuid="", decided_at="") == draft


def test_an_edited_decision_is_drafted_as_it_is_recorded(project: Project, queue: Queue) -> None:
    one = next(one for one in queue.differences.values() if one.place is not None)
    resolution = Resolution("edited", spans=(EditedSpan(0, 8, one.category, "uncertain"),))
    draft = draft_decision(queue, one, ME, resolution, texts(project)[one.document])
    (there,) = decide(project, ME, queue, [one.id], resolution)
    assert replace(there, uuid="", decided_at="") == draft


def test_alike_ones_say_on_which_words_they_turn_and_what_would_hold(
    project: Project, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {
        one.id: finished(previewing_alike(project, queue, one.id, "left"))
        for one in queue.differences.values()
    }
    text_of = texts(project)
    cues = {
        (queue.differences[name].kind, item.cue)
        for name, items in found.items()
        for item in items
        if item.likeness == "cue"
    }
    assert ("polarity", "no") in cues
    for item in (item for items in found.values() for item in items):
        text = text_of[item.difference.document]
        assert item.before + item.words + item.after in text
        assert [one.quote for one in item.outcome] == [mark.finding.quote for mark in item.difference.left]
    told = [
        (ANA if queue.differences[name].left else BEN, item.cue.removeprefix("all that "))
        for name, items in found.items()
        for item in items
        if "alone has" in item.cue
    ]
    assert {(who, words.split()[0]) for who, words in told} == {(ANA, ANA), (BEN, BEN)}
    assert (BEN, "ben alone has a whole sentence or more") in told
    name, items = max(found.items(), key=lambda one: max((item.total for item in one[1]), default=0))
    monkeypatch.setattr(preview, "MOST_ALIKE", 1)
    few = finished(previewing_alike(project, queue, name, "left"))
    firsts = {item.likeness: item for item in reversed(items)}
    assert {item.likeness: item for item in few} == firsts
    assert len(few) == len(firsts) < len(items)


def test_only_what_can_be_decided_so_is_alike(project: Project, queue: Queue) -> None:
    polarities = [one for one in queue.differences.values() if one.kind == "polarity"]
    one = next(one for one in polarities if finished(previewing_alike(project, queue, one.id, "left")))
    assert finished(previewing_alike(project, queue, one.id, "both")) == ()
    # Of four that differ in the label alike, one is of the same place, which cannot be merged.
    with begin_act(project, "add", ME) as act:
        for end, (document, text) in zip((8, 7, 6, 5), texts(project).items(), strict=False):
            for side, label, last in ((queue.left, "GI", 8), (queue.right, "Neuro", end)):
                add_annotations(act, document, side.uuid, [Finding(label, text[:last], 0, last)], "imported")
    queue = read_queue(project, ANA, BEN)
    one = next(
        one for one in queue.differences.values() if "merged" in choices_for(one) and one.place == (0, 8)
    )
    offered: tuple[tuple[Choice, int], ...] = (("left", 3), ("merged", 2))
    for choice, number in offered:
        items = finished(previewing_alike(project, queue, one.id, choice))
        labels = [item for item in items if item.likeness == "labels"]
        assert (len(labels), {item.total for item in labels}) == (number, {number}), choice


def test_what_all_have_in_common_is_said_by_the_kind_of_difference(project: Project) -> None:
    said, given = [], SimpleNamespace(left=(), right=(), group=SimpleNamespace(categories=("GI",)))
    for given.kind in ("boundary", "concept"):
        said.append(preview._scope_words(project, cast(Difference, given), ("a", "b")))
    assert said == [
        "all other edges of the same side in Gastrointestinal",
        "all that is no concept for a and no concept for b",
    ]


def test_a_quote_stands_in_its_surroundings_and_one_without_a_place_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preview, "outcome", lambda *_: ())
    here: Any = SimpleNamespace(place=(4, 8))
    assert preview._item(here, "The text begins.", "left") == ("The ", "text", " begins.", ())
    nowhere: Any = SimpleNamespace(place=None)
    assert preview._item(nowhere, "The text begins.", "left") == ("", "", "", ())
