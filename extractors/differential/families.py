"""The family of a disease, by its name: all types of Ehlers-Danlos syndrome are one."""

from __future__ import annotations

import re
from functools import lru_cache

_INHERITED = re.compile(
    r",?\s*\b(autosomal|x-linked|y-linked|dominant|recessive|digenic|susceptibility to|somatic)\b.*$"
)
_TYPE = re.compile(
    r"[,;]?\s*\b(types?|groups?|forms?|complementation groups?)?\s*\(?\b([ivx]+|\d+)[a-z]?\d*\)?(/.*)?$"
)
_LETTER = re.compile(r"[ ,]+[a-z0-9]$")
# "Ehlers-Danlos syndrome, vascular type"; "congenital adrenal hyperplasia due to ... deficiency".
_NAMED = re.compile(r",\s*[^,]*\b(?:type|form|variant)(?:,?\s*\d+)?$")
_GREEK = re.compile(r"\s+(?:alpha|beta|gamma|delta)(?:/(?:alpha|beta|gamma|delta))*$")
_PERHAPS = re.compile(r",?(?:\s+and)?\s+with or without .*$")
_LISTED = re.compile(r"\b(?:and|with|so-called)\b")
_CAUSED = re.compile(r",?\s+due to .*$")


def family_of(name: str) -> str:
    """What is left of a disease's name without its type and way of inheritance; "" where nothing is."""
    stem = _INHERITED.sub("", name.lower())
    return _LETTER.sub("", _TYPE.sub("", stem)).strip(" ,;")


def without_type(name: str) -> str:
    """A name without its type alone: "Alport syndrome, autosomal recessive" for "Alport syndrome 2, ..."."""
    ways = name.lower()[len(_INHERITED.sub("", name.lower())) :]
    return family_of(name) + _TYPE.sub("", ways)


@lru_cache(maxsize=65536)
def names_above(name: str) -> tuple[str, ...]:
    """The names of the families that a type belongs to, the wider ones first; the name itself is none."""
    plain = _PERHAPS.sub("", name.lower())
    stem = _INHERITED.sub("", plain).strip(" ,;")
    found = [family_of(plain), _CAUSED.sub("", stem), _NAMED.sub("", stem), _GREEK.sub("", stem), stem]
    return tuple(one for one in dict.fromkeys(found) if one and one != name.lower())


def head_of(name: str) -> str:
    """A name before its first comma: "cystinosis" for "Cystinosis, nephropathic"; "" where more than one
    finding is listed, which is another disease."""
    head, comma, rest = name.partition(",")
    return head if comma and not _LISTED.search(rest) else ""
