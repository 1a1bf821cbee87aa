"""Whether what a quote says of a thing, stated, doubted or denied, is said of the same thing in the place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from extractors.grounding.align import Alignment
from extractors.text.clauses import Clause, clauses, essentials, is_border, segments, sentence_at, statements
from extractors.text.negation import LISTING, REACH, doubled, doubting, may_negate, members, negating, targets
from extractors.text.terms import CLAUSE, SENTENCE, Terms, group
from extractors.text.words import ESSENTIAL, Grammar, Kind, Words

_OTHER = "The quote says of one thing what the text says of another"
_NEAR = 5


def check_claims(found: Alignment, words: Words) -> str:
    """Why the quote joins a subject and a predicate, or a thing and a site, that the text does not, or ""."""
    text, grammar = found.text, words.grammar
    if len(segments(text, found.first, found.last + 1, grammar)) < 2:
        return _check_turned(found, grammar)
    low, high = sentence_at(text, found.first, found.last)
    told = [clause for clause in clauses(text, low, high, grammar) if clause.verb < clause.end]
    parts = statements(found.quote, grammar)
    placed = [sorted(found.matched[q] for q in one if q in found.matched) for one in parts]
    placed = [one for one in _with_subject(found, placed, told) if one]
    everywhere = sorted({p for one in placed for p in one})
    if not everywhere:
        return ""
    if _word_for_word(found):
        return _check_bare(text, everywhere, told) or _check_ends(text, [everywhere], told, words)
    return (
        _check_clauses(text, placed, told)
        or _check_bare(text, everywhere, told)
        or _check_ends(text, placed, told, words)
        or _check_sites(text, placed, segments(text, low, high, grammar), grammar)
        or _check_shared(found, parts, grammar)
        or _check_turned(found, grammar)
    )


def _word_for_word(found: Alignment) -> bool:
    """Whether the place has the quote's words of weight in their order and no others."""
    return not found.moved and not any(found.text.kinds[p] in ESSENTIAL for p in found.free())


def _with_subject(found: Alignment, placed: list[list[int]], told: list[Clause]) -> list[list[int]]:
    """Statements with what stands before "with" joined to each, where it only names whom they are about."""
    subject, *others = placed or [[]]
    subjects = {place for clause in told for place in range(clause.start, clause.verb)}
    named = subject and all(
        place in subjects and group(found.text.forms[place]) != "@sex" for place in subject
    )
    if named and others and found.quote.words.count("with") == 1:
        return [[*subject, *one] for one in others]
    return placed


def _check_clauses(text: Terms, placed: list[list[int]], told: list[Clause]) -> str:
    """Why a statement that takes words from several clauses is not said in each of them."""
    for one in placed:
        touched = [clause for clause in told if any(clause.start <= p < clause.end for p in one)]
        if any(_tells(text, clause, one) for clause in touched):
            continue
        predicates = {text.forms[p] for clause in touched for p in one if clause.verb <= p < clause.end}
        for clause in touched if len(touched) > 1 else ():
            if not predicates or not predicates <= set(text.forms[clause.start : clause.end]):
                return f"{_OTHER} ({_list(text, one)})."
    return ""


def _check_bare(text: Terms, everywhere: list[int], told: list[Clause]) -> str:
    """Why a quote may not take from a clause its subject alone, beside words of another clause."""
    names = {text.forms[p] for clause in told for p in everywhere if clause.verb <= p < clause.end}
    touched = [clause for clause in told if any(clause.start <= p < clause.end for p in everywhere)]
    for clause in touched if len(touched) > 1 else ():
        own = {text.forms[p] for p in essentials(text, range(clause.verb, clause.end))}
        if own and not own & names:
            subject = [p for p in everywhere if clause.start <= p < clause.verb]
            return f"The quote leaves out what the text says of {_list(text, subject)}."
    return ""


def _tells(text: Terms, clause: Clause, places: list[int]) -> bool:
    return {text.forms[p] for p in places} <= set(text.forms[clause.start : clause.end])


def _list(text: Terms, places: list[int]) -> str:
    return ", ".join(f'"{text.words[place]}"' for place in places[:5])


def _check_ends(text: Terms, placed: list[list[int]], told: list[Clause], words: Words) -> str:
    """Why an adjective at the end of its own statement is not the next word's: "low" of "low, potassium"."""
    for one in placed:
        if any(_tells(text, clause, one) and not clause.start <= one[0] < clause.end for clause in told):
            continue
        for before, after in pairwise(one):
            borders = (p for p in range(before + 1, after + 1) if is_border(text, p, words.grammar))
            border = next(borders, None)
            if border is None or not _ends(text, range(before + 1, border), words.grammar):
                continue
            owner = _owner(text, before, words)
            if owner is not None and owner not in one and _new_subject(text, border, after, words.grammar):
                return f'{_OTHER} ("{text.words[before]}" of "{text.words[owner]}").'
    return ""


def _ends(text: Terms, behind: range, grammar: Grammar) -> bool:
    """Whether nothing of weight and no verb stands between an adjective and the border behind it."""
    return not essentials(text, behind) and all(text.words[p] not in grammar.verbs for p in behind)


