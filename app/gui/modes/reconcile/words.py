"""How the window says what kind of disagreement there is, what was decided on it, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from app.gui.widgets.guideline_text import day_of
from app.gui.widgets.plain import cut_in_middle, one_line, quoted
from app.operations.reconcile.preview import AlikeItem, concepts_in_words
from app.text import counted

if TYPE_CHECKING:
    from app.operations.reconcile.queue import Queue, State
    from app.reconcile.gold import Choice, Reason
    from app.reconcile.queue import ItemKind
    from app.reconcile.types import Difference, SideQuote
    from app.store.reconcile.decisions import Decision
    from extractors.model.finding import Finding
    from extractors.model.scheme import Scheme

SIGNS: Mapping[ItemKind, str] = {
    "pair": "≡",
    "missing": "∅",
    "boundary": "↔",
    "label": "≠",
    "polarity": "±",
    "concept": "#",
}
SHORT: Mapping[ItemKind, str] = {
    "pair": "Little in common",
    "missing": "One side only",
    "boundary": "Edges",
    "label": "Category",
    "polarity": "Polarity",
    "concept": "Concept",
}
MARKS: Mapping[State, str] = {"open": "○", "asked": "?", "decided": "✓"}
STATE_WORDS: Mapping[State, str] = {"open": "undecided", "asked": "to be asked again", "decided": "decided"}
REASON_WORDS: Mapping[Reason, str] = {
    "guideline-gap": "Guideline gap",
    "slip": "Slip",
    "ambiguous-text": "Ambiguous text",
    "model-error": "Model error",
    "preference": "Preference",
}
CONFIDENCES: tuple[tuple[str, float | None], ...] = (
    ("not stated", None),
    ("sure", 1.0),
    ("fairly sure", 0.7),
    ("unsure", 0.4),
)
_UNAVAILABLE: Mapping[Choice, str] = {
    "both": "The same words cannot be both present and negated.",
    "merged": "There is nothing to merge: it takes two sides with different places in the text.",
}
_QUOTE, _NAME = 60, 40
NOTHING = "nothing"
WAITING = "Saved once you decide: reason, note and clause. Until then they last while the project is open."


def why_not(choice: Choice) -> str:
    return _UNAVAILABLE.get(choice, "This cannot be chosen here.")


def likeness_words(item: AlikeItem) -> str:
    """Wherein a difference is like the one decided."""
    if item.likeness == "cue":
        what = "negation" if item.difference.kind == "polarity" else "edge"
        return f"the same {what} {quoted(item.cue)}"
    return {
        "words": "the same words",
        "head": "the same last word",
        "habit": f"the same habit: {item.cue}",
        "labels": "the same pair of categories",
    }.get(item.likeness, item.cue)


def kind_words(difference: Difference, queue: Queue) -> str:
    """What kind of disagreement it is, as a heading."""
    if difference.kind == "missing":
        name = (queue.left if difference.left else queue.right).name
        return f"Only {cut_in_middle(name, _NAME)} has this"
    return {
        "concept": "The same span, another concept",
        "boundary": "The same category, other edges",
        "label": "The same place, other categories",
        "polarity": "The same place, another polarity",
    }.get(difference.kind, difference.kind)


def chosen_words(choice: str, queue: Queue) -> str:
    """What was decided, in the middle of a sentence."""
    return {
        "left": f"for {queue.left.name}",
        "right": f"for {queue.right.name}",
        "both": "for both",
        "merged": "to merge both",
        "edited": "for another span",
        "neither": "for neither: nothing here",
        "ask": "to ask again",
    }.get(choice, choice)


def quotes_in_short(
    findings: Iterable[Finding],
    kind: str,
    codes: Mapping[str, str],
    others: Iterable[Finding] = (),
    *,
    whole: bool = False,
) -> str:
    """The quotes on one line, each cut in its middle unless `whole`; "nothing" where there is none.

    With category (`codes` by id) and polarity where the kind of the difference or what `others` say turns on
    them.
    """
    quotes = list(findings)
    every = [*quotes, *others]
    coded = kind == "label" or len({one.category for one in every}) > 1
    polar = kind == "polarity" or any(one.polarity != "present" for one in every)
    parts = []
    for one in quotes:
        quote = quoted(one_line(one.quote) if whole else cut_in_middle(one.quote, _QUOTE))
        code = codes.get(one.category, one.category) if coded else ""
        parts.append(" ".join(filter(None, [code, one.polarity if polar else "", quote])))
    return ", ".join(parts) or NOTHING


def codes_of(scheme: Scheme) -> dict[str, str]:
    return {one.id: one.code for one in scheme.categories}


def about(finding: Finding, scheme: Scheme) -> str:
    """Category, field, polarity and how the quote was found, where it is not simply there."""
    parts = [scheme.category(finding.category).name, finding.field]
    parts += [finding.polarity] if finding.polarity != "present" else []
    if finding.start is None:
        parts.append("no place in the text")
    elif finding.grounding != "exact":
        parts.append(f"place found by {finding.grounding} match")
    return " · ".join(filter(None, parts))


def decided_words(decision: Decision, queue: Queue, codes: Mapping[str, str]) -> str:
    """Who decided what, when and why, in sentences."""
    words = f"{decision.decided_by or 'Somebody'} decided {chosen_words(decision.choice, queue)}"
    words += f" on {day_of(decision.decided_at)}." if decision.decided_at else "."
    why = [reason_words(decision.reason_code), quoted(one_line(decision.note)) if decision.note else ""]
    because = ", ".join(filter(None, why))
    return " ".join(filter(None, [words, _now(decision, queue, codes), because]))


def _now(decision: Decision, queue: Queue, codes: Mapping[str, str]) -> str:
    """What holds since."""
    if decision.choice == "ask":
        return ""
    if decision.choice == "edited" and not decision.findings:
        return "Now: decided with the first of the pair."
    about = queue.differences.get(decision.difference)
    before = [quote.finding for quote in about.group.quotes] if about is not None else []
    return f"Now: {quotes_in_short(decision.findings, decision.kind, codes, before)}."


def reason_words(code: str) -> str:
    """A reason code in words; one that is not known as it is."""
    return next((words for reason, words in REASON_WORDS.items() if reason == code), code)


def kind_in_short(kind: str) -> str:
    """A kind of difference in a word or two."""
    return next((words for known, words in SHORT.items() if known == kind), kind)


def progress_words(decided: int, asked: int, differences: int) -> str:
    """How much of the queue is decided, and how much a question."""
    if asked:
        return f"{decided:,} of {differences:,} decided, {asked:,} to ask again"
    return f"{decided:,} of {counted(differences, 'difference')} decided"


def waiting_words(number: int) -> str:
    """That reasons, notes or clauses were given where nothing is decided yet."""
    where = counted(number, "undecided difference")
    return f"What was noted on {where} is kept for the decision until the project is closed."


def outdated_words(queue: Queue) -> str:
    """How many decisions hold no more, "" for none."""
    number = len(queue.outdated)
    if not number:
        return ""
    return f"{counted(number, 'decision')} no longer {'applies' if number == 1 else 'apply'}"


def caveats_on(queue: Queue) -> list[str]:
    """What must be known of the sides and of what they cannot be compared in, as sentences."""
    parts = [f"{caveat.rstrip('.')}." for caveat in queue.caveats]
    for name, number in ((queue.left.name, queue.only_left), (queue.right.name, queue.only_right)):
        if number:
            parts.append(f"{counted(number, 'report')} only {name} has annotated.")
    return parts


def spoken(difference: Difference, queue: Queue, codes: Mapping[str, str]) -> str:
    """A difference as a screen reader says it, in full."""
    left, right = sides_in_short(difference, codes, whole=True)
    heading = kind_words(difference, queue)
    return f"{heading}. {queue.left.name}: {left}. {queue.right.name}: {right}."


def sides_in_short(
    difference: Difference, codes: Mapping[str, str], *, whole: bool = False
) -> tuple[str, str]:
    """What the left and the right side say, each on one line."""
    left, right = difference.left, difference.right
    return (
        side_in_short(left, difference.kind, codes, right, whole=whole),
        side_in_short(right, difference.kind, codes, left, whole=whole),
    )


def side_in_short(
    quotes: Iterable[SideQuote],
    kind: ItemKind,
    codes: Mapping[str, str],
    others: Iterable[SideQuote],
    *,
    whole: bool = False,
) -> str:
    """What a side says on one line, as `quotes_in_short`; what it stands for where the kind turns on that."""
    here = list(quotes)
    coded = f"{concepts_in_words(here)}: " if kind == "concept" else ""
    findings, beside = ([quote.finding for quote in side] for side in (here, others))
    return coded + quotes_in_short(findings, kind, codes, beside, whole=whole)
