"""What stands in the place of a disagreement where there is none to show."""

from __future__ import annotations

from typing import Literal

from app.gui.modes.reconcile.queue.work import Work
from app.text import counted

Step = Literal["", "build", "import", "look"]


def standing_words(work: Work) -> tuple[str, Step]:
    """What to say instead of showing a disagreement ("" where one is shown), and the next step to offer."""
    offer, queue = work.offer_of_sides, work.queue
    if offer is None:
        return "Reading who has annotated…", ""
    if len(offer.holders) < 2:
        return (
            "Here two sets of annotations are reconciled: each disagreement is decided, one by one, towards "
            "a gold set. It takes two who have annotated the same reports; "
            f"{_there(len(offer.holders))}. Import another set, annotate under another name, or let rules or "
            "a model extract; all three are in the menu Project.",
            "import",
        )
    if work.unseen:
        return (
            f"In {counted(len(work.unseen), 'report')} you have not seen what others "
            "marked. Reconciling shows it in all of them, and Casespan records that you "
            "have seen it. Annotate first what you want to annotate unseen.",
            "look",
        )
    if queue is None:
        return work.refusal or "Reading where both sides differ…", ""
    if not queue.differences:
        where = f"{counted(queue.agreed, 'span')} in {counted(queue.reports, 'report')}"
        words = f"{queue.left.name} and {queue.right.name} agree on all {where}; there is nothing to decide."
        return words, "build"
    if work.current is not None:
        return "", ""
    if not work.cursor.queue_places:
        return "No difference matches the filters; choose others at the left.", ""
    if work.counts["open"]:
        return "Everything that is shown is decided; choose other filters at the left to go on.", ""
    if work.counts["asked"]:
        asked = f"{work.decided:,} decided, {work.counts['asked']:,} to be asked again"
        return f"{asked}; choose other filters at the left to come to them.", ""
    return f"All {counted(len(queue.differences), 'difference')} have been decided on.", "build"


def _there(number: int) -> str:
    return "one is there" if number else "nobody has annotated any yet"
