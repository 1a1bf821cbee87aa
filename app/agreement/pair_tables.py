"""Every pair of several annotators and what each of them marked, as JSON, as rows for CSV and as a table."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from app.agreement.compare import OVERLAP
from app.agreement.every_pair import PairScores, direction, one_sided, pair_measures
from app.agreement.measures import scales
from app.agreement.reasons import footnote
from app.agreement.shares import AnnotatedShares
from app.agreement.tables import stacked

_WIDTH = 100
_NAME_WIDTH = 24


def pairs_json(
    pairs: Sequence[PairScores], shares: Sequence[AnnotatedShares], said: Sequence[str] = ()
) -> dict[str, Any]:
    """Plain values: scores on the scales of `tables.to_json`, shares in percent; `said` are remarks."""
    return {
        "profile": pairs[0].profile if pairs else None,
        "overlap": OVERLAP,
        "remarks": list(said),
        "annotators": [one.name for one in shares],
        "pairs": [_plain(pair) for pair in pairs],
        "shares": {one.name: shares_json(one) for one in shares},
    }


def _plain(pair: PairScores) -> dict[str, Any]:
    measures = pair_measures(pair.profile)
    return {
        "left": pair.left,
        "right": pair.right,
        "documents": pair.documents,
        "left_only": pair.left_only,
        "right_only": pair.right_only,
        "n": pair.average.n if pair.average else 0,
        "average": {measure.key: pair.score(measure.key) for measure in measures},
        "reasons": {m.key: said for m in measures if (said := pair.reason(m.key))},
    }


def shares_json(one: AnnotatedShares) -> dict[str, Any]:
    """One annotator's shares in percent and mean annotated words, as plain values."""
    return {
        "reports": one.reports,
        "words": one.words,
        "categories": {
            category: {
                "looked_at": found.looked_at,
                "found": found.found,
                "share": found.share,
                "words": found.words,
            }
            for category, found in one.categories.items()
        },
    }


def pairs_rows(pairs: Sequence[PairScores], said: Sequence[str] = ()) -> list[list[object]]:
    """A header and a row for each pair, for CSV; `said` are remarks."""
    measures = pair_measures(pairs[0].profile) if pairs else ()
    counts = ("documents", "left_only", "right_only", "n")
    rows: list[list[object]] = [
        ["left", "right", "profile", *counts, *(m.key for m in measures), "reasons", "remarks"]
    ]
    for pair in pairs:
        reasons = dict.fromkeys(filter(None, (pair.reason(m.key) for m in measures)))
        rows.append(
            [pair.left, pair.right, pair.profile, pair.documents, pair.left_only, pair.right_only]
            + [pair.average.n if pair.average else 0]
            + [pair.score(m.key) for m in measures]
            + [" ".join(reasons), " ".join(said)]
        )
    return rows


def shares_rows(shares: Sequence[AnnotatedShares]) -> list[list[object]]:
    """A header and a row for each annotator and category, for CSV; the row of all categories is last."""
    rows: list[list[object]] = [["annotator", "category", "looked_at", "found", "share", "words"]]
    for one in shares:
        rows += [
            [one.name, category, found.looked_at, found.found, found.share, found.words]
            for category, found in one.categories.items()
        ]
        rows.append([one.name, "all", one.reports, None, None, one.words])
    return rows


def pairs_table(
    pairs: Sequence[PairScores], shares: Sequence[AnnotatedShares], said: Sequence[str] = ()
) -> str:
    """Both as aligned tables for a terminal, with what they rest on below; `said` are remarks."""
    profile = pairs[0].profile
    measures = pair_measures(profile)
    header = stacked([("Left",), ("Right",), ("Reports",), *(measure.heading for measure in measures)])
    notes: list[str] = []
    rows = []
    for pair in pairs:
        scores = [m.text(pair.score(m.key)) + _mark(pair.reason(m.key), notes) for m in measures]
        rows.append([_cut(pair.left), _cut(pair.right), str(pair.documents), *scores])
    lines = [f"Every pair of {len(shares)} annotators, profile {profile}", *said, ""]
    lines += _aligned(header, rows, 2)
    text = f"{direction(profile)} Averages over categories. {scales(OVERLAP)}"
    lines += ["", *textwrap.wrap(text, _WIDTH), *(f"[{n}] {note}" for n, note in enumerate(notes, 1))]
    lines += [sentence for pair in pairs for sentence in one_sided(pair)]
    return "\n".join([*lines, "", *_shares_lines(shares)]) + "\n"


def _shares_lines(shares: Sequence[AnnotatedShares]) -> list[str]:
    """Reports with at least one quote, in percent of those looked at, an annotator a column."""
    categories = list(shares[0].categories) if shares else []
    header = [("Annotated, %", *(_cut(one.name) for one in shares))]
    rows = [
        [category, *(_decimal(one.categories[category].share) for one in shares)] for category in categories
    ]
    rows.append(["Words per report", *(_decimal(one.words) for one in shares)])
    rows.append(["Reports", *(str(one.reports) for one in shares)])
    note = (
        "Annotated: of the reports that an annotator annotated in a category, those with at least one quote."
    )
    return [*_aligned(header, rows, 1), "", *textwrap.wrap(note, _WIDTH)]


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _aligned(header: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], words: int) -> list[str]:
    """Columns two apart, the first `words` of them to the left and numbers to the right."""
    widths = [max(len(row[place]) for row in (*header, *rows)) for place in range(len(header[0]))]

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if place < words else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    head = [line(row) for row in header]
    return [*head, "-" * len(head[-1]), *map(line, rows)]


def _mark(reason: str, notes: list[str]) -> str:
    number = footnote(reason, notes)
    return f"[{number}]" if number else ""


def _cut(name: str) -> str:
    return name if len(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1].rstrip() + "…"
