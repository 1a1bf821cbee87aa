"""The extractor of phenotypes by rules: a report in, terms with places out, in text order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from extractors.model.document import Document
from extractors.model.finding import Polarity
from extractors.phenotypes.assertion import (
    DECIDING,
    in_family,
    in_relative_behind,
    is_agent,
    polarity_of,
    quieten,
    within,
)
from extractors.phenotypes.matching import Matcher
from extractors.phenotypes.names import TermName, TermNames, load_names
from extractors.phenotypes.sentence import Match
from extractors.phenotypes.values import load_tests
from extractors.rules import assertion, context
from extractors.rules.clauses import Clause, clauses
from extractors.rules.engine import searched
from extractors.rules.lexicon import CUE, FINDING, load_lexicon
from extractors.rules.reading import Abbreviations, Reading, cut, mark_categories, mark_cues
from extractors.terminology.concept import Concept
from extractors.text.repair import repair
from extractors.text.sentences import sentences

PHENOTYPES_VERSION = "9"
_PRESENT: Polarity = "present"
_MEASURED = re.compile(r"\d|fold\b|\btimes\b")
_RELATIVE = CUE["relative"] | CUE["family"]


@dataclass(frozen=True, slots=True)
class Phenotype:
    """A term of a text: code, label and place (code points); `relative` where it is said of a relative."""

    code: str
    label: str
    uri: str
    text: str
    start: int
    end: int
    polarity: Polarity = "present"
    relative: bool = False


class PhenotypeRules:
    """Finds terms in texts. Load once, use for many."""

    def __init__(self, names: TermNames | None = None) -> None:
        self._names = names or load_names()
        self._matcher = Matcher(self._names)
        self._lexicon = load_lexicon()
        self._tests = load_tests()
        self._abbreviations = Abbreviations()
        self._known: dict[str, Concept] = {}

    @property
    def release(self) -> str:
        """The release of the ontology."""
        return self._names.terminology.release

    @property
    def version(self) -> str:
        """Version of the rules and of their data, for the record of a run."""
        return f"phenotypes {PHENOTYPES_VERSION} ({self._names.version}, {self._lexicon.version})"

    @property
    def notes(self) -> tuple[str, ...]:
        """What this installation goes without, one sentence each."""
        return self._abbreviations.notes

    def extract(self, document: Document) -> list[Phenotype]:
        """The terms of a report's case sections, in the order of its text."""
        repaired = repair(document.text)
        copy = document
        if repaired.garbled:
            copy = replace(document, text=repaired.text, sections=tuple(repaired.sections(document.sections)))
        found: list[Phenotype] = []
        for start, end, _ in searched(copy):
            for one in self.find(copy.text[start:end]):
                low, high = repaired.back(start + one.start, start + one.end)
                found.append(replace(one, text=document.text[low:high], start=low, end=high))
        return found

    def profile(self, text: str) -> tuple[list[str], list[str]]:
        """The codes that a text says are present and denied in its patient."""
        own = [one for one in self.extract(Document("", text, ())) if not one.relative]
        present = dict.fromkeys(one.code for one in own if one.polarity == "present")
        denied = dict.fromkeys(one.code for one in own if one.polarity == "negated")
        return list(present), [code for code in denied if code not in present]

    def find(self, text: str) -> list[Phenotype]:
        """The terms of a text in its order, each once at a place."""
        found = {(one.start, one.end, one.code): one for one in self._found(text)}
        return sorted(found.values(), key=lambda one: (one.start, one.end, one.code))

    def _found(self, text: str) -> Iterator[Phenotype]:
        reading = cut(text)
        mark_cues(reading, self._lexicon)
        report, local = self._matcher.prepared(reading), dict[str, TermName | None]()
        tests = self._tests.begun(reading)
        for start, end in sentences(text):
            first, last = bisect_left(reading.starts, start), bisect_left(reading.starts, end)
            if text.find("(", start, end) >= 0:
                for short, long in self._abbreviations.pairs(text[start:end]):
                    local.setdefault(short, self._meant(long))
            matches = self._matcher.matches(report, first, last, local)
            if matches:
                yield from self._told(reading, first, last, matches)
            here = tests[bisect_left(tests, first) : bisect_left(tests, last)]
            if here and _MEASURED.search(text, start, end):
                for one in self._tests.outside(reading, here, first, last):
                    relative = _is_relatives(reading, first, last, one.start)
                    yield self._phenotype(one.code, reading.text, one.start, one.end, relative=relative)

    def _told(self, reading: Reading, first: int, last: int, matches: Sequence[Match]) -> Iterator[Phenotype]:
        """What a sentence says of the names in it."""
        cues = context.cues_between(reading, first, last)
        decided, relatives = cues & DECIDING, cues & _RELATIVE
        parts: list[tuple[Clause, bool]] = []
        if decided or relatives:
            tokens = [at for match in matches for at in match.tokens]
            for at in tokens:
                reading.strong[at] |= FINDING
            quieten(reading, first, last, tokens)
            parts = _parts(reading, first, last)
        for match in matches:
            if is_agent(reading, match.tokens[-1] + 1) or within(reading, match.tokens):
                continue
            code = self._names.terminology.codes[match.name.row]
            low, high = reading.starts[match.tokens[0]], reading.ends[match.tokens[-1]]
            polarity, relative = _PRESENT, False
            told = next((one for one in parts if one[0].first <= match.tokens[0] < one[0].last), None)
            if told is not None:
                relative = told[1] or in_family(reading, told[0], match.tokens[0])
                if decided:
                    polarity = polarity_of(reading, told[0], last, match.tokens, (low, high))
            relative = relative or (bool(relatives) and in_relative_behind(reading.text, high))
            if assertion.is_ticked_off(reading.text, low, high):
                polarity = "negated"
            yield self._phenotype(code, reading.text, low, high, polarity, relative)

    def _phenotype(
        self,
        code: str,
        text: str,
        start: int,
        end: int,
        polarity: Polarity = "present",
        relative: bool = False,
    ) -> Phenotype:
        concept = self._known.get(code)
        if concept is None:
            concept = self._known[code] = self._names.terminology.concept(code)
        words = text[start:end]
        return Phenotype(concept.code, concept.label, concept.uri, words, start, end, polarity, relative)

    def _meant(self, long: str) -> TermName | None:
        """The term that the long form of an abbreviation is as a whole, or but for a word, if any."""
        reading = cut(long)
        words = sum(1 for word in reading.words if word and word not in self._names.function)
        matches = self._matcher.matches(self._matcher.prepared(reading), 0, len(reading.words), {})
        best = max(matches, key=lambda one: len(one.tokens), default=None)
        return best.name if best is not None and len(best.tokens) >= words - (words > 2) else None


