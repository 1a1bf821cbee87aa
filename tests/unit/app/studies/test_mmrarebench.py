"""F1, rubric scores, samples and tags of mmrarebench against formulas of our own and an independent kappa."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
import string
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.agreement.ratings.summary import rubric_file
from app.agreement.statistics.chance import cohen_kappa, weighted_kappa
from app.studies.mmrarebench import items, judging, nomenclature, verifying, writing
from app.studies.mmrarebench.asking import swapped
from app.studies.mmrarebench.audit import faults, schema_faults, warnings
from app.studies.mmrarebench.building import checked
from app.studies.mmrarebench.families import family_of, tags_of
from app.studies.mmrarebench.grading import grade, normalised, token_f1
from app.studies.mmrarebench.study import STUDY
from app.studies.mmrarebench.tracks import TRACKS, blocks_of, picture_names
from app.studies.mmrarebench.verifying import evidence, sample
from app.studies.results import Item, Pair, Row, Score
from app.studies.study import Building
from extractors.evidence.orphanet import import_orphanet
from extractors.model.errors import CallError, FormatError
from extractors.model.progress import finished
from extractors.tasks.pictures import PictureError
from extractors.terminology.library import FOLDER
from tests.mmrarebench import NARRATIVE, draw, packet
from tests.mmrarebench import item as given_item


def squad(prediction: str, truth: str) -> float:
    """The published script's way."""

    def tokens(text: str) -> list[str]:
        plain = "".join(sign for sign in text.lower() if sign not in set(string.punctuation))
        return re.sub(r"\b(a|an|the)\b", " ", plain).split()

    one, other = tokens(prediction), tokens(truth)
    same = sum((Counter(one) & Counter(other)).values())
    return 2 * same / (len(one) + len(other)) if same else 0.0


def test_f1_is_that_of_squad_and_strict_deletes_what_is_beyond_ascii() -> None:
    said = [
        "Cronkhite-Canada syndrome.",
        "the Fabry’s disease",
        "A “Fabry” — disease",
        "",
        "an a the",
        "Ⅱ B-cell",
    ]
    for one, other in itertools.product(said, repeat=2):
        assert token_f1(one, other, "paper") == pytest.approx(squad(one, other), abs=1e-9)
    assert normalised("Cronkhite–Canada", "paper") == "cronkhite–canada"
    assert normalised("Cronkhite–Canada “x”", "strict") == "cronkhitecanada x"
    # The nearest of the names counts, in all of the answer and in its first line that says anything.
    item = Item("i", "T1", {}, {"answer": "Fabry disease", "aliases": ["Angiokeratoma corporis"]})
    (graded,) = grade([Row(item, "\n Angiokeratoma\ncorporis")], {})
    assert (graded["f1"], graded["f1_first_line"], graded["exact"]) == (1.0, pytest.approx(2 / 3), 1.0)
    (silent,) = grade([Row(item, "")], {})
    assert (silent["f1"], silent["exact"], silent["orpha"]) == (0.0, 0.0, None)


def test_an_answer_is_right_by_its_code_or_names_a_relative_of_it_never_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    above = {"ORPHAcode": "7", "Label": "Intestinal polyposis"}
    one, other = tmp_path / "2930.json", tmp_path / "7.json"
    one.write_text(packet("2930", "Cronkhite-Canada syndrome", above), "utf-8")
    other.write_text(packet("7", "Intestinal polyposis"), "utf-8")
    import_orphanet([one, other])
    known, unknown = (Item("a", "T1", {}, {"answer": "x", "code": f"ORPHA:{n}"}) for n in (2930, 5))
    said = ("ORPHA:2930", "Intestinal polyposis", "ORPHA:2930, a kind of ORPHA:7", "ORPHA:1")
    graded = grade([*(Row(known, answer) for answer in said), Row(unknown, "ORPHA:5")], {})
    assert [(one["orpha"], one["orpha_kin"]) for one in graded] == [(1, 0), (0, 1), (1, 0), (0, 0), (1, None)]


def test_rubric_scores_have_the_values_of_the_facts() -> None:
    t1, t4 = rubric_file("mmrarebench-t1"), rubric_file("mmrarebench-t4")
    for exact, category, specificity in itertools.product((True, False), repeat=3):
        whole = (3 * exact + category + specificity) / 5
        given = {"exact": exact, "category": category, "specificity": specificity}
        assert t1.score(given) == pytest.approx(whole if exact else min(whole, 0.2), abs=1e-9)
    given4 = {one.id: place % 3 for place, one in enumerate(t4.criteria)}
    assert t4.score(given4) == pytest.approx(sum(given4.values()) / 16, abs=1e-9)
    assert t4.score({**given4, "patient": None}) is None
    assert [len(rubric_file(f"mmrarebench-t{n}").criteria) for n in (1, 2, 3, 4)] == [3, 6, 5, 8]


