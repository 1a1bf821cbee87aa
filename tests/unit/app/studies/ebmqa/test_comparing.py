"""Which of two runs does better on evidence questions, and what a doctor is told of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from app.agreement.statistics.tests_of_shares import mcnemar, two_by_two
from app.studies.ebmqa import tables
from app.studies.ebmqa.asking import ANSWERED, IDK_SAID
from app.studies.ebmqa.comparing import caveats, finish, lead, pair
from app.studies.ebmqa.edges import CLASSES, Edge, Evidence, merged
from app.studies.ebmqa.tables import guess_of
from app.studies.ebmqa.words import CONTROL
from app.studies.results import Item, Pair, Row, RunScores, Score


def graded(credit: float = 1.0, state: str = ANSWERED, task: str = "existence", **more: object) -> Row:
    own = {"state": state, "credit": credit, "exact": credit == 1, "offered": True, "second": False, **more}
    return Row(Item("i", task, {}), "A", graded=own)


def test_two_runs_are_compared_on_what_both_were_asked_where_they_could_pass() -> None:
    idk = graded(0.0, IDK_SAID)
    both = [
        (graded(), graded()),
        (graded(0.0), graded()),
        (idk, graded()),
        (graded(0.5), idk),
        # Guesses, invented questions, and what was asked without IDK count for nothing beside these.
        (graded(second=True), graded(0.0)),
        (graded(task=CONTROL), graded(0.0, task=CONTROL)),
        (graded(offered=False), graded(0.0, offered=False)),
    ]
    found = pair(both)
    accuracy, rate = two_by_two(1.5, 3, 3, 3), two_by_two(3, 4, 3, 4)
    assert (found["n"], found["chi2"], found["p"]) == (4, accuracy.chi2, accuracy.p)
    assert found["answer_rate"]["p"] == rate.p
    assert found["mcnemar"] == {"left_only": 0, "right_only": 2, "p": mcnemar(0, 2), "p_holm": mcnemar(0, 2)}
    assert found["at_equal_rate"] == {"rate": 0.5, "left": 0.5, "right": 1.0}
    # Where IDK was never offered, runs are compared as they are.
    assert pair(both[-1:])["n"] == 1
    assert pair([])["at_equal_rate"] == {"rate": None, "left": None, "right": None}


def test_probabilities_are_adjusted_over_the_values_of_a_label_of_the_same_two_runs() -> None:
    def one(label: str, p: float | None, right: str = "r") -> dict[str, Any]:
        differences = {"accuracy_all": {"ci": [0.1, 0.2]}}
        return {
            "left": "l",
            "right": right,
            "label": label,
            "mcnemar": {"p": p, "p_holm": p},
            "differences": differences,
        }

    pairs = [
        one("type", 0.01),
        one("type", 0.04),
        one("type", None),
        one("", 0.03),
        one("type", 0.02, "s"),
        {},
    ]
    made = finish({"runs": {}, "by": {}, "pairs": pairs}, SimpleNamespace(rows={}))  # type: ignore[arg-type]
    assert [each["mcnemar"]["p_holm"] for each in made["pairs"][:5]] == [0.02, 0.04, None, 0.03, 0.02]
    assert made["pairs"][0]["difference_ci"] == [0.1, 0.2]
    rows = [
        replace(graded(), item=Item("i", "existence", {}, labels={"type": one})) for one in ("plr", "nlr")
    ]
    by: dict[str, Any] = {"runs": {}, "by": {"type": {"plr": {"m": {}}}}, "pairs": []}
    finish(by, SimpleNamespace(rows={"m": rows}))  # type: ignore[arg-type]
    assert by["by"]["type"]["plr"]["m"]["n"] == 1


def scores(profile: str = "strict", **more: object) -> Any:  # noqa: ANN401 (as far as they are asked for)
    return SimpleNamespace(**{"profile": profile, "runs": {}, "rows": {}, "by": {}, "pairs": [], **more})


@pytest.mark.parametrize(
    ("profile", "p", "ratio", "said"),
    [
        ("strict", 0.01, 0.5, "l does better than r (McNemar over all questions, p 0.0100)."),
        ("strict", 0.05, 0.5, "l and r do not differ for certain (McNemar over all questions, p 0.0500)."),
        ("strict", None, 0.5, "l and r cannot be told apart: there is nothing on which they differ."),
        ("paper", 0.00001, 0.5, "r does better than l (chi-square of the answered, p < 0.0001)."),
        ("paper", 0.0001, 1.5, "l does better than r (chi-square of the answered, p 0.0001)."),
    ],
)
def test_who_does_better_is_said_by_the_test_of_the_profile(
    profile: str, p: float | None, ratio: float, said: str
) -> None:
    told = {"p": p, "odds_ratio": ratio, "mcnemar": {"p": p}}
    one = Pair("l", "r", "", "", 9, {"accuracy_all": Score(0.2)}, told)
    labelled = Pair("l", "r", "type", "plr", 9, {"accuracy_all": Score(0.2)}, told)
    assert list(caveats(scores(profile, pairs=[one, labelled]))) == [said]


def own(accuracy: float | None, rate: float | None = None, n: int = 201, **above: Any) -> RunScores:  # noqa: ANN401
    values = {"accuracy": accuracy, "answer_rate": rate, "accuracy_without_idk": 0.5}
    given = {name: Score(value) for name, value in values.items()}
    return RunScores(n, 0, {**given, "above_guess": Score(above.get("by"), above.get("ends"))})


def test_disciplines_with_enough_questions_show_whether_who_answers_more_is_more_often_right() -> None:
    by = {"a": own(0.5, 0.2), "b": own(0.6, 0.4), "c": own(0.9, 0.6), "few": own(0.1, 0.9, 200)}
    discipline = {value: {"m": run} for value, run in by.items()}
    given = scores(runs={"m": own(0.5)}, rows={"m": []}, by={"discipline": discipline})
    (said,) = caveats(given)
    assert said == (
        "m: over 3 disciplines accuracy and answer rate have Spearman's rho 1.00 (p 0.000); best and worst "
        "are 40.0 % apart."
    )
    given.by["alone"] = {"x": {"m": own(0.5)}}
    given.by["type"] = {"x": {"m": own(0.5)}, "y": {"m": own(0.7)}, "z": {"m": own(None)}}
    assert list(caveats(given))[1] == (
        "Between the best and the worst value of a label lie 50.0 % [35.0 % to 65.0 %] of accuracy."
    )


def test_three_sentences_say_who_is_to_be_relied_on() -> None:
    runs = {
        "sure": own(0.8, 0.5, by=0.1, ends=(0.01, 0.2)),
        "unsure": own(0.5, 0.25, by=0.0, ends=(0.0, 0.1)),
        "few": own(None, 1.0),
    }
    rows: dict[str, list[Row]] = {name: [] for name in runs}
    assert lead(scores(runs=runs, rows=rows)) == [
        "sure answered 50 % of 0 questions, and 80 % of these answers were right; unsure answered 25 % of 0 "
        "questions, and 50 % of these answers were right; few answered 100 % of 0 questions, and 50 % of "
        "these answers were right.",
        "Somebody who guesses, knowing only what is frequent in general, gets 50 to 70 % of the same right.",
        "sure is clearly better than guessing; unsure is not clearly better: do not rely on what is known "
        "there; whether few is better than that cannot be told.",
    ]
    passed = [graded(0.0, IDK_SAID, offered=one, main=True) for one in (True, False)]
    answered = {name: [graded(main=True)] for name in runs}
    told = list(caveats(scores(runs=runs, rows={**answered, "sure": [graded(main=True), *passed]})))
    assert [one for one in told if "I do not know" in one] == [
        "sure said “I do not know” 1 times where that was not offered."
    ]
    assert [one for one in told if "that guesser" in one] == [
        "sure is better than that guesser, by 1.0 % to 20.0 %.",
        "unsure is not clearly better than that guesser: do not rely on what it knows.",
    ]
    assert guess_of(runs["sure"]) == pytest.approx(0.7)
    many = {f"run {number}": own(0.5, 0.5) for number in range(6)}
    assert lead(scores(runs=many, rows=dict.fromkeys(many, ())))[0].endswith("; and 2 others.")
    assert lead(scores())[0].startswith("Nothing has been answered yet")


def test_tables_and_figures_count_questions_words_and_values_by_type() -> None:
    def item(name: str, kind: str, words: int, mid: float | None = None, task: str = "numeric") -> Item:
        options = [{"key": "A", "text": "two words"}, {"key": "B", "text": "one"}]
        given = {"question": " ".join(["w"] * words), "options": options}
        reference = {"correct": ["A"], "evidence": [{"mid": mid}]}
        return Item(name, task, given, reference, {"type": kind})

    mids = {"plr": (0.1, 0.25, 4.0), "sensitivity": (0.0, 0.95, 1.0), "prevalence": (1e-7, 1e-6, 0.5)}
    items = [
        item(f"{kind}{at}", kind, at + (9 if at == 1 else 1), mid)
        for kind, values in mids.items()
        for at, mid in enumerate(values)
    ]
    items.append(item("control", "plr", 99, 1.0, CONTROL))
    answered = {"m": [Row(one) for one in items]}
    made = {table.number: table.make for table in tables.TABLES}
    words = made["S2"](scores(rows=answered))
    assert words is not None
    # The one in the middle, in the order of the types.
    assert words.rows == (("sensitivity", 3, 6), ("plr", 3, 6), ("prevalence", 3, 6))
    examples = made["S1"](scores(rows=answered))
    assert examples is not None
    assert examples.rows[1] == ("plr", "w", "A: two words; B: one", "A")
    values = next(figure.make for figure in tables.FIGURES if figure.number == "S3")
    picture = values(scores(items=[*items, item("none", "plr", 1)]))
    assert picture is not None
    assert {panel.title: [(bar.group, bar.value) for bar in panel.bars] for panel in picture.panels} == {
        "plr": [("a  under 0.25", 1.0), ("b  0.25 to 0.5", 1.0), ("f  4 and more", 1.0)],
        "prevalence": [("a  under 1 in 1,000,000", 1.0), ("b  to 1 in 100,000", 1.0), ("e  more often", 1.0)],
        "sensitivity": [("00 to 10 %", 1.0), ("90 to 100 %", 2.0)],
    }
    assert values(scores(items=[item("none", "plr", 1)])) is None


def test_people_and_the_orders_of_a_run_are_held_against_the_majority_and_alike_against_each_other() -> None:
    def rows(name: str, *credits: float, **more: object) -> list[Row]:
        given = {"options": [{"key": "A"}, {"key": "B"}]}
        return [
            graded_again(
                Item(f"i{at}", "existence", given, {"correct": ["AAB"[at % 3]]}), credit, order, **more
            )
            for order in range(2 if name == "m" else 1)
            for at, credit in enumerate(credits)
        ]

    def graded_again(item: Item, credit: float, order: int, **more: object) -> Row:
        known = {"state": ANSWERED, "credit": credit, "offered": True, "kept": False, **more}
        return Row(item, "A", again={"order": order} if order else {}, graded=known)

    given = {
        "ann": rows("ann", 1.0, 1.0, 0.0),
        "ben": rows("ben", 1.0, 0.0, 0.0),
        "m": rows("m", 1.0, 1.0, 1.0),
        "once": rows("once", 0.0, 0.0, 0.0),
        "free": rows("m", 0.0, 0.0, 0.0, offered=False),
    }
    settings = {name: {"kind": "person" if name in ("ann", "ben") else "model"} for name in given}
    table = tables.people_and_prompts(scores(rows=given, settings=settings))
    assert table is not None
    sides = [(row[0], row[1], row[2], row[5], row[6], row[7]) for row in table.rows]
    half, most = pytest.approx(0.5), pytest.approx(2 / 3)
    assert sides == [
        ("people", "idk", half, "majority", None, most),
        ("m", "idk", 1.0, "majority", None, most),
        ("free", "no idk", 0.0, "majority", None, most),
        ("people", "idk", half, "m", "idk", 1.0),
    ]


def test_rows_of_one_question_are_one_edge_or_contradict_each_other() -> None:
    def edge(
        kind: str, low: float | None, high: float | None, n: int | None = None, m: int | None = None
    ) -> Edge:
        mid = CLASSES["HP:0040282"][0]
        return Edge("sensitivity", "OMIM:1", "HP:1", "", low, high, mid, n, m, (f"{kind}{n}",), kind)

    def strict(*edges: Edge, denied: bool = False) -> tuple[list[Edge], int, dict[str, int]]:
        evidence = Evidence(denied={("OMIM:1", "HP:1")} if denied else set(), same={"ORPHA:1": "OMIM:1"})
        kept, contested = merged(evidence, edges, "strict")
        return kept, len(contested), dict(evidence.left_out)

    often, seldom = edge("class", 0.3, 0.79), edge("class", 0.05, 0.3)
    assert strict(often) == ([often], 0, {})
    assert strict(often, denied=True) == ([], 1, {})
    # One disease by two identifiers.
    assert strict(replace(often, source="ORPHA:1"), seldom)[0][0].source == "OMIM:1"
    assert strict(replace(often, source="ORPHA:1"), denied=True) == ([], 1, {})
    # Intervals that touch do not contradict each other; those apart do.
    assert strict(often, seldom)[1:] == (0, {})
    assert strict(often, edge("class", 0.01, 0.04)) == ([], 1, {})
    assert strict(edge("own", None, None), often)[0][0].low == often.low
    # Ten patients decide, nine do not.
    (summed,), _, _ = strict(edge("count", 0.2, 0.8, 2, 4), edge("count", 0.2, 0.8, 3, 6))
    assert (summed.n, summed.m, summed.references) == (5, 10, ("count2", "count3"))
    few = [edge("count", 0.2, 0.8, 2, 4), edge("count", 0.2, 0.8, 3, 5)]
    assert strict(*few) == ([], 0, {"fewer than 10 patients, and no class": 1})
    assert strict(*few, often)[0][0].kind == "class"
    assert strict(edge("percent", None, None)) == ([], 0, {"a bare percentage, without an interval": 1})
    # The paper averages: the widest ends, and counts where all have some.
    (wide,), _ = merged(Evidence(), [often, seldom], "paper")
    assert (wide.low, wide.high, wide.n) == (0.05, 0.79, None)
    (half,), _ = merged(Evidence(), [often, few[0]], "paper")
    assert (half.n, half.m) == (None, None)
