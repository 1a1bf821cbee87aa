"""Where the right disease stands in an answer, and by what it was recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.studies.results import Item, Row, Settings
from extractors.differential.knowledge import shipped_naming, shipped_ranker
from extractors.differential.naming import Match, alike

T3, T4 = "t3", "t4"
RANKED = (T3, T4)
LISTED = 10
FAMILY, JUDGE, CORRECTION = "family", "judge", "correction"
# What a text was said to be or not to be by hand: by the text in small letters and the names wanted.
Learned = Mapping[tuple[str, tuple[str, ...]], bool]


def grade(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """The rank in each answer, None where the disease is not there; a list of names stops at ten.

    Names come first; where they find nothing, what the `judge` of the settings found counts.
    """
    learned: Learned = settings.get("learned") or {}
    judge = str(settings.get("judge") or "")
    return [_graded(row, learned, judge) if row.item.task in RANKED else {} for row in rows]


def names_in(value: Any) -> list[str]:  # noqa: ANN401 (an answer)
    """The diseases that an answer lists."""
    listed = value.get("ranking") if isinstance(value, dict) else value
    return [str(one) for one in listed][:LISTED] if isinstance(listed, list) else []


def learn(rows: Sequence[Row]) -> Learned:
    """What persons said of names: the line they chose is the disease, those before it (for 0 all) are not."""
    learned: dict[tuple[str, tuple[str, ...]], bool] = {}
    for row in rows:
        names = names_in(row.value) if row.item.task in RANKED else []
        for rater in sorted(set(row.ratings) - row.judges):
            rank = row.ratings[rater].get("rank")
            if rank is None:
                continue
            for place, name in enumerate(names[: rank or len(names)], 1):
                learned[_key(row, name)] = place == rank
    return learned


def _key(row: Row, text: str) -> tuple[str, tuple[str, ...]]:
    return text.casefold(), tuple(row.item.reference["names"])


def _graded(row: Row, learned: Learned, judge: str) -> dict[str, Any]:
    if isinstance(row.value, dict) and "rank" in row.value:
        scores = {name: row.value[name] for name in ("rank", "seen_rank") if name in row.value}
        code_rank = row.value.get("code_rank", scores["rank"])
        scores |= {"code_rank": code_rank, "stops": False}
        return {"scores": scores, "matched": _at(row, scores["rank"])}
    found = [
        (rank, text, _diagnosis_named(row, text, learned)) for rank, text in enumerate(names_in(row.value), 1)
    ]
    first = next(((rank, text, one) for rank, text, one in found if one), None)
    exact = next((rank for rank, _, one in found if one and one[1] != FAMILY), None)
    scores = {"rank": first and first[0], "code_rank": exact, "stops": True}
    if isinstance(row.value, dict):
        scores |= {name: row.value[name] for name in ("named", "neighbours_rank") if name in row.value}
    if first:
        return {"scores": scores, "matched": {"text": first[1], "code": first[2][0], "by": first[2][1]}}
    rank = row.ratings.get(judge, {}).get("rank")
    if rank and rank <= len(found) and _key(row, found[rank - 1][1]) not in learned:
        code = next(iter(row.item.reference["diagnoses"]), "")
        scores |= {"rank": rank, "code_rank": rank}
        return {"scores": scores, "matched": {"text": found[rank - 1][1], "code": code, "by": JUDGE}}
    return {"scores": scores, "matched": None}


def _at(row: Row, rank: int | None) -> dict[str, str] | None:
    """What a built-in method has at a rank, None beyond the lines that it gives."""
    names = names_in(row.value)
    if rank is None or rank > len(names):
        return None
    text = names[rank - 1]
    code, by = matched(row.item, text) or (next(iter(row.item.reference["diagnoses"]), ""), "code")
    return {"text": text, "code": code, "by": by}


def _diagnosis_named(row: Row, text: str, learned: Learned) -> tuple[str, str] | None:
    value = learned.get(_key(row, text))
    if value is None:
        return matched(row.item, text)
    return (next(iter(row.item.reference["diagnoses"]), ""), CORRECTION) if value else None


def matched(item: Item, text: str) -> tuple[str, str] | None:
    """The code that a text stands for, and by what; None where it is none of the diseases wanted."""
    codes, names = item.reference["diagnoses"], item.reference["names"]
    candidates = item.input.get("candidates", ())
    if any(text.casefold() == one.casefold() for one in candidates):
        right = any(text.casefold() == name.casefold() for name in names)
        return (next(iter(codes), ""), "name") if right else None
    diseases = shipped_ranker().diseases
    if wanted := tuple(diseases.numbers[code] for code in codes if code in diseases.numbers):
        found = _match(text, wanted)
        return (diseases.codes[found.disease][0], found.by) if found else None
    by = alike(text, names, candidates)
    return (next(iter(codes), ""), by) if by else None


# The same names come again and again, in answers and among neighbours.
@lru_cache(maxsize=100_000)
def _match(text: str, wanted: tuple[int, ...]) -> Match | None:
    return shipped_naming().match(text, wanted)
