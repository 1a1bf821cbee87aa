"""The extractor: a report's case sections in, findings in text order out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from extractors.model.document import Document, Section
from extractors.model.finding import Finding
from extractors.model.scheme import Category, Grain, Scheme, default_scheme
from extractors.rules.collecting import Collection
from extractors.rules.fields import FieldRules, load_values
from extractors.rules.lexicon import CATEGORIES, PhraseTable, load_lexicon
from extractors.rules.phrases import load_frames
from extractors.rules.reading import Abbreviations
from extractors.rules.section_reader import SectionReader, Tools
from extractors.text.repair import repair
from extractors.text.sentences import sentences

RULES_VERSION = "4"


class RulesExtractor:
    """Finds the scheme's categories in reports. Load once, use for many."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        self._tools = Tools(load_lexicon(), load_frames(), load_values(), _grains(scheme))
        self._fields = FieldRules()
        self._abbreviations = Abbreviations()

    @property
    def version(self) -> str:
        """Version of the program's rules and of their data, for the record of a run."""
        return f"rules {RULES_VERSION} ({self._tools.lexicon.version})"

    @property
    def categories(self) -> tuple[str, ...]:
        """The scheme's categories that the rules know; of any other their silence says nothing."""
        return tuple(category for category in self.scheme.ids if category in CATEGORIES)

    @property
    def notes(self) -> tuple[str, ...]:
        """What this installation goes without, one sentence each."""
        return self._abbreviations.notes

    def extract(self, document: Document) -> list[Finding]:
        """Findings in text order, exact spans, one per category and span, in the scheme's categories only."""
        repaired = repair(document.text)
        if repaired.garbled:
            copy = replace(document, text=repaired.text, sections=tuple(repaired.sections(document.sections)))
            places = [(one, repaired.back(one.start or 0, one.end or 0)) for one in self._read(copy)]
            return [
                replace(one, quote=document.text[start:end], start=start, end=end)
                for one, (start, end) in places
            ]
        return self._read(document)

    def _read(self, document: Document) -> list[Finding]:
        collection = Collection(self._tools.grains)
        local = PhraseTable()
        for start, end, section in searched(document):
            text = document.text[start:end]
            spans = sentences(text)
            for first, last in spans:
                if text.find("(", first, last) >= 0:
                    self._abbreviations.add(text[first:last], self._tools.lexicon, local)
            SectionReader(self._tools, collection, section, start).read(text, spans, local)
        return list(self._findings(document, collection))

    def _findings(self, document: Document, collection: Collection) -> Iterator[Finding]:
        rank = {category: index for index, category in enumerate(self.scheme.ids)}
        rows = [
            (c.span, rank[category], category, c)
            for category in rank
            for c in collection.kept(category, document.text)
        ]
        fields = {category.id: category.fields for category in self.scheme.categories}
        for (start, end), _, category, candidate in sorted(rows, key=lambda row: row[:2]):
            known = fields[category]
            quote = document.text[start:end]
            name = candidate.field if candidate.field in known else self._fields.field(category, quote, known)
            yield Finding(category, quote, start, end, name, candidate.polarity)


def _grains(scheme: Scheme) -> dict[str, Grain]:
    """How large each category's quotes are; what the scheme leaves open is as in the program's own."""
    known: tuple[Category, ...] = scheme.categories
    if any(category.grain is None for category in known):
        known = (*default_scheme().categories, *known)
    return {category.id: category.grain for category in known if category.grain is not None}


def searched(document: Document) -> list[tuple[int, int, Section | None]]:
    """Spans to search, headings and the title above them left out: the case's sections; without any, all that
    is not excluded."""
    if not document.sections:
        return [(0, len(document.text), None)]
    sections = [s for s in document.sections if s.role == "case"]
    sections = sections or [s for s in document.sections if s.role != "excluded"]
    spans: list[tuple[int, int, Section | None]] = []
    for section in sections:
        start = section.start
        # Without other sections the first line may be all that a note says.
        name = section.heading or (f"{document.title}\n" if len(document.sections) > 1 else "")
        if name and document.text.startswith(name, start):
            start += len(name)
        spans.append((start, section.end, section))
    return spans
