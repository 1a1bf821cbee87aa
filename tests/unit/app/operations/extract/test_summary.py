"""What a run is said to have come to: its calls, what went wrong in which, and what it took."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from app.operations.extract.options import ModelSummary, Trouble
from app.operations.extract.run_task import _count_calls as count_calls
from app.operations.extract.run_task import describe_model_run
from app.store.extract.runs import CallRecord, GenerationState

if TYPE_CHECKING:
    from app.operations.extract.work import Work


def call(
    state: GenerationState = "done", *problems: str, error: str = "", end: str = "stop", **details: object
) -> CallRecord:
    more = {"problems": problems, "prefill_seconds": 0.5, "num_predict": 64, **details}
    return CallRecord(
        "d", "GI", "p", "", "", None, 2.0, 100, 10, end, error, state, details={**more, "num_ctx": 4096}
    )


def work_of(*answers: CallRecord | None, about: str = "") -> Work:
    """A run with these answers, two calls a report."""
    entries = [
        SimpleNamespace(
            report=SimpleNamespace(key=f"R{number // 2}"),
            item=SimpleNamespace(question="GI" if number % 2 else ""),
            call=SimpleNamespace(tokens=100, shared=40),
            answer=answer,
        )
        for number, answer in enumerate(answers)
    ]
    client = SimpleNamespace(about=about)
    ledger = SimpleNamespace(of=lambda entry: entry.answer)
    return cast("Work", SimpleNamespace(entries=entries, ledger=ledger, client=client))


def counted(*answers: CallRecord | None, about: str = "") -> ModelSummary:
    summary = ModelSummary("tiny/ucp", planned=len(answers))
    count_calls(work_of(*answers, about=about), summary)
    return summary


def test_calls_are_counted_by_state_and_what_harms_is_told_before_what_does_not() -> None:
    cut = call("incomplete", end="length")
    short = call("incomplete", "It ends early.", cut_prompt=True, estimated_tokens=900)
    answers = [
        *(call("done", "A remark.", remote="far.example"), cut),
        *(call("failed", error="It is gone."), call("cancelled", "lost", error="lost")),
        *(None, call(remote="far.example")),
        *(call(), call()),
        short,
    ]
    found = counted(*answers)
    assert found.calls == {"done": 4, "incomplete": 2, "failed": 1}
    assert (found.incomplete, found.missing) == (["R0", "R1", "R2", "R4"], 2)
    assert found.troubles == [
        Trouble(
            "R0",
            "GI",
            "The reply was cut at its limit of 64 tokens; --resume with a larger --reply-tokens asks again.",
        ),
        Trouble("R1", "", "It is gone."),
        Trouble(
            "R4",
            "",
            "The server cut the prompt: it counted 100 tokens where about 900 were sent into a context of "
            "4096; --resume asks again.",
        ),
        Trouble("R4", "", "It ends early."),
        Trouble("R0", "", "A remark."),
    ]
    assert found.notes == ["The reports' text was passed on to far.example."]
    assert (found.tokens_in, found.tokens_out, found.seconds, found.prefill_seconds) == (800, 80, 16.0, 4.0)
    assert (found.prompt_tokens, found.shared_tokens, found.shared) == (900, 360, 0.4)
    # Of what was recorded nothing can be asked at more length.
    assert counted(cut, about="Written by hand.").troubles == []


def test_a_run_is_told_with_what_was_made_now_and_what_it_took() -> None:
    summary = counted(call(), call("failed", error="It is gone."))
    summary.findings, summary.unasked, summary.nothing_found = {"R0": 3, "R1": 0}, 1, 2
    summary.groundings.update(exact=2, fuzzy=1)
    assert describe_model_run(summary) == [
        "tiny/ucp: 3 quotes in 2 reports.",
        "2 calls: 1 done, 1 failed, none made now; --resume repeats what failed",
        "quotes: 2 exact, 1 fuzzy; nothing found in 2 report-category pairs",
        "no section to show in 1 report-category pair, which count as nothing found",
        "200 tokens read, 20 written, 4 s of calls; 40% of the prompts' tokens stood in the call before",
    ]
    summary.made, summary.planned = 1, 3
    assert "1 failed, 1 missing, 1 made now" in describe_model_run(summary)[1]
    whole = counted(call(), about="Written by hand.")
    whole.about = "Written by hand."
    assert describe_model_run(whole)[1:4] == [
        "Written by hand.",
        "1 call: 1 done, nothing was left to do",
        "quotes: none; nothing found in 0 report-category pairs",
    ]
