"""The rules meet any text: no crash, exact spans, text order, no duplicates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.model.document import Document
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme
from extractors.rules import RulesExtractor
from extractors.rules.reading import cut

EXTRACTOR = RulesExtractor(default_scheme())
PIECES = (
    *(
        "The patient had",
        "seizures",
        "no ataxia",
        ", ",
        "and",
        "; ",
        ". ",
        "(Fig. 1)",
        "(",
        ")",
        "[",
        "]",
        " | ",
    ),
    *(
        "\n",
        "120/80 mmHg",
        "1,8 mg/dL",
        "denied",
        "which",
        "hepatosplenomegaly",
        "was born at term",
        "MRI showed",
    ),
    *(
        "e\u0301",
        "🧬",
        "Ω",
        "\u00a0",
        "5-year-old",
        "HIV (human",
        "levels",
        "were normal",
        "sus padres",
        "fiebre",
    ),
    *("%", "°C", "’s", "-", "–", "his mother"),
)


def findings(text: str) -> list[Finding]:
    return EXTRACTOR.extract(Document("", text, ()))


def assert_sound(text: str) -> None:
    found = findings(text)
    places = [(f.start, f.end, f.category) for f in found]
    assert all(text[f.start : f.end] == f.quote != "" for f in found)
    assert len(set(places)) == len(places)
    assert [start for start, _, _ in places] == sorted(f.start or 0 for f in found)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_clinical_fragments_in_any_order_give_exact_spans(text: str) -> None:
    assert_sound(text)


@given(st.text(max_size=300))
def test_any_characters_give_exact_spans(text: str) -> None:
    assert_sound(text)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "fever", "(", "((((", "))))", ". . .", "a" * 5000, "(" * 3000]
)
def test_degenerate_texts_are_survived(text: str) -> None:
    assert_sound(text)


def test_words_of_any_letters_are_read_whole_and_without_accents() -> None:
    reading = cut("acid α-glucosidase in Müller's naïve β2, 3.5 mg")
    assert [word or sign for word, sign in zip(reading.words, reading.signs, strict=True)] == (
        ["acid", "α", "glucosidase", "in", "muller", "naive", "β2", ",", "3.5", "mg"]
    )


def test_a_very_long_text_is_survived() -> None:
    text = "He had fever (38.5 °C), no ataxia (Figure 1). La paciente tenía convulsiones (EEG). " * 2500
    assert len(text) > 200_000
    assert_sound(text)


@pytest.mark.parametrize(
    "piece",
    [
        "(ab) ",
        ", ",
        ".",
        "and ",
        "(",
        "cough, ",
        "presented ",
        " ",
        "no cough and a very long tail, rash or ",
        "1.",
        ")(",
    ],
)
def test_endless_repetition_takes_no_endless_time(piece: str) -> None:
    assert_sound("fever " + piece * (100_000 // len(piece)) + "ataxia")
