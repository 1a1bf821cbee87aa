"""Requests as the tests of the clients send them."""

from __future__ import annotations

import json

from extractors.llm.types import Client, Outcome, Request
from extractors.tasks.base import Prompt
from extractors.tasks.replies import ReplyForm

FORM = ReplyForm({"quotes": ("Vitals_Hema", "")})
OPTIONS = {"temperature": 0, "seed": 1, "num_ctx": 2048, "num_predict": 256}
SYSTEM = "Quote verbatim."
USER = "Report: “Fever of 39 °C 😊.”\nTask: quote."
GOOD = json.dumps({"quotes": []})
PATIENCE = 20.0


def request(model: str = "tiny", *, user: str = USER, think: bool = False, form: ReplyForm = FORM) -> Request:
    return Request(model, Prompt(SYSTEM, user, form), OPTIONS, think=think)


def outcome(client: Client, asked: Request | None = None) -> Outcome:
    """How a call ends."""
    with client.start(asked or request()) as exchange:
        ended = exchange.poll(PATIENCE)
    assert ended is not None
    return ended
