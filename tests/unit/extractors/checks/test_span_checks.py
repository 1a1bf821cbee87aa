"""Quiet checks of a span: what it cuts or leaves outside, and how to mend it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.assets import asset
from extractors.checks.span_checks import SpanWarning, check_span
from extractors.model.finding import POLARITIES, Polarity
from extractors.model.guideline import parse_guideline
from extractors.model.scheme import load_scheme


def marked(sentence: str) -> tuple[str, int, int]:
    """The text without the two bars that mark a span, and the span."""
    before, quote, after = sentence.split("¦")
    return before + quote + after, len(before), len(before) + len(quote)


def warnings(sentence: str, polarity: Polarity = "present") -> list[SpanWarning]:
    return list(check_span(*marked(sentence), polarity))


def mended(sentence: str, kind: str, polarity: Polarity = "present") -> str | None:
    """What the warning of that kind suggests, "=" for the span itself, None without such a warning."""
    text, start, end = marked(sentence)
    found = [one for one in check_span(text, start, end, polarity) if one.kind == kind]
    assert len(found) <= 1
    if not found:
        return None
    return "=" if (found[0].start, found[0].end) == (start, end) else text[found[0].start : found[0].end]


@pytest.mark.parametrize(
    ("sentence", "kind", "suggested"),
    [
        ("His ¦creatinine of 1¦.8 mg/dL rose.", "cut value", "creatinine of 1.8 mg/dL"),
        ("His ¦creatinine of 1.8¦ mg/dL rose.", "cut unit", "creatinine of 1.8 mg/dL"),
        ("His ¦creatinine of 1.8¦\u00a0mg/dL rose.", "cut unit", "creatinine of 1.8\u00a0mg/dL"),
        ("His ¦creatinine of 1.8¦\tmg/dL rose.", "cut unit", "creatinine of 1.8\tmg/dL"),
        ("😊 ¦creatinine of 1.8 mg¦/dL rose.", "cut unit", "creatinine of 1.8 mg/dL"),
        ("Weight was 7¦2 kg at birth¦.", "cut value", "72 kg at birth"),
        ("¦It rose. Creatinine was 1¦.8 mg/dL.", "cut value", "It rose. Creatinine was 1.8 mg/dL"),
        ("A dose of 12.5 ¦mg daily¦ helped.", "cut value", "12.5 mg daily"),
        ("¦Blood pressure was 120¦/80 mmHg.", "cut value", "Blood pressure was 120/80 mmHg"),
        ("¦Blood pressure was 120/80¦ mmHg.", "cut unit", "Blood pressure was 120/80 mmHg"),
        ("¦platelets of 41¦ × 10^9/L.", "cut value", "platelets of 41 × 10^9/L"),
        ("¦platelets of 41 × 10^9¦/L.", "cut unit", "platelets of 41 × 10^9/L"),
        ("¦saturation of 84¦ % on air", "cut unit", "saturation of 84 %"),
        ("¦temperature of 39.4¦ °C", "cut unit", "temperature of 39.4 °C"),
        ("¦vomiting three to¦ four times a day", "cut value", "vomiting three to four times"),
        ("¦papules of 1¦–3 mm", "cut value", "papules of 1–3 mm"),
        ("a score of -¦2.5 SD in the spine¦", "cut value", "-2.5 SD in the spine"),
        ("troponin <¦14 ng/L at rest¦", "cut value", "<14 ng/L at rest"),
        ("Ammonia was ¦412 µmol/L¦.", "value alone", "="),
        ("The trunk was bent by ¦37°¦", "value alone", "="),
        ("CRP was ¦< 5 mg/L¦.", "value alone", "="),
        (
            "¦ammonia 412 µmol/L¦ (normal < 50) fell",
            "range outside",
            "ammonia 412 µmol/L (normal < 50)",
        ),
        ("¦creatinine 118 µmol/L¦ (62–106 µmol/L)", "range outside", "creatinine 118 µmol/L (62–106 µmol/L)"),
    ],
)
def test_a_value_stays_with_its_number_sign_unit_and_range(sentence: str, kind: str, suggested: str) -> None:
    assert mended(sentence, kind) == suggested


def test_a_unit_cut_off_is_no_word_cut_in_two() -> None:
    assert [one.kind for one in warnings("had ¦fever for 12¦h on day one")] == ["cut unit"]


@pytest.mark.parametrize(
    "sentence",
    [
        "¦creatinine¦ of 1.8 mg/dL",
        "¦hypertrophy¦ (3 mm)",
        "a 16-year-old ¦girl with ataxia¦",
        "¦type 2 diabetes¦ mellitus",
        "¦ataxia¦3 was seen",
        "¦sodium 139 mmol/L¦ (12)",
        "¦seizures at 3 months¦ and 12 kg",
        "on ¦vitamin A¦ daily",
        "had ¦fever for 12 h¦.",
        "infected by ¦P. multocida¦.",
        "¦treated b.i.d.¦ again",
        "¦?sepsis¦ on admission",
        "¦Rh-¦ and well",
        "a ¦hoarse voice¦",
        "¦A Holter recording was normal¦.",
        "患者¦发热¦三天",
        "¦oedema (1+)¦ of both legs",
        "The temperature was above ¦39 °C in the evening¦.",
    ],
)
def test_nothing_is_said_of_a_good_span(sentence: str) -> None:
    assert warnings(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "suggested", "polarity"),
    [
        ("There was no ¦fever¦.", "no fever", "negated"),
        ("He denied fever, ¦chills¦ and cough.", "denied fever, chills", "negated"),
        ("There was no ¦joint swelling and no wasting¦.", "no joint swelling and no wasting", "negated"),
        (
            "He did not report aches, ¦fever¦, chills, sweats, cough, rash, pain, nausea, fatigue or cramps.",
            "not report aches, fever",
            None,
        ),
        ("No ¦variant was found¦ in G6PC1.", "No variant was found", None),
        ("¦Fever¦ was absent.", "Fever was absent", "negated"),
        ("¦Urine culture¦ was negative.", "Urine culture was negative", "negated"),
        ("¦Muscle strength¦ was normal.", "Muscle strength was normal", "negated"),
        ("The ¦spleen¦ was not enlarged.", "spleen was not enlarged", "negated"),
        ("¦Oedema¦ and murmurs were not found.", "Oedema and murmurs were not found", "negated"),
        ("He was unable to ¦walk¦.", "unable to walk", None),
        ("He could not ¦walk¦.", "not walk", None),
        ("Thymography showed absent ¦reflexes¦.", "absent reflexes", None),
        ("😊 e\u0301 without\u00a0¦ataxia¦.", "without\u00a0ataxia", "negated"),
    ],
)
def test_a_negation_left_outside_is_taken_in(sentence: str, suggested: str, polarity: Polarity) -> None:
    (warning,) = warnings(sentence)
    text, _, _ = marked(sentence)
    assert (warning.kind, text[warning.start : warning.end], warning.polarity) == (
        "negation outside",
        suggested,
        polarity,
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "He had no fever but ¦ataxia¦.",
        "He did not have a ¦fever but ataxia¦.",
        "He had no fever. ¦Ataxia¦ was seen.",
        "He had no fever\n¦Ataxia¦",
        "Non-blanching ¦papules¦ were seen.",
        "After a night without feeds during an ¦infection¦ he vomited.",
        "There was no lesion on ¦MRI¦.",
        "There was no relief of ¦dyspnoea¦.",
        "He could no longer sleep and had ¦headaches¦.",
        "He walks without support, and ¦nosebleeds¦ have ceased.",
        "He did not walk and his ¦weight¦ fell.",
        "It was not aerated and ¦occupied by tissue¦.",
        "owing to lack of weakness, ¦brisk reflexes¦ and tremor",
        "¦Neoplasms¦ are features of a disease not seen here.",
        "The skin was ¦dark¦, and axillary and pubic hair were absent.",
        "The ¦skin was dark and hair¦ was absent.",
        "In May ¦fever¦ began.",
        "¦Haemolysis¦ was suspected to be due to drugs.",
        "Findings: ¦xanthoma¦ | both | not found",
        "¦Analysis¦ of fluid (not shown) was done.",
        "¦Electrophoresis¦ did not reveal a band.",
        "¦Skin was dark¦, and hair was absent.",
        "There were ¦no seizures¦.",
        "A ¦suspected lymphoma¦ could not be excluded.",
        "On May 3 ¦fever¦ began.",
        "It was possibly due to iron. ¦Fever¦ was seen.",
        "¦Haemolysis¦ was probably due to G6PD deficiency.",
        "He had no fever and his ¦headache¦ fell.",
        "As suspected, ¦fever¦ was seen.",
        "It seemed likely; ¦fever¦ was seen.",
        "He came with his mother and had ¦fever¦.",
        "¦The family physician¦ found it.",
        "Her mother noticed ¦pallor¦.",
    ],
)
def test_a_cue_that_speaks_of_something_else_is_passed_over(sentence: str) -> None:
    kinds = {one.kind for one in warnings(sentence)}
    assert kinds.isdisjoint({"negation outside", "uncertainty outside", "family outside"})


@pytest.mark.parametrize(
    ("sentence", "suggested"),
    [
        ("with a suspected ¦lymphoma¦.", "suspected lymphoma"),
        ("raised the suspicion of a ¦lymphoma¦.", "suspicion of a lymphoma"),
        ("It was suspected to be of ¦pneumonia¦.", "suspected to be of pneumonia"),
        ("A ¦cherry-red spot¦ was suspected on the left.", "cherry-red spot was suspected"),
        ("¦Haemolysis¦ could not be excluded.", "Haemolysis could not be excluded"),
    ],
)
def test_a_doubt_left_outside_is_taken_in(sentence: str, suggested: str) -> None:
    assert mended(sentence, "uncertainty outside") == suggested
    assert [one.polarity for one in warnings(sentence)] == ["uncertain"]


def test_white_space_at_an_edge_is_said_beside_what_else_is_wrong() -> None:
    found = [one.kind for one in warnings("There was no¦ fever¦.")]
    assert found == ["negation outside", "edge punctuation"]


@pytest.mark.parametrize("polarity", ["negated", "uncertain"])
def test_a_cue_outside_is_no_warning_where_the_polarity_says_it(polarity: Polarity) -> None:
    assert warnings("There was no ¦fever¦.", polarity) == []
    assert warnings("with suspected ¦lymphoma¦.", polarity) == []


@pytest.mark.parametrize(
    ("sentence", "suggested"),
    [
        ("Her mother had ¦diabetes¦.", "mother had diabetes"),
        ("An older sister had died with ¦seizures¦.", "older sister had died with seizures"),
        ("His 2 older sisters had ¦asthma¦.", "2 older sisters had asthma"),
        ("By severe ataxia, mother had ¦diabetes¦.", "mother had diabetes"),
        ("There was a family history of ¦ataxia¦.", "family history of ataxia"),
        (
            "Her mother saw the boy's friend and had ¦diabetes¦.",
            "mother saw the boy's friend and had diabetes",
        ),
        ("His father ¦had nosebleeds, an uncle had none¦.", "father had nosebleeds, an uncle had none"),
    ],
)
def test_a_relative_left_outside_is_taken_in_whatever_the_polarity(sentence: str, suggested: str) -> None:
    for polarity in POLARITIES:
        assert mended(sentence, "family outside", polarity) == suggested


@pytest.mark.parametrize(
    ("sentence", "kind", "suggested"),
    [
        ("had ¦fever,¦ and", "edge punctuation", "fever"),
        ("had¦ fever\u00a0¦and", "edge punctuation", "fever"),
        ("had ¦fever.¦ Then", "edge punctuation", "fever"),
        ("(¦fever)¦ was", "edge punctuation", "fever"),
        ("had ¦(tremor¦ then", "edge punctuation", "tremor"),
        ("had ¦fever and the¦ cough", "edge word", "fever"),
        ("¦and fever¦ was seen", "edge word", "fever"),
        ("¦IGF-1 of ¦-2.5 SD", "edge word", "IGF-1"),
        ("¦lesions (Figure 1)¦ were", "edge reference", "lesions"),
        ("¦lesions (see Fig¦. 1) were", "edge reference", "lesions"),
        ("¦activity 0.9 (normal 33-134¦) was", "open bracket", "activity 0.9 (normal 33-134)"),
        ("had (¦mild) fever¦ then", "open bracket", "(mild) fever"),
        ("had ¦feve¦r then", "cut word", "fever"),
        ("had cafe¦\u0301 au lait¦ spots", "cut word", "cafe\u0301 au lait"),
        ("had right-¦sided weakness¦ then", "cut word", "right-sided weakness"),
        ("an ¦eczema¦-like rash", "cut word", "eczema-like"),
        ("it was non-¦febrile¦ then", "cut word", "non-febrile"),
        ("had a ¦NOTCH¦3 variant", "cut word", "NOTCH3"),
    ],
)
def test_an_edge_holds_no_punctuation_and_cuts_no_word(sentence: str, kind: str, suggested: str) -> None:
    assert mended(sentence, kind) == suggested


def test_a_bracket_alone_that_is_closed_outside_is_passed_over() -> None:
    assert mended("cells¦[¦4] grew", "edge reference") is None


def test_what_is_nothing_but_punctuation_or_idle_words_stays_where_it_is() -> None:
    for text in ("and", ", ,", "(", ")", ".", "of the", "\u0301"):
        for warning in check_span(text, 0, len(text), "present"):
            assert text[warning.start : warning.end].strip()


@pytest.mark.parametrize("place", [(-1, 2), (0, 0), (3, 2), (0, 9), (3, 4)])
def test_nothing_is_said_of_what_is_no_span_or_blank(place: tuple[int, int]) -> None:
    assert check_span("abc def", *place, "present") == ()


def test_checking_a_span_loads_no_language_model() -> None:
    program = (
        "import sys; from extractors.checks.span_checks import check_span; "
        "check_span('no fever', 3, 8, 'present'); "
        "sys.exit('spacy' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_no_quote_of_the_guidelines_examples_is_warned_of() -> None:
    found: list[tuple[str, SpanWarning]] = []
    number = 0
    for category in load_scheme(asset("guidelines", "clinical14")).categories:
        for example in parse_guideline(category.guideline, category.id).examples:
            for quote in example.quotes:
                start = example.text.index(quote.quote)
                number += 1
                warned = check_span(example.text, start, start + len(quote.quote), quote.polarity)
                found += [(quote.quote, warning) for warning in warned]
    assert number > 100
    assert found == []


_PIECES = st.sampled_from(
    [
        *("no", "not", "without", "denied", "absent", "was", "were", "mother", "her", "family history of"),
        *("suspected", "possible", "could not be excluded", "fever", "ataxia", "ammonia", "and", "or", "the"),
        *("1.8", "120", "80", "mg/dL", "mmHg", "%", "°C", "10^9/L", "<", "-", "–", "/", "×", "(", ")", "["),
        *(
            "]",
            ",",
            ".",
            ";",
            ":",
            "\n",
            "\t",
            "\u00a0",
            "e\u0301",
            "😊",
            "👩\u200d⚕️",
            "发热",
            "non-",
            "Fig. 1",
            "of",
        ),
        *("normal", "3", "years", "A", "?", "…", "\u200f"),
    ]
)
_TEXTS = st.one_of(
    st.lists(st.tuples(_PIECES, st.sampled_from(["", " ", " "])), min_size=1, max_size=16).map(
        lambda parts: "".join(piece + blank for piece, blank in parts)
    ),
    st.text(min_size=1, max_size=40),
)


@settings(max_examples=20 * settings().max_examples)
@given(_TEXTS, st.data(), st.sampled_from(POLARITIES))
def test_every_suggestion_is_a_place_with_words_and_taking_it_twice_changes_no_more(
    text: str, data: st.DataObject, polarity: Polarity
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    for warning in check_span(text, start, end, polarity):
        assert 0 <= warning.start < warning.end <= len(text)
        assert text[warning.start : warning.end].strip()
        assert warning.sentence.endswith(".")
        again = check_span(text, warning.start, warning.end, warning.polarity or polarity)
        for one in again:
            if one.kind == warning.kind:
                assert (one.start, one.end) == (warning.start, warning.end), (text, warning, one)


@pytest.mark.parametrize(
    ("behind", "polarity"),
    [
        (" was absent.", "negated"),
        (" has been ruled out.", "negated"),
        (" were not\nseen there.", "negated"),
        (" was normal.", "negated"),
        # Without a form of "to be" these say it of what follows.
        (" absent reflexes.", None),
        (" normal sensation.", None),
        (" was absently seen.", None),
        (" could not be excluded.", "uncertain"),
        (" cannot be excluded.", "uncertain"),
        (" may be absent.", None),
    ],
)
def test_what_stands_behind_a_span_denies_it_with_a_verb_or_leaves_it_open(
    behind: str, polarity: Polarity | None
) -> None:
    kinds = {"negated": "negation outside", "uncertain": "uncertainty outside", None: None}
    found = {one.polarity: one.kind for one in warnings(f"The ¦tremor¦{behind}") if one.polarity}
    assert found == ({polarity: kinds[polarity]} if polarity else {})
