"""What there is to read of a queue before one is in it: whose sets, and in which reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.gui.reconciling.spots import Spot, Walk
    from app.operations.adjudicating import SidesOffer
    from app.operations.reconciling import Queue


def differing(queue: Queue) -> list[str]:
    """The reports (keys) of the queue."""
    return [report.key for report in queue.compared if report.differences]


def first_sides(offer: SidesOffer) -> tuple[str, str]:
    """Those decided between last; else the two people, or others but the gold set, who looked at most."""
    if offer.last is not None:
        return offer.last
    wanted = [one for one in offer.holders if one.kind != "gold"]
    most = sorted(wanted, key=lambda one: (one.kind != "person", -one.reports))[:2]
    names = [one.name for one in offer.holders if one in most]
    return (names[0], names[1]) if len(names) == 2 else ("", "")


def turned_spot(walk: Walk, before: Queue, after: Queue) -> Spot | None:
    """The first difference on which another decision holds than before."""
    for spot in walk.spots:
        one = spot.difference.id
        if before.decisions.get(one) != after.decisions.get(one):
            return spot
    return None
