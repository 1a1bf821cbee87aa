"""Examinations told as labels in a row, and headings that no line end parts from their sentence."""

from __future__ import annotations

import pytest

from extractors.rules.lexicon import load_lexicon
from extractors.rules.lines import heading_end, labelled
from extractors.rules.reading import read

LEXICON = load_lexicon()


@pytest.mark.parametrize(
    "told",
    [
        "Chest Clear | Spine Mild scoliosis | Abdomen Soft",
        "General Alert | HEENT Normal | Neck Supple",
        # What a sign stands behind or before is no label, nor what is written small or stands behind one.
        "Chest clear Abdomen, soft | Spine Mild scoliosis | Skin Dry",
        "Chest Clear Spine: Mild scoliosis | Abdomen Soft | Skin Dry",
        "Heart Normal | Lungs Clear | Abdomen Soft. Skin Dry",
        "Chest Clear | Spine Abdomen Soft | Skin Dry",
        "chest Clear spine Mild | Abdomen Soft | Skin Dry",
        "Chest Clear Heart Normal Abdomen (soft) Skin Dry",
        # Fewer than three make no row.
        "Chest clear Spine Straight",
        "Chest Clear, Spine Mild scoliosis Abdomen Soft",
        "He had a rash.",
    ],
)
def test_a_row_of_labels_is_cut_before_each(told: str) -> None:
    text = told.replace(" | ", " ")
    reading = read(text, LEXICON)
    cuts = labelled(reading, 0, len(reading.words))
    parts = [text[reading.starts[first] : reading.ends[last - 1]] for first, last in cuts]
    assert parts == told.split(" | ")
    assert labelled(reading, 1, 1) == []


@pytest.mark.parametrize(
    "told",
    [
        "Case report | A boy had fits.",
        "Patient 2 | She had fits.",
        "Table 1 Values at birth | The boy had fits.",
        "Physical examination | The liver was large.",
        "The physical examination The liver was large.",
        "physical examination The liver was large.",
        "In examination The liver was large.",
        "Her liver was large.",
    ],
)
def test_a_sentence_begins_behind_its_heading(told: str) -> None:
    heading, sign, _ = told.rpartition(" | ")
    text = told.replace(" | ", " ")
    assert heading_end(text, 0, len(text), LEXICON) == (len(heading) + 1 if sign else 0)
