"""The organ that a term of HPO belongs to: the branch below phenotypic abnormality that is nearest to it."""

from __future__ import annotations

import re

from extractors.terminology.hierarchy import ancestors
from extractors.terminology.index import Terminology

_ROOT = "HP:0000118"
# Of "Abnormality of the nervous system" the system is what tells.
_BEFORE = re.compile(r"^Abnormal(?:ity of)? (?:the )?")


def organ_of(terminology: Terminology, code: str) -> str:
    """In words ("Nervous system"); "" for what stands outside, such as onset, course and inheritance."""
    root, row = terminology.row(_ROOT), terminology.row(code)
    if root is None or row is None:
        return ""
    above = ancestors(terminology, row)
    branches = [branch for branch in terminology.children[root] if branch in above]
    if not branches:
        return ""
    words = _BEFORE.sub("", terminology.label(min(branches, key=lambda branch: (above[branch], branch))))
    return words[0].upper() + words[1:]