def _owner(text: Terms, place: int, words: Words) -> int | None:
    """What an adjective behind its noun speaks of: liver of "liver enlarged" and of "liver was enlarged"."""
    linked = False
    closed = words.grammar.prepositions | words.grammar.determiners
    for before in range(place - 1, max(-1, place - 1 - _NEAR), -1):
        if text.breaks[before + 1] >= CLAUSE or text.words[before] in closed:
            return None
        linked = linked or text.words[before] in words.be
        if text.kinds[before] in (Kind.CONTENT, Kind.NUMBER) and (linked or before == place - 1):
            adjective = text.kinds[place] == Kind.CONTRAST or words.grammar.is_adjective(text.words[place])
            return before if linked or adjective else None
    return None


def _new_subject(text: Terms, border: int, place: int, grammar: Grammar) -> bool:
    """Whether what stands behind a border is a noun with something said of it."""
    if any(text.words[p] in grammar.prepositions for p in range(border, place)):
        return False
    if text.words[border] in grammar.determiners:
        return True
    after = place + 1
    while after < len(text) and not is_border(text, after, grammar):
        if text.kinds[after] in ESSENTIAL or text.words[after] in grammar.verbs:
            return True
        after += 1
    return False


@dataclass(frozen=True, slots=True)
class _Sited:
    """A stretch that puts a thing at a site: "ulcers" and "mouth" of "ulcers in the mouth"."""

    head: frozenset[str]
    site: frozenset[str]
    places: frozenset[int]
    of: bool


def _sited(text: Terms, part: range, grammar: Grammar) -> _Sited | None:
    at = [place for place in part if text.words[place] in grammar.sites]
    if not at:
        return None
    following = [place for place in part if place > at[0] and text.words[place] in grammar.prepositions]
    head = essentials(text, range(part.start, at[0]))
    site = essentials(text, range(at[0] + 1, following[0] if following else part.stop))
    if not head or not site:
        return None
    forms = frozenset(text.forms[p] for p in head), frozenset(text.forms[p] for p in site)
    return _Sited(*forms, frozenset(site), text.words[at[0]] == "of")


def _check_sites(text: Terms, placed: list[list[int]], parts: list[range], grammar: Grammar) -> str:
    """Why a thing has another's site: "ulcers on the face" of "rash on the face and ulcers in the mouth"."""
    split = [sited for part in parts if (sited := _sited(text, part, grammar)) is not None]
    everywhere = {text.forms[p] for one in placed for p in one}
    for one in placed:
        forms = {text.forms[p] for p in one}
        for before, after in pairwise(split):
            at_first = not before.places.isdisjoint(one) and after.head & forms and not after.site & forms
            at_second = not after.places.isdisjoint(one) and not after.of and not after.head & everywhere
            if at_first or (at_second and before.head & everywhere and not before.site & forms):
                return f"{_OTHER} ({_list(text, one)})."
    return ""


def _check_shared(found: Alignment, parts: list[list[int]], grammar: Grammar) -> str:
    """Why a thing does not share the site of the next: "pain and ulcers in the mouth" of "ulcers in the mouth
    and pain in the legs"."""
    quote, text, sites = found.quote.words, found.text, grammar.sites - {"of", "for"}
    for one, other in pairwise(parts):
        first, second = ([found.matched[q] for q in part if q in found.matched] for part in (one, other))
        shared = not sites.isdisjoint(quote[other[0] : other[-1]])
        listed = not LISTING.isdisjoint(quote[one[-1] + 1 : other[0]])
        behind = max(first, default=len(text)) + 1
        if shared and listed and behind + 1 < len(text) and max(second, default=behind) < min(first):
            # "On exertion" and "at night" are no sites.
            sited = text.words[behind] == "in" or text.words[behind + 1] in grammar.determiners
            if sited and text.words[behind] in sites:
                return f"{_OTHER} ({_list(text, first)})."
    return ""


def _check_turned(found: Alignment, grammar: Grammar) -> str:
    """Why the two sides of a word such as "preceded" or "after" have changed places."""
    quote, text = found.quote, found.text
    for at, word in enumerate(quote.words):
        if word not in grammar.directed:
            continue
        there = [p for p in range(found.first, found.last + 1) if text.words[p] == word]
        left = max((q for q in found.matched if q < at and quote.kinds[q] == Kind.CONTENT), default=None)
        right = min((q for q in found.matched if q > at and quote.kinds[q] == Kind.CONTENT), default=None)
        if left is None or right is None or len(there) != 1:
            continue
        if found.matched[right] < there[0] < found.matched[left]:
            return f'What stands before and after "{word}" has changed places.'
    return ""


def _sentence_around(found: Alignment) -> tuple[int, int]:
    """The place with up to two terms on either side, within its sentence (last one excluded)."""
    low, high, breaks = found.first, found.last, found.text.breaks
    while low > max(0, found.first - 2) and breaks[low] != SENTENCE:
        low -= 1
    while high + 1 < min(len(breaks), found.last + 3) and breaks[high + 1] != SENTENCE:
        high += 1
    return low, high + 1