def _is_relatives(reading: Reading, first: int, last: int, start: int) -> bool:
    """Whether a value at character `start` of a sentence is a relative's: "her father had a CK of 900"."""
    if not context.cues_between(reading, first, last) & _RELATIVE:
        return False
    at = bisect_left(reading.starts, start)
    reading.strong[at] |= FINDING
    part = next((one for one in _parts(reading, first, last) if one[0].first <= at < one[0].last), None)
    return part is not None and (part[1] or in_family(reading, part[0], at))


def _parts(reading: Reading, first: int, last: int) -> list[tuple[Clause, bool]]:
    """The clauses of a sentence, and whether each tells of a relative: "her father had fits and died"."""
    parts, relative = list[tuple[Clause, bool]](), False
    for part in clauses(reading, first, last):
        relative = context.is_relatives(reading, part) or (relative and context.goes_on(reading, part))
        parts.append((part, relative))
    return parts


@lru_cache(maxsize=1)
def load_rules() -> PhenotypeRules:
    """The rules with the ontology that comes along, read once."""
    return PhenotypeRules()


def telling(text: str, start: int, end: int) -> tuple[Polarity, bool]:
    """What is said of what stands at a place (code points): its polarity, and whether a relative has it."""
    line, after = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    lines = text[line : after if after >= 0 else len(text)]
    low, high = next(
        (place for place in sentences(lines) if place[0] <= start - line < place[1]), (0, len(lines))
    )
    reading = cut(lines[low:high])
    lexicon = load_lexicon()
    mark_cues(reading, lexicon)
    mark_categories(reading, lexicon)
    place = start - line - low, end - line - low
    tokens = [at for at, begin in enumerate(reading.starts) if place[0] <= begin < place[1]]
    last = len(reading.words)
    quieten(reading, 0, last, tokens)
    part = next((one for one in _parts(reading, 0, last) if tokens and tokens[0] < one[0].last), None)
    if part is None:
        return "present", False
    clause, relative = part
    relative = relative or in_family(reading, clause, tokens[0]) or in_relative_behind(text, end)
    return polarity_of(reading, clause, last, tokens, place), relative
