"""What bringing copies together is made of: other versions as sets, names, places, what is told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

from app.store.act import Act, begin_act
from app.store.annotate.annotations import add_annotations, read_annotations
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.annotate.reviews import reviews, set_review
from app.store.project import Project
from app.store.reports.documents import add_document
from app.store.unite import branches, names, standing
from app.store.unite.names import make_room, name_reports, same_annotators
from app.store.unite.packets import add_packet, assignments
from app.store.unite.rules import KEYS, NAMED, first_made, stronger, united, version_of
from app.store.unite.standing import stood_on, touched
from app.store.unite.versions import clear_statements, keep_versions, lay_out_versions, other_sets, reports_of
from extractors.model.document import Document
from extractors.model.finding import Finding

Report = Callable[..., Document]


def add(act: Act, document: Document, name: str = "") -> str:
    return add_document(act, document, "a.xml", "s" * 64, name).uuid


def said(project: Project, document: str, annotator: str) -> list[tuple[str, str, str]]:
    found = read_annotations(project, document, annotator)
    return [(one.finding.category, one.finding.quote, one.finding.polarity) for one in found]


def test_other_versions_stand_as_sets_that_differ_in_nothing_else_and_go_once_none_waits(
    project: Project, report: Report
) -> None:
    quotes = (("GI", "She"), ("GI", "had"), ("CVS", "a headache"), ("Neuro", "and"))
    with begin_act(project, "work", "Ann") as act:
        document, other = add(act, report()), add(act, report("She had another case."))
        holder = ensure_annotator(act, "Ann", "person").uuid
        ensure_annotator(act, "Ann (copy)", "person")
        places = [(category, quote, report().text.index(quote)) for category, quote in quotes]
        findings = [Finding(category, quote, at, at + len(quote)) for category, quote, at in places]
        rows = {
            one.finding.quote: one.uuid for one in add_annotations(act, document, holder, findings, "human")
        }
        add_annotations(act, other, holder, findings[:1], "human")

    def row(quote: str, **changes: object) -> dict[str, Any]:
        (found,) = project.query("SELECT * FROM annotation WHERE uuid = ?", [rows[quote]])
        return {**found, **changes}

    def wait(**versions: Sequence[dict[str, Any] | None]) -> list[list[tuple[str, str, str]]]:
        with begin_act(project, "merge", "Ann") as act:
            for quote, some in versions.items():
                keep_versions(act, row(quote), some)
            lay_out_versions(act, [(document, holder)])
        return [said(project, document, one.copy[0]) for one in other_sets(project)]

    before = said(project, document, holder)
    first, second = wait(She=[row("She", polarity="negated"), None], had=[row("had", category="CVS")])
    # The version that says something comes before that which took it out; all of a category is there.
    assert sorted(first) == [
        ("CVS", "a headache", "present"), ("CVS", "had", "present"), ("GI", "She", "negated"),
    ]  # fmt: skip
    assert second == [("GI", "had", "present")]
    assert said(project, document, holder) == before, "the annotator's own stay"
    assert [one.copy[1] for one in other_sets(project)] == ["Ann (copy)*", "Ann (copy 2)"]
    assert [one.holder for one in other_sets(project)] == [(holder, "Ann")] * 2
    assert reports_of(project, holder) == [document]
    looked = {one.annotator: one.looked_at for one in reviews(project)}
    assert [looked[one.copy[0]] for one in other_sets(project)] == [("CVS", "GI"), ("GI",)]
    ranks = {
        quote: {rank for (rank,) in project.tuples("SELECT rank FROM annotation WHERE quote = ?", [quote])}
        for quote in ("a headache", "had")
    }
    assert all(len(one) == 1 for one in ranks.values()), "each where it stands among the annotator's own"
    (only,) = wait(She=[row("She", polarity="uncertain")])
    assert ("GI", "She", "uncertain") in only
    # Where the other version has nothing of a category, the set stands for just that.
    assert wait(She=[], had=[], **{"and": [None]}) == [[]]
    (empty,) = other_sets(project)
    assert [one.looked_at for one in reviews(project) if one.annotator == empty.copy[0]] == [("Neuro",)]
    assert wait(**{"and": []}) == []
    assert [one.name for one in annotators(project)] == ["Ann", "Ann (copy)"]
    assert {one.annotator for one in reviews(project)} <= {holder}
    assert project.tuples("SELECT * FROM other_version") == []


def test_a_statement_goes_where_something_of_its_category_came_and_only_there(
    project: Project, report: Report
) -> None:
    with begin_act(project, "work", "Ann") as act:
        documents = [add(act, report()), add(act, report("She had another case."))]
        holder, other = (ensure_annotator(act, name, "person").uuid for name in ("Ann", "Ben"))
        for document in documents:
            set_review(act, document, holder, looked_at=("GI", "CVS", "Neuro"), nothing_found=("GI", "CVS"))
        add_annotations(act, documents[0], holder, [Finding("GI", "She", 5, 8)], "human")
        add_annotations(act, documents[1], other, [Finding("GI", "She", 5, 8)], "human")
        clear_statements(act, [(document, holder) for document in documents] + [(documents[0], other)])
    stated = {one.document: one.nothing_found for one in reviews(project) if one.annotator == holder}
    assert [sorted(stated[one]) for one in documents] == [["CVS"], ["CVS", "GI"]]


def test_a_report_is_given_once_and_packets_are_listed_by_name_in_the_order_of_the_reports(
    project: Project, report: Report
) -> None:
    with begin_act(project, "cut", "Ann") as act:
        first, second = (add(act, report(text)) for text in ("One case.", "She had another case."))
        ben, ann = (ensure_annotator(act, name, "person") for name in ("Ben", "Ann"))
        for annotator, words in ((ben, {second: 9}), (ben, {second: 5, first: 7}), (ann, {second: 2})):
            packet = add_packet(act, annotator, words, overlap=1, seed=3)
    assert (packet.annotator, packet.overlap, packet.seed) == ("Ann", 1, 3)
    given = [(one.annotator, one.document, one.words) for one in assignments(project)]
    assert given == [(ann.uuid, second, 2), (ben.uuid, first, 7), (ben.uuid, second, 9)]


@pytest.mark.parametrize(
    ("told", "called"),
    [
        # As it was imported, and what was renamed as it was last; of two alike who was called so first.
        (({"first": ("1", "a")}, {"first": ("2", "b")}), ["a", "b"]),
        (({"first": ("1", "a"), "last": ("5", "x")}, {"first": ("2", "x")}), ["a", "x"]),
        (({"first": ("1", "a"), "last": ("3", "x")}, {"first": ("2", "b"), "last": ("4", "x")}), ["x", "b"]),
        (({"first": ("2", "x")}, {"first": ("1", "x")}), ["x-2", "x"]),
        # They change names with each other.
        (({"first": ("1", "k2")}, {"first": ("2", "k1")}), ["k2", "k1"]),
    ],
)
def test_each_report_has_the_name_it_was_given_last_or_first_had(
    project: Project, report: Report, monkeypatch: pytest.MonkeyPatch,
    told: Sequence[Mapping[str, tuple[str, str]]], called: list[str],
) -> None:  # fmt: skip
    with begin_act(project, "import", "Ann") as act:
        documents = [add(act, report(text), name) for text, name in (("One.", "k1"), ("Two.", "k2"))]
    hashes = dict(project.tuples("SELECT uuid, text_sha256 FROM document"))
    first, last = (
        {(hashes[uuid], "key"): one[when] for uuid, one in zip(documents, told, strict=True) if when in one}
        for when in ("first", "last")
    )
    last |= {(hashes[documents[0]], "title"): ("9", "Renamed")}
    monkeypatch.setattr(names, "_first_and_last", lambda _: (first, last))
    with begin_act(project, "merge", "Ann") as act:
        name_reports(act)
    keys = {
        uuid: (key, title) for uuid, key, title in project.tuples("SELECT uuid, key, title FROM document")
    }
    assert [keys[one][0] for one in documents] == called
    assert [keys[one][1] for one in documents] == ["Renamed", "A report"]


def test_people_are_the_same_by_name_and_runs_by_the_settings_of_their_first_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = {"p": ("Ann", ""), "r1": ("m", "one"), "r2": ("m", "two"), "e": ("n", "")}
    theirs = {"P": ("Ann", ""), "R2": ("m", "two"), "R3": ("m", "three"), "E": ("n", "five"),
              "B": ("Ben", ""), "M": ("m", "")}  # fmt: skip
    told = {**ours, **theirs}
    monkeypatch.setattr(names, "told", lambda _, uuid, kind: told[uuid])
    project: Any = SimpleNamespace(query=lambda _: [{"uuid": one, "kind": ""} for one in ours])
    rows: Any = {one: {"kind": ""} for one in theirs}
    # Who has no run is told by the name alone, on either side.
    assert same_annotators(project, project, rows) == {"P": "p", "R2": "r2", "E": "e", "M": "r1"}


class Places:
    """A table of positions, no two of which may be the same at any time; where its rows were made first."""

    def __init__(self, there: Mapping[str, int], first: Sequence[tuple[str, int]]) -> None:
        self.there, self.first = dict(there), first
        self.project = self

    def tuples(self, sql: str, given: object = None) -> list[tuple[str, int]]:
        return list(self.there.items()) if given is None else list(self.first)

    def update(self, table: str, uuid: str, values: Mapping[str, int]) -> None:
        others = [at for one, at in self.there.items() if one != uuid]
        assert values["position"] not in others, "no two at one place"
        self.there[uuid] = values["position"]


def test_rows_stand_where_they_were_made_or_behind_whichever_copy_came_first() -> None:
    made = {"a": 0, "b": 1, "c": 1, "d": 2, "e": 7, "f": 7}
    for order in permutations("abcdef", 3):
        coming: list[dict[str, Any]] = [
            {"uuid": one, "position": made[one]} for one in made if one not in order
        ]
        places: Any = Places({one: at for at, one in enumerate(order)}, list(made.items()))
        make_room(places, "document", coming, {})
        found = {**places.there, **{one["uuid"]: one["position"] for one in coming}}
        assert found == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 7, "f": 8}, order
    # Made under two names, it stands where either stood first; what no history tells of stays.
    places = Places({"x": 5, "z": 3}, [("x", 5), ("y", 0)])
    make_room(places, "document", [], {"x": "x", "y": "x"})
    assert places.there == {"x": 0, "z": 3}


def test_a_report_of_the_same_number_or_first_key_and_another_text_cannot_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def row(uuid: str, text: str, key: str = "k", **numbers: str) -> dict[str, Any]:
        return {"uuid": uuid, "text_sha256": text, "key": key, "pmcid": "", "pmid": "", "doi": "", **numbers}

    here = [row("a", "A", "a", pmcid="7"), row("b", "B", "b", doi="10.1"), row("c", "C", "was c", pmid="3")]
    there = [
        row("1", "X", "x1", pmcid="7"), row("2", "X", "x2", doi="10.1"), row("3", "X", "x3", pmid="3"),
        row("4", "X", "x4", pmcid="8", doi="10.2"), row("5", "A", "x5", doi="10.1"), row("6", "Y", "x6"),
        row("b", "Z", "b"), row("c", "C", "c", doi="10.1"), row("7", "W", "was c"),
    ]  # fmt: skip
    project: Any = SimpleNamespace(query=lambda _: here)
    other: Any = SimpleNamespace(path=SimpleNamespace(name="o.casespan"))
    keys = {"C": "c"}, {"Y": "c", "W": "w"}
    monkeypatch.setattr(standing, "imported_keys", lambda one: keys[one is other])
    found = list(standing._found(project, there, other))
    assert [one.document for one in found] == ["1", "2", "3", "6", "b"]
    assert found[0].report == "x1"
    assert found[0].reason.startswith("its text differs: SHA-256 X in o.casespan, A here; nothing")


def test_what_tells_two_rows_apart_is_what_they_are_about_and_not_what_was_said() -> None:
    apart = {
        "guess": "reader track part guess", "disclosure": "annotator shown state",
        "rating": "run rater document",
        "item_rating": "subject run again rater", "answer": "run subject question again",
        "verdict": "annotation reviewer", "concept": "annotation terminology code release",
        "review": "document annotator", "picture_tick": "picture", "section": "position",
        "build": "study digest",
    }  # fmt: skip
    for table, columns in apart.items():
        assert set(columns.split()) <= set(KEYS[table]), table
        assert table in NAMED
    assert "judged_at" not in KEYS["verdict"]


def test_of_two_alike_the_later_said_holds_and_of_two_builds_the_older() -> None:
    times = {"verdict": "judged_at", "rating": "rated_at", "item_rating": "rated_at", "review": "changed_at",
             "run": "finished_at"}  # fmt: skip
    for table, time in times.items():
        early: dict[str, Any] = {"uuid": "a", time: "2026-01", "note": "z"}
        late: dict[str, Any] = {"uuid": "b", time: "2026-02", "note": "a"}
        assert stronger(table, early, late) is stronger(table, late, early) is late
    old: dict[str, Any] = {"uuid": "z", "built_at": "2026-01", "digest": "z"}
    new: dict[str, Any] = {"uuid": "a", "built_at": "2026-02", "digest": "a"}
    assert first_made("build", old, new) is first_made("build", new, old) is old
    # Nothing says when: what is said tells, whoever said it.
    one: dict[str, Any] = {"uuid": "a", "code": "x"}
    two: dict[str, Any] = {"uuid": "b", "code": "y"}
    assert stronger("concept", one, two) is stronger("concept", two, one) is two
    plain: dict[str, Any] = {"nothing_found": "[]", "changed_at": "1", "state": "done"}
    known, fewer, more = (
        {**plain, "looked_at": said} for said in ('["GI", "CVS"]', '["CVS"]', '["GI", "CVS", "Neuro"]')
    )
    for versions in ((fewer, more), (more, fewer), (more, fewer, known)):
        assert united("review", versions, [known], ("CVS", "GI", "Neuro"))["looked_at"] == '["CVS","Neuro"]'
    assert version_of(None) == ""


def test_a_set_of_items_stays_as_long_as_anything_was_asked_or_said_of_them() -> None:
    foreign = {"gold": [("build", "build")], "generation": [("run", "run")]}
    of_builds = {"gold", "generation", "answer", "item_rating"}
    for table, children in (("build", of_builds), ("run", {"generation"}), ("annotator", set())):
        asked: list[str] = []

        def tuples(sql: str, _: object, asked: list[str] = asked) -> list[object]:
            asked.append(sql.split()[3])
            return []

        project: Any = SimpleNamespace(tuples=tuples)
        assert not stood_on(project, foreign, table, "u")
        assert set(asked) == children
        project = SimpleNamespace(
            tuples=lambda sql, _, some=children: [(1,)] if sql.split()[3] in some else []
        )
        assert stood_on(project, foreign, table, "u") == bool(children)


def test_what_a_copy_itself_says_of_a_row_goes_before_what_came_with_it() -> None:
    rows = [("label_meaning", "a", '{"label": "old"}'), ("label_meaning", "b", '{"label": "other"}')]
    project: Any = SimpleNamespace(tuples=lambda *_: rows)
    own: Any = SimpleNamespace(said={"label": "new"})
    found = touched(project, {"label_meaning": {"a": own}, "review": {}}, ["x"])
    assert {uuid: one.said["label"] for uuid, one in found["label_meaning"].items()} == {
        "a": "new",
        "b": "other",
    }
    assert list(found) == ["label_meaning"]


def test_a_copy_is_known_where_its_end_and_all_that_came_into_it_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def project(*uuids: str) -> Any:  # noqa: ANN401 (as far as it is asked for)
        return SimpleNamespace(db=None, tuples=lambda _: [(uuid,) for uuid in uuids])

    monkeypatch.setattr(branches, "read_chain", lambda _: ("head", 3))
    for known in (True, False):
        monkeypatch.setattr(branches, "knows", lambda *_, known=known: known)
        found = [branches.all_known(project("a", "b"), project(*some)) for some in ((), ("a",), ("a", "c"))]
        assert found == [known, known, False]
