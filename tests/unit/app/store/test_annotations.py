"""Annotations: in order, in place, and refused where they are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.act import begin_act
from app.store.annotate.annotations import (
    Annotation,
    add_annotations,
    delete_annotations,
    edit_annotation,
    find_annotations,
    read_annotations,
    read_quotes,
    remove_annotations,
    with_finding,
)
from app.store.annotate.annotators import (
    AnnotatorKind,
    annotator,
    annotators,
    ensure_annotator,
    require_one_line,
)
from app.store.annotate.carried import Carried
from app.store.annotate.concepts import coded_terminologies, set_codings
from app.store.annotate.reviews import reviews, set_review
from app.store.check import check
from app.store.project import Project
from app.store.reports.counting import count_annotations
from app.store.reports.documents import StoredDocument, add_document
from app.store.values import uuid_of
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import Finding, Grounding

Make = Callable[..., Document]


@pytest.fixture
def stored(project: Project, report: Make) -> StoredDocument:
    with begin_act(project, "add", "Ann") as act:
        return add_document(act, report(pmcid="12"), "one.xml", "0" * 64)


@pytest.fixture
def ann(project: Project) -> str:
    return annotator(project, "Ann").uuid


def placed(text: str, quote: str, category: str = "Neuro") -> Finding:
    start = text.index(quote)
    return Finding(category, quote, start, start + len(quote))


def _save(project: Project, document: StoredDocument, holder: str, findings: Sequence[Finding]) -> None:
    with begin_act(project, "annotate", "Ann") as act:
        add_annotations(act, document.uuid, holder, findings, "human")


def test_annotations_come_back_by_category_in_scheme_order_and_as_ranked(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    text = stored.document.text
    later, first = placed(text, "ataxia"), placed(text, "headache")
    gut, heart = placed(text, "home", "GI"), placed(text, "She", "CVS")
    none = replace(gut, polarity="negated")
    _save(project, stored, ann, [gut, later, heart, first, none])
    _save(project, stored, ann, [later])
    found = read_annotations(project)
    assert [a.finding for a in found] == [later, first, later, heart, gut, none]
    assert [a.rank for a in found] == [0, 1, 2, 0, 0, 1]
    # Those of a category in the same order, which is all that comparing asks for.
    quotes = sorted(read_quotes(project, stored.uuid, [ann]), key=lambda one: one[2].category)
    same = sorted(found, key=lambda one: one.finding.category)
    assert [one[:3] for one in quotes] == [(ann, one.uuid, one.finding) for one in same]
    # Copies that were brought together may have given several the same rank.
    with begin_act(project, "merge", "Ann") as act:
        for one in found:
            act.update("annotation", one.uuid, {"rank": 0})
    tied = [one.finding for one in read_annotations(project, stored.uuid)]
    assert tied == [first, later, later, heart, none, gut]


def test_what_is_known_of_a_place_goes_with_another_quote_or_place_alone() -> None:
    found, places = Finding("GI", "a b", 0, 3, "", "present", "fuzzy"), ((0, 3), (4, 7))
    before = Annotation("u", "d", "a", found, "a-b", "model", 0, "", 90.0, places, (4, 7), "")
    for after, known in (
        (replace(found, category="CVS", polarity="negated", field="f"), (90.0, places, (4, 7))),
        (replace(found, quote="a-b"), (None, (), None)),
        (replace(found, end=2), (None, (), None)),
        (replace(found, start=4, end=7), (None, (), None)),
        (replace(found, start=None, end=None), (None, (), None)),
    ):
        now = with_finding(before, after, "a-b a-c")
        assert (now.score, now.places, now.candidate) == known
        assert now.surface == (None if after.start is None else "a-b a-c"[after.start : after.end])


def test_in_another_category_an_annotation_comes_last(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    text = stored.document.text
    many = [placed(text, quote) for quote in ("ataxia", "headache", "She")]
    _save(project, stored, ann, [*many, placed(text, "home", "CVS"), placed(text, "went", "GI")])
    moved = next(one for one in read_annotations(project) if one.finding.category == "GI")
    with begin_act(project, "relabel", "Ann") as act:
        ranks = [
            edit_annotation(act, moved.uuid, finding=replace(moved.finding, category=category)).rank
            for category in ("CVS", "Neuro", "GI")
        ]
    assert ranks == [1, 3, 0]


def test_what_a_span_stands_for_is_told_by_its_release_too(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    _save(project, stored, ann, [placed(stored.document.text, "ataxia")])
    (span,) = read_annotations(project)
    old, new, other = (
        Coding(terminology, release, "A", "", "", "human")
        for terminology, release in (("HPO", "1"), ("HPO", "2"), ("ICD11", "1"))
    )
    for wanted in ([old, other], [other, new]):
        with begin_act(project, "code", "Ann") as act:
            set_codings(act, stored.uuid, span.uuid, wanted)
        assert set(read_annotations(project)[0].concepts) == set(wanted)
    assert coded_terminologies(project) == ["HPO", "ICD11"]


def test_what_came_along_in_pieces_stands_where_its_pieces_do() -> None:
    one = Carried("u", "d", "a", None, "Sign", "a c", 0, 5, {})
    assert one.places == [(0, 5)]
    assert replace(one, value={"fragments": [[0, 1], [4, 5]]}).places == [(0, 1), (4, 5)]
    assert replace(one, end=None, value={"fragments": [[0, 1]]}).places == []


def test_reviews_stand_by_report_and_then_by_name(
    project: Project, stored: StoredDocument, ann: str, report: Make
) -> None:
    with begin_act(project, "review", "Ann") as act:
        second = add_document(act, report("Another.", pmcid="13"), "two.xml", "0" * 64)
        abe = ensure_annotator(act, "Abe", "person").uuid
        for document, holder in ((second, ann), (stored, ann), (second, abe), (stored, abe)):
            set_review(act, document.uuid, holder, state="parked")
    assert [(one.document, one.annotator) for one in reviews(project)] == [
        (stored.uuid, abe), (stored.uuid, ann), (second.uuid, abe), (second.uuid, ann),
    ]  # fmt: skip


def test_people_are_the_same_in_every_copy_and_runs_by_what_they_begin_with(project: Project) -> None:
    given: tuple[tuple[str, AnnotatorKind, str], ...] = (
        ("Bo", "person", ""),
        ("m", "run", "{}"),
        ("n", "run", ""),
    )
    with begin_act(project, "add", "Ann") as act:
        made = {name: ensure_annotator(act, name, kind, told).uuid for name, kind, told in given}
    same = {name: uuid_of("annotator", name, "{}" if name == "m" else "") for name in made}
    assert {name: made[name] == same[name] for name in made} == {"Bo": True, "m": True, "n": False}
    require_one_line("x" * 200)
    with pytest.raises(ProjectError, match="at most 200"):
        require_one_line("x" * 201)


def test_a_finding_keeps_everything_it_says(project: Project, stored: StoredDocument, ann: str) -> None:
    start = stored.document.text.index("headache 😊")
    finding = Finding(
        "Neuro", "Headache  😊", start, start + 10, "sign", "negated", "normalised", "white space"
    )
    grounding = Grounding("normalised", start, start + 10, 97.5, "white space", ((start, start + 10), (3, 9)))
    lost = Finding("GI", "vomiting", None, None, grounding="ungrounded", reason="not in the text")
    nowhere = Grounding("ungrounded", None, None, 41.0, "not in the text", candidate=(4, 12))
    with begin_act(project, "annotate", "Ann") as act:
        added = add_annotations(
            act,
            stored.uuid,
            ann,
            [finding, lost],
            "imported",
            groundings=[grounding, nowhere],
            notes=["see table", ""],
        )
    project.close()
    with Project.open(project.path) as reader:
        assert read_annotations(reader, stored.uuid, ann) == added
    first, second = added
    assert (first.surface, first.score, first.note) == ("headache 😊", 97.5, "see table")
    assert (first.places, first.candidate) == (((start, start + 10), (3, 9)), None)
    assert (second.surface, second.candidate, second.origin) == (None, (4, 12), "imported")


@pytest.mark.parametrize(
    ("finding", "sentence"),
    [
        (Finding("Neuro", "headache", 0, 8), "the text says 'Case"),
        (Finding("Neuro", "headache", 5, 5000), "outside the text"),
        (Finding("Neuro", "headache", -8, 5), "outside the text"),
        (Finding("Neuro", "", 5, 5), "outside the text"),
        (Finding("Neuro", "headache", None, None), "exact but has no place"),
        (Finding("Neuro", "headache", 5, None), "has no place"),
        (Finding("Neuro", "headache", None, 5, grounding="ungrounded"), "has no place"),
        (Finding("Neuro", "headache", 5, 13, grounding="conflict"), "conflict but has a place"),
        (Finding("Neuro", "x", None, None, polarity="maybe", grounding="ungrounded"), "no polarity"),  # type: ignore[arg-type]
    ],
)
def test_a_finding_that_contradicts_the_text_is_refused(
    project: Project, stored: StoredDocument, ann: str, finding: Finding, sentence: str
) -> None:
    with pytest.raises(ProjectError, match=sentence):
        _save(project, stored, ann, [finding])
    assert read_annotations(project) == []


def test_a_category_outside_the_scheme_is_refused(project: Project, stored: StoredDocument, ann: str) -> None:
    with pytest.raises(UnknownNameError, match="Neuro, CVS, GI"):
        _save(project, stored, ann, [placed(stored.document.text, "home", "Teeth")])


def test_an_unknown_document_is_refused(project: Project, ann: str) -> None:
    with begin_act(project, "annotate", "Ann") as act, pytest.raises(UnknownNameError, match="no document"):
        add_annotations(act, "nobody", ann, [], "human")


def test_a_span_that_no_longer_matches_is_refused_on_reading(
    project: Project, stored: StoredDocument, ann: str, tamper: Callable[[Path, str], None]
) -> None:
    _save(project, stored, ann, [placed(stored.document.text, "headache")])
    project.close()
    tamper(project.path, "UPDATE annotation SET span_start = span_start - 1, span_end = span_end - 1")
    with Project.open(project.path) as reader, pytest.raises(ProjectError, match="PMC12 does not match"):
        read_annotations(reader)
    with Project.open(project.path) as reader, pytest.raises(ProjectError, match="PMC12 does not match"):
        list(read_quotes(reader, stored.uuid, None))


def test_replacing_touches_one_annotator_in_one_document(
    project: Project, stored: StoredDocument, ann: str, report: Make
) -> None:
    text = stored.document.text
    with begin_act(project, "set up", "Ann") as act:
        ben = ensure_annotator(act, "Ben", "person").uuid
        other = add_document(act, report("A headache."), "two.xml", "1" * 64)
    for document, holder in ((stored, ann), (stored, ben), (other, ann)):
        _save(project, document, holder, [placed(document.document.text, "headache")])
    with begin_act(project, "extract", "Ann") as act:
        assert delete_annotations(act, stored.uuid, ann) == 1
        add_annotations(act, stored.uuid, ann, [placed(text, "ataxia"), placed(text, "home")], "edited")
    assert count_annotations(project) == {(stored.uuid, ann): 2, (stored.uuid, ben): 1, (other.uuid, ann): 1}
    assert [a.finding.quote for a in read_annotations(project, stored.uuid, ann)] == ["ataxia", "home"]
    with begin_act(project, "clear", "Ann") as act:
        assert delete_annotations(act, stored.uuid, ann) == 2
    assert read_annotations(project, stored.uuid, ann) == []


def test_an_unknown_annotator_is_answered_with_those_there_are(project: Project) -> None:
    with begin_act(project, "gold", "Ann") as act:
        ensure_annotator(act, "gold", "gold")
        ensure_annotator(act, "rules", "run")
        ensure_annotator(act, "Zoe", "person")
    assert [known.name for known in annotators(project)] == ["Ann", "Zoe", "gold", "rules"]
    with pytest.raises(UnknownNameError, match="choose one of Ann, Zoe, gold, rules"):
        annotator(project, "Bob")


def test_a_name_has_one_kind(project: Project) -> None:
    with begin_act(project, "gold", "Ann") as act:
        with pytest.raises(ProjectError, match="kind person"):
            ensure_annotator(act, "Ann", "run")
        with pytest.raises(ProjectError, match="needs a name"):
            ensure_annotator(act, " ", "person")


def test_the_dataset_is_read_in_a_handful_of_queries(project: Project, ann: str) -> None:
    """138 reports with 35 annotations each: no query per report or annotation."""
    text = "A woman with headache. " + "word " * 4000
    with begin_act(project, "import", "Ann") as act:
        for number in range(138):
            one = f"{number} {text}"
            stored = add_document(act, Document(f"T{number}", one, ()), f"{number}.txt", "0" * 64)
            findings = [Finding("Neuro", one[k : k + 9], k, k + 9) for k in range(35)]
            add_annotations(act, stored.uuid, ann, findings, "human")
    queries: list[str] = []
    with project.db.tracer(lambda sql, parameters: queries.append(sql)):
        assert len(read_annotations(project)) == 138 * 35
    assert len(queries) < 10


def test_annotations_bear_the_uuids_given_and_are_found_by_them_in_that_order(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    findings = [placed(stored.document.text, quote) for quote in ("headache", "ataxia")]
    with begin_act(project, "annotate", "Ann") as act:
        added = add_annotations(act, stored.uuid, ann, findings, "human", uuids=["one", "two"])
    assert [annotation.uuid for annotation in added] == ["one", "two"]
    assert find_annotations(project, ["two", "one"]) == added[::-1]
    with pytest.raises(UnknownNameError):
        find_annotations(project, ["one", "three"])
    with begin_act(project, "annotate", "Ann") as act, pytest.raises(ValueError, match="one to one"):
        add_annotations(act, stored.uuid, ann, findings, "human", uuids=["three"])


def test_an_edited_annotation_has_the_text_and_context_of_its_new_place(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    text = stored.document.text
    start = text.index("headache")
    fuzzy = Finding("Neuro", "head ache", start, start + 8, grounding="fuzzy", reason="nearly")
    why = Grounding("fuzzy", start, start + 8, 94.0, "nearly")
    with begin_act(project, "annotate", "Ann") as act:
        add_annotations(act, stored.uuid, ann, [placed(text, "home", "GI")], "human")
        (before,) = add_annotations(act, stored.uuid, ann, [fuzzy], "model", groundings=[why])
    with begin_act(project, "edit", "Ann") as act:
        noted = edit_annotation(act, before.uuid, note="see above")
        assert (noted.finding, noted.score, noted.origin) == (fuzzy, 94.0, "model")
        after = edit_annotation(act, before.uuid, finding=placed(text, "ataxia", "GI"), origin="edited")
    assert (after.surface, after.score, after.rank, after.note) == ("ataxia", None, 1, "see above")
    assert find_annotations(project, [before.uuid]) == [after]
    assert check(project.path) == []
    with begin_act(project, "edit", "Ann") as act:
        assert edit_annotation(act, before.uuid, note="").note == ""


def test_another_finding_is_no_more_what_the_file_said_a_note_leaves_it_so(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    text = stored.document.text
    with begin_act(project, "import", "Ann") as act:
        (before,) = add_annotations(
            act, stored.uuid, ann, [placed(text, "ataxia")], "imported", sources=["T1\tSign"]
        )
        assert edit_annotation(act, before.uuid, note="see above").source == "T1\tSign"
        assert edit_annotation(act, before.uuid, finding=placed(text, "headache")).source == ""


def test_an_edit_that_the_text_or_the_scheme_contradicts_is_refused(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    text = stored.document.text
    _save(project, stored, ann, [placed(text, "ataxia")])
    (before,) = read_annotations(project)
    for finding, error in (
        (Finding("Neuro", "ataxia", 0, 6), ProjectError),
        (placed(text, "ataxia", "None"), UnknownNameError),
    ):
        with pytest.raises(error), begin_act(project, "edit", "Ann") as act:
            edit_annotation(act, before.uuid, finding=finding)
    assert read_annotations(project) == [before]


def test_removing_annotations_removes_all_of_them_or_none(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    _save(project, stored, ann, [placed(stored.document.text, quote) for quote in ("headache", "ataxia")])
    uuids = [annotation.uuid for annotation in read_annotations(project)]
    with pytest.raises(UnknownNameError), begin_act(project, "remove", "Ann") as act:
        remove_annotations(act, [*uuids, "another"])
    assert len(read_annotations(project)) == 2
    with begin_act(project, "remove", "Ann") as act:
        remove_annotations(act, uuids)
    assert read_annotations(project) == []
