"""The publications that a case names as its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PUBMED = re.compile(r"(?:^|[^A-Za-z])PMID[:_\s]\s*(\d{1,9})", re.IGNORECASE)


def pubmed_ids(words: Iterable[str]) -> tuple[int, ...]:
    """The PubMed ids in texts such as "PMID:1", "PMID_1_proband" or a bare number, each once."""
    numbers = [number for text in words for number in ([text] if text.isdigit() else _PUBMED.findall(text))]
    return tuple(dict.fromkeys(int(number) for number in numbers))
