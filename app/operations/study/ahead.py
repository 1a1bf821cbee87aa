"""What lies ahead of a run with a model: how many calls, and how long they may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.operations.extract.ledger import Ledger
from app.operations.study.answers import study_runs
from app.text import counted

if TYPE_CHECKING:
    from app.operations.extract.work import Work
    from app.store.project import Project
    from app.studies.study import Study

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
        why = f"at most, if the model reads {READ_A_SECOND} tokens a second and writes {WRITTEN_A_SECOND}"
    else:
        why = "as its calls took before"
    hours = calls * seconds / 3600
    return f"{counted(calls, 'call')} lie ahead, {seconds:.2g} s a call {why}: about {hours:.2g} hours."


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
