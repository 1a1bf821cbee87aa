"""What a report may do to the process that reads it. Imported there, so nothing else is imported here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

_PIECE = 20_000_000


def harmful() -> Callable[[str], str]:
    """Answers that end the process, take memory, or never come."""
    held: list[bytes] = []

    def answer(question: str) -> str:
        if question == "crash":
            os._exit(3)
        while question == "memory":
            held.append(b"x" * _PIECE)
        if question == "hang":
            threading.Event().wait()
        return question

    return answer
