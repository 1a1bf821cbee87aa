"""When a prompt counts as cut, as what a call is on record, and how far a run is; how times are told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.operations.extract.answers import Clock, Pace, answer_of, prompt_was_cut, storable, worth
from app.operations.extract.calling.asked import AskedPrompt
from app.text import duration
from extractors.llm.types import Outcome, Subject, TokenProbability
from extractors.model.progress import Progress

CONTEXT = 4096


def cut(
    tokens_in: int | None,
    tokens_out: int | None = 100,
    *,
    estimated: int = 2000,
    thinking: str = "",
    exact: bool = False,
) -> bool:
    outcome = Outcome("{}", thinking, "stop", tokens_in=tokens_in, tokens_out=tokens_out)
    return prompt_was_cut(estimated, CONTEXT, outcome, exact=exact)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("thinking", ["", "Let me see."])
def test_a_context_that_is_full_or_more_than_full_was_cut(thinking: str, exact: bool) -> None:
    assert cut(CONTEXT, 0, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert cut(CONTEXT + 1, None, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert not cut(CONTEXT - 1, None, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert cut(CONTEXT - 100, 101, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert not cut(CONTEXT - 100, 100, thinking=thinking, exact=exact, estimated=CONTEXT)


@pytest.mark.parametrize(
    ("counted", "exactly", "roughly"), [(1600, False, False), (1400, True, False), (700, True, True)]
)
def test_what_comes_far_below_the_estimate_was_cut_the_farther_the_rougher_it_is(
    counted: int, exactly: bool, roughly: bool
) -> None:
    assert cut(counted, exact=True) == exactly
    assert cut(counted, exact=False) == roughly


def test_a_prompt_shorter_than_estimated_is_no_cut_where_the_model_thinks() -> None:
    # Templates of thinking models may leave out what was there before; only the context's brim tells.
    assert not cut(100, thinking="Let me see.", exact=True)


@pytest.mark.parametrize("exact", [True, False])
def test_a_server_that_counts_nothing_cannot_be_checked(exact: bool) -> None:
    assert not cut(None, 5000, exact=exact)
    assert not cut(0, exact=exact)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "0 s"),
        (89, "89 s"),
        (90, "2 min"),
        (3600, "60 min"),
        (5400, "1 h 30 min"),
        (11_100, "3 h 5 min"),
    ],
)
def test_times_are_told_as_people_do(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_half_a_character_is_kept_as_its_escape() -> None:
    assert storable("a\ud83d") == "a\\ud83d"
    assert storable("é😊") == "é😊"


@pytest.mark.parametrize(
    ("outcome", "details", "state"),
    [
        (Outcome("whole", done_reason="stop"), {}, "done"),
        (Outcome("whole", done_reason="length"), {}, "incomplete"),
        (Outcome("part", done_reason="stop"), {}, "incomplete"),
        (Outcome("whole", done_reason="stop"), {"cut_prompt": True}, "incomplete"),
        (Outcome("whole", done_reason="stop", error="It is gone."), {}, "failed"),
        (Outcome("", error="It is gone."), {}, "failed"),
    ],
)
def test_a_call_is_done_only_where_its_reply_came_to_its_end_and_says_all(
    outcome: Outcome, details: dict[str, Any], state: str
) -> None:
    item = SimpleNamespace(question="GI", asks=("GI",), spans=((0, 5),), part=1, parts=2, again="a")
    entry: Any = SimpleNamespace(report=SimpleNamespace(uuid="d"), item=item, sha256="s")
    form = SimpleNamespace(read=lambda text: SimpleNamespace(complete=text == "whole", problems=["p"]))
    prompt: Any = SimpleNamespace(form=form)
    call = answer_of(entry, prompt, outcome, Clock(), None, details)
    assert (call.state, call.error, call.subject, call.part, call.parts, call.again) == (
        *(state, outcome.error, "d", 1, 2, "a"),
    )
    # Of what never came it is not said what is wrong with it.
    assert call.details["problems"] == (["p"] if outcome.text else [])
    assert call.seconds is not None
    recorded = answer_of(entry, prompt, outcome, Clock(), "cancelled", details, recorded=True)
    assert (recorded.state, recorded.seconds) == ("cancelled", None)


def test_labels_without_probabilities_end_a_run_unless_they_were_recorded_or_nothing_came() -> None:
    def ends(outcome: Outcome, needed: bool = True, about: str = "") -> bool:
        client: Any = SimpleNamespace(about=about, label="Ollama", where="here")
        return worth(outcome, cast("Any", SimpleNamespace(probabilities=needed)), client).fatal

    assert ends(Outcome("A"))
    assert not ends(Outcome("A", probabilities=(TokenProbability("A", 0.0),)))
    assert not ends(Outcome("A"), needed=False)
    assert not ends(Outcome("A"), about="Written by hand.")
    assert not ends(Outcome(""))
    assert not ends(Outcome("A", error="It is gone."))


def test_a_run_says_which_call_how_fast_and_how_long_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 40.0])
    monkeypatch.setattr("app.operations.extract.answers.time.monotonic", lambda: next(clock))
    pace = Pace(3, 4)
    assert pace.progress(Subject("R1", ("GI",)), 0, 0, 2.4) == Progress(
        0, 4, "R1 GI · report 1 of 3 · reading, 2 s"
    )
    pace.stop(Outcome("a", tokens_out=100, reply_seconds=3.0), more=2)
    pace.stop(Outcome("b", tokens_out=20, reply_seconds=1.0))
    pace.stop(Outcome("c"))
    assert pace.progress(Subject("R2", ("GI", "CVS"), 1, 2), 1, 7, 9.0) == Progress(
        3, 6, "R2 all categories · report 2 of 3 · part 2 of 2 · 7 tokens · 30 tokens/s · 40 s left"
    )


def test_a_prompt_is_called_by_report_category_and_part() -> None:
    assert AskedPrompt("s", "R1", "GI", 0, 1, "", "", {}).title == "R1 GI"
    assert AskedPrompt("s", "R1", "", 1, 3, "", "", {}).title == "R1 all categories, part 2 of 3"
