"""Words found in the reports of a corpus, or in its quotes of a category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.operations.corpus.schema import manifest, read_part
from app.store.corpus_index import CorpusIndex
from extractors.model.errors import CallError, UnknownNameError
from extractors.model.progress import Progress

LIMIT = 20
_BESIDE = 60
_SHOWN = ("report", "title", "journal", "year", "text")
_PLACE = ("report", "number", "quote", "start", "end")


@dataclass(frozen=True, slots=True)
class Hit:
    """Words in a report of a corpus, and what stands beside them; with a category, they are in a quote of it.

    `start` and `end` are code points of the text: of the words, or of the quote, None without a place.
    """

    report: str
    title: str
    journal: str
    year: int | None
    category: str | None
    start: int | None
    end: int | None
    left: str
    text: str
    right: str


@dataclass(frozen=True, slots=True)
class Hits:
    """The first hits, one a report or quote, of `total`."""

    hits: tuple[Hit, ...]
    total: int


def search_corpus(
    folder: Path, typed: str, category: str = "", limit: int = LIMIT
) -> Generator[Progress, None, Hits]:
    """What has all the words near each other, in the order of the corpus; the index is made where it lacks.

    Raises CallError where nothing is asked for, or the corpus is being made, UnknownNameError where no quote
    is in that category, and StorageError.
    """
    told = manifest(folder)
    if told.state != "done":
        raise CallError("The corpus is not finished; run casespan corpus extract again first.")
    if not any(char.isalnum() for char in typed):
        raise CallError("Type words or numbers to search for.")
    parts = {one.part: one.sha256 for one in told.parts}
    with CorpusIndex(folder) as index:
        for done, part in enumerate(index.keep_only(parts), start=1):
            index.add(part, parts[part], _indexed_rows(folder, part))
            yield Progress(done, len(parts), "parts indexed")
        found = index.find(typed, category)
        if category and not found and category not in (there := index.categories()):
            raise UnknownNameError(
                f"No quote of {folder} is in a category {category!r}; there are {', '.join(there) or 'none'}."
            )
        return Hits(tuple(_hits(folder, index, typed, category, found[:limit])), len(found))


def _indexed_rows(folder: Path, part: int) -> list[tuple[str, int | None, str | None, str]]:
    reports = read_part(folder, "reports", part, ["report", "title", "text"]).to_pylist()
    quotes = read_part(folder, "quotes", part, ["report", "number", "category", "quote"]).to_pylist()
    return [
        *((one["report"], None, None, one["text"]) for one in reports),
        *((one["report"], one["number"], one["category"], one["quote"]) for one in quotes),
    ]


def _hits(
    folder: Path, index: CorpusIndex, typed: str, category: str, found: Sequence[tuple[int, str, int | None]]
) -> list[Hit]:
    """The hits in full, each part read once."""
    wanted: dict[int, set[str]] = defaultdict(set)
    for part, report, _ in found:
        wanted[part].add(report)
    reports: dict[str, dict[str, Any]] = {}
    quotes: dict[tuple[str, int], dict[str, Any]] = {}
    for part, names in wanted.items():
        for row in read_part(folder, "reports", part, _SHOWN).to_pylist():
            if row["report"] in names:
                reports[row["report"]] = row
        if category:
            for row in read_part(folder, "quotes", part, _PLACE).to_pylist():
                quotes[row["report"], row["number"]] = row
    parts = [
        reports[report]["text"] if number is None else quotes[report, number]["quote"]
        for _, report, number in found
    ]
    hits = []
    for (_, report, number), text, places in zip(found, parts, index.places(typed, parts), strict=True):
        row, low, high = reports[report], *(places[0] if places else (0, 0))
        quote = quotes[report, number] if number is not None else {"start": low, "end": high}
        hits.append(
            Hit(
                *(report, row["title"], row["journal"], row["year"], category or None),
                *(quote["start"], quote["end"]),
                *(text[max(0, low - _BESIDE) : low], text[low:high], text[high : high + _BESIDE]),
            )
        )
    return hits
