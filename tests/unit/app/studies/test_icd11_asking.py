"""What models and methods of the ICD-11 study are asked, and how their answers stand beside the truth."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest

from app.studies.icd11 import asking, views
from app.studies.icd11.sheet import judged
from app.studies.icd11.study import STUDY
from app.studies.icd11.views import View, lists_of
from app.studies.results import Item, Row
from app.studies.study import Job
from extractors.model.errors import CallError

NAMES = ("head pain", "chest pain", "gout", "ague")
CLASSES = [{"name": name, "code": f"C{at}", "admissions": 9 - at} for at, name in enumerate(NAMES)]
BUILT = {"min_count": 5, "classes": CLASSES, "release": "2024-01"}
VIEW = View(5, tuple(CLASSES), NAMES, frozenset(NAMES))


def item(name: str = "a", report: str = "Pain in my head", *truths: str, split: str = "test") -> Item:
    return Item(
        name, "coding", {"report": report}, {"names": truths, "codes": ["C9"] * len(truths)}, {"split": split}
    )


def job(
    arm: str = "generate", *items: Item, drafted: Mapping[Any, Any] | None = None, **settings: object
) -> Job:
    return Job({"built": BUILT, "arm": arm, "seed": 1, **settings}, 1, items, drafted or {})


def test_classes_are_ranked_by_the_words_they_share_rare_ones_and_short_titles_counting_for_more() -> None:
    found = asking.lexical(job())(item(), {})
    weight = {word: math.log(5 / (1 + times)) + 1 for word, times in (("head", 1), ("pain", 2), ("chest", 1))}
    both = math.hypot(weight["chest"], weight["pain"])
    assert found["predicted"][:2] == ["head pain", "chest pain"]
    assert [one["score"] for one in found["scores"]] == pytest.approx(
        [math.hypot(weight["head"], weight["pain"]), weight["pain"] ** 2 / both, 0.0, 0.0]
    )
    assert (found["outside"], found["listed"], found["samples"]) == ([], 4, [])
    # Where none is nearer the order is drawn for each item anew, and is the same for it again.
    ties = {tuple(asking.lexical(job())(item(str(n), "nothing"), {})["predicted"]) for n in range(9)}
    assert len(ties) > 1
    drawn = asking.at_random(job("generate", item("a", "", "gout")))(item(), {})
    assert sorted(drawn["predicted"]) == sorted(NAMES)
    assert [one["score"] for one in drawn["scores"]] == [4.0, 3.0, 2.0, 1.0]
    assert drawn["samples"] == [1, 2, 3]
    for settings in ({"order": "random"}, {"list": "short", "analysis": True}):
        with pytest.raises(CallError, match="lexical ranks every class: leave out --"):
            asking.lexical(job(**settings))


def test_arms_that_show_no_list_are_refused_one_and_a_reply_held_to_it_has_no_reasoning() -> None:
    for arm in ("rank", "genmap"):
        with pytest.raises(
            CallError, match=f"--arm {arm} shows the model no list: leave out --order and --list"
        ):
            asking.ask(job(arm, order="random", list="short"))
    with pytest.raises(CallError, match="--analysis goes with --arm generate"):
        asking.ask(job("choose", analysis=True))
    how = asking.ask(job(analysis=True))
    given = how.value(item(), {}, {"coding": ["gout", "Other", "gout"]})
    assert given == {
        "predicted": ["gout", "Other", "gout"],
        "outside": ["Other"],
        "scores": [],
        "listed": 4,
        "samples": [],
    }


def test_labels_are_weighed_against_what_they_cost_without_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def scored(names: object, read: object, without: object, **how: object) -> list[dict[str, object]]:
        asked.append((read, without, how))
        return [{"name": "gout", "conditional": 1.0}]

    monkeypatch.setattr(asking, "lr_scores", scored)
    drafted = {("prior", "prompt"): "P", ("prior", "bare"): "B"}
    cases: list[tuple[dict[str, Any], str, float, str]] = [
        ({}, "P", 1.0, "mean"),
        ({"alpha": 0.0, "prior": "bare", "normalise": "sum"}, "B", 0.0, "sum"),
    ]
    for settings, without, alpha, mean in cases:
        how = asking.ask(job("rank", drafted=drafted, **settings))
        assert how.value(item(), {}, {"gout": "R"})["predicted"] == ["gout"]
        assert asked[-1] == ({"gout": "R"}, without, {"alpha": alpha, "normalise": mean})
        (prior,), _ = asking.drafts(job("rank", **settings))
        assert drafted[prior.task, prior.id] == without
    assert asking.drafts(job())[0] == ()
    with pytest.raises(CallError, match="No answers to the labels without a report"):
        asking.ask(job("rank")).value(item(), {}, {})

    orders: list[tuple[str, ...]] = []

    def ordered(names: list[str], _: object) -> list[tuple[str, float]]:
        orders.append(tuple(names))
        return [("gout", 1.0)]

    monkeypatch.setattr(asking, "genmap_order", ordered)
    for name in "abcdef":
        asking.ask(job("genmap")).value(item(name), {}, {"q": "words"})
    assert len(set(orders)) > 1, "ties fall otherwise for each item"


def test_an_answer_stands_beside_the_truth_only_where_that_may_be_seen() -> None:
    asked = item("a", "", "gout", "ague")
    scores = [
        {"name": "ague", "score": 0.5, "conditional": 1.25, "prior": 0.75, "tokens": 2, "exact": True},
        {"name": "head pain", "score": 0.25, "conditional": 2.0, "prior": 1.75, "tokens": 3, "exact": False},
    ]
    value = {"predicted": ["ague", "head pain"], "outside": [], "scores": scores}
    told = asking.beside(asked, Row(asked, value), BUILT, True)
    assert told is not None
    assert (told.title, told.heads) == (
        "Candidates, best first",
        ("", "Disease", "Code", "Score", "NLL", "Prior", "Tokens", "Right"),
    )
    assert told.rows == [
        ("1", "ague", "C3", "0.500", "1.250", "0.750", "2", "✓"),
        ("2", "head pain", "C0", "0.250 inexact", "2.000", "1.750", "3", ""),
        ("–", "gout", "C2", "", "", "", "", "✓ not named"),
    ]
    assert "2024-01" in told.source
    unseen = asking.beside(asked, Row(asked, value), BUILT, False)
    assert unseen is not None
    assert [row[-1] for row in unseen.rows] == ["2", "3"]
    # Names without scores, one of them on no list; a class that the last build does not have.
    free = asking.beside(asked, Row(asked, {"predicted": ["gout", "Own"], "outside": ["Own"]}), {}, True)
    assert free is not None
    assert (free.title, free.source) == ("Diseases named", "")
    assert free.rows == [
        ("1", "gout", "C9", "✓"),
        ("2", "Own", "on no list", ""),
        ("–", "ague", "C9", "✓ not named"),
    ]
    plain = [{"name": "gout", "score": 1.0, "conditional": None, "tokens": None, "exact": None}]
    ranked = asking.beside(asked, Row(asked, {"predicted": ["gout"], "scores": plain}), BUILT, False)
    assert ranked is not None
    assert ranked.rows == [("1", "gout", "C2", "1.000")]
    alone = asking.beside(asked, None, BUILT, True)
    assert alone is not None
    assert (alone.title, alone.rows) == ("Right answer", [("–", "gout", "C2", "✓"), ("–", "ague", "C3", "✓")])
    funnel = [
        {"step": "read", "kept": 1200, "lost": {}},
        {"step": "leaf", "kept": 9, "lost": {"a": 1000, "b": 1}},
    ]
    steps = asking.beside(asked, None, {**BUILT, "funnel": funnel}, False)
    assert steps is not None
    assert steps.rows == [("read", "", "1,200"), ("leaf", "1,000 a; 1 b", "9")]
    assert asking.beside(asked, Row(asked, None), {**BUILT, "funnel": funnel}, False) is None
    assert asking.beside(asked, None, BUILT, False) is None


def test_of_a_ranking_the_first_names_are_said_and_of_names_all() -> None:
    names = [f"n{n}" for n in range(5)]
    assert asking.short({"predicted": names, "scores": [{}]}) == "n0; n1; n2"
    assert asking.short({"predicted": names, "scores": []}) == "; ".join(names)
    assert asking.short({"predicted": []}) == "No name was given."


@pytest.mark.parametrize("given", ["Gout\n ague.", "gout; Ague", ["gout", "Ague", "gout"]])
def test_what_a_person_names_is_scored_as_what_a_model_names(given: object) -> None:
    form = STUDY.form
    assert form is not None
    asked = item("a", "It hurts", "gout")
    value = form(asked).read(json.dumps(given)).value
    assert asking.short(value) == "gout; ague"
    found = judged(Row(asked, value), VIEW, {})
    assert found is not None
    assert (found.given, found.own) == (("gout", "ague"), frozenset({"gout", "ague"}))
    (which, names), (_, source) = STUDY.allowed({"built": BUILT})
    assert (which[:24], names) == ("Only these 4 names count", "ague · chest pain · gout · head pain")
    assert "release 2024-01" in source
    assert asking.beside(asked, Row(asked, value), BUILT, False) is not None


def test_a_run_asks_its_samples_of_the_test_part_and_a_list_of_all_every_item_of_the_view() -> None:
    items = [item(f"t{n}", "", "gout") for n in range(9)]
    others = [item("train", "", "gout", split="train"), item("rare", "", "Own"), item("least", "", "ague")]
    every = [*items, *others]
    settings = {"built": BUILT, "seed": 1}
    assert [one.id for one in views.choose(every, settings)] == [*(one.id for one in items), "train", "least"]
    assert [one.id for one in views.choose(every, {**settings, "min_count": 7})] == [
        *(one.id for one in items),
        "train",
    ]
    run = {**settings, "count": 2, "repeats": 4}
    drawn = views.samples(every, run)
    assert sorted(number for numbers in drawn.values() for number in numbers) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert drawn.keys() <= {one.id for one in (*items, others[2])}
    assert len({frozenset(name for name in drawn if number in drawn[name]) for number in range(1, 5)}) > 1
    assert [one.id for one in views.choose(every, run)] == [one.id for one in every if one.id in drawn]
    assert len(views.choose(every, {**settings, "analysis": True})) == 10
    assert views.samples(every, {**run, "seed": 2}) != drawn
    for wrong, said in (
        ({"min_count": 4}, "built with --min-count 5"),
        ({"min_count": 99}, "No class occurs 99"),
    ):
        with pytest.raises(CallError, match=said):
            views.view_of({**settings, **wrong})


def test_lists_are_ordered_as_asked_and_short_ones_hold_what_models_said_wrongly() -> None:
    asked = item("a", "", "gout", "ague")

    def listed(order: str | None = None, which: str | None = None, earlier: object = None) -> list[str]:
        settings = {"built": BUILT, "seed": 1, "order": order, "list": which}
        return lists_of(settings, lambda: earlier)(asked)  # type: ignore[arg-type, return-value]

    origin = listed()
    rest = [name for name in origin if name not in ("gout", "ague")]
    assert sorted(origin) == sorted(NAMES)
    assert listed("correct-first") == ["gout", "ague", *rest]
    assert listed("correct-last") == [*rest, "gout", "ague"]
    assert listed("freq-first") == list(NAMES)
    assert sorted(listed("random")) == sorted(NAMES)

    def run(predicted: list[str], **settings: object) -> tuple[dict[str, object], list[Row]]:
        said = {"arm": "generate", "order": "freq-first", **settings}
        return said, [Row(asked, {"predicted": predicted}), Row(asked, None)]

    earlier = {
        "one": run(["head pain", "gout", "Own"]),
        "origin": run(["chest pain"], order="origin"),
        "short": run(["chest pain"], list="short"),
        "ranked": run(["chest pain"], arm="rank"),
    }
    assert sorted(listed(which="short", earlier=earlier)) == ["ague", "gout", "head pain"]
    assert sorted(listed(which="short-paper", earlier=earlier)) == ["Own", "ague", "gout", "head pain"]
    with pytest.raises(CallError, match="A short list is made of what models said before"):
        listed(which="short", earlier={"origin": earlier["origin"]})


def test_of_a_run_it_is_told_how_many_names_were_on_no_list() -> None:
    given: tuple[object, ...] = ({"outside": ["Own", "Odd"]}, {"outside": []}, {"outside": ["Own"]}, None)
    rows = [Row(Item("i", "coding", {}), value) for value in given]
    assert STUDY.details(Job({}, 1, ()), rows) == {"outside": 3, "answers": 4}