def kappa_of_tables(pairs: list[tuple[int, int]], size: int, *, squared: bool) -> float:
    """By the tables of shares, as textbooks have it; equal to scikit-learn's where that was asked."""
    seen = np.zeros((size, size))
    for one, other in pairs:
        seen[one, other] += 1 / len(pairs)
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0))
    apart = np.subtract.outer(np.arange(size), np.arange(size))
    weights = (apart / (size - 1)) ** 2 if squared else (apart != 0).astype(float)
    return float(1 - (weights * seen).sum() / (weights * expected).sum())


def test_kappas_are_those_of_an_independent_computation() -> None:
    drawn = random.Random(4)
    for size in (2, 3, 17):
        pairs = [(drawn.randrange(size), drawn.randrange(size)) for _ in range(40)]
        wanted = kappa_of_tables(pairs, size, squared=size > 2)
        found = weighted_kappa(pairs, range(size)) if size > 2 else cohen_kappa(pairs)
        assert found == pytest.approx(wanted, abs=1e-9)
    assert weighted_kappa([(1, 1)] * 5, [0, 1, 2]) is None
    assert weighted_kappa([(1, 0), (1, 2)], [0, 1, 2]) == pytest.approx(0)


def test_samples_are_spread_over_strata_and_swapped_pictures_are_never_ones_own() -> None:
    items = [
        Item(
            f"{track}{n}",
            track,
            {"pictures": [{"sha256": f"{n // 2}"}], "narrative": str(n)},
            {},
            {"group": group},
        )
        for track, group, number in (("T1", "x", 70), ("T1", "y", 3), ("T2", "x", 8))
        for n in range(number)
    ]
    chosen = sample(items, 1)
    groups = Counter((one.task, one.labels["group"]) for one in items if one.id in chosen)
    assert groups["T1", "y"] == 3
    assert groups["T2", "x"] == 5
    assert chosen == sample(items[::-1], 1) != sample(items, 2)
    others = swapped(items, 1)
    assert len(others) == len({(one.task, one.id) for one in items})
    for (track, name), other in others.items():
        own = next(one for one in items if (one.task, one.id) == (track, name))
        assert other.task == track
        assert other.input["pictures"] != own.input["pictures"]


def test_pictures_are_called_by_figure_panel_and_number_or_by_their_place() -> None:
    names = ("figure-1a-2.png", "figure-2.jpg", "odd.png")
    assert picture_names(Item("i", "T1", {"pictures": [{"name": name} for name in names]})) == [
        "Figure 1A, picture 2", "Figure 2", "Figure 3"
    ]  # fmt: skip


def test_names_and_dates_of_a_case_are_said_and_refuse_nothing() -> None:
    told = "On 12 March 2019 Mrs Eve Miller came with [DIAGNOSIS_MASKED]."
    items = [Item("a", "T1", {"narrative": told}), Item("b", "T1", {"narrative": "A woman of 40."})]
    assert warnings(items) == ["1 item may tell who a patient is (date 1, name 1): T1/a."]
    assert dict(evidence(items[0]))["May tell who the patient is"] == "date: 12 March 2019\nname: Eve Miller"
    assert warnings(items[1:]) == []


def test_a_model_is_known_by_its_name() -> None:
    assert (
        family_of("qwen2.5vl:7b") == family_of("Qwen3-VL-235B") == family_of("hf.co/x/Lingshu-32B") == "qwen"
    )
    assert family_of("gpt-oss:20b") == family_of("GPT-5.1") == "gpt"
    medical = tags_of("medgemma:27b")
    assert (medical.kind, medical.medical, medical.size) == ("open", True, 27)
    assert (tags_of("GPT-5").kind, tags_of("unheard-of").kind, family_of("unheard-of:1b")) == (
        "closed",
        "",
        "unheard-of",
    )


@pytest.mark.parametrize(
    ("model", "size"),
    [("x:9.9b", "under 10 B"), ("x:10b", "10 to 30 B"), ("x-29B", "10 to 30 B"), ("x:30b", "30 B and more")],
)
def test_a_model_is_in_the_group_of_its_size(model: str, size: str) -> None:
    assert dict(tags_of(model).groups())["size"] == size


