"""What runs asked models, for `casespan list --prompts`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from app.cli.console import echo, echo_whole
from app.operations.extract.calling.asked import AskedPrompt, RunPrompts, about_unknown


def show_prompts(asked: Sequence[RunPrompts]) -> None:
    """The prompts of each run in full; the system's turn and the form are repeated only where they change."""
    if not asked:
        echo("No model was asked anything yet.")
    for run in asked:
        echo(f"run {run.run}")
        before: AskedPrompt | None = None
        for prompt in run.prompts:
            echo()
            echo(f"prompt {prompt.sha256}  {prompt.title}")
            _turn("system", prompt.system, before.system if before else None)
            _turn("user", prompt.user, None)
            form = json.dumps(prompt.form, ensure_ascii=False)
            _turn("form", form, json.dumps(before.form, ensure_ascii=False) if before else None)
            before = prompt
        if run.unknown:
            echo()
            echo(about_unknown(run))
        echo()


def prompts_json(asked: Sequence[RunPrompts]) -> list[dict[str, object]]:
    """The prompts of each run as scripts want them."""
    return [asdict(run) for run in asked]


def _turn(name: str, text: str, before: str | None) -> None:
    if text == before:
        echo(f"{name}: as before")
    else:
        echo(f"{name}:")
        echo_whole(text)
