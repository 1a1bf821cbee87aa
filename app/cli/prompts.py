"""What runs asked models, for `casespan list --prompts`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.console import say, say_whole
from app.operations.extract.calling.asked import about_unknown

if TYPE_CHECKING:
    from app.operations.extract.calling.asked import AskedPrompt, RunPrompts


def show_prompts(asked: Sequence[RunPrompts]) -> None:
    """The prompts of each run in full; the system's turn and the form are repeated only where they change."""
    if not asked:
        say("No model was asked anything yet.")
    for run in asked:
        say(f"run {run.run}")
        before: AskedPrompt | None = None
        for prompt in run.prompts:
            say()
            say(f"prompt {prompt.sha256}  {prompt.title}")
            _turn("system", prompt.system, before.system if before else None)
            _turn("user", prompt.user, None)
            form = json.dumps(prompt.form, ensure_ascii=False)
            _turn("form", form, json.dumps(before.form, ensure_ascii=False) if before else None)
            before = prompt
        if run.unknown:
            say()
            say(about_unknown(run))
        say()


def prompts_json(asked: Sequence[RunPrompts]) -> list[dict[str, object]]:
    """The prompts of each run as scripts want them."""
    return [asdict(run) for run in asked]


def _turn(name: str, text: str, before: str | None) -> None:
    if text == before:
        say(f"{name}: as before")
    else:
        say(f"{name}:")
        say_whole(text)
