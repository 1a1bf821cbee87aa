"""Edges snap to whole words, carets go by word, sentence and section."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.reader import motion

REPORT = "History\nShe had fever (39.5 °C). No rash was seen.\nExam\nBP was 120/80 mmHg, e.g. normal."
SECTIONS = [(0, REPORT.index("Exam")), (REPORT.index("Exam"), len(REPORT))]


def selected(marked: str) -> tuple[str, int, int]:
    """A text and the place in it that stands between two bars."""
    before, inside, after = marked.split("|")
    return before + inside + after, len(before), len(before) + len(inside)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("slowly prog|ressive ata|xia of", "progressive ataxia"),
        ("had| fever, |then", "fever"),
        ("at 3|9.|5 °C", "39.5"),
        ("at |39.5 °C.|", "39.5 °C"),
        ("1,2|00 mg| daily", "1,200 mg"),
        ("take |5 mg b.i.d.| daily", "5 mg b.i.d."),
        ("a |(mild fever)| now", "mild fever"),
        ("a |(mild fever| now)", "mild fever"),
        ("|fever (39 °C).| now", "fever (39 °C)"),
        ("|(CTX) disease (rare)| now", "(CTX) disease (rare)"),
        ('said "|tired"| often', "tired"),
        ('said |"tired"| often', "tired"),
        ("at |-5 mmol| now", "-5 mmol"),
        ("fever|-free| days", "fever-free"),
        ("her an|ti-|HBs was", "anti-HBs"),
        ("a 41-|ye|ar-old, well", "41-year-old"),
        ("a left |- ri|ght shunt", "right"),
        ("|Rh-| blood", "Rh-"),
        ("pain – |mild – |now", "mild"),
        ("yes|, |no", ","),
        ("why |(?!)| so", "(?!)"),
        ("so |5'| long", "5'"),
        ("fever|–chills|, no", "chills"),
        ("from |–5| to", "–5"),
        ("|\u00a0fever\u00a0|", "fever"),
        ("e|\u0301ta|t", "e\u0301tat"),
        ("seen 👩🏽|\u200d⚕️| there", "👩🏽\u200d⚕️"),
        ("女性で、|両側|白内障", "両側"),
        ("で|、両側。|白", "両側"),
        ("a |99%| b", "99%"),
        ("line\r|\nnext| one", "next"),
    ],
)
def test_a_selection_snaps_to_whole_words_without_lone_punctuation(marked: str, expected: str) -> None:
    text, start, end = selected(marked)
    low, high = motion.snap(text, start, end)
    assert text[low:high] == expected
    assert motion.snap(text, low, high) == (low, high)


TEXTS = st.text(st.sampled_from("ab1 .,(\"'-)\n\u0301😀\u200d\u00a0_両%5🏽"), max_size=25)


@given(TEXTS, st.data())
def test_snapping_keeps_something_of_what_can_be_seen_and_settles(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low, high = motion.snap(text, start, end)
    assert 0 <= low <= high <= len(text)
    if text[start:end].strip():
        assert text[low:high].strip()
        assert low < end
        assert high > start
    assert motion.snap(text, low, high) == (low, high)


@pytest.mark.parametrize(("offset", "word"), [(0, "She"), (3, "She"), (5, "had"), (8, "39.5"), (12, "39.5")])
def test_a_word_is_found_from_any_place_in_it(offset: int, word: str) -> None:
    text = "She had 39.5  C"
    assert text[slice(*motion.word_at(text, offset))] == word
    assert motion.word_at(text, 13) == (13, 13)
    assert motion.word_at("", 0) == (0, 0)


@pytest.mark.parametrize("offset", [0, 1, 2, 4, 8, 11])
def test_words_joined_by_hyphens_are_one_word(offset: int) -> None:
    text = "41-year-old man - an X-ray."
    assert text[slice(*motion.word_at(text, offset))] == "41-year-old"
    assert text[slice(*motion.word_at(text, 22))] == "X-ray"
    assert text[slice(*motion.word_at(text, 16))] == "-"


def test_an_edge_goes_by_words_in_both_directions() -> None:
    text = "no fever, (39.5 °C)."
    ends, place = [], 0
    while (found := motion.next_word_edge(text, place, "end")) > place:
        place = found
        ends.append(text[:place].split()[-1])
    assert ends == ["no", "fever", "(39.5", "°", "°C"]
    starts, place = [], len(text)
    while (found := motion.previous_word_edge(text, place, "start")) < place:
        place = found
        starts.append(text[place:][:2])
    assert starts == ["C)", "°C", "39", "fe", "no"]
    assert [motion.next_word_edge("620 | 20 |  | 18", place, "end") for place in (3, 8)] == [8, 16]
    assert [motion.previous_word_edge("620 | 20 |  | 18", place, "start") for place in (14, 6)] == [6, 0]
    assert motion.next_word_edge(text, 0, "start") == 3
    assert motion.previous_word_edge(text, 8, "end") == 2
    assert motion.next_word_edge(text, 12, "end") == 15
    assert motion.previous_word_edge(text, 12, "start") == 11


def test_carets_go_by_sentence_and_section() -> None:
    rash = REPORT.index("No rash")
    assert motion.next_sentence(REPORT, rash - 5) == rash
    assert motion.previous_sentence(REPORT, rash + 4) == rash
    assert motion.previous_sentence(REPORT, rash) == REPORT.index("She")
    assert motion.next_sentence(REPORT, len(REPORT) - 2) == len(REPORT)
    assert motion.previous_sentence(REPORT, 0) == 0
    assert REPORT[slice(*motion.sentence_at(REPORT, len(REPORT)))].startswith("BP was")
    assert motion.sentence_at(" ", 1) == (1, 1)
    assert motion.next_section(REPORT, SECTIONS, 3) == SECTIONS[1][0]
    assert motion.next_section(REPORT, SECTIONS, SECTIONS[1][0]) == len(REPORT)
    assert motion.previous_section(SECTIONS, SECTIONS[1][0] + 2) == SECTIONS[1][0]
    assert motion.previous_section(SECTIONS, SECTIONS[1][0]) == 0


def test_widening_goes_from_word_to_section() -> None:
    place = REPORT.index("rash") + 1
    seen, selection = [], (place, place)
    while (wider := motion.widen(REPORT, SECTIONS, *selection)) != selection:
        selection = wider
        seen.append(REPORT[slice(*selection)])
    assert seen == [
        "rash",
        "No rash was seen.",
        "She had fever (39.5 °C). No rash was seen.",
        "History\nShe had fever (39.5 °C). No rash was seen.",
    ]
    # The line end behind it belongs to it, and the next section does not begin there.
    assert motion.widen(REPORT, SECTIONS, *SECTIONS[0]) == SECTIONS[0]


def test_a_window_without_a_report_loads_no_rules() -> None:
    code = (
        "import sys, app.gui.reader.motion as m\n"
        "m.word_at('a b', 0); print('extractors.rules' in sys.modules)\n"
        "m.sentence_at('A b. C d.', 0); print('spacy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("letters", ["x", "1", "e\u0301"])
def test_a_run_of_letters_too_long_for_a_word_is_left_as_it_was_selected(letters: str) -> None:
    text = letters * 100_000
    assert motion.snap(text, 1000, 1030) == (1000, 1030)
    assert motion.next_word_edge(text, 1000, "end") <= 1002
    assert motion.previous_word_edge(text, 1000, "start") >= 998


def test_widening_from_a_lone_sign_takes_its_sentence() -> None:
    text = "She had pain. It went."
    assert text[slice(*motion.widen(text, (), 13, 13))] == "She had pain."