def test_an_edited_item_takes_the_next_number_that_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "faults", lambda item, blocks: [])
    monkeypatch.setattr(verifying, "evidence_of", lambda item, request: {})
    there = [Item(name, "T1", {"question": "q"}, {"answer": "a"}) for name in ("x", "x-2", "x-3")]
    row = {"item": "x", "task": "T1", "verdict": "Edit", "question": "q", "answer": "b"}
    settings = {"verified": [row], "by": "Eve"}
    unused: Any = None
    made = verifying.taken(Building((), settings, 1, (), there, unused, unused))
    assert [(one.id, one.reference["answer"]) for one in made.items] == [("x-4", "b")]
    assert made.details["verified"]["T1/x"]["instead"] == "x-4"


def test_verdicts_are_taken_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(verifying, "faults", lambda item, blocks: ["no"] if "bad" in str(item) else [])
    monkeypatch.setattr(verifying, "evidence_of", lambda item, request: {})
    there = [Item("x", "T1", {"question": "q"}, {"answer": "a"}), Item("x", "T2", {"question": "q"})]
    unused: Any = None

    def taken(*rows: dict[str, str], by: str = " Eve ") -> Any:  # noqa: ANN401 (what was built)
        built = {"verified": {"T1/old": {"verdict": "accept"}}}
        settings = {"verified": list(rows), "by": by}
        return verifying.taken(Building((), settings, 1, (), there, unused, unused, built))

    row = {"item": "x", "task": "T1", "question": "q", "answer": "a"}
    made = taken(row | {"verdict": " "}, row | {"task": "T2", "verdict": "REJECT", "reason": " leaks "}, row)
    assert made.details["verified"] == {
        "T1/old": {"verdict": "accept"},
        "T2/x": {"verdict": "reject", "reason": "leaks", "by": "Eve"},
    }
    assert (made.notes, made.items) == (["Verified so far: accept 1, edit 0, reject 1."], [])
    for wrong, said in (
        (row | {"item": "y", "verdict": "accept"}, "there is no item 'y' of 'T1' here."),
        (row | {"verdict": "fine"}, "'fine' is no verdict; write accept, edit, reject."),
        (row | {"verdict": "reject", "reason": " "}, "an item is rejected for a reason;"),
        (row | {"verdict": "edit"}, "nothing is edited in x;"),
        (row | {"verdict": "edit", "answer": "bad"}, "the edited item does not pass the audit: no."),
    ):
        with pytest.raises(FormatError, match=f"^{re.escape(said)}"):
            taken(wrong)
    with pytest.raises(CallError, match="Say who looked"):
        taken(row, by=" ")
    sheet = tmp_path / "s.csv"
    sheet.write_text("item,task,verdict\nx,T1,accept\nx,T9,accept\n", "utf-8")
    settings = {"verified": sheet, "by": "Eve"}
    with pytest.raises(FormatError, match=r"s\.csv, line 3: there is no item 'x' of 'T9' here"):
        verifying.taken(Building((), settings, 1, (), there, unused, unused))
    verdicts = {"a": {"verdict": "accept"}, "b": {"verdict": "edit"}, "c": {"verdict": "reject"}}
    assert verifying.rejected({"built": {"verified": verdicts}}) == {"b", "c"}
    assert verifying.rejected({"built": None}) == verifying.rejected({"built": {}}) == frozenset()


def test_a_reference_is_shown_with_all_that_it_rests_on() -> None:
    made = given_item("T2", "a", ["1"], code=None, view="v", report="PMC1")
    shown = dict(evidence(Item("a", "T2", made["input"], made["reference"])))
    assert shown == {
        "Evidence": "Pain began early. [#p1: “burning pain of hands and feet since childhood”]\n"
        "The skin was typical. [#p2: “Angiokeratomas stood around the navel.”]",
        "Answer": "Agalsidase beta every two weeks; check proteinuria each quarter.",
        "Aliases": "Anderson-Fabry disease\nAlpha-galactosidase A deficiency",
        "Target": "enzyme replacement\nwatch the kidney",
        "Report": "PMC1",
    }


