"""What a run with a model would take: calls, tokens and time, before anything is asked."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.extract.options import ModelOptions
from app.operations.extract.quotes import quotes_of
from app.operations.extract.work import Work
from app.operations.project.opening import opened
from app.store.extract.runs import CallRecord, generations, runs
from app.store.project import Project
from app.text import duration
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from extractors.llm.types import Client

# Tokens a second where nothing is known of a model yet: a model of 7 to 8 billion weights on a laptop's
# graphics card. And what a reply takes on average.
READ, WRITTEN, REPLY = 500.0, 30.0, 150.0


@dataclass(frozen=True, slots=True)
class Forecast:
    """A run that has not been made. `run` is its annotator, "" for one that would be new.

    Of the `planned` calls `calls` are to be made and `taken_over` have the answers of another run; the others
    are answered. `prompt_tokens` are to be sent, `shared_tokens` of them as in the call before; replies take
    `reply_tokens` at the most. `seconds` is by `measured` calls of the same model, or where these are 0, by
    how fast models of middle size are.
    """

    run: str
    planned: int
    calls: int
    taken_over: int
    prompt_tokens: int
    shared_tokens: int
    reply_tokens: int
    seconds: float
    measured: int
    notes: tuple[str, ...]


def forecast_run(
    where: Project | Path, client: Client, options: ModelOptions
) -> Generator[Progress, None, Forecast]:
    """Plan a run without making it; nothing is written, and the model is not loaded.

    Raises what `extract_with_model` raises before it records anything.
    """
    with opened(where) as project:
        yield Progress(0, 0, "planning")
        work = Work(project, client, options, quotes_of(project, options))
        pending = [entry.call for entry in work.entries if entry.pending]
        read, written, reply, measured = _speeds(_answers(project, work.card.name, work.card.digest))
        fresh = sum(call.tokens - call.shared for call in pending)
        seconds = fresh / read + len(pending) * reply / written
        return Forecast(
            run=work.run.name if work.run else "",
            planned=len(work.entries),
            calls=len(pending),
            taken_over=len(work.reused),
            prompt_tokens=sum(call.tokens for call in pending),
            shared_tokens=sum(call.shared for call in pending),
            reply_tokens=sum(call.reply_tokens for call in pending),
            seconds=0.0 if client.about else seconds / work.parallel,
            measured=measured,
            notes=tuple(work.notes),
        )


def describe_forecast(forecast: Forecast) -> list[str]:
    """The forecast in sentences."""
    run = forecast.run or "a new run"
    parts = [f"{run}: {forecast.calls} of {forecast.planned} calls are to be made; nothing was asked."]
    if forecast.taken_over:
        parts.append(f"{forecast.taken_over} answers are taken over from another run.")
    parts.append(
        f"about {forecast.prompt_tokens:,} tokens of prompts, {forecast.shared_tokens:,} of them as in the "
        f"call before, and replies of at most {forecast.reply_tokens:,} tokens"
    )
    basis = (
        f"by {forecast.measured} calls that this model has answered"
        if forecast.measured
        else f"if the model reads {READ:.0f} tokens a second and writes {WRITTEN:.0f}"
    )
    return [*parts, f"about {duration(forecast.seconds)}, {basis}", *forecast.notes]


def _answers(project: Project, model: str, digest: str) -> Iterable[CallRecord]:
    """What the model was asked in this project before, taken over answers left out."""
    for run in runs(project):
        if run.kind == "model" and (run.settings.get("model"), run.settings.get("digest")) == (model, digest):
            for generation in generations(project, run.uuid):
                record = generation.record
                # Older programs said it among the details.
                if not record.reused and "reused" not in record.details:
                    yield record


def _speeds(answers: Iterable[CallRecord]) -> tuple[float, float, float, int]:
    """Tokens a second read and written, tokens of a reply, and by how many answers these are known."""
    read = written = 0
    reading = writing = 0.0
    number = 0
    for answer in answers:
        details = answer.details
        prefill, reply = details.get("prefill_seconds"), details.get("reply_seconds")
        if prefill and reply and answer.tokens_out:
            number += 1
            # What stood in the call before was not read again.
            read += max(0, details.get("estimated_tokens", 0) - details.get("shared_tokens", 0))
            reading += prefill
            written += answer.tokens_out
            writing += reply
    if not number or not read:
        return READ, WRITTEN, REPLY, 0
    return read / reading, written / writing, written / number, number
