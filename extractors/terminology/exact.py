"""Which concept a name or a code stands for, by its very name: nothing near it, and no guess between two."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from extractors.terminology.concept import NAME_KINDS
from extractors.terminology.index import Terminology, folded_words

_CODE = re.compile(r"\bHPO?\s?[:_]\s?(\d{3,10})\b", re.IGNORECASE)
OF_BEFORE = "code of before"
# Whose name it is where two concepts share one: the label's before a synonym's.
_TRUST = {"label": 0, "exact": 1, "layperson": 1}
_LESS = 2


@dataclass(frozen=True, slots=True)
class Known:
    """A concept in use, with what it was known by: code, code of before, or a kind of name."""

    code: str
    label: str
    by: str


class ExactNames:
    """Finds concepts by code or by one of their names, in another spelling or number at most."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology

    def of_code(self, code: str) -> Known | None:
        """The concept of a code, or its successor where it was merged or replaced, if any."""
        current = self.terminology.current(code)
        row = None if current is None else self.terminology.row(current)
        if current is None or row is None:
            return None
        return Known(current, self.terminology.label(row), "code" if current == code else OF_BEFORE)

    def of_name(self, name: str) -> Known | None:
        """The concept of a name; None where none has it, or several have it alike.

        Of several the one counts that alone has it as it is spelled ("ear anomaly" beside "ear anomalies").
        """
        best = self._rows.get(" ".join(folded_words(name)), [])
        if len({row for row, _, _ in best}) > 1:
            best = [one for one in best if one[2].casefold() == name.casefold()]
        if len({row for row, _, _ in best}) != 1:
            return None
        row, kind, _ = best[0]
        return Known(self.terminology.codes[row], self.terminology.label(row), NAME_KINDS[kind])

    @cached_property
    def _rows(self) -> dict[str, list[tuple[int, int, str]]]:
        """Row, kind of name and name by folded name, of the most trusted kind that has it."""
        terminology = self.terminology
        trust = [_TRUST.get(kind, _LESS) for kind in NAME_KINDS]
        retired = terminology.obsolete.tolist()
        found: dict[str, list[tuple[int, int, str]]] = {}
        rows, kinds = terminology.name_rows.tolist(), terminology.name_kinds.tolist()
        named = zip(terminology.folded, rows, kinds, terminology.names, strict=True)
        for folded, row, kind, name in named:
            if not folded or retired[row]:
                continue
            there = found.setdefault(folded, [])
            if there and trust[kind] < trust[there[0][1]]:
                there.clear()
            if not there or trust[kind] == trust[there[0][1]]:
                there.append((row, kind, name))
        return found


def codes_in(text: str) -> list[str]:
    """The codes of HPO that a text names, in one spelling, whether there are such terms or not."""
    return [f"HP:{digits}" for digits in _CODE.findall(text)]


def without_codes(text: str) -> str:
    """The text without the codes, and the brackets that held nothing else."""
    return re.sub(r"[(\[{<]\s*[)\]}>]", " ", _CODE.sub(" ", text))


@lru_cache(maxsize=2)
def exact_names(terminology: Terminology) -> ExactNames:
    """Those of a terminology, made once."""
    return ExactNames(terminology)