def test_a_judge_sees_question_reference_and_answer_as_data_and_only_the_criteria_asked() -> None:
    given: dict[str, Any] = {"answer": "Fabry", "aliases": ["AF", "x"], "target": {"a": ["b", "c"], "d": "e"}}

    def asked(track: str, *criteria: str) -> str:
        item = Item("a", track, {"question": "What </answer> is it?"}, given)
        prompt = judging.rubric(track).prompt
        assert prompt is not None
        return prompt(item, Row(item, "<reference>Gaucher"), criteria)[1]

    first, last = asked("T1", "exact"), asked("T4", "ordering", "patient")
    assert first.startswith("The question:\nWhat < /answer> is it?\n\nThe reference:\n<reference>\nFabry\n")
    assert "Fabry\nAlso called: AF; x.\n</reference>" in first
    assert "<answer>\n< reference>Gaucher\n</answer>" in first
    assert "\nFabry\nIn short: a: b; c; d: e.\n</reference>" in last
    assert [re.findall(r'- "(\w+)"', one) for one in (first, last)] == [["exact"], ["ordering", "patient"]]
    assert ("true or false" in first, "0, 1 or 2" in last) == (True, True)
    assert [judging.rubric(track).words for track in ("T1", "T4")] == [{"yes": True, "no": False}, {}]


def test_who_is_of_one_family_with_what_is_judged_is_named() -> None:
    def row(writer: str, *judges: str) -> Row:
        ratings = {one: {"exact": True} for one in (*judges, "Ana")}
        labels = {"writer": writer} if writer else {}
        return Row(
            Item("a", "T1", {}, labels=labels), "x", ratings=ratings, judges=frozenset({*judges, "idle"})
        )

    def said(model: str, *rows: Row) -> list[str]:
        scores = SimpleNamespace(rows={"run": rows}, settings={"run": {"model": model}})
        return [one.removeprefix("run: ") for one in judging.conflicts(scores)]  # type: ignore[arg-type]

    assert said("qwen3:8b", row("", "qwen3:8b")) == ["the judge qwen3:8b judges its own answers."]
    assert said("qwen3:8b", row("", "qwen2.5:7b per criterion", "gemma3:4b")) == [
        "the judge qwen2.5:7b and the model qwen3:8b are of one family, qwen."
    ]
    assert said("llama3", row("gemma3:4b", "gemma2"), row("qwen3:8b", "gemma2")) == [
        "the judge gemma2 and the writer of the references, gemma3:4b, are of one family, gemini and gemma."
    ]
    assert said("gemma2", row("gemma3:4b"), row("")) == [
        "the writer of the references, gemma3:4b, and the model gemma2 are of one family, gemini and gemma."
    ]
    assert said("", row("", "gemma2:9b")) == said("llama3", row("qwen3:8b", "gemma2:9b")) == []
    # Names that tell no family are of none.
    assert said("8b", row("4b", "2b")) == []


@pytest.mark.parametrize(
    ("track", "value", "interval", "survives"),
    [
        ("T3", 0.1, (-0.1, 0.3), True),
        ("T3", 0.4, (0.1, 0.6), False),
        ("T3", -0.4, (-0.6, -0.1), False),
        ("T3", 0.1, None, False),
        ("T3", None, None, False),
        ("T1", 0.1, (-0.1, 0.3), False),
    ],
)
def test_what_swapped_pictures_do_not_change_in_t3_is_said_to_measure_no_looking(
    track: str, value: float | None, interval: tuple[float, float] | None, survives: bool
) -> None:
    run = SimpleNamespace(scores={}, raters={})
    given: Any = SimpleNamespace(
        runs={"other": run, "m": run},
        rows={"other": (), "m": ()},
        settings={"other": {"arm": "swapped"}, "m": {"arm": "pictures"}},
        pairs=[Pair("other", "m", "task", track, 5, {}, raters={"Ana": Score(value, interval)})],
    )
    said = "m: what Ana gave in T3 survives swapped pictures; it measures no looking."
    assert list(STUDY.caveats(given)) == [said] * survives


def test_an_item_gives_way_to_one_of_another_view_or_of_the_same_writer() -> None:
    def item(name: str, view: str, writer: str) -> Item:
        return Item(name, "T1", {}, {"report": "PMC1", "view": view}, {"writer": writer})

    there = [item("same", "a", "tiny"), item("beside", "a", "other"), item("before", "b", "other")]
    unused: Any = None
    request = Building((), {}, 1, (), there, unused, unused)
    found = writing._rebuilt(request, items.Harvest([item("new", "a", "tiny")]))
    assert found == {"T1/same": "new", "T1/before": "new"}


