"""The family of a disease, by its name: all types of Ehlers-Danlos syndrome are one."""

from __future__ import annotations

import re

_INHERITED = re.compile(
    r",?\s*\b(autosomal|x-linked|y-linked|dominant|recessive|digenic|susceptibility to|somatic)\b.*$"
)
_TYPE = re.compile(
    r"[,;]?\s*\b(types?|groups?|forms?|complementation groups?)?\s*\(?\b([ivx]+|\d+)[a-z]?\d*\)?(/.*)?$"
)
_LETTER = re.compile(r"[ ,]+[a-z0-9]$")


def family_of(name: str) -> str:
    """What is left of a disease's name without its type and way of inheritance; "" where nothing is."""
    stem = _INHERITED.sub("", name.lower())
    return _LETTER.sub("", _TYPE.sub("", stem)).strip(" ,;")
