"""What lies ahead of a run with a model: how many calls, and how long they may take."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeVar

from app.operations.extract.calling.ledger import Ledger
from app.operations.study.answers import study_runs
from app.text import counted, duration

if TYPE_CHECKING:
    from app.operations.extract.options import RunOptions
    from app.operations.extract.work import Work
    from app.store.project import Project
    from app.studies.study import Study
    from extractors.model.progress import Progress

T = TypeVar("T")
# So many calls are measured before it is said how many fit.
_MEASURED = 5
# What a laptop reads and writes, where nothing is known of the model yet.
READ_A_SECOND, WRITTEN_A_SECOND = 500, 50


def ahead(project: Project, study: Study, work: Work) -> str:
    """How many calls are to be made and how long they may take, in a sentence."""
    calls = min(work.pending, work.options.calls or work.pending)
    seconds = _seconds_before(project, study, work)
    if seconds is None:
        pending = [entry.call for entry in work.entries if entry.pending]
        tokens = sum(call.reply_tokens for call in pending) / len(pending)
        read = sum(call.tokens - call.shared for call in pending) / len(pending)
        seconds = read / READ_A_SECOND + tokens / WRITTEN_A_SECOND
        basis = f"at most, if the model reads {READ_A_SECOND} tokens a second and writes {WRITTEN_A_SECOND}"
    else:
        basis = "as its calls took before"
    whole = calls * seconds
    told = f"about {whole / 3600:.2f} hours ({duration(whole)})" if whole > 90 else f"about {duration(whole)}"
    lie = "lies" if calls == 1 else "lie"
    return f"{counted(calls, 'call')} {lie} ahead, {seconds:.2g} s a call {basis}: {told}."


def saying_what_fits(
    steps: Generator[Progress, None, T],
    works: Sequence[Work],
    options: RunOptions,
    tell: Callable[[str], None] | None,
) -> Generator[Progress, None, T]:
    """The steps of a run; where it has so many minutes `tell` hears, after its first calls, how many fit.

    It stands among the notes of the work, too, which is in `works` once it is planned.
    """
    since, before, told = time.monotonic(), 0, options.minutes is None
    try:
        while True:
            step = next(steps)
            yield step
            if told or not works:
                continue
            before = before or works[0].pending
            made = before - works[0].pending
            if not made:
                # Loading the model is no call.
                start = time.monotonic()
            elif made >= _MEASURED and options.minutes is not None:
                told = True
                each = (time.monotonic() - start) / made
                left = max(options.minutes * 60 - (time.monotonic() - since), 0.0)
                fit = min(made + int(left / each), before) if each else before
                words = f"{counted(made, 'call')} took {each:.2g} s each: "
                words += f"of {before:,} about {fit:,} fit into {counted_minutes(options.minutes)}."
                works[0].notes.append(words)
                if tell is not None:
                    tell(words)
    except StopIteration as stop:
        ended: T = stop.value
        return ended
    finally:
        steps.close()


def counted_minutes(minutes: float) -> str:
    """Minutes for people."""
    return f"{minutes:g} {'minute' if minutes == 1 else 'minutes'}"


def _seconds_before(project: Project, study: Study, work: Work) -> float | None:
    """How long calls of the same model and arm took in this study, None where there was none."""
    took = [
        call.seconds
        for run in study_runs(project, study)
        if run.settings.get("model") == work.card.name
        and run.settings.get("arm") == work.asking.identity.get("arm")
        for call in Ledger(project, run).answers
        if call.seconds is not None and not call.reused and call.state == "done"
    ]
    return sum(took) / len(took) if took else None
