"""The extractor of phenotypes by rules: a report in, terms with places out, in text order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from extractors.model.document import Document
from extractors.model.finding import Polarity
from extractors.phenotypes.matching import Matcher
from extractors.phenotypes.names import TermName, TermNames, load_names
from extractors.phenotypes.sentence import Match
from extractors.phenotypes.values import load_tests
from extractors.rules import context
from extractors.rules.abbreviations import Abbreviations
from extractors.rules.clauses import Clause, clauses
from extractors.rules.engine import searched
from extractors.rules.lexicon import CUE, FINDING, load_lexicon
from extractors.rules.reading import Reading, cut, mark_categories, mark_cues
from extractors.terminology.concept import Concept
from extractors.text.repair import repair
from extractors.text.sentences import sentences
from extractors.text.words import load_words

PHENOTYPES_VERSION = "4"
_PRESENT: Polarity = "present"
_DIGIT = re.compile(r"\d")
_DECIDING = CUE["negated"] | CUE["uncertain"] | CUE["normal"] | CUE["open"] | CUE["behind"]
# What agrees with a finding shows it; who has a finding in common with a relative.
_AGREEING = frozenset({"consistent", "compatible", "keeping"})
_OWN = frozenset({"patient", "proband", "child", "son", "daughter", "he", "she", "both"})
# "Three affected siblings with", "both brothers have": these are the patients.
_TOGETHER = frozenset({"affected", "both"})
_TOLD = frozenset("affected both the these all two three four five six 2 3 4 5 6 of our".split())
_SUBJECT = 6
_RELATIVE = CUE["relative"] | CUE["family"]
_DENYING = CUE["negated"] | CUE["denied"]
_AGENTS = frozenset(
    "virus viruse marker vaccine vaccination serology antigen scale score inventory questionnaire index clinic".split()
)
_LEVELS = frozenset({"low", "high", "upper", "lower"})
_FAMILY_REACH = 12
_EITHER = frozenset({"or", "nor"})
_ENDING = frozenset({"but", "with", "although", "though", "however", "except"})


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
            if here and _DIGIT.search(text, start, end):
                for one in self._tests.outside(reading, here, first, last):
                    yield self._phenotype(one.code, reading.text, one.start, one.end)

    def _told(self, reading: Reading, first: int, last: int, matches: Sequence[Match]) -> Iterator[Phenotype]:
        """What a sentence says of the names in it."""
        cues = context.cues_between(reading, first, last)
        decided, relatives = cues & _DECIDING, cues & _RELATIVE
        parts: list[tuple[Clause, bool]] = []
        if decided or relatives:
            tokens = [at for match in matches for at in match.tokens]
            for at in tokens:
                reading.strong[at] |= FINDING
            _quieten(reading, first, last, tokens)
            parts = [
                (part, bool(relatives) and _of_relative(reading, part))
                for part in clauses(reading, first, last)
            ]
        for match in matches:
            if _is_agent(reading, match.tokens[-1] + 1) or _within(reading, match.tokens):
                continue
            code = self._names.terminology.codes[match.name.row]
            low, high = reading.starts[match.tokens[0]], reading.ends[match.tokens[-1]]
            polarity, relative = _PRESENT, False
            told = next((one for one in parts if one[0].first <= match.tokens[0] < one[0].last), None)
            if told is not None:
                relative = told[1] or _in_family(reading, told[0], match.tokens[0])
                polarity = (
                    _polarity(reading, told[0], last, match.tokens[0], (low, high)) if decided else _PRESENT
                )
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
        matches = self._matcher.matches(self._matcher.prepared(reading), 0, len(reading.words), {})
        best = max(matches, key=lambda one: len(one.tokens), default=None)
        return best.name if best is not None and len(best.tokens) >= words - (words > 2) else None


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
    _quieten(reading, 0, last, tokens)
    clause = next((one for one in clauses(reading, 0, last) if tokens and tokens[0] < one.last), None)
    if clause is None:
        return "present", False
    relative = _of_relative(reading, clause) or _in_family(reading, clause, tokens[0])
    return _polarity(reading, clause, last, tokens[0], place), relative


def _quieten(reading: Reading, first: int, last: int, tokens: Sequence[int]) -> None:
    """Take away cues that deny or doubt nothing: words of terms ("absent speech"), "consistent with"."""
    for at in tokens:
        reading.cues[at] &= ~_DECIDING
    for at in range(first, last):
        if reading.words[at] in _AGREEING:
            reading.cues[at] &= ~CUE["uncertain"]


def _polarity(reading: Reading, clause: Clause, last: int, token: int, place: tuple[int, int]) -> Polarity:
    """What is said at a place (its first token, its characters); of a list with "or" all is denied as its
    first is."""
    said = context.polarity(reading, (clause.first, last), place)
    if said == "present" and _denied_in_list(reading, clause, token):
        return "negated"
    return said


def _denied_in_list(reading: Reading, clause: Clause, token: int) -> bool:
    first = token
    for at in range(token - 1, clause.first - 1, -1):
        if reading.cues[at] & _DENYING:
            return not _EITHER.isdisjoint(reading.words[at : clause.last]) and first < token
        if reading.words[at] in _ENDING or reading.signs[at] in (";", ":"):
            return False
        if reading.cues[at] & CUE["finite"]:
            return False
        first = at
    return False


def _is_agent(reading: Reading, after: int) -> bool:
    """Whether a name goes on as that of a germ or test: "hepatitis C virus", "tumour markers"."""
    words = reading.words
    if after < len(words) and len(words[after]) == 1:
        after += 1
    return after < len(words) and words[after] in _AGENTS


def _within(reading: Reading, tokens: Sequence[int]) -> bool:
    """Whether a value is called "low normal" or "high normal", which is neither."""
    following = ((reading.words[at], reading.words[at + 1 : at + 2]) for at in tokens)
    return any(word in _LEVELS and after == ["normal"] for word, after in following)


def _in_family(reading: Reading, clause: Clause, token: int) -> bool:
    """Whether "family history of" stands before a token, with no verb between."""
    for at in range(token - 1, max(clause.first, token - _FAMILY_REACH) - 1, -1):
        if reading.cues[at] & CUE["finite"] or reading.signs[at] == ";":
            return False
        if reading.words[at] == "family" and reading.words[at + 1 : at + 2] == ["history"]:
            return True
    return False


def _of_relative(reading: Reading, clause: Clause) -> bool:
    """Whether a clause tells of a relative, who does not tell of the patient or have it in common."""
    if not context.is_relatives(reading, clause):
        return False
    words = reading.words[clause.first : clause.last]
    persons = load_words().persons
    kin = next((at for at, word in enumerate(words) if word in persons.kin), None)
    if kin is None:
        return "affected" not in words[:_SUBJECT]
    if kin < _SUBJECT and _TOLD.issuperset(words[:kin]) and not _TOGETHER.isdisjoint(words[:kin]):
        return False
    if not persons.reporting.isdisjoint(words[kin + 1 : kin + 6]):
        return False
    before, after = words[max(0, kin - 5) : kin], words[kin + 1 : kin + 4]
    return not ("and" in before and not _OWN.isdisjoint(before)) and not (
        "and" in after and not _OWN.isdisjoint(after)
    )
