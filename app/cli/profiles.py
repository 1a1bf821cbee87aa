"""Terms and profiles as commands show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.operations.profile.profile import RELATIVE, RULES, Profile, Suggestion
from app.tables import Column, Table
from app.text import shortened
from extractors.model.coding import Coding
from extractors.terminology.exact import codes_in

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation

_WIDTH = 60


def terms_table(
    suggestions: Sequence[Suggestion], unnamed: Sequence[tuple[str, Annotation]] = ()
) -> Table[str]:
    """What a run suggests, and what was said of it; below that what stands for no term, as it was called."""
    columns = tuple(Column(title, kind="words") for title in ("Code", "Term", "Said", "Status", "Quote"))
    rows: list[tuple[str, ...]] = [
        (one.coding.code, one.coding.label, _polarity(one.annotation), one.status, _quote(one.annotation))
        for one in suggestions
    ]
    rows += [("", name, _polarity(one), "", _quote(one)) for name, one in unnamed]
    return Table(columns, tuple(rows))


def profile_table(profile: Profile) -> Table[str]:
    """What counts in a profile."""
    columns = tuple(Column(title, kind="words") for title in ("Code", "Term", "Said", "Onset", "ID", "Quote"))
    rows = [
        (
            term.coding.code,
            term.coding.label,
            _polarity(one),
            term.coding_of(one).onset,
            one.uuid,
            _quote(one),
        )
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


def term_json(one: Annotation, coding: Coding, status: str, run: str = "") -> dict[str, Any]:
    """One annotation of a term, as `run` suggests it where it is nobody's own."""
    finding = one.finding
    return {
        "id": one.uuid,
        "hpo_id": coding.code,
        "label": coding.label,
        "quote": finding.quote if finding.start is not None or one.origin == "model" else None,
        "start": finding.start,
        "end": finding.end,
        "polarity": _polarity(one),
        "onset": coding.onset or None,
        "origin": "rules" if run == RULES and one.origin == "model" else one.origin,
        "status": status,
    }


def unnamed_json(one: Annotation, name: str) -> dict[str, Any]:
    """One that stands for no term: the code and name that a model gave it, if any."""
    named = Coding("", "", next(iter(codes_in(name)), ""), name, "", "")
    return {**term_json(one, named, "suggested"), "hpo_id": named.code or None, "known": False}


def _quote(one: Annotation) -> str:
    words = shortened(one.finding.quote, _WIDTH)
    if one.finding.start is not None:
        return words
    return f"{words} (no place)" if one.origin == "model" else ""


def _polarity(one: Annotation) -> str:
    """Present, negated or uncertain of the patient; of a relative just that."""
    return RELATIVE if one.finding.field == RELATIVE else one.finding.polarity
