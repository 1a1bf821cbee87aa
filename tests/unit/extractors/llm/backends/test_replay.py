"""Recorded replies: read whole or refused with file and line, and given for what they answer only."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.llm.backends.replay import Recording, ReplayClient, read_recording, write_recording
from extractors.llm.types import Client, ModelCard, Outcome, Request, ShownPart, Subject
from extractors.model.errors import ModelNotFoundError, ReplayError
from extractors.tasks import QUOTES
from extractors.tasks.base import Prompt
from extractors.tasks.replies import ReplyForm

HEADER = (
    '{"casespan_replies": 1, "model": "invented", "about": "Written by hand.", "invented": true, '
    '"strategy": "ucp", "prompting": "few-shot"}'
)
ENTRY = '{"report": "R", "categories": ["GI"], "reply": "{}", "done_reason": "stop"}'
SUBJECT = Subject("R", ("GI",))
PROMPT = Prompt("", "", ReplyForm({"quotes": ("GI", "")}))
TEXT = st.text(st.characters(codec="utf-8"))
NAME = TEXT.filter(str.strip)
MEASURE = st.none() | st.integers(0, 2**53)
SECONDS = st.none() | st.floats(0, 1e6)
OUTCOMES = st.builds(
    Outcome,
    text=TEXT,
    thinking=TEXT,
    done_reason=TEXT,
    error=TEXT,
    fatal=st.just(False),
    overflow=st.booleans(),
    tokens_in=MEASURE,
    tokens_out=MEASURE,
    load_seconds=SECONDS,
    prefill_seconds=SECONDS,
    reply_seconds=SECONDS,
)
SUBJECTS = st.builds(
    Subject,
    NAME,
    st.lists(NAME, min_size=1, max_size=3, unique=True).map(tuple),
    st.integers(0, 2),
    st.integers(3, 4),
    st.just("") | TEXT,
)
CARDS = st.builds(
    ModelCard, NAME, digest=TEXT, quantisation=TEXT, server=TEXT, context=st.integers(1, 1_000_000)
)
RECORDINGS = st.builds(
    Recording,
    NAME,
    st.booleans(),
    CARDS,
    st.dictionaries(SUBJECTS, OUTCOMES, max_size=3),
    task=st.sampled_from([QUOTES, "fever"]),
)


def recorded(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def entry(**changes: object) -> str:
    return json.dumps(json.loads(ENTRY) | changes)


def header(**changes: object) -> str:
    return json.dumps(json.loads(HEADER) | changes)


def recording(invented: bool = True, **known: int) -> Recording:
    outcome = Outcome(text="{}", done_reason="stop", tokens_out=known.get("tokens_out"))
    card = ModelCard("invented" if invented else "m", context=8192)
    return Recording("Written by hand.", invented, card, {SUBJECT: outcome})


def request(subject: Subject | None = SUBJECT, model: str = "invented") -> Request:
    return Request(model, PROMPT, {}, subject=subject)


def answer(client: Client, asked: Request) -> Outcome:
    with client.start(asked) as exchange:
        outcome = exchange.poll(0)
    assert outcome is not None
    return outcome


@given(original=RECORDINGS)
def test_what_was_written_is_read_as_it_was(
    original: Recording, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("written") / "replies.jsonl"
    if original.invented:
        original = replace(original, card=replace(original.card, name=f"invented {original.card.name}"))
    path.write_bytes(write_recording(original).encode("utf-8"))
    assert read_recording(path) == original


def test_what_is_not_known_is_not_written() -> None:
    first, second = (json.loads(line) for line in write_recording(recording()).splitlines())
    assert set(first) == {
        *("casespan_replies", "model", "about", "invented", "context"),
        *("strategy", "prompting"),
    }
    assert set(second) == {"report", "categories", "part", "parts", "reply", "done_reason"}


def test_a_reply_with_half_a_character_is_not_written() -> None:
    broken = Recording("About.", False, ModelCard("m"), {SUBJECT: Outcome(text="\ud83d")})
    with pytest.raises(ReplayError, match=r"Line 2 .* half a character"):
        write_recording(broken)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_either_line_end_and_a_mark_at_the_beginning_are_read(tmp_path: Path, ends: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(("\ufeff" + ends.join([HEADER, "", ENTRY, ""])).encode())
    assert read_recording(path).replies == {SUBJECT: Outcome(text="{}", done_reason="stop")}


def test_a_reply_keeps_every_character_that_some_take_for_a_line_end(tmp_path: Path) -> None:
    path = recorded(tmp_path, HEADER, ENTRY.replace('"{}"', '"a\u2028b\u0085c"'))
    assert read_recording(path).replies[SUBJECT].text == "a\u2028b\u0085c"


@pytest.mark.parametrize(
    "line",
    [
        "",
        ENTRY,
        "replies",
        "[1]",
        header(casespan_replies=2),
        header(casespan_replies=True),
        header(casespan_replies="1"),
        header(model=""),
        header(model=None),
        header(about=" "),
        header(invented="yes"),
        header(context=-1),
        header(server=3),
        header(strange=1),
        header(strategy="all"),
        header(prompting=None),
        header(model="qwen2.5:72b"),
        '{"casespan_replies": 1, "model": "invented", "invented": true}',
        '{"casespan_replies": 1, "model": "invented", "about": "Written by hand."}',
    ],
)
def test_an_unfit_header_is_refused_with_file_and_line(tmp_path: Path, line: str) -> None:
    path = recorded(tmp_path, line)
    with pytest.raises(ReplayError) as caught:
        read_recording(path)
    assert str(caught.value).startswith(f"{path}, line 1, " if line else f"{path} is empty")


@pytest.mark.parametrize(
    "line",
    [
        ENTRY[:-5],
        "[]",
        pytest.param("[" * 200_000, id="deep"),
        pytest.param("1" * 5000, id="long"),
        entry(report=""),
        entry(report=7),
        entry(categories=[]),
        entry(categories="GI"),
        entry(categories=["GI", 1]),
        entry(categories=["GI", "GI"]),
        entry(reply=None),
        entry(reply={}),
        entry(reply="\ud83d"),
        entry(categories=["\udc00"]),
        entry(done_reason=None),
        entry(part=1),
        entry(parts=0),
        entry(spans=[[0, 5], [3, 9]]),
        entry(part=-1),
        entry(part=True),
        entry(overflow="no"),
        entry(tokens_in=-1),
        entry(tokens_in=1.5),
        entry(tokens_in=None),
        entry(tokens_out=2**60),
        entry(reply_seconds=-0.1),
        entry(reply_seconds="1"),
        entry(reply_seconds=True),
        ENTRY.replace('"stop"', '"stop", "reply_seconds": 1e999'),
        ENTRY.replace('"stop"', '"stop", "reply_seconds": NaN'),
        ENTRY.replace('"stop"', '"stop", "reply": "twice"'),
        entry(thought="a key misspelt"),
        '{"report": "R", "categories": ["GI"], "done_reason": "stop"}',
    ],
)
def test_an_unfit_reply_is_refused_with_file_and_line(tmp_path: Path, line: str) -> None:
    path = recorded(tmp_path, HEADER, "", line)
    with pytest.raises(ReplayError) as caught:
        read_recording(path)
    assert str(caught.value).startswith(f"{path}, line 3, ")
    assert str(caught.value).count("\n") == 0


def test_a_subject_that_comes_again_is_refused(tmp_path: Path) -> None:
    path = recorded(tmp_path, HEADER, ENTRY, entry(part=1, parts=2), entry(part=0, parts=1, reply="[]"))
    with pytest.raises(ReplayError, match=r"line 4, repeats"):
        read_recording(path)


def test_parts_that_were_shown_stand_in_the_order_of_the_text_and_once(tmp_path: Path) -> None:
    parts = ((1, 2, "", [50, 90]), (3, 8, "", [30, 50]), (3, 8, "again", [30, 50]))
    told = [
        {**json.loads(ENTRY), "part": part, "parts": of, "again": again, "spans": [span]}
        for part, of, again, span in parts
    ]
    (tmp_path / "a.jsonl").write_text("\n".join([HEADER, *map(json.dumps, told)]), encoding="utf-8")
    found = read_recording(tmp_path / "a.jsonl")
    assert found.shown == {("R", ("GI",)): (ShownPart(3, 8, ((30, 50),)), ShownPart(1, 2, ((50, 90),)))}
    (tmp_path / "b.jsonl").write_text(write_recording(found), encoding="utf-8")
    assert read_recording(tmp_path / "b.jsonl") == found
    assert write_recording(found).count('"spans"') == 3


def test_a_file_that_is_not_utf_8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(f"{HEADER}\n{ENTRY}\n".encode() + "{'é'}\n\n".encode("latin-1"))
    with pytest.raises(ReplayError, match=r"line 3: .* not UTF-8"):
        read_recording(path)


def test_a_file_that_cannot_be_read_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="cannot be read"):
        read_recording(tmp_path / "gone.jsonl")
    with pytest.raises(ReplayError, match="cannot be read"):
        read_recording(tmp_path)


def test_an_unsaid_context_is_a_long_one(tmp_path: Path) -> None:
    assert read_recording(recorded(tmp_path, HEADER)).card.context >= 131_072
    assert read_recording(recorded(tmp_path, header(context=4096))).card.context == 4096


def test_a_recorded_reply_is_there_at_the_first_look() -> None:
    client = ReplayClient(recording(), "replies.jsonl")
    with client.start(request()) as exchange:
        assert exchange.poll(0) == Outcome(text="{}", done_reason="stop")
        exchange.close()
        exchange.close()


def test_a_recorded_error_is_that_replys_own_and_ends_no_run() -> None:
    replies = {SUBJECT: Outcome(text="{}", error="It ran in circles.", done_reason="stop")}
    looped = replace(recording(), replies=replies)
    outcome = answer(ReplayClient(looped, "replies.jsonl"), request())
    assert (outcome.error, outcome.reply_only, outcome.fatal) == ("It ran in circles.", True, False)
    # What broke off for another reason than its length is no answer either, though it was noted as none.
    for reason, error in (("", True), ("load", True), ("length", False), ("stop", False)):
        broken = replace(recording(), replies={SUBJECT: Outcome(text="{}", done_reason=reason)})
        given = answer(ReplayClient(broken, "replies.jsonl"), request())
        assert (bool(given.error), given.reply_only, given.text) == (error, error, "{}")


def test_numbers_that_were_not_recorded_stay_unknown() -> None:
    unknown = ReplayClient(recording(), "replies.jsonl").start(request())
    assert (unknown.poll(0).tokens_in, unknown.poll(0).tokens_out, unknown.tokens) == (None, None, 0)
    known = ReplayClient(recording(tokens_out=7), "replies.jsonl").start(request())
    assert (known.poll(0).tokens_in, known.poll(0).tokens_out, known.tokens) == (None, 7, 7)


@pytest.mark.parametrize(
    ("subject", "named"),
    [
        (Subject("Q", ("GI",)), "Q, GI"),
        (Subject("R", ("CVS",)), "R, CVS"),
        (Subject("R", ("GI", "CVS")), "R, 2 categories together"),
        (Subject("R", ("GI",), 1, 2), "R, GI, part 2 of 2"),
    ],
)
def test_what_was_not_recorded_is_an_error_of_that_call_alone(subject: Subject, named: str) -> None:
    outcome = answer(ReplayClient(recording(), "replies.jsonl"), request(subject))
    assert outcome == Outcome(error=f"There is no recorded reply for {named}.", reply_only=True)


def test_a_request_about_nothing_has_no_recorded_reply() -> None:
    outcome = answer(ReplayClient(recording(), "replies.jsonl"), request(None))
    assert outcome.error
    assert not outcome.fatal


def test_a_reply_is_never_given_under_another_model_s_name() -> None:
    client = ReplayClient(recording(), "replies.jsonl")
    with pytest.raises(ModelNotFoundError, match=r"no replies of llama3; ask for invented\."):
        client.card("llama3")
    for exchange in (client.load("llama3", {}), client.start(request(model="llama3"))):
        assert exchange.poll(0).fatal
        assert exchange.poll(0).error
        assert not exchange.poll(0).text


def test_a_recording_loads_nothing_and_sends_nothing() -> None:
    client = ReplayClient(recording(), "replies.jsonl")
    assert client.load("invented", {"num_ctx": 4096}).poll(0) == Outcome(done_reason="load")
    assert client.card("invented") == ModelCard("invented", context=8192)
    assert client.loaded_model("invented") is None
    assert client.remote == ""


def test_a_record_names_the_file_and_says_what_is_invented() -> None:
    assert ReplayClient(recording(False), "run.jsonl").where == "replies recorded in run.jsonl"
    assert ReplayClient(recording(True), "run.jsonl").where == "invented replies recorded in run.jsonl"
    assert ReplayClient(recording(), "run.jsonl").about == "Written by hand."
