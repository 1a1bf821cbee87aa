"""What the mode says of diseases and of what they are ranked by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.modes.phenotypes.diseases import DiseaseRow
from app.text import counted
from extractors.differential.report import (
    FREQUENCIES,
    NO_FIT,
    codes_in_words,
    finding_in_words,
    label_of,
    left_out_in_words,
    order_in_words,
    parted,
    parting_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.operations.profile.differential import OpenDifferential
    from extractors.differential.explaining import Explanation
    from extractors.differential.index import Diseases
    from extractors.differential.ranking import Contribution

_NOTHING = "Nothing present counts yet, so there is no ranking: suggestions count once they are accepted."
_NO_PUBMED_ID = "No PubMed id: rows that cite the report may count"


def publication_words(found: OpenDifferential) -> str:
    """What became of annotations that cite the report itself."""
    if not found.publications:
        return _NO_PUBMED_ID
    return left_out_in_words(found.publications, found.ranking, found.options)


def nothing_words(found: OpenDifferential) -> str:
    """Why there is no ranking, or what must be known of it; "" for nothing."""
    words = codes_in_words(found.ranking)
    if found.diagnosis:
        at = f"rank {found.rank:,}" if found.rank else "not in the ranking"
        words.append(f"The report's diagnosis: {found.diagnosis}, {at}.")
    if not found.ranking.diseases:
        words.append(_NOTHING)
    elif not found.fits:
        words.append(NO_FIT)
    return " ".join(words)


def order_words(found: OpenDifferential) -> str:
    """By what the list is ordered; first of all where the evidence alone would order it otherwise."""
    before = "Not by evidence alone. " if parted(found.ranking) else ""
    return f"{before}{order_in_words(found.options)}" if found.ranking.diseases else ""


def disease_rows(found: OpenDifferential) -> list[DiseaseRow]:
    """The ranking as rows."""
    most = max((one.evidence for one in found.ranking.diseases), default=0.0) or 1.0
    return [
        DiseaseRow(
            one.rank,
            one.codes[0],
            one.name,
            one.evidence,
            one.evidence / most,
            _below(found.diseases, reason),
            reason_words(found, place),
            frozenset(each.code for each in reason.support),
        )
        for place, (one, reason) in enumerate(zip(found.ranking.diseases, found.reasons, strict=True))
    ]


def _below(diseases: Diseases, reason: Explanation) -> str:
    against = ", ".join(f"no {label_of(diseases, one.code)}" for one in reason.against)
    explained = len(reason.support)
    told = f"{explained} of {explained + len(reason.unexplained)} explained"
    return f"{told} · against: {against}" if against else told


def reason_words(found: OpenDifferential, place: int) -> str:
    """What speaks for a disease, against it, what it leaves unexplained and what to look for, in lines."""
    diseases, listed, reason = found.diseases, found.ranking.diseases, found.reasons[place]
    one = listed[place]
    lines = [f"{one.name} ({', '.join(one.codes)}), evidence {one.evidence:+.1f}"]
    for title, contributions in (
        ("For", reason.support),
        ("Against", reason.against),
        ("Unexplained", reason.unexplained),
    ):
        if contributions:
            lines.append(f"{title}: {_joined(diseases, contributions)}")
    if reason.next:
        other = listed[0 if place else 1].name
        lines.append(f"Look for, against {other}: {'; '.join(map(parting_in_words, reason.next))}")
        lines.append(FREQUENCIES)
    return "\n".join(lines)


def _joined(diseases: Diseases, contributions: Sequence[Contribution]) -> str:
    return "; ".join(finding_in_words(diseases, one) for one in contributions)


def side_by_side(found: OpenDifferential, left: int, right: int) -> list[tuple[str, str, str]]:
    """Every finding with what it says of two diseases of the list, what parts them most first."""
    one, other = (found.ranking.diseases[place] for place in (left, right))
    pairs = [(mine, theirs) for mine, theirs in zip(one.contributions, other.contributions, strict=True)]
    pairs.sort(key=lambda pair: -abs(pair[0].value - pair[1].value))
    rows = [
        (
            f"{'no ' if mine.polarity == 'negated' else ''}{label_of(found.diseases, mine.code)}",
            f"{mine.value:+.1f}",
            f"{theirs.value:+.1f}",
        )
        for mine, theirs in pairs
    ]
    total = (f"All {counted(len(rows), 'finding')}", f"{one.evidence:+.1f}", f"{other.evidence:+.1f}")
    return [*rows, total]