def check_negation(found: Alignment, words: Words) -> str:
    """A sentence saying what one side denies and the other does not, or "" where they agree."""
    quote, text, matched = found.quote, found.text, found.matched
    back = {p: q for q, p in matched.items()}
    for cue in (q for q, kind in enumerate(quote.kinds) if kind == Kind.NEGATION):
        joined = [q for q in targets(quote, cue, words) if q in matched]
        listed = [q for q in members(quote, cue, words) if q in matched]
        if (
            any(negating(text, matched[q], words) is None for q in joined)
            or any(not may_negate(text, matched[q], words) for q in listed)
            or (not joined and cue not in found.pairs)
        ):
            return f'The quote negates ("{quote.words[cue]}") what the place does not.'
    around = range(max(0, found.first - REACH), min(len(text), found.last + 5))
    for cue in (p for p in around if text.kinds[p] == Kind.NEGATION):
        joined = [p for p in targets(text, cue, words) if p in back]
        listed = [p for p in members(text, cue, words) if p in back]
        if any(negating(quote, back[p], words) is None for p in joined) or any(
            not may_negate(quote, back[p], words) for p in listed
        ):
            return f'The place negates ("{text.words[cue]}") what the quote does not.'
    if doubled(quote, 0, len(quote)) != doubled(text, *_sentence_around(found)):
        return "One side negates twice what the other negates once."
    return _check_reach(found, words) or _check_turn(found, words)


def _check_turn(found: Alignment, words: Words) -> str:
    """Why a list under a negation may not be a contrast on the other side: "no A or B" for "no A but B"."""
    quote, text = found.quote, found.text
    contrary = words.grammar.contrary
    if contrary.isdisjoint(quote.words) and contrary.isdisjoint(text.words[found.first : found.last + 1]):
        return ""
    order = [q for q in sorted(found.matched) if quote.kinds[q] in (Kind.CONTENT, Kind.CONTRAST)]
    for before, after in pairwise(order):
        ours = range(before + 1, after)
        low, high = sorted((found.matched[before], found.matched[after]))
        theirs = range(low + 1, high)
        if _turns(quote, ours, words) == _turns(text, theirs, words):
            continue
        if negating(quote, before, words) is None or negating(text, found.matched[before], words) is None:
            continue
        if _lists(quote, ours, words) or _lists(text, theirs, words):
            return "One side negates a list of what the other sets against each other (but)."
    return ""


def _turns(terms: Terms, between: range, words: Words) -> bool:
    return any(terms.words[place] in words.grammar.contrary for place in between)


def _lists(terms: Terms, between: range, words: Words) -> bool:
    """Whether two terms are members of one list: only "or", "and" or a comma between them."""
    joined = terms.breaks[between.stop] >= CLAUSE or any(terms.words[p] in LISTING for p in between)
    return joined and not any(terms.words[place] in words.stops for place in between)


def _check_reach(found: Alignment, words: Words) -> str:
    """Whether the whole place stands in the reach of a negation that the quote leaves out."""
    if Kind.NEGATION in found.quote.kinds:
        return ""
    content = [p for q, p in found.matched.items() if found.quote.kinds[q] in (Kind.CONTENT, Kind.CONTRAST)]
    cues = [negating(found.text, p, words) for p in content]
    if cues and all(cue is not None for cue in cues):
        return f'The text negates this place ("{found.text.words[cues[0] or 0]}"), the quote does not.'
    return ""


def check_doubt(found: Alignment, words: Words) -> str:
    """A sentence saying which side calls only possible what the other states, or "" where they agree."""
    quote, text, matched = found.quote, found.text, found.matched
    ours = {q: doubting(quote, q, words) for q in matched}
    theirs = {q: doubting(text, p, words) for q, p in matched.items()}
    for at, kind in enumerate(quote.kinds):
        agreed = any(ours[q] == at and theirs[q] is not None for q in matched)
        if kind == Kind.UNCERTAIN and at not in matched and not agreed:
            return f'The quote doubts ("{quote.words[at]}") what the place states.'
    taken = matched.values()
    for q, cue in theirs.items():
        agreed = any(theirs[other] == cue and ours[other] is not None for other in matched)
        if cue is not None and cue not in taken and text.kinds[matched[q]] >= Kind.CONTENT and not agreed:
            return f'The place doubts ("{text.words[cue]}") what the quote states.'
    return ""


def with_cue(found: Alignment, words: Words) -> Alignment:
    """The place with the negation or doubt around it that the quote repeats, so that it says the same."""
    reaching = [
        reach
        for kind, reach in ((Kind.NEGATION, negating), (Kind.UNCERTAIN, doubting))
        if kind in found.quote.kinds
    ]
    content = [p for q, p in found.matched.items() if found.quote.kinds[q] == Kind.CONTENT]
    cues = (reach(found.text, p, words) for reach in reaching for p in content)
    ends = [found.first, found.last, *(cue for cue in cues if cue is not None)]
    return replace(found, first=min(ends), last=max(ends))
