"""What something stands for in a terminology: a code with the release it was taken from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coding:
    """A code of a terminology ("HPO") in a release, and its label there.

    `origin` is as that of annotations. `onset` says since when, where that is said: an age or time as
    ISO 8601 has it ("P3Y"), or a code.
    """

    terminology: str
    release: str
    code: str
    label: str
    uri: str
    origin: str
    onset: str = ""
