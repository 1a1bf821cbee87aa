"""A finding's phrase out of its clause: a noun with what describes it, a subject with what is told of it."""

from __future__ import annotations

from itertools import pairwise

from extractors.rules.assertion import BE
from extractors.rules.borders import (
    COUNTING,
    DETERMINERS,
    FINITE,
    FRAME,
    LAB,
    LINKS,
    LONGEST_VERB,
    NEGATIONS,
    PLACES,
    PLACING,
    SITES,
    STOPS,
    SUBORDINATING,
    TEST,
    TIMES,
    TREATING,
    TURN,
    TURNING,
    Cut,
    has,
    says_wrong,
)
from extractors.rules.clauses import MEMBERS, Clause
from extractors.rules.lexicon import CUE, FINDING, ORGAN_BITS
from extractors.rules.reading import Reading

Span = tuple[int, int]

_REPORTING, _OCCURRING, _COPULA = CUE["reporting"], CUE["occurring"], CUE["copula"]
# What a result is told with, and says nothing of it.
_CIRCUMSTANCES = frozenset(
    "since after before during until when while because although by using following".split()
)
_LEADING = MEMBERS - NEGATIONS | {"found", "observed", "noted", "noticed"}
# "Six years | ago".
_COUNTED = frozenset({"ago", "after", "before", "prior", "later", "earlier"})
_EMPTY = STOPS | SITES | LINKS | FRAME | TEST | PLACES
_OPERATION, _PERSON = CUE["surgical"], CUE["person"]
_SAYING = FINITE | CUE["normal"] | CUE["negated"] | CUE["result"]


def parted(reading: Reading, span: Span, bit: int) -> list[Span]:
    """The span, cut where time, cause or a clause of its own parts what says more of the category.

    "drowsy | for two days with fits", "fits | that followed pain".
    """
    marks = [i for i in range(*span) if (reading.strong[i] | reading.weak[i]) & bit]
    cut, cuts = Cut(reading, *span), [span[0]]
    for mark, following in pairwise(marks):
        at = next((i for i in range(mark + 1, following) if cut.turns_away(i, following)), -1)
        if at >= 0:
            cuts.append(at)
    return list(pairwise([*cuts, span[1]]))


def phrase(reading: Reading, clause: Clause, span: Span, bit: int) -> Span | None:
    """The phrase that says something of the category `bit` in a span of a clause, None where none does."""
    cut = finding(reading, clause, span, bit)
    if reading.cues[cut[1] - 1] & _OCCURRING and not has(reading, FINITE, *cut):
        # "inflammation observed"
        cut = cut[0], max(cut[0] + 1, cut[1] - 1)
    if not _has_finding(reading, cut):
        cut = with_head(reading, clause, cut)
    if not says(reading, cut):
        cut = of_list(reading, span, cut)
    if _is_operation(reading, cut):
        return None
    return _closed_up(reading, cut) if says(reading, cut) else None


def _closed_up(reading: Reading, span: Span) -> Span:
    """The span without what only leads to it or on from it: "and | tremor of the hands with | the", "anuria |
    were", "nephritis | 6 years (ago)"."""
    first, last = span
    while first < last - 1 and reading.words[first] in _LEADING:
        first += 1
    timed = not _COUNTED.isdisjoint(reading.words[last : last + 1])
    dangling = DETERMINERS | BE | (TIMES | COUNTING if timed else frozenset())
    while first < last - 1 and (
        reading.cues[last - 1] & (SITES | LINKS | STOPS)
        or reading.words[last - 1] in dangling
        or (timed and reading.words[last - 1].isdigit())
    ):
        last -= 1
    return first, last


def _is_operation(reading: Reading, span: Span) -> bool:
    """Whether the tokens name an operation and no finding: "subtotal thyroidectomy"."""
    return has(reading, _OPERATION, *span) and not any(says_wrong(reading, i) for i in range(*span))


def _has_finding(reading: Reading, span: Span) -> bool:
    return bool(reading.masks(*span)[0] & FINDING)


def finding(reading: Reading, clause: Clause, span: Span, bit: int) -> Span:
    """The tokens of `span`, in the clause, that say what speaks for the category `bit`."""
    marks = [i for i in range(*span) if (reading.strong[i] | reading.weak[i]) & bit]
    if not marks:
        return span
    first, last = marks[0], marks[-1]
    cut = Cut(reading, max(clause.first, span[0]), span[1])
    if reading.words[span[0]] in NEGATIONS and not any(
        reading.cues[i] & FINITE for i in range(span[0], first)
    ):
        # "no cough, rash and joint pain": the negation governs the list.
        return span[0], cut.right(last)
    verb = next((i for i in range(first + 1, span[1]) if reading.cues[i] & FINITE), -1)
    if verb < 0 or not SUBORDINATING.isdisjoint(reading.words[first + 1 : verb]):
        return _with_auxiliary(reading, cut.left(first), clause), cut.right(last)
    told = [mark for mark in marks if mark > verb]
    if reading.cues[verb] & _REPORTING and told:
        return Cut(reading, verb + 1, span[1]).left(told[0]), cut.right(last)
    if not told:
        # The members of a subject share what is said of them.
        organs = (i for i in range(cut.low, first) if (reading.strong[i] | reading.weak[i]) & ORGAN_BITS)
        first = cut.left(next(organs, first))
        joined = first - 1 > cut.low and reading.words[first - 1] == "and" and reading.words[first - 2]
        if joined and not has(reading, FINITE, cut.low, first):
            first = cut.left(first - 2)
        alone = first, cut.sited(last)
        # "Rash was noted", but "the spleen was palpable".
        if _occurs(reading, verb, cut.high) and says(reading, (alone[0], cut.right(last))):
            return alone
        if not reading.cues[verb] & _COPULA and any(reading.strong[mark] & FINDING for mark in marks):
            return first, cut.right(last)
        return first, max(cut.right(last), cut.predicate(verb))
    if told[0] < verb + 4 and _occurs(reading, verb, cut.high):
        return cut.left(first), cut.right(last)
    return cut.left(first), cut.told(verb, last)


