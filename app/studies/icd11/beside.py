"""What stands beside a self-report: the candidates as an answer ranks them, and which of them are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.studies.icd11.views import TOP
from app.studies.results import Item, Row
from app.studies.study import Beside
from extractors.terminology.icd11.tables import CITATION

_RIGHT = "✓"
_NOT_NAMED, _ON_NO_LIST = "not named", "on no list"


def beside(item: Item, row: Row | None, built: Mapping[str, Any], told: bool) -> Beside | None:
    """The ranked candidates, best first; where the truth may be seen it is ticked, and what was missed stands
    below. Without an answer the truth alone, and where that may not be seen how the items came about."""
    known = zip(item.reference["names"], item.reference["codes"], strict=False) if told else ()
    codes = {**dict(known), **{one["name"]: one["code"] for one in built.get("classes", ())}}
    value = row.value if row is not None and isinstance(row.value, dict) else None
    truths = item.reference["names"] if told else ()
    if value is None and not truths:
        return _funnel(built) if row is None else None
    scored = {one["name"]: one for one in (value or {}).get("scores", ())}
    names = list((value or {}).get("predicted", ()))
    likely = any(one["conditional"] is not None for one in scored.values())
    outside = set((value or {}).get("outside", ()))
    numbers = ("Score", "NLL", "Prior", "Tokens") if likely else ("Score",) if scored else ()
    heads = ("", "Disease", "Code", *numbers, *(("Right",) if told else ()))
    rows = [
        (
            str(place),
            name,
            _ON_NO_LIST if name in outside else codes.get(name, ""),
            *_numbers(scored.get(name), numbers),
            *((_RIGHT if name in truths else "",) if told else ()),
        )
        for place, name in enumerate(names, start=1)
    ]
    rows += [
        (
            "–",
            name,
            codes.get(name, ""),
            *("" for _ in numbers),
            f"{_RIGHT} {_NOT_NAMED}" if value else _RIGHT,
        )
        for name in truths
        if name not in names
    ]
    title = "Candidates, best first" if scored else "Diseases named" if value else "Right answer"
    return Beside(title, heads, rows, _source(built))


def _funnel(built: Mapping[str, Any]) -> Beside | None:
    """The steps of the build with what each lost, rows of diagnoses first, then admissions."""
    rows = []
    for step in built.get("funnel", ()):
        lost = "; ".join(f"{gone:,} {reason}" for reason, gone in step["lost"].items())
        rows.append((step["step"], lost, f"{step['kept']:,}"))
    return Beside("How the items came about", ("Step", "Lost", "Kept"), rows) if rows else None


def _numbers(one: Mapping[str, Any] | None, heads: Sequence[str]) -> tuple[str, ...]:
    keys = {"Score": "score", "NLL": "conditional", "Prior": "prior"}
    if one is None:
        return tuple("" for _ in heads)
    told = [f"{one[keys[head]]:.3f}" if head in keys else str(one["tokens"]) for head in heads]
    return tuple(told if one.get("exact") in (None, True) or not told else [f"{told[0]} inexact", *told[1:]])


def short(value: Any) -> str:  # noqa: ANN401 (a JSON value)
    """The names of an answer, of a ranking the first."""
    names = value["predicted"][: TOP if value.get("scores") else None]
    return "; ".join(names) or "No name was given."


def _source(built: Mapping[str, Any]) -> str:
    return CITATION.format(release=built["release"]) if built.get("release") else ""
