"""Histories: present illness, past and surgical, family and genetics, social, by cue and by section."""

from __future__ import annotations

from extractors.rules.lexicon import BIT, CUE

_FIELDS = (
    ("family and genetics", CUE["family"] | CUE["relative"]),
    ("past surgical", CUE["surgical"]),
    ("past medical", CUE["past"]),
    ("chief complaint", CUE["own"]),
    ("social", CUE["social"]),
    ("present illness", CUE["present"] | CUE["course"]),
    ("family and genetics", CUE["genetics"]),
)
_STRONG = CUE["present"] | CUE["past"] | CUE["family"] | CUE["social"] | CUE["relative"]
_RESULT = BIT["Lab_Image"]


def is_history(cues: int, strong: int, in_history: bool) -> bool:
    """Whether a sentence with these cues and categories tells history; `in_history`: its heading says so."""
    if in_history or cues & _STRONG:
        return True
    if cues & CUE["surgical"]:
        return not cues & CUE["treatment"]
    if cues & CUE["genetics"] and strong & _RESULT:
        return not cues & CUE["negated"]
    return bool(cues & CUE["course"]) and not (strong & _RESULT)


def history_field(cues: int) -> str:
    """The field of History that the cues speak for."""
    for name, mask in _FIELDS:
        if cues & mask:
            return name
    return "present illness"