def result(reading: Reading, clause: Clause) -> Span:
    """The clause's tokens that tell a result: without whom it was found in, and without what was done then.

    "He was found to have | anaemia with haemoglobin of 8 g/dl | for which he received iron".
    """
    marked = [i for i in range(clause.first, clause.last) if reading.strong[i] | reading.weak[i]]
    if not marked:
        return clause.first, clause.last
    first, last = clause.first, clause.last
    if clause.first < clause.verb < marked[0] and has(reading, _PERSON, clause.first, clause.verb):
        first = Cut(reading, clause.verb + 1, clause.last).left(marked[0])
    elif marked[0] < clause.verb:
        # "One year later, | an MRI of the brain showed ...".
        first = next((i + 1 for i in range(marked[0] - 1, first, -1) if reading.signs[i] == ","), first)
    behind = next((i for i in range(marked[-1] + 1, last) if reading.cues[i] & TREATING), last)
    if behind < last:
        turns = (
            i for i in range(behind - 1, max(marked[-1], behind - TURN), -1) if reading.cues[i] & TURNING
        )
        turn = next(turns, behind)
        if not reading.cues[turn - 1] & LINKS:
            last = turn  # but "pathology of the resection specimen"
    elif not has(reading, _SAYING, marked[-1] + 1, last):
        told = max((i for i in range(marked[-1], last) if reading.words[i][:1].isdigit()), default=marked[-1])
        last = next((i for i in range(told + 1, last) if reading.words[i] in _CIRCUMSTANCES), last)
    return _closed_up(reading, (first, max(last, marked[-1] + 1)))


def _occurs(reading: Reading, verb: int, high: int) -> bool:
    """Whether a predicate says only that something was there: "was noted", "occurred"."""
    for at in range(verb, min(high, verb + 4)):
        if reading.cues[at] & _OCCURRING:
            return True
        if at > verb and not reading.cues[at] & FINITE and reading.words[at] not in ("also", "first", "then"):
            return False
    return False


def _with_auxiliary(reading: Reading, start: int, clause: Clause) -> int:
    """A negated verb keeps what it is negated by: could not walk."""
    if reading.words[start] == "not" and start > clause.first and reading.cues[start - 1] & FINITE:
        return start - 1
    return start


def says(reading: Reading, span: Span) -> bool:
    """Whether the tokens say something, rather than name an organ, a place or a test."""
    for index in range(*span):
        cues, marks = reading.cues[index], reading.strong[index]
        if marks & FINDING or cues & (FINITE | CUE["sign"]):
            return True
        empty = cues & _EMPTY or marks & LAB or not reading.words[index]
        if not empty and not reading.words[index].isdigit():
            return True
    return False


def with_head(reading: Reading, clause: Clause, span: Span) -> Span:
    """The place that `span` names with what is there, if anything: "bleeding in the kidney"."""
    at = span[0] - 1
    while at > clause.first and reading.cues[at] & FRAME and not reading.cues[at] & FINITE:
        at -= 1
    if at <= clause.first or reading.words[at] not in PLACING or not reading.words[at - 1]:
        return span
    predicate = (
        clause.first < clause.verb < at <= clause.verb + LONGEST_VERB
        and reading.words[clause.verb - 1] != "there"
    )
    is_said = reading.cues[clause.verb] & (_COPULA | _REPORTING) == _COPULA
    is_said = is_said and not reading.cues[at - 1] & CUE["sign"]
    if predicate and (reading.cues[at - 1] & _OCCURRING or is_said):
        # "A nodule (1 cm) was palpable in the thyroid": what is there is the subject.
        head = clause.verb - 1
        if reading.signs[head] == ")":
            opened = (i for i in range(head, clause.first, -1) if reading.signs[i] == "(")
            head = next(opened, head + 1) - 1
        return (Cut(reading, clause.first, at).left(head), span[1])
    if reading.cues[at - 1] & (FINITE | STOPS | CUE["treatment"] | CUE["surgical"]):
        return span
    return (Cut(reading, clause.first, at).left(at - 1), span[1])


def of_list(reading: Reading, widest: Span, span: Span) -> Span:
    """A member of a list with what the list is of: "bleeding in the kidney, liver and spleen"."""
    start = max((i + 1 for i in range(*widest) if reading.cues[i] & FINITE), default=widest[0])
    if start >= span[0] or reading.cues[start] & _OCCURRING:
        return span
    if PLACING.isdisjoint(reading.words[start : span[0]]):
        return span
    while start < span[0] and reading.cues[start] & FRAME:
        start += 1
    return start, span[1]
