"""Runs with a model whose context is short: reports in parts, prompts that were cut, contexts that change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from app.operations.extract import work as model_work
from extractors.llm.schedule import RESERVE, STEP
from extractors.llm.tokens import TokenCounter
from extractors.llm.types import Vocabulary
from tests.e2e.conftest import Casespan
from tests.e2e.models import (
    EVERY_WEEK,
    LETTER,
    MODEL,
    NOTHING,
    ONE_CALL,
    REPORTS,
    WEEK,
    WEEKS,
    contexts,
    counts,
    fills_the_context,
    findings,
    good,
    new_project,
    on,
    quoting,
    quoting_all,
    recorded,
    review_states,
    shown,
)
from tests.scripted_behaviours import (
    Behaviour,
    Call,
    cuts,
    fails,
    lacks_model,
    overflows,
    prompt_text,
    replies,
    says,
)
from tests.scripted_ollama import FakeModel, ScriptedOllama

BOWEL = ("--category", "GI", "--prompting", "zero-shot", "--json")
IN_PARTS = (*BOWEL, "--context", 4096)
LONGER = "late-onset-pompe"
PHRASE = "the abdomen was soft"
# What one token of this model's context takes, in bytes: its cache.
CACHE = 256


def test_a_report_longer_than_the_context_is_shown_in_parts_and_merged(
    casespan: Casespan, project: Path
) -> None:
    with ScriptedOllama(answer=quoting, models=[replace(MODEL, context=4096)]) as server:
        narrow = ("--document", LONGER, "--category", "GI", "--json")
        outcome = casespan("extract", project, *on(server, *narrow))
        assert outcome.code == 0, outcome.out + outcome.err
        assert outcome.json["planned"] > 1
        assert outcome.json["calls"] == {"done": len(server.calls), "missing": 0}
        assert set(contexts(server)) == {4096}
        assert any("part" in note for note in outcome.json["notes"])
        text = "".join(prompt_text(call.body) for call in server.calls)
        report = (REPORTS / f"{LONGER}.txt").read_text(encoding="utf-8")
        for word in report.partition("Funding")[0].split():
            assert word in text
        again = casespan("extract", project, *on(server, *narrow)).json
        assert again["made"] == 0


def test_the_quotes_of_all_parts_are_kept_each_once(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    server.answer = quoting_all(EVERY_WEEK)
    outcome = casespan("extract", weeks, *on(server, *IN_PARTS))
    assert outcome.code == 0, outcome.out + outcome.err
    assert outcome.json["planned"] >= 3
    shown_twice = sum(shown(call.body).count("In week") for call in server.calls) - WEEKS
    assert shown_twice > 0
    assert outcome.json["findings"] == {"weeks": WEEKS}
    assert outcome.json["groundings"] == {"exact": WEEKS}
    assert len({finding.start for finding in findings(weeks)}) == WEEKS


@pytest.mark.parametrize("speaker", ["last", "each"])
def test_a_phrase_that_stands_in_many_places_is_placed_in_what_its_part_showed(
    casespan: Casespan, weeks: Path, server: ScriptedOllama, speaker: str
) -> None:
    last = WEEK.format(WEEKS)

    def answer(call: Call) -> None:
        speaks = speaker == "each" or last in shown(call.body)
        replies(f'{{"gastrointestinal": ["{PHRASE}"], "tests": []}}' if speaks else NOTHING)(call)

    server.script(*[answer] * 9)
    outcome = casespan("extract", weeks, *on(server, *IN_PARTS))
    assert outcome.code == 0, outcome.out + outcome.err
    stretches = [answer.details["spans"] for answer in recorded(weeks)]
    speaking = stretches if speaker == "each" else stretches[-1:]
    starts = [finding.start or 0 for finding in findings(weeks)]
    assert len(starts) == len(speaking)
    for place, spans in zip(starts, speaking, strict=True):
        assert any(start <= place < end for start, end in spans)


def test_what_parts_say_is_written_with_the_last_of_them(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    server.answer = quoting_all(EVERY_WEEK)
    server.script(good, lacks_model())
    stopped = casespan("extract", weeks, *on(server, *IN_PARTS)).json
    assert stopped["planned"] >= 3
    assert stopped["made"] == 2
    assert stopped["findings"] == {"weeks": 0}
    resumed = casespan("extract", weeks, *on(server, *IN_PARTS, "--resume"))
    assert resumed.code == 0
    assert resumed.json["made"] == stopped["planned"] - 1
    assert resumed.json["findings"] == {"weeks": WEEKS}


@pytest.mark.parametrize("week", [1, WEEKS])
@pytest.mark.parametrize("fault", [cuts(NOTHING), fails(500, "crashed")])
def test_a_category_is_answered_only_where_all_its_parts_are(
    casespan: Casespan, weeks: Path, server: ScriptedOllama, week: int, fault: Behaviour
) -> None:
    def answer(call: Call) -> None:
        (fault if WEEK.format(week) in shown(call.body) else replies(NOTHING))(call)

    server.script(*[answer] * 9)
    outcome = casespan("extract", weeks, *on(server, *IN_PARTS))
    assert outcome.code == 1
    assert outcome.json["planned"] >= 3
    assert outcome.json["calls"]["done"] == outcome.json["planned"] - 1
    assert outcome.json["nothing_found"] == 0
    assert review_states(casespan, weeks) == ["in progress"]


def _thinks_too_long(call: Call) -> None:
    call.piece(thinking="Let me see.")
    call.text(NOTHING)
    call.done(prompt_eval_count=call.tokens_in, eval_count=call.body["options"]["num_ctx"])


CUT_PROMPTS = {
    "to the brim": fills_the_context,
    "far below the estimate": counts(prompt_eval_count=100),
    "no room for the reply": counts(eval_count=8192),
    "thinking": _thinks_too_long,
}


@pytest.mark.parametrize("fault", CUT_PROMPTS)
def test_an_answer_to_a_prompt_that_the_server_cut_is_none_and_asked_for_again(
    casespan: Casespan, tmp_path: Path, fault: str
) -> None:
    # Too short to be divided, so that the answer stands.
    project = new_project(casespan, tmp_path / "s.casespan", "short", "Case report\n\nThe boy had colic.\n")
    thinker = replace(MODEL, capabilities=("completion", "thinking"))
    chosen = (*BOWEL, "--context", 8192, *(["--think"] if fault == "thinking" else []))
    with ScriptedOllama(CUT_PROMPTS[fault], models=[thinker]) as server:
        outcome = casespan("extract", project, *on(server, *chosen))
        assert outcome.code == 1
        assert outcome.json["calls"] == {"incomplete": 1, "missing": 0}
        assert outcome.json["nothing_found"] == 0
        assert review_states(casespan, project) == ["in progress"]
        assert casespan("extract", project, *on(server, *chosen)).json["made"] == 0
        resumed = casespan("extract", project, *on(server, *chosen, "--resume"))
        assert (resumed.code, resumed.json["made"]) == (0, 1)
        assert resumed.json["nothing_found"] == 1
        server.script(CUT_PROMPTS[fault])
        other = casespan("extract", project, *on(server, *chosen, "--new-run"))
        assert other.json["nothing_found"] == 0, "what another run came to is not its own"


@pytest.mark.parametrize(("knows_tokens", "cut"), [(True, True), (False, False)])
def test_the_servers_count_is_held_against_the_models_own_vocabulary_where_there_is_one(
    casespan: Casespan, project: Path, knows_tokens: bool, cut: bool
) -> None:
    # A token for each word of the letter, so that the estimate is the number of words or so.
    words = (REPORTS / f"{LETTER}.txt").read_text(encoding="utf-8").split()
    tokens = tuple(f"▁{word}" for word in dict.fromkeys(words))
    model = FakeModel(tokens=tokens, kinds=(1,) * len(tokens)) if knows_tokens else MODEL
    counter = TokenCounter(Vocabulary("llama", frozenset(tokens), frozenset()) if knows_tokens else None)
    less = counts(prompt_eval_count=lambda call: counter.unscaled(prompt_text(call.body)) * 6 // 10)
    with ScriptedOllama(less, answer=quoting, models=[replace(model, context=131_072)]) as server:
        outcome = casespan("extract", project, *on(server, *ONE_CALL, "--context", 32_768))
        assert (outcome.json["made"] > 1) == cut


@pytest.mark.parametrize("fault", [overflows(), fills_the_context])
def test_a_prompt_that_turns_out_too_long_gets_a_longer_context(
    casespan: Casespan, project: Path, fault: Behaviour
) -> None:
    with ScriptedOllama(fault, answer=quoting, models=[MODEL], version="0.12.0") as server:
        outcome = casespan("extract", project, *on(server, *ONE_CALL))
        assert outcome.code == 0, outcome.out + outcome.err
        asked = contexts(server)
        assert asked == [asked[0], 2 * asked[0]]
        assert outcome.json["made"] == 2
        assert outcome.json["calls"] == {"done": 1, "missing": 0}
        assert any("0.12.6" in note for note in outcome.json["notes"])
        assert not any("asked for" in note for note in outcome.json["notes"])
        again = casespan("extract", project, *on(server, *ONE_CALL)).json
        assert again["made"] == 0
        assert not any("asked for" in note for note in again["notes"])


@pytest.mark.parametrize("fault", [overflows(), fills_the_context])
def test_where_there_is_no_longer_context_the_report_is_divided(
    casespan: Casespan, project: Path, server: ScriptedOllama, fault: Behaviour
) -> None:
    server.script(fault)
    narrow = (*ONE_CALL, "--context", 8192)
    outcome = casespan("extract", project, *on(server, *narrow))
    assert outcome.code == 0, outcome.out + outcome.err
    assert outcome.json["planned"] > 1
    assert outcome.json["made"] == len(server.calls) == 1 + outcome.json["planned"]
    assert casespan("extract", project, *on(server, *narrow)).json["made"] == 0


def test_a_call_divided_before_it_was_made_does_not_count_as_made(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    # The first prompt turns out nearly as long as the context; the second is then too long before it is sent.
    server.script(
        counts(prompt_eval_count=lambda call: call.body["options"]["num_ctx"] - 200, eval_count=100)
    )
    chosen = ("--category", "GI", "--category", "GU", "--context", 8192, "--json")
    outcome = casespan("extract", weeks, *on(server, *chosen))
    assert outcome.code == 0, outcome.out + outcome.err
    assert [answer.state for answer in recorded(weeks)][:2] == ["done", "divided"]
    assert outcome.json["made"] == len(server.calls) == outcome.json["planned"] >= 3
    assert casespan("extract", weeks, *on(server, *chosen)).json["made"] == 0


Change: TypeAlias = Callable[[pytest.MonkeyPatch, ScriptedOllama], None]


def _memory(context: int, model: FakeModel = MODEL) -> int:
    """Free bytes that hold the model with that context."""
    return RESERVE + model.size + CACHE * context


def _more_memory(patch: pytest.MonkeyPatch, _: ScriptedOllama) -> None:
    patch.setattr(model_work, "free_memory", lambda: _memory(65_536))


def _less_memory(patch: pytest.MonkeyPatch, _: ScriptedOllama) -> None:
    patch.setattr(model_work, "free_memory", lambda: 0)


def _unloaded(_: pytest.MonkeyPatch, server: ScriptedOllama) -> None:
    server.unload(BIG.name)


def _loaded_longer(_: pytest.MonkeyPatch, server: ScriptedOllama) -> None:
    server.loaded[BIG.name] = 65_536


def _nothing(*_: object) -> None: ...


SHORT_REPLIES, LONG_REPLIES = ("--reply-tokens", 256), ("--reply-tokens", 4096)
# What changes between two calls of the command, and what each of them asks for.
CHANGES: dict[str, tuple[Change, tuple[object, ...], tuple[object, ...]]] = {
    "less memory": (_less_memory, (), ()),
    "not loaded": (_unloaded, (), ()),
    "loaded longer": (_loaded_longer, (), ()),
    "far longer replies": (_nothing, SHORT_REPLIES, LONG_REPLIES),
    "longer replies and more memory": (_more_memory, SHORT_REPLIES, LONG_REPLIES),
}
# Large, so that it matters whether its weights are in memory already.
BIG = replace(MODEL, size=64 << 20)


@pytest.mark.parametrize("change", CHANGES)
def test_a_run_taken_up_again_divides_alike_whatever_has_changed(
    casespan: Casespan, weeks: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(model_work, "free_memory", lambda: _memory(4096, BIG))
    changes, first, then = CHANGES[change]
    script = (good, fails(400, "invalid options"), lacks_model())
    with ScriptedOllama(*script, answer=quoting_all(EVERY_WEEK), models=[BIG]) as server:
        begun = casespan("extract", weeks, *on(server, *BOWEL, *first)).json
        assert begun["planned"] >= 3
        assert set(contexts(server)) == {4096}
        changes(monkeypatch, server)
        ended = casespan("extract", weeks, *on(server, *BOWEL, *then, "--resume"))
        assert ended.code == 0, ended.out + ended.err
        assert ended.json["planned"] == begun["planned"]
        assert ended.json["made"] == begun["planned"] - 1
        assert ended.json["findings"] == {"weeks": WEEKS}
        for arguments in (first, (*then, "--resume")):
            again = casespan("extract", weeks, *on(server, *BOWEL, *arguments)).json
            assert (again["made"], again["planned"]) == (0, begun["planned"])
            assert not any("asked for" in note for note in again["notes"])


def test_longer_replies_get_the_context_that_they_need_and_no_more(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    estimated = casespan("extract", project, *on(server, *ONE_CALL)).json["prompt_tokens"]

    def fills_its_reply(call: Call) -> None:
        # A real tokenizer's count is a little above the estimate.
        call.text('{"gastrointestinal": ["')
        tokens = {"prompt_eval_count": round(1.03 * estimated)}
        call.done("length", **tokens, eval_count=call.body["options"]["num_predict"])

    server.script(*[fills_its_reply] * 2)
    asked = (*ONE_CALL, "--new-run")
    assert casespan("extract", project, *on(server, *asked)).json["calls"] == {"incomplete": 1, "missing": 0}
    longer = casespan("extract", project, *on(server, *ONE_CALL, "--resume", "--reply-tokens", 4096)).json
    assert (longer["made"], longer["calls"]) == (1, {"incomplete": 1, "missing": 0})
    assert server.calls[-1].body["options"]["num_predict"] == 4096
    context = contexts(server)[-1]
    assert estimated + 4096 <= context <= 1.04 * estimated + 4096 + STEP
    assert context % STEP == 0


@pytest.mark.parametrize("free", [0, 4096])
def test_the_memory_that_a_loaded_model_has_taken_is_its_own(
    casespan: Casespan, weeks: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedOllama, free: int
) -> None:
    monkeypatch.setattr(model_work, "free_memory", lambda: _memory(free) if free else 0)
    server.loaded[MODEL.name] = 16_384
    assert casespan("extract", weeks, *on(server, *BOWEL)).json["planned"] == 1
    assert contexts(server)[0] <= 16_384
    server.unload(MODEL.name)
    assert casespan("extract", weeks, *on(server, *BOWEL)).json["made"] == 0


def test_main_memory_sets_a_model_on_a_graphics_card_no_limit(
    casespan: Casespan, weeks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_work, "free_memory", lambda: _memory(4096))
    with ScriptedOllama(answer=quoting_all(EVERY_WEEK), models=[MODEL], vram=1.0) as server:
        outcome = casespan("extract", weeks, *on(server, *BOWEL))
        assert outcome.code == 0, outcome.out + outcome.err
        # Known only once the model is loaded.
        loads = [
            one.body for one in server.requests if one.path == "/api/generate" and not one.body.get("prompt")
        ]
        assert [body["options"]["num_ctx"] for body in loads] == [4096, contexts(server)[0]]
        assert outcome.json["planned"] == len(server.calls) == 1
        assert not any("memory" in note or "in parts" in note for note in outcome.json["notes"])
        assert casespan("extract", weeks, *on(server, *BOWEL)).json["made"] == 0
    with ScriptedOllama(answer=quoting_all(EVERY_WEEK), models=[MODEL], vram=0.5) as server:
        partly = casespan("extract", weeks, *on(server, *BOWEL, "--new-run"))
        assert partly.json["planned"] >= 3


def test_where_main_memory_holds_no_report_at_all_a_graphics_card_is_looked_for_first(
    casespan: Casespan, weeks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_work, "free_memory", lambda: _memory(0))
    of_all = ("--strategy", "ugp", "--reply-tokens", 2048, "--json")
    with ScriptedOllama(answer=quoting_all(EVERY_WEEK), models=[MODEL], vram=1.0) as server:
        asked = casespan("extract", weeks, *on(server, "--dry-run", *of_all))
        assert asked.code == 0
        assert any("Where a graphics card" in note for note in asked.json["notes"])
        assert not server.calls
        held = casespan("extract", weeks, *on(server, *of_all))
        loads = [
            one.body for one in server.requests if one.path == "/api/generate" and not one.body.get("prompt")
        ]
        assert [body["options"]["num_ctx"] for body in loads] == [2048, contexts(server)[0]]
        assert (held.json["planned"], held.json["made"]) == (1, 1)
        assert not any("too little room" in note for note in held.json["notes"])
    with ScriptedOllama(answer=quoting_all(EVERY_WEEK), models=[MODEL], vram=0.5) as server:
        refused = casespan("extract", weeks, *on(server, "--new-run", *of_all))
        assert (refused.code, "too little room" in refused.err, server.calls) == (2, True, [])


def test_a_context_that_was_asked_for_is_believed(
    casespan: Casespan, weeks: Path, monkeypatch: pytest.MonkeyPatch, server: ScriptedOllama
) -> None:
    monkeypatch.setattr(model_work, "free_memory", lambda: _memory(4096))
    asked = casespan("extract", weeks, *on(server, *BOWEL, "--context", 32_768)).json
    assert (asked["planned"], contexts(server)) == (1, [32_768])


def test_a_context_is_said_to_have_been_asked_for_where_it_was(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    asked = casespan("extract", project, *on(server, *ONE_CALL, "--context", 16_384)).json["notes"]
    assert any("16384" in note and "asked for" in note for note in asked)
    chosen = casespan("extract", project, *on(server, *ONE_CALL)).json["notes"]
    assert not any("asked for" in note for note in chosen)


def test_where_the_server_gives_less_context_than_asked_the_run_makes_do_with_it(
    casespan: Casespan, weeks: Path
) -> None:
    # What the model was trained for is not said, so that more than that is asked for.
    short = replace(MODEL, context=4096, info={"llama.context_length": None})
    with ScriptedOllama(answer=quoting_all(EVERY_WEEK), models=[short]) as server:
        _makes_do_with(casespan, weeks, server)
        assert set(contexts(server)) == {4096}


def _lacks_memory(most: int, tried: list[int]) -> Behaviour:
    """Loads the model with a context of at most `most` tokens; `tried` gets what was asked for."""

    def generate(call: Call) -> None:
        if call.body.get("prompt"):
            good(call)
            return
        tried.append(call.body["options"]["num_ctx"])
        if tried[-1] > most:
            fails(500, "model requires more system memory (9.9 GiB) than is available (1.0 GiB)")(call)
        else:
            says({"done": True, "done_reason": "load"})(call)

    return generate


def test_where_the_server_lacks_memory_a_shorter_context_is_tried(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    server.answer = quoting_all(EVERY_WEEK)
    tried: list[int] = []
    server.on["/api/generate"] = _lacks_memory(6000, tried)
    _makes_do_with(casespan, weeks, server)
    assert tried[-1] == tried[0] // 2


def test_a_run_that_goes_on_with_less_memory_shows_in_parts_what_no_longer_fits(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    server.answer = quoting_all(EVERY_WEEK)
    server.script(fails(400, "invalid options"))
    assert casespan("extract", weeks, *on(server, *BOWEL)).json["planned"] == 1
    server.on["/api/generate"] = _lacks_memory(6000, [])
    calls = len(server.calls)
    resumed = casespan("extract", weeks, *on(server, *BOWEL, "--resume"))
    assert resumed.code == 0, resumed.out + resumed.err
    assert resumed.json["planned"] == resumed.json["made"] == len(server.calls) - calls >= 2
    assert resumed.json["findings"] == {"weeks": WEEKS}
    del server.on["/api/generate"]
    again = casespan("extract", weeks, *on(server, *BOWEL, "--resume"))
    assert (again.code, again.json["made"], again.json["planned"]) == (0, 0, resumed.json["planned"])


def _makes_do_with(casespan: Casespan, project: Path, server: ScriptedOllama) -> None:
    outcome = casespan("extract", project, *on(server, *BOWEL))
    assert outcome.code == 0, outcome.out + outcome.err
    (given,) = set(contexts(server))
    assert outcome.json["planned"] >= 2
    assert outcome.json["findings"] == {"weeks": WEEKS}
    assert any(str(given) in note for note in outcome.json["notes"])
    calls = len(server.calls)
    again = casespan("extract", project, *on(server, *BOWEL)).json
    assert (again["made"], len(server.calls)) == (0, calls)
    for notes in (outcome.json["notes"], again["notes"]):
        assert not any("asked for" in note for note in notes)
