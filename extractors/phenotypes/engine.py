"""The extractor of phenotypes by rules: a report in, terms with places out, in text order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from extractors.model.document import Document
from extractors.model.finding import Polarity
from extractors.phenotypes.matching import Match, Matcher
from extractors.phenotypes.names import TermName, TermNames, load_names
from extractors.phenotypes.values import load_tests
from extractors.rules import context
from extractors.rules.abbreviations import Abbreviations
from extractors.rules.clauses import Clause, clauses
from extractors.rules.engine import searched
from extractors.rules.lexicon import CUE, load_lexicon
from extractors.rules.reading import Reading, cut, mark_categories, mark_cues
from extractors.terminology.concept import Concept
from extractors.text.repair import repair
from extractors.text.sentences import sentences
from extractors.text.words import load_words

PHENOTYPES_VERSION = "1"
_DIGIT = re.compile(r"\d")
_DECIDING = CUE["negated"] | CUE["uncertain"] | CUE["normal"] | CUE["open"] | CUE["behind"]
# What agrees with a finding shows it; who has a finding in common with a relative.
_AGREEING = frozenset({"consistent", "compatible", "keeping"})
_OWN = frozenset({"patient", "proband", "child", "son", "daughter", "he", "she", "both"})
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

    def find(self, text: str) -> list[Phenotype]:
        """The terms of a text in its order, each once at a place."""
        found = {(one.start, one.end, one.code): one for one in self._found(text)}
        return sorted(found.values(), key=lambda one: (one.start, one.end, one.code))

    def _found(self, text: str) -> Iterator[Phenotype]:
        reading = cut(text)
        mark_cues(reading, self._lexicon)
        local: dict[str, TermName | None] = {}
        for start, end in sentences(text):
            first, last = bisect_left(reading.starts, start), bisect_left(reading.starts, end)
            for short, long in self._abbreviations.pairs(text[start:end]):
                local.setdefault(short, self._meant(long))
            matches = self._matcher.matches(reading, first, last, local)
            if matches:
                yield from self._told(reading, first, last, matches)
            if not _DIGIT.search(text, start, end):
                continue
            for one in self._tests.outside(reading, first, last):
                yield self._phenotype(one.code, reading.text, one.start, one.end)

    def _told(self, reading: Reading, first: int, last: int, matches: Sequence[Match]) -> Iterator[Phenotype]:
        """What a sentence says of the names in it."""
        parts: list[Clause] = []
        if context.cues_between(reading, first, last) & (_DECIDING | _RELATIVE):
            mark_categories(reading, self._lexicon, None, first, last)
            _quieten(reading, first, last, [at for match in matches for at in match.tokens])
            parts = clauses(reading, first, last)
        for match in matches:
            code = self._names.terminology.codes[match.name.row]
            clause = next((c for c in parts if c.first <= match.tokens[0] < c.last), None)
            low, high = reading.starts[match.tokens[0]], reading.ends[match.tokens[-1]]
            polarity: Polarity = "present"
            if clause is not None:
                polarity = context.polarity(reading, (clause.first, last), (low, high))
            relative = clause is not None and _of_relative(reading, clause)
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
        said = text[start:end]
        return Phenotype(concept.code, concept.label, concept.uri, said, start, end, polarity, relative)

    def _meant(self, long: str) -> TermName | None:
        """The term that the long form of an abbreviation is as a whole, or but for a word, if any."""
        reading = cut(long)
        words = sum(1 for word in reading.words if word and word not in self._names.function)
        matches = self._matcher.matches(reading, 0, len(reading.words), {})
        best = max(matches, key=lambda one: len(one.tokens), default=None)
        return best.name if best is not None and len(best.tokens) >= words - (words > 2) else None


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
    _quieten(reading, 0, last, tokens)
    clause = next((one for one in clauses(reading, 0, last) if tokens and tokens[0] < one.last), None)
    if clause is None:
        return "present", False
    return context.polarity(reading, (clause.first, last), place), _of_relative(reading, clause)


def _quieten(reading: Reading, first: int, last: int, tokens: Sequence[int]) -> None:
    """Take away cues that deny or doubt nothing: words of terms ("absent speech"), "consistent with"."""
    for at in tokens:
        reading.cues[at] &= ~_DECIDING
    for at in range(first, last):
        if reading.words[at] in _AGREEING:
            reading.cues[at] &= ~CUE["uncertain"]


def _of_relative(reading: Reading, clause: Clause) -> bool:
    """Whether a clause tells of a relative, who does not tell of the patient or have it in common."""
    if not context.is_relatives(reading, clause):
        return False
    words = reading.words[clause.first : clause.last]
    persons = load_words().persons
    kin = next((at for at, word in enumerate(words) if word in persons.kin), None)
    if kin is None:
        return True
    if not persons.reporting.isdisjoint(words[kin + 1 : kin + 6]):
        return False
    before, after = words[max(0, kin - 5) : kin], words[kin + 1 : kin + 4]
    return not ("and" in before and not _OWN.isdisjoint(before)) and not (
        "and" in after and not _OWN.isdisjoint(after)
    )
