"""Every pair of several annotators, and what each of them marked, as parts of a page and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agreement.compare import OVERLAP
from app.agreement.every_pair import PairScores, direction, one_sided, pair_measures
from app.agreement.measures import Measure
from app.agreement.page import render
from app.agreement.reasons import footnote
from app.agreement.shares import AnnotatedShares
from app.agreement.types import Profile


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair; `values` are (score, footnote number or "")."""

    pair: PairScores
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PairTable:
    """One profile's pairs with the footnotes of their dashes."""

    profile: Profile
    measures: tuple[Measure, ...]
    rows: tuple[PairRow, ...]
    notes: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One category: per annotator percent, "found / looked at", and words."""

    label: str
    values: tuple[tuple[str, str, str], ...]


def pair_table(pairs: Sequence[PairScores]) -> PairTable:
    """A profile's pairs as a table; there is at least one."""
    profile, notes = pairs[0].profile, list[str]()
    measures = pair_measures(profile)
    rows = tuple(
        PairRow(
            pair,
            tuple((m.text(pair.score(m.key)), footnote(pair.reason(m.key), notes)) for m in measures),
        )
        for pair in pairs
    )
    said = [sentence for pair in pairs for sentence in one_sided(pair)]
    return PairTable(profile, measures, rows, tuple(notes), " ".join([direction(profile), *said]))


def share_rows(shares: Sequence[AnnotatedShares], names: Mapping[str, str]) -> tuple[ShareRow, ...]:
    """What each annotator marked, a category a row, all of a report last."""
    categories = list(shares[0].categories) if shares else []
    rows = []
    for category in categories:
        found = [one.categories[category] for one in shares]
        values = tuple(
            (_decimal(one.share), f"{one.found} / {one.looked_at}", _decimal(one.words)) for one in found
        )
        rows.append(ShareRow(names.get(category, category), values))
    whole = tuple(("", str(one.reports), _decimal(one.words)) for one in shares)
    return (*rows, ShareRow("All categories", whole))


def pairs_html(
    pairs: Sequence[Sequence[PairScores]],
    shares: Sequence[AnnotatedShares],
    names: Mapping[str, str],
    remarks: Sequence[str] = (),
) -> str:
    """A page of its own: `pairs` are those of one profile each; everything given by others is escaped."""
    tables = [pair_table(found) for found in pairs if found]
    return render(
        "every_pair.html.j2",
        tables=tables,
        measures=tuple(dict.fromkeys(measure for table in tables for measure in table.measures)),
        shares=shares,
        share_rows=share_rows(shares, names),
        remarks=remarks,
        overlap=OVERLAP,
        palette=(),
    )


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
