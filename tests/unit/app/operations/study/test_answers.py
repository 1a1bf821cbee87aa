"""What people and files say of items, as it is read and listed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.operations.study import items
from app.operations.study.asking import ItemTask
from app.operations.study.building import Sampled, list_sample
from app.operations.study.exchange import _pictures_beside as pictures_beside
from app.operations.study.exchange import _require_free as require_free
from app.operations.study.items import KeptItem, count_labels, item_of
from app.operations.study.judging import _on_scale as on_scale
from app.operations.study.people import Given, answers_in
from app.operations.study.replies import _subjects as subjects_of
from app.operations.study.replies import replay_client, replies_in
from app.operations.study.running import _about_read as about_read
from app.store.extract.runs import CallRecord
from app.studies.results import Again, Item
from app.studies.study import Ask
from extractors.llm.types import Subject
from extractors.model.errors import CallError, FormatError, ReplayError
from extractors.tasks.base import Prompt
from extractors.tasks.forms import Text


def test_a_sample_lists_what_edits_put_in_its_place_with_the_last_verdict() -> None:
    first, second, mended, other, unasked = (Item(name, "organ", {}) for name in "abcde")
    foreign = replace(first, task="sign")
    kept = [KeptItem(item.task + item.id, item) for item in (first, second, mended, other, unasked, foreign)]
    said = {"verdict": "edited", "reason": "It was wrong.", "by": "Ana"}
    built = {
        "sample": ["a", "b", "d"],
        "verified": {
            "organ/a": {**said, "instead": "c"},
            "organ/b": {"verdict": "accepted", "by": "Ben"},
            "organ/d": {**said, "instead": "c"},
            "sign/a": {"verdict": "rejected", "reason": "No.", "by": "Ben"},
        },
    }
    rejected = Sampled(foreign, "rejected", "No.", "Ben")
    edited = Sampled(mended, "edited", "It was wrong.", "Ana")
    assert list_sample(kept, built) == [edited, Sampled(second, "accepted", "", "Ben"), edited, rejected]
    # What was edited may be judged again.
    later = {**built["verified"], "organ/c": {"verdict": "accepted", "reason": "", "by": "Cy"}}  # type: ignore[dict-item]
    assert list_sample(kept, {**built, "verified": later})[0] == Sampled(mended, "accepted", "", "Cy")
    assert list_sample(kept, {"sample": ["e"]}) == [Sampled(unasked)]
    assert list_sample(kept, {}) == []


def test_a_sheet_of_answers_is_read_with_guesses_tasks_and_seconds_of_the_first_round(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    rows = ("rash,A,organ,2.5,B", "rash,[1],sign,0,", "cough,,,,C d", "fever,yes,organ,,")
    sheet.write_text("\n".join(("item,value,task,seconds,guess", *rows)), "utf-8")
    assert answers_in(sheet) == [
        Given("rash", "organ", "A", 1, 2.5),
        Given("rash", "organ", "B", 2, None),
        Given("rash", "sign", [1], 1, 0.0),
        Given("cough", "", "C d", 2, None),
        Given("fever", "organ", "yes", 1, None),
    ]
    for row, said in (
        ("rash,B,organ,,", "line 6: rash is answered above"),
        ("cough,,,,E", "line 6: cough is answered above"),
        ("itch,A,,-1,", "line 6: '-1' are no seconds"),
        ("itch,A,,nan,", "'nan' are no seconds"),
        ("itch,A,,31622400,", "are no seconds"),
    ):
        sheet.write_text("\n".join(("item,value,task,seconds,guess", *rows, row)), "utf-8")
        with pytest.raises(FormatError, match=said):
            answers_in(sheet)


def test_a_line_with_replies_to_each_question_is_as_many_replies(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    said = {
        "item": "rash",
        "task": "organ",
        "value": "A",
        "reply": "A",
        "error": None,
        "probabilities": [["A", 0]],
    }
    apart = [{"question": "1", "reply": "x", "error": "cut"}, {"question": "2", "reply": "y"}]
    draft = {"item": "d", "task": "drafts", "reply": "z"}
    lines = [{**said, "replies": apart, "drafts": [draft]}, {**said, "replies": []}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    common = {"item": "rash", "task": "organ", "value": "A"}
    assert replies_in(file) == [draft, *({**common, **one} for one in apart), said]


def task_of(*items: Item, times: list[Again], questions: tuple[str, ...] = ("1",), usual: Again) -> ItemTask:
    """These items, each asked so many times."""
    ask = Ask(lambda item, again, one: Prompt("", "", Text()), questions=lambda item: questions, usual=usual)
    kept = [KeptItem(f"{item.task} {item.id}", item) for item in items]
    return ItemTask("study/toy", ask, kept, {one.uuid: times for one in kept})


RASH, SIGN = Item("rash", "organ", {}), Item("rash", "sign", {})


@pytest.mark.parametrize(
    ("line", "times", "usual", "answers"),
    [
        # What is asked once need not say which time it is; of several the one that is named is answered.
        ({}, [{"order": 3}], {}, ['{"order":3}']),
        ({"order": 2}, [{"order": 1}, {"order": 2}], {}, ['{"order":2}']),
        ({}, [{"order": 1}, {"order": 2}], {}, []),
        # One seed for all of them tells no times apart; several do.
        ({"order": 2}, [{"order": 1, "seed": 7}, {"order": 2, "seed": 7}], {}, ['{"order":2,"seed":7}']),
        ({"order": 1}, [{"order": 1, "seed": 7}, {"order": 1, "seed": 8}], {}, []),
        ({"seed": 8}, [{"seed": 7}, {"seed": 8}], {}, ['{"seed":8}']),
        # What is left unsaid is as usual, also where it is asked in another way alone.
        ({}, [{}, {"shown": "all"}], {"shown": "none"}, [""]),
        ({}, [{"shown": "all"}], {"shown": "none"}, []),
        ({"shown": "all"}, [{}, {"shown": "all"}], {"shown": "none"}, ['{"shown":"all"}']),
    ],
)
def test_a_recorded_reply_answers_the_time_that_it_names(
    line: dict[str, object], times: list[Again], usual: Again, answers: list[str]
) -> None:
    task = task_of(RASH, times=times, usual=usual)
    found = subjects_of({"item": "rash", "reply": "A", **line}, task)
    assert found == {Subject("organ/rash", ("1",), again=again): "A" for again in answers}


def test_a_recorded_reply_names_its_task_and_question_where_there_are_several(tmp_path: Path) -> None:
    task = task_of(RASH, SIGN, times=[{}], usual={})
    both = {Subject(f"{one}/rash", ("1",)): "A" for one in ("organ", "sign")}
    assert subjects_of({"item": "rash", "reply": "A"}, task) == both
    assert [*subjects_of({"item": "rash", "task": "sign", "reply": "A"}, task)] == [
        Subject("sign/rash", ("1",))
    ]
    several = task_of(RASH, times=[{}], usual={}, questions=("1", "2"))
    assert subjects_of({"item": "rash", "reply": "A"}, several) == {}
    assert [*subjects_of({"item": "rash", "question": "2", "reply": ""}, several)] == [
        Subject("organ/rash", ("2",))
    ]
    file = tmp_path / "r.jsonl"
    lines = [{"item": "rash", "task": one, "reply": "A"} for one in ("organ", "sign", "drafts")]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    alone, known = task_of(RASH, times=[{}], usual={}), {"rash": ["organ", "sign", "drafts"]}
    assert replay_client(file, alone, known)[1] == ["2 of 3 replies are to what is not asked now."]
    assert replay_client(file, alone, known, aside=("drafts",))[1] == [
        "1 of 3 replies are to what is not asked now."
    ]
    assert replay_client(file, alone, None)[1] == replay_client(file, alone, known)[1]
    with pytest.raises(ReplayError, match="reply 3, is to 'rash', which is no item here"):
        replay_client(file, alone, {"rash": ["organ", "sign"]})
    file.write_text("".join(json.dumps(line) + "\n" for line in (*lines[:1], *lines[:1])), "utf-8")
    with pytest.raises(ReplayError, match="reply 2, repeats one that stands above it"):
        replay_client(file, alone, known)
    file.write_text('{"item": "rash", "reply": "A"}', "utf-8")
    assert replay_client(file, alone, known)[1] == []
    assert replay_client(file, alone, known, named=True)[1] == [
        "1 of 1 replies are to what is not asked now."
    ]


def test_a_score_is_one_of_the_scale_as_it_is_or_in_words_of_a_sheet() -> None:
    yes, points = (True, False), (0, 1, 2)
    assert [on_scale(yes, given) for given in (True, False, " Yes", "n", "FALSE")] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert [on_scale(points, given) for given in (1, "2", " 0 ")] == [1, 2, 0]
    for values, given in (
        (yes, 1),
        (yes, 0),
        (yes, "1"),
        (points, True),
        (points, 1.0),
        (points, "3"),
        (yes, ""),
    ):
        assert on_scale(values, given) is None, given


def test_remarks_on_replies_are_told_the_most_frequent_first_and_the_others_counted() -> None:
    def call(*problems: str, state: str = "done") -> CallRecord:
        return CallRecord("i", "", "p", "A", "", state=state, details={"problems": problems})  # type: ignore[arg-type]

    calls = [call("a", "b"), call("b"), *(call(one) for one in "cdefg"), call("lost", state="failed")]
    assert list(about_read(calls)) == [
        "2 replies: b",
        *(f"1 reply: {one}" for one in "acde"),
        "2 replies: read with other remarks.",
    ]
    assert list(about_read(calls[:5])) == ["2 replies: b", *(f"1 reply: {one}" for one in "acde")]
    assert list(about_read([call()])) == []


def test_items_are_counted_by_label_also_where_none_has_a_value() -> None:
    items = [
        Item("a", "organ", {}, labels={"side": "left", "parts": ["x", "y"]}),
        Item("b", "organ", {}, labels={"side": "left"}),
        Item("c", "sign", {}, labels={"parts": ["y"]}),
    ]
    assert count_labels(items, {"side": ("right", "left"), "age": ("old",)}) == {
        "task": {"organ": 2, "sign": 1},
        "side": {"left": 2, "right": 0},
        "parts": {"x": 1, "y": 2},
        "age": {"old": 0},
    }


def test_pictures_that_may_not_be_passed_on_are_named_by_their_licences_each_once() -> None:
    require_free(["CC BY 4.0", "CC0", "Candid licence"])
    with pytest.raises(CallError, match="come under CC BY-NC-ND, ND, unknown, which"):
        require_free(["", "CC BY", "ND", "CC BY-NC-ND", ""])


def test_a_picture_is_taken_from_its_folder_alone(tmp_path: Path) -> None:
    def showing(name: str) -> list[Item]:
        return [item_of({"id": "a", "task": "organ", "input": {"pictures": [{"sha256": name}]}})]

    (tmp_path / "pictures").mkdir()
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "pictures" / "ab").write_bytes(b"y")
    (tmp_path / "pictures" / "cd").symlink_to(tmp_path / "secret")
    assert pictures_beside(tmp_path, [*showing("ab"), *showing("ab")]) == {"ab": b"y"}
    assert pictures_beside(tmp_path, [Item("b", "organ", {"pictures": "none"})]) == {}
    for name in ("cd", "ef", "../secret"):
        with pytest.raises(FormatError, match="lacks the picture"):
            pictures_beside(tmp_path, showing(name))


def test_of_what_a_study_said_of_its_builds_the_last_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [SimpleNamespace(summary={"details": one}) for one in ({"a": 1, "b": 1}, None, {"a": 2})]
    monkeypatch.setattr(items, "builds", lambda *_: made)
    given: Any = SimpleNamespace(id="toy")
    assert items.built_details(given, given) == {"a": 2, "b": 1}
