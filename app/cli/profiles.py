"""Terms and profiles as commands show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.operations.profile.profile import RELATIVE
from app.tables import Column, Table
from app.text import shortened

if TYPE_CHECKING:
    from app.operations.profile.profile import Profile, Suggestion
    from app.store.annotate.annotations import Annotation
    from extractors.model.coding import Coding

_WIDTH = 60


def terms_table(suggestions: Sequence[Suggestion]) -> Table[str]:
    """What a run suggests, and what was said of it."""
    columns = tuple(Column(title, kind="words") for title in ("Code", "Term", "Said", "Status", "Quote"))
    rows = [
        (one.coding.code, one.coding.label, _polarity(one.annotation), one.status, _quote(one.annotation))
        for one in suggestions
    ]
    return Table(columns, tuple(rows))


def profile_table(profile: Profile) -> Table[str]:
    """What counts in a profile."""
    columns = tuple(Column(title, kind="words") for title in ("Code", "Term", "Said", "Onset", "ID", "Quote"))
    rows = [
        (term.coding.code, term.coding.label, _polarity(one), term.coding.onset, one.uuid, _quote(one))
        for term in (*profile.terms, *profile.relatives)
        for one in term.spans
    ]
    return Table(columns, tuple(rows))


def profile_json(profile: Profile) -> dict[str, Any]:
    """The codes that count, and whose profile it is."""
    return {
        "annotator": profile.annotator,
        "releases": list(profile.releases),
        "present": list(profile.present),
        "excluded": list(profile.excluded),
        "uncertain": list(profile.uncertain),
    }


def term_json(one: Annotation, coding: Coding, status: str) -> dict[str, Any]:
    """One annotation of a term."""
    finding = one.finding
    return {
        "id": one.uuid,
        "hpo_id": coding.code,
        "label": coding.label,
        "quote": finding.quote if finding.start is not None else None,
        "start": finding.start,
        "end": finding.end,
        "polarity": _polarity(one),
        "onset": coding.onset or None,
        "origin": one.origin,
        "status": status,
    }


def _quote(one: Annotation) -> str:
    return shortened(one.finding.quote, _WIDTH) if one.finding.start is not None else ""


def _polarity(one: Annotation) -> str:
    """Present, negated or uncertain of the patient; of a relative just that."""
    return RELATIVE if one.finding.field == RELATIVE else one.finding.polarity
