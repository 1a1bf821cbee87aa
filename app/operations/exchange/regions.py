"""Regions that come along with a report, marked on the pictures that the project has of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.operations.annotate.regions import Marked, place_region
from app.text import counted
from extractors.model.errors import CasespanError

if TYPE_CHECKING:
    from app.formats.record import GivenRegion, Imported
    from app.store.act import Act
    from app.store.annotate.annotations import Annotation
    from app.store.reports.documents import StoredDocument


def take_regions(act: Act, stored: StoredDocument, annotator: str, record: Imported) -> list[str]:
    """Mark a record's regions as those of an annotator (name) who has none here; sentences on the others."""
    from app.store.annotate.annotations import read_annotations
    from app.store.annotate.annotators import ensure_annotator, kind_of
    from app.store.reports.figures import regions

    holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
    if regions(act.project, stored.uuid, holder):
        return [f"{annotator} has regions in {stored.key} already; they stay as they are."]
    own = read_annotations(act.project, stored.uuid, holder)
    reasons: dict[str, int] = {}
    for one in record.regions:
        marked = Marked(one.category, one.finding, one.note, _goes_with(one, own))
        try:
            place_region(act, annotator, (stored.key, one.figure, one.picture), one.box, marked)
        except CasespanError as error:
            reasons[str(error)] = reasons.get(str(error), 0) + 1
    return [
        f"{counted(number, 'region')} on pictures of {stored.key} not taken over: {reason}"
        for reason, number in reasons.items()
    ]


def _goes_with(region: GivenRegion, own: list[Annotation]) -> str | None:
    """The annotation (UUID) that the file's quote became, nearest to where the file has it."""
    if region.span is None:
        return None
    category, quote, place = region.span
    found = [one for one in own if (one.finding.category, one.finding.quote) == (category, quote)]
    start = place[0] if place else 0
    nearest = min(found, key=lambda one: abs((one.finding.start or 0) - start), default=None)
    return nearest.uuid if nearest else None
