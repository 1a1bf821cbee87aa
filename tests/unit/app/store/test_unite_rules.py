"""Which of two rows holds where copies come together, from either side."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import cast

from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.extract.runs import runs, start_run
from app.store.project import Project
from app.store.unite.changes import Cells
from app.store.unite.names import _first_and_last, imported_keys, name_annotators
from app.store.unite.rules import alike, derived, first_made, ranked, say_the_same, united, version_of
from app.store.unite.standing import scheme_fault
from app.store.values import canonical, sha256

_SAID = ("layer", "category", "polarity", "quote", "span_start", "span_end")


def test_of_two_runs_that_are_one_the_one_that_ended_later_holds_of_reports_the_older() -> None:
    soon: Cells = {"uuid": "a", "finished_at": "2026-02-01"}
    late: Cells = {"uuid": "b", "finished_at": "2026-03-01"}
    going: Cells = {"uuid": "c", "finished_at": None}
    assert first_made("run", soon, late) is first_made("run", late, soon) is late
    assert first_made("run", soon, going) is first_made("run", going, soon) is soon
    old: Cells = {"uuid": "z", "added_at": "2026-01-01"}
    new: Cells = {"uuid": "a", "added_at": "2026-02-01"}
    assert first_made("document", old, new) is first_made("document", new, old) is old


def test_of_two_annotations_that_say_the_same_the_lesser_rank_holds() -> None:
    plain: Cells = {**dict.fromkeys(_SAID, "x"), "note": ""}
    first, second = ({**plain, "rank": rank} for rank in (10, 3))
    for versions in ((first, second), (second, first)):
        assert united("annotation", versions, [], ()) == second
    # One that says something else is ranked among others.
    weaker: Cells = {**plain, "rank": 0, "category": "a"}
    assert united("annotation", (first, weaker), [], ()) == first


def test_notes_on_the_same_span_are_all_kept_and_one_that_one_side_left_alone_is_not() -> None:
    plain: Cells = {**dict.fromkeys(_SAID, "x"), "note": "why?"}
    fever, pain, none = ({**plain, "note": note} for note in ("fever", "pain", ""))
    for versions in ((fever, pain), (pain, fever)):
        assert united("annotation", versions, [plain], ())["note"] == "fever; pain"
    assert united("annotation", (plain, pain), [plain], ())["note"] == "pain"
    assert united("annotation", (plain, none), [plain], ())["note"] == ""
    assert united("annotation", (plain, {**plain, "field": "f"}), [plain], ())["note"] == "why?"


def test_of_a_review_each_statement_stands_that_one_added_and_none_that_one_took_back() -> None:
    plain: Cells = {"state": "done", "looked_at": "[]", "changed_at": "2026-01-01"}
    known, fewer, more = (
        {**plain, "nothing_found": json.dumps(names)}
        for names in (["GI", "DERM"], ["DERM"], ["GI", "DERM", "MSK"])
    )
    for versions in ((fewer, more), (more, fewer)):
        assert united("review", versions, [known], ("MSK", "GI", "DERM"))["nothing_found"] == '["MSK","DERM"]'


def test_rows_are_alike_whatever_their_uuid_place_and_time_of_making() -> None:
    one: Cells = {"uuid": "a", "position": 1, "rank": 2, "created_at": "x", "note": "n"}
    assert alike(one, {"uuid": "b", "position": 3, "rank": 4, "created_at": "y", "note": "n"})
    assert not alike(one, {**one, "note": "m"})
    # An older program's row lacks a column.
    assert alike(one, {"uuid": "a"})
    assert (ranked(one), ranked({"uuid": "a"})) == ({"rank": 2}, {})
    assert version_of(None) == ""
    assert version_of({**one, "document": "d", "annotator": "a"}) == '{"created_at":"x","note":"n"}'
    assert derived("00000000-0000-5000-8000-000000000000")
    assert not derived("00000000-0000-4000-8000-000000000000")
    assert not derived(None)


def test_another_scheme_is_one_with_other_categories_fields_or_order() -> None:
    def project(*categories: tuple[str, tuple[str, ...]]) -> Project:
        named = [SimpleNamespace(id=id_, fields=fields) for id_, fields in categories]
        return cast(Project, SimpleNamespace(path="p", scheme=SimpleNamespace(name="s", categories=named)))

    ours = project(("GI", ("sign",)), ("CVS", ()))
    assert scheme_fault(ours, project(("GI", ("sign",)), ("CVS", ()))) == ""
    for theirs in (
        project(("GI", ("symptom",)), ("CVS", ())),
        project(("CVS", ()), ("GI", ("sign",))),
        project(("GI", ("sign",))),
    ):
        assert "follows another scheme" in scheme_fault(ours, theirs)


def test_a_report_is_called_as_it_was_imported_first_and_as_it_was_renamed_last_in_whatever_copy() -> None:
    def row(key: str, added_at: str, title: str = "t") -> dict[str, str]:
        return {"text_sha256": "T", "key": key, "title": title, "added_at": added_at}

    one, other = row("k1", "2026-02"), row("k0", "2026-01")
    acts = [
        ("2026-02", None, one),
        ("2026-01", None, other),
        ("2026-05", one, {**one, "key": "last"}),
        ("2026-04", other, {**other, "key": "zebra"}),
    ]
    told = [(at, before and json.dumps(before), json.dumps(after)) for at, before, after in acts]
    for rows in (told, told[::-1]):
        project = cast(Project, SimpleNamespace(tuples=lambda _, rows=rows: rows))
        first, last = _first_and_last(project)
        assert first == {("T", "key"): ("2026-01", "k0"), ("T", "title"): ("2026-01", "t")}
        assert last == {("T", "key"): ("2026-05", "last")}
        assert imported_keys(project) == {"T": "k0"}


def test_a_run_has_its_settings_behind_its_name_as_long_as_a_person_has_that(project: Project) -> None:
    mark = sha256(canonical({"seed": 1}))[:6]
    with begin_act(project, "add", "Ann") as act:
        holder = ensure_annotator(act, "m", "run", "{}").uuid
        start_run(act, holder, "model", "m", {"seed": 1}, "1")
        act.update("annotator", holder, {"name": f"m ({mark})"})
        person = ensure_annotator(act, "m", "person").uuid
    for name, called in (("m", f"m ({mark})"), ("n", "m")):
        with begin_act(project, "merge", "Ann") as act:
            act.update("annotator", person, {"name": name})
            name_annotators(act)
        assert [one.name for one in annotators(project)] == ["Ann", name, called]
        assert [one.name for one in runs(project)] == [called]


def test_two_versions_are_one_in_the_queue_that_say_the_same_at_the_same_place() -> None:
    one: Cells = {**dict.fromkeys(_SAID, "x"), "span_start": 3, "note": "a"}
    assert say_the_same(one, {**one, "note": "b", "quote": "y"})
    for name in ("layer", "category", "polarity", "span_start", "span_end"):
        assert not say_the_same(one, {**one, name: "y"})
    lost: Cells = {**one, "span_start": None}
    assert say_the_same(lost, {**lost, "note": "b"})
    assert not say_the_same(lost, {**lost, "quote": "y"})


def test_of_a_row_what_one_alone_changed_is_changed_and_what_both_changed_is_the_later_ones() -> None:
    plain: Cells = {"uuid": "a", "state": "done", "by": "x", "taken_at": "1", "images": 1}
    one: Cells = {**plain, "state": "open", "by": "y", "taken_at": "2"}
    other: Cells = {**plain, "by": "z", "taken_at": "3"}
    for versions in ((one, other), (other, one)):
        held = united("figures", versions, [plain], ())
        assert (held["state"], held["by"], held["taken_at"]) == ("open", "z", "3")
        # Of what each went on from there are several, or there is nothing: the stronger holds as a whole.
        for bases in ([], [plain, plain]):
            assert united("figures", versions, bases, ()) == other
    more: Cells = {**one, "images": 2}
    assert united("figures", (other, more), [], ()) == more
