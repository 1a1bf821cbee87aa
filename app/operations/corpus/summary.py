"""What is in a corpus, counted part by part: reports, quotes by category, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.corpus.schema import FAILED, Manifest, manifest, read_part, read_parts
from app.tables import Column, Table, records, render
from app.text import counted
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.studies.charts import Picture

UNKNOWN = "not known"
_JOURNALS = 20
# Words of a report, or of a quote: the upper ends of what is counted together.
_LENGTHS = {"reports": (500, 1000, 2000, 4000, 8000), "quotes": (5, 10, 20, 40, 80)}


@dataclass(slots=True)
class OfCategory:
    """Quotes of a category: how many, in how many reports, their words, and how many have no place."""

    quotes: int = 0
    reports: int = 0
    words: int = 0
    ungrounded: int = 0


@dataclass(slots=True)
class Contents:
    """Counts over a corpus; `lengths` are of reports and of quotes, by the words that these have."""

    manifest: Manifest
    reports: int = 0
    words: int = 0
    years: Counter[str] = field(default_factory=Counter)
    journals: Counter[str] = field(default_factory=Counter)
    categories: dict[str, OfCategory] = field(default_factory=dict)
    lengths: dict[str, Counter[int]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)

    @property
    def quotes(self) -> int:
        """How many there are."""
        return sum(one.quotes for one in self.categories.values())

    @property
    def ungrounded(self) -> int:
        """How many of them have no place in their text."""
        return sum(one.ungrounded for one in self.categories.values())


def summarise_corpus(folder: Path) -> Generator[Progress, None, Contents]:
    """Count what is in finished parts; raises FormatError where there is no corpus."""
    found = Contents(manifest(folder), lengths={name: Counter() for name in _LENGTHS})
    for part, table in read_parts(folder, "reports", ["year", "journal", "words"]):
        found.reports += table.num_rows
        found.years.update(UNKNOWN if one is None else str(one) for one in _column(table, "year"))
        found.journals.update(one or UNKNOWN for one in _column(table, "journal"))
        words = [one or 0 for one in _column(table, "words")]
        found.words += sum(words)
        found.lengths["reports"].update(_rung(one, "reports") for one in words)
        _add_quotes(found, folder, part)
        found.left_out.update(_column(read_part(folder, "left_out", part, ["reason"]), "reason"))
        found.calls.update(_column(read_part(folder, "calls", part, ["state"]), "state"))
        yield Progress(found.reports, 0, "reports counted")
    return found


def _column(table: Any, name: str) -> list[Any]:  # noqa: ANN401
    values: list[Any] = table.column(name).to_pylist()
    return values


def _add_quotes(found: Contents, folder: Path, part: int) -> None:
    names = ["report", "category", "quote", "start"]
    table = read_part(folder, "quotes", part, names)
    seen: set[tuple[str, str]] = set()
    for report, category, quote, start in zip(*(_column(table, name) for name in names), strict=True):
        one = found.categories.setdefault(category, OfCategory())
        words = len(quote.split())
        one.quotes += 1
        one.words += words
        one.ungrounded += start is None
        one.reports += (report, category) not in seen
        seen.add((report, category))
        found.lengths["quotes"][_rung(words, "quotes")] += 1


def _rung(words: int, what: str) -> int:
    return sum(words > end for end in _LENGTHS[what])


def _rungs(what: str) -> list[str]:
    ends = _LENGTHS[what]
    first = [0, *(end + 1 for end in ends)]
    return [*(f"{low}–{high}" for low, high in zip(first, ends, strict=False)), f"over {ends[-1]}"]


def summary_tables(found: Contents) -> dict[str, Table[Any]]:
    """By name: categories, years, the largest journals, lengths of reports and quotes, what was left out."""
    order = sorted(found.categories, key=lambda one: (-found.categories[one].quotes, one))
    rows = tuple(_category_row(name or "(none)", found.categories[name], found) for name in order)
    counts = (Column("Quotes", key="quotes"), Column("Reports", key="reports"),
              Column("Of reports", key="share", decimals=1, unit=" %"),
              Column("Words each", key="words", decimals=1),
              Column("Ungrounded", key="ungrounded", decimals=1, unit=" %"))  # fmt: skip
    journals = found.journals.most_common(_JOURNALS)
    rest = found.reports - sum(number for _, number in journals)
    listed = [*sorted(journals, key=lambda one: (-one[1], one[0])), *([("others", rest)] if rest else [])]
    reasons = [
        (one, "failed" if one in FAILED else "left out", found.left_out[one])
        for one in sorted(found.left_out)
    ]
    return {
        "categories": Table((_words("Category"), *counts), rows, title="Quotes by category"),
        "years": _counted("Year", sorted(found.years.items()), "Reports by year"),
        "journals": _counted("Journal", listed, "Reports by journal"),
        **{
            f"{what[:-1]}_lengths": _counted("Words", _by_length(found, what), f"Words of {what}", what)
            for what in _LENGTHS
        },
        "left_out": Table(
            (_words("Reason"), _words("Kind"), Column("Number", key="number")),
            tuple(reasons),
            title="Left out",
        ),
    }


def _words(name: str) -> Column:
    return Column(name, key=name.lower(), kind="words", width=50)


def _counted(name: str, rows: Iterable[tuple[str, int]], title: str, what: str = "reports") -> Table[Any]:
    return Table((_words(name), Column(what.capitalize(), key=what)), tuple(rows), title=title)


def _by_length(found: Contents, what: str) -> list[tuple[str, int]]:
    return [(name, found.lengths[what][at]) for at, name in enumerate(_rungs(what))]


def _category_row(name: str, one: OfCategory, found: Contents) -> tuple[Any, ...]:
    share = 100 * one.reports / found.reports if found.reports else None
    return name, one.quotes, one.reports, share, one.words / one.quotes, 100 * one.ungrounded / one.quotes


def summary_json(found: Contents) -> dict[str, Any]:
    """Plain values: the counts, and the tables by name."""
    told = found.manifest
    return {
        "task": told.task,
        "by": told.by,
        "state": told.state,
        "reports": found.reports,
        "words": found.words,
        "quotes": found.quotes,
        "ungrounded": found.ungrounded / found.quotes if found.quotes else None,
        "calls": dict(sorted(found.calls.items())),
        **{name: records(table) for name, table in summary_tables(found).items()},
    }


def summary_sentences(found: Contents) -> list[str]:
    """How much there is, and what is missing."""
    told = found.manifest
    quotes = counted(found.quotes, "quote")
    share = f", {found.ungrounded / found.quotes:.1%} of them without a place" if found.quotes else ""
    reports, words = counted(found.reports, "report"), counted(found.words, "word")
    parts = [f"{reports} of {words} with {quotes} by {told.by}{share}."]
    failed = sum(number for reason, number in found.left_out.items() if reason in FAILED)
    left = found.left_out.total() - failed
    parts += [f"{left:,} left out and {failed:,} failed."] if left or failed else []
    parts += [] if told.state == "done" else ["The corpus is not finished: only whole parts are counted."]
    return parts


def summary_page(found: Contents, name: str) -> str:
    """A self-contained page with charts."""
    from app.studies.charts import svg

    tables = summary_tables(found)
    drawn = {title: (svg(title, picture), picture.about) for title, picture in _figures(tables).items()}
    given: Mapping[str, object] = {
        "title": f"The corpus {name}",
        "tables": [table for table in tables.values() if table.rows],
        "notes": [f"Task {found.manifest.task}, by {found.manifest.by}."],
        "charts": [],
        "figures": drawn,
        "lead": summary_sentences(found),
    }
    return render("study.html.j2", palette=(), **given)


def _figures(tables: Mapping[str, Table[Any]]) -> dict[str, Picture]:
    from app.studies.charts import Bar, Panel, Picture

    def picture(name: str, about: str, column: int = 1, *, shares: bool = False) -> Picture:
        bars = [
            Bar(str(row[0]), "", row[column] / 100 if shares else float(row[column]))
            for row in tables[name].rows
        ]
        return Picture(about, [Panel(about, bars, shares)])

    every = {
        "Years": picture("years", "How many reports are of each year."),
        "Journals": picture("journals", "How many reports are of each journal."),
        "Categories": picture("categories", "Reports in which a category was found.", 3, shares=True),
        "Ungrounded": picture("categories", "Quotes of a category without a place.", 5, shares=True),
        "Lengths of reports": picture("report_lengths", "Reports by their number of words."),
        "Lengths of quotes": picture("quote_lengths", "Quotes by their number of words."),
        "Left out": picture("left_out", "What is not among the reports, by reason.", 2),
    }
    return {name: one for name, one in every.items() if one.panels[0].bars}