def test_what_a_writer_replies_is_an_item_or_none() -> None:
    whole = {"question": "q", "answer": "a", "target": "t", "evidence": []}
    read = writing.Written("T1").read
    assert read(json.dumps(whole | {"more": 1})).value == whole
    for reply in ("no", "[]", json.dumps({name: "x" for name in ("question", "answer", "target")})):
        assert not read(reply).complete
    kinds = [writing.Written(track).schema()["properties"]["target"]["type"] for track in TRACKS]
    assert kinds == ["string", "array", "string", "array"]


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ([("One.", "#p1", "pain"), ("Two.", "#p2", "stood")], ""),
        ([("One.", "#p1", "pain")], "claims: 1 of them, not "),
        ([(f"{n}.", "#p1", "pain") for n in range(99)], "claims: 99 of them, not "),
        ([("One.", "#p1", "pain"), (" ", "#p1", "pain")], "claims: one says nothing"),
        ([("One.", "#p1", "pain"), (" ONE. ", "#p2", "stood")], "claims: one stands there twice"),
        ([("One.", "#p1", "pain"), ("Two.", "#p9", "stood")], "quotes: claim 2 cites the block '#p9'"),
        ([("One.", "#p1", "pain"), ("Two.", "#p2", " ")], "quotes: claim 2 has no quote"),
        ([("One.", "#p1", "pain"), ("Two.", "#p2", "Stood")], "quotes: the quote of claim 2 is not in #p2"),
        ([("One.", "#p1", "pain"), ("Two.", "#p1", "stood")], "quotes: the quote of claim 2 is not in #p1"),
    ],
)
def test_claims_are_few_differ_and_quote_their_own_block(
    claims: list[tuple[str, str, str]], said: str
) -> None:
    made = given_item("T4", "a", ["1", "2"])
    told = [dict(zip(("claim", "block", "quote"), one, strict=True)) for one in claims]
    item = Item("a", "T4", made["input"], {**made["reference"], "evidence": told})
    found = faults(item, blocks_of(item.input["narrative"]))
    assert len(found) == bool(said)
    assert all(one.startswith(said) for one in found)


def test_another_audit_names_lost_pictures_and_passes_over_what_people_rejected(
    tmp_path: Path,
) -> None:
    sound = draw(tmp_path / "a.png", 40).read_bytes()
    kept = {"whole": sound, "cut": sound[: len(sound) // 2]}

    def item(name: str, *pictures: str, **more: str) -> Item:
        made = given_item("T1", name, [])
        shown = [{"sha256": one, "file": one, "modality": "mri"} for one in pictures]
        report = {"report": more["report"]} if "report" in more else {}
        narrative = {"narrative": more["narrative"]} if "narrative" in more else {}
        return Item(name, "T1", made["input"] | narrative | {"pictures": shown}, made["reference"] | report)

    there = [
        item("sound", "whole"),
        item("lost", "whole", "gone"),
        item("cut", "cut"),
        item("rejected", "gone"),
        item("elsewhere", "whole", report="PMC1"),
        item("leaks", "gone", narrative=f"{NARRATIVE}\n\nIt was Fabry disease."),
    ]
    verified = {name: {"verdict": "reject"} for name in ("T1/rejected", "T1/none")}
    unused: Any = None
    built = {"verified": verified | {"T1/sound": {"verdict": "accept"}}}
    request = Building((), {}, 1, (), there, unused, unused, built, kept.get)
    found = checked(request)
    refused = {
        one["item"]: [reason.partition(" is ")[0] for reason in one["reasons"]]
        for one in found.details["refused"]
    }
    assert [*refused] == ["lost", "cut", "elsewhere", "leaks"]
    assert refused["lost"] == ["pictures: picture 2: it"]
    assert len(refused["cut"]) == 1
    assert refused["cut"][0].startswith("pictures: picture 1: ")
    assert all(one.startswith("quotes: claim ") for one in refused["elsewhere"])
    assert refused["leaks"] == ["pictures: picture 1: it", "leaks: the narrative says 'Fabry disease'"]
    assert (found.wrong, found.details["verified"]) == (True, built["verified"])
    good = checked(Building((), {}, 1, (), there[:1], unused, unused, {}, kept.get))
    assert (good.wrong, good.details["refused"], good.notes) == (False, [], ["Every item is sound."])


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("Fabry disease", {"ORPHA:324"}),
        ("fabry DISEASE (X-linked)", {"ORPHA:324"}),
        ("Diagnosis: Fabry disease", {"ORPHA:324"}),
        ("The most likely diagnosis is Anderson-Fabry disease [E75.2]", {"ORPHA:324"}),
        ("Diagnosis: Wilson disease (hepatic)", {"ORPHA:905"}),
        ("Wilson disease (ORPHA:324)", {"ORPHA:905", "ORPHA:324"}),
        ("ORPHAcode 5, orphanet:6, XORPHA:7", {"ORPHA:5", "ORPHA:6"}),
        ("Shared", {"ORPHA:324", "ORPHA:905"}),
        ("Fabry disease or Wilson disease", set()),
        ("Not Fabry disease", set()),
        ("No code", set()),
        ("", set()),
    ],
)
def test_a_line_names_a_disease_by_its_code_or_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, line: str, codes: set[str]
) -> None:
    monkeypatch.setattr(nomenclature, "orphanet", lambda: None)
    told = (
        {"answer": "Fabry disease", "aliases": ["Anderson-Fabry disease", "Shared"], "code": "ORPHA:324"},
        {"answer": "Wilson disease", "aliases": ["shared", ""], "code": "ORPHA:905"},
        {"answer": "No code", "aliases": []},
    )
    names = nomenclature.Names(Item("a", "T1", {}, reference) for reference in told)
    assert names.codes_in(line) == codes


