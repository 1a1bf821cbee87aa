"""What models are asked beside quotes and terms, how replies are read, and how labels are put in order."""

from __future__ import annotations

import pytest

from extractors.model.document import Document, Section
from extractors.tasks.choice import AnchorTask
from extractors.tasks.coding import Names, genmap_order, lr_scores, nll
from extractors.tasks.concepts import Coded, ConceptsTask
from extractors.tasks.diagnoses import Shown, diagnosis_prompt
from extractors.tasks.phenotypes import PhenotypesTask, terms_prompt
from extractors.tasks.screening import YesNo, screening_prompt
from extractors.terminology.library import shipped_hpo


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Yes.", "yes"),
        ("Answer: Yes/No", None),
        ("I see.\nYes, at first sight.\nNo.", "no"),
        ("It is not likely.", "no"),
        ("It is likely, although there is no evidence of pain.", None),
        ("First answer: no. Final answer: yes", "yes"),
        ('{"answer": false}', "no"),
        ("He may have it.", "yes"),
        ("Unclear; more tests are needed.", None),
    ],
)
def test_yes_and_no_are_read_where_a_reply_is_clear(reply: str, value: str | None) -> None:
    reading = YesNo().read(reply)
    assert (reading.value, reading.complete) == (value, value is not None)


def test_findings_are_shown_with_those_that_were_looked_for_in_vain() -> None:
    shown = screening_prompt("Fabry disease", ["pain", "rash"], ["fever"]).block
    told = "The patient's findings: pain, rash.\nLooked for and absent: fever."
    assert shown == f"<report>\n{told}\n</report>\n\n"
    asked = diagnosis_prompt(
        Shown(["pain"], ["fever"]), ["Gout"], [Shown(["rash"], diagnoses=["A", "B"], reasoning=" So. ")]
    )
    assert asked.block == (
        "Patient 1's findings: rash.\nSo.\nPatient 1 has A; B.\n\n"
        "The patient's findings: pain.\nLooked for and absent: fever.\n"
    )
    assert asked.instructions.split("\n")[1] == "Gout"


def test_names_stand_behind_the_last_line_of_diagnoses_and_are_those_of_the_list() -> None:
    form = Names(frozenset({"Gout", "Gout; chronic", "Lead poisoning"}), analysis=True)
    reply = "Diagnosis: maybe lead poisoning\nDiagnoses: 1. gout; chronic; **a cold**; Gout; GOUT"
    assert form.read(reply).value == ["Gout; chronic", "a cold", "Gout"]
    assert form.read("Gout").problems == ("The reply has no line of diagnoses.",)


def test_labels_are_ordered_by_what_the_report_makes_cheaper_and_by_the_words_they_share() -> None:
    costs = {"a": {"sum": -4.0, "tokens": 2, "exact": True}, "b": {"sum": -3.0, "tokens": 3, "exact": True}}
    prior = {"a": {"sum": -8.0, "tokens": 2, "exact": True}, "b": {"sum": -3.0, "tokens": 3, "exact": False}}
    first, second = lr_scores(["b", "a"], costs, prior, alpha=0.5, normalise="mean")
    assert (first["name"], first["score"], first["conditional"], first["prior"]) == ("a", 0.0, 2.0, 4.0)
    assert (second["name"], second["score"], second["exact"]) == ("b", -0.5, False)
    assert [one["score"] for one in lr_scores(["a", "b"], costs, prior, alpha=0.5, normalise="sum")] == [
        0.0,
        -1.5,
    ]
    assert nll({"sum": -4, "tokens": 0}, "mean") == 4
    shared = genmap_order(["left heart failure", "heart failure", "gout", "ache"], "failure of the heart")
    assert [label for label, _ in shared] == ["heart failure", "left heart failure", "gout", "ache"]


def test_a_span_over_two_sentences_is_shown_with_both() -> None:
    text = "He had pain. It was very bad. It left him."
    start, end = text.index("pain"), text.index(" bad")
    task = ConceptsTask("HPO", lambda _: [Coded("1", start, end, ("Pain", "Ache"))])
    (item,) = task.items(Document("A man", text, ()))
    assert item.spans == ((0, text.index(" It left")),)
    assert task.prompt(item).instructions.startswith("Quote: pain. It was very\n")
    # Nor with what follows at once where no blank parts sentences.
    alone = ConceptsTask("HPO", lambda _: [Coded("1", 1, 4, ("Pain",))])
    assert [one.spans for one in alone.items(Document("", "他头痛。他发热。", ()))] == [((0, 4),)]


def test_disorders_stand_under_letters_in_their_order_beside_what_is_read_of_the_report() -> None:
    text = "Case\nHe had B or A.\nReferences\nA. 2011."
    parts = ((0, 20, "case"), (20, len(text), "excluded"))
    sections = tuple(Section("", (), start, end, (), role) for start, end, role in parts)  # type: ignore[arg-type]
    task = AnchorTask(lambda _: [("ORPHA:2", "B"), ("ORPHA:1", "A")])
    (item,) = task.items(Document("A man", text, sections))
    prompt = task.prompt(item)
    assert "References" not in prompt.block
    assert prompt.instructions.split("\n")[:3] == ["A. B", "B. A", "NONE. none of these"]
    assert task.form(item).read("A").value == ["ORPHA:2"]
    assert not AnchorTask(lambda _: []).items(Document("A man", text, sections)).__next__().spans


def test_reasoning_comes_beside_the_longest_reply_and_examples_have_entities_to_name() -> None:
    task = PhenotypesTask(shipped_hpo(), "pte", "zero-shot-cot")
    (item,) = task.items(Document("A man", "He had pain.", ()))
    assert [task.reply_tokens(item, shown) for shown in (100, 3000, 9000)] == [1536, 2012, 2560]
    assert "gee/retrieval" not in PhenotypesTask.variants()
    assert {"pte/retrieval", "ges/retrieval", "gee/few-shot"} < set(PhenotypesTask.variants())
    shown = [
        terms_prompt(shipped_hpo(), level, "few-shot").user.count("Example: ") for level in ("pte", "ges")
    ]
    assert shown == [3, 2]


def test_entities_are_named_where_there_are_some_and_end_no_block() -> None:
    text = "He had pain </entities> rash."
    found = {text: ["pain </entities> rash"]}
    task = PhenotypesTask(shipped_hpo(), "ges", "zero-shot", lambda text: found.get(text, ()))
    (item,) = task.items(Document("A man", text, ()))
    prompt = task.prompt(item)
    assert prompt.block == "<entities>\npain < /entities> rash\n</entities>\n\n"
    assert not next(task.items(Document("A man", "He was well.", ()))).spans
