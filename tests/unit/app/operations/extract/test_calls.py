"""When no other call of a run is begun, and what is known of a model's speed."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from app.operations.extract import quotes
from app.operations.extract.calling.calls import Calls
from extractors.llm.types import Capabilities
from extractors.model.progress import finished


@pytest.mark.parametrize(
    ("seconds", "flying", "calls", "enough"),
    [
        (39.9, 0, None, False),
        # Two took 40 seconds: another would end after the minute that there is.
        (40.0, 0, None, True),
        (39.9, 0, 2, True),
        (39.9, 0, 3, False),
        # One that is under way has not shown yet how long it takes.
        (39.9, 1, None, True),
        (19.9, 1, None, False),
    ],
)
def test_a_call_that_would_not_end_in_time_is_not_begun(
    seconds: float, flying: int, calls: int | None, enough: bool
) -> None:
    run: Any = object.__new__(Calls)
    run._work = SimpleNamespace(options=SimpleNamespace(minutes=1.0, calls=calls))
    run._flying = [None] * flying
    run.made, run._took_seconds = 2, 40.0
    run._clock = SimpleNamespace(seconds=seconds)
    assert run._enough is enough


def test_answers_taken_over_from_another_run_tell_nothing_of_a_models_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answer(name: str, **more: object) -> Any:  # noqa: ANN401
        return SimpleNamespace(
            record=SimpleNamespace(**{"name": name, "reused": False, "details": {}, **more})
        )

    given = [answer("own"), answer("taken", reused=True), answer("of old", details={"reused": True})]
    settings = {"model": "m", "digest": "d"}
    known = [
        SimpleNamespace(kind="model", settings=settings, uuid=1),
        SimpleNamespace(kind="model", settings={**settings, "digest": "e"}, uuid=2),
        SimpleNamespace(kind="rules", settings=settings, uuid=3),
    ]
    monkeypatch.setattr(quotes, "runs", lambda _: known)
    monkeypatch.setattr(quotes, "generations", lambda _, uuid: given if uuid == 1 else [answer("other")])
    found: Any = quotes._answers(None, "m", "d")  # type: ignore[arg-type]
    assert [one.name for one in found] == ["own"]


def test_a_forecast_counts_what_is_read_anew_and_a_recording_takes_no_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = [SimpleNamespace(tokens=1_000, shared=one, reply_tokens=50) for one in (0, 400)]
    entries = [SimpleNamespace(pending=True, call=one) for one in calls]
    entries.append(SimpleNamespace(pending=False, call=None))
    card, can = SimpleNamespace(name="m", digest=""), Capabilities(sets_context=True)
    work = SimpleNamespace(entries=entries, pending=2, reused=[], run=None, parallel=2, notes=[], card=card)
    for name, value in (("Work", work), ("quotes_of", None), ("_answers", []), ("opened", nullcontext())):
        monkeypatch.setattr(quotes, name, lambda *_, value=value: value)
    unused: Any = None
    for about, seconds in (("", (1_600 / quotes.READ + 2 * quotes.REPLY / quotes.WRITTEN) / 2), ("x", 0.0)):
        client: Any = SimpleNamespace(about=about, recorded=(), capabilities=can)
        told = finished(quotes.forecast_run(unused, client, unused))
        assert (told.planned, told.calls, told.prompt_tokens, told.shared_tokens) == (3, 2, 2_000, 400)
        assert told.reply_tokens == 100
        assert told.seconds == pytest.approx(seconds)
