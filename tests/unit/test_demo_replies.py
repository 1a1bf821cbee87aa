"""The bundled replies: one for each report and category, marked as invented, with planned faults."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from app.formats import read
from app.formats.record import Imported
from extractors.assets import asset
from extractors.grounding import Grounder
from extractors.llm.backends.replay import Recording, read_recording
from extractors.llm.types import Subject
from extractors.model.document import Document
from extractors.model.finding import Grounding
from extractors.model.scheme import default_scheme

CATEGORIES = {category.id: category.fields for category in default_scheme().categories}
CUT = Subject("PMC99000006", ("Lab_Image",))
WITH_PROSE = Subject("PMC99000004", ("GI",))
PLANTED = {
    "mild high-frequency sensorineural hearing loss in the left ear": "fuzzy",
    "birth weight of 1690 g (12th centile)": "fuzzy",
    "two generalized seizures at the age of 19 years": "fuzzy",
    "Spleen extends 14 cm below the left costal margin": "fuzzy",
    "Crackles and wheeze were heard over both lower lobes": "conflict",
    "Forced vital capacity was 85% of predicted when sitting": "conflict",
    "Neurological examination was unremarkable": "ungrounded",
    "She reported two episodes of syncope": "ungrounded",
}
Reply = dict[str, list[str]]


def replies_file() -> Path:
    return asset("resources", "demo", "replies.jsonl")


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording(replies_file())


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    found: dict[str, Document] = {}
    for path in sorted(asset("resources", "demo", "reports").iterdir()):
        for item in read(path):
            assert isinstance(item, Imported)
            found[path.stem] = item.document
    return found


def reply(recording: Recording, subject: Subject) -> Reply:
    """The lists of a reply; of the two planted malformed ones what was meant."""
    text = recording.replies[subject].text
    if subject == CUT:
        text += '"]}'
    if subject == WITH_PROSE:
        text = text[text.index("{") : text.rindex("}") + 1]
    lists: Reply = json.loads(text)
    return lists


@pytest.fixture(scope="module")
def places(recording: Recording, documents: dict[str, Document]) -> list[tuple[Subject, str, Grounding]]:
    grounders = {key: Grounder(document.text, document.sections) for key, document in documents.items()}
    return [
        (subject, quote, grounders[subject.report].ground(quote))
        for subject in recording.replies
        for quotes in reply(recording, subject).values()
        for quote in quotes
    ]


def test_there_is_one_reply_for_each_report_and_category(
    recording: Recording, documents: dict[str, Document]
) -> None:
    wanted = {Subject(key, (category,)) for key in documents for category in CATEGORIES}
    assert set(recording.replies) == wanted


def test_the_replies_say_that_they_were_written_by_hand(recording: Recording) -> None:
    assert recording.invented
    assert recording.model == "invented-replies"
    assert "written by hand for the demonstration" in recording.about
    assert "no model was asked" in recording.about


def test_no_number_of_a_run_is_made_up() -> None:
    header, *lines = (json.loads(line) for line in replies_file().read_text("utf-8").splitlines())
    assert set(header) == {"casespan_replies", "model", "about", "invented", "strategy", "prompting"}
    for line in lines:
        assert set(line) == {"report", "categories", "part", "parts", "reply", "done_reason"}


def test_every_reply_has_each_field_of_its_category_and_a_list_of_quotes(recording: Recording) -> None:
    for subject in recording.replies:
        (category,) = subject.asks
        lists = reply(recording, subject)
        assert tuple(lists) == CATEGORIES[category], subject
        assert all(quote.strip() for quotes in lists.values() for quote in quotes), subject


def test_only_the_planted_replies_are_malformed(recording: Recording) -> None:
    malformed = set()
    for subject, outcome in recording.replies.items():
        try:
            json.loads(outcome.text)
        except json.JSONDecodeError:
            malformed.add(subject)
    assert malformed == {CUT, WITH_PROSE}
    assert {subject for subject, outcome in recording.replies.items() if outcome.done_reason != "stop"} == {
        CUT
    }


def test_one_reply_is_cut_within_a_quote(recording: Recording) -> None:
    outcome = recording.replies[CUT]
    assert outcome.done_reason == "length"
    with pytest.raises(json.JSONDecodeError, match="Unterminated string"):
        json.loads(outcome.text)


def test_one_reply_has_text_around_its_object(recording: Recording) -> None:
    text = recording.replies[WITH_PROSE].text
    assert not text.startswith("{")
    assert not text.endswith("}")


def test_every_quote_is_in_its_report_word_for_word_but_the_planted_ones(
    places: list[tuple[Subject, str, Grounding]],
) -> None:
    for subject, quote, place in places:
        assert place.status == PLANTED.get(quote, "exact"), (subject, quote, place.reason)


def test_each_planted_quote_comes_once(places: list[tuple[Subject, str, Grounding]]) -> None:
    assert Counter(quote for _, quote, _ in places if quote in PLANTED) == Counter(list(PLANTED))
    statuses = Counter(place.status for _, _, place in places)
    assert statuses.pop("exact") > 500
    assert statuses == {"fuzzy": 4, "conflict": 2, "ungrounded": 2}


@pytest.mark.parametrize("annotator", ["annotator-1", "annotator-2", "gold"])
def test_the_replies_are_no_copy_of_a_person_s_annotations(recording: Recording, annotator: str) -> None:
    path = asset("resources", "demo", "annotations", f"{annotator}.json")
    entries = {entry["pmcid"]: entry for entry in json.loads(path.read_text("utf-8"))}
    same = 0
    for subject in recording.replies:
        quotes = [quote for field in reply(recording, subject).values() for quote in field]
        same += bool(quotes) and quotes == entries[subject.report.removeprefix("PMC")][subject.asks[0]]
    assert same < len(recording.replies) / 10
