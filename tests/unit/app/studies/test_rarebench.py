"""What terms of a reply are right, wrong and missed, by what the reply was asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from app.studies.rarebench import examples, judging, t2
from app.studies.rarebench.examples import NEIGHBOURS, Examples, Pool, about_examples, shown_of, walking
from app.studies.rarebench.judging import agreement, grade, learn, rubric
from app.studies.rarebench.measures import MEASURES, neighbours_alone, of_task
from app.studies.rarebench.study import _joined
from app.studies.rarebench.t1 import T1, rules
from app.studies.rarebench.t1 import _item as t1_item
from app.studies.rarebench.t1_scores import _near_f1, graded
from app.studies.results import Item, Row, RunScores, Scores
from app.studies.study import Built, Job
from extractors.differential.ranking import Options, Ranked, Ranking
from extractors.evidence.cases import Case, Entity
from extractors.model.errors import CallError
from extractors.tasks.prompting.variants import Level
from extractors.terminology.library import shipped_hpo
from tests.builders import lines

SEIZURE, ATAXIA, FOCAL = "HP:0001250", "HP:0001251", "HP:0007359"


@pytest.mark.parametrize(
    ("level", "given", "counts"),
    [
        ("pte", [SEIZURE, ATAXIA], (2, 0, 0)),
        ("pte", [ATAXIA, SEIZURE], (2, 0, 0)),
        ("pte", [SEIZURE, SEIZURE], (1, 0, 1)),
        ("pte", [SEIZURE, FOCAL, ""], (1, 2, 1)),
        ("pte", [], (0, 0, 2)),
        ("ges", [SEIZURE, ATAXIA], (2, 0, 0)),
        # Of given entities one that is right for another alone is wrong.
        ("ges", [ATAXIA, SEIZURE], (0, 2, 2)),
        ("ges", [SEIZURE, FOCAL], (1, 1, 1)),
    ],
)
def test_terms_are_right_once_each_and_of_given_entities_in_their_place(
    level: str, given: list[str], counts: tuple[int, int, int]
) -> None:
    reference = {"terms": [SEIZURE, ATAXIA], "entities": ["fits", "unsteady"]}
    value = [{"said": code or "nonsense", "code": code, "by": "code", "quote": ""} for code in given]
    scores = graded(Row(Item("r", f"{T1}/{level}", {}, reference), value))["scores"]
    assert (scores["right"], scores["wrong"], scores["missed"]) == counts


@pytest.mark.parametrize(
    ("level", "present", "asked", "wanted"),
    [
        # The case's own list goes before what its entities stand for, each term once, and none outside.
        ("pte", ("HP:0001250", "hp_0001251", "HP:0001250", "HP:0000118", "HP:0000005", "HP:9999999"),
         {"text": "T"}, {"terms": ["HP:0001250", "HP:0001251"], "names": ["Seizure", "Ataxia"]}),
        ("pte", (), {"text": "T"}, {"terms": ["HP:0001251"], "names": ["Ataxia"]}),
        ("gee", (), {"text": "T"}, {"entities": ["unsteady", "odd", "unsteady"]}),
        # Of given entities those are asked of which anything is scored, as often as they stand there.
        ("ges", (), {"entities": ["unsteady", "unsteady"]},
         {"terms": ["HP:0001251", "HP:0001251"], "names": ["Ataxia", "Ataxia"]}),
        ("pte", ("HP:0000118",), None, "no term that is scored"),
    ],
)  # fmt: skip
def test_an_item_of_terms_asks_what_its_level_shows_and_scores_findings_alone(
    level: Level, present: tuple[str, ...], asked: object, wanted: object
) -> None:
    odd = (Entity("unsteady", "HP:0001251"), Entity("odd", "HP:0000118"), Entity(" ", "HP:0001250"),
           Entity("unsteady", "HP:0001251"))  # fmt: skip
    case = Case("c", text="T", present=present, entities=odd, publications=(7,))
    found = t1_item(case, level, shipped_hpo(), Counter())
    if isinstance(found, str):
        assert (found, asked) == (wanted, None)
        return
    assert (found.input, found.reference, found.sources) == (asked, wanted, ["PMID:7"])
    assert (found.task, found.labels) == (f"t1/{level}", {"set": "cases", "level": level})
    assert t1_item(replace(case, text=" "), level, shipped_hpo(), Counter()) == (
        "no text" if level != "ges" else found
    )
    bare = t1_item(replace(case, entities=()), level, shipped_hpo(), Counter())
    assert (bare == "no entities") == (level != "pte")


def test_an_entity_with_a_code_of_before_is_asked_under_the_one_in_use_and_counted() -> None:
    aside = Counter[str]()
    case = Case("c", text="T", entities=(Entity("long fingers", "HP:0001505"),))
    found = t1_item(case, "ges", shipped_hpo(), aside)
    assert isinstance(found, Item)
    assert (found.reference["terms"], aside) == (["HP:0001166"], {"read as the code in use": 1})


@pytest.mark.parametrize(
    ("said", "counts", "matched"),
    [
        (["unsteady gait", "fits"], (2, 0, 0), ["unsteady gait", "fits"]),
        (["fits", "fits"], (1, 1, 1), ["fits", None]),
        # As many pairs as there can be, and of these the most alike.
        (["gait unsteady", "unsteady gait"], (1, 1, 1), ["unsteady gait", None]),
        (["an unsteady walk"], (0, 1, 2), [None]),
        ([], (0, 0, 2), []),
        (None, (0, 0, 2), []),
    ],
)
def test_entities_are_matched_by_their_words_each_with_one(
    said: list[str] | None, counts: tuple[int, int, int], matched: list[str | None]
) -> None:
    found = graded(Row(Item("r", f"{T1}/gee", {}, {"entities": ["unsteady gait", "fits"]}), said))
    assert tuple(found["scores"][name] for name in ("right", "wrong", "missed")) == counts
    assert [one.get("entity") for one in found["matched"]] == matched
    assert [one["by"] for one in found["matched"]] == [one and "words" for one in matched]


def test_what_is_denied_unknown_or_no_finding_is_told_apart_from_what_is_wrong() -> None:
    def said(text: str, code: str, *, denied: bool = False) -> dict[str, object]:
        return {"said": text, "code": code, "by": "name" if code else "", "quote": "q", "denied": denied}

    value = [
        said("fits", FOCAL),
        said("unsteady", ATAXIA, denied=True),
        said("", ATAXIA),
        said("Early", "HP:0003593"),
        said("Odd", ""),
        said("ODD", ""),
    ]
    item = Item("r", f"{T1}/pte", {}, {"terms": [SEIZURE, ATAXIA]})
    found = graded(Row(item, value))
    # FOCAL stands one step below SEIZURE.
    assert found["scores"] == {
        "right": 0, "wrong": 2, "missed": 2, "f1": 0.0, "unknown": 2, "aside": 1,
        "nearness": [0.5, 2.0, 0.5, 2.0],
    }  # fmt: skip
    assert [one["text"] for one in found["matched"]] == ["fits", "Early", "Odd", "ODD"]
    assert [one["code"] for one in found["matched"]] == [FOCAL, "HP:0003593", None, None]
    assert [graded(Row(item, one))["scores"]["nearness"] for one in (None, [said("fits", SEIZURE)])] == [
        [0, 0.0, 0.0, 2.0],
        [1.0, 1.0, 1.0, 2.0],
    ]
    # Who says nothing of what is there is wrong; of nothing to find nothing can be said.
    assert [_near_f1(one) for one in ((0, 0, 0, 2), (0, 2, 0, 0), (0, 0, 0, 0), (1, 1, 1, 2))] == [
        0.0, 0.0, None, pytest.approx(2 / 3)
    ]  # fmt: skip


class _Ranker:
    """Ranks five diseases, of which disease 4 is the last and disease 2 has more against it than for it."""

    evidence = (3.0, 0.5, -0.5, 0.0, -2.0)

    def __init__(self) -> None:
        codes = {one: f"OMIM:{one}" for one in range(5)}
        numbers, names = {code: one for one, code in codes.items()}, {one: f"Disease {one}" for one in codes}
        self.diseases = SimpleNamespace(numbers=numbers, names=names, codes=[[one] for one in codes.values()])
        self.asked: list[tuple[object, ...]] = []

    def rank(self, *asked: object, listed: bool = True) -> Ranking:
        self.asked.append(asked)
        present = asked[0]
        first = [
            Ranked(place, number, (f"OMIM:{number}",), f"Disease {number}", -float(number), value, ())
            for place, (number, value) in enumerate(enumerate(self.evidence[:4]), start=1)
        ]
        scores = -np.arange(5, dtype=np.float32) if present else None
        return Ranking(tuple(first), scores, 7, {}, (), ())


@pytest.mark.parametrize(
    ("number", "answer", "rank", "evidence"),
    [(0, "yes", 1, 3.0), (1, "yes", 2, 0.5), (2, "no", 3, -0.5), (3, "no", 4, 0.0), (4, "no", 5, None)],
)
def test_the_ranker_says_yes_to_what_is_among_the_first_with_evidence_for_it(
    monkeypatch: pytest.MonkeyPatch, number: int, answer: str, rank: int, evidence: float | None
) -> None:
    ranker = _Ranker()
    monkeypatch.setattr(t2, "shipped_ranker", lambda: ranker)
    monkeypatch.setattr(t2, "is_named", lambda name, one, other: one == other)
    for own, left in (("leave-out", True), ("keep", False), ("both", True)):
        say = t2.screen(Job({"no_prevalence": left, "own_publication": own}, 1, ()))
        given = {"code": f"OMIM:{number}", "disease": f"Disease {number}", "publications": ["PMID:5"]}
        item = Item("a", t2.T2, {**given, "present": [SEIZURE], "excluded": [ATAXIA]})
        said = {"answer": answer, "rank": rank, "evidence": evidence, "left_out": 7}
        assert say(item, {}) == said
        options = Options(t2.FIRST, prevalence=not left, leave_out=left)
        assert ranker.asked[-1] == ([SEIZURE], [ATAXIA], (5,), options)
    assert say(Item("a", t2.T2, {**given, "present": [], "excluded": [ATAXIA]}), {}) is None


def test_the_tables_of_a_task_are_of_its_own_answers_alone() -> None:
    own, other = (Row(Item("a", task, {})) for task in (t2.T2, t2.T1))
    runs = {"m": RunScores(2, 0, {})}
    scores = Scores((), "strict", {"m": [own, other]}, runs, {"task": {t2.T2: runs}}, [], {})
    assert of_task(scores, t2.T2).rows == {"m": [own]}


def test_with_its_own_publications_a_case_is_ranked_as_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = _Ranker()
    monkeypatch.setattr(t2, "shipped_ranker", lambda: ranker)
    given = {"present": [SEIZURE], "excluded": [], "publications": ["PMID:5"]}
    item = Item("a", "t4", given, {"diagnoses": ["OMIM:3"]})
    for left in (False, True):
        said = t2.rank(Job({"no_prevalence": left, "own_publication": "both"}, 1, ()))(item, {})
        assert (said["rank"], said["seen_rank"]) == (4, 4)
        ways = [Options(None, prevalence=not left, leave_out=out) for out in (True, False)]
        assert [asked[-1] for asked in ranker.asked[-2:]] == ways


@pytest.mark.parametrize(
    ("ranks", "median", "hits"),
    [
        ([2], 2, (0, 1, 1)),
        ([1, 4], 2.5, (1 / 2, 1 / 2, 1)),
        ([9, 1, 3], 3, (1 / 3, 2 / 3, 1)),
        # A rank beyond ten, or none, counts as 11; 0 says that no examples were shown.
        ([1, 40, 0, 11, None, 0, 10], 11, (1 / 5, 1 / 5, 2 / 5)),
        ([None, 1, 3, 0, 10], 6.5, (1 / 4, 2 / 4, 3 / 4)),
    ],
)
def test_neighbours_alone_are_scored_like_a_run_that_names_their_diagnoses(
    ranks: list[int | None], median: float, hits: tuple[float, ...]
) -> None:
    item = Item("a", "t4", {})
    rows = [Row(item, graded={"scores": {"rank": 1, "neighbours_rank": one}}) for one in ranks]
    found = neighbours_alone([*rows, Row(item, graded={"scores": {"rank": 1}})])
    assert found.pop("median_rank").value == median
    assert {name: one.value for name, one in found.items()} == pytest.approx(
        dict(zip(("hit@1", "hit@3", "hit@10"), hits, strict=True))
    )
    assert neighbours_alone([Row(item, graded={"scores": {"rank": 1}})]) == {}


def test_by_rules_what_is_denied_or_a_relatives_is_no_answer_and_entities_stand_once_a_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = (
        (0, "fits", SEIZURE, "present", False),
        (9, "unsteady", ATAXIA, "present", False),
        (9, "unsteady", FOCAL, "present", False),
        (20, "fits", SEIZURE, "present", False),
        (30, "ataxic", ATAXIA, "negated", False),
        (40, "shaking", FOCAL, "uncertain", False),
        (50, "trembling", FOCAL, "present", True),
    )
    found = [
        SimpleNamespace(
            start=at, end=at + len(text), text=text, code=code, label=f"L{code}", polarity=said, relative=of
        )
        for at, text, code, said, of in told
    ]
    extractor = SimpleNamespace(extract=lambda document: found if document.text == "A report." else [])
    monkeypatch.setattr("extractors.phenotypes.engine.load_rules", lambda: extractor)
    answer = rules(Job({}, 1, ()))
    assert answer(Item("a", f"{T1}/gee", {"text": "A report."}), {}) == ["fits", "unsteady", "fits"]
    terms = answer(Item("a", f"{T1}/pte", {"text": "A report."}), {})
    wanted = [("fits", SEIZURE), ("unsteady", ATAXIA), ("unsteady", FOCAL), ("fits", SEIZURE)]
    assert [(one["quote"], one["code"]) for one in terms] == wanted
    assert {one["by"] for one in terms} == {"rules"}


def test_who_chose_a_line_says_that_it_is_the_disease_and_those_before_it_are_not() -> None:
    def row(task: str, names: object, **ranks: int | None) -> Row:
        ratings = {who: {"rank": rank} for who, rank in ranks.items()}
        item = Item("a", task, {}, {"names": ["Fabry"]})
        return Row(item, names, ratings=ratings, judges=frozenset({"judge"}))

    def said(*rows: Row) -> dict[str, bool]:
        return {text: value for (text, names), value in learn(rows).items() if names == ("Fabry",)}

    lines = ["One", "TWO", "three"]
    assert said(row("t3", lines, Ana=2)) == {"one": False, "two": True}
    assert said(row("t4", {"ranking": lines}, Ana=1)) == {"one": True}
    assert said(row("t4", lines, Ana=0)) == {"one": False, "two": False, "three": False}
    assert said(row("t4", lines, Ana=None, judge=1)) == {}
    assert said(row("t2", lines, Ana=1), row("t4", "no list", Ana=1)) == {}
    # Who comes later, by the answers and then by name, has the last word.
    assert said(row("t4", lines, Bob=1, Ana=2)) == {"one": True, "two": True}
    assert said(row("t4", lines, Bob=1), row("t4", lines, Ana=0)) == dict.fromkeys(
        ("one", "two", "three"), False
    )
    eleven = [str(one) for one in range(11)]
    assert list(said(row("t4", eleven, Ana=0))) == eleven[:10]


def test_the_first_line_that_names_the_disease_counts_by_hand_by_name_or_else_by_the_judge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"Kin": ("OMIM:2", "family"), "Same": ("OMIM:1", "name")}
    monkeypatch.setattr(judging, "matched", lambda item, text: known.get(text))
    item = Item("a", "t3", {}, {"names": ["Fabry"], "diagnoses": ["OMIM:1"]})
    learned = {("called", ("Fabry",)): True, ("same", ("Fabry",)): False, ("told", ("Fabry",)): False}

    def said(value: object, settings: dict[str, object] | None = None, **ranks: int | None) -> object:
        row = Row(item, value, ratings={who: {"rank": rank} for who, rank in ranks.items()})
        (found,) = grade([row], {"learned": learned, "judge": "judge", **(settings or {})})
        scores, by = found["scores"], found["matched"]
        assert scores["stops"] is not (isinstance(value, dict) and "rank" in value)
        return scores["rank"], scores["code_rank"], by and (by["text"], by["code"], by["by"])

    right = ("Same", "OMIM:1", "name")
    assert said(["No", "Kin", "Same"], {"learned": None}) == (2, 3, ("Kin", "OMIM:2", "family"))
    assert said(["Kin"]) == (1, None, ("Kin", "OMIM:2", "family"))
    assert said(["Same"]) == (None, None, None)
    assert said(["Same"], {"learned": {}}, judge=None) == (1, 1, right)
    assert said(["No", "CALLED", "Kin"]) == (2, 2, ("CALLED", "OMIM:1", "correction"))
    assert said([*"abcdefghij", "Kin"]) == said("no list") == said(None) == (None, None, None)
    # The judge is heard where names find nothing, of a line that is there and that nobody has judged.
    assert said(["No", "Maybe"], judge=2) == (2, 2, ("Maybe", "OMIM:1", "judge"))
    assert said(["No", "Maybe"], {"judge": None}, judge=2) == (None, None, None)
    assert said(["No", "Kin"], judge=1) == (2, None, ("Kin", "OMIM:2", "family"))
    assert said(["Told"], judge=1) == said(["No"], judge=2) == said(["No"], judge=0) == (None, None, None)
    # A built-in method knows its ranks, beyond the lines that it gives as well.
    ranked = {"ranking": ["No", "Same", "Other"]}
    assert said(ranked | {"rank": 2}) == (2, 2, right)
    assert said(ranked | {"rank": 3, "code_rank": 40}) == (3, 40, ("Other", "OMIM:1", "code"))
    assert said(ranked | {"rank": 40}) == (40, 40, None)
    assert said(ranked | {"rank": None}) == (None, None, None)
    assert said(ranked, {"learned": {}}) == (2, 2, right)
    rows = [Row(item, {"ranking": [], "rank": 4, "seen_rank": 3}), Row(item, {"ranking": [], "named": 1})]
    assert [list(one["scores"]) for one in grade([*rows, Row(Item("a", "t1", {}), [])][:2], {})] == [
        ["rank", "seen_rank", "code_rank", "stops"],
        ["rank", "code_rank", "stops", "named"],
    ]
    assert grade([Row(Item("a", "t1", {}), ["Same"])], {}) == [{}]


@pytest.mark.parametrize(("scores", "rank"), [({"seen_rank": 3}, 3), ({"seen_rank": None}, 11), ({}, None)])
def test_what_no_list_shows_is_behind_all_of_it(scores: dict[str, int | None], rank: int | None) -> None:
    (seen,) = (one for one in MEASURES if one.id == "median_rank_seen")
    assert seen.each(Row(Item("a", "t4", {}), None, graded={"scores": scores})) == rank


def test_a_measure_with_a_reason_of_its_own_counts_no_answer_without_what_it_measures() -> None:
    plain = Row(Item("a", "t4", {}), None, graded={"scores": {"rank": 1, "code_rank": 1, "stops": True}})
    own = [one.id for one in MEASURES if one.reason != MEASURES[0].reason]
    assert [one.id for one in MEASURES if one.each(plain) is None] == own


def test_a_judge_is_asked_in_both_orders_for_the_same_line() -> None:
    item = Item("a", "t3", {}, {"names": ["Fabry", "Anderson-Fabry"]})
    asked = rubric(item)
    assert asked is not None
    assert asked.prompt is not None
    row, wanted = Row(item, {"ranking": ["X", "Y"]}), "The diagnosis: Fabry; or: Anderson-Fabry"
    which = "Which line of the list is the diagnosis? Give the number of the"
    there, back = (asked.prompt(item, row, order)[1] for order in (["forward"], ["backward"]))
    assert there == (
        f'The list:\n1. X\n2. Y\n\n{wanted}\n\n{which} first such line as "forward", 0 where no line is.'
    )
    assert back == (
        f'{wanted}\n\nThe list:\n1. Y\n2. X\n\n{which} last such line as "backward", 0 where no line is.'
    )
    assert [asked.score({"rank": rank}) for rank in (0, 1, 4, None)] == [0.0, 1.0, 1.0, None]
    assert rubric(Item("a", "t2", {})) is None


def test_how_often_a_judge_says_what_persons_and_names_say_is_told() -> None:
    def row(task: str, by: str | None, rank: int, **ranks: int | None) -> Row:
        graded = {"matched": by and {"by": by}, "scores": {"rank": rank}}
        ratings = {who: {"rank": one} for who, one in ranks.items()}
        return Row(Item("a", task, {}), graded=graded, ratings=ratings, judges=frozenset({"judge", "mute"}))

    rows = [
        row("t3", "name", 1, judge=1, Ana=1),
        row("t4", "family", 2, judge=1, Ana=None),
        row("t4", "name", 2, judge=None, Bob=2),
        row("t4", "judge", 3, judge=3, Ana=2),
        row("t4", None, 0, judge=0),
        row("t1", "name", 1, judge=1, Ana=1),
        row("t4", "name", 1, Ana=1),
    ]
    assert list(agreement(SimpleNamespace(rows={"run": rows}))) == [  # type: ignore[arg-type]
        "run: judge says the same as Ana of 1 of 2 answers.",
        "run: judge says the same as matching by names of 1 of 2 answers; of 1 it says nothing that holds in "
        "both orders.",
        "run: judge says the same as Bob of 0 of 0 answers; of 1 it says nothing that holds in both orders.",
    ]


@pytest.mark.parametrize("number", [0, 1, 4, 10])
def test_a_judge_names_a_line_where_both_orders_lead_to_it(number: int) -> None:
    item = Item("a", "t3", {}, {"names": ["Fabry"]})
    asked = rubric(item)
    assert asked is not None
    assert asked.combine is not None
    row = Row(item, [f"Disease {at}" for at in range(number)])
    for forward in range(13):
        for backward in range(13):
            # Counted from the other end the same line of those that are there, or twice none.
            same = forward + backward == number + 1 and forward and backward
            rank = forward if same or forward == backward == 0 else None
            assert asked.combine(row, {"forward": forward, "backward": backward}) == {"rank": rank}
    assert asked.combine(row, {"forward": 0}) == asked.combine(row, {"backward": 0}) == {"rank": None}


def test_what_several_rooms_built_is_one_build() -> None:
    items = [Item(name, "t4", {}) for name in "ab"]
    first = Built(items[:1], {"no text": 3, "x": 1}, [{"file": "f"}], {"hpo": "r"}, ["One."])
    second = Built(
        items[1:], {"no text": 2, "y": 4}, [{"file": "f"}], {"knowledge": "k"}, ["Two."], wrong=True
    )
    made = _joined([first, second])
    assert made.items == items
    # The same cases are left out of either: they count once.
    assert made.left_out == {"no text": 3, "x": 1, "y": 4}
    assert (made.sources, made.details) == ([{"file": "f"}], {"hpo": "r", "knowledge": "k"})
    assert (made.notes, made.wrong) == (["One.", "Two."], True)


def test_examples_are_recorded_with_what_they_told_and_what_they_alone_would_answer() -> None:
    def case(name: str, *names: str, text: str = "") -> Item:
        given = {
            "present": [SEIZURE],
            "publications": [],
            "candidates": ["Fabry", "Gaucher", *map(str, range(12))],
        }
        shown = {"findings": ["Seizure"], "denied": [], **({"text": text} if text else {})}
        return Item(name, "t3", {**given, **shown}, {"names": list(names), "diagnoses": []}, {})

    ranked: list[str] = []
    asked = case("a", "Fabry")
    pool = SimpleNamespace(
        shown=lambda item: [case("b", "Gaucher"), case("c", "Fabry")], alone=lambda item: ranked
    )
    settings = {"prompting": "auto-cot"}
    job = SimpleNamespace(settings=settings, drafted={("auto-cot", "c"): "Because."}, items=[asked])
    own = Examples(job)  # type: ignore[arg-type]
    own.pool = lambda item: pool  # type: ignore[assignment, method-assign, return-value]
    for place in (9, 10):
        ranked[:] = [*map(str, range(place)), "Fabry"]
        assert own.record(asked) == {
            "examples": ["b", "c"],
            "named": True,
            "neighbours_rank": 10 if place == 9 else None,
            "reasoned": 1,
        }
    assert [one.reasoning for one in own.shown(asked)] == ["", "Because."]
    # A report is shown where it is asked for, or where there are no findings to show.
    told = case("d", "Fabry", text="She shook.")
    bare = replace(told, input={key: value for key, value in told.input.items() if key != "findings"})
    texts = [shown_of(one, as_text=said).text for one, said in ((told, True), (told, False), (bare, False))]
    assert texts == ["She shook.", "", "She shook."]
    rows = [Row(asked, {"named": True}), Row(asked, {"named": False}), Row(asked, None)]
    kept = {"shots": 2, "pool_rule": "no-twins", "similarity": "dot"}
    told_of = about_examples(SimpleNamespace(settings={**settings, **kept}), rows)  # type: ignore[arg-type]
    assert told_of == {
        "examples": {**settings, **kept, "prompts": 2, "named": 0.5},
        "notes": ["50% of 2 prompts named the answer in an example."],
    }
    assert about_examples(job, rows[2:]) == {}  # type: ignore[arg-type]
    for walks, window in ((0, 5), (41, 5), (10, 0), (10, 36)):
        with pytest.raises(CallError, match="--walks goes from 1 to 40, --window from 1 to 35"):
            walking(Job({"walks": walks, "window": window}, 1, ()))


def test_neighbours_are_ranked_among_the_candidates_also_behind_the_tenth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"d{n}" for n in range(12)]
    asked = Item("a", "t3", {"present": [SEIZURE], "candidates": names}, {"names": ["d11"], "diagnoses": []})
    like = [Item(name, "t3", {}, {"names": [name, name, "elsewhere"]}) for name in names]
    monkeypatch.setattr(Pool, "__init__", lambda self, job, task: None)
    monkeypatch.setattr(Pool, "_like", lambda self, item, vectors: iter(like))
    answer = NEIGHBOURS.start(Job({}, 1, ()))
    assert answer(asked, {}) == {"ranking": names[:10], "rank": 12, "code_rank": 12}
    assert answer(replace(asked, input={"present": []}), {}) is None
    # By codes alone a name of the whole family is none.
    monkeypatch.setattr(
        examples, "matched", lambda _, name: {"d3": ("A", "family"), "d5": ("A", "name")}.get(name)
    )
    assert answer(asked, {}) == {"ranking": names[:10], "rank": 4, "code_rank": 6}


def test_reasoning_is_written_of_what_is_shown_before_cases_that_are_ranked_each_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = {"a": ["x", "y"], "b": ["y"]}
    cases = {name: Item(name, "t4", {"findings": [name]}, {"names": [name]}) for name in "xy"}
    monkeypatch.setattr(Pool, "__init__", lambda self, job, task: None)
    monkeypatch.setattr(Pool, "shown", lambda self, item: [cases[name] for name in shown[item.id]])
    asked = (Item("s", "t1", {}, {}), Item("a", "t4", {}, {}), Item("b", "t4", {}, {}))
    items, _ = examples.drafts(Job({"prompting": "auto-cot"}, 1, asked))
    assert items == [Item(name, "auto-cot", {"findings": [name]}, {"names": [name]}) for name in "xy"]
    assert examples.drafts(Job({"prompting": "dynamic"}, 1, asked))[0] == []


def test_examples_of_a_file_are_its_cases_with_a_known_diagnosis_and_with_their_reports(
    tmp_path: Path,
) -> None:
    case = {"present": [SEIZURE], "diagnoses": ["OMIM:154700"]}
    unknown = {**case, "id": "b", "diagnoses": ["OMIM:999999"]}
    file = lines(
        tmp_path / "pool.jsonl", {**case, "id": "a", "text": "She shook."}, unknown, {**case, "id": "c"}
    )
    settings = {"pool_rule": "no-twins", "similarity": "cosine", "shots": 1, "pool": file}
    pool = Pool(SimpleNamespace(settings=settings, items=[]), "t4")  # type: ignore[arg-type]
    assert [(one.id, one.input.get("text")) for one in pool.cases] == [("a", "She shook."), ("c", None)]


def test_cases_without_a_finding_are_no_twins() -> None:
    def case(name: str, *present: str) -> Item:
        reference = {"names": [name], "diagnoses": []}
        return Item(name, "t4", {"present": list(present), "publications": []}, reference)

    settings = {"pool_rule": "no-twins", "similarity": "cosine", "shots": 1, "pool": None}
    items = [case("a"), case("b"), case("c", SEIZURE), case("d", SEIZURE)]
    pool = Pool(SimpleNamespace(settings=settings, items=items), "t4")  # type: ignore[arg-type]
    assert [pool.allows(items[at], items[at + 1]) for at in (0, 2)] == [True, False]


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [("as-published", "bcdef"), ("no-twins", "def"), ("no-same-disease", "f")],
)
def test_who_may_be_an_example_goes_by_findings_publications_and_diseases(rule: str, allowed: str) -> None:
    def case(name: str, present: str, paper: str, disease: str, code: str) -> Item:
        given = {"present": [present], "publications": [paper]}
        return Item(name, "t4", given, {"names": [disease], "diagnoses": [code]})

    items = [
        case("a", SEIZURE, "PMID:1", "Fabry", "OMIM:1"),
        case("b", SEIZURE, "PMID:2", "Gaucher", "OMIM:2"),
        case("c", ATAXIA, "PMID:1", "Gaucher", "OMIM:2"),
        case("d", ATAXIA, "PMID:2", "Fabry", "OMIM:2"),
        case("e", ATAXIA, "PMID:2", "Gaucher", "OMIM:1"),
        case("f", ATAXIA, "PMID:2", "Gaucher", "OMIM:2"),
        Item("g", "t4", {}, {"names": []}),
        Item("h", "t3", {}, {"names": ["Fabry"]}),
    ]
    settings = {"pool_rule": rule, "similarity": "cosine", "shots": 2, "pool": None, "prompting": "few-shot"}
    job = SimpleNamespace(settings=settings, items=items, seed=3)
    pool = Pool(job, "t4")  # type: ignore[arg-type]
    assert "".join(one.id for one in pool.cases) == "abcdef"
    assert "".join(one.id for one in pool.cases if pool.allows(items[0], one)) == allowed
    shown = pool.shown(items[0])
    assert len(shown) == min(2, len(allowed))
    assert {one.id for one in shown} <= set(allowed)
    with pytest.raises(CallError, match="1 at least"):
        Pool(SimpleNamespace(settings=settings | {"shots": 0}, items=items), "t4")  # type: ignore[arg-type]
    with pytest.raises(CallError, match="no case to take"):
        Pool(SimpleNamespace(settings=settings, items=items[6:]), "t4")  # type: ignore[arg-type]
