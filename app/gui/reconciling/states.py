"""What stands in the place of a disagreement where there is none to show."""

from __future__ import annotations

from app.gui.reconciling.work import Work
from app.operations.wording import counted


def standing_words(work: Work) -> tuple[str, bool]:
    """What to say instead of showing a disagreement ("" where one is shown), and whether to build gold."""
    offer, queue = work.offer_of_sides, work.queue
    if offer is None:
        return "Reading who has annotated…", False
    if len(offer.holders) < 2:
        return (
            "Here two sets of annotations are reconciled: each disagreement is decided, one by one, towards "
            "a gold set. It takes two who have looked at the same reports; "
            f"{_there(len(offer.holders))}. Import another set (Ctrl+I), annotate under another name "
            "(Project, Annotate as…), or let rules or a model extract (Ctrl+E).",
            False,
        )
    if queue is None:
        return work.refusal or "Reading where both sides differ…", False
    if not queue.differences:
        where = f"{counted(queue.agreed, 'span')} in {counted(queue.reports, 'report')}"
        said = f"{queue.left.name} and {queue.right.name} agree on all {where}; there is nothing to decide."
        return said, True
    if work.current is not None:
        return "", False
    if not work.walk.spots:
        return "No difference matches the filters; choose others at the left.", False
    open_ones = sum(queue.state(one) == "open" for one in queue.differences)
    if open_ones:
        return "Everything that is shown is decided; choose other filters at the left to go on.", False
    asked = len(queue.differences) - work.decided
    rest = f"; {asked} of them are to be asked again" if asked else ""
    return f"All {counted(len(queue.differences), 'difference')} have been decided on{rest}.", True


def _there(number: int) -> str:
    return "one is there" if number else "nobody has looked at any yet"
