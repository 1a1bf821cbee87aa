"""How replies of the shared forms are read, from a schema or by rule; what is none of them is no answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from extractors.tasks.base import Form
from extractors.tasks.diagnoses import listing_form
from extractors.tasks.forms import Choice, Ranking, Rubric, Score, Text, forced

ONE = Choice({"A": "low", "B": "middle", "C": "high", "idk": "I do not know"})
SEVERAL = Choice({"A": "low", "B": "middle", "C": "high"}, several=True)
TEN = Ranking(3, free=True)
DISEASES = listing_form()
LISTED = listing_form(("Fabry disease", "Fabry disease type 2", "classic Fabry disease"))
MARKS = Rubric({"exact": (True, False), "order": (0, 1, 2)})
NOTHING = object()


@pytest.mark.parametrize(
    ("form", "reply", "value"),
    [
        (ONE, '{"answer": "B"}', "B"),
        (ONE, '"high"', "C"),
        (ONE, '```json\n{"answer": "idk"}\n```', "idk"),
        (ONE, "**B**", "B"),
        (ONE, "$C$.", "C"),
        (ONE, "(A) low", "A"),
        (ONE, "B. middle", "B"),
        (ONE, "The answer is **B**, since A is too low.", "B"),
        (ONE, "First I thought the answer is A.\nThe answer is C", "C"),
        (ONE, "A\nNo, that was too fast.\nC", "C"),
        (ONE, "It is low, no, it is high.", NOTHING),
        (ONE, "Alas, I do not know.", "idk"),
        (ONE, "A patient with fever has it.", NOTHING),
        (ONE, "", NOTHING),
        (ONE, "D", NOTHING),
        (ONE, '{"answer": ["A", "B"]}', NOTHING),
        (ONE, '{"answer": ["B", "middle"]}', "B"),
        (SEVERAL, '{"answer": ["C", "A"]}', ["A", "C"]),
        (SEVERAL, "Well.\nAnswer: C, A", ["A", "C"]),
        (SEVERAL, "middle and high", ["B", "C"]),
        (SEVERAL, '"C A"', ["A", "C"]),
        (SEVERAL, '"B"', ["B"]),
        (SEVERAL, '{"answer": ["A", "Z"]}', NOTHING),
        (TEN, "1. **Fabry disease** - typical\n2) Gaucher disease: splenomegaly\n3. Fabry disease", ...),
        (TEN, "1. Fabry disease because of the pain\n2. Gaucher disease, given the age", ...),
        (TEN, "- Fabry disease\n- Gaucher disease", ["Fabry disease", "Gaucher disease"]),
        (TEN, "Fabry disease; Gaucher disease", ["Fabry disease", "Gaucher disease"]),
        (TEN, "\n".join(f"{n}. d{n}" for n in range(1, 21)), ["d1", "d2", "d3"]),
        (TEN, "The most likely diagnosis is Fabry disease, because of the pain.", ["Fabry disease"]),
        (TEN, "I think this is most likely **Fabry disease** given the age.", ["Fabry disease"]),
        (TEN, "Diagnosis: Anaemia due to lead", ["Anaemia due to lead"]),
        (TEN, "The most likely diagnosis is Fabry disease, then Gaucher disease.", ...),
        (TEN, "Fabry disease, followed by Gaucher disease", ...),
        (TEN, '["x", "X", "y"]', ["x", "y"]),
        (TEN, '{"ranking": ["x", ""]}', ["x"]),
        (TEN, '{"ranking": [1, 2]}', NOTHING),
        # What says "disease" names one, wherever it stands beside a label or a title.
        (TEN, '{"ranking": [{"label": "likely", "disease": "Gout"}]}', ["Gout"]),
        (TEN, '{"ranking": ["Fabry disease", "Gaucher disease"], "ruled out": ["Gout"]}', ...),
        (TEN, '[{"rank": "1.", "why": "Fabry disease"}, {"rank": "2.", "why": "Gaucher disease"}]', ...),
        (TEN, "1. Fabry disease\n1. Gaucher disease", ...),
        (TEN, "| # | Name |\n|---|---|\n| 1. | Fabry disease |\n| 2. | Gaucher disease |", ...),
        (TEN, "a) Fabry disease\n- pain\nb) Gaucher disease\n- age\n- spleen", ...),
        (TEN, "Fabry disease\nIt fits. So does the pain.", NOTHING),
        (TEN, "No", NOTHING),
        (
            TEN,
            "The patient may have a storage disease. More tests are needed before one can say.",
            NOTHING,
        ),
        (TEN, "Steps:\n1. He has pain.\n2. It is hot.\n\n1. Fabry disease\n2. Gaucher disease", ...),
        (TEN, "1. Fabry disease\n   1. fits the pain\n   2. fits the age\n2. Gaucher disease", ...),
        (TEN, "### 1. Fabry disease\nIt fits.\n\n### 2. Gaucher disease", ...),
        (TEN, "| # | Name |\n|---|---|\n| 1 | Fabry disease | pain |\n| 2 | Gaucher disease | |", ...),
        (TEN, "1. Fabry disease 2. Gaucher disease", ...),
        (TEN, "1. Wilson disease\n2. Gout\n\n1. Fabry disease\n2. Gaucher disease", ...),
        (TEN, "1. Fabry disease. The pain fits.\n2. Gaucher disease. It is rare.", ...),
        (
            TEN,
            "1. Factor V. It fits.\n2. Symphalangism, C. S. Lewis type",
            ["Factor V", "Symphalangism, C. S. Lewis type"],
        ),
        (TEN, '[{"rank": 1, "disease": "Fabry disease"}, {"rank": 2, "disease": "Gaucher disease"}]', ...),
        (TEN, '{"1": "Fabry disease", "2": "Gaucher disease"}', ...),
        (TEN, "1. Fabry disease [1]\n2. Gaucher disease [1]", ["Fabry disease [1]", "Gaucher disease [1]"]),
        (
            DISEASES,
            "Fabry disease fits. Marfan syndrome is excluded. Consider Gaucher disease.",
            ...,
        ),
        (DISEASES, "Le plus probable est la maladie de Fabry.", ["maladie de Fabry"]),
        (DISEASES, "Am ehesten Morbus Fabry, Morbus Gaucher.", ["Morbus Fabry", "Morbus Gaucher"]),
        (DISEASES, "Es la enfermedad de Fabry, no puede ser Marfan.", ["enfermedad de Fabry"]),
        # Four small letters are a word, though "BEST" is a disease.
        (DISEASES, "At best I would think of ALS first, and of PKU.", ["ALS", "PKU"]),
        # Of names within another the longer one of the list is meant.
        (LISTED, "I would think of Fabry disease type 2 first.", ["Fabry disease type 2"]),
        (LISTED, "I would think of classic Fabry disease first.", ["classic Fabry disease"]),
        (DISEASES, "Es ist keine Diagnose möglich.", NOTHING),
        (DISEASES, "Je ne peux pas poser de diagnostic.", NOTHING),
        (DISEASES, "Here is my list\nFabry disease\nGaucher disease", ...),
        (MARKS, '{"exact": true, "order": 2}', {"exact": True, "order": 2}),
        (MARKS, '{"exact": "no", "order": 1}', {"exact": False, "order": 1}),
        (Text(), "  as it came \n", "as it came"),
        (Text(), '"a person\'s"', "a person's"),
        (TEN, "<p>Likely:</p><ol><li>Fabry disease</li><li><b>Gaucher disease</b></li></ol>", ...),
        (Text(), " \n", NOTHING),
        (Score("été"), '"été"', "été"),
        (Score("été"), "été, I think", NOTHING),
        (MARKS, '{"order": 0}', NOTHING),
    ],
)
def test_a_reply_is_read_as_what_it_says_or_not_at_all(form: Form, reply: str, value: Any) -> None:  # noqa: ANN401
    reading = form.read(reply)
    expected = ["Fabry disease", "Gaucher disease"] if value is ... else value
    assert reading.complete == (value is not NOTHING), reading
    assert value is NOTHING or reading.value == expected
    assert reading.complete or reading.problems


def test_what_a_list_has_too_many_or_twice_is_said() -> None:
    assert Ranking(2).read('["x", "X", "y", "z"]').problems == (
        "The reply has 3 names; the first 2 count.",
        "The reply has a name twice, or an empty one.",
    )


def test_a_rubric_keeps_what_can_be_read_and_puts_no_number_in_the_place_of_the_rest() -> None:
    reading = MARKS.read('{"exact": 1, "order": "2"}')
    assert (reading.complete, reading.value) == (False, {"exact": None, "order": None})
    assert MARKS.read('{"order": 0}').value == {"exact": None, "order": 0}
    assert MARKS.read("nonsense").value == {"exact": None, "order": None}
    # A value alone is of a criterion alone.
    assert MARKS.read("2").value == {"exact": None, "order": None}
    assert Rubric({"order": (0, 1, 2)}).read("2").value == {"order": 2}


def test_what_a_schema_asks_for_is_read_as_it_stands() -> None:
    assert ONE.schema()["properties"]["answer"]["enum"] == ["A", "B", "C", "idk"]
    assert SEVERAL.schema()["properties"]["answer"]["maxItems"] == 3
    assert Ranking(2, ("x", "y")).schema()["properties"]["ranking"]["items"]["enum"] == ["x", "y"]
    assert (TEN.schema(), Text().schema()) == ({}, {})
    assert json.loads(json.dumps(MARKS.schema()))["required"] == ["exact", "order"]


def test_a_forced_label_costs_the_tokens_between_its_quotation_marks() -> None:
    assert forced([('"', -9.0), ("fe", -1.0), ("ver", -0.5), ('"', -9.0), ("\n", -9.0)]) == {
        "sum": -1.5,
        "tokens": 2,
        "exact": True,
    }
    assert forced([('"fe', -1.0), ('ver"', -0.5)]) == {"sum": -1.5, "tokens": 2, "exact": False}
    assert forced([('"', -9.0), ("fe", -1.0), ('ver"', -0.5)]) == {"sum": -1.5, "tokens": 2, "exact": False}
