"""Histories: present illness, past and surgical, family and genetics, social, by cue and by section."""

from __future__ import annotations

from extractors.rules.context import is_treatment
from extractors.rules.lexicon import BIT, CUE, ORGAN_BITS

_FIELDS = (
    ("family and genetics", CUE["family"] | CUE["relative"]),
    ("past surgical", CUE["surgical"]),
    ("past medical", CUE["past"]),
    ("chief complaint", CUE["own"]),
    ("social", CUE["social"]),
    ("present illness", CUE["present"] | CUE["course"]),
    ("family and genetics", CUE["genetics"]),
)
# The rest is the patient's own illness, past and present.
_STORIES = {"family and genetics": "family", "social": "social"}
_ALWAYS = CUE["own"] | CUE["past"] | CUE["family"] | CUE["social"] | CUE["relative"]
_RESULT = BIT["Lab_Image"]


def is_history(cues: int, strong: int, in_history: bool, examined: bool) -> bool:
    """Whether a sentence with these cues and categories tells history.

    `in_history` where its heading says so. Once the patient was `examined`, what happened next is no history,
    nor is an operation or a treatment that is not told as past.
    """
    if cues & CUE["institution"]:
        cues &= ~CUE["social"]  # "went to the university hospital"
    if in_history or cues & _ALWAYS:
        return True
    if is_treatment(cues) or cues & CUE["surgical"]:
        return False
    if cues & CUE["genetics"] and strong & _RESULT:
        return not cues & CUE["negated"]
    if cues & CUE["moved"] and (not examined or strong & ORGAN_BITS or cues & CUE["sign"]):
        return True  # afterwards "was admitted to the ward" tells nothing of the illness
    return bool(cues & CUE["present"] or (cues & CUE["course"] and not strong & _RESULT and not examined))


def story(name: str) -> str:
    """Which story a field belongs to; what is told of one story hangs together."""
    return _STORIES.get(name, "illness")


def history_field(cues: int) -> str:
    """The field of History that the cues speak for."""
    for name, mask in _FIELDS:
        if cues & mask:
            return name
    return "present illness"
