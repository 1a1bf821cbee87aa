"""Reads one section: decides sentence by sentence which quotes go to which categories."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from extractors.model.document import Section
from extractors.model.finding import Polarity
from extractors.model.scheme import Grain
from extractors.rules import assertion, context, histories
from extractors.rules.clauses import Clause, clauses
from extractors.rules.collecting import Candidate, Collection, Span
from extractors.rules.fields import Values
from extractors.rules.lexicon import BIT, CATEGORIES, CUE, ORGAN_BITS, ORGANS, Lexicon, PhraseTable
from extractors.rules.lines import heading_end, labelled
from extractors.rules.phrases import Frames, anchored, quote_span, spans_of
from extractors.rules.reading import Reading, read
from extractors.rules.trimming import parted, phrase, result
from extractors.text.tables import CAPTION, CELL, LEGEND

# What ends a run of sentences on one image or specimen.
_ENDS_IMAGING = CUE["person"] | CUE["treatment"] | CUE["surgical"] | CUE["relative"]
# A specimen's skin and cells are told with the specimen.
_OF_TISSUE = frozenset({"DERM", "Vitals_Hema"})
_LAB, _BIRTH, _VITALS = BIT["Lab_Image"], BIT["Pregnancy"], BIT["Vitals_Hema"]
_DONE = frozenset(
    "performed carried done conducted obtained ordered requested sent collected taken planned scheduled"
    " refused repeated organised organized arranged undertaken".split()
)
# A test that was done, with nothing said of what it showed.
_PERFORMED = re.compile(
    r"\b(?:was|were|been)\s+(?:also\s+|then\s+|therefore\s+|\w+ly\s+)?"
    rf"(?:{'|'.join(sorted(_DONE))})\b[^.;]{{0,40}}$",
    re.IGNORECASE,
)
_ACTIVE = re.compile(
    r"\bwe\s+(?:also\s+|then\s+|therefore\s+|\w+ly\s+)?"
    rf"(?:{'|'.join(sorted(_DONE))}|used|checked|assessed|examined|evaluated|measured)\b[^.;]*$",
    re.IGNORECASE,
)
# A quote longer than this many characters says something, unless it begins like a reference.
_SHORT = 30
_REFERRING = ("fig", "tab", "sup")
# A history longer than this many tokens is given clause by clause.
_LONG_HISTORY = 45
# A quote longer than this many characters is a text without sentences, not a finding.
_LONGEST_QUOTE = 1500
# With one of these at its beginning a sentence goes on describing what the one before did.
_GOING_ON = frozenset({"they", "these", "those", "lesion", "it", "some"})
_WORD = re.compile(r"[^\W\d_]{3}")
_REFERENCE = re.compile(
    r"(?:(?:supplementary )?(?:fig(?:ure)?|table)s?\.?\s*\w{1,4}(?:\s*(?:and|,|-|–)\s*)?)+", re.IGNORECASE
)
# A heading that names at most this many categories restricts and boosts.
_NARROW = 4


@dataclass(frozen=True, slots=True)
class Tools:
    """What is loaded once and shared by all reports."""

    lexicon: Lexicon
    frames: Frames
    values: Values
    grains: dict[str, Grain]


class SectionReader:
    """Adds one section's quotes to a collection; `offset` is the section text's place in the document."""

    def __init__(self, tools: Tools, collection: Collection, section: Section | None, offset: int) -> None:
        self._tools = tools
        self._collection = collection
        self._offset = offset
        named = section.categories if section is not None and section.categories else CATEGORIES
        narrow = len(named) <= _NARROW
        organs = sum(BIT[c] for c in named if c in BIT) & ORGAN_BITS
        self._in_history = narrow and "History" in named
        self._allowed = organs if narrow and organs else ORGAN_BITS
        self._boosted = organs if narrow else 0
        # What an image or specimen shows runs on over sentences, and which one it is, by number; 0 for none.
        self._imaging = 0
        self._histology = False
        self._sentence_number = 0
        # All cues of the sentence that is read.
        self._cues = 0
        # The category whose description the sentence of that number ended.
        self._described = "", -1

    def read(self, text: str, spans: list[Span], local: PhraseTable) -> None:
        """Read the sentences at `spans`; `local` holds the report's own abbreviations."""
        reading = read(text, self._tools.lexicon, local)
        # Each character is looked at once, however long the line is.
        line = searched = counted = cells = 0
        for start, end in spans:
            broken = text.rfind("\n", searched, start) + 1
            if broken:
                line, counted, cells = broken, broken, 0
            cells += text.count(CELL, max(line, counted - len(CELL) + 1), end)
            searched, counted = start, end
            if CAPTION.match(text, line) or LEGEND.match(text, line) or cells > 1:
                continue
            start = heading_end(text, start, end, self._tools.lexicon)
            first = bisect_left(reading.starts, start)
            last = bisect_left(reading.starts, end)
            parts = labelled(reading, first, last)
            boosted = self._boosted
            for low, high in parts:
                self._sentence_number += 1
                # A label speaks for its organ, like a heading.
                self._boosted = boosted | (reading.weak[low] & ORGAN_BITS if len(parts) > 1 else 0)
                self._sentence(reading, low, high)
            self._boosted = boosted

    def _sentence(self, reading: Reading, first: int, last: int) -> None:
        parts = clauses(reading, first, last)
        cues = strong = 0
        for clause in parts:
            cues |= clause.cues
            strong |= clause.strong
        if context.is_literature(cues):
            return
        self._cues = cues
        if cues & CUE["own"] or self._in_history:
            self._collection.examined = False
        told = histories.is_history(cues, strong, self._in_history, self._collection.examined)
        self._collection.examined |= bool(strong & _LAB or cues & CUE["examination"]) and not told
        if told:
            self._history(reading, first, last, parts)
        self._follow_imaging(reading, parts, strong, cues, told)
        if self._describes_on(reading, first, last, strong):
            return
        relatives = False
        for clause in parts:
            # "Her sister had ataxia and died".
            goes_on = relatives and context.goes_on(reading, clause)
            relatives = context.is_relatives(reading, clause) or goes_on
            self._clause(reading, clause, relatives, (first, last))

    def _describes_on(self, reading: Reading, first: int, last: int, strong: int) -> bool:
        """Take a sentence that goes on describing what the one before did: "They were 2 mm wide"."""
        category, number = self._described
        if number != self._sentence_number - 1 or strong & (ORGAN_BITS & ~BIT.get(category, 0) | _LAB):
            return False
        if _GOING_ON.isdisjoint(reading.words[first : first + 3]):
            return False
        self._described = category, self._sentence_number
        whole = (first, last)
        self._add(reading, whole, whole, category, False, kind="goes on")
        return True

    def _follow_imaging(
        self, reading: Reading, parts: list[Clause], strong: int, cues: int, told: bool
    ) -> None:
        """Note whether the sentence names an image or specimen, or goes on telling what one shows."""
        if strong & _LAB and cues & CUE["imaging"]:
            self._imaging = self._sentence_number
            self._histology = bool(cues & CUE["histology"])
        elif told or cues & _ENDS_IMAGING:
            self._imaging, self._histology = 0, False

    def _history(self, reading: Reading, first: int, last: int, parts: list[Clause]) -> None:
        spans = [(first, last)]
        if last - first > _LONG_HISTORY:
            spans = [(clause.first, clause.last) for clause in parts]
        for span in spans:
            cues = context.cues_between(reading, *span)
            if len(spans) == 1 or histories.is_history(cues, 0, self._in_history, self._collection.examined):
                name = histories.history_field(cues)
                story = histories.story(name)
                self._add(reading, span, span, "History", True, name, topic=story, kind="story")

    def _clause(self, reading: Reading, clause: Clause, relatives: bool, sentence: Span) -> None:
        strong, weak = clause.strong, clause.weak
        if not (strong | weak or self._imaging or has_digit(reading, clause.first, clause.last)):
            return
        whole = (clause.first, clause.last)
        if (strong | weak) & _BIRTH:
            self._add(reading, whole, whole, "Pregnancy", bool(strong & _BIRTH), kind="story")
        if context.is_treatment(clause.cues):
            told = context.beside_treatment(reading, clause)
            if told is not None:
                self._findings(reading, told, relatives, sentence)
        else:
            self._findings(reading, clause, relatives, sentence)

    def _findings(self, reading: Reading, clause: Clause, relatives: bool, sentence: Span) -> None:
        whole, strong, weak = (clause.first, clause.last), clause.strong, clause.weak
        piece = reading.text[reading.starts[clause.first] : reading.ends[clause.last - 1]]
        done = clause.verb >= 0 and not _DONE.isdisjoint(reading.words[clause.verb : clause.last])
        asked = piece.rstrip(" .")
        bare = context.finds_nothing(reading, clause) and not self._tools.values.is_measured(piece)
        if (done and _PERFORMED.search(asked)) or (bare and _ACTIVE.search(asked)):
            if strong & _LAB:
                topic = str(self._imaging or "")
                self._add(reading, whole, whole, "Lab_Image", False, topic=topic, kind="lead")
            return
        if self._is_result(strong, weak, piece):
            topic = str(self._imaging or "")
            kind = "image" if topic else ""
            strip = self._tools.frames.result if reading.words[clause.first] == "there" else None
            told = result(reading, clause)
            self._add(reading, whole, told, "Lab_Image", True, strip=strip, topic=topic, kind=kind)
        if weak & _VITALS and self._tools.values.vital_field(piece):
            strong |= _VITALS
        if not relatives and not (done and context.finds_nothing(reading, clause)):
            self._organs(reading, clause, strong, weak, sentence)

    def _organs(self, reading: Reading, clause: Clause, strong: int, weak: int, sentence: Span) -> None:
        # A weak word makes no quote of its own, unless the heading already speaks of its category or what is
        # wrong stands beside it.
        boosted = self._boosted
        if weak & ~strong and clause.cues & CUE["sign"]:
            boosted |= context.beside_signs(reading, clause)
        wanted = (strong | (weak & boosted)) & self._allowed
        if not wanted or context.lists_tests(reading, clause, strong | weak):
            return
        told = context.told_by_test(reading, clause)
        organs = (strong | weak) & ORGAN_BITS
        named: list[int] = []
        if organs & (organs - 1):  # more than one
            named = [strong | weak for strong, weak in (reading.masks(*chunk) for chunk in clause.chunks)]
        for category in ORGANS:
            bit = BIT[category]
            if not wanted & bit or (told and not told & bit) or (self._histology and category in _OF_TISSUE):
                continue
            opens = bool((strong | boosted) & bit)
            for span in spans_of(reading, clause, named, bit):
                whole = self._tools.grains.get(category) == "sentence"
                for part in [span] if whole else parted(reading, span, bit):
                    self._organ(reading, clause, part, category, opens, sentence)

    def _organ(
        self, reading: Reading, clause: Clause, span: Span, category: str, strong: bool, sentence: Span
    ) -> None:
        """Add what a span of a clause says of an organ, as large as the category's quotes are."""
        bit, grain = BIT[category], self._tools.grains.get(category)
        topic = kind = ""
        cut = phrase(reading, clause, span, bit) if grain != "sentence" else None
        if grain == "passage" and cut is not None and measured(reading, cut):
            kind = "measured"
        if grain == "sentence" or kind:
            span = anchored(reading, span, bit, self._tools.frames)
        elif cut is None:
            return
        else:
            span, topic, kind = cut, str(span[0]), "named"
        if grain == "sentence" and span[0] < clause.verb < span[1]:
            # What is said of a subject is not cut at other organs: "papules on the trunk and the knees".
            span = (span[0], clause.last)
        if grain == "sentence" and 2 * (span[1] - span[0]) > sentence[1] - sentence[0]:
            self._described = category, self._sentence_number
        whole = (clause.first, clause.last)
        strip = None if topic else self._tools.frames.subject
        self._add(reading, whole, span, category, strong, strip=strip, topic=topic, kind=kind)

    def _is_result(self, strong: int, weak: int, piece: str) -> bool:
        """A clause with a test, a substance with its value, or one that goes on telling an image."""
        values = self._tools.values
        return bool(
            strong & _LAB
            or self._imaging
            or (weak & _LAB and values.is_result(piece))
            or (not strong & _VITALS and any(map(str.isdigit, piece)) and values.is_measured(piece))
        )

    def _add(
        self,
        reading: Reading,
        whole: Span,
        span: Span,
        category: str,
        strong: bool,
        name: str = "",
        strip: re.Pattern[str] | None = None,
        topic: str = "",
        kind: str = "",
    ) -> None:
        bare = bool(topic) and strip is None and category in ORGANS
        place = quote_span(reading, span, self._tools.frames, strip, bare)
        if place is None or not _says_something(reading.text[place[0] : place[1]]):
            return
        polarity: Polarity = "present"
        if assertion.may_deny(self._cues):
            polarity = assertion.polarity(reading, whole, place)
        elif assertion.is_ticked_off(reading.text, *place):
            polarity = "negated"
        if category == "Vitals_Hema":
            name = self._tools.values.vital_field(reading.text[place[0] : place[1]])
        shifted = (place[0] + self._offset, place[1] + self._offset)
        found = Candidate(shifted, strong, name, polarity, self._sentence_number, topic, kind)
        self._collection.add(category, found)


def measured(reading: Reading, span: Span) -> bool:
    """Whether the tokens are a value, or speak of vital signs or an examination."""
    return has_digit(reading, *span) or bool(context.cues_between(reading, *span) & CUE["examination"])


def has_digit(reading: Reading, first: int, last: int) -> bool:
    """Whether a number stands among the tokens."""
    return any(word[:1].isdigit() for word in reading.words[first:last])


def _says_something(quote: str) -> bool:
    """Whether a quote holds a word and is more than a reference to a figure or table."""
    if len(quote) > _SHORT and quote[:3].lower() not in _REFERRING:
        return len(quote) <= _LONGEST_QUOTE
    return bool(_WORD.search(quote) and not _REFERENCE.fullmatch(quote))
