"""Every pair of several annotators and what each of them marked: JSON, CSV, a terminal, a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.agreement.compare import OVERLAP, PairScores, direction, one_sided, pair_measures
from app.agreement.output.tables import measure_column, notes_of, scales
from app.agreement.shares import AnnotatedShares
from app.tables import Cell, Column, Table, numbered, records, render, text_lines, wrapped
from app.text import shortened

_WIDTH = 100
_NAME_WIDTH = 24


def pairs_json(
    pairs: Sequence[PairScores], shares: Sequence[AnnotatedShares], words: Sequence[str] = ()
) -> dict[str, Any]:
    """Plain values: scores on the scales of `tables.to_json`, shares in percent; `said` are caveats."""
    return {
        "profile": pairs[0].profile if pairs else None,
        "overlap": OVERLAP,
        "remarks": list(words),
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
        "reasons": {m.key: given for m in measures if (given := pair.reason(m.key))},
    }


def shares_json(one: AnnotatedShares) -> dict[str, Any]:
    """One annotator's shares in percent and mean annotated words, as plain values."""
    return {
        "reports": one.reports,
        "words": one.words,
        "categories": {
            row.pop("category"): {key: row[key] for key in ("looked_at", "found", "share", "words")}
            for row in records(shares_data([one]))[:-1]
        },
    }


def pairs_data(pairs: Sequence[PairScores], words: Sequence[str] = ()) -> Table[object]:
    """A row for each pair, for CSV; `said` are caveats."""
    measures = pair_measures(pairs[0].profile) if pairs else ()
    rows = []
    for pair in pairs:
        reasons = dict.fromkeys(filter(None, (pair.reason(m.key) for m in measures)))
        counts = (pair.documents, pair.left_only, pair.right_only, pair.average.n if pair.average else 0)
        scores = (pair.score(m.key) for m in measures)
        rows.append(
            (pair.left, pair.right, pair.profile, *counts, *scores, " ".join(reasons), " ".join(words))
        )
    known = ("documents", "left_only", "right_only", "n")
    keys = (measure.key for measure in measures)
    return Table(("left", "right", "profile", *known, *keys, "reasons", "remarks"), tuple(rows))


def shares_data(shares: Sequence[AnnotatedShares]) -> Table[object]:
    """A row for each annotator and category, for CSV; the row of all categories is last."""
    rows: list[tuple[object, ...]] = []
    for one in shares:
        rows += [
            (one.name, category, found.looked_at, found.found, found.share, found.words)
            for category, found in one.categories.items()
        ]
        rows.append((one.name, "all", one.reports, None, None, one.words))
    return Table(("annotator", "category", "looked_at", "found", "share", "words"), tuple(rows))


def pairs_scores(pairs: Sequence[PairScores]) -> Table[object]:
    """A profile's pairs, of which there is at least one."""
    profile = pairs[0].profile
    measures = pair_measures(profile)
    parts = [sentence for pair in pairs for sentence in one_sided(pair)]
    about = "Averages over the categories. Pairs: of report and category, annotated by both."
    return Table(
        columns=(
            Column("Left", kind="words", width=_NAME_WIDTH),
            Column("Right", kind="words", width=_NAME_WIDTH),
            Column("Reports"),
            Column("Pairs", "n", places=("html",)),
            *(measure_column(measure, profile) for measure in measures),
        ),
        rows=tuple(
            (
                pair.left,
                pair.right,
                pair.documents,
                pair.average.n if pair.average else 0,
                *(Cell(pair.score(one.key), pair.reason(one.key)) for one in measures),
            )
            for pair in pairs
        ),
        title=f"Every pair in the {profile} profile",
        notes=(direction(profile), *parts, about),
    )


def shares_table(shares: Sequence[AnnotatedShares], names: Mapping[str, str]) -> Table[object]:
    """What each annotator marked, a category a row, all of a report last."""
    rows: list[tuple[object, ...]] = []
    for category in shares[0].categories if shares else ():
        cells: list[object] = [names.get(category, category)]
        for one in shares:
            found = one.categories[category]
            cells += [found.share, f"{found.found} / {found.looked_at}", found.words]
        rows.append(tuple(cells))
    rows.append(("All categories", *(value for one in shares for value in ("", one.reports, one.words))))
    return Table(
        columns=(
            Column("Category", kind="words"),
            *(
                Column(title, decimals=1, over=one.name)
                for one in shares
                for title in ("Share, %", "Reports", "Words")
            ),
        ),
        rows=tuple(rows),
        title="What each annotator marked",
        notes=(
            "Share: of the reports that the annotator annotated in the category, those with at least one "
            "quote. Reports: their numbers. Words: mean annotated words of the reports with a quote, in the "
            "last row of all reports annotated; words of quotes that overlap count for each of them.",
        ),
        kinds={len(rows) - 1: "total"},
    )


def pairs_table(
    pairs: Sequence[PairScores], shares: Sequence[AnnotatedShares], words: Sequence[str] = ()
) -> str:
    """Both as aligned tables for a terminal, with what they rest on below; `said` are caveats."""
    profile = pairs[0].profile
    measures, notes = pair_measures(profile), list[str]()
    text = f"{direction(profile)} Averages over categories. {scales(measures)} {notes_of(measures, OVERLAP)}"
    lines = [f"Every pair of {len(shares)} annotators, profile {profile}", *words, ""]
    lines += [*text_lines(pairs_scores(pairs), notes), "", *wrapped(text, width=_WIDTH), *numbered(notes)]
    lines += [sentence for pair in pairs for sentence in one_sided(pair)]
    return "\n".join([*lines, "", *_shares_lines(shares)]) + "\n"


def _shares_lines(shares: Sequence[AnnotatedShares]) -> list[str]:
    """Reports with at least one quote, in percent of those looked at, an annotator a column."""
    rows: list[tuple[object, ...]] = [
        (category, *(one.categories[category].share for one in shares))
        for category in (shares[0].categories if shares else ())
    ]
    rows.append(("Words per report", *(one.words for one in shares)))
    rows.append(("Reports", *(one.reports for one in shares)))
    names = (Column(one.name, heading=(shortened(one.name, _NAME_WIDTH),), decimals=1) for one in shares)
    note = (
        "Annotated: of the reports that an annotator annotated in a category, those with at least one quote."
    )
    return [*text_lines(Table(("Annotated, %", *names), tuple(rows))), "", *wrapped(note, width=_WIDTH)]


def pairs_html(
    pairs: Sequence[Sequence[PairScores]],
    shares: Sequence[AnnotatedShares],
    names: Mapping[str, str],
    caveats: Sequence[str] = (),
) -> str:
    """A page of its own: `pairs` are those of one profile each; everything given by others is escaped."""
    given = [found for found in pairs if found]
    return render(
        "every_pair.html.j2",
        tables=[pairs_scores(found) for found in given],
        measures=tuple(dict.fromkeys(one for found in given for one in pair_measures(found[0].profile))),
        annotators=[one.name for one in shares],
        shares=shares_table(shares, names),
        caveats=caveats,
        overlap=OVERLAP,
        palette=(),
    )
