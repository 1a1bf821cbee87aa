"""How near an answer comes to the diagnosis, without a judge: token F1, exact match, ORPHA code."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from app.studies.mmrarebench.nomenclature import Names, kin_of
from app.studies.mmrarebench.tracks import T1
from app.studies.results import Measure, Profile, Row, Settings

_ASCII = frozenset(string.punctuation)
_BEYOND = frozenset(("Pd", "Pi", "Pf"))
_ARTICLE = re.compile(r"\b(a|an|the)\b")
NO_CODE = "No item has a code."


def normalised(text: str, profile: Profile) -> str:
    """As SQuAD has it: lower case, punctuation deleted, articles gone, white space collapsed.

    Dashes and quotation marks outside ASCII stay as published (`paper`), and go in `strict`.
    """
    lower = text.lower()
    kept = "".join(
        letter
        for letter in lower
        if letter not in _ASCII and (profile == "paper" or unicodedata.category(letter) not in _BEYOND)
    )
    return " ".join(_ARTICLE.sub(" ", kept).split())


def token_f1(answer: str, gold: str, profile: Profile) -> float:
    """2PR/(P+R) of the tokens as multisets; 0 where nothing is in common, two empty texts among it."""
    tokens, wanted = normalised(answer, profile).split(), normalised(gold, profile).split()
    common = sum((Counter(tokens) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(tokens), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def first_line(answer: str) -> str:
    return next((line.strip() for line in answer.split("\n") if line.strip()), "")


def grade(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """What measures look at, of answers to T1; nothing of the others."""
    names = Names(row.item for row in rows if row.item.task == T1)
    return [_graded(row, names) if row.item.task == T1 else {} for row in rows]


def _graded(row: Row, names: Names) -> dict[str, Any]:
    answer = row.value if isinstance(row.value, str) else ""
    reference, profile = row.item.reference, row.profile
    gold = [str(reference.get("answer", "")), *map(str, reference.get("aliases", ()))]
    line = first_line(answer)
    given = normalised(answer, profile)
    found: dict[str, Any] = {
        "f1": max(token_f1(answer, one, profile) for one in gold),
        "f1_first_line": max(token_f1(line, one, profile) for one in gold),
        "exact": float(bool(given) and any(given == normalised(one, profile) for one in gold)),
        "orpha": None,
        "orpha_kin": None,
    }
    code = reference.get("code")
    if code:
        told = names.codes_in(line)
        found["orpha"] = float(code in told)
        kin = kin_of(code)
        found["orpha_kin"] = None if kin is None else float(code not in told and bool(told & kin))
    return found


def _measure(name: str, label: str, reason: str = "No answer counts towards it.") -> Measure:
    return Measure(name, label, lambda row: row.graded.get(name), tasks=(T1,), reason=reason)


MEASURES = (
    _measure("f1", "F1"),
    _measure("f1_first_line", "F1, first line"),
    _measure("exact", "Word for word"),
    _measure("orpha", "ORPHA code", NO_CODE),
    _measure(
        "orpha_kin",
        "Parent or child",
        f"{NO_CODE[:-1]} that Orphanet's nomenclature on this computer knows: casespan terminology import "
        "orphanet.",
    ),
)
