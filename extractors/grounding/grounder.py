"""A quote to its place in a text: exact, normalised, fuzzy, or the reason why not."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from extractors.grounding.align import align, span_of, windows
from extractors.grounding.brackets import bridged
from extractors.grounding.choice import Places, SectionMap, Span, TextIndex, Turns
from extractors.grounding.claims import with_cue
from extractors.grounding.judge import Verdict, judge
from extractors.model.document import Section
from extractors.model.finding import PLACED, Grounding, GroundingStatus
from extractors.text.persons import relatives_of
from extractors.text.repair import repair
from extractors.text.terms import SENTENCE, Terms, read_terms
from extractors.text.tokens import tokenise
from extractors.text.words import Kind

_ELLIPSIS = re.compile(r"\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…|\. \. \.")
# What models put around quotes: the number of a list, Markdown.
_MARKS = re.compile(r"^\s*(?:\(?\d{1,2}[.)](?=\s+[\"'“*(]*[A-Z])|[-*•](?=\s))\s+|\*\*|__|`")
_OPENING = re.compile(r"[\w<>≤≥+\-−±(\[]")
_CLOSING = re.compile(r"[\w%°+)\]]")
_LABEL = re.compile(r"^\W*([^:.;,]{2,40}):\s+(?=\S)")
# What may lead over from a sentence to its last phrase, and how many characters that has.
_LEADING_OVER = re.compile(
    r"\b(?:after|at|before|by|despite|during|following|for|from|in|on|since|under|until|upon|with)\b",
    re.IGNORECASE,
)
_LONGEST_END = 80
_CLAUSE_END = re.compile(r"[.;:!?](?!\S)|\n|,")
_TIMES = re.compile(r"\d+|\b(?:after|before|later|earlier|then|until|since|subsequently)\b")
_TYPOGRAPHY = "Same text but for case, white space or typography."
_MARKED = "Same text but for a number, marks or code that models put around it."
_BRACKETS = "The same but for what the text has in brackets."
_BRACKET_BEFORE = re.compile(r"[(\[][^()\[\]]*[)\]]\s*\Z")
# How many characters of a place may have been missed at each end.
_AROUND = 60
_LONGEST_JOIN = 1.6
_MOST_IN_VAIN = 8
_LESSER = 0.3
_LABEL_REACH = 40


class Grounder:
    """Finds the places of quotes in one text; prepares the text once and remembers what it found.

    Offsets are code points of `text`. `sections` of the same text help to choose between good places.
    """

    def __init__(self, text: str, sections: Sequence[Section] = ()) -> None:
        self._text = text
        self._repaired = repair(text)
        self._index = TextIndex(self._repaired.text)
        self._sections = SectionMap(self._repaired.sections(sections))
        self._found: dict[str, Grounding] = {}
        self._word_for_word: dict[str, Grounding | None] = {}
        self._ranked: dict[str, Places] = {}
        self._headings: dict[str, frozenset[str]] = {}

    def ground(self, quote: str, near: int | None = None) -> Grounding:
        """The place of one quote.

        Of several equally good ones the first in a section that tells the case, or the closest to `near`.
        """
        given, quote = quote, repair(quote).text
        found = self._look_up(quote)
        if found.places:
            places = self._places(quote, found)
            near = near if near is None else self._repaired.forth(near, near)[0]
            found = self._choose(found, places.best() if near is None else places.closest(near))
        return self._as_it_came(found, given)

    def ground_all(self, quotes: Sequence[str], shown: Sequence[Span] = ()) -> list[Grounding]:
        """The places of one annotator's quotes within one category, in the order in which they were listed.

        A quote that comes again takes another place if there is one. Of several equally good places the one
        behind the quote before it is taken, first in the same section. Where only parts of the text were
        `shown`, places within them go before others.
        """
        shown = [self._repaired.forth(*span) for span in shown]
        results: list[Grounding] = []
        used: dict[Span, int] = {}
        turns: dict[str, Turns] = {}
        before = 0
        for given in quotes:
            quote = repair(given).text
            found = self._look_up(quote)
            if found.places:
                if quote not in turns:
                    turns[quote] = Turns(self._shown(quote, found, shown), used)
                section = self._sections.at(before)
                found = self._choose(found, turns[quote].next(before, section.start if section else 0))
            if found.start is not None and found.end is not None:
                used[found.start, found.end] = used.get((found.start, found.end), 0) + 1
                before = found.start
            results.append(self._as_it_came(found, given))
        return results

    def _as_it_came(self, found: Grounding, quote: str) -> Grounding:
        """The same with places in the text that was given; exact is only what that says to the letter."""
        back = self._repaired.back
        start, end = (None, None) if found.start is None else back(found.start, found.end or 0)
        if found.status == "exact" and self._text[start:end] != quote:
            found = replace(found, status="normalised", reason="Same text but for a wrong decoding.")
        if not self._repaired.garbled:
            return found
        return replace(
            found,
            start=start,
            end=end,
            places=tuple(back(*place) for place in found.places),
            candidate=found.candidate and back(*found.candidate),
        )

    @staticmethod
    def _choose(found: Grounding, place: Span) -> Grounding:
        return replace(found, start=place[0], end=place[1])

    def _shown(self, quote: str, found: Grounding, shown: Sequence[Span]) -> Places:
        """The places within what was shown, if that tells some from others."""
        within = [
            place
            for place in found.places
            if any(start <= place[0] and place[1] <= end for start, end in shown)
        ]
        if not within or len(within) == len(found.places):
            return self._places(quote, found)
        return Places(within, self._index, self._sections)

    def _places(self, quote: str, found: Grounding) -> Places:
        if quote not in self._ranked:
            self._ranked[quote] = Places(found.places, self._index, self._sections)
        return self._ranked[quote]

    def _look_up(self, quote: str) -> Grounding:
        if quote not in self._found:
            self._found[quote] = self._place(quote)
        return self._found[quote]

    def _place(self, quote: str, *, marked: bool = False) -> Grounding:
        if not quote.strip():
            return Grounding("ungrounded", None, None, 0.0, "The quote is empty.")
        found = self._verbatim(quote)
        if found is not None:
            return found
        found = self._joined(quote) or self._fuzzy(quote)
        if found.status not in PLACED:
            plain = _MARKS.sub("", html.unescape(quote))
            if plain != quote and not marked:
                found = self._place(plain, marked=True)
                return (
                    replace(found, status="normalised", reason=_MARKED) if found.status == "exact" else found
                )
            return (
                self._without_label(quote)
                or self._with_its_end_first(quote)
                or self._without_brackets(quote, found.candidate)
                or found
            )
        return found

    def _verbatim(self, quote: str) -> Grounding | None:
        if quote not in self._word_for_word:
            self._word_for_word[quote] = self._search(quote)
        return self._word_for_word[quote]

    def _search(self, quote: str) -> Grounding | None:
        """Exact between tokens, else normalised, else exact within a word."""
        index = self._index
        places = index.find_exact(quote)
        if places:
            return _placed("exact", places, 100.0, "")
        for form in dict.fromkeys((quote.strip(), _bare(quote))):
            places = [
                place
                for place in index.find_normalised(tokenise(form).key)
                if not self._beheaded(form, place)
            ]
            if places:
                return _placed("normalised", places, 100.0, _TYPOGRAPHY)
        places = index.find_inside(quote)
        return _placed("exact", places, 100.0, "") if places else None

    def _beheaded(self, quote: str, place: Span) -> bool:
        """Whether a quote begins a sentence where the text has a negation: "Fever" from "No fever"."""
        own_beginning = quote[:1].isupper() and not self._index.text[place[0]].isupper()
        return own_beginning and self._index.negated_before(place[0])

    def _joined(self, quote: str) -> Grounding | None:
        """A quote with an ellipsis: its parts, word for word and in order, and all that lies between them."""
        parts = [part.strip() for part in _ELLIPSIS.split(quote) if re.search(r"\w", part)]
        if len(parts) < 2 and not (parts and _ELLIPSIS.search(quote)):
            return None
        spans: list[Span] = []
        for part in parts:
            found = self._verbatim(part)
            places = _places_of(found)
            later = bisect_left(places, (spans[-1][1],)) if spans else 0
            if later == len(places):
                return None
            spans.append(places[later])
        span = (spans[0][0], spans[-1][1])
        own = sum(end - start for start, end in spans)
        if span[1] - span[0] > _LONGEST_JOIN * own + 40:
            reason = (
                "The parts of the quote stand word for word in the text, but too far apart for one place."
            )
            return Grounding(
                "ungrounded", None, None, 100.0 * own / (span[1] - span[0]), reason, candidate=span
            )
        return _placed(
            "fuzzy", [span], 100.0 * own / (span[1] - span[0]), "The place covers both sides of the ellipsis."
        )

    def _fuzzy(self, quote: str) -> Grounding:
        index = self._index
        terms = read_terms(tokenise(quote), index.words)
        forms = [
            index.respelled(form) if kind == Kind.CONTENT else form
            for form, kind in zip(terms.forms, terms.kinds, strict=True)
        ]
        judged: list[tuple[Verdict, Span]] = []
        least = 0.0
        for tried, window in enumerate(windows(index, terms, forms)):
            if window.weight < least or (not least and tried >= _MOST_IN_VAIN):
                break
            found = align(index, terms, forms, window)
            if found is None:
                continue
            verdict = judge(found, index.words)
            judged.append((verdict, span_of(with_cue(found, index.words), index.text)))
            if verdict.status == "fuzzy":
                least = max(least, window.weight - _LESSER)
        if not judged:
            return Grounding(
                "ungrounded", None, None, 0.0, "The text has none of the quote's words of weight."
            )
        accepted = [(verdict, span) for verdict, span in judged if verdict.status == "fuzzy"]
        if accepted:
            best, _ = max(accepted, key=lambda one: (one[0].score, -one[1][0]))
            spans = sorted({span for verdict, span in accepted if verdict.score >= best.score - 0.01})
            return _placed("fuzzy", spans, best.score, best.reason)
        best, span = max(judged, key=lambda one: (one[0].status == "conflict", one[0].score, -one[1][0]))
        return Grounding(best.status, None, None, best.score, best.reason, candidate=span)

    def _without_label(self, quote: str) -> Grounding | None:
        """The place of "label: quote" where the label only names the kind of finding or stands nearby."""
        label = _LABEL.match(quote)
        if label is None:
            return None
        rest = quote[label.end() :]
        found = self._verbatim(rest) or self._fuzzy(rest)
        terms = read_terms(tokenise(label.group(1)), self._index.words)
        fitting = [place for place in _places_of(found) if self._fits(terms, place)]
        if not fitting:
            return None
        reason = f'Without the label "{label.group(1).strip()}", which the text does not have there.'
        return _placed("fuzzy", fitting, min(found.score, 90.0), reason)

    def _with_its_end_first(self, quote: str) -> Grounding | None:
        """The place of a quote whose end opens the text's sentence: "fell on day 3", "On day 3, he fell"."""
        for link in _LEADING_OVER.finditer(quote, max(0, len(quote) - _LONGEST_END)):
            end = _bare(quote[link.start() :])
            known = self._verbatim(end) if link.start() else None
            openings = {start for start, last in _places_of(known) if self._opens_a_sentence(start, last)}
            if not openings:
                continue
            turned = f"{end}, {quote[: link.start()]}"
            found = self._verbatim(turned) or self._fuzzy(turned)
            places = [
                place
                for place in _places_of(found)
                if place[0] in openings and not self._says_another_time(turned, *place)
            ]
            if places:
                return _placed("fuzzy", places, found.score, "The same, but with the end of the quote first.")
        return None

    def _without_brackets(self, quote: str, near: Span | None) -> Grounding | None:
        """The place of a quote around `near` that leaves out brackets of the text."""
        if near is None:
            return None
        text, bare = self._index.text, _bare(quote)
        begin = text.rfind(" ", 0, max(0, near[0] - _AROUND)) + 1
        end = text.find(" ", near[1] + _AROUND)
        place = bridged(bare, text[begin : end if end >= 0 else len(text)], self._index.words)
        if place is None:
            return None
        span = begin + place[0], begin + place[1]
        before = _BRACKET_BEFORE.search(text, max(0, span[0] - _AROUND), span[0])
        if any(map(self._index.negated_before, (span[0], before.start() if before else 0))):
            return None
        return _placed("fuzzy", [span], min(100.0, 100.0 * len(bare) / (span[1] - span[0])), _BRACKETS)

    def _says_another_time(self, turned: str, start: int, end: int) -> bool:
        """Whether a place, or what goes on behind it, has a number, a word of time or a comma that the quote
        lacks."""
        text = self._index.text
        behind = _CLAUSE_END.search(text, end)
        place = text[start : behind.start() if behind else len(text)]
        more = set(_TIMES.findall(place.lower())) - set(_TIMES.findall(turned.lower()))
        return bool(more) or place.count(",") > turned.count(",")

    def _opens_a_sentence(self, start: int, end: int) -> bool:
        terms, first = self._index.terms, self._index.term_at(start)
        begins = first == 0 or terms.breaks[first] == SENTENCE
        return begins and self._index.text.startswith(",", end)

    def _fits(self, label: Terms, place: Span) -> bool:
        """Whether every word of weight in a label stands shortly before the place or in its heading.

        A place that tells something of a relative is none for a label that does not.
        """
        if any(kind > Kind.UNIT for kind in label.kinds):
            return False
        persons, last = self._index.words.persons, self._index.term_at(place[1]) - 1
        if persons.kin.isdisjoint(label.words) and relatives_of(self._index.terms, last, persons):
            return False
        needed = {form for form, kind in zip(label.forms, label.kinds, strict=True) if kind == Kind.CONTENT}
        return needed <= self._index.words.labels or needed <= self._before(place)

    def _before(self, place: Span) -> set[str]:
        """Canonical forms in the heading over a place and shortly before it in its sentence.

        A number ends what a label before it can speak of.
        """
        terms = self._index.terms
        at = self._index.term_at(place[0])
        near: set[str] = set()
        least = max(0, at - _LABEL_REACH)
        while at > least and terms.breaks[at] != SENTENCE and terms.kinds[at - 1] != Kind.NUMBER:
            at -= 1
            near.add(terms.forms[at])
        section = self._sections.at(place[0])
        return near | self._heading_forms(section.heading) if section else near

    def _heading_forms(self, heading: str) -> frozenset[str]:
        if heading not in self._headings:
            self._headings[heading] = frozenset(read_terms(tokenise(heading), self._index.words).forms)
        return self._headings[heading]


def _places_of(found: Grounding | None) -> Sequence[Span]:
    """All places of what was found, () where it has none."""
    if found is None or found.start is None or found.end is None:
        return ()
    return found.places or ((found.start, found.end),)


def _bare(quote: str) -> str:
    """A quote without the white space, quotation marks and stops around it."""
    opening = _OPENING.search(quote)
    if opening is None:
        return ""
    end = len(quote)
    while end > opening.start() and not _CLOSING.match(quote, end - 1):
        end -= 1
    return quote[opening.start() : end]


def _placed(status: GroundingStatus, places: list[Span], score: float, reason: str) -> Grounding:
    start, end = places[0]
    return Grounding(status, start, end, score, reason, tuple(places) if len(places) > 1 else ())