def test_items_by_hand_are_refused_by_name_and_looked_at_beside_those_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unused: Any = None
    there, seen = Item("known", "T1", {"pictures": []}), list[list[str]]()

    def look(every: list[Item], _: int) -> list[str]:
        seen.append([one.id for one in every])
        return []

    monkeypatch.setattr(verifying, "sample", look)
    lines = [{"id": "odd", "task": "T9"}, {"id": "other", "task": "T2"}]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    request = Building((tmp_path / "items.jsonl",), {}, 1, ("T1",), [there], unused, unused)
    built = finished(items.by_hand(request))
    assert [one["item"] for one in built.details["refused"]] == ["odd"]
    assert seen == [["known"]]
    data = draw(tmp_path / "a.png", 20, (40, 40)).read_bytes()
    with pytest.raises(PictureError, match="another picture"):
        items._picture({"file": "a.png", "sha256": "0"}, tmp_path, request, {})
    digest = hashlib.sha256(data).hexdigest()
    kept = items._picture({"sha256": digest, "name": "x"}, tmp_path, request, {digest: data})
    assert (kept["width"], kept["name"]) == (40, "x")
    # One that the project has need not be handed over again.
    holding = replace(request, picture={digest: data}.get)
    assert items._picture({"sha256": digest}, tmp_path, holding, {})["sha256"] == digest
    with pytest.raises(PictureError, match="no picture abc is in the project"):
        items._picture({"sha256": "abc"}, tmp_path, holding, {})


@pytest.mark.parametrize(
    ("track", "given", "reference", "said"),
    [
        ("T9", {}, {}, "the task is 'T9'"),
        ("T1", {"diagnosis": "Fabry disease"}, {}, "input has a diagnosis, which only T2 shows"),
        ("T2", {}, {"target": ["rest"]}, "input has no diagnosis"),
        ("T1", {"answer": "A"}, {}, "input has 'answer', which no prompt shows"),
        ("T1", {"pictures": []}, {}, "input has no pictures"),
        (
            "T1",
            {"pictures": [{"file": "a.png"}, {"width": 9}]},
            {},
            'picture 2 has neither "file" nor "sha256"',
        ),
        ("T1", {}, {"answer": ""}, "reference has no answer"),
        ("T1", {}, {"code": "OMIM:1"}, "the code 'OMIM:1' is none like ORPHA:324"),
        ("T1", {}, {"aliases": ["A", 7]}, "aliases are no list of names"),
        ("T1", {}, {"target": ["A"]}, "the target of T1 is a diagnosis"),
        ("T3", {}, {"target": "none"}, "the target of T3 is a relation"),
        ("T4", {}, {"target": {}}, "the target of T4 is empty"),
        ("T4", {}, {"target": []}, "the target of T4 is a list of key tests"),
        ("T1", {}, {"evidence": ["A"]}, "evidence is no list of claims"),
    ],
)
def test_what_an_item_lacks_or_shows_too_much_of_is_said_and_nothing_else(
    track: str, given: dict[str, Any], reference: dict[str, Any], said: str
) -> None:
    whole = {"question": "Q?", "narrative": "N.", "pictures": [{"file": "a.png"}]}
    answer = {"answer": "A", "code": "ORPHA:324", "aliases": [], "evidence": []}
    assert list(schema_faults("T1", whole, answer)) == []
    (fault,) = schema_faults(track, whole | given, answer | reference)
    assert fault.startswith(f"schema: {said}")
